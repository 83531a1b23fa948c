/* What is to be told of wheels that are none. */
#ifndef GRADYN_MBS_WHEEL_H
#define GRADYN_MBS_WHEEL_H

#include "mbs/bodies/frame.h"

/* Notes a build error and returns false unless a disc of this radius in x and y of the frame `wheel` stands
 * on its rim on the plane of `ground` at the start. */
bool mbs_check_wheel(gradyn_mbs *m, const char *name, const mbs_frame *wheel,
                     const mbs_frame *ground, gradyn_scalar radius);

#endif
