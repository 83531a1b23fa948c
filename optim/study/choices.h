/* Automatic choices and their reasons, as texts. */
#ifndef GRADYN_OPTIM_CHOICES_H
#define GRADYN_OPTIM_CHOICES_H

#include <jansson.h>

#include <gradyn/optimise.h>

/* Returns an object with the texts "algorithm", "method", "coordinates" and "gradients", for example "ipopt
 * (21 controls, 3 constraints)". A choice of the user has no reason in parentheses. search NULL: without
 * "algorithm". The caller owns the object; NULL: out of memory. */
json_t *gradyn_choices(const gradyn_evaluator *evaluator, const gradyn_search *search);

#endif
