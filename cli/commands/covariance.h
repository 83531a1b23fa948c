/* The covariance along a run, as gradyn simulate --covariance shows it. */
#ifndef GRADYN_CLI_COVARIANCE_H
#define GRADYN_CLI_COVARIANCE_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/covariance.h>

#include "cli/options/session.h"
#include "cli/options/study.h"

/* Simulates as gradyn_simulate() would and finds the covariance of what --covariance tells to scatter, a
 * number of rows for --samples. Prints the reason of a failure and returns the exit status; clear
 * the result in any case. */
int cli_covariance_find(const cli_session *session, size_t samples, double *psi,
                        gradyn_trajectory *trajectory, gradyn_covariance *out);

/* Standard deviations of all functionals as a table. */
void cli_covariance_show(const cli_session *session, const gradyn_covariance *covariance,
                         FILE *file);

/* At the end of the run, with the functionals. */
json_t *cli_covariance_json(const cli_session *session, const gradyn_covariance *covariance);

/* covariance.csv: its upper triangle at all rows. */
gradyn_status cli_covariance_keep(gradyn_folder *study, const gradyn_covariance *covariance);

#endif
