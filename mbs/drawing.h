/* What can be drawn of a mechanism. */
#ifndef GRADYN_MBS_DRAWING_H
#define GRADYN_MBS_DRAWING_H

#include "core/model/looks.h"

extern const gradyn_looks_ops mbs_looks;

#endif
