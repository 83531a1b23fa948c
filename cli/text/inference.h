/* What data say about fitted parameters, as tables and JSON. */
#ifndef GRADYN_CLI_INFERENCE_H
#define GRADYN_CLI_INFERENCE_H

#include <gradyn/analysis.h>
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

/* Simulates at the estimates rho, fills psi [functionals] and trajectory, and computes the deviations of
 * the states at its rows from the covariance of the estimates; with load cases, those of the first one, as
 * the trajectory. *bands has no rows if `inference` is empty, a direction without an estimate has no
 * deviation, or the method has no direct sensitivities. Clear *bands by gradyn_covariance_clear() in any
 * case. Errors: those of the run. */
gradyn_status cli_inference_simulate(const cli_session *session, const gradyn_inference *inference,
                                     const double rho[], double psi[],
                                     gradyn_trajectory *trajectory, gradyn_covariance *bands);

#endif
