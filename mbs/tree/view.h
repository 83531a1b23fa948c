/* States of a mechanism in joint coordinates for functionals and formulas, in trajectories and drawings. */
#ifndef GRADYN_MBS_TREE_VIEW_H
#define GRADYN_MBS_TREE_VIEW_H

#include "mbs/passes/tree.h"

/* tree_take_views() allocates c->view in the arena. GRADYN_NO_MEMORY. tree_put_views() replaces the
 * functions of functionals and formulas by versions that first convert the state to natural coordinates. */
gradyn_status tree_take_views(const gradyn_model *model, tree *c);
void tree_put_views(gradyn_model *model);
/* At a sample in joint coordinates: tree_measures(): out, the values of the measures that are not hidden;
 * also leaves the natural state in c->X[0]. tree_conserves(), tree_energy(): as in gradyn_drawing_ops;
 * energies in J. Errors: failures of callbacks; GRADYN_SINGULAR, see tree_react(). */
gradyn_status tree_measures(gradyn_model *model, const gradyn_sample *at, double *out);
gradyn_status tree_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);
gradyn_status tree_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);
/* tree_name_columns() lists the natural states that trajectories show in addition to the states.
 * GRADYN_NO_MEMORY. tree_offer_looks() then sets the outputs and drawings of ops. */
gradyn_status tree_name_columns(const gradyn_model *model, tree *c);
void tree_offer_looks(gradyn_model_ops *ops);
/* After an evaluation in natural coordinates: the model has joint coordinates again. */
void tree_use_joint_coordinates(gradyn_model *model, tree *c);

#endif
