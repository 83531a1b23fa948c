/* An arm with two links and a motor in each joint moves from rest to rest in the least time. */
#include <gradyn/gradyn.h>

enum { T, SHOULDER, ELBOW }; /* SHOULDER and ELBOW are rows of knots */
enum { OMEGA_1, OMEGA_2, BEND, TURN, STATES };

static const gradyn_param params[] = {
    [T] = {"T", "s", .init = 3, .lower = 0.1, .upper = 50, .scale = 3, .role = GRADYN_TIME},
    [SHOULDER] = {"shoulder", "", .init = 0, .lower = -1, .upper = 1, .scale = 1,
                  .role = GRADYN_CONTROL, .count_from = "intervals"},
    [ELBOW] = {"elbow", "", .init = 0, .lower = -1, .upper = 1, .scale = 1, .role = GRADYN_CONTROL,
               .count_from = "intervals"},
};
static const gradyn_setting settings[] = {{"intervals", "of constant torques", 20, 1, 1000}};

/* Equations of two rods of length and mass 1. States: angular rates of both links, the angle between them,
 * and the angle of the first link. */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *u = at->u, s = sin(y[BEND]), c = cos(y[BEND]);
  const gradyn_scalar D = 31 / 36. + 9 / 4. * s * s, a = y[OMEGA_1], b = y[OMEGA_2];
  F[OMEGA_1] = at->yp[OMEGA_1] -
               (s * (9 / 4. * c * a * a + 2 * b * b) + 4 / 3. * (u[1] - u[2]) - 3 / 2. * c * u[2]) /
                   D;
  F[OMEGA_2] = at->yp[OMEGA_2] + (s * (7 / 2. * a * a + 9 / 4. * c * b * b) - 7 / 3. * u[2] +
                                  3 / 2. * c * (u[1] - u[2])) /
                                     D;
  F[BEND] = at->yp[BEND] - (b - a);
  F[TURN] = at->yp[TURN] - a;
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int number[STATES] = {OMEGA_1, OMEGA_2, BEND, TURN};
  static const char *const name[STATES] = {"omega_1", "omega_2", "bend", "turn"};
  static const char *const unit[STATES] = {"rad/s", "rad/s", "rad", "rad"};
  static const char *const end[STATES] = {"omega_1_end", "omega_2_end", "bend_end", "turn_end"};
  const double first[STATES] = {0, 0, 0.5, 0}, last[STATES] = {0, 0, 0.5, 0.522};
  const int each = gradyn_setting_value(model, "intervals");
  gradyn_end_time(model, rho[T]);
  gradyn_signal(model,
                &(gradyn_signal_spec){"shoulder", "", GRADYN_PIECEWISE_CONSTANT, .count = each,
                                      .knots = gradyn_parameter_array(model, rho, SHOULDER, NULL)});
  gradyn_signal(model,
                &(gradyn_signal_spec){"elbow", "", GRADYN_PIECEWISE_CONSTANT, .count = each,
                                      .knots = gradyn_parameter_array(model, rho, ELBOW, NULL)});
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, name[i], unit[i], first[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  gradyn_minimise(model, gradyn_end_time_functional(model, "time"), 1);
  for (int i = 0; i < STATES; i++) {
    const int f = gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){
                   .name = end[i], .unit = unit[i], .terminal = state, .user = (void *)&number[i]});
    gradyn_guess(model, name[i], &last[i], 1);
    gradyn_constrain(model, f, last[i], last[i], 1e-8);
  }
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(arm_time_optimal, .summary = "Arm of two links that moves in the least time",
               .reference = "Luus (2000)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-10);
