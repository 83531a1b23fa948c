/* Sizes of the states of general equations, whatever their units: that of a state itself, of what its rate
 * makes of it, of its like. */
#include "tests/support.h"

#include <gradyn/dae.h>
#include <gradyn/evaluate.h>
#include <gradyn/model.h>

#include "dae/sizes.h"

enum { CHARGE, COLD_CHARGE, GROWING_CHARGE, VOLTAGE, COLD_VOLTAGE, HEAT, STATES };

static gradyn_status rest(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < STATES; i++)
    F[i] = at->yp[i];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const unit[] = {"C", "C", "C", "V", "V", "K"};
  (void)rho;
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, gradyn_name(model, "y%d", i), unit[i], 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = rest});
  return gradyn_built(model);
}

static void sizes_follow_units(void **state)
{
  (void)state;
  const gradyn_problem problem = {.name = "rest", .build = build, .t_end = 3};
  gradyn_model *model;
  gradyn_status status = gradyn_model_create(&problem, NULL, 0, 0, NULL, &model);
  assert_ok(status, model->message.text);
  for (double one = 1e-18; one < 1e19; one *= 1e6) {
    const double y[STATES] = {[CHARGE] = -5 * one, [VOLTAGE] = 2 / one};
    const double yp[STATES] = {[GROWING_CHARGE] = 7 * one};
    double size[STATES];
    status = gradyn_state_sizes(model, y, yp, NULL, 3, size);
    assert_ok(status, model->message.text);
    const double grown = 0.01 * 7 * one * 3; /* all others rest: in the whole run */
    const double expected[STATES] = {5 * one, grown, grown, 2 / one, 2 / one, 1};
    for (int i = 0; i < STATES; i++)
      assert_close(size[i], expected[i], 1e-14, 0);
  }
  gradyn_model_free(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_follow_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
