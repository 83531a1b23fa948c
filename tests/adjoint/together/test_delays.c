/* A delayed signal equals the original one with later times. Values and gradients with respect to delay,
 * knots, times and end time have the bits of a signal declared with these times, and agree with
 * differences. */
#include "tests/adjoint/compare.h"
#include "tests/declare.h"
#include "tests/runs.h"

enum { DELAY, LEVEL, FIRST, END, P, F = 4, KNOTS = 4, KINDS = 7 };

static const double rho[P] = {0.31, 1.4, 0.733, 2.217};

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_setting settings[] = {{"kind", "of the signal", 0, 0, KINDS - 1}};

/* Declares a signal of this kind; `delay` is added to its times. */
static int declare_kind(gradyn_model *model, const char *name, int kind, const gradyn_scalar r[],
                        gradyn_scalar delay)
{
  static const gradyn_signal_kind kinds[KINDS] = {GRADYN_PIECEWISE_CONSTANT,
                                                  GRADYN_PIECEWISE_LINEAR,
                                                  GRADYN_CUBIC_SPLINE,
                                                  GRADYN_PIECEWISE_CONSTANT,
                                                  GRADYN_PIECEWISE_LINEAR,
                                                  GRADYN_CUBIC_SPLINE,
                                                  GRADYN_SWITCHED};
  const bool timed = kind >= 3, switched = kinds[kind] == GRADYN_SWITCHED;
  const gradyn_scalar knots[KNOTS] = {0.4, -r[LEVEL], 1.1, r[LEVEL] * r[LEVEL]};
  const gradyn_scalar times[KNOTS] = {0.15 + delay, 0.55 * r[FIRST] + delay, 0.9 + delay,
                                      r[END] + delay};
  return gradyn_signal(model,
                       &(gradyn_signal_spec){.name = name,
                                             .unit = "N",
                                             .kind = kinds[kind],
                                             .count = KNOTS,
                                             .knots = knots,
                                             .t_start = timed ? 0 : 0.1 * r[FIRST] + delay,
                                             .t_end = timed || delay == 0 ? 0 : r[END] + delay,
                                             .times = timed ? times + switched : NULL});
}

FORMULA(work, at->vel[4] * at->u[2] + at->t * at->u[1])

/* A pendulum and a free mass in a resisting medium, joined by a spring. The delayed signal acts on one of
 * them, the other signal on both. */
static void declare(gradyn_model *model, const gradyn_scalar r[], bool delayed)
{
  const int kind = gradyn_setting_value(model, "kind");
  gradyn_end_time(model, r[END]);
  const int now = declare_kind(model, "now", kind, r, 0);
  const int late = delayed ? gradyn_delayed_signal(model, "late", now, r[DELAY])
                           : declare_kind(model, "late", kind, r, r[DELAY]);
  const int pivot = gradyn_ground_point(model, "pivot", -1.5, 0.9);
  const int ball = gradyn_point(model, "ball", 0, 1.1);
  const int other = gradyn_point(model, "other", -0.9, 1.3);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_point_mass(model, "other", other, 0.7);
  gradyn_rod(model, &(gradyn_rod_spec){"arm", pivot, other, .mass = 0.2});
  gradyn_spring(model,
                &(gradyn_spring_spec){"rubber", other, ball, .k = 3, .c = 0.2, .free_length = 0.8});
  declare_push(model, "pull", ball, 1, 0.4, late);
  declare_push(model, "sway", other, -0.7, 1, now);
  declare_functional(model, "x", gradyn_measure_point(model, "", ball, 0, GRADYN_X), GRADYN_AT_END);
  declare_functional(model, "effort", gradyn_measure_signal(model, "", late),
                     GRADYN_SQUARE_INTEGRAL);
  declare_tracking(model, "speed", gradyn_measure_point(model, "", other, 1, GRADYN_ALL_AXES), 0.1,
                   0, 0);
  declare_integral(model, "work", "J", work);
}

static gradyn_status build_delayed(gradyn_model *model, const gradyn_scalar r[])
{
  declare(model, r, true);
  return gradyn_build_status(model);
}

static gradyn_status build_shifted(gradyn_model *model, const gradyn_scalar r[])
{
  declare(model, r, false);
  return gradyn_build_status(model);
}

static const gradyn_problem delayed = PROBLEM("delayed", build_delayed, params,
                                              .settings = settings, .setting_count = 1, .t_end = 2);
static const gradyn_problem shifted = PROBLEM("shifted", build_shifted, params,
                                              .settings = settings, .setting_count = 1, .t_end = 2);

static gradyn_evaluator *open_with(const gradyn_problem *of, size_t method, const char *sensitivity,
                                   int kind)
{
  gradyn_evaluator *ev = run_with(.problem = of, .method = run_methods[method],
                                  .sensitivity = sensitivity,
                                  .step = method < RUN_ADAPTIVE ? 0 : 0.02,
                                  .rtol = method < RUN_ADAPTIVE ? 1e-10 : -1, .setting = "kind",
                                  .value = kind);
  assert_int_equal(gradyn_functional_count(ev), F);
  return ev;
}

