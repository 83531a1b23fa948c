/* Where a motion is cut. */
#ifndef GRADYN_OPTIM_BOUNDARIES_H
#define GRADYN_OPTIM_BOUNDARIES_H

#include "optim/segments/segments.h"

/* What cannot be meant, before anything is run. */
gradyn_status gradyn_segments_check(const gradyn_search *search, gradyn_message *message);
/* Behind the run of the guess: how many parts there are, from where to where. */
gradyn_status gradyn_segments_place(gradyn_segments *s, const gradyn_search *search);

#endif
