/* Standard input, output and error: protected from confusion with files, and checked at the end. */
#ifndef GRADYN_CLI_STREAMS_H
#define GRADYN_CLI_STREAMS_H

#include <stdbool.h>

/* To be called before any file is opened. Closed descriptors among 0 to 2 are occupied, so that no file
 * gets their numbers and receives diagnostics; writing to them still fails. A reader that has closed the
 * pipe, or a limit on file sizes, causes a failed write instead of the end of the program. */
void cli_streams_guard(void);

/* divert: later output to standard output, by libraries and users' functions, goes to standard error, so
 * that standard output has results only. restore: undoes this; false: it failed. */
void cli_streams_divert(void);
bool cli_streams_restore(void);
/* Whether results go to a terminal. */
bool cli_streams_terminal(void);

/* Flushes standard output. If a write has failed, success becomes CLI_FAILED. If the reader has closed the
 * pipe, the program ends by SIGPIPE as other commands do. Returns the exit status. */
int cli_streams_finish(int exit_status);

#endif
