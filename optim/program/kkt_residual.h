/* How far a point is from satisfying the first-order (Karush-Kuhn-Tucker) conditions. */
#ifndef GRADYN_OPTIM_KKT_RESIDUAL_H
#define GRADYN_OPTIM_KKT_RESIDUAL_H

#include <stddef.h>

#include <gradyn/status.h>

/* A programme linearised at x: minimise f, c_i = 0 (i < equalities), c_i <= 0 (others), bounds.
 * Everything is scaled; arrays are borrowed. */
typedef struct gradyn_linearised {
  size_t n, m, equalities;
  const double *x, *lower, *upper; /* [n] */
  const double *g;                 /* [n], gradient of f */
  const double *A;                 /* [m][n], gradients of c */
  const double *c;                 /* [m] */
  const double *tolerance;         /* [m], c_i >= -tolerance_i counts as zero */
  double window;                   /* inequalities and bounds this near may have a multiplier */
} gradyn_linearised;

/* Working memory for programmes up to a size. */
typedef struct gradyn_kkt_residual gradyn_kkt_residual;

/* Creates it for at most n variables and m constraints; NULL: out of memory. */
gradyn_kkt_residual *gradyn_kkt_residual_create(size_t n, size_t m);
void gradyn_kkt_residual_free(gradyn_kkt_residual *work);

/* Returns the residual of the first-order conditions with the best multipliers lam [m] found
 * (lam_i >= 0 for inequalities): the largest component of the projected gradient of the Lagrangian,
 * or of min(lam_i, -c_i), or of lam_i |c_i| where lam_i is steep, if that is larger. The multipliers are a
 * certificate: whatever their quality, a small result proves a nearly critical point. */
double gradyn_kkt_residual_measure(gradyn_kkt_residual *work, const gradyn_linearised *at,
                                   double lam[]);

/* The part of the last result that is due to multipliers that balance each other, times the distances of
 * their rows and bounds: what the objective may change by within tolerances where constraints fail to be
 * qualified. */
double gradyn_kkt_residual_gap(const gradyn_kkt_residual *work);

#endif
