/* The result of a search, as a table and as an object. */
#ifndef GRADYN_CLI_OUTCOME_H
#define GRADYN_CLI_OUTCOME_H

#include <jansson.h>

#include <gradyn/inference.h>

#include "cli/options/session.h"

typedef struct cli_outcome {
  const cli_session *session;
  const gradyn_search *search;
  const char *folder;
  const double
      *psi0; /* [functionals], at the start, borrowed; NULL: the start could not be simulated */
  gradyn_search_result result; /* owned by the caller; arrays are NULL if the search had no point */
  gradyn_status status;
  bool recorded;              /* the trajectory of the best point was written */
  const char *report;         /* path of the report, borrowed; NULL: none */
  gradyn_inference inference; /* owned by the caller; without arrays: not computed */
} cli_outcome;

/* Returns the effective settings of a search as a new object, without a status. They are those of
 * session and search, parameters at session->rho, functionals, and the command line. Ends the program if
 * memory is exhausted. */
json_t *cli_outcome_settings(const cli_session *session, const gradyn_search *search);

/* Returns whether the search has a best point. Otherwise the arrays of the result have no meaning. */
bool cli_outcome_has_point(const cli_outcome *outcome);

/* Computes outcome->inference at the best point for `gradyn fit`; no effect for other commands. A
 * failure is a note. */
void cli_outcome_infer(cli_outcome *outcome);

/* Returns the result as a new object, with all tests, the statistics of the last evaluation, and the
 * folder. Ends the program if memory is exhausted. */
json_t *cli_outcome_json(const cli_outcome *outcome);
/* Prints the result to standard output; without a best point only the reason of the termination and the
 * cost. */
void cli_outcome_print(const cli_outcome *outcome);

#endif
