/* The search that the command line asks for. */
#ifndef GRADYN_CLI_SEARCH_H
#define GRADYN_CLI_SEARCH_H

#include <gradyn/optimise.h>

#include "cli/options/session.h"

/* Fills search with the defaults of the problem and what was chosen; its watching function and its
 * journal are left to the caller. Returns the exit status. */
int cli_search_choose(const cli_session *session, gradyn_search *search);

/* The functional that --objective names into *objective. Prints the reason of a failure and returns the
 * exit status. */
int cli_search_choose_objective(const cli_session *session, const char *wanted,
                                const char **objective);

#endif
