/* Standard input, output and error: kept apart from files, and looked after to the end. */
#ifndef GRADYN_CLI_STREAMS_H
#define GRADYN_CLI_STREAMS_H

#include <stdbool.h>

/* To be called before any file is opened. Descriptors 0 to 2 that are closed are occupied, so that
 * no file is opened under their numbers and diagnostics never land in it; writing to them fails as
 * before. A reader that has gone away or a limit on file sizes becomes an error of the write
 * instead of the end of the program. */
void cli_streams_guard(void);

/* What is printed from now on, by libraries and users' functions, goes to standard error: results alone are
 * to be on standard output. restore: it goes to standard output again; false: it did. */
void cli_streams_divert(void);
bool cli_streams_restore(void);
/* Whether results go to a terminal. */
bool cli_streams_terminal(void);

/* Flushes standard output. If something could not be written: turns success into CLI_FAILED, or,
 * where the reader has gone away, ends by SIGPIPE as any other command in a pipe. */
int cli_streams_finish(int exit_status);

#endif
