/* What a model looks like at some parameters, as a study keeps it for its report. */
#ifndef GRADYN_CLI_MODEL_JSON_H
#define GRADYN_CLI_MODEL_JSON_H

#include <jansson.h>

#include "cli/options/session.h"

/* Points, drawables and signals as of the evaluator's last evaluation, which was at rho [parameters]. */
json_t *cli_model_json(const cli_session *session, const double *rho);

/* Adds "sensitivity" to it: of the objective (the functional of that name, or NULL: the problem's own) and
 * of each functional, the data that matter most at rho. Costs a gradient. On failure "sensitivity_failed"
 * tells the reason. */
void cli_model_add_sensitivity(const cli_session *session, const double *rho, const char *objective,
                               json_t *model);

#endif
