/* Derivatives of a mechanical model for one term and one vector, for callers that do not have four
 * columns. */
#ifndef GRADYN_CORE_MECH_VECTOR_H
#define GRADYN_CORE_MECH_VECTOR_H

#include "core/mech/mech.h"

/* Sets *U to (dR/dlam)^T [jac.nnz] at a state, borrowed from J or own. Without multiplier-dependent forces
 * this is J [jac.nnz + 1], which must be Phi_q; otherwise residual_lam() writes it to own [jac.nnz + 1].
 * Errors: those of residual_lam(). */
gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U);

/* A change of data, time, s, positions and velocities; a pointer that is NULL: no change. */
typedef struct gradyn_mech_vector {
  const double *x; /* [nx] */
  double t;
  const double *q, *v; /* [n] */
} gradyn_mech_vector;

/* Adjoints of the quantities in gradyn_mech_vector, to be added to; NULL: not requested. */
typedef struct gradyn_mech_sums {
  double *x, *t;
  double *q, *v; /* [n] */
} gradyn_mech_sums;

/* Adds (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv of one term to r [rows], for the
 * changes *d in one direction; q and t are those of the node. rows: n and all constraints of the term's
 * parts. work [rows + 2 n]. Errors: those of along() of gradyn_mech_ops; r is then unchanged. */
gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const gradyn_mech_vector *d,
                                gradyn_lanes *work, double *r);

/* Transpose of gradyn_mech_along() with positive sign: adds (R; Phi)_x^T mu, mu [rows], to sums->x, and the
 * same for t, q, v. work [rows + 2 n]. Errors: those of against() of gradyn_mech_ops; q and v are then
 * unchanged. */
gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, const gradyn_mech_sums *sums);

#endif
