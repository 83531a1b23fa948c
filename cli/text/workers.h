/* Distribution of studies with several evaluations or searches to processes: --jobs, --shard. */
#ifndef GRADYN_CLI_WORKERS_H
#define GRADYN_CLI_WORKERS_H

#include <gradyn/study.h>

#include "cli/text/reporter.h"
#include "cli/options/session.h"

typedef struct cli_workers {
  gradyn_workers workers;
  const char *what; /* "searches", "points"; borrowed */
  bool silent;
  double begun, told; /* s of gradyn_seconds(): start of the work; last progress line, 0: none */
  double limit;       /* s, for the whole work; 0: none */
  cli_reporter
      *reporter; /* updates the page during the work, borrowed; NULL: none; set by the caller */
} cli_workers;

/* Sets the workers from --jobs, --shard and --max-seconds, which limits the time from now on, also of single
 * evaluations. what: "searches" or "points", for messages; borrowed. Prints the reason of a failure, and
 * returns the exit status. *out owns no memory; it must not move afterwards. */
int cli_workers_choose(const cli_session *session, const char *what, cli_workers *out);

/* Call after the work: this process joins no further part of the work, and the line of progress ends. */
void cli_workers_end(const cli_workers *workers);

/* Returns whether the time limit has ended the work with *status GRADYN_INTERRUPTED. *status then becomes
 * GRADYN_STALLED, because no user has requested the end; otherwise *status stays. */
bool cli_workers_over(const cli_workers *workers, gradyn_status *status);

/* Ends a command on a rank that only helped another one: prints the message if `status` is a failure.
 * GRADYN_OK and GRADYN_INTERRUPTED are none, because rank 0 reports missing work. Returns the exit status of
 * the command. */
int cli_workers_helped(const cli_session *session, gradyn_status status, const char *message);

/* Sets *seed to that of the command line, or 1. Returns the exit status: CLI_USAGE, with the reason
 * printed, if it is no integer from 0 to 9e15. */
int cli_workers_seed(const cli_session *session, uint64_t *seed);

#endif
