/* What has been chosen where nothing was asked for, and why, in words. */
#ifndef GRADYN_OPTIM_CHOICES_H
#define GRADYN_OPTIM_CHOICES_H

#include <jansson.h>

#include <gradyn/optimise.h>

/* A text by each name: "algorithm" (of a search, NULL: none), "method", "coordinates", "gradients", such as
 * "ipopt (21 controls, 3 constraints)". What was asked for has no reason. NULL: no memory. */
json_t *gradyn_choices(const gradyn_evaluator *evaluator, const gradyn_search *search);

#endif
