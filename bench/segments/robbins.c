/* Robbins' problem: a state of third order returns to rest with x >= 0, where it touches zero ever more
 * often. */
#include <gradyn/gradyn.h>

enum { X, V, A };
static const gradyn_param params[] = {
    {"u", "m/s^3", .lower = -100, .upper = 100, .scale = 1, .role = GRADYN_CONTROL,
     .count_from = "knots"},
};
static const gradyn_setting settings[] = {
    {"knots", "of the jerk", 41, 2, 2000},
    {"grid", "points with which a search begins, 0: as usual", 0, 0, 1000}};

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[X] = at->yp[X] - at->y[V];
  F[V] = at->yp[V] - at->y[A];
  F[A] = at->yp[A] - at->u[1];
  return GRADYN_OK;
}
static gradyn_status cost(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 3 * at->y[X] + at->u[1] * at->u[1] / 2;
  return GRADYN_OK;
}
static gradyn_status position(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X];
  return GRADYN_OK;
}
static gradyn_status last(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *names[] = {"x", "v", "a"}, *units[] = {"m", "m/s", "m/s^2"};
  static const int which[] = {X, V, A};
  static const double start[] = {1, -2, 0};
  gradyn_signal(m, &(gradyn_signal_spec){"u", "m/s^3", GRADYN_PIECEWISE_LINEAR,
                                         .count = gradyn_setting_value(m, "knots"), .knots = rho});
  for (int i = 0; i < 3; i++)
    gradyn_state(m, names[i], units[i], start[i]);
  gradyn_equations(m, &(gradyn_equations_spec){.residual = motion});
  gradyn_minimise(m,
                  gradyn_custom_functional(
                      m, &(gradyn_custom_functional_spec){"cost", "m s", .integrand = cost}),
                  1);
  for (int i = 0; i < 3; i++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(
            m, &(gradyn_custom_functional_spec){gradyn_format_name(m, "%s_end", names[i]), units[i],
                                                .terminal = last, .user = (void *)&which[i]}),
        0, 0, 1e-7);
  gradyn_path_constraint(
      m, "floor",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"floor", "m", .formula = position, .hidden = true}),
      0, INFINITY, 1e-6, &(gradyn_path_constraint_spec){.grid = gradyn_setting_value(m, "grid")});
  return gradyn_build_status(m);
}
GRADYN_PROBLEM(robbins, .summary = "Robbins' problem", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 10, .rtol = 1e-9);
