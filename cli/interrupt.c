/* Ctrl-C during a search. */
#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

/* The only thing that a signal handler may write to; hence the one variable of the command that
 * lives outside a function. */
static volatile sig_atomic_t came;

static void remember(int number)
{
  (void)number;
  came = 1;
}

void cli_interrupt_install(void)
{
  /* after the first signal the default action is back, so that the second one kills */
  struct sigaction action = {.sa_handler = remember, .sa_flags = SA_RESTART | (int)SA_RESETHAND};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaction(SIGINT, &action, NULL);
}

bool cli_interrupt_came(void)
{
  return came != 0;
}
