/* What is seen of a mechanism in joint coordinates: by functionals and formulas, in trajectories and
 * drawings. */
#ifndef GRADYN_MBS_TREE_VIEW_H
#define GRADYN_MBS_TREE_VIEW_H

#include "mbs/passes/tree.h"

/* Room for views, from the arena, and what users' formulas and functionals see through them. */
gradyn_status tree_take_views(const gradyn_model *model, tree *c);
void tree_put_views(gradyn_model *model);
/* At a sample: measures, with the natural state but for multipliers in c->X[0]; kinetic and potential
 * energy. */
gradyn_status tree_measures(gradyn_model *model, const gradyn_sample *at, double *out);
gradyn_status tree_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);
gradyn_status tree_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);
/* Columns of trajectories beside the states, and drawings. */
gradyn_status tree_name_columns(const gradyn_model *model, tree *c);
void tree_offer_looks(gradyn_model_ops *ops);
/* After natural coordinates have been looked at, the model is that of joint coordinates again. */
void tree_show(gradyn_model *model, tree *c);

#endif
