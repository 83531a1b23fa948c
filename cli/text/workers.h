/* Distribution of studies with several evaluations or searches to processes: --jobs, --shard. */
#ifndef GRADYN_CLI_WORKERS_H
#define GRADYN_CLI_WORKERS_H

#include <gradyn/study.h>

#include "cli/text/reporter.h"
#include "cli/options/session.h"

typedef struct cli_workers {
  gradyn_workers workers;
  const char *what; /* "searches", "points" */
  bool silent;
  double begun, told;     /* s, start of the work and time of the last progress line */
  double limit;           /* s, for the whole work; 0: none */
  cli_reporter *reporter; /* updates the page during the work; NULL: none */
} cli_workers;

/* Reads the options of the command line, with --max-seconds as the limit, which begins now. Prints the reason
 * of a failure and returns the exit status. The object must not move. */
int cli_workers_choose(const cli_session *session, const char *what, cli_workers *out);

/* After the work: leaves it to the other ranks, and moves the cursor to a new line. */
void cli_workers_end(const cli_workers *workers);

/* Whether the work ended because the time limit has passed. *status is then GRADYN_STALLED, because no user
 * has requested the end. */
bool cli_workers_over(const cli_workers *workers, gradyn_status *status);

/* Exit status of a process that has helped; the reason of a failure is reported. */
int cli_workers_helped(const cli_session *session, gradyn_status status, const char *message);

/* The seed of the command line, or 1. CLI_USAGE, with the reason printed: no integer from 0 to 9e15. */
int cli_workers_seed(const cli_session *session, uint64_t *seed);

#endif
