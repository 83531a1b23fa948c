/* Times of the segment boundaries of a motion. */
#ifndef GRADYN_OPTIM_BOUNDARIES_H
#define GRADYN_OPTIM_BOUNDARIES_H

#include "optim/segments/segments.h"

/* Checks the options of a search for segments before any run. GRADYN_INVALID: they contradict each other,
 * or the number of segments is not possible. */
gradyn_status gradyn_segments_check(const gradyn_search *search, gradyn_message *message);
/* Determines the segments after the run of the guess: their number, and their starts and ends. Failures
 * have a message in s. */
gradyn_status gradyn_segments_place(gradyn_segments *s, const gradyn_search *search);

#endif
