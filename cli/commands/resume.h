/* What a run takes over from an earlier one in the same folder. */
#ifndef GRADYN_CLI_RESUME_H
#define GRADYN_CLI_RESUME_H

#include "cli/options/session.h"
#include <gradyn/study.h>

/* Gives the parameters the initial values of the study in the folder options->out, and fixes those
 * that it fixed. Returns the exit status. */
int cli_resume_start(cli_session *session);

/* Starts the parameters at the best point of the study's journal, which is then put aside. */
int cli_resume_best(cli_session *session, const gradyn_search *search);

/* The objective that the study in options->out has ended with; NAN: it has not. worse: what has been found
 * now is no success, or has a larger objective. */
double cli_resume_finished(const cli_session *session);
bool cli_resume_worse(double finished, gradyn_status status, const gradyn_search_result *result);

/* The choice of --durability; returns the exit status. */
int cli_resume_durability(const cli_session *session, gradyn_durability *durability);

#endif
