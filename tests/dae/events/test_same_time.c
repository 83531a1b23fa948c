/* Times that differ by round-off count as one time in every method. This concerns functionals at the start,
 * at a knot of a signal and at the end, and sensitivities. A force with knots pushes a mass along a line. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>
#include <float.h>
#include <gradyn/analysis.h>

enum { KNOTS = 4, END = KNOTS, P };
static const double rho[P] = {1, -2, 3, 0.5, 1};
static double instant;
static bool ends; /* the run ends at a time that is a parameter */
static gradyn_signal_kind kind;

FORMULA(place, at->pos[2])

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  const int cart = gradyn_point(m, "cart", 0.2, 0);
  gradyn_initial_velocity(m, cart, 0.4, 0);
  gradyn_point_mass(m, "cart", cart, 1);
  declare_push(m, "push", cart, 1, 0, declare_signal(m, "u", "N", kind, KNOTS, r));
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){"then", "m", .terminal = place, .instant = instant});
  if (ends)
    gradyn_end_time(m, r[END]);
  return gradyn_build_status(m);
}

/* x at time `then`. u is linear between knots at thirds of the run, or constant in its quarters. */
static double then;
static void closed_form(const double complex u[], double complex psi[])
{
  const int pieces = kind == GRADYN_PIECEWISE_CONSTANT ? KNOTS : KNOTS - 1;
  const double complex length = (ends ? u[END] : 1) / pieces;
  double complex x = 0.2, v = 0.4;
  for (int k = 0; k < pieces && then > creal(k * length); k++) {
    const bool last = k + 1 == pieces || then <= creal((k + 1) * length);
    const double complex s = last ? then - k * length : length,
                         slope = pieces < KNOTS ? (u[k + 1] - u[k]) / length : 0;
    x += v * s + u[k] * s * s / 2 + slope * s * s * s / 6;
    v += u[k] * s + slope * s * s / 2;
  }
  psi[0] = x;
}

static const double near[] = {
    1e-300,          3e-16,     1e-13,           1.0 / 3,         1.0 / 3 + 6e-17,
    1.0 / 3 - 6e-17, 2.0 / 3,   2.0 / 3 + 2e-16, 2.0 / 3 - 3e-13, 0.5,
    0.5 + 1e-13,     1 - 1e-13, 1 - 2e-16,       1 + 3e-16};

static gradyn_evaluator *open(const char *method, bool fixed, const char *sensitivity)
{
  static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
  static const gradyn_problem problem = PROBLEM("cart", build, params, .t_end = 1, .rtol = 1e-11);
  return run_with(&problem, .method = method, .step = fixed ? 1.0 / 1200 : 0,
                  .sensitivity = sensitivity);
}

THOROUGH_TEST(a_functional_at_nearly_a_knot)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  for (size_t c = 0; c < GRADYN_COUNT(near) * 2; c++)
    for (int m = 0; m < 2 * RUN_METHODS; m++) {
      const bool fixed = m / 2 >= RUN_ADAPTIVE;
      const double tolerance = fixed ? 1e-6 : 1e-9;
      double psi, gradient[P], expected, slope[P];
      instant = then = near[c % GRADYN_COUNT(near)];
      kind = c < GRADYN_COUNT(near) ? GRADYN_PIECEWISE_LINEAR : GRADYN_PIECEWISE_CONSTANT;
      /* fixed steps do not permit a variable end that differs from the time of a functional */
      ends = !fixed && instant < 0.9;
      support_complex_step(closed_form, rho, P, 1, &expected, slope);
      run_local *ev = open(run_methods[m / 2], fixed, sensitivity[m % 2]);
      assert_run(gradyn_evaluator_gradient(ev, rho, &psi, gradient), ev);
      assert_close(psi, expected, tolerance, tolerance);
      assert_close_array(gradient, slope, P, tolerance, tolerance);
    }
}

TEST(sensitivities_at_nearly_a_knot)
{
  static const double t[] = {-1e-17, 1.0 / 3 + 6e-17, 2.0 / 3 - 2e-16, 1 + 3e-16};
  enum { TIMES = 4, STATES = 6 };
  instant = 0;
  ends = false;
  kind = GRADYN_PIECEWISE_LINEAR;
  for (int m = 0; m < RUN_METHODS; m++) {
    const bool fixed = m >= RUN_ADAPTIVE;
    double y[TIMES * STATES], dy[TIMES * STATES * P];
    run_local *ev = open(run_methods[m], fixed, NULL);
    assert_run(gradyn_sensitivities_compute(ev, rho, t, TIMES, y, dy), ev);
    for (int k = 0; k < TIMES; k++) {
      double expected, slope[P];
      then = t[k];
      support_complex_step(closed_form, rho, P, 1, &expected, slope);
      assert_close(y[k * STATES], expected, 1e-6, 1e-6);
      assert_close_array(dy + k * STATES * P, slope, P, 1e-6, 1e-6);
    }
  }
}
