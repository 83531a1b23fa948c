/* Problem files that this user has named. A problem file is code, and a study may come from any source, so
 * a file named only by a study is not loaded.
 *
 * Files named on a command line are stored in a list, $XDG_STATE_HOME/gradyn/problems (default
 * ~/.local/state): one absolute path without links per line. */
#ifndef GRADYN_CLI_NAMED_H
#define GRADYN_CLI_NAMED_H

#include "cli/options/session.h"

/* Returns the real path of the file that the registry would find for a name, to be released by free(). NULL:
 * the name is that of a problem, or there is no such file. Ends the program if memory is exhausted. */
char *cli_named_file(const char *name);

/* Accepts or refuses the problem that a study names in session->requested. A name of a problem is accepted. A
 * listed file is accepted, and session->requested becomes its real path. For another file, prints the reason
 * and the command line to type. Returns the exit status: CLI_DONE or CLI_USAGE. */
int cli_named_allow(cli_session *session);

/* Adds the real path of session->requested to the list, if it is a file and not listed. Does nothing without
 * a home folder, or if the list cannot be written, or if others can write to it. */
void cli_named_keep(const cli_session *session);

#endif
