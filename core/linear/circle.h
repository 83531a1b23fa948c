/* Cosines and sines of many angles at once. */
#ifndef GRADYN_CORE_CIRCLE_H
#define GRADYN_CORE_CIRCLE_H

#include "core/linear/lanes.h"

/* Sets cosine and sine [count] of four angles in rad in each entry of angle [count]; arrays do not overlap.
 * Errors are below one unit in the last place of 1, 2^-53. Results have the same bits on all processors
 * without fused operations. */
void gradyn_lanes_circle(int count, const gradyn_lanes *angle, gradyn_lanes *cosine,
                         gradyn_lanes *sine);

#endif
