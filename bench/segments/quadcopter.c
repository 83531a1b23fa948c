/* A planar quadcopter flies round a pillar, from rest to rest, with the least effort. */
#include <gradyn/gradyn.h>

enum { LEFT, RIGHT };
static const gradyn_param params[] = {
    [LEFT] = {"left", "N", .init = 4.905, .lower = 0, .upper = 12, .role = GRADYN_CONTROL,
              .count_from = "knots"},
    [RIGHT] = {"right", "N", .init = 4.905, .lower = 0, .upper = 12, .role = GRADYN_CONTROL,
               .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of each thrust", 20, 2, 200}};
enum { X, Z, TILT, VX, VZ, RATE };

static gradyn_status fly(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *p = at->yp, *d = at->data, up = at->u[1] + at->u[2];
  F[0] = p[X] - y[VX];
  F[1] = p[Z] - y[VZ];
  F[2] = p[TILT] - y[RATE];
  F[3] = d[0] * p[VX] + up * sin(y[TILT]) + d[3] * y[VX];
  F[4] = d[0] * p[VZ] - up * cos(y[TILT]) + d[0] * 9.81 + d[3] * y[VZ];
  F[5] = d[1] * p[RATE] - d[2] * (at->u[2] - at->u[1]);
  return GRADYN_OK;
}
static gradyn_status effort(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar a = at->u[1] - 4.905, b = at->u[2] - 4.905;
  *value = a * a + b * b;
  return GRADYN_OK;
}
static gradyn_status clearance(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar dx = at->y[X] - 2, dz = at->y[Z] - 0.1;
  *value = sqrt(dx * dx + dz * dz);
  return GRADYN_OK;
}
static gradyn_status last(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *names[] = {"x", "z", "tilt", "vx", "vz", "rate"},
                    *units[] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};
  static const int which[] = {0, 1, 2, 3, 4, 5};
  for (int i = 0; i < 6; i++)
    gradyn_state(m, names[i], units[i], 0);
  int n = gradyn_setting_value(m, "knots");
  gradyn_signal(m, &(gradyn_signal_spec){"left", "N", GRADYN_PIECEWISE_CONSTANT, .count = n,
                                         .knots = gradyn_parameter_array(m, rho, LEFT, NULL)});
  gradyn_signal(m, &(gradyn_signal_spec){"right", "N", GRADYN_PIECEWISE_CONSTANT, .count = n,
                                         .knots = gradyn_parameter_array(m, rho, RIGHT, NULL)});
  gradyn_equations(m, &(gradyn_equations_spec){.residual = fly,
                                               .data_count = 4,
                                               .data = (gradyn_datum[]){{"mass", "kg", 1},
                                                                        {"inertia", "kg m^2", 0.02},
                                                                        {"arm", "m", 0.2},
                                                                        {"drag", "N s/m", 0.1}}});
  gradyn_minimise(m,
                  gradyn_custom_functional(
                      m, &(gradyn_custom_functional_spec){"effort", "N^2 s", .integrand = effort}),
                  1);
  for (int i = 0; i < 6; i++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(
            m, &(gradyn_custom_functional_spec){gradyn_format_name(m, "%s_end", names[i]), units[i],
                                                .terminal = last, .user = (void *)&which[i]}),
        i == 0 ? 4 : 0, i == 0 ? 4 : 0, 1e-7);
  gradyn_path_constraint(
      m, "clearance",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"clearance", "m", .formula = clearance, .hidden = true}),
      0.8, INFINITY, 1e-6, NULL);
  return gradyn_build_status(m);
}

GRADYN_PROBLEM(quadcopter, .summary = "A quadcopter round a pillar", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 3);
