/* Functionals at given times with idas, on mechanisms and general equations: against explicit and ali3p,
 * direct against adjoint for all data, and against differences. The times include those of a knot, an
 * event, the start and the end. */
#include <tgmath.h>

#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

enum { F = 7, DATA = 64, KNOT = 2, END = 5 };

FORMULA(position, at->pos[4] * at->pos[7] + at->t * at->u[1] + at->data[0] * at->vel[7])
FORMULA(load, at->lam[1] + at->acc[6] * at->vel[6])

static void take(gradyn_model *m, const char *name, gradyn_functional_fn fn, double instant)
{
  const gradyn_datum factor = {"factor", "m/s", 0.3};
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){
             .name = name, .terminal = fn, .data = &factor, .data_count = 1, .instant = instant});
}

static gradyn_status build_swing(gradyn_model *m, const gradyn_scalar rho[])
{
  const int push = gradyn_signal(m, &(gradyn_signal_spec){"push", "N", GRADYN_PIECEWISE_LINEAR, 3,
                                                          (gradyn_scalar[]){3, rho[1], -2}, 0, 0,
                                                          .times = NULL});
  const int tip = ali3p_swing(m, rho[0], push);
  take(m, "late", position, 0.7);
  take(m, "early", position, 0.25);
  take(m, "knot", load, 0.5);
  take(m, "same", load, 0.7);
  gradyn_functional(m, &(gradyn_functional_spec){"effort", gradyn_measure_signal(m, "", push),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  take(m, "end", load, 1);
  gradyn_functional(
      m, &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", tip, 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

static const gradyn_param swing_params[] = {{"length", "m", .init = 1.1, GRADYN_UNBOUNDED},
                                            {"knot", "N", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem swing = PROBLEM("swing", build_swing, swing_params, .t_end = 1);

static gradyn_status cubic(const gradyn_at *at, gradyn_scalar r[])
{
  gradyn_scalar y = at->y[0], z = at->y[1];
  r[0] = at->yp[0] + z - at->u[1];
  r[1] = z * z * z + at->data[0] * z - y - sin(2 * at->t) / 3 - at->u[1];
  return GRADYN_OK;
}

FORMULA(product, at->y[0] * at->y[1] * at->y[1] + at->t * at->data[0])

/* Equations with an algebraic state, an input with a jump, and an end time that is a parameter. */
static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_end_time(m, rho[1]);
  gradyn_state(m, "y", "", 1);
  gradyn_algebraic_state(m, "z", "", 0.5);
  gradyn_signal(m, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_CONSTANT, 3,
                                         (gradyn_scalar[]){0.4, -0.3, 0.2}, .times = NULL});
  const gradyn_datum k = {"k", "", rho[0]};
  declare_equations(m, cubic, &k, 1);
  const double at[] = {0.1, 0.5, 0.5, 1.1, 1.9, 0};
  for (int f = 0; f < 6; f++)
    take(m, gradyn_format_name(m, "z%d", f), product, at[f]);
  gradyn_end_time_functional(m, "T");
  return gradyn_build_status(m);
}

static const gradyn_param equation_params[] = {{"k", "", .init = 1.5, GRADYN_UNBOUNDED},
                                               {"T", "s", .init = 2, GRADYN_UNBOUNDED}};
static const gradyn_problem equations = PROBLEM("equations", build_equations, equation_params,
                                                .t_end = 2);

/* psi and its derivatives with respect to all data. */
static size_t differentiate(const run_setup *setup, double psi[], double gradient[])
{
  double rho[8];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  size_t count = gradyn_evaluator_model_info(ev).data;
  assert_in_range(count, 5, DATA);
  assert_int_equal(gradyn_functional_count(ev), F);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev);
  return count;
}

/* Compares the rows of functionals, relative to their largest entry. A functional at a time where an arc of
 * the signal begins or ends has one-sided derivatives with respect to the times of the signal. These are
 * the first data. */
static void rows_agree(const double *actual, const double *expected, size_t count, double rtol,
                       bool one_sided)
{
  for (size_t f = 0; f < F; f++) {
    double largest = 0;
    const size_t first = one_sided && (f == KNOT || f == END) ? 2 : 0;
    for (size_t i = 0; i < count; i++)
      largest = fmax(largest, fabs(expected[f * count + i]));
    assert_true(largest > 0);
    assert_close_array(actual + f * count + first, expected + f * count + first, count - first, 0,
                       rtol * largest);
  }
}

THOROUGH_TEST(all_methods_agree)
{
  static double psi[2][F], gradient[2][F * DATA];
  const gradyn_problem *const problems[] = {&swing, &equations};
  const struct {
    const char *method, *sensitivity;
    double accuracy;
  } others[] = {{"idas", "adjoint", 1e-8},
                {"explicit", "adjoint", 1e-7},
                {"explicit", "direct", 1e-7},
                {"radau", "adjoint", 1e-7},
                {"radau", "direct", 1e-7}};
  for (size_t k = 0; k < GRADYN_COUNT(problems); k++) {
    run_setup setup = {problems[k], .method = "idas", .sensitivity = "direct",
                       .rtol = support_rtol(1e-12)};
    size_t count = differentiate(&setup, psi[0], gradient[0]);
    for (size_t i = 0; i < GRADYN_COUNT(others); i++) {
      if (!support_takes((int)(i + k) + 1, 2))
        continue;
      setup.method = others[i].method;
      setup.sensitivity = others[i].sensitivity;
      differentiate(&setup, psi[1], gradient[1]);
      assert_close_array(psi[1], psi[0], F, support_rtol(1e-8), support_rtol(1e-10));
      rows_agree(gradient[1], gradient[0], count, support_rtol(others[i].accuracy), false);
    }
    setup = (run_setup){problems[k], .method = "idas", .rtol = 1e-12};
    ali3p_compare_differences(&setup, 2e-2, 1e-6);
  }
}

/* Extrapolation of two runs of a method of second order leaves an error of fourth order. */
TEST(fixed_steps_converge_to_it)
{
  static double psi[3][F], gradient[3][F * DATA];
  run_setup setup = {&swing, .method = "idas", .rtol = 1e-12};
  size_t count = differentiate(&setup, psi[2], gradient[2]);
  for (int half = 0; half < 2; half++) {
    setup = (run_setup){&swing, .method = "variational", .step = half ? 1.25e-3 : 2.5e-3};
    differentiate(&setup, psi[half], gradient[half]);
  }
  for (size_t i = 0; i < F; i++)
    psi[1][i] += (psi[1][i] - psi[0][i]) / 3;
  for (size_t i = 0; i < F * count; i++)
    gradient[1][i] += (gradient[1][i] - gradient[0][i]) / 3;
  assert_close_array(psi[1], psi[2], F, 1e-7, 1e-8);
  rows_agree(gradient[1], gradient[2], count, 1e-7, true);
}

/* --- instants that are something else ------------------------------------------------------------- */

/* The knot at half time and the end move, but the times of functionals stay. One-sided differences of order
 * 4: an error of 1e-8 in a value changes them by about 1e-6, while the derivative of the other side differs
 * by a tenth. */
TEST(times_stay_if_boundaries_move)
{
  static const double weight[] = {-25.0 / 12, 4, -3, 4.0 / 3, -1.0 / 4}, h = 8e-3;
  static double psi[F], gradient[F * DATA];
  double slope[F] = {0}, rho[2];
  run_setup setup = {&swing, .method = support_thorough() ? "idas" : "explicit",
                     .sensitivity = "direct", .rtol = 1e-12};
  size_t count = differentiate(&setup, psi, gradient);
  for (int i = 0; i < 5; i++) {
    setup.t_end = 1 + i * h;
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    for (int f = 0; f < F; f++)
      slope[f] += weight[i] * psi[f] / h;
  }
  for (size_t f = 0; f < F; f++)
    assert_close(gradient[f * count], slope[f], 1e-5, 1e-5);
}

FORMULA(clock_strikes, at->t - 0.5)
FORMULA(speed, at->vel[3])

/* A thrown ball whose velocity is reversed at t = 0.5, or one that reaches a floor at that time. */
static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  int ball = gradyn_point(m, "ball", 0, 0.25);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_initial_velocity(m, ball, 0, rho[0]);
  gradyn_gravity(m, 0, -rho[1]);
  const gradyn_map_term map[] = {{{ball, GRADYN_Y}, {ball, GRADYN_Y}, -1, false}};
  const int floor = gradyn_setting_value(m, "floor");
  if (floor)
    gradyn_impact(m, &(gradyn_impact_spec){
                         .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = 1});
  else
    gradyn_event(m, &(gradyn_event_spec){.name = "noon",
                                         .guard = {.terminal = clock_strikes},
                                         .direction = GRADYN_RISING,
                                         .map = map,
                                         .map_count = 1,
                                         .mode = GRADYN_SAME_MODE});
  const double noon = floor ? 0.45
                            : 0.5; /* the ball reaches the floor at 0.5 up to the tolerance only */
  const double at[F] = {1e-15, 0.3, noon, noon, noon + 1e-14, 0.8, 1};
  for (int f = 0; f < F; f++)
    take(m, gradyn_format_name(m, "v%d", f), speed, at[f]);
  return gradyn_build_status(m);
}

static const gradyn_param ball_params[] = {{"v", "m/s", .init = 0, GRADYN_UNBOUNDED},
                                           {"g", "m/s^2", .init = 2, GRADYN_UNBOUNDED}};
static const gradyn_setting ball_settings[] = {{"floor", "what turns the ball", 0, 0, 1}};
static const gradyn_problem thrown = PROBLEM(
    "thrown", build_ball, ball_params, .settings = ball_settings, .setting_count = 1, .t_end = 1);

/* v = v0 - g t until t = 0.5; at that time the value before the event counts. Then v = g - v0 - g t; after
 * the floor, reached at a time that varies, v = v0 - g t + 2 sqrt(v0^2 + g/2). */
TEST(times_may_equal_those_of_events)
{
  for (int way = 0; way < 4; way++) {
    const int floor = way / 2;
    const double noon = floor ? 0.45 : 0.5, t[F] = {0, 0.3, noon, noon, noon, 0.8, 1};
    double psi[F], gradient[F * 2];
    run_setup setup = {&thrown, .setting = "floor", .value = floor, .method = "idas"};
    setup.sensitivity = way % 2 ? "direct" : "adjoint";
    setup.rtol = 1e-11;
    ali3p_gradient(&setup, psi, gradient, NULL);
    for (int f = 0; f < F; f++) {
      const bool after = f > 4;
      assert_close(psi[f], (after ? 2 : 0) - 2 * t[f], 0, 1e-9);
      assert_close(gradient[2 * f], after && !floor ? -1 : 1, 0, 1e-9);
      assert_close(gradient[2 * f + 1], (after ? (floor ? 0.5 : 1) : 0) - t[f], 0, 1e-9);
    }
  }
}

TEST(times_after_the_end_are_refused)
{
  double rho[2], psi[F];
  run_setup setup = {&swing, .method = "idas", .t_end = 0.6};
  run_local *ev = ali3p_open(&setup);
  run_initial(ev, rho);
  assert_status(gradyn_evaluator_simulate(ev, rho, psi, NULL), GRADYN_INVALID,
                gradyn_evaluator_message(ev));
  assert_says(gradyn_evaluator_message(ev),
              "functional late is evaluated at t = 0.7 s, after the end of the run");
}