THOROUGH_TEST(a_delayed_signal_has_the_bits_of_later_times)
{
  for (int row = 0; row < RUN_METHODS * KINDS; row++) {
    if (!support_takes(row, 3))
      continue;
    const size_t method = (size_t)(row % RUN_METHODS);
    double psi[2][F], gradient[2][F * P];
    for (int k = 0; k < 2; k++) {
      run_local *ev = open_with(k ? &shifted : &delayed, method, row / 2 % 2 ? "direct" : "adjoint",
                                row / RUN_METHODS);
      assert_run(gradyn_evaluator_gradient(ev, rho, psi[k], gradient[k]), ev);
    }
    assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
    assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
    for (int i = 0; i < F; i++)
      assert_true(gradient[0][i * P + DELAY] != 0 || i == 1);
  }
}

TEST(gradients_are_those_of_differences)
{
  for (int row = 0; row < RUN_METHODS * KINDS; row++) {
    if (!support_takes(row + 1, 6))
      continue;
    const size_t method = (size_t)(row % RUN_METHODS);
    const double atol[F] = {1e-7, 1e-7, 1e-7, 1e-7};
    run_local *ev = open_with(&delayed, method, "adjoint", row / RUN_METHODS);
    compare_with_differences(
        ev, rho,
        &(compare_allowed){method < RUN_ADAPTIVE ? 2e-3 : 3e-4, .rtol = 1e-6, .atol = atol});
  }
}

/* Before its first delayed knot the signal has its first value, also if the delay is longer than the run. */
TEST(the_first_value_holds_until_the_signal_arrives)
{
  static const double long_delay[P] = {5, 1.4, 0.733, 2.217};
  double psi[F];
  run_local *ev = open_with(&delayed, 0, "adjoint", 1);
  assert_run(gradyn_evaluator_simulate(ev, long_delay, psi, NULL), ev);
  assert_close(psi[1], 0.4 * 0.4 * long_delay[END], 1e-9, 0);
  assert_close(gradyn_signal_sample(ev, 1, 5 + long_delay[END]), 1.4 * 1.4, 1e-15, 0);
}

/* --- requirements -------------------------------------------------------------------------------- */

static gradyn_status build_twice(gradyn_model *model, const gradyn_scalar r[])
{
  const gradyn_scalar knots[] = {0, 1, 4};
  gradyn_end_time(model, r[END]);
  const int now = declare_signal(model, "now", "m", GRADYN_PIECEWISE_LINEAR, 3, knots);
  const int late = gradyn_delayed_signal(model, "late", now, 0.5);
  gradyn_delayed_signal(model, "later", late, 0.25);
  gradyn_point_mass(model, "ball", gradyn_point(model, "ball", 0, 0), 1);
  return gradyn_build_status(model);
}

static gradyn_status build_wrong(gradyn_model *model, const gradyn_scalar r[])
{
  static const gradyn_scalar knots[] = {0, 1, 4};
  const int kind = gradyn_setting_value(model, "kind");
  const int now = declare_signal(model, "now", "m", GRADYN_PIECEWISE_LINEAR, 3, knots);
  const struct {
    int signal;
    double delay;
  } wrong[] = {{now, -0.1}, {now, NAN}, {now, HUGE_VAL}, {7, 0.1}, {0, 0.1}, {now, 0.1}};
  gradyn_delayed_signal(model, "late", wrong[kind].signal, wrong[kind].delay);
  if (kind == 5)
    gradyn_end_time(model, r[END]);
  return gradyn_build_status(model);
}

TEST(delays_add)
{
  static const gradyn_problem twice = PROBLEM("twice", build_twice, params, .t_end = 2);
  run_local *ev = run_with(.problem = &twice);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
  for (double t = 0.1; t < 4; t += 0.3)
    assert_close(gradyn_signal_sample(ev, 2, t), gradyn_signal_sample(ev, 0, t - 0.75), 1e-14,
                 1e-14);
}

TEST(wrong_delays_are_named)
{
  static const char *const says[] = {"signal late: the delay is -0.1 s; it must be at least 0",
                                     "signal late: the delay is nan s",
                                     "signal late: the delay is inf s",
                                     "late: signal 7 has not been declared",
                                     "late: no signal is given",
                                     "gradyn_end_time() is called after signals"};
  static const gradyn_problem wrong = PROBLEM("wrong", build_wrong, params, .settings = settings,
                                              .setting_count = 1, .t_end = 2);
  for (int k = 0; k < (int)GRADYN_COUNT(says); k++)
    assert_no_run(GRADYN_INVALID, says[k], .problem = &wrong, .setting = "kind", .value = k);
}
