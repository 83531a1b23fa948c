/* Gradients by differences of whole runs, for every kind of problem: close to the exact ones, equal to the
 * quotient computed by hand, within bounds, with the right cost, and with a clear message if they fail. */
#include <complex.h>

#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

/* --- a functional in closed form ------------------------------------------------------------------ */

enum { A, B, ZERO, P };

/* psi = T a^2 + b^2 + (1 + z)^2 is of second degree, so that only forward differences have an error. */
static const gradyn_param params[] = {
    [A] = {"a", "m", .init = 2, .lower = 1, .upper = 3},
    [B] = {"b", "m", .init = 0.5, .lower = -1, .upper = 1},
    [ZERO] = {"zero", "m", .init = 0, .lower = -1, .upper = 1, .scale = 0.1},
};
static const gradyn_param stuck_params[] = {{"a", "m", .init = 2, .lower = 1, .upper = 3},
                                            {"stuck", "m", .init = 1, .lower = 1, .upper = 1},
                                            {"zero", "m", .init = 0, .lower = -1, .upper = 1}};

enum { T_END = 2 };
static double lowest[P], highest[P]; /* smallest and largest values that build() has received */
static double forbidden;             /* for larger a, the equations fail */

static gradyn_status grow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->data[0] * at->data[0];
  F[1] = at->yp[1];
  F[2] = at->yp[2];
  return creal(at->data[0]) > forbidden ? GRADYN_CALLBACK : GRADYN_OK;
}

