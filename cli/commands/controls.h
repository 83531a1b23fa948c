/* Results of `gradyn run` for signals: knots that the search has added, and costates. */
#ifndef GRADYN_CLI_CONTROLS_H
#define GRADYN_CLI_CONTROLS_H

#include "cli/commands/run.h"

/* If the search has added knots, the session gets the evaluator with these knots, and the result keeps the
 * one without them, as its `refined`. search.vary becomes that of the session. */
void cli_controls_adopt(cli_run_state *r);

/* Writes costates and Hamiltonian to the file `name` of a study, a line for each node. Errors: those of the
 * folder. */
gradyn_status cli_controls_write_costates(gradyn_folder *study, const char *name,
                                          const gradyn_costates *costates);

/* Writes costates and Hamiltonian of the best point to costates_final.csv. GRADYN_OK without a file if there
 * are no signals, the search was stopped, or the costates cannot be computed. Errors: those of the folder;
 * GRADYN_NO_MEMORY. */
gradyn_status cli_controls_keep_costates(cli_run_state *r);

#endif
