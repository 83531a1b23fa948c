/* Tests of the gradients of the method radau: direct against adjoint, both against differences of the run and
 * against another method, for fixed steps and for steps by the error. */
#include <math.h>

#include "tests/adjoint/joint_friction_models.h"
#include "tests/adjoint/radau/order_models.h"

/* Small and dense, large and sparse; laws, signals whose knots move with the end, attached points; friction
 * that reads multipliers; events; algebraic states. */
static const ali3p_setup runs[] = {
    {.problem = &gradyn_problem_five_bar, .step = 0.05},
    {.problem = &gradyn_problem_five_bar, .rtol = 1e-9},
    {.problem = &gradyn_problem_chain, .setting = "links", .value = 3, .step = 5e-3},
    {.problem = &gradyn_problem_chain,
     .setting = "links",
     .value = 20,
     .step = 2e-3,
     .t_end = 0.02},
    {.problem = &ali3p_driven, .step = 0.02},
    {.problem = &ali3p_driven, .rtol = 1e-8},
    {.problem = &ali3p_attached, .step = 0.02},
    {.problem = &gradyn_problem_inverted_pendulum, .step = 2e-3, .t_end = 0.1},
    {.problem = &joint_friction_block, .step = 1e-3},
    {.problem = &joint_friction_block, .setting = "narrow", .value = 1, .step = 1e-4},
    {.problem = &order_pendulum, .step = 0.02},
    {.problem = &gradyn_problem_stick_slip, .rtol = 1e-6},
    {.problem = &gradyn_problem_bouncing_ball, .rtol = 1e-6},
    {.problem = &gradyn_problem_robertson, .rtol = 1e-6},
    {.problem = &gradyn_problem_brachistochrone, .rtol = 1e-7},
};

TEST(direct_equals_adjoint)
{
  for (size_t k = 0; k < GRADYN_COUNT(runs); k++) {
    ali3p_setup setup = runs[k];
    setup.method = "radau";
    ali3p_compare_data(&setup, NULL, 1e-11);
  }
}

/* --- order ---------------------------------------------------------------------------------------- */

/* The gradient of the five-bar linkage, in parts of its largest component, against the explicit method's. */
static double error_of(const char *sensitivity, double step, const double exact[])
{
  double gradient[15], worst = 0, most = 0;
  ali3p_setup setup = {.problem = &gradyn_problem_five_bar,
                       .method = "radau",
                       .sensitivity = sensitivity,
                       .step = step,
                       .t_end = 1};
  ali3p_gradient(&setup, NULL, gradient, NULL);
  for (int i = 0; i < 15; i++) {
    worst = fmax(worst, fabs(gradient[i] - exact[i]));
    most = fmax(most, fabs(exact[i]));
  }
  return worst / most;
}

TEST(gradients_are_of_order_five)
{
  static const char *const ways[] = {"adjoint", "direct"};
  double exact[15];
  ali3p_setup setup = {
      .problem = &gradyn_problem_five_bar, .method = "explicit", .rtol = 1e-13, .t_end = 1};
  ali3p_gradient(&setup, NULL, exact, NULL);
  for (int way = 0; way < 2; way++) {
    const double coarse = error_of(ways[way], 0.02, exact), fine = error_of(ways[way], 0.01, exact);
    print_message("%s: errors %.2g, %.2g, observed order %.2f\n", ways[way], coarse, fine,
                  log2(coarse / fine));
    assert_true(fine > 1e-13); /* above round-off, or nothing has been seen */
    assert_true(log2(coarse / fine) > 4.6);
  }
}

TEST(orders_are_refused)
{
  assert_no_run(GRADYN_INVALID, "radau", &gradyn_problem_five_bar, .method = "radau", .order = 8);
}
