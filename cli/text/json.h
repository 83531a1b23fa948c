/* The JSON object that --json prints and a study stores. If memory is exhausted, the program ends. Numbers
 * that are not finite become null. */
#ifndef GRADYN_CLI_JSON_H
#define GRADYN_CLI_JSON_H

#include "cli/base/json.h"
#include "cli/options/session.h"
#include "optim/study/account.h"

/* Returns a new object with the members of an open session, for json_decref() or cli_json_print(): command,
 * problem, status, method, tolerances, end time, settings, and load cases with their file. */
json_t *cli_json_session(const cli_session *session, gradyn_status status);

/* Adds to the object root "command_line" and, if the problem is from a shared object, its path as
 * "problem_file". A study needs both to be resumed. */
void cli_json_command_line(const cli_session *session, json_t *root);

/* Returns all parameters with the values rho [parameters] as a new array; free or fixed as in the
 * session. */
json_t *cli_json_parameters(const cli_session *session, const double *rho);

/* Returns all functionals with the values psi [functionals] and gradient [functionals][parameters] as a new
 * array. psi or gradient NULL: without values or gradients. */
json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient);

/* Adds to the object root "chosen" (automatic choices of the simulation) and, of the last evaluation,
 * "statistics", "time", "warnings" and, if there were any, "events". */
void cli_json_statistics(const cli_session *session, json_t *root);

#endif
