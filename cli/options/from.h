/* --from: settings of an earlier run, and its final values. */
#ifndef GRADYN_CLI_FROM_H
#define GRADYN_CLI_FROM_H

#include "cli/options/session.h"

/* Reads the study of --from, if given, into session->from. Unless the command line gives a problem,
 * session->wanted becomes that of the study. Prints the reason of a failure and returns the exit status. */
int cli_from_open(cli_session *session);
void cli_from_close(cli_session *session);

/* Refuses a study of another problem; returns the exit status. */
int cli_from_fits(const cli_session *session);

/* Takes over the simulation options, unless another method is requested. */
void cli_from_evaluation(const cli_session *session, gradyn_options *evaluation);

/* The value of a setting; false: the study does not have it. */
bool cli_from_setting(const cli_session *session, const char *name, double *value);

/* Takes over values of parameters, and which of them are fixed; session->param must be filled. Reports
 * parameters that are not in the study. */
void cli_from_parameters(cli_session *session);

/* The objective scale of the study, if it has the same objective (a name, or NULL: that of the problem). A
 * new search would derive the scale from the gradient, which is nearly zero at the end of the study. */
void cli_from_scale(const cli_session *session, const char *objective, double *scale);

#endif
