/* Results about controls of a run: knots added by the search, and costates. */
#ifndef GRADYN_CLI_CONTROLS_H
#define GRADYN_CLI_CONTROLS_H

#include "cli/commands/run.h"

/* Uses the evaluator with the added knots from now on; the result keeps the evaluator without them. */
void cli_controls_adopt(cli_run_state *r);

/* Writes costates and Hamiltonian of the best point to costates_final.csv, if there are signals and the
 * method provides costates. */
gradyn_status cli_controls_keep_costates(cli_run_state *r);

#endif
