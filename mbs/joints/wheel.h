/* Check of wheels, for rolling and tyres. */
#ifndef GRADYN_MBS_WHEEL_H
#define GRADYN_MBS_WHEEL_H

#include "mbs/bodies/frame.h"

/* Whether a wheel with this radius, m, is valid: in space, `wheel` a frame of a body, `ground` a frame of
 * the ground, radius > 0. Its plane must not be parallel to the ground at the start. False after this
 * or any earlier build error. */
bool mbs_check_wheel(gradyn_mbs *m, const char *name, const mbs_frame *wheel,
                     const mbs_frame *ground, gradyn_scalar radius);

#endif
