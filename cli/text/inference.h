/* What data say about fitted parameters, as tables and JSON. */
#ifndef GRADYN_CLI_INFERENCE_H
#define GRADYN_CLI_INFERENCE_H

#include <gradyn/inference.h>

#include "cli/base/json.h"
#include "cli/options/session.h"

/* Prints an error and returns CLI_USAGE if the command is `gradyn fit`, and a term of the objective is
 * no fit; otherwise CLI_DONE. */
int cli_inference_suits(const cli_session *session, const gradyn_search *search);

/* Returns all members of an inference at the estimates rho [parameters] as a new object. Ends the
 * program if memory is exhausted. */
json_t *cli_inference_json(const cli_session *session, const double rho[],
                           const gradyn_inference *inference);

/* Prints tables of parameters and of residuals, and a line for each direction that data do not
 * determine. */
void cli_inference_print(const cli_session *session, const double rho[],
                         const gradyn_inference *inference);

#endif
