/* Trees of rods only in the plane, loaded by weight and torques on rods; see plane_rods.c. */
#ifndef GRADYN_MBS_PASSES_PLANE_RODS_H
#define GRADYN_MBS_PASSES_PLANE_RODS_H

#include "mbs/passes/plane.h"

/* Decides once, at finalising, whether a tree is of this kind. GRADYN_NO_MEMORY, without a message. */
gradyn_status plane_find_rods(tree *c);

/* Copies the present data of such a tree; no effect on others. */
void plane_load_rods(tree *c);

/* Returns whether plane_rods_residual() and plane_rods_against() can be used for terms with these parts;
 * false in space. */
bool plane_rods_serve(const tree *c, int parts);

/* Sets r [n] to the parts of the residual R that the flags `parts` select, at the state `at`. */
void plane_rods_residual(tree *c, int parts, const gradyn_mech_state *at, double *r);

/* Subtracts products of mu [n] with the transposed derivatives of one term from *adjoints, as the function
 * against of gradyn_mech_ops. columns: number of used lanes. */
void plane_rods_against(tree *c, const gradyn_mech_term *term, int columns, const gradyn_lanes *mu,
                        const gradyn_mech_adjoints *adjoints);

/* Distributes the adjoints in sums [mech.derived.sums], of all rods, to lanes [nx] of data; then clears sums.
 * lanes NULL: no effect. */
void plane_rods_settle(tree *c, gradyn_lanes *sums, gradyn_lanes *lanes);

#endif
