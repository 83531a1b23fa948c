/* Values that are less accurate than the growth of step errors permits, as in a chaotic motion over a long
 * time, are reported with a gradient. Large derivatives of an unstable but resolved motion, and values that
 * are zero, are not reported. */
#include "tests/runs.h"
#include "tests/declare.h"

/* Lorenz's equations, whose disturbances grow as exp(0.9 t). */
static gradyn_status lorenz(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp, *p = at->data;
  F[0] = d[0] - p[0] * (y[1] - y[0]);
  F[1] = d[1] - (y[0] * (p[1] - y[2]) - y[1]);
  F[2] = d[2] - (y[0] * y[1] - p[2] * y[2]);
  return GRADYN_OK;
}

/* An upright pendulum, whose disturbances grow as exp(3 t). */
FORMULAS(upright, at->yp[0] - at->y[1], at->yp[1] - 9 * sin(at->y[0]) + at->data[2] * at->y[2],
         at->yp[2] + at->data[0] * at->y[2])

FORMULA(last, at->y[2] + at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const bool stands = gradyn_setting_value(m, "upright") > 0;
  const gradyn_datum data[] = {{"s", "", rho[0]}, {"r", "", rho[1]}, {"b", "", rho[2]}};
  gradyn_end_time(m, gradyn_setting_value(m, "seconds"));
  gradyn_state(m, "x", "", stands ? 1e-5 : 1);
  gradyn_state(m, "y", "", stands ? 0 : 1);
  gradyn_state(m, "z", "", stands ? 1e-5 : 1);
  declare_equations(m, stands ? upright : lorenz, data, 3);
  declare_integral(m, "sum", "", last);
  declare_end(m, "end", "", last);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"s", "", .init = 10, GRADYN_UNBOUNDED},
                                      {"r", "", .init = 28, GRADYN_UNBOUNDED},
                                      {"b", "", .init = 8.0 / 3, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"seconds", "", 10, 1, 100}, {"upright", "", 0, 0, 1}};
static const gradyn_problem problem = PROBLEM("unstable", build, params, .settings = settings,
                                              .setting_count = 2, .t_end = 10);

/* Expects this warning; 0: none. ILL_DETERMINED must suggest a tolerance, unless round-off alone causes it.
 */
static void judge(const char *method, int seconds, int stands, gradyn_warning_code expected,
                  bool suggests)
{
  const gradyn_setting_choice chosen[] = {{"seconds", seconds}, {"upright", stands}};
  const double rho[] = {10, 28, 8.0 / 3};
  double psi[2], gradient[6];
  run_local *ev = run_with(&problem, .method = method, .settings = chosen, .setting_count = 2);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  const char *told = gradyn_evaluator_warnings(ev);
  const gradyn_warning w = run_warning(ev, expected);
  if (expected != 0 && (w.code == 0 || (w.suggestion > 0) != suggests))
    fail_msg("%s, %d s: \"%s\" instead of W%02d", method, seconds, told, (int)expected);
  /* idas may also report by how much it misses its tolerance */
  if (expected == 0 && (run_warning(ev, GRADYN_WARNING_ILL_DETERMINED).code != 0 ||
                        (*told && strcmp(method, "idas") != 0)))
    fail_msg("%s, %d s: \"%s\"", method, seconds, told);
}

TEST(chaos_is_reported_and_growth_is_not)
{
  static const char *const methods[] = {"explicit", "idas"};
  /* idas tightens its tolerances until the value is determined; the gradient then is the less accurate
   * result */
  static const gradyn_warning_code doubt[] = {GRADYN_WARNING_ILL_DETERMINED,
                                              GRADYN_WARNING_GRADIENT_ACCURACY};
  for (int k = 0; k < 2; k++) {
    judge(methods[k], 10, 0, 0, false);
    if (support_takes(k, 2))
      judge(methods[k], 32, 0, doubt[k], k == 0);
    if (support_takes(k, 2))
      judge(methods[k], 50, 0, GRADYN_WARNING_ILL_DETERMINED, false);
    /* by 1e5 */
    judge(methods[k], 4, 1, 0, false);
  }
}

static long calls;

/* y' = s (r - y) from r: y = r. */
static gradyn_status resting(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->data[0] * (at->data[1] - at->y[0]);
  calls++;
  return GRADYN_OK;
}

FORMULA(off, at->y[0] - 28)

static gradyn_status build_resting(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"s", "", rho[0]}, {"r", "", rho[1]}};
  gradyn_state(m, "y", "", rho[1]);
  declare_equations(m, resting, data, 2);
  declare_integral(m, "off", "", off);
  return gradyn_build_status(m);
}

/* If a value is zero, there is no size to compare its error with. That alone must not cause a warning. */
TEST(zero_is_determined)
{
  static const gradyn_problem rest = PROBLEM("rest", build_resting, params, .t_end = 2);
  static const char *const methods[] = {"explicit", "radau", "idas"};
  static const double rho[] = {10, 28, 8.0 / 3};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = run_with(&rest, .method = methods[k], .sensitivity = "adjoint");
    double psi, gradient[3];
    assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
    calls = 0; /* the first run also determines the tolerances, which later runs reuse */
    assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
    const long exact = calls;
    assert_close(psi, 0, 0, 1e-12);
    assert_close(gradient[1], 2, 1e-8, 0);
    assert_string_equal(gradyn_evaluator_warnings(ev), "");
    /* a repeated request needs no further runs: methods that compare tolerances have done so above */
    calls = 0;
    assert_run(gradyn_evaluator_gradient_selected(ev, NULL, rho, &psi, gradient), ev);
    assert_true(strcmp(methods[k], "explicit") == 0 ? calls == exact : 2 * calls < exact);
  }
}
