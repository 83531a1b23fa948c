/* Jets, values with their first two time derivatives; arithmetic with jets; arguments and results of kernels
 * of constraints (mbs/joints/kernel.h). */
#ifndef GRADYN_MBS_JET_H
#define GRADYN_MBS_JET_H

#include <math.h>

#include "mbs/elements/look.h"

typedef struct mbs_jet {
  double d[3];
} mbs_jet;

/* Returns a constant, whose derivatives are zero. */
static inline mbs_jet mbs_number(double value)
{
  return (mbs_jet){{value, 0, 0}};
}

/* Returns f + g with their derivatives. */
static inline mbs_jet mbs_plus(mbs_jet f, mbs_jet g)
{
  return (mbs_jet){{f.d[0] + g.d[0], f.d[1] + g.d[1], f.d[2] + g.d[2]}};
}

/* Returns factor f with its derivatives. */
static inline mbs_jet mbs_scaled(double factor, mbs_jet f)
{
  return (mbs_jet){{factor * f.d[0], factor * f.d[1], factor * f.d[2]}};
}

/* Returns f - g with their derivatives. */
static inline mbs_jet mbs_minus(mbs_jet f, mbs_jet g)
{
  return (mbs_jet){{f.d[0] - g.d[0], f.d[1] - g.d[1], f.d[2] - g.d[2]}};
}

/* Returns f g; (f g)'' = f'' g + 2 f' g' + f g''. */
static inline mbs_jet mbs_times(mbs_jet f, mbs_jet g)
{
  return (mbs_jet){{f.d[0] * g.d[0], f.d[1] * g.d[0] + f.d[0] * g.d[1],
                    f.d[2] * g.d[0] + 2 * f.d[1] * g.d[1] + f.d[0] * g.d[2]}};
}

/* Returns h(f), given its value h and its derivatives h1, h2 by f at f. */
static inline mbs_jet mbs_function(mbs_jet f, double h, double h1, double h2)
{
  return (mbs_jet){{h, h1 * f.d[1], h1 * f.d[2] + h2 * f.d[1] * f.d[1]}};
}

/* Returns 1/f with its derivatives. */
static inline mbs_jet mbs_inverse(mbs_jet f)
{
  double w = 1 / f.d[0];
  return mbs_function(f, w, -w * w, 2 * w * w * w);
}

/* Returns 1/sqrt(f) with its derivatives. */
static inline mbs_jet mbs_inverse_root(mbs_jet f)
{
  double w = 1 / f.d[0], h = sqrt(w);
  return mbs_function(f, h, -0.5 * h * w, 0.75 * h * w * w);
}

/* Arguments of a kernel: components of its vectors, one after the other, and its input. */
enum { MBS_COMPONENTS = 15 }; /* of five vectors in space */
struct mbs_arguments {
  mbs_jet x[MBS_COMPONENTS], s;
  int axis;
};

/* Phi and its derivatives by the components and by the input, each with its time derivatives. */
typedef struct mbs_gradient {
  mbs_jet phi, x[MBS_COMPONENTS], s;
} mbs_gradient;

/* Returns the scalar product of vectors number i and j, from 0, of dim components each, with its
 * derivatives. */
GRADYN_KERNEL mbs_jet mbs_product(int dim, const mbs_arguments *a, int i, int j)
{
  mbs_jet sum = mbs_times(a->x[dim * i], a->x[dim * j]);
  for (int k = 1; k < dim; k++)
    sum = mbs_plus(sum, mbs_times(a->x[dim * i + k], a->x[dim * j + k]));
  return sum;
}

#endif
