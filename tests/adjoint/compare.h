/* Comparisons of gradients: of two evaluators with each other, or of one with differences of its runs. If
 * they differ, the test fails and names the functional and the datum or parameter. */
#ifndef GRADYN_TESTS_COMPARE_H
#define GRADYN_TESTS_COMPARE_H

#include "tests/runs.h"

enum { COMPARE_FUNCTIONALS = 32, COMPARE_PARAMETERS = 64 }; /* at most */

/* Gradients by all data of two evaluators of a problem at rho, as a direct and an adjoint one, for data for
 * which counts() holds (NULL: all): to rtol, or the part `share` of the largest of their functional, which is
 * zero only if it may vanish, and then counts as such below 1e-13, as values do; and not all of them to the
 * same bits. Functionals agree to `values`. */
typedef struct compare_bounds {
  double values, rtol, share;
  bool vanish;
  bool (*counts)(const char *datum);
} compare_bounds;
void compare_by_data(gradyn_evaluator *direct, gradyn_evaluator *adjoint, const double rho[],
                     const compare_bounds *bounds);

/* The same of a setup's direct and adjoint runs, values, rtol and share alike, and all may vanish; rho NULL:
 * initial parameters. */
void compare_routes(const run_setup *setup, const double rho[], double bound);

/* What the distances of differences are, and how far they may be off. */
typedef struct compare_allowed {
  double h;           /* of all parameters; 0: */
  double size;        /* of each, relative to the parameter or to 0.1 */
  double rtol;        /* of the largest part that a parameter has in a functional's change */
  const double *atol; /* [functionals] of derivatives, with h; NULL: none */
} compare_allowed;

/* The gradient by parameters against central differences of order 8, h to 4 h away, along one line on which
 * all of them move; where that fails each parameter is looked at, and named if it is off. */
void compare_with_differences(gradyn_evaluator *ev, const double rho[],
                              const compare_allowed *allowed);

#endif
