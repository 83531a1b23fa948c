/* Newton's method with a barrier for a nonlinear program of numbers, one direction at a time.
 *
 * Minimise f(x) subject to c_i(x) = 0 for the first `equalities` rows, c_i(x) + s_i = 0 with s_i >= 0 for the
 * others, and lower <= x <= upper. Rows with a penalty p_i may be violated: c_i(x) + s_i - e_i = 0 with
 * e_i >= 0, and p_i e_i is added to f. The caller evaluates f, c and their derivatives at x, and decides
 * about steps. After its creation, no function allocates memory, except for a new choice of pivots. */
#ifndef GRADYN_OPTIM_NEWTON_H
#define GRADYN_OPTIM_NEWTON_H

#include "core/linear/arena.h"
#include "core/linear/linsys.h"

/* The sizes of a program and the entries of its derivatives; all arrays are borrowed. */
typedef struct gradyn_newton_shape {
  size_t n, m, equalities;
  const double *lower, *upper;  /* [n], may be infinite */
  const double *penalty;        /* [m]; 0: the row must hold */
  const size_t *start, *column; /* [m + 1], [start[m]] entries of the derivatives of c, by rows */
  /* [hessian_count] entries of second derivatives in the lower triangle */
  const size_t *hessian_row, *hessian_column;
  size_t hessian_count;
} gradyn_newton_shape;

/* A point, its multipliers, and a direction from there. */
typedef struct gradyn_newton_point {
  double *x, *lower, *upper; /* [n], multipliers of bounds, >= 0; 0 for infinite bounds */
  /* [m], slacks, violations and multipliers. Equalities have no slacks, and rows without a penalty no
   * violations */
  double *s, *e, *lam;
} gradyn_newton_point;

typedef struct gradyn_newton {
  gradyn_newton_shape shape;
  /* by the caller, at x: value, its gradient [n], constraints [m], their derivatives [start[m]], and second
   * derivatives of f + lam c [hessian_count] */
  double f, *g, *c, *A, *H;
  double barrier; /* parameter of the barrier, > 0 */
  gradyn_newton_point at, step;
  double longest, longest_dual; /* largest parts of the step that stay inside, at most 1 */
  double convexity;             /* multiple of the unit matrix that the last direction needed */
  gradyn_linsys *system;
  /* positions in the system: [hessian_count][2] of both triangles, [n + m] of the diagonal, [start[m]] of A
   * and of its transpose */
  int *both, *diagonal, *below, *above;
  double *right; /* [2][n + m], right-hand sides */
  gradyn_arena arena;
} gradyn_newton;

/* Errors in the conditions of first order, of the scaled program. */
typedef struct gradyn_newton_errors {
  double dual;       /* largest derivative of the Lagrangian */
  double complement; /* largest product of a multiplier and a distance from its bound */
  double barrier;    /* largest difference of such a product from the barrier parameter */
  double primal;     /* largest violation of a row with its slack */
} gradyn_newton_errors;

/* Creates the arrays and the system for a shape, which is copied. Clear *out in any case; do not move it.
 * Errors: GRADYN_NO_MEMORY; GRADYN_INVALID, more entries than an int counts. */
gradyn_status gradyn_newton_create(const gradyn_newton_shape *shape, gradyn_newton *out);

/* Frees the members and sets them to zero; may be repeated. */
void gradyn_newton_clear(gradyn_newton *newton);

/* Sets slacks and multipliers of the present point from the evaluation at x and the barrier parameter:
 * those of equalities by least squares. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_newton_begin(gradyn_newton *newton);

/* Moves x to a distance of at least `push` from finite bounds, or to the middle between close ones. No
 * other number changes. */
void gradyn_newton_push(gradyn_newton *newton, double push);

/* Raises slacks, distances and multipliers whose products are below the barrier parameter, to that product: a
 * pair that has collapsed at another point does not hold the step. The evaluation follows x by its
 * derivatives, the second ones included. */
void gradyn_newton_spread(gradyn_newton *newton);

/* Raises violations, or slacks, so that each row with a penalty holds for the present constraints. */
void gradyn_newton_absorb(gradyn_newton *newton);

/* Returns the errors of the conditions of first order at the present point, with its slacks, multipliers and
 * barrier parameter. */
gradyn_newton_errors gradyn_newton_measure(const gradyn_newton *newton);

/* Computes a step to the solution of the linearised conditions, and how far it may go. If the curvature along
 * the constraints is not positive, a multiple of the unit matrix is added. Errors: GRADYN_SINGULAR, no
 * multiple suffices; GRADYN_NON_FINITE; GRADYN_NO_MEMORY. */
gradyn_status gradyn_newton_find(gradyn_newton *newton);

/* Returns the sum of |c_i| of equalities and |c_i + s_i| of the other constraints at the present point. */
double gradyn_newton_violations(const gradyn_newton *newton);

/* Returns the value with its barrier at the present point: f minus the barrier parameter times the sum of
 * ln of all distances from bounds and all slacks. */
double gradyn_newton_value(const gradyn_newton *newton);

/* Returns the derivative of gradyn_newton_value() along the present step. */
double gradyn_newton_slope(const gradyn_newton *newton);

/* Sets the present point to *from plus parts of the step: `part`, 0 to 1, for x, slacks and multipliers of
 * equalities; `dual`, 0 to 1, for all other multipliers. */
void gradyn_newton_move(gradyn_newton *newton, const gradyn_newton_point *from, double part,
                        double dual);

/* Allocates a point for n variables and m constraints, all numbers zero, in an arena, whose status the
 * caller checks. Returns the addresses. */
gradyn_newton_point gradyn_newton_point_take(gradyn_arena *arena, size_t n, size_t m);

/* Copies the point *from to *to, which has memory for the same shape. */
void gradyn_newton_copy(const gradyn_newton *newton, const gradyn_newton_point *from,
                        gradyn_newton_point *to);

#endif
