/* Cross sections: areas and second moments against published values and sums over strips; derivatives pass
 * through by complex step. */
#include <gradyn/mechanism.h>

#include <complex.h>

#include "tests/support.h"

/* Area and second moment of a section from its width at height z. The strips at z = reach cos(phi)
 * integrate circles to round-off. */
static void strips(double (*width)(double z, double size), double size, double reach, double out[2])
{
  const int n = 2000;
  const double pi = acos(-1);
  out[0] = out[1] = 0;
  for (int k = 0; k < n; k++) {
    const double phi = pi * (k + 0.5) / n, z = reach * cos(phi);
    const double strip = width(z, size) * reach * sin(phi) * pi / n;
    out[0] += strip;
    out[1] += strip * z * z;
  }
}

static double disc(double z, double radius)
{
  return 2 * sqrt(radius * radius - z * z);
}

static double bar(double z, double width)
{
  (void)z;
  return width;
}

static void assert_section(gradyn_section s, double area, double second_moment, double reach,
                           double rtol)
{
  assert_close(creal(s.area), area, rtol, 0);
  assert_close(creal(s.second_moment), second_moment, rtol, 0);
  assert_close(creal(s.reach), reach, 1e-15, 0);
}

TEST(test_shapes)
{
  double outer[2], inner[2], box[2];
  strips(disc, 0.03, 0.03, outer);
  strips(disc, 0.02, 0.02, inner);
  strips(bar, 0.04, 0.05, box);
  assert_section(gradyn_section_tube(0.03, 0), outer[0], outer[1], 0.03, 1e-12);
  assert_section(gradyn_section_tube(0.03, 0.02), outer[0] - inner[0], outer[1] - inner[1], 0.03,
                 1e-12);
  assert_section(gradyn_section_rectangle(0.04, 0.1), box[0], box[1], 0.05, 2e-6);
  assert_section(gradyn_section_rectangle(0.1, 0.1), 0.01, 1e-4 / 12, 0.05, 1e-14);
  assert_true(creal(gradyn_section_tube(0.02, 0.03).area) < 0);
}

/* A thin wall: 2 pi R t and pi R^3 t to first order in t/R, without cancellation. */
TEST(test_thin_tube)
{
  const double pi = acos(-1), t = ldexp(1, -40);
  const gradyn_section s = gradyn_section_tube(1, 1 - t);
  assert_close(creal(s.area), 2 * pi * t, 1e-12, 0);
  assert_close(creal(s.second_moment), pi * t, 1e-11, 0);
}

TEST(test_derivatives)
{
  const double pi = acos(-1), h = 1e-40;
  const gradyn_section tube = gradyn_section_tube(0.03 + h * I, 0.02);
  const gradyn_section square = gradyn_section_rectangle(0.1 + h * I, 0.1 + h * I);
  assert_close(cimag(tube.area) / h, 2 * pi * 0.03, 1e-14, 0);
  assert_close(cimag(tube.second_moment) / h, pi * 0.03 * 0.03 * 0.03, 1e-14, 0);
  assert_close(cimag(tube.reach) / h, 1, 1e-15, 0);
  assert_close(cimag(square.second_moment) / h, 0.1 * 0.1 * 0.1 / 3, 1e-14, 0);
}
