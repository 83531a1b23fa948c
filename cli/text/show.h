/* Tables and lines that several subcommands print. Files stay open, and failed writes are shown by ferror().
 * session->evaluator must exist. */
#ifndef GRADYN_CLI_SHOW_H
#define GRADYN_CLI_SHOW_H

#include <stdio.h>

#include "cli/options/session.h"

/* Prints a table of all functionals with value, unit and use; psi [functionals] NULL: without values. */
void cli_show_functionals(const cli_session *session, const double *psi, FILE *file);

/* Prints one line, with its newline: steps, iterations, drift and times of the last evaluation. */
void cli_show_statistics(const cli_session *session, FILE *file);

/* Writes the use of a functional into buffer [size], such as "objective, weight 2" or "at most 0.1, tolerance
 * 1e-06". Longer texts are cut off. Returns buffer. */
const char *cli_show_use(const gradyn_functional_info *functional, char *buffer, size_t size);

/* Writes the kind of gradients into buffer [size], such as "adjoint" or "forward-difference (0.01)" with the
 * perturbation. "auto" is not resolved here. Returns buffer. */
const char *cli_show_sensitivity(const gradyn_options *evaluation, char *buffer, size_t size);

/* Prints a line for each automatic choice, such as "algorithm: ipopt (21 controls, 3 constraints)". search
 * NULL: only choices of the simulation. Ends the program if memory is exhausted. */
void cli_show_choices(const cli_session *session, const gradyn_search *search, FILE *file);

/* Prints the settings of the simulation, such as "explicit to t = 5 s, rtol 1.0e-08", without a newline. */
void cli_show_evaluation(const cli_session *session, FILE *file);

/* Writes a bound with 10 digits, or "-" if it is infinite, into buffer [size]. Returns buffer. */
const char *cli_show_bound(double bound, char *buffer, size_t size);

#endif
