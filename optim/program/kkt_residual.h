/* Residual of the first-order optimality (Karush-Kuhn-Tucker) conditions at a point. */
#ifndef GRADYN_OPTIM_KKT_RESIDUAL_H
#define GRADYN_OPTIM_KKT_RESIDUAL_H

#include <stddef.h>

#include "optim/program/entries.h"

#include <gradyn/base.h>

/* A nonlinear program linearised at x: minimise f subject to bounds, c_i = 0 for i < equalities, and c_i
 * <= 0 otherwise. All values are scaled. The arrays are borrowed. */
typedef struct gradyn_linearised {
  size_t n, m, equalities;
  const double *x, *lower, *upper; /* [n] */
  const double *g;                 /* [n], gradient of f */
  const gradyn_entries *entries;   /* stored entries of A; NULL: all */
  const double *A;                 /* stored entries of [m][n], gradients of c */
  const double *c;                 /* [m] */
  const double *tolerance;         /* [m], an inequality is active if c_i >= -tolerance_i */
  /* a bound within this distance is active; constraints near it may have multipliers */
  double window;
} gradyn_linearised;

/* Working memory for programs up to a given size. */
typedef struct gradyn_kkt_residual gradyn_kkt_residual;

/* Returns new working memory for programs with at most n variables and m constraints, `equalities` of them
 * equality constraints. Free it by gradyn_kkt_residual_free(). NULL: memory is out, or n or m exceeds
 * INT_MAX / 8. */
gradyn_kkt_residual *gradyn_kkt_residual_create(size_t n, size_t m, size_t equalities);
/* Frees working memory; NULL is ignored. */
void gradyn_kkt_residual_free(gradyn_kkt_residual *work);

/* Returns the residual of the first-order conditions, and fills lam [m] with the multipliers of the
 * constraints for which it was computed; those of inequalities are at least 0. NAN: the data are not
 * finite.
 *
 * The residual is the largest of these numbers: components of the projected gradient of the Lagrangian;
 * min(lam_i, -c_i) of inactive inequalities; lam_i |c_i| of large multipliers. The multipliers are a
 * certificate: for any multipliers, a small residual proves that the point is nearly critical. */
double gradyn_kkt_residual_measure(gradyn_kkt_residual *work, const gradyn_linearised *at,
                                   double lam[]);

/* Returns the part of the last residual that comes from large multipliers that balance each other; call
 * gradyn_kkt_residual_measure() before. It is the largest product of such a multiplier and the distance from
 * its constraint or bound. If no constraint qualification is satisfied, the objective can change by this
 * number within the tolerances. */
double gradyn_kkt_residual_gap(const gradyn_kkt_residual *work);

#endif
