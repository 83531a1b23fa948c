/* Number of calls of the residual of general equations in an adjoint gradient. At each point, derivatives
 * with respect to data are computed once for all functionals, and only for data that vary. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { MOST = 40 };

static long calls;

/* y' = -(a + b_1 + b_2 + ...) y, where a is the parameter. */
static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  const int constants = *(const int *)at->user;
  gradyn_scalar rate = 0;
  for (int k = 0; k <= constants; k++)
    rate += at->data[k];
  F[0] = at->yp[0] + rate * at->y[0];
  calls++;
  return GRADYN_OK;
}

FORMULA(power, at->y[0] * at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static int constants;
  gradyn_datum data[MOST + 1] = {{"a", "1/s", rho[0]}};
  constants = (int)gradyn_setting_value(model, "constants");
  for (int k = 1; k <= constants; k++)
    data[k] = (gradyn_datum){gradyn_format_name(model, "b%d", k), "1/s", 0.01};
  gradyn_state(model, "y", "", 1);
  gradyn_equations(
      model, &(gradyn_equations_spec){
                 .residual = decay, .data = data, .data_count = constants + 1, .user = &constants});
  for (int k = 0; k < (int)gradyn_setting_value(model, "functionals"); k++)
    declare_end(model, gradyn_format_name(model, "f%d", k), "", power);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"a", "1/s", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"functionals", "", 1, 1, MOST},
                                          {"constants", "", 1, 1, MOST}};
static const gradyn_problem problem = PROBLEM("decay", build, params, .settings = settings,
                                              .setting_count = 2, .t_end = 1);

/* Counts the calls in one gradient with these numbers of functionals and constants; checks its first
 * derivative. */
static long calls_of(int functionals, int constants)
{
  const gradyn_setting_choice choice[] = {{"functionals", functionals}, {"constants", constants}};
  const double a = 1;
  double psi[MOST], gradient[MOST];
  run_local *ev = run_with(&problem, .method = "explicit", .sensitivity = "adjoint", .step = 0.05,
                           .settings = choice, .setting_count = 2);
  assert_run(gradyn_evaluator_gradient(ev, &a, psi, gradient), ev);
  calls = 0; /* the first run also determines the tolerances, which later runs reuse */
  assert_run(gradyn_evaluator_gradient(ev, &a, psi, gradient), ev);
  assert_close(gradient[0], -2 * psi[0], 1e-12, 0);
  return calls;
}

TEST(functionals_share_derivatives)
{
  assert_int_equal(calls_of(MOST, 1), calls_of(1, 1));
}

TEST(constants_are_not_requested)
{
  assert_int_equal(calls_of(1, MOST), calls_of(1, 1));
}
