/* Initial guess of a run in segments, and the motion in segments in its results. */
#ifndef GRADYN_CLI_GUESS_H
#define GRADYN_CLI_GUESS_H

#include "cli/commands/run.h"

/* Reads the warm start, and for a search in segments the guess. The guess is the table of --guess, that of
 * the study of --from, or the copy in a resumed study. Sets warm, guess and the members of search for both;
 * the caller frees warm, guess.text and guess.path. Prints the reason of a failure, and returns the exit
 * status: CLI_DONE or CLI_USAGE. */
int cli_guess_choose(cli_run_state *r);

/* Writes warm start and guess to warm_start.json and guess.csv in the study, if there are some;
 * r->search.guess becomes this copy. A resumed study keeps its files. Errors: those of the folder. */
gradyn_status cli_guess_keep(cli_run_state *r);

/* Returns whether a search in segments can begin although the undivided run at the start has failed with
 * `status`. Then prints a note, and sets psi0 to NAN. False for a search in one piece, and for failures that
 * no other point can avoid. */
bool cli_guess_begins(const cli_run_state *r, gradyn_status status);

/* Returns whether the result has only the motion in segments, because the undivided run has failed with
 * `status`. Then prints a note. False for GRADYN_OK. */
bool cli_guess_replaces(const cli_run_state *r, gradyn_status status);

/* Writes the motion in segments of r->outcome to trajectory_segments.csv; GRADYN_OK without a file if there
 * is none. Errors: those of the folder. */
gradyn_status cli_guess_keep_segments(cli_run_state *r);
/* Writes the defect history for the report to segments.json; GRADYN_OK without a file if there is no motion
 * in segments, or the search was stopped. A history that cannot be computed is a note. Errors:
 * GRADYN_NO_MEMORY; those of the folder. */
gradyn_status cli_guess_keep_defects(cli_run_state *r);

#endif
