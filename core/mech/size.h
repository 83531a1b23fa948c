/* Sizes of a mechanical model, with which numbers of its equations are compared. */
#ifndef GRADYN_CORE_MECH_SIZE_H
#define GRADYN_CORE_MECH_SIZE_H

#include "core/mech/mech.h"

/* Returns the largest |q_i| length_scale_i, q [n], or the extent of the mechanism if that is larger, in m.
 * Round-off of positions is relative to this size. A NaN in q is ignored. */
double gradyn_mech_size(const gradyn_mech *mech, const double *q);

/* Sets size [rows], positive, to the change of each of the first `rows` constraints for a motion of 1 m, in
 * its own unit. It is the root of the diagonal of J W^-1 J^T, W = diag(length_scale^2), or row_size() if
 * that is larger. Rows that (nearly) vanish get 1e-8 of the largest, or 1 if all vanish. J [jac.nnz]:
 * result of the last phi_q of order 0. */
void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size);

/* Raises worst[k] to |Phi^(k)|, the largest of all constraints of the motion at a state, each in its own
 * unit, for orders k < orders, at most 3. phi [m] is workspace. Errors: those of phi(); worst then has the
 * lower orders. */
gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst);

/* Returns the largest |phi[i]| / size[i], in m; both [rows], size from gradyn_mech_row_sizes(). NaN if an
 * entry is NaN. */
double gradyn_mech_violation(const double *phi, const double *size, int rows);

#endif
