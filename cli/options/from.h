/* --from: how an earlier run was computed, and the values that it ended with. */
#ifndef GRADYN_CLI_FROM_H
#define GRADYN_CLI_FROM_H

#include "cli/options/session.h"

/* Reads the study of --from, if there is one, into session->from and, unless the command line gives
 * a problem, finds its own in session->wanted. Returns the exit status; prints why it fails. */
int cli_from_open(cli_session *session);
void cli_from_close(cli_session *session);

/* Refuses a study of another problem than that of the session; returns the exit status. */
int cli_from_fits(const cli_session *session);

/* Takes over the options of the march, unless another method is asked for now. */
void cli_from_march(const cli_session *session, gradyn_options *march);

/* The value of a setting; false if the study does not know it. */
bool cli_from_setting(const cli_session *session, const char *name, double *value);

/* Takes over values of parameters and which of them are fixed; session->param must be filled. Names
 * in a note those that the study does not know. */
void cli_from_parameters(cli_session *session);

/* The size of the objective as the study knows it, if it is the same one (a name, or NULL: the problem's):
 * its slope where the study has ended, from which a search would take it, is next to nothing. */
void cli_from_scale(const cli_session *session, const char *objective, double *scale);

#endif
