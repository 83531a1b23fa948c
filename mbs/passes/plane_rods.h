/* Trees of rods alone in the plane, which weight and torques on rods load; see plane_rods.c. */
#ifndef GRADYN_MBS_PASSES_PLANE_RODS_H
#define GRADYN_MBS_PASSES_PLANE_RODS_H

#include "mbs/passes/plane.h"

/* Whether a tree is such, at sealing; with the present data. */
gradyn_status plane_find_rods(tree *c);
void plane_load_rods(tree *c);
/* Whether that serves for terms with these parts: residuals r [n]; bars, which lose R_x^T mu and so on. */
bool plane_rods_serve(const tree *c, int parts);
void plane_rods_residual(tree *c, int parts, const gradyn_mech_state *at, double *r);
void plane_rods_against(tree *c, const gradyn_mech_term *term, int columns, const gradyn_lanes *mu,
                        const gradyn_mech_adjoints *adjoints);
/* Bars that sums, of so many rods, have kept back, to lanes [nx] of data; then they are zero. */
void plane_rods_settle(tree *c, gradyn_lanes *sums, gradyn_lanes *lanes);

#endif
