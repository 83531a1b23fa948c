/* The check of general equations with signals: derivatives by knots go through the signals, those by time
 * through their slopes, and both are among what is compared. */
#include <math.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "tests/support.h"

enum { GAIN, KNOT, DURATION, PARAMETERS, MOST_ITEMS = 100 };

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

static void signals_of_equations_are_checked(void **state)
{
  (void)state;
  static const char *const wanted[] = {"dF/dx by datum and by signal", "dF/dt at a fixed state",
                                       "dF/dx in a direction"};
  const gradyn_problem problem = {
      .name = "signals", .params = params, .param_count = PARAMETERS, .build = build, .t_end = 1};
  const double rho[PARAMETERS] = {2, 0.4, 1.3};
  gradyn_check_item item[MOST_ITEMS];
  size_t count;
  gradyn_evaluator *ev;
  gradyn_status status = gradyn_evaluator_create(&problem, NULL, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  status = gradyn_check(ev, rho, item, MOST_ITEMS, &count);
  assert_ok(status, gradyn_evaluator_message(ev));
  for (size_t w = 0; w < GRADYN_COUNT(wanted); w++) {
    size_t found = 0;
    for (size_t k = 0; k < count; k++)
      found += strcmp(item[k].name, wanted[w]) == 0 && item[k].error > 0;
    if (found == 0)
      fail_msg("nothing was compared for '%s'", wanted[w]);
  }
  gradyn_evaluator_free(ev);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(signals_of_equations_are_checked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
