/* The search according to the command line. */
#ifndef GRADYN_CLI_SEARCH_H
#define GRADYN_CLI_SEARCH_H

#include <gradyn/optimise.h>

#include "cli/options/session.h"

/* Fills search with the defaults of the problem and the given options. The caller sets its callback and its
 * journal. Returns the exit status. */
int cli_search_choose(cli_session *session, gradyn_search *search);

/* Finds the functional named by --objective. Prints the reason of a failure and returns the exit status. */
int cli_search_choose_objective(const cli_session *session, const char *requested,
                                const char **objective);

#define CLI_SEARCH_GRACE 0.5 /* s, for the last trajectory after a request to end */

/* --max-seconds limits the whole command, which began at `started`, s. A search gets the remaining time.
 * The work after all searches also gets the remaining time, and at least a fraction of the limit. */
void cli_search_limit(const cli_session *session, double started, gradyn_search *search);
void cli_search_limit_end(const cli_session *session, double started);

#endif
