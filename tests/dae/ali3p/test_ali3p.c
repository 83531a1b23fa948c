/* ALI3-P on the five-bar linkage: order, penalties, constraints and energy. The reference is the same
 * linkage in two angles, integrated by extrapolation to round-off. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/reference/five_bar_joint.h"

enum { PSI = 3, PARAMETERS = 5, ALL = PSI + PSI * PARAMETERS };

/* psi, followed by the gradient row by row. */
static void five_bar(const run_setup *setup, double result[ALL])
{
  run_setup s = *setup;
  s.problem = &gradyn_problem_five_bar;
  ali3p_gradient(&s, result, result + PSI, NULL);
}

static void reference(double result[ALL])
{
  five_bar_data d;
  double complex psi[PSI], *member[PARAMETERS];
  five_bar_default(&d);
  five_bar_parameters(&d, member);
  five_bar_joint(&d, 5.0, psi);
  for (int f = 0; f < PSI; f++)
    result[f] = creal(psi[f]);
  for (int j = 0; j < PARAMETERS; j++) {
    double derivative[PSI];
    five_bar_joint_derivative(&d, member[j], 5.0, derivative);
    for (int f = 0; f < PSI; f++)
      result[PSI + f * PARAMETERS + j] = derivative[f];
  }
}

/* With half the step, the errors of all numbers are a quarter. */
static void second_order(const run_setup *base, double coarsest, double tolerance)
{
  double exact[ALL], error[3][ALL];
  reference(exact);
  for (int k = 0; k < 3; k++) {
    run_setup s = *base;
    double result[ALL];
    s.step = coarsest / (1 << k);
    five_bar(&s, result);
    for (int i = 0; i < ALL; i++)
      error[k][i] = result[i] - exact[i];
  }
  for (int i = 0; i < ALL; i++) {
    double order = log2(fabs(error[1][i] / error[2][i]));
    if (fabs(order - 2) > tolerance)
      print_error("number %d: errors %g, %g, %g\n", i, error[0][i], error[1][i], error[2][i]);
    assert_close(order, 2, 0, tolerance);
    assert_close(log2(fabs(error[0][i] / error[1][i])), 2, 0, 3 * tolerance);
  }
}

TEST(trapezoidal_rule_has_order_two)
{
  second_order(&(run_setup){.sensitivity = "adjoint"}, 4e-3, 0.1);
  second_order(&(run_setup){.sensitivity = "direct"}, 4e-3, 0.1);
}

TEST(other_integrators_have_order_two)
{
  second_order(&(run_setup){.integrator = "hht", .integrator_parameter = -0.1}, 1e-3, 0.2);
  second_order(&(run_setup){.integrator = "generalised-alpha", .integrator_parameter = 0.8}, 1e-3,
               0.2);
}

/* Integral of a squared reaction, for curved and driven constraints. */
static double reaction(const run_setup *setup)
{
  double rho[ALI3P_MOST], psi[ALI3P_MOST];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_string_equal(gradyn_functional_at(ev, 1).name, "reaction");
  return psi[1];
}

/* The multipliers of the position problem alone would have order 1. */
TEST(multipliers_have_order_two)
{
  static const run_setup integrators[] = {
      {.problem = &ali3p_driven},
      {.problem = &ali3p_driven, .integrator = "hht", .integrator_parameter = -0.1},
      {.problem = &ali3p_driven, .integrator = "generalised-alpha", .integrator_parameter = 0.8}};
  const double exact = reaction(
      &(run_setup){.problem = &ali3p_driven, .method = "idas", .rtol = 1e-11});
  for (size_t i = 0; i < GRADYN_COUNT(integrators); i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      run_setup s = integrators[i];
      s.step = 2e-3 / (1 << k);
      error[k] = reaction(&s) - exact;
    }
    assert_true(fabs(error[1]) > 1e-9 * exact);
    assert_close(log2(fabs(error[0] / error[1])), 2, 0, 0.1);
  }
}

/* Newmark's method with gamma > 1/2 dissipates energy and has order 1. */
TEST(newmark_with_dissipation_has_order_one)
{
  double exact[ALL], result[2][ALL];
  reference(exact);
  for (int k = 0; k < 2; k++) {
    run_setup s = {.integrator = "newmark", .integrator_parameter = 0.6, .step = 1e-3 / (1 << k)};
    five_bar(&s, result[k]);
  }
  for (int f = 0; f < PSI; f++)
    assert_close((result[0][f] - exact[f]) / (result[1][f] - exact[f]), 2, 0, 0.1);
}

/* --- penalties -------------------------------------------------------------------------------------- */

TEST(penalties_do_not_matter)
{
  const double penalty[] = {1e9, 1e10, 1e11, 1e12};
  double exact[ALL], result[ALL];
  run_setup s = {.step = 2e-3};
  five_bar(&s, exact);
  for (int k = 0; k < 4; k++) {
    s.penalty = penalty[k];
    s.projection_penalty = 0;
    five_bar(&s, result);
    assert_close_array(result, exact, ALL, 1e-8, 0);
    s.projection_penalty = penalty[k];
    five_bar(&s, result);
    assert_close_array(result, exact, ALL, 1e-8, 0);
  }
}

