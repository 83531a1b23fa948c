/* Walkers without a motor: the rimless wheel against closed forms, the compass-like walker against an
 * independent integration. */
#include "tests/problems/run.h"
#include "tests/reference/compass_walker.h"

extern const gradyn_problem gradyn_problem_rimless_wheel, gradyn_problem_compass_walker;

static const char *const sensitivity[] = {"direct", "adjoint"};

/* --- rimless wheel ---------------------------------------------------------------------------- */

enum { WHEEL_P = 4, WHEEL_F = 3, BEHIND = 1 };

static const double half_angle = 0.39269908169872414;

/* Rates after two consecutive impacts: w1 = eta sqrt(w0^2 + G), where eta belongs to the impact and G to
 * the fall. */
static double complex next_rate(const double complex p[WHEEL_P])
{
  double complex inertia = 1 + p[2], eta = (ccos(2 * p[0]) + p[2]) / inertia;
  double complex fall = 4 * 9.81 * csin(p[0]) * csin(p[1]) / inertia;
  return eta * csqrt(p[3] * p[3] + fall);
}

TEST(strides_follow_the_closed_form)
{
  const double rho[][WHEEL_P] = {{half_angle, 0.08, 0.1, 1.3}, {0.3, 0.11, 0.25, 1.7}};
  for (size_t i = 0; i < GRADYN_COUNT(rho) * 2; i++) {
    const run_setup setup = {&gradyn_problem_rimless_wheel, sensitivity[i % 2], .rtol = 1e-13};
    double psi[WHEEL_F], gradient[WHEEL_F * WHEEL_P];
    assert_int_equal(run_gradient(&setup, rho[i / 2], psi, gradient), WHEEL_F);
    for (int j = 0; j < WHEEL_P; j++) {
      double complex p[WHEEL_P];
      for (int k = 0; k < WHEEL_P; k++)
        p[k] = rho[i / 2][k] + (k == j ? 1e-40 * _Complex_I : 0);
      double complex expected = next_rate(p);
      assert_close(psi[BEHIND], creal(expected), 1e-9, 0);
      assert_close(gradient[BEHIND * WHEEL_P + j], cimag(expected) / 1e-40, 1e-9, 1e-9);
    }
  }
}

/* On the periodic motion the derivative of a stride is its Floquet multiplier, eta^2. */
TEST(the_multiplier_is_that_of_the_closed_form)
{
  double eta = (cos(2 * half_angle) + 0.1) / 1.1;
  double fall = 4 * 9.81 * sin(half_angle) * sin(0.08) / 1.1;
  double rate = eta * sqrt(fall / (1 - eta * eta));
  const double rho[WHEEL_P] = {half_angle, 0.08, 0.1, rate};
  for (int way = 0; way < 2; way++) {
    const run_setup setup = {&gradyn_problem_rimless_wheel, sensitivity[way], .rtol = 1e-13};
    double psi[WHEEL_F], gradient[WHEEL_F * WHEEL_P];
    run_gradient(&setup, rho, psi, gradient);
    assert_close(psi[BEHIND], rate, 1e-9, 0);
    assert_close(gradient[BEHIND * WHEEL_P + 3], eta * eta, 1e-9, 0);
  }
}

TEST(a_search_finds_the_periodic_motion)
{
  const run_setup setup = {&gradyn_problem_rimless_wheel, .rtol = 1e-12};
  double eta = (cos(2 * half_angle) + 0.1) / 1.1;
  double fall = 4 * 9.81 * sin(half_angle) * sin(0.08) / 1.1;
  LOCAL(gradyn_search_result) result;
  run_optimise(&setup, NULL, 1e-10, 0, &result);
  assert_close(result.rho[3], eta * sqrt(fall / (1 - eta * eta)), 1e-8, 0);
}

/* --- compass-like walker ---------------------------------------------------------------------- */

enum { P = WALKER_PARAMETERS, F = WALKER_RESULTS + 1 };

/* Functionals are the distance from the start, then the results of the reference. */
TEST(a_step_follows_the_reference)
{
  const double rho[][P] = {{0.05235987755982988, 2, 1, 0.2187, -1.0918, -0.3772},
                           {0.06, 3, 0.8, 0.22, -1.15, -0.3}};
  for (size_t i = 0; i < GRADYN_COUNT(rho) * 2; i++) {
    const run_setup setup = {&gradyn_problem_compass_walker, sensitivity[i % 2], .rtol = 1e-13};
    double psi[F], gradient[F * P];
    assert_int_equal(run_gradient(&setup, rho[i / 2], psi, gradient), F);
    double expected[WALKER_RESULTS], slope[WALKER_RESULTS * P];
    support_complex_step(compass_walker, rho[i / 2], P, WALKER_RESULTS, expected, slope);
    assert_close_array(psi + 1, expected, WALKER_RESULTS, 1e-9, 1e-9);
    assert_close_array(gradient + P, slope, WALKER_RESULTS * P, 1e-8, 1e-8);
  }
}

/* A gait found from a start near it is also a gait of the reference. The derivatives of a step agree, whose
 * eigenvalues are the Floquet multipliers; their sum is compared, and none exceeds one. */
TEST(a_search_finds_the_gait)
{
  const run_setup setup = {&gradyn_problem_compass_walker, .rtol = 1e-12};
  LOCAL(gradyn_search_result) result;
  double trace[2] = {0};
  run_optimise(&setup, NULL, 1e-9, 0, &result);
  assert_true(result.psi[0] < 1e-14);
  double behind[WALKER_RESULTS], slope[WALKER_RESULTS * P];
  support_complex_step(compass_walker, result.rho, P, WALKER_RESULTS, behind, slope);
  for (int j = 0; j < 3; j++) {
    assert_close(behind[j], result.rho[3 + j], 0, 1e-7);
    trace[0] += result.gradient[(1 + j) * P + 3 + j];
    trace[1] += slope[j * P + 3 + j];
  }
  assert_close(trace[0], trace[1], 1e-7, 0);
}
