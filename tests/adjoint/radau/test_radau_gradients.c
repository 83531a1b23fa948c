/* Order of the gradients of radau, from a comparison with another method. */
#include <math.h>

#include "tests/adjoint/ali3p_models.h"

/* The error of the gradient of the five-bar linkage against the explicit method, relative to its largest
 * component. */
static double error_of(const char *sensitivity, double step, const double exact[])
{
  double gradient[15], worst = 0, most = 0;
  run_setup setup = {.problem = &gradyn_problem_five_bar,
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
  run_setup setup = {
      .problem = &gradyn_problem_five_bar, .method = "explicit", .rtol = 1e-13, .t_end = 1};
  ali3p_gradient(&setup, NULL, exact, NULL);
  for (int way = 0; way < 2; way++) {
    const double coarse = error_of(ways[way], 0.02, exact), fine = error_of(ways[way], 0.01, exact);
    print_message("%s: errors %.2g, %.2g, observed order %.2f\n", ways[way], coarse, fine,
                  log2(coarse / fine));
    assert_true(fine > 1e-13); /* the error must be above round-off, otherwise it shows no order */
    assert_true(log2(coarse / fine) > 4.6);
  }
}

TEST(orders_are_refused)
{
  assert_no_run(GRADYN_INVALID, "radau", &gradyn_problem_five_bar, .method = "radau", .order = 8);
}
