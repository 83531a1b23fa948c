/* Products with Hessians against closed forms, and against differences of gradients with tighter
 * tolerances. */
#include "tests/runs.h"
#include "tests/declare.h"

extern const gradyn_problem gradyn_problem_five_bar, gradyn_problem_cart_pole,
    gradyn_problem_goddard, gradyn_problem_hang_glider, gradyn_problem_bouncing_ball,
    gradyn_problem_van_der_pol;

enum { MOST = 128, A = 0, B, T };

/* --- a closed form --------------------------------------------------------------------------------- */

static const gradyn_param params[] = {
    {"a", "1/s", .init = 0.7, GRADYN_UNBOUNDED, .scale = 1},
    {"b", "", .init = 2, GRADYN_UNBOUNDED, .scale = 1},
    {"T", "s", .init = 1.5, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_TIME}};

FORMULA(decay, at->yp[0] + at->data[0] * at->y[0])

FORMULA(value, at->y[0])

FORMULA(square, at->y[0] * at->y[0])

/* y = b exp(-a t): functionals are its final value and the integral of its square. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[T]);
  gradyn_state(model, "y", "", rho[B]);
  declare_equations(model, decay, (gradyn_datum[]){{"a", "1/s", rho[A]}}, 1);
  declare_end(model, "end", "", value);
  declare_integral(model, "sum", "s", square);
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("decay", build, params, .t_end = 1);

/* Gradient of 3 b exp(-a T) - 2 b^2 (1 - exp(-2 a T)) / (2 a). Complex arguments give its derivatives. */
static void formula(const double _Complex r[], double _Complex g[])
{
  const double _Complex e = exp(-r[A] * r[T]), q = (1 - e * e) / r[A];
  g[A] = -3 * r[T] * r[B] * e - r[B] * r[B] * (2 * r[T] * e * e - q) / r[A];
  g[B] = 3 * e - 2 * r[B] * q;
  g[T] = -3 * r[A] * r[B] * e - 2 * r[B] * r[B] * e * e;
}

TEST(a_closed_form_is_met_by_all_methods)
{
  static const char *const methods[] = {"explicit", "radau", "auto"};
  static const double rho[3] = {0.7, 2, 1.5}, weight[2] = {3, -2};
  static const double unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double g[3], H[9], product[9];
  support_complex_step(formula, rho, 3, 3, g, H);
  for (int m = 0; m < 3; m++)
    for (int route = 0; route < 2; route++) {
      run_local *ev = run_with(&problem, .method = methods[m], .rtol = 1e-10,
                               .sensitivity = route == 0 ? "adjoint" : "direct");
      assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 3, unit, product), ev);
      assert_close_array(product, H, 9, 1e-8, 1e-8);
    }
}

/* --- shipped problems ------------------------------------------------------------------------------ */

/* The gradient of the weighted sum at rho + h d. */
static void gradient_at(gradyn_evaluator *ev, const double *weight, const double *rho,
                        const double *d, double h, double *sum)
{
  const size_t p = gradyn_parameter_count(ev), f = gradyn_functional_count(ev);
  double moved[MOST], psi[16], gradient[16 * MOST];
  for (size_t j = 0; j < p; j++)
    moved[j] = rho[j] + h * d[j];
  assert_run(gradyn_evaluator_gradient_selected(ev, NULL, moved, psi, gradient), ev);
  for (size_t j = 0; j < p; j++) {
    sum[j] = 0;
    for (size_t i = 0; i < f; i++)
      sum[j] += weight[i] * gradient[i * p + j];
  }
}

/* Central differences with two steps, extrapolated. */
static void extrapolate(gradyn_evaluator *ev, const double *weight, const double *rho,
                        const double *d, double h, double *product)
{
  double g[4][MOST];
  for (int k = 0; k < 4; k++)
    gradient_at(ev, weight, rho, d, (k % 2 ? -1 : 1) * (k < 2 ? h : h / 2), g[k]);
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++) {
    const double wide = (g[0][j] - g[1][j]) / (2 * h), narrow = (g[2][j] - g[3][j]) / h;
    product[j] = (4 * narrow - wide) / 3;
  }
}

/* Two directions e and d in which all parameters change. Each product He is requested by itself, with its
 * own steps. Checked are d.He = e.Hd, and He against differences of gradients. */
static void check(const gradyn_problem *of, const char *method, double rtol, double h)
{
  double rho[MOST], weight[16], d[2 * MOST], product[2 * MOST], other[MOST], cross[2] = {0, 0};
  run_local *ev = run_with(of, .method = method, .rtol = rtol);
  run_local *tight = run_with(of, .method = method, .rtol = rtol > 0 ? 1e-13 : 0);
  const size_t p = run_initial(ev, rho), f = gradyn_functional_count(ev);
  assert_true(p <= MOST && f <= 16);
  for (size_t i = 0; i < f; i++)
    weight[i] = i % 2 == 0 ? 1 : -0.5;
  for (size_t j = 0; j < p; j++) {
    const double scale = gradyn_parameter_at(ev, j).scale;
    d[j] = cos(1.3 * (double)j) * (scale > 0 ? scale : 1);
    d[p + j] = sin(0.7 * (double)j + 0.4) * (scale > 0 ? scale : 1);
  }
  for (size_t k = 0; k < 2; k++)
    assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 1, d + k * p, product + k * p),
               ev);
  for (size_t j = 0; j < p; j++) {
    cross[0] += d[p + j] * product[j];
    cross[1] += d[j] * product[p + j];
  }
  const double size = largest_of(product, p) * largest_of(d + p, p);
  assert_close(cross[0], cross[1], 0, 1e-7 * size);
  extrapolate(tight, weight, rho, d, h, other);
  assert_close_array(product, other, p, 0, 1e-6 * largest_of(other, p));
}

