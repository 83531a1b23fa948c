/* The check of general equations with signals: derivatives by knots go through the signals, those by time
 * through their slopes, and both are among what is compared. */
#include <math.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "problems/builtin.h"
#include "tests/support.h"

enum { GAIN, KNOT, DURATION, PARAMETERS, MOST_PARAMETERS = 8, MOST_ITEMS = 100 };

static const gradyn_param params[PARAMETERS] = {
    {"gain", "", .init = 2}, {"knot", "", .init = 0.4}, {"duration", "s", .init = 1.3}};

static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0] - at->u[0] * at->u[0] * at->y[1];
  F[1] = at->yp[1] + at->y[0] - at->u[1] * sin(at->t);
  return GRADYN_OK;
}

static gradyn_status effort(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->u[0] * at->u[0] + at->y[0] * at->u[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar linear[] = {0.3, rho[KNOT], 0.1}, smooth[] = {1, 2 * rho[KNOT], 0.5, 0.7};
  const gradyn_datum gain = {"gain", "", rho[GAIN]};
  gradyn_end_time(model, rho[DURATION]);
  gradyn_signal(model,
                &(gradyn_signal_spec){
                    .name = "u", .kind = GRADYN_PIECEWISE_LINEAR, .count = 3, .knots = linear});
  gradyn_signal(model, &(gradyn_signal_spec){
                           .name = "w", .kind = GRADYN_CUBIC_SPLINE, .count = 4, .knots = smooth});
  gradyn_state(model, "x", "", 1);
  gradyn_state(model, "y", "", 0.5);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = flow, .data = &gain, .data_count = 1});
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"e", "", .integrand = effort});
  return gradyn_built(model);
}

/* Checks a problem at its initial values into item [MOST_ITEMS]; returns how many there are. */
static size_t check(const gradyn_problem *problem, gradyn_check_item *item)
{
  double rho[MOST_PARAMETERS];
  gradyn_evaluator *ev;
  size_t count;
  gradyn_status status = gradyn_evaluator_create(problem, NULL, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  assert_in_range(gradyn_parameter_count(ev), 1, MOST_PARAMETERS);
  for (size_t k = 0; k < gradyn_parameter_count(ev); k++)
    rho[k] = gradyn_parameter_at(ev, k).init;
  status = gradyn_check(ev, rho, item, MOST_ITEMS, &count);
  assert_ok(status, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return count;
}

static void signals_of_equations_are_checked(void **state)
{
  (void)state;
  static const char *const wanted[] = {"dF/dx by datum and by signal", "dF/dt at a fixed state",
                                       "dF/dx in a direction"};
  const gradyn_problem problem = {
      .name = "signals", .params = params, .param_count = PARAMETERS, .build = build, .t_end = 1};
  gradyn_check_item item[MOST_ITEMS];
  const size_t count = check(&problem, item);
  for (size_t w = 0; w < GRADYN_COUNT(wanted); w++) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
      found += strcmp(item[k].name, wanted[w]) == 0 && item[k].error > 0;
    if (found == 0)
      fail_msg("nothing was compared for '%s'", wanted[w]);
  }
}

/* B-splines: a weight changes the curvatures of a natural spline at three knots, of all others only the
 * round-off. All are zero. */
enum { SPLINES = 5, KNOTS = SPLINES + 4 };
static const gradyn_param weights[] = {{"weight", "", .scale = 0.3, .count = SPLINES}};

static gradyn_status follow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->y[0] - 1 - at->u[0];
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status build_splines(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_scalar knots[KNOTS] = {0};
  for (int k = 0; k < SPLINES; k++)
    for (int i = 1; i <= 3; i++)
      knots[k + i] += (i == 2 ? 4 : 1) * rho[k] / 6;
  gradyn_signal(model,
                &(gradyn_signal_spec){
                    .name = "u", .kind = GRADYN_CUBIC_SPLINE, .count = KNOTS, .knots = knots});
  gradyn_state(model, "x", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = follow});
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"e", "", .integrand = square});
  return gradyn_built(model);
}

static void curvatures_that_do_not_change_are_right(void **state)
{
  (void)state;
  const gradyn_problem problem = {
      .name = "splines", .params = weights, .param_count = 1, .build = build_splines, .t_end = 1};
  gradyn_check_item item[MOST_ITEMS];
  const size_t count = check(&problem, item);
  for (size_t k = 0; k < count; k++)
    if (!item[k].passed)
      fail_msg("%s: %g beyond %g", item[k].name, item[k].error, item[k].tolerance);
}

/* Robertson's kinetics before a quick species has come to its size. */
static void a_quick_start_is_right(void **state)
{
  (void)state;
  static const double t_end[] = {0.02, 1e-4};
  for (size_t i = 0; i < GRADYN_COUNT(t_end); i++) {
    gradyn_problem problem = gradyn_problem_robertson;
    gradyn_check_item item[MOST_ITEMS];
    problem.t_end = t_end[i];
    const size_t count = check(&problem, item);
    assert_true(count > 10);
    for (size_t k = 0; k < count; k++)
      if (!item[k].passed)
        fail_msg("to %g s, %s: %g beyond %g", t_end[i], item[k].name, item[k].error,
                 item[k].tolerance);
  }
}

TEST_FILE(check_signals)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(signals_of_equations_are_checked),
                                     cmocka_unit_test(a_quick_start_is_right),
                                     cmocka_unit_test(curvatures_that_do_not_change_are_right)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
