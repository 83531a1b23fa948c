/* Second derivatives of eta^T F, with the residuals F of general equations, by pairs of their arguments: a
 * complex step along one argument, and a central difference of order 4 along the other. Most pairs do not
 * interact: the derivative by one argument is then the same to the bit wherever the other one is. Such pairs
 * are found once. */
#ifndef GRADYN_CORE_CURVATURE_H
#define GRADYN_CORE_CURVATURE_H

#include "core/equations/equations.h"
#include "core/linear/arena.h"

/* A pair of arguments that interact, first <= second, and its second derivative. */
typedef struct gradyn_curvature_pair {
  int first, second;
  double value;
} gradyn_curvature_pair;

/* Arguments in this order: states, their rates, signals, own data, time. */
typedef struct gradyn_curvature {
  gradyn_equations_model *e;
  int count;                   /* number of arguments */
  int signals, data;           /* the first signal and the first own datum */
  gradyn_curvature_pair *pair; /* [pairs] ordered by `second` */
  int pairs;
  bool *interact;      /* [count][count] first, second */
  double *column;      /* [count + 1][states] workspace */
  gradyn_scalar *kept; /* [count] workspace */
} gradyn_curvature;

/* Distances of differences, relative to the change of an argument that matters, and the weights of the
 * derivatives there, for a change of size 1. Neighbours cancel to the bit if derivatives do not change. */
enum { GRADYN_CURVATURE_POINTS = 4 };
extern const double gradyn_curvature_distance[GRADYN_CURVATURE_POINTS],
    gradyn_curvature_weight[GRADYN_CURVATURE_POINTS];

/* Returns the number of arguments of the equations: states, rates, signals, own data and time. */
int gradyn_curvature_arguments(const gradyn_equations_model *e);

/* Allocates *out for the equations e, borrowed, from the arena, whose status the caller checks; no pair is
 * known to interact. */
void gradyn_curvature_create(gradyn_equations_model *e, gradyn_arena *arena, gradyn_curvature *out);

/* Adds the pairs of arguments that interact at the arguments of gradyn_equations_at(), which are the same
 * afterwards. size [count]: changes of the arguments that matter; 0: the argument does not change. Errors:
 * failures of the equations at the point itself. */
gradyn_status gradyn_curvature_find(gradyn_curvature *c, const double size[]);

/* Computes the second derivatives of eta^T F, eta [states], for all known pairs, into their `value`. size
 * [count]: changes of the arguments that matter; pairs with an argument of size 0 get 0. The point is that
 * of gradyn_equations_at(). Errors: failures of the equations. */
gradyn_status gradyn_curvature_at(gradyn_curvature *c, const double eta[], const double size[]);

/* Sets *out to the second derivative of eta^T F along d [count], eta [states], for any pairs, by
 * differences at half the distances times `shrink`. The point is that of gradyn_equations_at(). Errors:
 * failures of the equations. */
gradyn_status gradyn_curvature_along(gradyn_curvature *c, const double eta[], const double d[],
                                     double shrink, double *out);

#endif
