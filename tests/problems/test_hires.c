/* HIRES: the published values follow from the published constants, and a search finds these constants. */
#include "tests/adjoint/stiff_set.h"
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_hires;

enum { P = 3, SPECIES = 8, F = 1 + SPECIES };
static const double constants[P] = {1.71, 8.32, 280};

TEST(published_values_are_reproduced)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_adaptive); k++) {
    double psi[F];
    run_local *ev = run_with(&gradyn_problem_hires, .method = run_adaptive[k], .rtol = 1e-10,
                             .max_steps = 1000000);
    assert_run(gradyn_evaluator_simulate(ev, constants, psi, NULL), ev);
    assert_close_array(psi + 1, stiff_set[STIFF_HIRES].end, SPECIES, 1e-8, 0);
  }
}

TEST(the_search_finds_the_constants)
{
  run_local *ev = run_with(&gradyn_problem_hires, .rtol = 1e-9);
  LOCAL(gradyn_search_result) result;
  double rho[P];
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_string_equal(gradyn_evaluator_statistics(ev).method, "radau");
  assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close_array(result.rho, constants, P, 1e-7, 0);
}