FORMULA(sum, at->y[0] + at->y[1] * at->y[1] + (1 + at->y[2]) * (1 + at->y[2]))

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  for (int j = 0; j < P; j++) {
    lowest[j] = fmin(lowest[j], creal(rho[j]));
    highest[j] = fmax(highest[j], creal(rho[j]));
  }
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "y", "m", rho[B]);
  gradyn_state(model, "z", "m", rho[ZERO]);
  const gradyn_datum a = {"a", "m", rho[A]};
  declare_equations(model, grow, &a, 1);
  gradyn_minimise(model, declare_end(model, "sum", "m", sum), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem square = PROBLEM("square", build, params, .t_end = T_END,
                                             .method = "idas", .rtol = 1e-12);

static gradyn_evaluator *open(const gradyn_problem *problem, double perturbation)
{
  forbidden = HUGE_VAL;
  return run_with(problem, .sensitivity = "differences", .perturbation = perturbation);
}

/* Computes the gradient of `square` at rho and checks that all points lie within the bounds. */
static void gradient_within(const double rho[P], double perturbation, double gradient[P])
{
  run_local *ev = open(&square, perturbation);
  for (int j = 0; j < P; j++) {
    lowest[j] = HUGE_VAL;
    highest[j] = -HUGE_VAL;
  }
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  for (int j = 0; j < P; j++) {
    assert_true(lowest[j] >= params[j].lower && highest[j] <= params[j].upper);
    assert_true(highest[j] > lowest[j]);
  }
}

/* The final x is accurate to rtol, so that central differences are accurate to the power 2/3 of it. */
TEST(central_ones_are_of_second_order_at_bounds_too)
{
  const double points[][P] = {
      {2, 0.5, 0}, {3, 1, 1}, {1, -1, -1}, {3 - 1e-5, -1 + 1e-9, 0.1}, {1 + 1e-12, 0, 0}};
  for (size_t i = 0; i < GRADYN_COUNT(points); i++) {
    const double *rho = points[i];
    double gradient[P];
    gradient_within(rho, 0, gradient);
    assert_close(gradient[A], 2 * rho[A] * T_END, 1e-7, 0);
    assert_close(gradient[B], 2 * rho[B], 1e-7, 1e-8);
    assert_close(gradient[ZERO], 2 * (1 + rho[ZERO]), 1e-7, 1e-8);
  }
}

/* A forward difference of rho^2 with the step s is 2 rho + s, which shows the length and the sign of the
 * step. */
TEST(forward_ones_have_the_requested_step)
{
  double gradient[P];
  gradient_within((const double[P]){2, 0.5, 0}, 0.01, gradient);
  assert_close(gradient[A], T_END * (4 + 0.02), 1e-9, 0);
  assert_close(gradient[B], 1 + 0.005, 1e-9, 0);
  assert_close(gradient[ZERO], 2 + 0.001, 1e-9, 0); /* its scale is 0.1 */
  gradient_within((const double[P]){3, -1, 0.9999}, 0.01, gradient);
  assert_close(gradient[A], T_END * (6 - 0.03), 1e-9, 0); /* turned round */
  assert_close(gradient[B], -2 + 0.01, 1e-9, 0);
  assert_close(gradient[ZERO], 2 * 1.9999 - 0.009999, 1e-9, 0);
  /* the step does not fit on either side: it ends at the bound that is further away */
  gradient_within((const double[P]){1.7, 0.5, 0}, 0.9, gradient);
  assert_close(gradient[A], T_END * (3.4 + 1.3), 1e-9, 0);
  gradient_within((const double[P]){2.4, 0.5, 0}, 0.9, gradient);
  assert_close(gradient[A], T_END * (4.8 - 1.4), 1e-9, 0);
}

/* --- failures and costs --------------------------------------------------------------------------- */

TEST(a_perturbed_run_that_fails_is_named)
{
  const double rho[P] = {2, 0.5, 0};
  double psi, gradient[P];
  run_local *ev = open(&square, 0.01);
  forbidden = 2.01;
  assert_refused(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev, GRADYN_CALLBACK,
                 "a = 2.02 instead of 2 m");
  for (size_t i = 0; i < gradyn_evaluator_model_info(ev).data;
       i++) /* the data have the values of rho again */
    if (strcmp(gradyn_datum_at(ev, i).name, "a") == 0)
      assert_true(gradyn_datum_at(ev, i).value == 2);
  forbidden = HUGE_VAL;
  assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
}

TEST(empty_ranges_are_named)
{
  gradyn_problem stuck = square;
  stuck.params = stuck_params;
  run_local *ev = open(&stuck, 0);
  double gradient[P];
  assert_refused(gradyn_evaluator_gradient(ev, (const double[P]){2, 1, 0}, NULL, gradient), ev,
                 GRADYN_INVALID, "stuck");
}

TEST(nonsense_is_refused)
{
  double gradient[200];
  run_local *ev = open(&square, 0);
  assert_status(gradyn_evaluator_data_gradient(ev, (const double[P]){2, 0.5, 0}, NULL, gradient),
                GRADYN_UNSUPPORTED, NULL);
  assert_says(gradyn_evaluator_message(ev), "adjoint");
  assert_no_run(GRADYN_INVALID, "", &square, .perturbation = 1);
  const char *const names[] = {"adjoint", "direct", "continuous-adjoint", "differences"};
  for (size_t i = 0; i < GRADYN_COUNT(names); i++)
    assert_no_run(GRADYN_INVALID, names[i], &square, .sensitivity = "difference");
}

TEST(costs_are_those_of_all_runs)
{
  for (int forward = 0; forward < 2; forward++) {
    double rho[5], psi[3], gradient[15];
    run_local *ev = run_with(&gradyn_problem_five_bar, .method = "ali3p",
                             .sensitivity = "differences", .step = 0.01, .t_end = 1,
                             .perturbation = forward ? 1e-3 : 0);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    gradyn_statistics s = gradyn_evaluator_statistics(ev);
    /* central differences take at least three pairs for each of five parameters */
    assert_true(forward ? s.simulations == 6 : s.simulations >= 31 && s.simulations < 51);
    assert_int_equal(s.steps, 100 * s.simulations);
    assert_int_equal(s.steps_backward, 0);
    assert_true(s.time_simulate > 0);
    assert_true(s.newton_iterations >= s.steps);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    s = gradyn_evaluator_statistics(ev);
    assert_int_equal(s.simulations, 0);
    assert_int_equal(s.steps, 100);
  }
}

/* --- functionals that nothing moves --------------------------------------------------------------- */

FORMULA(extent, at->pos[4] * at->pos[4] + at->pos[5] * at->pos[5])
FORMULA(stretching, at->pos[4] * at->vel[4] + at->pos[5] * at->vel[5])

/* A pendulum: the square of its length is constant and its rate zero, so that differences of both consist
 * of round-off. */
static gradyn_status build_pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  const int pivot = gradyn_ground_point(m, "pivot", 0, 0),
            bob = gradyn_point(m, "bob", 0.7 * sin(1), -0.7 * cos(1));
  gradyn_rod(m, &(gradyn_rod_spec){"rod", pivot, bob, .length = 0.7, .mass = rho[0]});
  gradyn_gravity(m, 0, -rho[1]);
  declare_end(m, "extent", "m^2", extent);
  declare_end(m, "stretching", "m^2/s", stretching);
  return gradyn_build_status(m);
}

