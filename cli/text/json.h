/* The JSON object that --json prints and a study stores. */
#ifndef GRADYN_CLI_JSON_H
#define GRADYN_CLI_JSON_H

#include "cli/base/json.h"
#include "cli/options/session.h"
#include "optim/study/account.h"

/* An object with the members of every open session: command, problem, status, method, tolerances, end time
 * and settings. */
json_t *cli_json_session(const cli_session *session, gradyn_status status);

/* Adds "command_line" and, if the problem is a shared object, its path. They are needed to resume the
 * study. */
void cli_json_command_line(const cli_session *session, json_t *root);

/* All parameters with the values rho [parameters], free or fixed as in the session. */
json_t *cli_json_parameters(const cli_session *session, const double *rho);

/* All functionals with the values psi [functionals]; gradient [functionals][parameters] may be NULL. */
json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient);

/* Adds "chosen", and "statistics", "time", "warnings" and, if there were some, "events" of the last
 * evaluation. */
void cli_json_statistics(const cli_session *session, json_t *root);

#endif
