/* Second derivatives of an objective by the parameters, for `gradyn gradient --hessian`. */
#ifndef GRADYN_CLI_HESSIAN_H
#define GRADYN_CLI_HESSIAN_H

#include "cli/base/json.h"
#include "cli/options/session.h"

typedef struct cli_hessian {
  size_t count;   /* number of parameters; 0: not requested */
  const char *of; /* name of a functional, borrowed; NULL: the objective */
  double *entry;  /* [count][count], the symmetric part, in units of the parameters; owned */
  /* largest antisymmetric difference over the largest entry, both for steps of one scale */
  double asymmetry;
  double *scale; /* [count], scales of the parameters, owned */
} cli_hessian;

/* Computes the second derivatives of a functional, or of the objective if `objective` is NULL, at
 * session->rho by products with unit vectors, for all parameters. A largest of several functionals as
 * objective is refused. Prints the reason of a failure, and returns the exit status; the matrix is then
 * undefined. `objective` is kept in *out. Free *out in any case. */
int cli_hessian_find(const cli_session *session, const char *objective, cli_hessian *out);
/* Frees the members, and makes *hessian {0}; may be repeated. */
void cli_hessian_free(cli_hessian *hessian);

/* Prints the matrix to a file; for more than 8 parameters, only the diagonal with the strongest coupling of
 * each. */
void cli_hessian_print(const cli_session *session, const cli_hessian *hessian, FILE *file);

/* Returns the matrix as a new object with "functional" (null: the objective), "matrix" and "asymmetry". Ends
 * the program if memory is exhausted. */
json_t *cli_hessian_json(const cli_hessian *hessian);

#endif
