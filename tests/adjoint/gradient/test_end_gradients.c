/* Errors of gradients at the end of a search: those that cannot change its result are not reported, others
 * are, and the evaluator stays unchanged. The problem is y' = -y, psi = (y(1) - 1/e)^2, which vanishes with
 * its gradient at rho = y(0) = 1. The test adds an error to the gradient. */
#include "adjoint/gradient/gradient.h"
#include "adjoint/method.h"
#include "tests/declare.h"
#include "tests/runs.h"

static const double a = 0.36787944117144233, start = 3, optimality = 1e-6;

static const gradyn_method *honest;
static double planted; /* added to every second run; a hundred times as much if steps are joined */
static int runs, joined;

static gradyn_status repeat(void *self, int merge, int parts)
{
  joined = merge;
  return honest->repeat(self, merge, parts);
}

static gradyn_status spoilt(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  const gradyn_status status = honest->direct(self, directions, psi, gradient);
  gradient[0] += planted * (joined > 1 ? 100 : runs++ % 2);
  return status;
}

FORMULA(decay, at->yp[0] + at->y[0])
FORMULA(square, (at->y[0] - at->data[0]) * (at->y[0] - at->data[0]))

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "y", "m", rho[0]);
  declare_equations(m, decay, NULL, 0);
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){.name = "off",
                                                               .unit = "m^2",
                                                               .terminal = square,
                                                               .data = &(gradyn_datum){"a", "m", a},
                                                               .data_count = 1});
  return gradyn_build_status(m);
}

/* Returns whether the last gradient of an evaluator has a warning about its error. */
static bool is_told(const gradyn_evaluator *ev)
{
  return run_warning(ev, GRADYN_WARNING_GRADIENT_ACCURACY).code != 0;
}

/* Errors below a tenth of the optimality tolerance are not reported. The tolerance is relative to the
 * gradient at the start, 4 a^2, times rho; this gives 1.6e-7. */
static const struct row {
  double planted;
  bool from_start, told;
} rows[] = {{1e-8, true, false}, {1e-8, false, true}, {1e-5, true, true}, {1e-5, false, true}};

TEST(errors_that_cannot_change_the_verdict_are_none)
{
  static const gradyn_param params[] = {{"start", "m", .init = 3, GRADYN_UNBOUNDED}};
  const gradyn_problem problem = PROBLEM("end", build, params, .t_end = 1);
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    const struct row *row = &rows[k];
    const double rho = 1;
    double psi, gradient;
    run_local *ev = run_with(&problem, .method = "explicit", .sensitivity = "direct");
    honest = ev->method;
    gradyn_method method = *honest;
    method.direct = spoilt;
    method.repeat = repeat;
    ev->method = &method;
    planted = row->planted, runs = joined = 0;
    const gradyn_status status = gradyn_end_gradient(ev, row->from_start ? &start : NULL,
                                                     optimality, &rho, &psi, &gradient);
    const bool at_end = is_told(ev);
    const gradyn_status again = gradyn_evaluator_gradient(ev, &rho, &psi, &gradient);
    ev->method = honest;
    assert_run(status, ev);
    assert_run(again, ev);
    if (at_end != row->told || !is_told(ev))
      fail_msg("row %zu: %d, then \"%s\"", k, at_end, gradyn_evaluator_warnings(ev));
    assert_close(gradient, 0, 0, 1e-3);
  }
}

/* If a run has few steps, the estimate divides them instead of joining them. If that shows the gradient to
 * be accurate enough, the result has the bits of the original run. */
TEST(a_gradient_of_few_steps_that_is_exact_enough_stays)
{
  static const gradyn_param params[] = {{"start", "m", .init = 3, GRADYN_UNBOUNDED}};
  const gradyn_problem problem = PROBLEM("end", build, params, .t_end = 0.1);
  double psi, plain, gradient;
  run_local *ev = run_with(&problem, .method = "explicit", .sensitivity = "direct");
  assert_run(gradyn_evaluator_gradient_selected(ev, NULL, &start, &psi, &plain), ev);
  assert_run(gradyn_evaluator_gradient(ev, &start, &psi, &gradient), ev);
  assert_true(gradient == plain);
}
