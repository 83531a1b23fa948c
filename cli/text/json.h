/* The JSON object that --json prints and that a study keeps. */
#ifndef GRADYN_CLI_JSON_H
#define GRADYN_CLI_JSON_H

#include <jansson.h>

#include "cli/options/session.h"
#include "core/files/json.h"
#include "optim/study/account.h"

/* Members that every object begins with; command and problem may be NULL. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status);

/* The same for an open session, with method, tolerances, end time and settings. */
json_t *cli_json_session(const cli_session *session, gradyn_status status);

/* Adds "command_line" and, if the problem is one, the place of its shared object: with them a study
 * goes on. */
void cli_json_command_line(const cli_session *session, json_t *root);

/* Adds a member or an element and takes value over; ends the program when out of memory. */
void cli_json_put(json_t *object, const char *key, json_t *value);
void cli_json_append(json_t *array, json_t *value);

/* As those of core/files/json.h. */
json_t *cli_json_text(const char *text);
json_t *cli_json_numbers(const double *value, size_t count);

/* All parameters with the values rho [parameters]. */
json_t *cli_json_parameters(const cli_session *session, const double *rho);

/* All functionals with the values psi [functionals]; gradient [functionals][parameters] may be
 * NULL. */
json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient);

/* Adds "statistics", "time", "events" and "warnings" of the last evaluation. */
void cli_json_statistics(const cli_session *session, json_t *root);

/* Writes with 17 significant digits and a newline, to a file or to standard output, and releases
 * root. What cannot be written shows in ferror(); without memory nothing is written at all. */
void cli_json_write(json_t *root, FILE *file);
void cli_json_print(json_t *root);

/* Says in an object that is otherwise a result that something failed after it had been found. */
void cli_json_blame(json_t *root, gradyn_status status, const char *message);

#endif
