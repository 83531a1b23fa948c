/* Tests of the gradients of ALI3-P: direct against adjoint, both against differences of the run. */
#include "tests/adjoint/ali3p_models.h"

typedef struct family {
  const char *name;
  double parameter;
} family;

static const family integrators[] = {
    {"trapezoidal", 0}, {"newmark", 0.6}, {"hht", -0.1}, {"generalised-alpha", 0.8}};

enum { INTEGRATORS = GRADYN_COUNT(integrators) };

static void direct_equals_adjoint(ali3p_setup setup, bool (*counts)(const char *datum))
{
  for (size_t i = 0; i < INTEGRATORS; i++) {
    setup.integrator = integrators[i].name;
    setup.integrator_parameter = integrators[i].parameter;
    ali3p_compare_data(&setup, counts, 1e-10);
  }
}

TEST(five_bar_direct_equals_adjoint)
{
  direct_equals_adjoint((ali3p_setup){.problem = &gradyn_problem_five_bar, .step = 5e-3}, NULL);
}

/* Small and dense, with the Schur complement, and large and sparse. */
TEST(chain_direct_equals_adjoint)
{
  ali3p_setup setup = {.problem = &gradyn_problem_chain, .setting = "links", .value = 3};
  direct_equals_adjoint(setup, NULL);
  setup.value = 20;
  setup.step = 5e-3;
  direct_equals_adjoint(setup, NULL);
}

TEST(driven_direct_equals_adjoint)
{
  direct_equals_adjoint((ali3p_setup){.problem = &ali3p_driven}, NULL);
}

/* Where elements meet points that others carry, products with data go direction by direction. */
TEST(attached_direct_equals_adjoint)
{
  direct_equals_adjoint((ali3p_setup){.problem = &ali3p_attached}, NULL);
}

/* Data that may vary while the redundant constraints go on agreeing with each other. */
static bool keeps_parallel(const char *datum)
{
  return !strstr(datum, ".length") && strncmp(datum, "A.", 2) != 0 &&
         strncmp(datum, "B.", 2) != 0 && strncmp(datum, "C.", 2) != 0;
}

TEST(parallel_bars_direct_equals_adjoint)
{
  ali3p_setup setup = {
      .problem = &gradyn_problem_parallel_bars, .setting = "redundant", .value = 1};
  direct_equals_adjoint(setup, keeps_parallel);
  setup.value = 0;
  direct_equals_adjoint(setup, NULL);
}

/* One penalty solve for each projection is another discrete scheme, with its own gradient. */
TEST(penalty_projections_have_exact_gradients)
{
  ali3p_setup setup = {
      .problem = &gradyn_problem_five_bar, .step = 0.01, .t_end = 2, .projection_penalty = 1e4};
  direct_equals_adjoint(setup, NULL);
  ali3p_compare_differences(&setup, 2e-3, 1e-7);
}

/* Redundant constraints are noticed whatever the penalty hides of them; the motion is hardly another. */
TEST(penalty_projections_bear_redundancy)
{
  double exact[3], psi[3], gradient[3 * 4];
  ali3p_setup setup = {
      .problem = &gradyn_problem_parallel_bars, .setting = "redundant", .value = 1};
  ali3p_gradient(&setup, exact, gradient, NULL);
  for (setup.projection_penalty = 1e2; setup.projection_penalty < 1e10;
       setup.projection_penalty *= 1e4) {
    ali3p_gradient(&setup, psi, gradient, NULL);
    assert_close_array(psi, exact, 3, 1e-4 / setup.projection_penalty + 1e-12, 0);
    direct_equals_adjoint(setup, keeps_parallel);
  }
}

/* --- differences ---------------------------------------------------------------------------------- */

static void differences_agree(ali3p_setup setup, double size)
{
  for (size_t i = 0; i < INTEGRATORS; i++) {
    setup.integrator = integrators[i].name;
    setup.integrator_parameter = integrators[i].parameter;
    ali3p_compare_differences(&setup, size, 1e-7);
  }
}

TEST(chain_agrees_with_differences)
{
  ali3p_setup setup = {.problem = &gradyn_problem_chain, .step = 5e-3};
  differences_agree(setup, 2e-3);
  setup.setting = "links";
  setup.value = 20;
  ali3p_compare_differences(&setup, 2e-3, 1e-7);
}

/* Rheonomic constraints, both kinds of signals, a free end time. */
TEST(attached_mechanism_agrees_with_differences)
{
  differences_agree((ali3p_setup){.problem = &ali3p_attached}, 4e-3);
}

TEST(driven_mechanism_agrees_with_differences)
{
  differences_agree((ali3p_setup){.problem = &ali3p_driven}, 4e-3);
}

TEST(parallel_bars_agree_with_differences)
{
  ali3p_setup setup = {.problem = &gradyn_problem_parallel_bars, .step = 4e-3};
  differences_agree(setup, 4e-3);
}

/* The first singular position is met after 0.71 s. */
TEST(four_bars_agree_with_differences)
{
  ali3p_setup setup = {.problem = &gradyn_problem_four_bar_chain, .t_end = 2, .step = 5e-3};
  ali3p_compare_differences(&setup, 1e-3, 1e-7);
  ali3p_compare_data(&setup, NULL, 1e-8);
}

/* --- with and without redundancy -------------------------------------------------------------------- */

TEST(redundancy_changes_nothing)
{
  double psi[2][3], gradient[2][3 * 4];
  ali3p_setup setup = {.problem = &gradyn_problem_parallel_bars, .setting = "redundant"};
  for (setup.value = 0; setup.value < 2; setup.value++)
    ali3p_gradient(&setup, psi[setup.value], gradient[setup.value], NULL);
  assert_close_array(psi[1], psi[0], 3, 1e-11, 0);
  assert_close_array(gradient[1], gradient[0], 12, 1e-9, 1e-10);
}
