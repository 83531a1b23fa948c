/* Progress of a search on standard error. */
#ifndef GRADYN_CLI_PROGRESS_H
#define GRADYN_CLI_PROGRESS_H

#include <stdbool.h>

#include <gradyn/optimise.h>

#include "cli/options.h"

typedef struct cli_progress {
  bool silent;
  bool one_line; /* on a terminal: one line that is written anew; otherwise a line each */
  bool started;  /* something was shown */
  long rejected;
  double best; /* objective of the best point so far */
} cli_progress;

/* -q: nothing; -v, or no terminal: a line an evaluation. */
void cli_progress_begin(cli_progress *progress, const cli_options *options);
void cli_progress_show(cli_progress *progress, const gradyn_iteration *iteration);
/* Leaves the cursor at the beginning of a fresh line. */
void cli_progress_end(cli_progress *progress);

#endif
