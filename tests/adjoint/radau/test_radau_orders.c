/* The order of radau: values and gradients with steps of two lengths, against motions that are known
 * independently. */
#include <math.h>

#include "tests/adjoint/joint_friction_models.h"
#include "tests/adjoint/radau/order_models.h"

enum { MOST = 6 }; /* functionals, and parameters */

/* Orders of the value and of the gradient of a functional. */
typedef struct orders {
  double value, gradient;
} orders;

typedef struct row {
  const char *name;
  const order_equations *equations; /* or */
  const gradyn_problem *problem;
  support_formula
      exact;   /* closed form of a problem; NULL: compare with explicit at a tolerance of 1e-13 */
  int narrow;  /* setting of the friction models */
  double step; /* s, the longer step; the other one is half of it */
  orders order[MOST]; /* of its functionals */
} row;

static const row rows[] = {
    {"pendulum: x, v, a, force, impulse",
     NULL,
     &order_pendulum,
     order_pendulum_exact,
     0,
     1.0 / 32,
     {{5, 5}, {5, 5}, {5, 5}, {5, 5}, {5, 5}}},
    {"stiff linear: y0, y1, integral", &order_stiff, .step = 0.25,
     .order = {{5, 5}, {5, 5}, {5, 5}}},
    {"Prothero and Robinson: y, integral", &order_prothero_robinson, .step = 1.0 / 16,
     .order = {{3, 3}, {5, 5}}},
    {"circuit: u0, u1, algebraic u2, integral", &order_circuit, .step = 1.0 / 16,
     .order = {{5, 5}, {5, 5}, {5, 5}, {5, 5}}},
    {"cubic: y, algebraic a, integral", &order_cubic, .step = 1.0 / 8,
     .order = {{5, 5}, {5, 5}, {5, 5}}},
    {"friction, 1e-2 m/s: end, heat, effort, rate", .problem = &joint_friction_block,
     .step = 1.25e-4, .order = {{5, 5}, {5, 5}, {5, 5}, {5, 5}}},
    {"friction, 1e-3 m/s: end, heat, effort, rate", .problem = &joint_friction_block, .narrow = 1,
     .step = 1.25e-5, .order = {{5, 5}, {5, 5}, {5, 5}, {5, 5}}},
};

/* Functionals and their gradients. */
typedef struct results {
  int functionals, parameters;
  double value[MOST], slope[MOST * MOST];
} results;

/* Runs a method with steps of this length; 0: with error control. */
static results run(const row *r, const char *method, const char *sensitivity, double step)
{
  const gradyn_problem problem = r->equations ? order_declare(r->equations) : *r->problem;
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity,
                           .step = step > 0 ? step : -1, .rtol = step > 0 ? -1 : 1e-13,
                           .setting = problem.setting_count ? "narrow" : NULL, .value = r->narrow);
  results out = {.functionals = (int)gradyn_functional_count(ev)};
  double rho[MOST];
  out.parameters = (int)run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, out.value, out.slope), ev);
  return out;
}

static results expected(const row *r)
{
  const support_formula exact = r->equations ? r->equations->exact : r->exact;
  if (!exact)
    return run(r, "explicit", "direct", 0);
  results out = run(r, "radau", "adjoint", r->step); /* for its sizes */
  double rho[MOST];
  for (int j = 0; j < out.parameters; j++)
    rho[j] = r->equations ? r->equations->parameter[j] : r->problem->params[j].init;
  support_complex_step(exact, rho, out.parameters, out.functionals, out.value, out.slope);
  return out;
}

/* Errors of functional f: of its value, relative to the value; of its gradient, relative to the largest
 * component. */
static orders errors(const results *got, const results *exact, int f)
{
  const int n = exact->parameters;
  double worst = 0, most = 0;
  for (int j = 0; j < n; j++) {
    worst = fmax(worst, fabs(got->slope[f * n + j] - exact->slope[f * n + j]));
    most = fmax(most, fabs(exact->slope[f * n + j]));
  }
  return (orders){fabs(got->value[f] / exact->value[f] - 1), worst / most};
}

/* Checks the ratio of errors with a step and half of it. The errors must be above round-off, otherwise they
 * show no order. */
static void assert_order(double coarse, double fine, double order)
{
  const double seen = log2(coarse / fine);
  print_message(" %.2f (%.1e, %.1e)", seen, coarse, fine);
  assert_true(fine > 1e-12);
  assert_true(fabs(seen - order) < 0.4);
}

/* For driven stiff states only the stage order 3 remains, as for the Prothero-Robinson equation. */
TEST(orders_are_those_of_the_theory)
{
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    const row *r = &rows[k];
    if (r->narrow && !support_thorough())
      continue;
    const results exact = expected(r), coarse = run(r, "radau", "adjoint", r->step),
                  fine = run(r, "radau", "adjoint", r->step / 2);
    print_message("%s\n", r->name);
    for (int f = 0; f < exact.functionals; f++) {
      const orders at[] = {errors(&coarse, &exact, f), errors(&fine, &exact, f)};
      print_message("  value");
      assert_order(at[0].value, at[1].value, r->order[f].value);
      print_message(", gradient");
      assert_order(at[0].gradient, at[1].gradient, r->order[f].gradient);
      print_message("\n");
    }
  }
}
