/* The covariance along a run, for gradyn simulate --covariance. */
#ifndef GRADYN_CLI_COVARIANCE_H
#define GRADYN_CLI_COVARIANCE_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/analysis.h>

#include "cli/options/session.h"
#include "cli/options/study.h"

/* Simulates as gradyn_evaluator_simulate() does, and computes the covariance of the data named in
 * --covariance, at the number of times given by --samples. Prints the reason of a failure and returns the
 * exit status. The caller clears the result in any case. */
int cli_covariance_find(const cli_session *session, size_t samples, double *psi,
                        gradyn_trajectory *trajectory, gradyn_covariance *out);

/* Prints standard deviations of all functionals as a table. */
void cli_covariance_show(const cli_session *session, const gradyn_covariance *covariance,
                         FILE *file);

/* Covariance at the end of the run and of the functionals. */
json_t *cli_covariance_json(const cli_session *session, const gradyn_covariance *covariance);

/* Writes covariance.csv: the upper triangle at all times. */
gradyn_status cli_covariance_keep(gradyn_folder *study, const gradyn_covariance *covariance);

#endif
