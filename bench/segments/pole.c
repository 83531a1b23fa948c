/* A cart swings its pole up in two seconds, with least effort and any number of knots of the force. A
 * problem file for bench/segments/growth.sh. */
#include <gradyn/gradyn.h>

static const gradyn_setting settings[] = {{"knots", "of the force", 21, 3, 100001}};
static const gradyn_param params[] = {{"u", "N", .lower = -20, .upper = 20, .scale = 8,
                                       .role = GRADYN_CONTROL, .count_from = "knots"}};

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const double cart = 1, bob = 0.3, l = 0.5, g = 9.81; /* kg, kg, m, m/s^2 */
  const gradyn_scalar *y = at->y, u = at->u[1], s = sin(y[1]), c = cos(y[1]);
  const gradyn_scalar swing = y[3] * y[3], D = cart + bob * s * s;
  F[0] = at->yp[0] - y[2];
  F[1] = at->yp[1] - y[3];
  F[2] = at->yp[2] - (l * bob * s * swing + u + bob * g * c * s) / D;
  F[3] = at->yp[3] + (l * bob * c * s * swing + u * c + (cart + bob) * g * s) / (l * D);
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->u[1] * at->u[1];
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user - 1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const int number[4] = {1, 2, 3, 4};
  static const double goal[4] = {1, 3.14159265358979323846, 0, 0};
  static const char *const name[4] = {"x", "angle", "v", "omega"};
  static const char *const end[4] = {"x_end", "angle_end", "v_end", "omega_end"};
  gradyn_signal(m, &(gradyn_signal_spec){"force", "N", GRADYN_PIECEWISE_LINEAR,
                                         .count = gradyn_setting_value(m, "knots"), .knots = rho});
  for (int i = 0; i < 4; i++)
    gradyn_state(m, name[i], "", 0);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = rates});
  for (int i = 0; i < 4; i++) {
    const int f = gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = end[i],
                                            .unit = "",
                                            .terminal = state,
                                            .user = (void *)&number[i],
                                            .reads = &number[i],
                                            .read_count = 1});
    gradyn_constrain(m, f, goal[i], goal[i], 1e-8);
  }
  gradyn_minimise(
      m,
      gradyn_custom_functional(
          m,
          &(gradyn_custom_functional_spec){.name = "effort", .unit = "N^2 s", .integrand = square}),
      1);
  return gradyn_build_status(m);
}

GRADYN_PROBLEM(pole, .summary = "swing-up of a pole on a cart, with any number of knots",
               .reference = "", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 2, .rtol = 1e-8);
