/* Natural splines of any length, and the transpose of the computation of their curvatures. */
#include "tests/support.h"

#include <complex.h>

#include "core/signals/spline.h"

enum { KNOTS = 6 };

static const double knots[KNOTS] = {0.7, -1.3, 2.1, 0.4, 0.9, -0.6};
static const double unequal[KNOTS] = {0.25, 0.4, 1.1, 1.25, 2.4, 2.75};

TEST(splines_of_any_length_are_natural)
{
  enum { MOST = 60 };
  for (int count = 2; count <= MOST; count += count < 8 ? 1 : 13) {
    gradyn_scalar u[MOST], c[MOST], work[MOST];
    for (int k = 0; k < count; k++)
      u[k] = sin(1.7 * k) + 0.01 * k * k;
    gradyn_spline_curve(count, NULL, u, work, c);
    assert_close(creal(c[0]), 0, 0, 0);
    assert_close(creal(c[count - 1]), 0, 0, 0);
    for (int k = 1; k + 1 < count; k++)
      assert_close(creal(c[k - 1] + 4 * c[k] + c[k + 1]),
                   creal(6 * (u[k - 1] - 2 * u[k] + u[k + 1])), 1e-13, 1e-13);
  }
}

/* With respect to knots and times; complex steps give each column of the reference. */
TEST(transposed_spline_is_the_transpose)
{
  gradyn_scalar t[KNOTS], u[KNOTS], c[KNOTS], work[KNOTS];
  double curve[KNOTS];
  for (int k = 0; k < KNOTS; k++) {
    t[k] = unequal[k];
    u[k] = knots[k];
  }
  gradyn_spline_curve(KNOTS, t, u, work, c);
  for (int k = 0; k < KNOTS; k++)
    curve[k] = creal(c[k]);
  const gradyn_spline spline = {KNOTS, unequal, knots, curve};
  for (int j = 0; j < 2 * KNOTS; j++) {
    for (int k = 0; k < KNOTS; k++) {
      t[k] = unequal[k] + (j == k ? 1e-40 * I : 0);
      u[k] = knots[k] + (j == KNOTS + k ? 1e-40 * I : 0);
    }
    gradyn_spline_curve(KNOTS, t, u, work, c);
    for (int i = 0; i < KNOTS; i++) {
      double b[KNOTS] = {0}, adjoints[2 * KNOTS] = {0}, capacity[KNOTS];
      b[i] = 1;
      gradyn_spline_transposed(&spline, capacity, b, adjoints, adjoints + KNOTS);
      assert_close(adjoints[j], cimag(c[i]) / 1e-40, 1e-12, 1e-12);
    }
  }
}
