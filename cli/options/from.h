/* --from: settings of an earlier run, and its final values. */
#ifndef GRADYN_CLI_FROM_H
#define GRADYN_CLI_FROM_H

#include "cli/options/session.h"

/* Sets session->requested and session->foreign, of a session with options only. With --from, reads the study
 * (a folder, or a single file) into session->from; its problem is requested unless the command line names
 * one. Prints the reason of a failure, and returns the exit status: CLI_DONE or CLI_USAGE. After a failure,
 * too, call cli_from_close(). */
int cli_from_open(cli_session *session);
/* Frees session->from and session->requested, and sets both to NULL; may be repeated. */
void cli_from_close(cli_session *session);

/* Checks that the study of --from names session->name as its problem; accepts a study that names none, and no
 * --from. Prints the reason of a failure, and returns the exit status: CLI_DONE or CLI_USAGE. */
int cli_from_fits(const cli_session *session);

/* Overwrites *evaluation by the simulation options of the study. If the command line requests another method,
 * or the study names none, only the end time is taken over. Members that the study does not have stay. */
void cli_from_evaluation(const cli_session *session, gradyn_options *evaluation);

/* Returns the text member `key` of the study; NULL: none, or no --from. The text lives as long as
 * session->from. */
const char *cli_from_text(const cli_session *session, const char *key);

/* Sets *value to the setting of the study with this name. Returns false, and leaves *value unchanged, if the
 * study does not have a number for it, or without --from. */
bool cli_from_setting(const cli_session *session, const char *name, double *value);

/* Takes over values of parameters, and which of them are fixed, into session->rho and vary. Bounds are not
 * checked. One note reports the number of parameters that are not in the study; they keep rho and vary. No
 * effect without --from. */
void cli_from_parameters(cli_session *session);

/* Reads the warm start of the study of --warm. *text, to be released by free(), is NULL without the option,
 * for a resumed study, and after a failure. Prints the reason of a failure, and returns the exit status:
 * CLI_DONE or CLI_USAGE. */
int cli_from_warm(const cli_session *session, char **text);

/* Takes over the parameters of the warm start of --warm into session->rho, unless --from is given; no effect
 * without --warm. Notes report parameters that do not fit. Prints the reason of a failure, and returns the
 * exit status. */
int cli_from_warm_parameters(cli_session *session);

/* Sets *scale to the objective scale of the study, if the study has a positive one and the same objective (a
 * name; NULL: that of the problem). Otherwise *scale stays. A new search would derive the scale from the
 * gradient, which is nearly zero at the end of the study. */
void cli_from_scale(const cli_session *session, const char *objective, double *scale);

#endif
