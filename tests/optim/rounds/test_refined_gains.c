/* Predicted decreases of the objective for twice as many knots, compared with the optima of doubled grids
 * of four problems of optimal control. */
#include "tests/declare.h"
#include "tests/runs.h"

#include "optim/rounds/gains.h"

enum { JENNINGS, PENDULUM, FISHING, VAN_DER_POL, PROBLEMS };
enum { T, U, MOST = U + 40 };

static const gradyn_setting settings[] = {{"problem", "number of the problem", 0, 0, PROBLEMS - 1},
                                          {"intervals", "of constants", 10, 1, 40}};

/* Jennings, Fisher, Teo and Goh (1991): the shortest time to the origin, with a bounded turning rate. */
FORMULAS(jennings, at->yp[0] - at->u[1], at->yp[1] - cos(at->y[0]), at->yp[2] - sin(at->y[0]))
/* A pendulum swings up to rest in the shortest time. */
FORMULAS(pendulum, at->yp[0] - at->y[1], at->yp[1] - at->u[1] + sin(at->y[0]))
/* The fishing problem with Lotka-Volterra dynamics (Sager 2005). */
FORMULAS(fishing, at->yp[0] - at->y[0] * (1 - at->y[1] - 0.4 * at->u[1]),
         at->yp[1] + at->y[1] * (1 - at->y[0] + 0.2 * at->u[1]),
         at->yp[2] - (at->y[0] - 1) * (at->y[0] - 1) - (at->y[1] - 1) * (at->y[1] - 1))
FORMULAS(van_der_pol, at->yp[0] - (1 - at->y[1] * at->y[1]) * at->y[0] + at->y[1] - at->u[1],
         at->yp[1] - at->y[0],
         at->yp[2] - at->y[0] * at->y[0] - at->y[1] * at->y[1] - at->u[1] * at->u[1])

static const struct {
  gradyn_residual_fn motion;
  int states;
  double start[3];
  int ends; /* number of states with a prescribed end, from `first` */
  int first;
  double end[2];
} rows[PROBLEMS] = {
    [JENNINGS] = {jennings, 3, {1.5707963267948966, 4, 0}, 2, 1, {0, 0}},
    [PENDULUM] = {pendulum, 2, {0, 0}, 2, 0, {2.0707963267948966, 0}},
    [FISHING] = {fishing, 3, {0.5, 0.7, 0}, 0, 0, {0}},
    [VAN_DER_POL] = {van_der_pol, 3, {0, 1, 0}, 0, 0, {0}},
};

FORMULA(state, at->y[(uintptr_t)at->user])
FORMULA(duration, at->t)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int problem = gradyn_setting_value(m, "problem");
  static const char *const name[] = {"a", "b", "c"};
  gradyn_end_time(m, rho[T]);
  declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, gradyn_setting_value(m, "intervals"),
                 rho + U);
  for (int i = 0; i < rows[problem].states; i++)
    gradyn_state(m, name[i], "", rows[problem].start[i]);
  declare_equations(m, rows[problem].motion, NULL, 0);
  const bool timed = rows[problem].ends > 0;
  gradyn_minimise(
      m,
      gradyn_custom_functional(
          m, &(gradyn_custom_functional_spec){"J", "", .terminal = timed ? duration : state,
                                              .user = (void *)(uintptr_t)2}),
      1);
  for (int i = 0; i < rows[problem].ends; i++) {
    const int k = rows[problem].first + i;
    const int f = gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){name[k], "", .terminal = state,
                                            .user = (void *)(uintptr_t)k});
    gradyn_constrain(m, f, rows[problem].end[i], rows[problem].end[i], 1e-10);
  }
  return gradyn_build_status(m);
}

#define PARAMS(t_end, free, least, most)                                                           \
  {                                                                                                \
    {"T",          "s",        .init = t_end,       .lower = 0.1,                                  \
     .upper = 100, .scale = 4, .role = GRADYN_TIME, .fixed = !(free)},                             \
    {                                                                                              \
      "u", "", .init = 0.3, .lower = least, .upper = most, .scale = 1, .role = GRADYN_CONTROL,     \
               .count_from = "intervals"                                                           \
    }                                                                                              \
  }
static const gradyn_param params[PROBLEMS][2] = {[JENNINGS] = PARAMS(4, true, -2, 2),
                                                 [PENDULUM] = PARAMS(4, true, -1.5, 1.5),
                                                 [FISHING] = PARAMS(12, false, 0, 1),
                                                 [VAN_DER_POL] = PARAMS(10, false, -1, 1)};
static const gradyn_problem problem[PROBLEMS] = {
    PROBLEM("jennings", build, params[JENNINGS], .settings = settings, .setting_count = 2,
            .rtol = 1e-9),
    PROBLEM("pendulum", build, params[PENDULUM], .settings = settings, .setting_count = 2,
            .rtol = 1e-9),
    PROBLEM("fishing", build, params[FISHING], .settings = settings, .setting_count = 2,
            .rtol = 1e-9),
    PROBLEM("van-der-pol", build, params[VAN_DER_POL], .settings = settings, .setting_count = 2,
            .rtol = 1e-9)};

