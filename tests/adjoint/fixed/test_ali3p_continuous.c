/* The continuous adjoint of ALI3-P converges with order 1 in the step to the exact gradients of the
 * discrete scheme. */
#include "tests/adjoint/ali3p_models.h"

/* Gradients [nf][p] with a step, half of it, and so on. */
enum { STEPS = 2 };
typedef struct study {
  double continuous[STEPS][ALI3P_MOST], exact[STEPS][ALI3P_MOST];
  size_t nf, p;
} study;

static void run(run_setup setup, const char *exact, study *out)
{
  run_local *ev = ali3p_open(&setup);
  out->nf = gradyn_functional_count(ev);
  out->p = gradyn_parameter_count(ev);
  for (int k = 0; k < STEPS; k++, setup.step /= 2) {
    setup.sensitivity = "continuous-adjoint";
    ali3p_gradient(&setup, NULL, out->continuous[k], NULL);
    setup.sensitivity = exact;
    ali3p_gradient(&setup, NULL, out->exact[k], NULL);
  }
}

/* --- order ---------------------------------------------------------------------------------------- */

/* With half the step, the deviation from the exact gradient at the same step is half as large, for every
 * derivative. The deviation is of the size by which the published gradients differ from each other. */
TEST(five_bar_converges_with_order_one)
{
  static study s;
  double mean = 0;
  run((run_setup){.problem = &gradyn_problem_five_bar, .step = 5e-4}, "direct", &s);
  for (size_t i = 0; i < s.nf * s.p; i++) {
    double error[STEPS];
    for (int k = 0; k < STEPS; k++)
      error[k] = fabs(s.continuous[k][i] - s.exact[k][i]);
    double order = log2(error[0] / error[1]);
    assert_close(order, 1, 0, 0.2);
    mean += order / (double)(s.nf * s.p);
    assert_true(error[0] < 1e-3 * fabs(s.exact[0][i]));
    assert_true(error[0] > 1e-6 * fabs(s.exact[0][i]));
  }
  assert_close(mean, 1, 0, 0.05);
}

/* --- limits ----------------------------------------------------------------------------------------- */

/* Both gradients are extrapolated to step zero. They must agree to rtol of a functional's largest
 * derivative, and at least 5 times better than without extrapolation. */
static void limits_agree(run_setup setup, double rtol)
{
  static study s;
  run(setup, "adjoint", &s);
  for (size_t f = 0; f < s.nf; f++) {
    double size = largest_of(s.exact[0] + f * s.p, s.p), plain = 0, worst = 0;
    for (size_t j = 0; j < s.p; j++) {
      size_t i = f * s.p + j;
      double continuous = 2 * s.continuous[1][i] - s.continuous[0][i];
      double exact = 2 * s.exact[1][i] - s.exact[0][i];
      assert_close(continuous, exact, 0, rtol * size);
      worst = fmax(worst, fabs(continuous - exact));
      plain = fmax(plain, fabs(s.continuous[0][i] - s.exact[0][i]));
    }
    assert_true(5 * worst <= plain + 2e-5 * size);
  }
}

/* Derivatives with respect to springs, lengths and masses; functionals of accelerations. */
TEST(limits_of_five_bar_agree)
{
  limits_agree((run_setup){.problem = &gradyn_problem_five_bar, .step = 1e-3}, 1e-5);
}

/* Terminal functionals of velocities and energy, damping; dense and sparse matrices. */
TEST(limits_of_chains_agree)
{
  run_setup setup = {
      .problem = &gradyn_problem_chain, .setting = "links", .value = 3, .step = 1e-3};
  limits_agree(setup, 5e-4);
  setup.value = 20;
  setup.step = 2.5e-4;
  setup.t_end = support_thorough() ? 0.5 : 0.1;
  limits_agree(setup, 5e-3);
}

/* Rheonomic constraints, both kinds of signals, a reaction, a free end time. */
TEST(limits_of_a_driven_mechanism_agree)
{
  limits_agree((run_setup){.problem = &ali3p_driven, .step = 2e-3}, 5e-4);
}

TEST(limits_of_cart_pole_agree)
{
  limits_agree((run_setup){.problem = &gradyn_problem_cart_pole, .step = 1e-3}, 1e-4);
}

/* Derivatives with respect to all data, including the end time. */
TEST(limits_by_all_data_agree)
{
  static double gradient[2][STEPS][ALI3P_MOST];
  double rho[5];
  size_t nf = 0, count = 0;
  for (int c = 0; c < 2; c++)
    for (int k = 0; k < STEPS; k++) {
      run_setup setup = {.problem = &gradyn_problem_five_bar,
                         .sensitivity = c ? "continuous-adjoint" : "adjoint",
                         .step = k ? 5e-4 : 1e-3};
      run_local *ev = ali3p_open(&setup);
      run_initial(ev, rho);
      nf = gradyn_functional_count(ev);
      count = gradyn_evaluator_model_info(ev).data;
      assert_in_range(nf * count, 1, ALI3P_MOST);
      assert_run(gradyn_evaluator_data_gradient(ev, rho, NULL, gradient[c][k]), ev);
    }
  for (size_t f = 0; f < nf; f++) {
    double size = largest_of(gradient[0][0] + f * count, count);
    for (size_t i = f * count; i < (f + 1) * count; i++)
      assert_close(2 * gradient[1][1][i] - gradient[1][0][i],
                   2 * gradient[0][1][i] - gradient[0][0][i], 0, 2e-5 * size);
  }
}

/* --- redundancy, memory --------------------------------------------------------------------------- */

TEST(redundancy_changes_nothing)
{
  double gradient[2][3 * 4];
  run_setup setup = {.problem = &gradyn_problem_parallel_bars,
                     .step = 1e-3,
                     .sensitivity = "continuous-adjoint",
                     .setting = "redundant"};
  for (setup.value = 0; setup.value < 2; setup.value++)
    ali3p_gradient(&setup, NULL, gradient[setup.value], NULL);
  assert_close_array(gradient[1], gradient[0], 12, 1e-7, 1e-8);
  setup.value = 1;
  setup.step = 2e-3;
  limits_agree(setup, 1e-4);
}

/* If memory is short, nodes are recomputed: nodes and gradients must have the same bits. */
TEST(memory_changes_nothing)
{
  double gradient[2][15];
  gradyn_statistics s;
  run_setup setup = {
      .problem = &gradyn_problem_five_bar, .sensitivity = "continuous-adjoint", .step = 0.01};
  ali3p_gradient(&setup, NULL, gradient[0], &s);
  assert_int_equal(s.steps, 500);
  assert_int_equal(s.steps_backward, 500);
  setup.memory = 3e4;
  ali3p_gradient(&setup, NULL, gradient[1], NULL);
  assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
}

/* --- what it does not support --------------------------------------------------------------------- */

TEST(the_rest_is_refused)
{
  const gradyn_problem *problem = &gradyn_problem_five_bar;
  const char *const integrators[] = {"newmark", "hht", "generalised-alpha"},
                    *way = "continuous-adjoint";
  const double parameters[] = {0.6, -0.1, 0.8};
  assert_no_run(GRADYN_UNSUPPORTED, "auto", problem, .sensitivity = way);
  assert_no_run(GRADYN_UNSUPPORTED, "penalty", problem, .method = "ali3p", .sensitivity = way,
                .projection_penalty = 1e9);
  for (int i = 0; i < 3; i++)
    assert_no_run(GRADYN_UNSUPPORTED, integrators[i], problem, .method = "ali3p",
                  .sensitivity = way, .integrator = integrators[i],
                  .integrator_parameter = parameters[i]);
}
