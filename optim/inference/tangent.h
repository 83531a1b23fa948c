/* Directions of parameters that bounds and constraints leave free. */
#ifndef GRADYN_OPTIM_TANGENT_H
#define GRADYN_OPTIM_TANGENT_H

#include "optim/inference/scores.h"

/* -1: at its lower bound, 1: at its upper one, 0: within. */
typedef signed char gradyn_bound_side;

/* Determines side [n] of the free parameters at a point x [n], in units. A parameter is at a bound if it is
 * near it, and the step of Newton's method in it alone reaches the bound. Z [n][n] with m columns:
 * directions that satisfy the constraints, for the part of the gradient that these do not balance. */
void gradyn_sides_find(const gradyn_program *program, const gradyn_scores *scores, const double Z[],
                       size_t m, const double x[], gradyn_bound_side side[]);

/* Fills the orthonormal columns of Z [n][n], of which *m are used, with directions in which parameters
 * within their bounds can move. Equalities and active inequalities hold to first order along them. Z[i n +
 * k] is component i of direction k. side [n]: bounds at which parameters are, and stay. The point is
 * evaluated. The workspace is from the arena. Errors: GRADYN_NOT_CONVERGED, eigenvalues were not found;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_tangent_find(const gradyn_program *program, const gradyn_trial *point,
                                  const gradyn_bound_side side[], gradyn_arena *arena, double Z[],
                                  size_t *m);

/* Returns whether a direction has no effect on the fit. l: eigenvalue, for this direction, of the curvature
 * divided by the roots of its diagonal. */
bool gradyn_direction_vanishes(double l);

/* Returns whether a message about a direction names a parameter with this part of it. largest: largest
 * magnitude of a part in the direction. */
bool gradyn_part_is_named(double part, double largest);

#endif
