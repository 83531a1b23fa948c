/* Trees of rods only in the plane, loaded by weight and torques on rods; see plane_rods.c. */
#ifndef GRADYN_MBS_PASSES_PLANE_RODS_H
#define GRADYN_MBS_PASSES_PLANE_RODS_H

#include "mbs/passes/plane.h"

/* plane_find_rods() decides once, at finalising, whether a tree is of this kind; error: GRADYN_NO_MEMORY,
 * without a message. plane_load_rods() copies its present data, and has no effect on other trees. */
gradyn_status plane_find_rods(tree *c);
void plane_load_rods(tree *c);
/* plane_rods_serve(): whether the next two functions can be used for terms with these parts; false in space.
 * plane_rods_residual(): r [n] = R. plane_rods_against(): transposed products of one term, subtracted from
 * the adjoints, as `against` of gradyn_mech_ops; mu [n]. */
bool plane_rods_serve(const tree *c, int parts);
void plane_rods_residual(tree *c, int parts, const gradyn_mech_state *at, double *r);
void plane_rods_against(tree *c, const gradyn_mech_term *term, int columns, const gradyn_lanes *mu,
                        const gradyn_mech_adjoints *adjoints);
/* Distributes the adjoints in sums [mech.derived.sums], of all rods, to lanes [nx] of data; then clears sums.
 * lanes NULL: no effect. */
void plane_rods_settle(tree *c, gradyn_lanes *sums, gradyn_lanes *lanes);

#endif
