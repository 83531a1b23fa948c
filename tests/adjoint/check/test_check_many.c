/* gradyn_evaluator_check() of so many parameters that it has no time to vary each: differences along random
 * directions must find the missing derivative of one parameter. */
#include <complex.h>

#include "tests/adjoint/checked.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { MANY = 20 };

/* y' = -k y, where k is the sum of all parameters. The derivative with respect to the eighth parameter
 * lacks the fraction `lost`. */
static double lost;

FORMULA(residual, at->yp[0] + at->data[0] * at->y[0])
FORMULA(at_end, at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_datum k = {.name = "k", .unit = "1/s"};
  for (int j = 0; j < MANY; j++)
    k.value += rho[j];
  k.value -= lost * (rho[7] - creal(rho[7]));
  gradyn_state(model, "y", "", 2);
  declare_equations(model, residual, &k, 1);
  gradyn_minimise(model, declare_end(model, "end", "", at_end), 1);
  return gradyn_build_status(model);
}

/* Returns the item that compares the whole gradient of this route with differences. */
static gradyn_check_item check(const char *route)
{
  char name[MANY][16], wanted[64];
  gradyn_param params[MANY];
  checked out;
  for (int j = 0; j < MANY; j++) {
    (void)snprintf(name[j], sizeof name[j], "k%d", j);
    params[j] = (gradyn_param){.name = name[j], .unit = "1/s", .init = 0.05, .scale = 0.1};
  }
  const gradyn_problem problem = PROBLEM("decay", build, params, .t_end = 1);
  checked_problem(&problem, NULL, lost > 0, &out);
  (void)snprintf(wanted, sizeof wanted, "dpsi/drho of end: %s", route);
  const gradyn_check_item *found = checked_find(&out, wanted, "differences");
  assert_non_null(found);
  return *found;
}

/* The gradient's norm is sqrt(20) times one of its entries. An error of 5e-6 of one entry is 1e-6 of the
 * norm, which the check cannot find. */
TEST(a_share_of_one_of_many_is_missed)
{
  static const char *const routes[] = {"adjoint", "direct"};
  for (size_t k = 0; k < GRADYN_COUNT(routes); k++) {
    lost = 0;
    assert_true(check(routes[k]).passed);
    lost = 5e-6;
    const gradyn_check_item found = check(routes[k]);
    assert_false(found.passed);
    assert_true(found.error > 2e-7 && found.error < 2e-6);
  }
}
