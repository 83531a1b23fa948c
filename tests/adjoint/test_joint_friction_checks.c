/* Friction in joints: every derivative of all laws and kinds of joints against an independent route. */
#include "tests/adjoint/joint_friction_models.h"

static void checks_pass(void **state)
{
  (void)state;
  const gradyn_problem *const problems[] = {&joint_friction_block, &joint_friction_space};
  for (int i = 0; i < 2 * 3 - 1; i++) { /* there is a kink of Gonthier's law where bodies rest */
    ali3p_setup setup = {.problem = problems[i / 3], .setting = "law", .value = i % 3};
    gradyn_check_item item[400];
    double rho[JOINT_FRICTION_PARAMETERS];
    size_t count;
    gradyn_evaluator *ev = ali3p_open(&setup);
    ali3p_initial(ev, rho);
    gradyn_status status = gradyn_check(ev, rho, item, GRADYN_COUNT(item), &count);
    for (size_t j = 0; j < count; j++)
      if (!item[j].passed)
        print_error("law %d, %s\n", i % 3, item[j].name);
    assert_ok(status, gradyn_evaluator_message(ev));
    gradyn_evaluator_free(ev);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(checks_pass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
