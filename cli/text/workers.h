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

/* Sets the workers from --jobs, --shard and --max-seconds, which limits the time from now on. what:
 * "searches" or "points", for messages. Prints the reason of a failure, and returns the exit status. *out
 * must not move afterwards. */
int cli_workers_choose(const cli_session *session, const char *what, cli_workers *out);

/* Call after the work: this process joins no further part of it, and the line of progress ends. */
void cli_workers_end(const cli_workers *workers);

/* Returns whether the time limit has ended the work. *status then becomes GRADYN_STALLED in place of
 * GRADYN_INTERRUPTED, because no user has requested the end. */
bool cli_workers_over(const cli_workers *workers, gradyn_status *status);

/* Reports the failure of a process that has helped, with its message. Returns its exit status. */
int cli_workers_helped(const cli_session *session, gradyn_status status, const char *message);

/* Sets *seed to that of the command line, or 1. Returns the exit status: CLI_USAGE, with the reason
 * printed, if it is no integer from 0 to 9e15. */
int cli_workers_seed(const cli_session *session, uint64_t *seed);

#endif
