/* What a run tells of its controls: knots that the search has added to them, and costates. */
#ifndef GRADYN_CLI_CONTROLS_H
#define GRADYN_CLI_CONTROLS_H

#include "cli/commands/run.h"

/* From here on signals have the knots that have been added, and the result keeps the evaluator without. */
void cli_controls_adopt(cli_run_state *r);

/* Writes costates and Hamiltonian of the best point as costates_final.csv, if there are signals and the
 * method has them. */
gradyn_status cli_controls_keep_costates(cli_run_state *r);

#endif
