/* Double integrator: gradients against closed forms, and the optimum against the exact solution of its
 * quadratic program. */
#include "tests/problems/run.h"

extern const gradyn_problem gradyn_problem_double_integrator;

enum { MOST = 80 };

/* Row k of the Gram matrix of the hat functions on [0, 1], h/6 (1, 4, 1), and h/6 (2, 1) at the ends, times
 * u. */
static double gram(const double u[], int n, int k)
{
  double h = 1.0 / (n - 1), sum = (k == 0 || k == n - 1 ? 2 : 4) * u[k];
  if (k > 0)
    sum += u[k - 1];
  if (k < n - 1)
    sum += u[k + 1];
  return sum * h / 6;
}

/* Derivatives of x(1) = integral of (1 - t) u and v(1) = integral of u with respect to knot k. Both weights
 * are piecewise linear, so these are products of hat functions. */
static void end_weights(int n, int k, double *x, double *v)
{
  double falling[MOST], one[MOST];
  for (int i = 0; i < n; i++) {
    falling[i] = 1 - (double)i / (n - 1);
    one[i] = 1;
  }
  *x = gram(falling, n, k);
  *v = gram(one, n, k);
}

static void closed_form(const double u[], int n, double psi[3], double *gradient)
{
  psi[0] = psi[1] = psi[2] = 0;
  for (int k = 0; k < n; k++) {
    double x, v;
    end_weights(n, k, &x, &v);
    gradient[k] = x;
    gradient[n + k] = v;
    gradient[2 * n + k] = 2 * gram(u, n, k);
    psi[0] += x * u[k];
    psi[1] += v * u[k];
    psi[2] += u[k] * gram(u, n, k);
  }
}

TEST(gradients_meet_the_closed_form)
{
  enum { N = 7 };
  const double u[N] = {1.0, -2.0, 0.5, 3.0, -1.5, 0.25, 2.0};
  const char *sensitivity[] = {"direct", "adjoint"};
  double psi[3], gradient[3 * N], exact_psi[3], exact[3 * N];
  closed_form(u, N, exact_psi, exact);
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_double_integrator, sensitivity[i], .setting = "knots",
                             .value = N};
    assert_int_equal(run_gradient(&setup, u, psi, gradient), 3);
    assert_close_array(psi, exact_psi, 3, 1e-8, 0);
    for (int f = 0; f < 3; f++)
      assert_close_array(gradient + f * N, exact + f * N, N, 1e-8, 1e-9);
  }
}

/* At rest and without force, all states and adjoints are polynomials of low degree in time. */
TEST(rest_is_no_special_case)
{
  enum { N = 3 };
  const double u[N] = {0};
  const char *sensitivity[] = {"direct", "adjoint"};
  double gradient[3 * N], exact_psi[3], exact[3 * N];
  closed_form(u, N, exact_psi, exact);
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_double_integrator, sensitivity[i], .setting = "knots",
                             .value = N};
    run_local *evaluator = run_open(&setup);
    assert_run(gradyn_evaluator_gradient(evaluator, u, NULL, gradient), evaluator);
    assert_close_array(gradient, exact, 3 * N, 1e-7, 1e-12);
    const gradyn_statistics work = gradyn_evaluator_statistics(evaluator);
    assert_true(work.steps + work.steps_backward < 1000);
  }
}

/* Solves G x = b, symmetric and tridiagonal, by elimination. */
static void solve_gram(int n, const double b[], double x[])
{
  double h = 1.0 / (n - 1), off = h / 6, pivot[MOST];
  for (int k = 0; k < n; k++) {
    pivot[k] = (k == 0 || k == n - 1 ? 2 : 4) * h / 6;
    x[k] = b[k];
    if (k > 0) {
      pivot[k] -= off * off / pivot[k - 1];
      x[k] -= off / pivot[k - 1] * x[k - 1];
    }
  }
  for (int k = n - 1; k >= 0; k--)
    x[k] = (x[k] - (k < n - 1 ? off * x[k + 1] : 0)) / pivot[k];
}

/* Minimises u^T G u subject to a_x^T u = 1 and a_v^T u = 0: u = G^-1 (a_x l_x + a_v l_v), where both
 * conditions determine the multipliers. Returns the cost. */
static double solve_program(int n, double u[])
{
  double a_x[MOST] = {0}, a_v[MOST] = {0}, g_x[MOST], g_v[MOST], xx = 0, xv = 0, vv = 0;
  for (int k = 0; k < n; k++)
    end_weights(n, k, &a_x[k], &a_v[k]);
  solve_gram(n, a_x, g_x);
  solve_gram(n, a_v, g_v);
  for (int k = 0; k < n; k++) {
    xx += a_x[k] * g_x[k];
    xv += a_x[k] * g_v[k];
    vv += a_v[k] * g_v[k];
  }
  double l_x = vv / (xx * vv - xv * xv), l_v = -xv / (xx * vv - xv * xv), cost = 0;
  for (int k = 0; k < n; k++)
    u[k] = l_x * g_x[k] + l_v * g_v[k];
  for (int k = 0; k < n; k++)
    cost += u[k] * gram(u, n, k);
  return cost;
}

TEST(optimum_is_that_of_the_quadratic_program)
{
  const int knots[] = {5, 20, 80};
  for (int i = 0; i < 3; i++) {
    const run_setup setup = {&gradyn_problem_double_integrator, .setting = "knots",
                             .value = knots[i]};
    LOCAL(gradyn_search_result) result;
    double u[MOST], cost = solve_program(knots[i], u);
    run_optimise(&setup, NULL, 1e-8, 0, &result);
    assert_close(result.objective, cost, 1e-6, 0);
    assert_close_array(result.rho, u, knots[i], 0, 6e-6); /* the largest knot is 6 */
  }
}

/* The solution of the quadratic program is known, too: the force decreases linearly from 6 N to -6 N. */
TEST(quadratic_program_is_solved)
{
  double u[MOST];
  assert_close(solve_program(20, u), 12, 1e-12, 0);
  for (int k = 0; k < 20; k++)
    assert_close(u[k], 6 - 12 * k / 19.0, 0, 1e-11);
}
