/* Progress of a search on standard error. */
#ifndef GRADYN_CLI_PROGRESS_H
#define GRADYN_CLI_PROGRESS_H

#include <stdbool.h>

#include <gradyn/optimise.h>

#include "cli/options/options.h"

typedef struct cli_progress {
  bool silent, all; /* no output; a line for every evaluation */
  bool one_line;    /* on a terminal: one line that is rewritten; otherwise separate lines */
  bool constrained; /* there are constraints, so violations are shown */
  bool started;     /* some output was printed */
  long rejected;
  long shown; /* number, from 1, of the evaluation printed last; 0: none */
  double objective, violation, residual; /* best point so far; objective NAN: none yet */
  double spent;                          /* s, in evaluations */
  double most, longest;                  /* given limits, in evaluations and s; 0: none */
} cli_progress;

/* Returns whether standard error is a terminal on which a line can be rewritten. */
bool cli_progress_can_rewrite(void);

/* Prepares the output; constrained: violations are shown. With -q there is none, with -v a line for every
 * evaluation. On a terminal one line is rewritten, never wider than the terminal; with a limit, it ends in
 * the largest remaining time. Otherwise the first ten evaluations have a line each, and later ones at growing
 * intervals. options are not kept. *progress owns no memory. */
void cli_progress_begin(cli_progress *progress, const cli_options *options, bool constrained);
/* Takes an evaluation of the search, and prints it if a line is due. Call it for each evaluation, in
 * order. */
void cli_progress_show(cli_progress *progress, const gradyn_iteration *iteration);
/* Moves the cursor to a new line after a rewritten one; no effect if none was printed. */
void cli_progress_end(cli_progress *progress);

#endif
