/* Cosines and sines of many angles side by side. */
#ifndef GRADYN_CORE_CIRCLE_H
#define GRADYN_CORE_CIRCLE_H

#include "core/linear/lanes.h"

/* Of `count` lanes of angles in rad; errors are below one unit of the last place of 1, 2^-53. Bits are the
 * same on all processors without fused operations. */
void gradyn_lanes_circle(int count, const gradyn_lanes *angle, gradyn_lanes *cosine,
                         gradyn_lanes *sine);

#endif
