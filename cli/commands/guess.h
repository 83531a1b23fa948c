/* Initial guess of a run in segments, and the motion in segments in its results. */
#ifndef GRADYN_CLI_GUESS_H
#define GRADYN_CLI_GUESS_H

#include "cli/commands/run.h"

/* Reads the warm start, and for a search in segments the guess: the table of --guess, that of the study of
 * --from, or the copy in a resumed study. Prints the reason of a failure, and returns the exit status. */
int cli_guess_choose(cli_run_state *r);

/* Writes warm start and guess to warm_start.json and guess.csv in the study; the search reads this copy.
 * Errors: those of the folder. */
gradyn_status cli_guess_keep(cli_run_state *r);

/* Returns whether a search in segments can begin although the undivided run at the start has failed with
 * `status`; then prints a note. */
bool cli_guess_begins(const cli_run_state *r, gradyn_status status);

/* Returns whether the result has only the motion in segments, because the undivided run has failed with
 * `status`; then prints a note. */
bool cli_guess_replaces(const cli_run_state *r, gradyn_status status);

/* Writes the motion in segments to trajectory_segments.csv, if there is one. Errors: those of the
 * folder. */
gradyn_status cli_guess_keep_segments(cli_run_state *r);
/* Writes the defect history for the report to segments.json, if there is one. Errors: those of the
 * folder. */
gradyn_status cli_guess_keep_defects(cli_run_state *r);

#endif
