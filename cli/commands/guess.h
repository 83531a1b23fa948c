/* Initial guess of a run in segments, and the motion in segments in its results. */
#ifndef GRADYN_CLI_GUESS_H
#define GRADYN_CLI_GUESS_H

#include "cli/commands/run.h"

/* Reads the table given by --guess, that of the segments in the study of --from, or, in a resumed study,
 * its own. Prints the reason of a failure and returns the exit status. */
int cli_guess_choose(cli_run_state *r);

/* Copies the guess to guess.csv in the study, the file that the search reads. */
gradyn_status cli_guess_keep(cli_run_state *r);

/* Whether a search in segments can continue although the undivided run has failed; prints a note. */
bool cli_guess_begins(const cli_run_state *r, gradyn_status status);

/* Whether only the motion in segments exists, because the undivided run fails; prints a note. */
bool cli_guess_stands_for(const cli_run_state *r, gradyn_status status);

/* Writes the motion in segments to trajectory_segments.csv, if there is one. */
gradyn_status cli_guess_keep_segments(cli_run_state *r);
/* Writes segments.json, the history of the defects for the report. */
gradyn_status cli_guess_keep_closing(cli_run_state *r);

#endif
