/* Standard input, output and error: protected from confusion with files, and checked at the end. */
#ifndef GRADYN_CLI_STREAMS_H
#define GRADYN_CLI_STREAMS_H

#include <stdbool.h>

/* Protects the standard streams; call it once, before any file is opened. Closed descriptors among 0 to 2 are
 * occupied, so that no file gets their numbers; writing to them still fails. A closed pipe or a limit on file
 * sizes causes a failed write instead of the end of the program. */
void cli_streams_guard(void);

/* Sends later output to standard output, by libraries and users' functions, to standard error, so that
 * standard output has results only. No effect if output is diverted already. */
void cli_streams_divert(void);
/* Ends cli_streams_divert(), also after several calls. Returns whether output was diverted. */
bool cli_streams_restore(void);
/* Returns whether results, on the real standard output, go to a terminal; also while output is diverted. */
bool cli_streams_terminal(void);

/* Flushes standard output at the end of the program, and diverts later output. Returns exit_status, but
 * CLI_FAILED in place of CLI_DONE if a write has failed; the reason is printed. If the reader has closed the
 * pipe and exit_status is CLI_DONE, the program ends by SIGPIPE, as other commands do. */
int cli_streams_finish(int exit_status);

#endif
