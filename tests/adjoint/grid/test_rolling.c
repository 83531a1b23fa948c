/* Rows of velocities alone: a skate whose motion is known, with derivatives by everything that it has. */
#include "tests/adjoint/compare.h"
#include "tests/adjoint/grid/rolling_models.h"
#include "tests/runs.h"

static const char *const ways[] = {"direct", "adjoint"};

/* A skate and its formulas. */
static const struct {
  const gradyn_problem *problem;
  support_formula formula;
} skate[] = {{&skate_free, skate_free_formula}, {&skate_driven, skate_driven_formula}};

TEST(a_skate_goes_as_formulas_say)
{
  enum { F = SKATE_FUNCTIONALS, P = SKATE_PARAMETERS };
  double rho[P], psi[F], gradient[F * P], value[F], slope[F * P];
  for (size_t k = 0; k < 4; k++) {
    gradyn_evaluator *ev = run_with(skate[k / 2].problem, ways[k % 2], "explicit", .rtol = 1e-12,
                                    .atol = 1e-13);
    run_initial(ev, rho);
    assert_run(gradyn_gradient(ev, rho, psi, gradient), ev);
    support_complex_step(skate[k / 2].formula, rho, P, F, value, slope);
    assert_close_array(psi, value, F, 1e-10, 1e-11);
    assert_close_array(gradient, slope, F * P, 1e-9, 1e-10);
    gradyn_evaluator_free(ev);
  }
}

TEST(direct_equals_adjoint_by_all_data)
{
  double rho[SKATE_PARAMETERS];
  for (size_t k = 0; k < 2; k++) {
    gradyn_evaluator *direct = run_with(skate[k].problem, "direct", "explicit", .rtol = 1e-10),
                     *adjoint = run_with(skate[k].problem, "adjoint", "explicit", .rtol = 1e-10);
    run_initial(direct, rho);
    compare_by_data(direct, adjoint, rho,
                    &(compare_bounds){.values = 1e-10, .rtol = 1e-10, .share = 1e-10, .vanish = true});
    gradyn_evaluator_free(direct);
    gradyn_evaluator_free(adjoint);
  }
}
