/* Data that a run takes from an earlier run in the same folder. */
#ifndef GRADYN_CLI_RESUME_H
#define GRADYN_CLI_RESUME_H

#include "cli/options/session.h"
#include <gradyn/study.h>

/* Sets values and choice of the parameters (fixed or free) to those at the start of the study in the folder
 * options->out, and finds t_end. Prints the reason of a failure, and returns the exit status. */
int cli_resume_start(cli_session *session);

/* Sets the parameters to the best point of the study's journal, which is then renamed. Prints the reason of
 * a failure, and returns the exit status. */
int cli_resume_best(cli_session *session, const gradyn_search *search);

/* Returns the objective of the finished study in options->out; NAN: it has not finished with success. */
double cli_resume_finished(const cli_session *session);
/* Returns whether a resumed search is worse than the finished study: its status is no success, or its
 * objective is larger by more than a thousandth of the improvement. False if `finished` is NAN. */
bool cli_resume_worse(double finished, gradyn_status status, const gradyn_search_result *result);

/* Sets *durability from --durability; unchanged without the option. Prints the reason of a failure, and
 * returns the exit status. */
int cli_resume_durability(const cli_session *session, gradyn_durability *durability);

#endif
