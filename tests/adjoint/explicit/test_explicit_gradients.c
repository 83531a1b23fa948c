/* Gradients by the explicit method: effect of integrands on the steps, and functionals that list their
 * variables. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

enum { ORDERS = 2 };
static const int orders[ORDERS] = {8, 5};

/* At the optimum of the linkage the integrands are squares of round-off. The step control must not require
 * more accuracy of them than the states have. */
TEST(integrals_of_noise_need_no_steps)
{
  for (int i = 0; i < ORDERS; i++)
    for (double rtol = 1e-6; rtol > 1e-13; rtol /= 100) {
      double rho[5], psi[3], gradient[15];
      run_setup setup = {.problem = &gradyn_problem_five_bar,
                         .method = "explicit",
                         .rtol = rtol,
                         .order = orders[i]};
      run_local *ev = ali3p_open(&setup);
      run_initial(ev, rho);
      rho[0] = 2.431923504;
      rho[1] = 1.844868851;
      assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
      assert_true(psi[0] < 1e-12);
      const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
      assert_in_range(cost.steps, 1, 3000);
      if (orders[i] == 8 && rtol > 1e-9) /* nor a second integration: a step has 12 stages */
        assert_in_range(cost.residual_calls, 1, 20 * cost.steps);
    }
}

/* --- functionals that read more and more ------------------------------------------------------ */

enum { READERS = 3 };

/* A rotating vector whose angular rate is the parameter; the third state integrates it. */
static gradyn_status turning(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y;
  F[0] = at->yp[0] + at->data[0] * y[1];
  F[1] = at->yp[1] - at->data[0] * y[0];
  F[2] = at->yp[2] - y[0] * y[1] - at->data[1];
  return GRADYN_OK;
}

/* Sum of fifth powers of the amounts by which states exceed their levels, which differ between functionals.
 * A state below its level is not read. */
static gradyn_status beyond(const gradyn_at *at, gradyn_scalar *value)
{
  static const double levels[READERS][3] = {{0.5, -0.2, 0.4}, {2, 0.6, 0.3}, {-0.3, 0.8, 0.1}};
  const double *level = levels[*(const int *)at->user];
  *value = 0;
  for (int i = 0; i < 3; i++) {
    const gradyn_scalar more = at->y[i] - level[i];
    if (creal(more) > 0)
      *value += more * more * more * more * more;
  }
  return GRADYN_OK;
}

static gradyn_status readers(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int which[READERS] = {0, 1, 2};
  const gradyn_datum data[] = {{"rate", "1/s", rho[0]}, {"slope", "1/s", rho[1]}};
  static const double start[] = {0, -1, 0};
  for (int i = 0; i < 3; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "", start[i]);
  declare_equations(model, turning, data, 2);
  for (int f = 0; f < READERS; f++)
    gradyn_minimise(model,
                    gradyn_custom_functional(model,
                                             &(gradyn_custom_functional_spec){
                                                 .name = gradyn_format_name(model, "beyond%d", f),
                                                 .integrand = beyond,
                                                 .user = (void *)&which[f]}),
                    1);
  return gradyn_build_status(model);
}

/* The value of a functional must not depend on the variables that other functionals have read before. */
TEST(functionals_begin_to_read_one_after_the_other)
{
  static const gradyn_param params[] = {{"rate", "1/s", .init = 1.3, .lower = 1, .upper = 2},
                                        {"slope", "1/s", .init = 0.2, .lower = 0, .upper = 1}};
  static const gradyn_problem problem = PROBLEM("readers", readers, params, .t_end = 4);
  static const char *const ways[] = {"direct", "adjoint"};
  double rho[2], psi[READERS], gradient[2][READERS * 2];
  for (int w = 0; w < 2; w++) {
    run_local *ev = run_with(&problem, .method = "explicit", .step = 0.05, .sensitivity = ways[w]);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[w]), ev);
  }
  for (int k = 0; k < READERS * 2; k++) {
    assert_true(fabs(gradient[1][k]) > 1e-5);
    assert_close(gradient[0][k], gradient[1][k], 1e-11, 0);
  }
}
