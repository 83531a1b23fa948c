/* Work of radau on stiff problems: measured numbers of steps, evaluations and factorisations. Fewer of one
 * kind would cost more of another kind, or accuracy. */
#include "tests/adjoint/stiff_set.h"
#include "tests/runs.h"

TEST(work_is_what_it_was)
{
  static const struct {
    double steps, evaluations, factorisations;
  } measured[STIFF_PROBLEMS] = {{179, 1939, 215},   {495, 3352, 354}, {834, 8038, 1239},
                                {768, 7129, 1503},  {107, 682, 117},  {100, 787, 99},
                                {1871, 22372, 3277}};
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    const gradyn_problem problem = stiff_declare(&stiff_set[k]);
    run_local *ev = run_with(&problem, .method = "radau", .rtol = 1e-6);
    double psi[STIFF_STATES];
    assert_run(gradyn_evaluator_simulate(ev, stiff_set[k].parameter, psi, NULL), ev);
    const gradyn_statistics s = gradyn_evaluator_statistics(ev);
    print_message("%s: %ld steps, %ld evaluations, %ld factorisations\n", stiff_set[k].name,
                  s.steps, s.residual_calls, s.factorisations);
    assert_close((double)s.steps, measured[k].steps, 0.03, 0);
    assert_close((double)s.residual_calls, measured[k].evaluations, 0.04, 0);
    assert_close((double)s.factorisations, measured[k].factorisations, 0.04, 0);
  }
}
