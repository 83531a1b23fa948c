/* Powers of negative numbers have no derivative with respect to the exponent. */
#include "tests/adjoint/evaluator/lost_models.h"
#include "tests/declare.h"
#include "tests/runs.h"

static const double rho[] = {1.05, 0.7};

/* Whether the exponent depends on a parameter, and whether it is used in build(). A constant exponent is
 * accepted. */
static bool exponent_varies, exponent_in_build;

static gradyn_status stiffens(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = -0.1 * pow(at->pos[0] - 9, at->data[0]) + at->data[1];
  return GRADYN_OK;
}

static gradyn_status build_power(gradyn_model *m, const gradyn_scalar p[])
{
  const int bob = gradyn_point(m, "bob", 1, 0);
  const gradyn_scalar n = exponent_varies ? 2 + p[0] / 1.05 : 3;
  const gradyn_datum data[] = {{"n", "", exponent_in_build ? 3 : n},
                               {"k", "N", exponent_in_build ? pow(-2, n) : p[0]}};
  gradyn_point_mass(m, "bob", bob, 1);
  declare_force(m, "spring", bob, stiffens, data, 2);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", bob, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(exponents_of_negative_numbers_do_not_vary)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "power",      .params = lost_params,
                                  .param_count = 1,     .build = build_power, .t_end = 0.3};
  double psi[1], gradient[1];
  for (int k = 0; k < 4; k++) {
    exponent_varies = k % 2;
    exponent_in_build = k / 2;
    run_local *ev = run_with(&problem, .method = "explicit");
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    if (exponent_varies)
      assert_refused(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev, GRADYN_INVALID,
                     exponent_in_build
                         ? "the derivative of spring.k by the parameter length does not exist"
                         : "the derivative of force[0] by at->data[0]");
    else
      assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  }
}
