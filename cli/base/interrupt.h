/* A request to end a search early: Ctrl-C, SIGTERM, SIGHUP. The first one asks it to stop, the second
 * one of its kind ends the program. */
#ifndef GRADYN_CLI_INTERRUPT_H
#define GRADYN_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on a signal, and later on the second one of its kind, calls leave, which ends the program by
 * it. */
void cli_interrupt_clean(void (*leave)(int));

/* From now on it is a request. A signal that was ignored before, as by nohup, stays so. Unless quiet,
 * a request is acknowledged on standard error when it comes. */
void cli_interrupt_install(bool quiet);

/* Whether there has been a request. */
bool cli_interrupt_came(void);

/* From now on what is computed may take so many seconds; 0: any time. late: it has. */
void cli_interrupt_after(double allowed);
bool cli_interrupt_late(void);

/* For gradyn_options: whether the request is older than *user seconds, which a caller raises for what
 * may still be finished after one, or the time is over. */
bool cli_interrupt_cancels(void *user);

/* Exit status of an interrupted command: 128 and the number of the signal. */
int cli_interrupt_status(void);

#endif
