/* The search according to the command line. */
#ifndef GRADYN_CLI_SEARCH_H
#define GRADYN_CLI_SEARCH_H

#include <gradyn/optimise.h>

#include "cli/options/session.h"

/* Fills *search from the defaults of the problem and the options of the command line. The caller sets
 * callback and journal. Prints the reason of a failure, and returns the exit status. */
int cli_search_choose(cli_session *session, gradyn_search *search);

/* Checks that `requested` is the name of a functional, and sets *objective to it. Prints the reason of a
 * failure, and returns the exit status. */
int cli_search_choose_objective(const cli_session *session, const char *requested,
                                const char **objective);

#define CLI_SEARCH_GRACE 0.5 /* s, for the last trajectory after a request to end */

/* Sets search->max_seconds to the time that --max-seconds leaves for a command that began at `started`, s
 * of gradyn_seconds(). */
void cli_search_limit(const cli_session *session, double started, gradyn_search *search);
/* Limits the work after all searches to the rest of --max-seconds plus the larger of CLI_SEARCH_GRACE and a
 * tenth of --max-seconds. started: start of the command, s, by the clock of gradyn_seconds(). No effect
 * without --max-seconds. */
void cli_search_limit_end(const cli_session *session, double started);

#endif
