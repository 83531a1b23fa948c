/* Cosines and sines in lanes. With n the integer nearest to 2 x/pi, x = n pi/2 + y + tail. pi/2 is split
 * into two parts; n times the first, of 33 bits, is exact up to n = 2^20.
 *
 * For |y| <= pi/4 the polynomials are those of fdlibm (Sun Microsystems, 1993). The last two bits of n give
 * the quadrant. Larger angles are computed by the C library, lane by lane. */
#include "core/linear/circle.h"

#include <math.h>

/* Largest angle for the polynomials: 2^20, which is less than 2^20 pi/2. */
enum { FARTHEST = 1 << 20 };

typedef uint64_t lane_bits __attribute__((vector_size(32)));

/* Bits of a where mask is set, bits of b elsewhere. */
GRADYN_KERNEL void choose(const lane_bits *mask, const gradyn_lanes *a, const gradyn_lanes *b,
                          gradyn_lanes *to)
{
  *to = (gradyn_lanes)((*mask & (lane_bits)*a) | (~*mask & (lane_bits)*b));
}

/* sin(y + tail). */
GRADYN_KERNEL void take_sine(const gradyn_lanes *y, const gradyn_lanes *tail, gradyn_lanes *sine)
{
  const gradyn_lanes z = *y * *y, v = z * *y;
  gradyn_lanes r = 1.58969099521155010221e-10 * z - 2.50507602534068634195e-08;
  r = r * z + 2.75573137070700676789e-06;
  r = r * z - 1.98412698298579493134e-04;
  r = r * z + 8.33333333332248946124e-03;
  *sine = *y - ((z * (0.5 * *tail - v * r) - *tail) + v * 1.66666666666666324348e-01);
}

/* cos(y + tail). */
GRADYN_KERNEL void take_cosine(const gradyn_lanes *y, const gradyn_lanes *tail,
                               gradyn_lanes *cosine)
{
  const gradyn_lanes z = *y * *y, half = 0.5 * z, w = 1.0 - half;
  gradyn_lanes r = -1.13596475577881948265e-11 * z + 2.08757232129817482790e-09;
  r = r * z - 2.75573143513906633035e-07;
  r = r * z + 2.48015872894767294178e-05;
  r = r * z - 1.38888888888741095749e-03;
  r = r * z + 4.16666666666666019037e-02;
  *cosine = w + (((1.0 - w) - half) + (z * (z * r) - *y * *tail));
}

GRADYN_KERNEL void circle_of(const gradyn_lanes *x, gradyn_lanes *cosine, gradyn_lanes *sine)
{
  const double two_over_pi = 6.36619772367581382433e-01, first = 1.57079632673412561417e+00,
               second = 6.07710050650619224932e-11;
  const double whole = 6755399441055744.0; /* 1.5 2^52: adding it rounds to an integer */
  const gradyn_lanes shifted = two_over_pi * *x + whole, n = shifted - whole;
  const gradyn_lanes r = *x - n * first, w = n * second;
  const gradyn_lanes y = r - w, tail = (r - y) - w;
  const lane_bits quadrant = (lane_bits)shifted & 3;
  const lane_bits odd = 0 - (quadrant & 1);
  gradyn_lanes s, c, by_quadrant;
  take_sine(&y, &tail, &s);
  take_cosine(&y, &tail, &c);
  choose(&odd, &c, &s, &by_quadrant);
  *sine = (gradyn_lanes)((lane_bits)by_quadrant ^ ((quadrant & 2) << 62));
  choose(&odd, &s, &c, &by_quadrant);
  *cosine = (gradyn_lanes)((lane_bits)by_quadrant ^ (((quadrant + 1) & 2) << 62));
}

/* Computes cosines and sines of all entries. Returns whether all angles are in the range of the
 * polynomials. */
static GRADYN_WIDE bool circles(int count, const gradyn_lanes *angle, gradyn_lanes *cosine,
                                gradyn_lanes *sine)
{
  lane_bits near = ~(lane_bits){0};
  for (int i = 0; i < count; i++) {
    circle_of(&angle[i], &cosine[i], &sine[i]);
    near &= (lane_bits)(angle[i] <= (double)FARTHEST) & (lane_bits)(angle[i] >= -(double)FARTHEST);
  }
  return near[0] & near[1] & near[2] & near[3];
}

void gradyn_lanes_circle(int count, const gradyn_lanes *angle, gradyn_lanes *cosine,
                         gradyn_lanes *sine)
{
  const double *x = (const double *)angle;
  double *c = (double *)cosine, *s = (double *)sine;
  const bool near = circles(count, angle, cosine, sine);
  for (int i = 0; i < GRADYN_LANES * count && !near; i++)
    if (!(fabs(x[i]) <= (double)FARTHEST)) {
      c[i] = cos(x[i]);
      s[i] = sin(x[i]);
    }
}
