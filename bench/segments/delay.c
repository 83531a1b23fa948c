/* x' = x(t - 1) u(t - 2) with x + u >= 0.3, by six copies of one second (Goellmann, Kern and Maurer). */
#include <gradyn/gradyn.h>

enum { COPIES = 6 };
#define U(n, i)                                                                                    \
  {                                                                                                \
    n, "", .init = i, .lower = -5, .upper = 5, .scale = 0.5, .role = GRADYN_CONTROL,               \
           .count_from = "knots"                                                                   \
  }
#define S(n)                                                                                       \
  {                                                                                                \
    n, "", .init = 0.6, .lower = -5, .upper = 5, .scale = 0.5                                      \
  }
static const gradyn_param params[] = {U("u0", .3), U("u1", .3), U("u2", .3), U("u3", .3),
                                      U("u4", .3), U("u5", 0),  S("s1"),     S("s2"),
                                      S("s3"),     S("s4"),     S("s5")};
static const gradyn_setting settings[] = {
    {"knots", "of each copy", 11, 2, 200},
    {"grid", "points with which a search begins, 0: as usual", 0, 0, 1000}};
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < COPIES; i++)
    F[i] = at->yp[i] - (i < 2 ? 0 : at->y[i - 1] * at->u[i - 1]);
  return GRADYN_OK;
}
static gradyn_status cost(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 0;
  for (int i = 0; i < COPIES; i++)
    *value += at->y[i] * at->y[i] + at->u[i + 1] * at->u[i + 1];
  return GRADYN_OK;
}
static gradyn_status join(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user - 1] - at->data[0];
  return GRADYN_OK;
}
static gradyn_status mixed(const gradyn_at *at, gradyn_scalar *value)
{
  const int i = *(const int *)at->user;
  *value = at->y[i] + at->u[i + 1];
  return GRADYN_OK;
}
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const int which[] = {0, 1, 2, 3, 4, 5};
  const int n = gradyn_setting_value(m, "knots");
  for (int i = 0; i < COPIES; i++)
    gradyn_signal(m, &(gradyn_signal_spec){gradyn_format_name(m, "u%d", i), "",
                                           GRADYN_PIECEWISE_LINEAR, .count = n,
                                           .knots = gradyn_parameter_array(m, rho, i, NULL)});
  for (int i = 0; i < COPIES; i++)
    gradyn_state(m, gradyn_format_name(m, "x%d", i), "",
                 i == 0 ? 1 : *gradyn_parameter_array(m, rho, COPIES + i - 1, NULL));
  gradyn_equations(m, &(gradyn_equations_spec){.residual = motion});
  gradyn_minimise(
      m, gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"J", "", .integrand = cost}),
      1);
  for (int i = 1; i < COPIES; i++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(
            m,
            &(gradyn_custom_functional_spec){
                gradyn_format_name(m, "join%d", i), "", .terminal = join, .user = (void *)&which[i],
                .data_count = 1,
                .data = (gradyn_datum[]){{"s", "",
                                          *gradyn_parameter_array(m, rho, COPIES + i - 1, NULL)}}}),
        0, 0, 1e-9);
  for (int i = 0; i < COPIES; i++)
    gradyn_path_constraint(
        m, gradyn_format_name(m, "mixed%d", i),
        gradyn_measure_custom(m, &(gradyn_custom_measure_spec){gradyn_format_name(m, "mixed%d", i),
                                                               "", .formula = mixed,
                                                               .user = (void *)&which[i],
                                                               .hidden = true}),
        0.3, INFINITY, 1e-7,
        &(gradyn_path_constraint_spec){.grid = gradyn_setting_value(m, "grid")});
  return gradyn_build_status(m);
}
GRADYN_PROBLEM(delay, .summary = "Delays by copies", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 1, .rtol = 1e-9);
