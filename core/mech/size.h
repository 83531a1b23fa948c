/* Sizes of a mechanical model: what numbers of its equations are large or small compared with. */
#ifndef GRADYN_CORE_MECH_SIZE_H
#define GRADYN_CORE_MECH_SIZE_H

#include "core/mech/mech.h"

/* How far from the origin, or how large, a mechanism at q is, m: what positions are rounded by. */
double gradyn_mech_size(const gradyn_mech *mech, const double *q);

/* How much each of the first rows of constraints changes when things move by 1 m, in its own unit: the
 * root of the diagonal of J W^-1 J^T, W = diag(lever^2), of what coordinates move, and what else is to move;
 * rows that (nearly) vanish get a part of the largest. J is what phi_q gave last. */
void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size);

/* worst[k] = max(worst[k], |Phi^(k)|), orders 0 to orders - 1, each in its own unit: constraints of the
 * motion at a state; phi [m] is scratch. */
gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst);

/* The largest of rows [rows] in units of their sizes, m; NaN if there is one among them. */
double gradyn_mech_violation(const double *phi, const double *size, int rows);

#endif
