/* Gradients of ALI3-P with penalty projections, redundant constraints and singular positions. */
#include "tests/adjoint/ali3p_models.h"

typedef struct family {
  const char *name;
  double parameter;
} family;

static const family integrators[] = {
    {"trapezoidal", 0}, {"newmark", 0.6}, {"hht", -0.1}, {"generalised-alpha", 0.8}};

enum { INTEGRATORS = GRADYN_COUNT(integrators) };

static void direct_equals_adjoint(run_setup setup, bool (*counts)(const char *datum), int row)
{
  for (size_t i = 0; i < INTEGRATORS; i++) {
    if (!support_takes((int)i + row, 4))
      continue;
    setup.integrator = integrators[i].name;
    setup.integrator_parameter = integrators[i].parameter;
    ali3p_compare_data(&setup, counts, 1e-10);
  }
}

/* With a single penalty solve for each projection, the discrete scheme is a different one and has its own
 * gradient. */
TEST(penalty_projections_have_exact_gradients)
{
  run_setup setup = {
      .problem = &gradyn_problem_five_bar, .step = 0.01, .t_end = 2, .projection_penalty = 1e4};
  direct_equals_adjoint(setup, NULL, 1);
  ali3p_compare_differences(&setup, 2e-3, 1e-7);
}

/* Redundant constraints are reported with penalty projections, too, and the motion hardly changes. */
TEST(penalty_projections_accept_redundancy)
{
  double exact[3], psi[3], gradient[3 * 4];
  run_setup setup = {
      .problem = &gradyn_problem_parallel_bars, .setting = "redundant", .value = 1, .step = 1e-3};
  ali3p_gradient(&setup, exact, gradient, NULL);
  int row = 0;
  for (setup.projection_penalty = 1e2; setup.projection_penalty < 1e10;
       setup.projection_penalty *= 1e4) {
    ali3p_gradient(&setup, psi, gradient, NULL);
    assert_close_array(psi, exact, 3, 1e-4 / setup.projection_penalty + 1e-12, 0);
    direct_equals_adjoint(setup, ali3p_keeps_parallel, 2 + row++);
  }
}

/* --- differences ---------------------------------------------------------------------------------- */

TEST(long_chain_agrees_with_differences)
{
  run_setup setup = {
      .problem = &gradyn_problem_chain, .setting = "links", .value = 20, .step = 5e-3};
  ali3p_compare_differences(&setup, 2e-3, 1e-7);
}

/* The mechanism reaches its first singular position after 0.71 s. */
TEST(four_bars_agree_with_differences)
{
  run_setup setup = {.problem = &gradyn_problem_four_bar_chain, .t_end = 2, .step = 5e-3};
  ali3p_compare_differences(&setup, 1e-3, 1e-7);
  ali3p_compare_data(&setup, NULL, 1e-8);
}

/* --- with and without redundancy -------------------------------------------------------------------- */

TEST(redundancy_changes_nothing)
{
  double psi[2][3], gradient[2][3 * 4];
  run_setup setup = {
      .problem = &gradyn_problem_parallel_bars, .setting = "redundant", .step = 1e-3};
  for (setup.value = 0; setup.value < 2; setup.value++)
    ali3p_gradient(&setup, psi[setup.value], gradient[setup.value], NULL);
  assert_close_array(psi[1], psi[0], 3, 1e-11, 0);
  assert_close_array(gradient[1], gradient[0], 12, 1e-9, 1e-10);
}
