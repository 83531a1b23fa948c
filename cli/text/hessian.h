/* Second derivatives of an objective by the parameters, as `gradyn gradient --hessian` tells them. */
#ifndef GRADYN_CLI_HESSIAN_H
#define GRADYN_CLI_HESSIAN_H

#include "cli/base/json.h"
#include "cli/options/session.h"

typedef struct cli_hessian {
  size_t count;   /* parameters; 0: it was not asked for */
  const char *of; /* a functional; NULL: what is minimised */
  double *entry;  /* [count][count] the symmetric part, owned */
  double
      asymmetry; /* what is left of it, at most, over the largest entry; both by units of scales */
  double *scale; /* [count] units of the parameters, owned */
} cli_hessian;

/* Finds it at the session's parameters by products with unit vectors. Prints the reason of a failure and
 * returns the exit status. Free in any case. */
int cli_hessian_find(const cli_session *session, const char *objective, cli_hessian *out);
void cli_hessian_free(cli_hessian *hessian);

/* For people: the matrix, of many parameters the diagonal with the strongest coupling. */
void cli_hessian_print(const cli_session *session, const cli_hessian *hessian, FILE *file);
json_t *cli_hessian_json(const cli_hessian *hessian);

#endif
