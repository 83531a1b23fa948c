/* The guess that a run in segments begins with, and the motion in segments that it leaves. */
#ifndef GRADYN_CLI_GUESS_H
#define GRADYN_CLI_GUESS_H

#include "cli/commands/run.h"

/* Reads the table that --guess names, or that of the segments in the study of --from, or in a resumed one its
 * own. Prints the reason of a failure and returns the exit status. */
int cli_guess_choose(cli_run_state *r);

/* Keeps it in the study as guess.csv, which is what the search reads. */
gradyn_status cli_guess_keep(cli_run_state *r);

/* Whether a search in segments can do without the run in one piece that has failed; notes it. */
bool cli_guess_begins(const cli_run_state *r, gradyn_status status);

/* Whether the motion in segments is all there is, since it fails in one piece; notes it. */
bool cli_guess_stands_for(const cli_run_state *r, gradyn_status status);

/* Writes the motion in segments as trajectory_segments.csv, if there is one. */
gradyn_status cli_guess_keep_segments(cli_run_state *r);
/* Writes segments.json, what the report tells of how their gaps have closed. */
gradyn_status cli_guess_keep_closing(cli_run_state *r);

#endif
