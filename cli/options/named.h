/* Problem files that this user has named. A problem file is code, and a study may come from anywhere: a file
 * that only a study names is not loaded.
 *
 * Files that were named on a command line stand in a list, $XDG_STATE_HOME/gradyn/problems (default
 * ~/.local/state), one absolute path without links a line. */
#ifndef GRADYN_CLI_NAMED_H
#define GRADYN_CLI_NAMED_H

#include "cli/options/session.h"

/* Real path of the file that a name means to the registry, owned by the caller; NULL: the name is that of a
 * problem, or there is no such file. */
char *cli_named_file(const char *name);

/* Lets a study's name of its problem pass, or refuses: session->wanted, which becomes the real path of a
 * file. Prints the reason and the line to type; returns the exit status. */
int cli_named_allow(cli_session *session);

/* Adds the file of session->wanted to the list, if it is one; without a home folder nothing happens. */
void cli_named_keep(const cli_session *session);

#endif
