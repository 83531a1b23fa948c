/* Options of a march as studies keep them: each stands once, in the table of options.c. */
#ifndef GRADYN_OPTIM_OPTIONS_H
#define GRADYN_OPTIM_OPTIONS_H

#include <jansson.h>

#include <gradyn/evaluate.h>

/* All that results can depend on to the last bit, for the identity of a journal. NULL: no memory. */
json_t *gradyn_options_identity(const gradyn_options *march);

/* Adds those that mean something to the method and are not off: how a result was computed. */
void gradyn_options_report(json_t **root, const gradyn_options *march);

/* Takes over what an object tells in this way; texts belong to it. */
void gradyn_options_recall(const json_t *root, gradyn_options *march);

#endif
