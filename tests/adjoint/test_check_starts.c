/* gradyn_check() finds a factor 1 + 1e-6 in what initial states make of data, transposed. */
#include <string.h>

#include "adjoint/evaluator.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/planted.h"
#include "tests/support.h"

static const gradyn_mech_ops *right;

/* What a transposed product adds to data is wrong: so is what starts make of it. */
static gradyn_status against_too_much(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                                      gradyn_lanes *const *mu, const gradyn_mech_bars *bars)
{
  gradyn_status status = right->against(mech, look, columns, mu, bars);
  for (int k = 0; k < columns * mech->nx && bars->x; k++)
    bars->x[k] *= 1 + PLANTED;
  return status;
}

static void starts_are_named(void **state)
{
  (void)state;
  static const char *const starts[] = {"initial d(q, v)/dx or dy/dx, transposed",
                                       "initial d(q, v, a, lam)/dx, transposed"};
  gradyn_check_item item[100];
  double rho[ALI3P_MOST];
  size_t count;
  gradyn_evaluator *ev = ali3p_open(&(ali3p_setup){.problem = &gradyn_problem_five_bar});
  ali3p_initial(ev, rho);
  right = ev->model->mech->ops;
  gradyn_mech_ops wrong = *right;
  wrong.against = against_too_much;
  ev->model->mech->ops = &wrong;
  assert_status(gradyn_check(ev, rho, item, 100, &count), GRADYN_CHECK_FAILED, "");
  int found = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < GRADYN_COUNT(starts); k++)
      found += !item[i].passed && strncmp(item[i].name, starts[k], strlen(starts[k])) == 0;
  assert_int_equal(found, GRADYN_COUNT(starts));
  ev->model->mech->ops = right;
  gradyn_evaluator_free(ev);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(starts_are_named)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
