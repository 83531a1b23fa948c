/* Drawable shapes and the list of elements of a mechanism, for the model's operations. */
#ifndef GRADYN_MBS_DRAWING_H
#define GRADYN_MBS_DRAWING_H

#include "core/model/model_ops.h"

/* Drawings and energies in natural coordinates. */
extern const gradyn_drawing_ops mbs_drawing_ops;

/* Calls visit(info, user) once for each element; info is valid during the call. See
 * gradyn_model_ops. */
void mbs_list_elements(const gradyn_model *model, gradyn_element_fn visit, void *user);

#endif
