/* Failures and notes: on standard error, and as an object with --json. */
#ifndef GRADYN_CLI_REPORT_H
#define GRADYN_CLI_REPORT_H

#include <stdbool.h>

#include <gradyn/base.h>

/* Exit statuses of the command; 1: the computation failed. */
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_INTERRUPTED = 130 };

/* Returns the exit status of the command for a status of the library: CLI_DONE, CLI_USAGE for misuse, that
 * of cli_interrupt_status() for GRADYN_INTERRUPTED, otherwise CLI_FAILED. */
int cli_exit_status(gradyn_status status);

/* Prints "gradyn: status: message" to standard error; further lines of the message are indented. An empty
 * message is replaced by the sentence of the status. json: also prints an object to standard output, in
 * which command and problem may be NULL. Returns the exit status. */
int cli_report(bool json, const char *command, const char *problem, gradyn_status status,
               const char *message);

/* Prints the lines of a text to standard error, all but the first indented. */
void cli_report_lines(const char *text);

#endif
