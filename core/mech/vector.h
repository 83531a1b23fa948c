/* Derivatives of a mechanical model for one term and one vector, for those who have no four columns. */
#ifndef GRADYN_CORE_MECH_VECTOR_H
#define GRADYN_CORE_MECH_VECTOR_H

#include "core/mech/mech.h"

/* U = dR/dlam transposed at a state: Phi_q itself, which is in J, or, where forces read multipliers, what
 * residual_lam() writes to own [jac.nnz + 1]. */
gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U);

/* The two products for one term and one vector, its own signs on: r [rows] += (R; Phi)_x dx + ..., and x_bar
 * += (R; Phi)_x^T mu and so on. NULL: does not change, or is not asked for. work [rows + 2 n]. */
typedef struct gradyn_mech_vector {
  const double *x; /* [nx] */
  double t;
  const double *q, *v; /* [n] */
} gradyn_mech_vector;
typedef struct gradyn_mech_sums {
  double *x, *t;
  double *q, *v; /* [n] */
} gradyn_mech_sums;
gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const gradyn_mech_vector *d,
                                gradyn_lanes *work, double *r);
gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, const gradyn_mech_sums *sums);

#endif