TEST(products_are_differences_of_gradients)
{
  check(&gradyn_problem_cart_pole, "explicit", 1e-9, 1e-3);
  check(&gradyn_problem_five_bar, "explicit", 1e-9, 1e-3);
  check(&gradyn_problem_five_bar, "ali3p", -1, 1e-3);
  check(&gradyn_problem_goddard, "explicit", 1e-10, 1e-3);
}

/* All gradients use the stored steps. If each chose its own steps, an error of 5e-2 of the tolerance would
 * remain. */
TEST(loose_tolerances_leave_a_hessian_symmetric)
{
  double rho[MOST], d[2 * MOST], product[2 * MOST], psi[2][16], cross[2] = {0, 0};
  run_local *ev = run_with(&gradyn_problem_hang_glider, .method = "explicit", .rtol = 1e-4);
  const size_t p = run_initial(ev, rho), f = gradyn_functional_count(ev);
  double weight[16] = {1, 1, 1, 1, 1, 1, 1, 1};
  assert_true(f <= 16);
  for (size_t j = 0; j < 2 * p; j++)
    d[j] = sin(1.7 * (double)j + 0.3) * gradyn_parameter_at(ev, j % p).scale;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi[0], NULL), ev);
  assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 2, d, product), ev);
  for (size_t j = 0; j < p; j++) {
    cross[0] += d[p + j] * product[j];
    cross[1] += d[j] * product[p + j];
  }
  assert_close(cross[0], cross[1], 0, 1e-7 * largest_of(product, p));
  /* a later simulation chooses its own steps again */
  assert_run(gradyn_evaluator_simulate(ev, rho, psi[1], NULL), ev);
  assert_memory_equal(psi[0], psi[1], f * sizeof psi[0][0]);
}

/* --- edges ----------------------------------------------------------------------------------------- */

TEST(directions_of_nothing_have_no_product)
{
  static const double rho[3] = {0.7, 2, 1.5}, weight[2] = {0, 1}, none[3];
  double product[3] = {1, 1, 1};
  run_local *ev = run_with(&problem, .method = "explicit");
  assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 1, none, product), ev);
  assert_memory_equal(product, none, sizeof none);
  assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 0, none, product), ev);
  assert_refused(gradyn_evaluator_hessian_product(ev, NULL, rho, 1, none, product), ev,
                 GRADYN_INVALID, "the array of weights is NULL");
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, rho, 1, NULL, product), ev,
                 GRADYN_INVALID, "the array of directions is NULL");
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, rho, 1, none, NULL), ev,
                 GRADYN_INVALID, "the array of the products is NULL");
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, NULL, 1, none, product), ev,
                 GRADYN_INVALID, "rho is NULL");
  assert_int_equal(gradyn_evaluator_hessian_product(NULL, weight, rho, 1, none, product),
                   GRADYN_INVALID);
}

static const gradyn_param when[] = {
    {"s", "s", .init = 0.5, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_TIME}};

FORMULA(driven, at->yp[0] - at->u[1])

/* A signal that switches at the time s, and a functional at 0.5 s. */
static gradyn_status build_switched(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar levels[] = {1, -1};
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_SWITCHED, 2, levels, .times = rho});
  gradyn_state(model, "y", "", 0);
  declare_equations(model, driven, NULL, 0);
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){
                               .name = "look", .unit = "", .terminal = square, .instant = 0.5});
  return gradyn_build_status(model);
}

static const gradyn_problem switched = PROBLEM("switched", build_switched, when, .t_end = 1);

/* If two times that end steps coincide, the run has one arc fewer than with slightly different parameters.
 * Second derivatives do not exist there, which is reported. */
TEST(points_that_separate_are_reported)
{
  static const double weight[1] = {1}, one[1] = {1}, meeting[1] = {0.5}, before[1] = {0.4};
  double product[1];
  run_local *ev = run_with(&switched, .method = "explicit");
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, meeting, 1, one, product), ev,
                 GRADYN_UNSUPPORTED,
                 "the stored stages belong to 2 arcs between knots and given times, but the "
                 "displaced data have 3 arcs");
  /* (2 s - 0.5)^2 */
  assert_run(gradyn_evaluator_hessian_product(ev, weight, before, 1, one, product), ev);
  assert_close(product[0], 8, 1e-8, 0);
}

static void refuse(const gradyn_problem *of, const char *method, const char *sensitivity,
                   const char *says)
{
  double rho[MOST], weight[16] = {1}, d[MOST], product[MOST];
  run_local *ev = run_with(of, .method = method, .sensitivity = sensitivity);
  const size_t p = run_initial(ev, rho);
  for (size_t j = 0; j < p; j++)
    d[j] = 1;
  assert_refused(gradyn_evaluator_hessian_product(ev, weight, rho, 1, d, product), ev,
                 GRADYN_UNSUPPORTED, says);
}

TEST(runs_without_stored_steps_are_refused_by_name)
{
  refuse(&gradyn_problem_bouncing_ball, "explicit", NULL, "Hessian: event ground ends a step");
  refuse(&gradyn_problem_van_der_pol, "explicit", NULL, "at the maximum over time rate.under");
  refuse(&problem, "idas", NULL, "Hessian: method idas cannot repeat its steps. Use explicit");
  refuse(&problem, "explicit", "differences", "Use sensitivity auto");
}
