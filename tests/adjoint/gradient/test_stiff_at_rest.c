/* Gradients with respect to fast states at rest, for which the steps of a slow motion are unstable. `auto`
 * selects an implicit method, `explicit` warns, and constant values are not called undetermined. */
#include "tests/runs.h"
#include "tests/declare.h"
#include "adjoint/evaluator/evaluator.h"

static double quick = 100; /* rate of what rests, 1/s */
static const double slow = 0.5, t_end = 4;

/* a decays slowly; c, which is zero, decays quickly into b. */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp;
  F[0] = d[0] + at->data[0] * y[0];
  F[1] = d[1] - quick * y[2];
  F[2] = d[2] + quick * y[2];
  return GRADYN_OK;
}

FORMULA(sum, at->y[0] + at->y[1])

/* A search may vary the rate of the slow state only, or also the initial value of the fast one. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum rate = {"rate", "1/s", rho[0]};
  gradyn_state(m, "a", "", 1);
  gradyn_state(m, "b", "", 0);
  gradyn_state(m, "c", "", gradyn_setting_value(m, "both") ? rho[1] : 0);
  declare_equations(m, equations, &rate, 1);
  declare_end(m, "sum", "", sum);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"rate", "1/s", .init = 0.5, GRADYN_UNBOUNDED},
                                      {"c", "", .init = 0, GRADYN_UNBOUNDED, .scale = 1}};
static const gradyn_setting settings[] = {{"both", "", 1, 0, 1}};
static const gradyn_problem problem = PROBLEM("resting", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = t_end);

/* The gradient and its warnings. */
static void judge(const char *method, const char *way, int both, gradyn_warning_code expected)
{
  const double rho[] = {slow, 0}, exact[] = {-t_end * exp(-slow * t_end), both};
  double psi, gradient[2];
  run_local *ev = run_with(&problem, .method = method, .sensitivity = way, .rtol = 1e-6,
                           .setting = "both", .value = both);
  assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
  const gradyn_warning_code rests = run_warning(ev, GRADYN_WARNING_UNSTABLE_AT_REST).code;
  if (run_warning(ev, GRADYN_WARNING_ILL_DETERMINED).code != 0 || rests != expected ||
      (expected == 0 && gradyn_evaluator_statistics(ev).warnings > 0))
    fail_msg("%s %s: \"%s\"", method, way, gradyn_evaluator_warnings(ev));
  assert_close(psi, exp(-slow * t_end), 3e-6, 0);
  if (expected == 0)
    assert_close_array(gradient, exact, 2, 0, 3e-6 * fabs(exact[0]));
}

TEST(models_at_rest_have_derivatives)
{
  static const char *const ways[] = {"adjoint", "direct"};
  for (int k = 0; k < 2; k++) {
    judge("auto", ways[k], 1, 0);
    judge("explicit", ways[k], 1, GRADYN_WARNING_UNSTABLE_AT_REST);
    judge("explicit", ways[k], 0, 0);
    judge("idas", ways[k], 1, 0);
  }
}

/* Cases from steps that are nearly stable for the fast state to steps with arbitrary gradients. The warning
 * depends on the remaining disturbance at the end, not on its growth in a single step. */
TEST(steps_are_too_long_where_they_leave_nothing)
{
  static const struct {
    double quick;
    gradyn_warning_code told;
  } cases[] = {{16, 0},
               {19, GRADYN_WARNING_UNSTABLE_AT_REST},
               {27, GRADYN_WARNING_UNSTABLE_AT_REST},
               {40, GRADYN_WARNING_UNSTABLE_AT_REST},
               {57, GRADYN_WARNING_UNSTABLE_AT_REST}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    quick = cases[k].quick;
    judge("explicit", "adjoint", 1, cases[k].told);
    if (k > 0) /* to others */
      judge("auto", "adjoint", 1, 0);
  }
  quick = 100;
}

/* In a search, gradients are not repeated for an error estimate; they use the method that `auto` selects
 * first. */
TEST(searches_have_them)
{
  static const bool wanted[] = {true};
  const double rho[] = {slow, 0}, exact[] = {-t_end * exp(-slow * t_end), 1};
  double psi, gradient[2];
  run_local *ev = run_with(&problem, .rtol = 1e-6);
  for (int k = 0; k < 2; k++) {
    assert_run(gradyn_evaluator_gradient_selected(ev, wanted, rho, &psi, gradient), ev);
    assert_string_equal(gradyn_evaluator_statistics(ev).method, "radau");
    assert_close_array(gradient, exact, 2, 0, 1e-4);
  }
}
