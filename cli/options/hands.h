/* Who does the work of studies with many evaluations or searches: --jobs, --shard. */
#ifndef GRADYN_CLI_HANDS_H
#define GRADYN_CLI_HANDS_H

#include <gradyn/study.h>

#include "cli/text/reporter.h"
#include "cli/options/session.h"

typedef struct cli_hands {
  gradyn_hands hands;
  const char *what; /* "searches", "points" */
  bool silent;
  double begun, told;     /* s */
  double limit;           /* s, for all of the work; 0: none */
  cli_reporter *reporter; /* keeps the page up to date on the way; NULL: there is none */
} cli_hands;

/* Takes the choices of the command line, --max-seconds as the limit; returns the exit status. The object
 * must not move. */
int cli_hands_choose(const cli_session *session, const char *what, cli_hands *out);

/* After the work: leaves it to the other ranks, and the cursor at the beginning of a fresh line. */
void cli_hands_end(const cli_hands *hands);

/* Whether work ended early since the time is over; its status is GRADYN_STALLED then, as nobody asked for
 * the end. */
bool cli_hands_over(const cli_hands *hands, gradyn_status *status);

/* Exit status of a process that has helped; the reason of a failure is reported. */
int cli_hands_helped(const cli_session *session, gradyn_status status, const char *message);

/* The seed that was chosen, or 1; exit status CLI_USAGE if it is no whole number. */
int cli_hands_seed(const cli_session *session, uint64_t *seed);

#endif
