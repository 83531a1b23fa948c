/* The saddle system [M, J^T; J, 0] with a constant, positive definite M, for small models: with M^-1
 * at hand it takes one factorisation of the m x m matrix J M^-1 J^T. */
#ifndef GRADYN_CORE_SCHUR_H
#define GRADYN_CORE_SCHUR_H

#include <stdbool.h>

#include "core/lanes.h"

typedef struct gradyn_schur {
  int n, m;
  const gradyn_pattern *dyn, *jac; /* borrowed */
  double *inverse;                 /* [n][n] M^-1 */
  double *W;                       /* [m][n] J M^-1 */
  double *S;                       /* [m][m] lower Cholesky factor, diagonal inverted */
  const double *J;                 /* values of the last factor(), borrowed */
  double *work;                    /* [n][n] */
  double least_pivot; /* of the last factor(): smallest pivot over the entry it came from */
  gradyn_lanes *side; /* [n] */
} gradyn_schur;

/* For the first m rows of the Jacobian's pattern. */
gradyn_status gradyn_schur_create(const gradyn_pattern *dyn, const gradyn_pattern *jac, int m,
                                  gradyn_schur *out);
void gradyn_schur_clear(gradyn_schur *s);

/* Takes M [dyn.nnz]. GRADYN_SINGULAR: it is not positive definite. */
gradyn_status gradyn_schur_mass(gradyn_schur *s, const double *M);

/* Takes J, which must stay as it is while the factors are used. GRADYN_SINGULAR: rows of J depend
 * on each other. */
gradyn_status gradyn_schur_factor(gradyn_schur *s, const double *J);

/* Solves in place, b [n + m]; no_force: the first n entries of the right-hand side are zero. */
void gradyn_schur_solve(const gradyn_schur *s, bool no_force, double *b);

/* The same for lanes of right-hand sides. */
void gradyn_schur_solve_lanes(const gradyn_schur *s, gradyn_lanes *b);

#endif
