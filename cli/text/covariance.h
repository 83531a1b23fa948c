/* The covariance along a run, for gradyn simulate --covariance. */
#ifndef GRADYN_CLI_COVARIANCE_H
#define GRADYN_CLI_COVARIANCE_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/analysis.h>

#include "cli/options/session.h"
#include "cli/options/study.h"

/* Simulates at session->rho, fills psi [functionals] and trajectory, and computes the covariance of the data
 * in --covariance at `samples` times, as rows of the trajectory. Prints the reason of a failure, and returns
 * the exit status. Clear *out by gradyn_covariance_clear() in any case. */
int cli_covariance_find(const cli_session *session, size_t samples, double *psi,
                        gradyn_trajectory *trajectory, gradyn_covariance *out);

/* Prints an empty line, and the standard deviations of all functionals as a table, to a file. */
void cli_covariance_show(const cli_session *session, const gradyn_covariance *covariance,
                         FILE *file);

/* Returns the covariance at the end of the run, and the standard deviations of the functionals, as a new
 * object. Ends the program if memory is exhausted. */
json_t *cli_covariance_json(const cli_session *session, const gradyn_covariance *covariance);

/* Writes covariance.csv, the upper triangle at all times. Errors, with study->message: those of the
 * folder. */
gradyn_status cli_covariance_keep(gradyn_folder *study, const gradyn_covariance *covariance);

#endif
