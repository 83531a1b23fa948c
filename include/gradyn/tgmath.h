/* The type-generic functions of <tgmath.h> and what <math.h> declares, without the names in them that
 * problems use for quantities of their own: I, and the Bessel and gamma functions y0, y1, yn, j0, j1,
 * jn, gamma. Who wants those includes <complex.h> or <math.h> before this header. */
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

#endif
