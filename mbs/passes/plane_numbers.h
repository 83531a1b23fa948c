/* Vectors in the plane as complex numbers, and lanes of such vectors. */
#ifndef GRADYN_MBS_PASSES_PLANE_NUMBERS_H
#define GRADYN_MBS_PASSES_PLANE_NUMBERS_H

#include "core/linear/lanes.h"

typedef struct plane_vector {
  double x, y;
} plane_vector;

typedef struct plane_lanes {
  gradyn_lanes x, y;
} plane_lanes;

/* Returns a + b. */
static inline plane_vector plane_add(plane_vector a, plane_vector b)
{
  return (plane_vector){a.x + b.x, a.y + b.y};
}

/* Returns factor times a. */
static inline plane_vector plane_scaled(double factor, plane_vector a)
{
  return (plane_vector){factor * a.x, factor * a.y};
}

/* Returns the complex product a b. */
static inline plane_vector plane_times(plane_vector a, plane_vector b)
{
  return (plane_vector){a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

/* Returns i a, the vector a turned by 90 degrees counter-clockwise. */
static inline plane_vector plane_normal(plane_vector a)
{
  return (plane_vector){-a.y, a.x};
}

/* Returns the scalar product of a and b. */
static inline double plane_dot(plane_vector a, plane_vector b)
{
  return a.x * b.x + a.y * b.y;
}

/* Returns the vector at offset `at` of X. */
static inline plane_vector plane_at(const double *X, int at)
{
  return (plane_vector){X[at], X[at + 1]};
}

/* Stores a at offset `at` of X. */
static inline void plane_set(double *X, int at, plane_vector a)
{
  X[at] = a.x;
  X[at + 1] = a.y;
}

/* Adds the complex product a d to *to. */
GRADYN_KERNEL void plane_add_lanes(plane_vector a, const plane_lanes *d, plane_lanes *to)
{
  to->x += a.x * d->x - a.y * d->y;
  to->y += a.x * d->y + a.y * d->x;
}

/* Adds conj(a) d to *to. */
GRADYN_KERNEL void plane_add_back(plane_vector a, const plane_lanes *d, plane_lanes *to)
{
  to->x += a.x * d->x + a.y * d->y;
  to->y += a.x * d->y - a.y * d->x;
}

/* Adds a s to *to, with a real number s in each lane. */
GRADYN_KERNEL void plane_add_number(plane_vector a, const gradyn_lanes *s, plane_lanes *to)
{
  to->x += a.x * *s;
  to->y += a.y * *s;
}

/* Adds the scalar product of a and d to *to. */
GRADYN_KERNEL void plane_add_dot(plane_vector a, const plane_lanes *d, gradyn_lanes *to)
{
  *to += a.x * d->x + a.y * d->y;
}

/* Copies the vector whose lanes [2] begin at `from` to *to. */
GRADYN_KERNEL void plane_take(const gradyn_lanes *from, plane_lanes *to)
{
  to->x = from[0];
  to->y = from[1];
}

/* Copies the vector whose lanes begin at `from` to *to, and sets these lanes to zero. */
GRADYN_KERNEL void plane_take_out(gradyn_lanes *from, plane_lanes *to)
{
  plane_take(from, to);
  from[0] = from[1] = (gradyn_lanes){0};
}

/* Stores d in the lanes that begin at `to`. */
GRADYN_KERNEL void plane_put(const plane_lanes *d, gradyn_lanes *to)
{
  to[0] = d->x;
  to[1] = d->y;
}

/* Adds d to the lanes that begin at `to`. */
GRADYN_KERNEL void plane_add_to(const plane_lanes *d, gradyn_lanes *to)
{
  to[0] += d->x;
  to[1] += d->y;
}

#endif
