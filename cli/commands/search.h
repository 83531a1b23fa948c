/* The search that the command line asks for. */
#ifndef GRADYN_CLI_SEARCH_H
#define GRADYN_CLI_SEARCH_H

#include <gradyn/optimise.h>

#include "cli/options/session.h"

/* Fills search with the defaults of the problem and what was chosen; its watching function and its
 * journal are left to the caller. Returns the exit status. */
int cli_search_choose(cli_session *session, gradyn_search *search);

/* The functional that --objective names into *objective. Prints the reason of a failure and returns the
 * exit status. */
int cli_search_choose_objective(const cli_session *session, const char *wanted,
                                const char **objective);

#define CLI_SEARCH_GRACE 0.5 /* s, for the last trajectory after a request to end */

/* --max-seconds of a command that began at `started`, s, bounds all that it does: a search has what is left;
 * what comes after all searches has that, too, and a part of the limit in any case. */
void cli_search_limit(const cli_session *session, double started, gradyn_search *search);
void cli_search_limit_end(const cli_session *session, double started);

#endif
