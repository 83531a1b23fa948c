/* States of a mechanism in joint coordinates for functionals and formulas, in trajectories and drawings. */
#ifndef GRADYN_MBS_TREE_VIEW_H
#define GRADYN_MBS_TREE_VIEW_H

#include "mbs/passes/tree.h"

/* Allocates c->view in the arena. GRADYN_NO_MEMORY, without a message. */
gradyn_status tree_take_views(const gradyn_model *model, tree *c);

/* Replaces the functions of functionals and formulas by versions that first convert the state to natural
 * coordinates. */
void tree_put_views(gradyn_model *model);

/* Writes the values of the measures that are not hidden to out, at a sample in joint coordinates, and
 * leaves the natural state in c->X[0]. Errors: failures of callbacks; GRADYN_SINGULAR, with a message:
 * directions of a joint are degenerate. */
gradyn_status tree_measures(gradyn_model *model, const gradyn_sample *at, double *out);

/* Sets *conserved to whether energy is conserved, `conserves` of gradyn_drawing_ops, at a sample in joint
 * coordinates. Errors: failures of callbacks. */
gradyn_status tree_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);

/* Sets *kinetic and *potential to the energies, J, at a sample in joint coordinates. Errors: failures of
 * callbacks. */
gradyn_status tree_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                          double *potential);

/* Lists the natural states that trajectories show in addition to the states. GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status tree_name_columns(const gradyn_model *model, tree *c);

/* Sets the outputs and drawings of ops, after tree_name_columns(). */
void tree_offer_looks(gradyn_model_ops *ops);

/* After an evaluation in natural coordinates: the model has joint coordinates again. */
void tree_use_joint_coordinates(gradyn_model *model, tree *c);

#endif