static const gradyn_param pendulum_params[] = {
    {"mass", "kg", .init = 1, GRADYN_UNBOUNDED},
    {"gravity", "m/s^2", .init = 9.81, GRADYN_UNBOUNDED}};
static const gradyn_problem pendulum = PROBLEM("pendulum", build_pendulum, pendulum_params,
                                               .t_end = 2);

TEST(round_off_is_not_uncertain)
{
  for (size_t k = 0; k < 2; k++) {
    const double rho[2] = {1, 9.81};
    double gradient[4];
    run_local *ev = run_with(&pendulum, .method = run_fixed[k], .step = 0.01,
                             .sensitivity = "differences");
    assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
    assert_close_array(gradient, (double[4]){0}, 4, 0, 1e-9);
    assert_string_equal(gradyn_evaluator_warnings(ev), "");
  }
}

/* --- every problem -------------------------------------------------------------------------------- */

typedef struct example {
  const gradyn_problem *problem;
  const char *method;
  double rtol, t_end;
  /* relative to a functional's largest derivative, with parameters in units of their sizes */
  double tolerance;
} example;

static void gradient_of(const example *e, const char *sensitivity, double rho[64], double size[64],
                        double gradient[ALI3P_MOST], size_t *nf, size_t *p)
{
  run_local *ev = run_with(e->problem, .method = e->method, .sensitivity = sensitivity,
                           .rtol = e->rtol, .t_end = e->t_end);
  *p = run_initial(ev, rho);
  *nf = gradyn_functional_count(ev);
  for (size_t j = 0; j < *p; j++)
    size[j] = fmax(fabs(rho[j]), gradyn_parameter_at(ev, j).scale);
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
}

/* Runs with a tolerance of 1e-11 give derivatives with errors of about its square root; bounces enlarge
 * them. */
TEST(they_come_close_to_the_exact_ones)
{
  const example examples[] = {
      {&gradyn_problem_five_bar, "ali3p", 0, 1, 1e-7},
      {&gradyn_problem_chain, "ali3p", 0, 1, 1e-7},
      {&gradyn_problem_parallel_bars, "ali3p", 0, 0, 1e-7},
      {&ali3p_driven, "ali3p", 0, 0, 1e-7},
      {&gradyn_problem_five_bar, "idas", 1e-10, 1, 1e-5},
      {&gradyn_problem_cart_pole, "idas", 1e-10, 0, 1e-5},
      {&gradyn_problem_double_integrator, "idas", 1e-10, 0, 1e-5},
      {&gradyn_problem_brachistochrone, "idas", 1e-10, 0, 1e-5},
      {&gradyn_problem_robertson, "idas", 1e-10, 0, 1e-4},
      {&gradyn_problem_bouncing_five_bar, "explicit", 1e-10, 0, 1e-8},
      {&gradyn_problem_bouncing_ball, "explicit", 1e-10, 0, 1e-6},
  };
  static double exact[ALI3P_MOST], differences[ALI3P_MOST];
  double rho[64], size[64];
  for (size_t i = 0; i < GRADYN_COUNT(examples); i++) {
    size_t nf, p;
    if (!support_takes((int)i, 3))
      continue;
    gradient_of(&examples[i], "adjoint", rho, size, exact, &nf, &p);
    gradient_of(&examples[i], "differences", rho, size, differences, &nf, &p);
    for (size_t f = 0; f < nf; f++) {
      double largest = 0;
      for (size_t j = 0; j < p; j++)
        largest = fmax(largest, fabs(exact[f * p + j]) * size[j]);
      for (size_t j = 0; j < p; j++)
        assert_close(differences[f * p + j] * size[j], exact[f * p + j] * size[j], 0,
                     examples[i].tolerance * largest + 1e-30);
    }
    assert_memory_not_equal(exact, differences, nf * p * sizeof *exact);
  }
}
