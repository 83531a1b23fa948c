/* Requests to end a search early: Ctrl-C, SIGTERM, SIGHUP. The first signal requests the end; a second one
 * of the same kind ends the program. */
#ifndef GRADYN_CLI_INTERRUPT_H
#define GRADYN_CLI_INTERRUPT_H

#include <stdbool.h>

/* Installs leave() for these signals, which ends the program by the signal. After cli_interrupt_install(),
 * leave() is called for the second signal of a kind only. */
void cli_interrupt_clean(void (*leave)(int));

/* Makes the first signal a request. A signal that was ignored before, as by nohup, stays ignored. Unless
 * quiet, a request is acknowledged on standard error at once. */
void cli_interrupt_install(bool quiet);

/* Whether a request has occurred. */
bool cli_interrupt_came(void);

/* after(): sets the time allowed from now on, s; 0: unlimited. late(): whether it has passed. */
void cli_interrupt_after(double allowed);
bool cli_interrupt_late(void);

/* Callback for gradyn_options. After a request: whether it is older than *user [double] seconds. Without a
 * request: whether the time allowed has passed. The caller raises *user for work that may still be finished
 * after a request. */
bool cli_interrupt_cancels(void *user);

/* Exit status of an interrupted command: 128 plus the number of the signal; CLI_INTERRUPTED without one. */
int cli_interrupt_status(void);

#endif
