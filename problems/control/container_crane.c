/* A quay crane moves a container from a ship onto a lorry. Trolley and hoist have bounded drives and
 * speeds. The objective is the swing of the container. */
#include <gradyn/gradyn.h>

enum { TROLLEY, HOIST }; /* each is the first of `knots` parameters */
enum { X, LENGTH, ANGLE, V, L_RATE, A_RATE, STATES };

static const gradyn_param params[] = {
    [TROLLEY] = {"trolley", "m/s^2", .init = 0, .lower = -2.83374, .upper = 2.83374, .scale = 1,
                 .role = GRADYN_CONTROL, .count_from = "knots"},
    [HOIST] = {"hoist", "m/s^2", .init = 0, .lower = -0.80865, .upper = 0.71265, .scale = 1,
               .role = GRADYN_CONTROL, .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of each drive", 21, 2, 1000},
                                          {"speeds", "limited: 1, or 0", 1, 0, 1}};

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *u = at->u;
  F[X] = at->yp[X] - y[V];
  F[LENGTH] = at->yp[LENGTH] - y[L_RATE];
  F[ANGLE] = at->yp[ANGLE] - y[A_RATE];
  F[V] = at->yp[V] - (u[1] + 17.2656 * y[ANGLE]);
  F[L_RATE] = at->yp[L_RATE] - u[2];
  F[A_RATE] = at->yp[A_RATE] + (u[1] + 27.0756 * y[ANGLE] + 2 * y[L_RATE] * y[A_RATE]) / y[LENGTH];
  return GRADYN_OK;
}

static gradyn_status swing(const gradyn_at *at, gradyn_scalar *value)
{
  *value = (at->y[ANGLE] * at->y[ANGLE] + at->y[A_RATE] * at->y[A_RATE]) / 2;
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

/* Limits the magnitude of a speed, which is a state. The speed is at the limit at the start or the end. */
static void limit_speed(gradyn_model *model, const char *name, const int *number, double most)
{
  gradyn_path_constraint(
      model, name,
      gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.name = name,
                                                                 .unit = "m/s",
                                                                 .formula = state,
                                                                 .user = (void *)number,
                                                                 .hidden = true}),
      -most, most, 1e-6, NULL);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int number[STATES] = {X, LENGTH, ANGLE, V, L_RATE, A_RATE};
  static const char *const name[STATES] = {"x", "length",      "angle",
                                           "v", "length_rate", "angle_rate"};
  static const char *const unit[STATES] = {"m", "m", "rad", "m/s", "m/s", "rad/s"};
  static const char *const end[STATES] = {"x_end", "length_end",      "angle_end",
                                          "v_end", "length_rate_end", "angle_rate_end"};
  const double first[STATES] = {0, 22, 0, 0, -1, 0}, last[STATES] = {10, 14, 0, 2.5, 0, 0};
  const int knots = gradyn_setting_value(model, "knots");
  gradyn_signal(model, &(gradyn_signal_spec){"trolley", "m/s^2", GRADYN_PIECEWISE_LINEAR,
                                             .count = knots, .knots = rho});
  gradyn_signal(model, &(gradyn_signal_spec){"hoist", "m/s^2", GRADYN_PIECEWISE_LINEAR,
                                             .count = knots, .knots = rho + knots});
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, name[i], unit[i], first[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  for (int i = 0; i < STATES; i++) {
    const int f = gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){
                   .name = end[i], .unit = unit[i], .terminal = state, .user = (void *)&number[i]});
    gradyn_guess(model, name[i], &last[i], 1);
    gradyn_constrain(model, f, last[i], last[i], 1e-8);
  }
  if (gradyn_setting_value(model, "speeds") == 1) {
    limit_speed(model, "trolley_speed", &number[V], 2.5);
    limit_speed(model, "hoist_speed", &number[L_RATE], 1);
  }
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"swing", "s", .integrand = swing}),
                  1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(container_crane, .summary = "Crane whose container is to swing little",
               .reference = "Sakawa and Shindo (1982)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 9, .rtol = 1e-10);
