/* Everything on which a result depends, for the header of a journal. */
#ifndef GRADYN_OPTIM_IDENTITY_H
#define GRADYN_OPTIM_IDENTITY_H

#include <jansson.h>

#include "core/base/message.h"
#include "optim/program/objective.h"
#include <gradyn/optimise.h>

/* Returns a description of library, build, parameters, functionals, search, and start rho0 [parameters], as
 * a new object. With an evaluator, also of the problem and the options of its runs; it may be NULL. NULL:
 * out of memory. */
json_t *gradyn_identity(const gradyn_objective *objective, const gradyn_evaluator *evaluator,
                        const gradyn_search *search, const double rho0[]);

/* Adds a line to the message for each difference of two descriptions, for example "options.rtol was 1e-08 and
 * is 1e-06". The descriptions are not changed. */
void gradyn_identity_compare(const json_t *then, const json_t *now, gradyn_message *message);

/* Checks that two descriptions have the same problem, parameters, functionals, warm start, and libraries
 * that only an optimiser uses. Error: GRADYN_INVALID, the message states the difference. */
gradyn_status gradyn_identity_check(const json_t *then, const json_t *now, gradyn_message *message);

#endif