static gradyn_evaluator *open_problem(int number, int intervals)
{
  const gradyn_setting_choice choice[] = {{"problem", number}, {"intervals", intervals}};
  return run_with(&problem[number], .settings = choice, .setting_count = 2);
}

/* Checks the ratios of predicted to actual decrease for 10 and 20 intervals. */
static void assert_predicted(int row)
{
  double objective[3], predicted[3];
  for (int k = 0; k < 3; k++) {
    double rho[MOST];
    LOCAL(gradyn_search_result) result;
    LOCAL(gradyn_gains) gains;
    gradyn_message message = {.text = ""};
    run_local *ev = open_problem(row, 10 << k);
    gradyn_search search = run_search(ev);
    run_initial(ev, rho);
    search.ftol = 0;
    search.algorithm = "slsqp";
    search.then = NULL;
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_ok(gradyn_gains_find(ev, &search, &result, &message, &gains), message.text);
    objective[k] = result.objective;
    predicted[k] = gains.total;
  }
  for (int k = 0; k < 2; k++)
    assert_close(predicted[k], objective[k] - objective[k + 1], 0.1, 0);
}

TEST(predicted_gains_of_least_times_are_those_of_doubled_grids)
{
  assert_predicted(JENNINGS);
  assert_predicted(PENDULUM);
}

THOROUGH_TEST(predicted_gains_of_integrals_are_those_of_doubled_grids)
{
  assert_predicted(FISHING);
  assert_predicted(VAN_DER_POL);
}

/* --- an objective far from quadratic ------------------------------------------------------------- */

/* J = 1 + x^2 - slope y + (h w^2/2) log(1 + y^2/w^2) + c y^2/2, where x' = u, and y' is -u and then u. One
 * constant gives y = 0. Two constants decrease J by slope^2/(2 h), according to the curvature h at y = 0,
 * which vanishes further away. The actual decrease is about slope^2/(2 c). Only the means of both halves
 * matter: more knots gain nothing. */
enum { HALVES_X, HALVES_Y };
static const double halves_h = 1, halves_w = 0.1, halves_slope = 0.06, halves_c = 0.01;

FORMULAS(halves_motion, at->yp[0] - at->u[1], at->yp[1] - at->u[2] * at->u[1])

FORMULA(halves_cost, 1 + at->y[0] * at->y[0] - halves_slope * at->y[1] +
                         halves_h * halves_w * halves_w / 2 *
                             log(1 + at->y[1] * at->y[1] / (halves_w * halves_w)) +
                         halves_c / 2 * at->y[1] * at->y[1])

FORMULA(concave_cost, at->y[0] * at->y[0] - halves_slope * at->y[1] - at->y[1] * at->y[1] / 2)

static gradyn_status build_halves(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar side[] = {-1, 1};
  declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 1, rho);
  declare_signal(m, "side", "", GRADYN_PIECEWISE_CONSTANT, 2, side);
  gradyn_state(m, "x", "", 0);
  gradyn_state(m, "y", "", 0);
  declare_equations(m, halves_motion, NULL, 0);
  const bool concave = gradyn_setting_value(m, "concave");
  gradyn_minimise(m, declare_end(m, "J", "", concave ? concave_cost : halves_cost), 1);
  return gradyn_build_status(m);
}

static const gradyn_setting halves_settings[] = {{"concave", "along the finer controls", 0, 0, 1}};
static const gradyn_param halves_params[] = {
    {"u", "", .init = 0.5, .lower = -10, .upper = 10, .scale = 1, .role = GRADYN_CONTROL}};
static const gradyn_param free_params[] = {
    {"u", "", .init = 0.5, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_CONTROL}};
static const gradyn_problem halves = PROBLEM("halves", build_halves, halves_params,
                                             .settings = halves_settings, .setting_count = 1,
                                             .t_end = 1, .rtol = 1e-11);
static const gradyn_problem unbounded = PROBLEM("unbounded", build_halves, free_params,
                                                .settings = halves_settings, .setting_count = 1,
                                                .t_end = 1, .rtol = 1e-11);

/* Without positive curvature, the step is limited to a quarter of the range, or to two scales. */
TEST(steps_along_concave_directions_are_bounded)
{
  for (int free = 0; free < 2; free++) {
    double rho[1];
    const double y = free ? 2 : 5;
    LOCAL(gradyn_search_result) result;
    LOCAL(gradyn_gains) gains;
    gradyn_message message = {.text = ""};
    run_local *ev = run_with(free ? &unbounded : &halves, .setting = "concave", .value = 1);
    run_initial(ev, rho);
    const gradyn_search search = run_search(ev);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_ok(gradyn_gains_find(ev, &search, &result, &message, &gains), message.text);
    assert_close(gains.total, halves_slope * y + y * y / 2, 1e-6, 0);
  }
}

TEST(a_round_that_gains_far_more_than_predicted_is_followed_by_a_full_one)
{
  double rho[1];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(.problem = &halves);
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.refine_controls = 5;
  search.optimality = 1e-7;
  search.ftol = 0;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_true(result.objective < 1 - 0.1);
  assert_int_equal(gradyn_parameter_count(result.refined), 4);
  assert_says(result.reason, "in 2 rounds");
}
