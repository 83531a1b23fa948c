/* Second derivatives by displaced stages. Runs with fixed steps are compared with extrapolated differences
 * of exact gradients, and a linear-quadratic problem with its closed form. */
#include "tests/declare.h"
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_five_bar, gradyn_problem_cart_pole,
    gradyn_problem_goddard, gradyn_problem_hang_glider;

enum { MOST = 128 };

/* The gradient of the weighted sum at rho + h d. */
static void gradient_at(gradyn_evaluator *ev, const double *weight, const double *rho,
                        const double *d, double h, double *sum)
{
  const size_t p = gradyn_parameter_count(ev), f = gradyn_functional_count(ev);
  double moved[MOST], gradient[16 * MOST];
  for (size_t j = 0; j < p; j++) {
    moved[j] = rho[j] + h * d[j];
    sum[j] = 0;
  }
  assert_run(gradyn_evaluator_gradient(ev, moved, NULL, gradient), ev);
  for (size_t i = 0; i < f; i++)
    for (size_t j = 0; j < p; j++)
      sum[j] += weight[i] * gradient[i * p + j];
}

/* Central differences with h, h/2 and h/4, extrapolated to an error of order 6. */
static void extrapolate(gradyn_evaluator *ev, const double *weight, const double *rho,
                        const double *d, double h, double *product)
{
  const size_t p = gradyn_parameter_count(ev);
  double D[3][MOST], there[MOST], back[MOST];
  for (int k = 0; k < 3; k++) {
    const double step = ldexp(h, -k);
    gradient_at(ev, weight, rho, d, step, there);
    gradient_at(ev, weight, rho, d, -step, back);
    for (size_t j = 0; j < p; j++)
      D[k][j] = (there[j] - back[j]) / (2 * step);
  }
  for (size_t j = 0; j < p; j++) {
    const double wide = D[1][j] + (D[1][j] - D[0][j]) / 3,
                 narrow = D[2][j] + (D[2][j] - D[1][j]) / 3;
    product[j] = narrow + (narrow - wide) / 15;
  }
}

/* A problem, and a method with fixed steps. */
typedef struct row {
  const gradyn_problem *of;
  const char *method;
  double step;
} row;

static void check(const row *r)
{
  double rho[MOST], weight[16], d[MOST], product[MOST], other[MOST];
  run_local *ev = run_with(r->of, .method = r->method, .step = r->step);
  const size_t p = run_initial(ev, rho), f = gradyn_functional_count(ev);
  assert_true(p <= MOST && f <= 16);
  for (size_t i = 0; i < f; i++)
    weight[i] = i % 2 == 0 ? 1 : -0.5;
  for (size_t j = 0; j < p; j++) {
    const double scale = gradyn_parameter_at(ev, j).scale;
    d[j] = cos(1.3 * (double)j) * (scale > 0 ? scale : 1);
  }
  assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, 1, d, product), ev);
  extrapolate(ev, weight, rho, d, 2.5e-3, other);
  assert_close_array(product, other, p, 0, 1e-9 * largest_of(other, p));
}

/* Mechanisms with and without constraints, general equations, a free end time. */
TEST(products_are_those_of_the_executed_steps)
{
  static const row rows[] = {
      {&gradyn_problem_cart_pole, "explicit", 0.02}, {&gradyn_problem_cart_pole, "radau", 0.02},
      {&gradyn_problem_five_bar, "explicit", 0.01},  {&gradyn_problem_five_bar, "radau", 0.01},
      {&gradyn_problem_goddard, "explicit", 0.005},  {&gradyn_problem_goddard, "radau", 0.005},
      {&gradyn_problem_hang_glider, "explicit", 1}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    check(&rows[k]);
}

/* --- linear equations, quadratic functional ------------------------------------------------------- */

enum { START, INPUT, PARAMETERS };

static const double rate = -0.8;

static const gradyn_param params[] = {{"y0", "", .init = 1.5, GRADYN_UNBOUNDED, .scale = 1},
                                      {"u", "", .init = 0.4, GRADYN_UNBOUNDED, .scale = 1}};

FORMULA(grows, at->yp[0] - rate * at->y[0] - at->data[0])

FORMULA(cost, at->y[0] * at->y[0] + at->data[0] * at->data[0])

/* y' = a y + u; psi is the integral of y^2 + u^2. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum input = {"u", "", rho[INPUT]};
  gradyn_state(model, "y", "", rho[START]);
  declare_equations(model, grows, (gradyn_datum[]){input}, 1);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){
                 .name = "cost", .unit = "", .integrand = cost, .data = &input, .data_count = 1});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("linear", build, params, .t_end = 2);

/* y = e y0 + (e - 1)/a u with e = exp(a t); needs the integrals of e^2, e and 1 over [0, 2]. */
TEST(a_linear_quadratic_problem_has_its_closed_form)
{
  static const row rows[] = {{&problem, "explicit", 0.05}, {&problem, "radau", 0.002}};
  static const double unit[4] = {1, 0, 0, 1}, weight[1] = {1};
  const double a = rate, end = 2, I1 = (exp(a * end) - 1) / a,
               I2 = (exp(2 * a * end) - 1) / (2 * a);
  const double H[4] = {2 * I2, 2 * (I2 - I1) / a, 2 * (I2 - I1) / a,
                       2 * (I2 - 2 * I1 + end) / (a * a) + 2 * end};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double rho[PARAMETERS], product[4];
    run_local *ev = run_with(&problem, .method = rows[k].method, .step = rows[k].step);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_hessian_product(ev, weight, rho, PARAMETERS, unit, product), ev);
    assert_close_array(product, H, 4, 1e-11, 0);
  }
}
