/* Check of wheels, for rolling and tyres. */
#ifndef GRADYN_MBS_WHEEL_H
#define GRADYN_MBS_WHEEL_H

#include "mbs/bodies/frame.h"

/* Whether a disc of this radius, m, in the plane x, y of the frame `wheel`, has a lowest point above the
 * frame `ground` at the start. `wheel` must belong to a body, `ground` to the ground. False after a build
 * error. */
bool mbs_check_wheel(gradyn_mbs *m, const char *name, const mbs_frame *wheel,
                     const mbs_frame *ground, gradyn_scalar radius);

#endif
