/* Models with their initial state, solved. */
#include "tests/dae/start/solved.h"

#include "tests/support.h"

solved solve(gradyn_build_fn build, const gradyn_scalar *rho)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe", .build = build,
                                  .t_end = 1};
  solved s;
  const gradyn_status status = gradyn_model_create(&problem, NULL, 0, 0, rho, &s.model);
  assert_ok(status, s.model->message.text);
  assert_ok(gradyn_initial_create(s.model->mech, GRADYN_ASSEMBLY, &s.initial), NULL);
  s.status = gradyn_initial_solve(&s.initial);
  return s;
}

void release(solved *s)
{
  gradyn_initial_clear(&s->initial);
  gradyn_model_free(s->model);
}
