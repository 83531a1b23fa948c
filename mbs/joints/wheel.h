/* Check of wheels, for rolling and tyres. */
#ifndef GRADYN_MBS_WHEEL_H
#define GRADYN_MBS_WHEEL_H

#include "mbs/bodies/frame.h"

/* Checks a wheel with this radius, m. The mechanism must be spatial, `wheel` a frame of a body, `ground` a
 * frame of the ground, and radius > 0. The wheel's plane must not be parallel to the ground at the start. A
 * fault is a build error that begins with `name`. Returns false after this or any earlier build error. */
bool mbs_check_wheel(gradyn_mbs *m, const char *name, const mbs_frame *wheel,
                     const mbs_frame *ground, gradyn_scalar radius);

#endif
