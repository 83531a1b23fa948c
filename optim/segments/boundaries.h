/* Times of the segment boundaries of a motion. */
#ifndef GRADYN_OPTIM_BOUNDARIES_H
#define GRADYN_OPTIM_BOUNDARIES_H

#include "optim/segments/segments.h"

/* Checks the options of a search for segments, before any run. Error, with a message: GRADYN_INVALID, they
 * contradict each other, or the number of segments is not possible. */
gradyn_status gradyn_segments_check(const gradyn_search *search, gradyn_message *message);
/* Determines s->count, and starts and ends of all segments, after the run of the guess, from search->segments
 * or segment_times. A boundary at an event or at the time of a functional is moved, which s->moved states.
 * Errors, with s->message: GRADYN_INVALID, times or their number are wrong; GRADYN_UNSUPPORTED, a boundary
 * cannot be moved; GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_place(gradyn_segments *s, const gradyn_search *search);

#endif
