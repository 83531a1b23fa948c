/* Problem files that this user has named. A problem file is code, and a study may come from any source, so
 * a file named only by a study is not loaded.
 *
 * Files named on a command line are stored in a list, $XDG_STATE_HOME/gradyn/problems (default
 * ~/.local/state): one absolute path without links per line. */
#ifndef GRADYN_CLI_NAMED_H
#define GRADYN_CLI_NAMED_H

#include "cli/options/session.h"

/* Real path of the file that the registry finds for a name, owned by the caller. NULL: the name is that of
 * a problem, or there is no such file. */
char *cli_named_file(const char *name);

/* Accepts or refuses the problem named by a study. If it is a listed file, session->requested becomes its
 * real path. If it is a file that is not listed, prints the reason and the command line to type. Names of
 * problems are accepted. Returns the exit status. */
int cli_named_allow(cli_session *session);

/* Adds the file of session->requested to the list, if it is a file. Without a home folder, or if the list
 * cannot be written, there is no effect. */
void cli_named_keep(const cli_session *session);

#endif
