/* Derivatives that grow without bound because steps are too long, although the motion looks right: a chain
 * of 128 links whose end moves like that of a whip. */
#include "tests/adjoint/ali3p_models.h"

/* The chain with its first parameter alone. Then no second derivative can show the growth of the first one.
 */
static gradyn_status build_alone(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_scalar all[3];
  for (int j = 0; j < 3; j++)
    all[j] = j == 0 ? rho[0] : gradyn_problem_chain.params[j].init;
  return gradyn_problem_chain.build(model, all);
}

static gradyn_evaluator *chain(const char *method, const char *sensitivity, double step)
{
  static gradyn_problem alone; /* evaluators refer to it */
  alone = gradyn_problem_chain;
  alone.param_count = 1;
  alone.build = build_alone;
  return ali3p_open(&(run_setup){.problem = &alone,
                                 .setting = "links",
                                 .value = 128,
                                 .method = method,
                                 .sensitivity = sensitivity,
                                 .step = step});
}

static gradyn_warning differentiate(gradyn_evaluator *ev, double *slope)
{
  double rho[3], psi[3], gradient[9];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  *slope = gradient[0];
  assert_close(psi[0], 0.12264, 5e-3, 0);
  return run_warning(ev, GRADYN_WARNING_ADJOINT_GROWTH);
}

/* The derivative is 0.1404 with other steps and methods; with these steps it is arbitrary. Steps of 1 ms
 * are at the limit, and runs with 1.1 ms do not always reach the end, depending on the last bits of
 * positions. The test therefore tries several steps: each derivative far from the right one must have a
 * warning. */
THOROUGH_TEST(exploding_derivatives_are_reported)
{
  static const char *const kinds[] = {"adjoint", "direct"};
  for (int k = 0; k < 2; k++) {
    int exploded = 0;
    for (int i = 0; i < 4; i++) {
      double slope;
      run_local *ev = chain("variational", kinds[k], 1.02e-3 + 2e-5 * i);
      const gradyn_warning growth = differentiate(ev, &slope);
      if (fabs(slope) > 100) {
        exploded++;
        assert_true(growth.value > 1e4 && growth.t > 0.3);
        assert_true(growth.suggestion > 2e-5 && growth.suggestion < 7e-4);
      }
      if (exploded > 0 && !support_thorough())
        break;
    }
    assert_true(exploded >= (support_thorough() ? 2 : 1));
  }
}

/* With shorter steps, and with a suitable method, there is no warning. */
THOROUGH_TEST(shorter_steps_do)
{
  const double step[] = {5e-4, 0};
  static const char *const methods[] = {"variational", "ali3p"};
  for (int k = 0; k < 2; k++) {
    if (!support_takes(k + 1, 2))
      continue;
    double slope;
    run_local *ev = chain(methods[k], "adjoint", step[k]);
    assert_int_equal(differentiate(ev, &slope).code, 0);
    assert_close(slope, 0.1404, 1e-3, 0);
    assert_string_equal(gradyn_evaluator_warnings(ev), "");
  }
}
