/* Ctrl-C during a search: the first one asks it to stop, the second one ends the program. */
#ifndef GRADYN_CLI_INTERRUPT_H
#define GRADYN_CLI_INTERRUPT_H

#include <stdbool.h>

void cli_interrupt_install(void);

/* Whether SIGINT has come since. */
bool cli_interrupt_came(void);

#endif
