/* --from: settings of an earlier run, and its final values. */
#ifndef GRADYN_CLI_FROM_H
#define GRADYN_CLI_FROM_H

#include "cli/options/session.h"

/* Sets session->requested and session->foreign. Reads the study of --from, if given, into session->from; its
 * problem is requested unless the command line gives one. Prints the reason of a failure and returns the
 * exit status. */
int cli_from_open(cli_session *session);
/* Frees session->from and session->requested. */
void cli_from_close(cli_session *session);

/* Refuses a study of another problem; without --from or a name in the study, accepts. Prints the reason and
 * returns the exit status. */
int cli_from_fits(const cli_session *session);

/* Takes over the simulation options of the study; if another method is requested, only its end time. */
void cli_from_evaluation(const cli_session *session, gradyn_options *evaluation);

/* Writes the value of a setting. Returns false and leaves *value unchanged if the study does not have it. */
/* A text of the study; NULL: none. */
const char *cli_from_text(const cli_session *session, const char *key);

bool cli_from_setting(const cli_session *session, const char *name, double *value);

/* Takes over values of parameters, and which of them are fixed; session->param must be filled. Reports
 * parameters that are not in the study. */
void cli_from_parameters(cli_session *session);

/* Reads the warm start of the study of --warm; *text, owned by the caller, is NULL without the option. Prints
 * the reason of a failure and returns the exit status. */
int cli_from_warm(const cli_session *session, char **text);

/* Takes over its parameters unless --from is given, and reports what does not fit. Prints the reason of a
 * failure and returns the exit status. */
int cli_from_warm_parameters(cli_session *session);

/* Sets *scale to the objective scale of the study, if it has the same objective (a name, or NULL: that of
 * the problem); otherwise *scale is unchanged. A new search would derive the scale from the gradient, which
 * is nearly zero at the end of the study. */
void cli_from_scale(const cli_session *session, const char *objective, double *scale);

#endif
