/* What can be drawn of a mechanism, and what it consists of. */
#ifndef GRADYN_MBS_DRAWING_H
#define GRADYN_MBS_DRAWING_H

#include "core/model/drawing.h"

extern const gradyn_looks_ops mbs_evals;

/* Of gradyn_model_ops. */
void mbs_list_elements(const gradyn_model *model, gradyn_element_fn visit, void *user);

#endif