/* The violation that remains after one penalty solve decreases as the penalty grows; without a penalty it
 * is zero. */
TEST(soft_projections_leave_their_stated_residual)
{
  double psi[3], gradient[15], drift[3];
  const double penalty[] = {0, 1e4, 1e6};
  for (int k = 0; k < 3; k++) {
    gradyn_statistics cost;
    const run_setup s = {.problem = &gradyn_problem_five_bar,
                         .step = 0.01,
                         .t_end = 2,
                         .projection_penalty = penalty[k]};
    ali3p_gradient(&s, psi, gradient, &cost);
    drift[k] = cost.drift_velocity;
  }
  assert_true(drift[0] < 1e-12);
  assert_close(drift[1] / drift[2], 100, 0.02, 0);
}

/* A chain that is too large for the Schur complement: its position problem uses the penalty. */
TEST(penalties_do_not_matter_to_chains)
{
  double exact[3], psi[3], exact_gradient[9], gradient[9];
  run_setup s = {.problem = &gradyn_problem_chain, .setting = "links", .value = 20, .step = 1e-3};
  ali3p_gradient(&s, exact, exact_gradient, NULL);
  for (double penalty = 1e9; penalty < 2e12; penalty *= 10) {
    s.penalty = s.projection_penalty = penalty;
    ali3p_gradient(&s, psi, gradient, NULL);
    assert_close_array(psi, exact, 3, 1e-8, 0);
    assert_close_array(gradient, exact_gradient, 9, 1e-8, 1e-8);
  }
}

/* Parallel bars: with a small penalty, corrections are negligible compared with the violation. */
TEST(small_penalties_are_refused)
{
  for (double penalty = 1e-6; penalty < 1e6; penalty *= 100) {
    double rho[8];
    run_local *ev = ali3p_open(
        &(run_setup){.problem = &gradyn_problem_parallel_bars, .step = 1e-3, .penalty = penalty});
    run_initial(ev, rho);
    assert_refused(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev, GRADYN_INVALID, "too small");
  }
}

/* --- long runs ---------------------------------------------------------------------------------------- */

/* Largest energy error in J, in each tenth of a run of 50 s. */
static void energy_errors(double step, double error[10])
{
  run_setup s = {.problem = &gradyn_problem_five_bar, .step = step, .t_end = 50};
  run_local *ev = ali3p_open(&s);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  double rho[PARAMETERS], y[40], start = NAN;
  five_bar_data d;
  five_bar_default(&d);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  for (int k = 0; k < 10; k++)
    error[k] = 0;
  for (size_t k = 0; k < gradyn_trajectory_read(trajectory).steps; k++) {
    double t = gradyn_trajectory_step(trajectory, k, y);
    double r[2] = {y[2] - y[0], y[3] - y[1]}, v[2] = {y[8] - y[6], y[9] - y[7]};
    double complex state[FIVE_BAR_STATES] = {
        atan2(y[1], y[0]), atan2(r[1], r[0]),
        (y[0] * y[7] - y[1] * y[6]) / (y[0] * y[0] + y[1] * y[1]),
        (r[0] * v[1] - r[1] * v[0]) / (r[0] * r[0] + r[1] * r[1])};
    double energy = creal(five_bar_energy(&d, state));
    start = k == 0 ? energy : start;
    int tenth = (int)fmin(t / 5, 9);
    error[tenth] = fmax(error[tenth], fabs(energy - start));
  }
}

TEST(energy_errors_stay_bounded)
{
  double coarse[10], fine[10];
  energy_errors(4e-3, coarse);
  energy_errors(2e-3, fine);
  for (int k = 0; k < 10; k++) {
    assert_close(fine[k], 0, 0, 5e-5); /* relative to the energy of 50 J that is exchanged */
    assert_close(coarse[k] / fine[k], 4, 0, 0.5);
  }
  /* no growth: no later tenth has a larger error than the second one */
  for (int k = 2; k < 10; k++)
    assert_true(fine[k] < 1.02 * fine[1]);
}

TEST(constraints_hold_for_long)
{
  double drift[2][3];
  const double t_end[2] = {5, 50};
  for (int k = 0; k < 2; k++) {
    run_setup s = {.problem = &gradyn_problem_five_bar, .step = 1e-3, .t_end = t_end[k]};
    run_local *ev = ali3p_open(&s);
    double rho[PARAMETERS];
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    gradyn_statistics statistics = gradyn_evaluator_statistics(ev);
    drift[k][0] = statistics.drift_position;
    drift[k][1] = statistics.drift_velocity;
    drift[k][2] = statistics.drift_acceleration;
  }
  const double limit[3] = {3e-15, 3e-15, 1e-14}; /* m, m/s, m/s^2: round-off */
  for (int order = 0; order < 3; order++) {
    assert_true(drift[0][order] > 0);
    assert_true(drift[1][order] < limit[order]);
  }
}
