/* States of a mechanism in joint coordinates for functionals and formulas, in trajectories and drawings. */
#ifndef GRADYN_MBS_TREE_VIEW_H
#define GRADYN_MBS_TREE_VIEW_H

#include "mbs/passes/tree.h"

/* tree_take_views() allocates working space from the arena; error: GRADYN_NO_MEMORY. tree_put_views() makes
 * functionals and formulas use natural coordinates. */
gradyn_status tree_take_views(const gradyn_model *model, tree *c);
void tree_put_views(gradyn_model *model);
/* At a sample: measures, and the natural state without multipliers in c->X[0]; whether energy is conserved;
 * kinetic and potential energy, J. Errors: failures of callbacks; GRADYN_SINGULAR, see tree_react(). */
gradyn_status tree_measures(gradyn_model *model, const gradyn_sample *at, double *out);
gradyn_status tree_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);
gradyn_status tree_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);
/* Columns of trajectories in addition to the states, and drawings. GRADYN_NO_MEMORY. */
gradyn_status tree_name_columns(const gradyn_model *model, tree *c);
void tree_offer_looks(gradyn_model_ops *ops);
/* After an evaluation in natural coordinates: the model has joint coordinates again. */
void tree_show(gradyn_model *model, tree *c);

#endif
