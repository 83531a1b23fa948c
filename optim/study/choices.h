/* Automatic choices and their reasons, as texts. */
#ifndef GRADYN_OPTIM_CHOICES_H
#define GRADYN_OPTIM_CHOICES_H

#include <jansson.h>

#include <gradyn/optimise.h>

/* Returns a text for each of "algorithm" (of a search; NULL: none), "method", "coordinates" and
 * "gradients", for example "ipopt (21 controls, 3 constraints)". A choice of the user has no reason.
 * NULL: out of memory. */
json_t *gradyn_choices(const gradyn_evaluator *evaluator, const gradyn_search *search);

#endif
