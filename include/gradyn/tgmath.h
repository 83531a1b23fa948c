/* Type-generic mathematical functions for user code: those of <tgmath.h> and <math.h>, with derivatives
 * by complex step.
 *
 * Names that problems use for quantities of their own are left out: I, y0, y1, yn, j0, j1, jn and gamma.
 * To use these, include <complex.h> or <math.h> before this header. In C++ the functions and macros of this
 * header do not exist.
 *
 * For gradyn_scalar, fabs, fmax, fmin and copysign differ from those of <tgmath.h>, which have no
 * derivative; fabs there is the modulus. Here they compare real parts and return the selected number with
 * its derivative. At a kink this is the one-sided derivative. pow returns real integer powers of negative
 * numbers. Real arguments give the results of <math.h>. All arguments and results have the units of the
 * formula that uses them; arguments of exp, sin and similar functions are dimensionless or in rad. */
#ifndef GRADYN_TGMATH_H
#define GRADYN_TGMATH_H

#ifdef I
#define GRADYN_KEEPS_I
#endif

/* The headers declare these functions under names that do not collide. */
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

/* Returns |z| with the derivative of z or of -z: -z if the real part is negative or -0. z: in any unit. */
static inline double _Complex gradyn_fabs(double _Complex z)
{
  return signbit(creal(z)) ? -z : z;
}

/* Returns the number with the larger real part, a if both are equal, the other if one is NaN. a, b: in
 * one unit. */
static inline double _Complex gradyn_fmax(double _Complex a, double _Complex b)
{
  return isnan(creal(a)) || creal(a) < creal(b) ? b : a;
}

/* Returns the number with the smaller real part, a if both are equal, the other if one is NaN. a, b: in
 * one unit. */
static inline double _Complex gradyn_fmin(double _Complex a, double _Complex b)
{
  return isnan(creal(a)) || creal(a) > creal(b) ? b : a;
}

/* Returns z or -z, such that the real part has the sign of another number. The result has no derivative
 * by `sign`. z: in any unit. */
static inline double _Complex gradyn_copysign(double _Complex z, double _Complex sign)
{
  return !signbit(creal(z)) == !signbit(creal(sign)) ? z : -z;
}

/* Returns z to the power n. z: in any unit; n: dimensionless.
 *
 * An integer n, of any type, gives the real power, with the derivative n z^(n - 1) by z. With cpow(),
 * powers of negative z would have round-off in the imaginary part, where it would count as a derivative.
 * Powers of negative z have no derivative by n: gradients by such an n are refused. Other powers of
 * negative z are not real. */
static inline double _Complex gradyn_pow(double _Complex z, double _Complex n)
{
  const double x = creal(z), p = creal(n);
  if (p != (floor)(p) || (cimag(n) != 0 && x > 0))
    return (cpow)(z, n);
  /* a sum with an imaginary unit would discard the sign of zero */
  const union {
    double part[2];
    double _Complex whole;
  } power = {{(pow)(x, p), cimag(z) != 0 && p != 0 ? p * (pow)(x, p - 1) * cimag(z) : 0}};
  return power.whole;
}

/* A zero of the type in which an argument is evaluated: integers become double. */
#define GRADYN_FLOATING(x)                                                                         \
  _Generic((x), float : 0.0f, long double : 0.0L, float _Complex                                   \
           : (float _Complex)0.0f, double _Complex                                                 \
           : (double _Complex)0.0, long double _Complex                                            \
           : (long double _Complex)0.0L, default : 0.0)

/* Selects one of four functions by the type of a number. */
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
