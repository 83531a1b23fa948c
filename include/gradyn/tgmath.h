/* The type-generic functions of <tgmath.h> and what <math.h> declares, without the names in them that
 * problems use for quantities of their own: I, and the Bessel and gamma functions y0, y1, yn, j0, j1,
 * jn, gamma. Who wants those includes <complex.h> or <math.h> before this header.
 *
 * fabs, fmax, fmin and copysign are other functions for numbers of the type gradyn_scalar than those of
 * <tgmath.h>, which have no derivative (its fabs is the modulus): they compare real parts and hand on the
 * number that they choose, with the derivative that it carries. At a kink that is the derivative on one of
 * its sides. pow gives real integer powers of negative numbers. Real arguments give the results
 * of <math.h>. */
#ifndef GRADYN_TGMATH_H
#define GRADYN_TGMATH_H

#ifdef I
#define GRADYN_KEEPS_I
#endif

/* The headers declare them under names that nobody uses. */
#define y0 gradyn_hidden_y0
#define y1 gradyn_hidden_y1
#define yn gradyn_hidden_yn
#define j0 gradyn_hidden_j0
#define j1 gradyn_hidden_j1
#define jn gradyn_hidden_jn
#define gamma gradyn_hidden_gamma
#define signgam gradyn_hidden_signgam

#include <math.h>
#include <tgmath.h>

#undef y0
#undef y1
#undef yn
#undef j0
#undef j1
#undef jn
#undef gamma
#undef signgam

#ifndef GRADYN_KEEPS_I
#undef I
#endif
#undef GRADYN_KEEPS_I

#ifndef __cplusplus

/* |z|, with the derivative of z or of -z. */
static inline double _Complex gradyn_fabs(double _Complex z)
{
  return signbit(creal(z)) ? -z : z;
}

/* The larger and the smaller of two numbers, of equal ones the first; a number where the other is NaN. */
static inline double _Complex gradyn_fmax(double _Complex a, double _Complex b)
{
  return isnan(creal(a)) || creal(a) < creal(b) ? b : a;
}

static inline double _Complex gradyn_fmin(double _Complex a, double _Complex b)
{
  return isnan(creal(a)) || creal(a) > creal(b) ? b : a;
}

/* |z| with the sign of another number, of which it has no derivative. */
static inline double _Complex gradyn_copysign(double _Complex z, double _Complex sign)
{
  return !signbit(creal(z)) == !signbit(creal(sign)) ? z : -z;
}

/* z to the power n. An integer n, of any type, gives the real power, with the derivative n z^(n - 1) by z.
 * cpow() leaves round-off in the imaginary part of negative z, and round-off there is a derivative. By n,
 * powers of negative z have no derivative: gradients by such an n are refused. Other powers of negative z are
 * not real. */
static inline double _Complex gradyn_pow(double _Complex z, double _Complex n)
{
  const double x = creal(z), p = creal(n);
  if (p != (floor)(p) || (cimag(n) != 0 && x > 0))
    return (cpow)(z, n);
  /* a sum with an imaginary unit would lose the sign of zero */
  const union {
    double part[2];
    double _Complex whole;
  } power = {{(pow)(x, p), cimag(z) != 0 && p != 0 ? p * (pow)(x, p - 1) * cimag(z) : 0}};
  return power.whole;
}

/* A number of the type in which an argument is calculated: integers become double. */
#define GRADYN_FLOATING(x)                                                                         \
  _Generic((x), float : 0.0f, long double : 0.0L, float _Complex                                   \
           : (float _Complex)0.0f, double _Complex                                                 \
           : (double _Complex)0.0, long double _Complex                                            \
           : (long double _Complex)0.0L, default : 0.0)

/* One of four functions by the type of a number. */
#define GRADYN_BY_TYPE(x, single, twofold, longer, scalar)                                         \
  _Generic((x), float                                                                              \
           : single, long double                                                                   \
           : longer, float _Complex                                                                \
           : scalar, double _Complex                                                               \
           : scalar, long double _Complex                                                          \
           : scalar, default                                                                       \
           : twofold)

#undef fabs
#undef fmax
#undef fmin
#undef copysign
#undef pow
#define fabs(x) GRADYN_BY_TYPE(GRADYN_FLOATING(x), fabsf, (fabs), fabsl, gradyn_fabs)(x)
#define fmax(x, y)                                                                                 \
  GRADYN_BY_TYPE(GRADYN_FLOATING(x) + GRADYN_FLOATING(y), fmaxf, (fmax), fmaxl, gradyn_fmax)(x, y)
#define fmin(x, y)                                                                                 \
  GRADYN_BY_TYPE(GRADYN_FLOATING(x) + GRADYN_FLOATING(y), fminf, (fmin), fminl, gradyn_fmin)(x, y)
#define pow(x, y)                                                                                  \
  GRADYN_BY_TYPE(GRADYN_FLOATING(x) + GRADYN_FLOATING(y), powf, (pow), powl, gradyn_pow)(x, y)
#define copysign(x, y)                                                                             \
  GRADYN_BY_TYPE(GRADYN_FLOATING(x) + GRADYN_FLOATING(y), copysignf, (copysign), copysignl,        \
                 gradyn_copysign)                                                                  \
  (x, y)

#endif

#endif
