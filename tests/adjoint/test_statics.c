/* Mechanisms at rest: what can be asked of an evaluator. */
#include "tests/support.h"

#include <gradyn/gradyn.h>

static gradyn_evaluator *create(const gradyn_problem *problem)
{
  gradyn_evaluator *ev;
  gradyn_status status = gradyn_evaluator_create(problem, NULL, NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  return ev;
}

/* --- degrees of freedom ------------------------------------------------------------------------- */

/* A point on a bar of 1 m, held in x at rho[0] by two constraints that say the same. */
static gradyn_status tied(gradyn_model *model, const gradyn_scalar rho[])
{
  int o = gradyn_ground_point(model, "O", 0, 0), p = gradyn_point(model, "P", 0.6, 0.8);
  gradyn_rod(model, &(gradyn_rod_spec){.name = "bar", .from = o, .to = p, .length = 1, .mass = 1});
  gradyn_coordinate(model, "once", p, GRADYN_X, &(gradyn_law){.value = rho[0]});
  gradyn_coordinate(model, "twice", p, GRADYN_X, &(gradyn_law){.value = rho[0]});
  return gradyn_built(model);
}

static const gradyn_param params[] = {{"x", "m", .init = 0.5}};
static const gradyn_problem tied_problem = {.name = "tied",
                                            .params = params,
                                            .param_count = 1,
                                            .build = tied,
                                            .t_end = 1,
                                            .method = "ali3p"};

static void freedom_is_counted_at_rho(void **state)
{
  (void)state;
  gradyn_evaluator *ev = create(&tied_problem);
  gradyn_freedom freedom;
  int dependent[3] = {-1, -1, -1};
  double x = 0.7;
  assert_ok(gradyn_count_freedom(ev, &x, &freedom, dependent), gradyn_evaluator_message(ev));
  assert_int_equal(freedom.degrees, 0);
  assert_int_equal(freedom.dependents, 1);
  assert_string_equal(gradyn_constraint_name(ev, dependent[0]), "twice");
  x = 1.1;
  assert_int_equal(gradyn_count_freedom(ev, &x, &freedom, NULL), GRADYN_NOT_ASSEMBLED);
  assert_int_equal(gradyn_count_freedom(ev, &x, NULL, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_count_freedom(ev, NULL, &freedom, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_constraint_name(ev, -1), "");
  assert_string_equal(gradyn_constraint_name(ev, 3), "");
  gradyn_evaluator_free(ev);
  assert_int_equal(gradyn_count_freedom(NULL, &x, &freedom, NULL), GRADYN_INVALID);
  assert_string_equal(gradyn_constraint_name(NULL, 0), "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(freedom_is_counted_at_rho),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
