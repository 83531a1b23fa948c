/* Who does the work of studies with many evaluations or searches: --jobs, --shard. */
#ifndef GRADYN_CLI_WORKERS_H
#define GRADYN_CLI_WORKERS_H

#include <gradyn/study.h>

#include "cli/text/reporter.h"
#include "cli/options/session.h"

typedef struct cli_workers {
  gradyn_workers workers;
  const char *what; /* "searches", "points" */
  bool silent;
  double begun, told;     /* s */
  double limit;           /* s, for all of the work; 0: none */
  cli_reporter *reporter; /* keeps the page up to date on the way; NULL: there is none */
} cli_workers;

/* Takes the choices of the command line, --max-seconds as the limit; returns the exit status. The object
 * must not move. */
int cli_workers_choose(const cli_session *session, const char *what, cli_workers *out);

/* After the work: leaves it to the other ranks, and the cursor at the beginning of a fresh line. */
void cli_workers_end(const cli_workers *workers);

/* Whether work ended early since the time is over; its status is GRADYN_STALLED then, as nobody asked for
 * the end. */
bool cli_workers_over(const cli_workers *workers, gradyn_status *status);

/* Exit status of a process that has helped; the reason of a failure is reported. */
int cli_workers_helped(const cli_session *session, gradyn_status status, const char *message);

/* The seed that was chosen, or 1; exit status CLI_USAGE if it is no whole number. */
int cli_workers_seed(const cli_session *session, uint64_t *seed);

#endif
