/* --from: settings of an earlier run, and its final values. */
#ifndef GRADYN_CLI_FROM_H
#define GRADYN_CLI_FROM_H

#include "cli/options/session.h"

/* Sets session->requested and session->foreign. With --from, reads the study into session->from; its
 * problem is requested unless the command line names one. Prints the reason of a failure, and returns the
 * exit status. */
int cli_from_open(cli_session *session);
/* Frees session->from and session->requested. */
void cli_from_close(cli_session *session);

/* Checks that the study of --from is of the session's problem; accepts a study that names none. Prints the
 * reason of a failure, and returns the exit status. */
int cli_from_fits(const cli_session *session);

/* Takes over the simulation options of the study. If the command line requests another method, only the end
 * time is taken over. */
void cli_from_evaluation(const cli_session *session, gradyn_options *evaluation);

/* Returns a text member of the study; NULL: none. It lives as long as session->from. */
const char *cli_from_text(const cli_session *session, const char *key);

/* Sets *value to a setting of the study. Returns false, and leaves *value unchanged, if the study does not
 * have it. */
bool cli_from_setting(const cli_session *session, const char *name, double *value);

/* Takes over values of parameters, and which of them are fixed, into session->rho and vary. A note reports
 * parameters that are not in the study. */
void cli_from_parameters(cli_session *session);

/* Reads the warm start of the study of --warm. *text, to be released by free(), is NULL without the option,
 * and for a resumed study. Prints the reason of a failure, and returns the exit status. */
int cli_from_warm(const cli_session *session, char **text);

/* Takes over the parameters of the warm start, unless --from is given. Notes report parameters that do not
 * fit. Prints the reason of a failure, and returns the exit status. */
int cli_from_warm_parameters(cli_session *session);

/* Sets *scale to the objective scale of the study, if the study has the same objective (a name; NULL: that
 * of the problem). A new search would derive the scale from the gradient, which is nearly zero at the end
 * of the study. */
void cli_from_scale(const cli_session *session, const char *objective, double *scale);

#endif
