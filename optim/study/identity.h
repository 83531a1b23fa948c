/* What a result depends on, for the header of a journal. */
#ifndef GRADYN_OPTIM_IDENTITY_H
#define GRADYN_OPTIM_IDENTITY_H

#include <jansson.h>

#include "core/base/message.h"
#include "optim/program/objective.h"
#include <gradyn/optimise.h>

/* Describes library, build, parameters, functionals, search and start rho0 [parameters]; with an
 * evaluator, which may be NULL, also the problem and how it is marched. NULL: out of memory. */
json_t *gradyn_identity(const gradyn_objective *objective, const gradyn_evaluator *evaluator,
                        const gradyn_search *search, const double rho0[]);

/* Adds a line "march.rtol was 1e-08 and is 1e-06" to the message for each difference. */
void gradyn_identity_compare(const json_t *then, const json_t *now, gradyn_message *message);

/* Whether both name the same problem, parameters and functionals, and libraries that an optimiser alone
 * computes with; otherwise the message says what differs. */
gradyn_status gradyn_identity_check(const json_t *then, const json_t *now, gradyn_message *message);

#endif
