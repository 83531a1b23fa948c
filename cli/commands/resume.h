/* Data that a run takes from an earlier run in the same folder. */
#ifndef GRADYN_CLI_RESUME_H
#define GRADYN_CLI_RESUME_H

#include "cli/options/session.h"
#include <gradyn/study.h>

/* Sets parameters to the initial values of the study in the folder options->out, fixes the same ones, and
 * finds t_end. Prints the reason of a failure and returns the exit status. */
int cli_resume_start(cli_session *session);

/* Sets parameters to the best point of the study's journal, which is then renamed. Returns the exit
 * status. */
int cli_resume_best(cli_session *session, const gradyn_search *search);

/* finished: objective of the completed study in options->out; NAN: not completed. worse: the new result is
 * no success, or its objective is larger. */
double cli_resume_finished(const cli_session *session);
bool cli_resume_worse(double finished, gradyn_status status, const gradyn_search_result *result);

/* Reads --durability. Prints the reason of a failure and returns the exit status. */
int cli_resume_durability(const cli_session *session, gradyn_durability *durability);

#endif
