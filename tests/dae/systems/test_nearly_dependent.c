/* Algebraic states whose equations are nearly redundant: Newton's method ends at the round-off of the
 * equations, although this leaves the states inaccurate. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { MOST = 40, TIMES = 2000 };

/* x' = a b + 1 - x. b = sin(3 x) follows from the difference of two equations divided by e, and
 * a = (x - b)/(1 + b/10) from each of them. */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  const int copies = (int)creal(at->data[1]);
  const gradyn_scalar e = at->data[0];
  for (int i = 0; i < copies; i++) {
    const gradyn_scalar *y = at->y + 3 * i, x = y[0], a = y[1], b = y[2], sum = a + b + a * b / 10;
    F[3 * i] = at->yp[3 * i] + x - a * b - 1;
    F[3 * i + 1] = sum - x;
    F[3 * i + 2] = sum + e * b - x - e * sin(3 * x);
  }
  return GRADYN_OK;
}

FORMULA(last, at->y[0])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int copies = (int)gradyn_setting_value(m, "copies");
  for (int i = 0; i < copies; i++) {
    gradyn_state(m, gradyn_format_name(m, "x%d", i), "", rho[1]);
    gradyn_algebraic_state(m, gradyn_format_name(m, "a%d", i), "", 1);
    gradyn_algebraic_state(m, gradyn_format_name(m, "b%d", i), "", 1);
  }
  gradyn_datum data[] = {{"e", "", pow(10, -gradyn_setting_value(m, "digits"))},
                         {"copies", "", copies}};
  declare_equations(m, equations, data, 2);
  declare_end(m, "last", "", last);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"unused", "", .init = 1, GRADYN_UNBOUNDED},
                                      {"x", "", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"copies", "", 1, 1, MOST}, {"digits", "", 4, 0, 16}};
static const gradyn_problem problem = PROBLEM("near", build, params, .settings = settings,
                                              .setting_count = 2, .t_end = 2);

static double rate(double x)
{
  const double b = sin(3 * x);
  return (x - b) / (1 + b / 10) * b + 1 - x;
}

/* x(2) by RK4. */
static double integrate(double x)
{
  const double h = 2.0 / TIMES;
  for (int k = 0; k < TIMES; k++) {
    const double k1 = rate(x), k2 = rate(x + h / 2 * k1), k3 = rate(x + h / 2 * k2);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3));
  }
  return x;
}

static long compare(const char *method, int copies, int digits, double rtol)
{
  const gradyn_setting_choice chosen[] = {{"copies", copies}, {"digits", digits}};
  const double rho[2] = {1, 1}, h = 1e-4;
  double psi[1], gradient[2];
  run_local *ev = run_with(&problem, .method = method, .rtol = rtol, .settings = chosen,
                           .setting_count = 2);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_close(psi[0], integrate(1), 1e-6, 0);
  /* round-off divided by e, and round-off of difference quotients */
  assert_close(gradient[1], (integrate(1 + h) - integrate(1 - h)) / (2 * h), 0, 1e-6);
  return gradyn_evaluator_statistics(ev).steps;
}

TEST(round_off_is_met)
{
  /* in full and sparse */
  static const int copies[] = {1, MOST};
  for (int k = 0; k < 2; k++)
    for (int digits = 2; digits <= 6; digits++) {
      (void)compare("explicit", copies[k], digits, 1e-7);
      if (digits < 6)
        (void)compare("idas", copies[k], digits, 1e-7);
    }
}

/* Shorter steps do not reduce the round-off of rates; it must not count as an error of the step. */
TEST(steps_are_not_sought_in_round_off)
{
  static const double rtol[] = {1e-9, 1e-10, 1e-11};
  for (int k = 0; k < 3; k++)
    for (int digits = 5; digits <= 6; digits++)
      assert_true(compare("explicit", 1, digits, rtol[k]) < 60);
}
