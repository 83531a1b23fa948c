/* Cosines and sines in lanes against those of the C library in higher precision. */
#include "core/linear/circle.h"
#include "tests/support.h"

enum { ANGLES = 4000 };

/* Angles of all sizes and both signs, and multiples of a quarter turn with their neighbours. */
static double angle(int i)
{
  static const double far[] = {0,         -0.0, 1e-300, 0.78539816339744828, 1e6, -1e6,
                               1.00001e6, 1e15, -1e22};
  const int count = (int)(sizeof far / sizeof *far);
  if (i < count)
    return far[i];
  if (i % 3 == 0)
    return nextafter((i % 997 - 400) * 1.57079632679489661923, i % 2 ? 1e9 : -1e9);
  return sin(1.7 * i) * pow(10, i % 13 - 6);
}

TEST(circles_are_those_of_the_library)
{
  FREED gradyn_lanes *x = gradyn_lanes_create(3 * ANGLES / GRADYN_LANES);
  assert_non_null(x);
  gradyn_lanes *c = x + ANGLES / GRADYN_LANES, *s = c + ANGLES / GRADYN_LANES;
  double *of = (double *)x;
  for (int i = 0; i < ANGLES; i++)
    of[i] = angle(i);
  gradyn_lanes_circle(ANGLES / GRADYN_LANES, x, c, s);
  for (int i = 0; i < ANGLES; i++) {
    const double cosine = ((double *)c)[i], sine = ((double *)s)[i];
    assert_true(fabsl(cosine - cosl(of[i])) < 1.12e-16L);
    assert_true(fabsl(sine - sinl(of[i])) < 1.12e-16L);
  }
}

TEST(no_angle_has_no_circle)
{
  gradyn_lanes x = {NAN, 1, HUGE_VAL, 0}, c, s;
  gradyn_lanes_circle(1, &x, &c, &s);
  assert_true(isnan(c[0]) && isnan(s[0]) && isnan(c[2]) && isnan(s[2]));
  assert_true(c[3] == 1 && s[3] == 0 && fabs(s[1] - sin(1.0)) < 1.2e-16);
}
