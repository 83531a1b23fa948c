/* Tables printed by several subcommands. */
#ifndef GRADYN_CLI_SHOW_H
#define GRADYN_CLI_SHOW_H

#include <stdio.h>

#include "cli/options/session.h"

/* Functionals with value psi [functionals], unit and use; psi may be NULL. */
void cli_show_functionals(const cli_session *session, const double *psi, FILE *file);

/* One line: steps, iterations, drift, times of the last evaluation. */
void cli_show_statistics(const cli_session *session, FILE *file);

/* "objective, weight 2", "at most 0.1, tolerance 1e-06"; in buffer [size], which is returned. */
const char *cli_show_use(const gradyn_functional_info *functional, char *buffer, size_t size);

/* Kind of the gradients: "adjoint", "central-difference", "forward-difference (0.01)"; in buffer [size],
 * which is returned. */
const char *cli_show_sensitivity(const gradyn_options *evaluation, char *buffer, size_t size);

/* A line for each choice: "algorithm: ipopt (21 controls, 3 constraints)". search NULL: only choices of the
 * simulation. */
void cli_show_choices(const cli_session *session, const gradyn_search *search, FILE *file);

/* Settings of the simulation: "explicit to t = 5 s, rtol 1.0e-08". */
void cli_show_evaluation(const cli_session *session, FILE *file);

/* A bound; "-" if there is none. In buffer [size], which is returned. */
const char *cli_show_bound(double bound, char *buffer, size_t size);

#endif
