/* Progress of a search on standard error. */
#ifndef GRADYN_CLI_PROGRESS_H
#define GRADYN_CLI_PROGRESS_H

#include <stdbool.h>

#include <gradyn/optimise.h>

#include "cli/options/options.h"

typedef struct cli_progress {
  bool silent, all; /* nothing; every evaluation */
  bool one_line;    /* on a terminal: one line that is written anew; otherwise a line each */
  bool constrained; /* violations mean something */
  bool started;     /* something was shown */
  long rejected;
  long shown;                            /* number of the evaluation shown last */
  double objective, violation, residual; /* of the best point so far */
  double spent;                          /* s, in evaluations */
  double most, longest;                  /* limits that were given, evaluations and s; 0: none */
} cli_progress;

/* Whether standard error is a terminal on which a line can be written anew. */
bool cli_progress_can_rewrite(void);

/* -q: nothing. On a terminal one line is written anew, never wider than the terminal, that ends in the
 * time left at most if there is a limit; otherwise the first ten evaluations have a line each, later
 * ones at growing intervals; -v: every one. */
void cli_progress_begin(cli_progress *progress, const cli_options *options, bool constrained);
void cli_progress_show(cli_progress *progress, const gradyn_iteration *iteration);
/* Leaves the cursor at the beginning of a fresh line. */
void cli_progress_end(cli_progress *progress);

#endif
