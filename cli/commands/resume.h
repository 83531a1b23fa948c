/* Data that a run takes from an earlier run in the same folder. */
#ifndef GRADYN_CLI_RESUME_H
#define GRADYN_CLI_RESUME_H

#include "cli/options/session.h"
#include <gradyn/study.h>

/* Sets values and choice of the parameters (rho, vary) to those at the start of the study in the folder
 * options->out, from its settings.json. Also sets t_end. The parameters must have the names and the order of
 * the study. Prints the reason of a failure, and returns the exit status; rho and vary may then be changed in
 * part. */
int cli_resume_start(cli_session *session);

/* Sets rho to the best point of journal.jsonl in the folder options->out, and t_end. Then renames the journal
 * to the first free journal-old-N.jsonl. Best is judged by the objective and the free parameters of *search.
 * Prints the reason of a failure, and returns the exit status. */
int cli_resume_best(cli_session *session, const gradyn_search *search);

/* Returns the objective of the finished study in options->out, also of results in "earlier" that a killed run
 * has left. NAN: the study has not finished with success, or cannot be read. */
double cli_resume_finished(const cli_session *session);

/* Returns whether a resumed search is worse than the finished study with the objective `finished`. *result
 * is that of the resumed search. Its status is then no success, or its objective is larger by more than a
 * thousandth of the improvement since the start. False if `finished` is NAN. */
bool cli_resume_worse(double finished, gradyn_status status, const gradyn_search_result *result);

/* Sets *durability from --durability; unchanged without the option. Prints the reason of a failure, and
 * returns the exit status: CLI_DONE or CLI_USAGE. */
int cli_resume_durability(const cli_session *session, gradyn_durability *durability);

#endif
