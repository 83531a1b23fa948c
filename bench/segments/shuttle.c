/* Re-entry of a shuttle with the largest cross range and a limit of heating (Betts). */
#include <gradyn/gradyn.h>

#define RAD (3.14159265358979323846 / 180)
enum { T, ALPHA, BETA };
enum { H, PHI, THETA, V, GAMMA, PSI };
static const gradyn_param params[] = {
    [T] = {"T", "s", .init = 2000, .lower = 1500, .upper = 2600, .scale = 1000,
           .role = GRADYN_TIME},
    [ALPHA] = {"alpha", "rad", .init = 0.3, .lower = -90 * RAD, .upper = 90 * RAD, .scale = 0.3,
               .role = GRADYN_CONTROL, .count_from = "knots"},
    [BETA] = {"beta", "rad", .init = -0.8, .lower = -89 * RAD, .upper = RAD, .scale = 0.5,
              .role = GRADYN_CONTROL, .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of each angle", 31, 2, 400}};
static gradyn_status fall(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *p = at->yp, a = at->u[1], b = at->u[2];
  const gradyn_scalar h = y[H] * 1e5, v = y[V] * 1e4, ad = a / RAD;
  const double m = 203000 / 32.174, Re = 20902900, mu = 0.14076539e17, S = 2690;
  const gradyn_scalar rho = 0.002378 * exp(-h / 23800), cL = -0.20704 + 0.029244 * ad,
                      cD = 0.07854 - 0.61592e-2 * ad + 0.621408e-3 * ad * ad;
  const gradyn_scalar q = 0.5 * rho * v * v * S, D = q * cD, L = q * cL, r = Re + h,
                      g = mu / (r * r);
  F[H] = p[H] - v * sin(y[GAMMA]) / 1e5;
  F[PHI] = p[PHI] - v / r * cos(y[GAMMA]) * sin(y[PSI]) / cos(y[THETA]);
  F[THETA] = p[THETA] - v / r * cos(y[GAMMA]) * cos(y[PSI]);
  F[V] = p[V] - (-D / m - g * sin(y[GAMMA])) / 1e4;
  F[GAMMA] = p[GAMMA] - (L / (m * v) * cos(b) + cos(y[GAMMA]) * (v / r - g / v));
  F[PSI] = p[PSI] - (L * sin(b) / (m * v * cos(y[GAMMA])) +
                     v / (r * cos(y[THETA])) * cos(y[GAMMA]) * sin(y[PSI]) * sin(y[THETA]));
  return GRADYN_OK;
}
static gradyn_status heat(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar h = at->y[H] * 1e5, a = at->u[1] / RAD;
  *value = 17700 * sqrt(0.002378 * exp(-h / 23800)) * pow(at->y[V], 3.07) *
           (1.0672181 - .19213774e-1 * a + .21286289e-3 * a * a - .10117249e-5 * a * a * a);
  return GRADYN_OK;
}
static gradyn_status last(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *names[] = {"h", "phi", "theta", "v", "gamma", "psi"};
  static const double start[] = {2.6, 0, 0, 2.56, -RAD, 90 * RAD},
                      end[] = {0.8, 1, 0.4, 0.25, -5 * RAD, 0.3};
  static const int which[] = {0, 1, 2, 3, 4, 5};
  const int n = gradyn_setting_value(m, "knots");
  gradyn_end_time(m, *gradyn_parameter_array(m, rho, T, NULL));
  gradyn_signal(m, &(gradyn_signal_spec){"alpha", "rad", GRADYN_PIECEWISE_LINEAR, .count = n,
                                         .knots = gradyn_parameter_array(m, rho, ALPHA, NULL)});
  gradyn_signal(m, &(gradyn_signal_spec){"beta", "rad", GRADYN_PIECEWISE_LINEAR, .count = n,
                                         .knots = gradyn_parameter_array(m, rho, BETA, NULL)});
  for (int i = 0; i < 6; i++)
    gradyn_state(m, names[i], "", start[i]);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = fall});
  for (int i = 0; i < 6; i++)
    gradyn_guess(m, names[i], (double[]){end[i]}, 1);
  gradyn_minimise(
      m,
      gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"cross", "rad", .terminal = last,
                                                                   .user = (void *)&which[THETA]}),
      -1);
  static const int fixed[] = {H, V, GAMMA};
  for (int i = 0; i < 3; i++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(
            m,
            &(gradyn_custom_functional_spec){gradyn_format_name(m, "%s_end", names[fixed[i]]), "",
                                             .terminal = last, .user = (void *)&which[fixed[i]]}),
        end[fixed[i]], end[fixed[i]], 1e-7);
  gradyn_path_constraint(
      m, "heat",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"heat", "BTU/ft2/s", .formula = heat, .hidden = true}),
      -INFINITY, 70, 1e-4, NULL);
  return gradyn_build_status(m);
}
GRADYN_PROBLEM(shuttle, .summary = "Re-entry", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-9);
