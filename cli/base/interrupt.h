/* Requests to end a search early: Ctrl-C, SIGTERM, SIGHUP. The first signal requests the end; a later one of
 * the same kind ends the program. Signals of one kind that follow each other at once are one request. */
#ifndef GRADYN_CLI_INTERRUPT_H
#define GRADYN_CLI_INTERRUPT_H

#include <stdbool.h>

/* Installs leave(signal) as the handler of these signals; leave() must end the program. After
 * cli_interrupt_install(), leave() is called only for the second request of a kind. Ignored signals stay
 * ignored. */
void cli_interrupt_clean(void (*leave)(int));

/* Makes the first signal a request to end; call it after cli_interrupt_clean(), once the command can end
 * early. Signals that were ignored before, as by nohup, stay ignored. Unless quiet, standard error gets a
 * line at the request. */
void cli_interrupt_install(bool quiet);

/* Returns whether a request has occurred; false before cli_interrupt_install(). */
bool cli_interrupt_requested(void);

/* Limits the time to `allowed` from now on, s; at most 0: unlimited. Replaces an earlier limit. */
void cli_interrupt_after(double allowed);
/* Returns whether the time of cli_interrupt_after() has passed; false without a limit. */
bool cli_interrupt_late(void);

/* A callback for gradyn_options.cancel; `user` points to a double, the grace time in s. After a request,
 * returns whether the request is older than the grace time. Without a request, returns whether the time
 * limit has passed. The caller raises the grace time for work that may still be finished after a
 * request. */
bool cli_interrupt_cancels(void *user);

/* Returns the exit status of an interrupted command: 128 plus the number of the signal, or CLI_INTERRUPTED
 * if there was no signal. */
int cli_interrupt_status(void);

#endif
