/* Brachistochrone: gradients along straight paths, where all results have closed forms, and the optimum
 * against the cycloid. */
#include "tests/problems/run.h"

extern const gradyn_problem gradyn_problem_brachistochrone;

static const double gravity = 9.80665; /* m/s^2 */

enum { X_END, Y_END, TIME, FUNCTIONALS };

/* With a constant direction, v = g cos(theta) t and the path is s = g cos(theta) t^2/2. */
TEST(gradients_are_those_of_an_inclined_plane)
{
  enum { KNOTS = 6, P = KNOTS + 1 };
  const double T = 1.7, theta = 0.6;
  const char *sensitivity[] = {"direct", "adjoint"};
  double rho[P] = {T}, psi[FUNCTIONALS], gradient[FUNCTIONALS * P];
  for (int k = 1; k < P; k++)
    rho[k] = theta;
  for (int i = 0; i < 2; i++) {
    const run_setup setup = {&gradyn_problem_brachistochrone, sensitivity[i], .rtol = 1e-10,
                             .setting = "knots", .value = KNOTS};
    assert_int_equal(run_gradient(&setup, rho, psi, gradient), FUNCTIONALS);
    const double s = gravity * cos(theta) * T * T / 2;
    assert_close(psi[X_END], s * sin(theta), 1e-8, 0);
    assert_close(psi[Y_END], 10 - s * cos(theta), 1e-8, 0);
    assert_close(psi[TIME], T, 0, 0);
    assert_close(gradient[X_END * P], 2 * s / T * sin(theta), 1e-7, 0);
    assert_close(gradient[Y_END * P], -2 * s / T * cos(theta), 1e-7, 0);
    assert_close(gradient[TIME * P], 1, 0, 0);
    /* changing all knots together rotates the plane */
    double turn[FUNCTIONALS] = {0};
    for (int f = 0; f < FUNCTIONALS; f++)
      for (int k = 1; k < P; k++)
        turn[f] += gradient[f * P + k];
    const double g = gravity * T * T / 2;
    assert_close(turn[X_END], g * cos(2 * theta), 1e-7, 0);
    assert_close(turn[Y_END], g * sin(2 * theta), 1e-7, 0);
    assert_close(turn[TIME], 0, 0, 0);
  }
}

TEST(methods_agree_on_a_curved_path)
{
  const double rho[] = {1.5, 0.1, 0.9, -0.4, 1.2, 2.0};
  const run_setup setup = {&gradyn_problem_brachistochrone, .rtol = 1e-10, .setting = "knots",
                           .value = 5};
  run_compare_methods(&setup, rho, 1e-7);
}

/* Final angle phi and time of the cycloid x = R (phi - sin phi), depth R (1 - cos phi) through a point; phi
 * grows at the rate sqrt(g/R). */
static double cycloid(double x, double depth, double *phi)
{
  double low = 1e-3, high = 6.28;
  for (int i = 0; i < 100; i++) {
    const double middle = (low + high) / 2;
    if ((middle - sin(middle)) / (1 - cos(middle)) < x / depth)
      low = middle;
    else
      high = middle;
  }
  *phi = low;
  return low * sqrt(depth / (1 - cos(low)) / gravity);
}

TEST(optimum_is_the_cycloid)
{
  const int knots[] = {2, 10, 20};
  double phi, T = cycloid(10, 5, &phi);
  assert_close(T, 1.8016, 1e-5, 0);
  for (int i = 0; i < 3; i++) {
    const run_setup setup = {&gradyn_problem_brachistochrone, .setting = "knots",
                             .value = knots[i]};
    LOCAL(gradyn_search_result) result;
    run_optimise(&setup, NULL, 1e-5, 0, &result);
    assert_close(result.objective, T, 1e-6, 0);
    assert_true(result.violation <= 1);
    /* the direction of the cycloid rotates at a constant rate, from vertical to phi/2 */
    for (int k = 0; k < knots[i]; k++)
      assert_close(result.rho[1 + k], phi / 2 * k / (knots[i] - 1), 0, 1e-3);
  }
}
