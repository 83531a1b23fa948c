/* Values computed with a gradient of idas are as accurate as requested even if no derivative reveals their
 * errors; otherwise a warning states the error. */
#include "tests/runs.h"
#include "tests/declare.h"

static const double rate = 3, decay = 100, t_end = 20;

enum { END, SMALL, SWEPT, FUNCTIONALS };

/* An oscillator, a fast decay, and a ramp, the only state that the parameter moves. */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->yp;
  F[0] = d[0] - rate * y[1];
  F[1] = d[1] + rate * y[0];
  F[2] = d[2] + decay * y[2];
  F[3] = d[3] - at->data[0];
  return GRADYN_OK;
}

FORMULA(place, at->y[0])

/* During most of the run this is nearly zero compared with its initial value. */
FORMULA(decayed, at->y[2] * at->y[2])
FORMULA(area, at->y[0] * at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum slope = {"slope", "", rho[0]};
  gradyn_state(m, "x", "", 1);
  gradyn_state(m, "v", "", 0);
  gradyn_state(m, "z", "", 1);
  gradyn_state(m, "ramp", "", 0);
  declare_equations(m, equations, &slope, 1);
  declare_end(m, "end", "", place);
  declare_integral(m, "small", "", decayed);
  declare_integral(m, "swept", "", area);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"slope", "", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = PROBLEM("unseen", build, params, .t_end = t_end);

/* The largest ratio of error and tolerance over the functionals; *told: whether a warning reports it. */
static double error_of(const char *way, double rtol, bool *told)
{
  const double exact[FUNCTIONALS] = {cos(rate * t_end), 0.5 / decay,
                                     t_end / 2 + sin(2 * rate * t_end) / (4 * rate)};
  const double rho = 1;
  double psi[FUNCTIONALS], gradient[FUNCTIONALS], worst = 0;
  run_local *ev = run_with(&problem, .method = "idas", .sensitivity = way, .rtol = rtol);
  assert_run(gradyn_evaluator_gradient(ev, &rho, psi, gradient), ev);
  for (int f = 0; f < FUNCTIONALS; f++)
    worst = fmax(worst, fabs(psi[f] - exact[f]) / (rtol * fabs(exact[f])));
  *told = run_warning(ev, GRADYN_WARNING_VALUE_ACCURACY).code != 0;
  if (!*told)
    assert_int_equal(gradyn_evaluator_statistics(ev).warnings, 0);
  return worst;
}

TEST(values_keep_the_tolerance)
{
  static const char *const ways[] = {"adjoint", "direct"};
  static const double tolerances[] = {1e-4, 1e-6, 1e-8};
  for (size_t i = 0; i < 2 * GRADYN_COUNT(tolerances); i++) {
    bool told;
    const double rtol = tolerances[i / 2], error = error_of(ways[i % 2], rtol, &told);
    if (!(error < 3) || told)
      fail_msg("%s, rtol %.0e: off by %.3g of it%s", ways[i % 2], rtol, error,
               told ? ", and told" : "");
  }
}

/* The smallest tolerance is 1e-12. With it the accumulated errors of steps exceed the tolerance, and a
 * warning reports this. */
TEST(what_is_missed_is_told)
{
  bool told;
  const double error = error_of("adjoint", 1e-12, &told);
  if (error < 10)
    fail_msg("off by %.3g only: no example", error);
  assert_true(told);
}
