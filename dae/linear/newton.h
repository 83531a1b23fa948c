/* Newton's method for the step of a scheme, F(x) = 0: the decision after each correction. One matrix serves
 * all iterations while they contract well. They end when the next correction is round-off. A step then
 * depends only on its first node, not on the initial guess of its iterations. */
#ifndef GRADYN_DAE_NEWTON_H
#define GRADYN_DAE_NEWTON_H

#include "core/mech/mech.h"

typedef struct gradyn_newton {
  double size;    /* size of the mechanism, m */
  double nothing; /* corrections up to this, m, are zero */
  double enough;  /* if the predicted next correction is at most this, m, it is omitted */
  double last;    /* previous correction, m */
  double rate;    /* bound of the convergence rate for the first correction; 0: unknown */
  bool exact; /* the matrix is the exact one at the first iterate, with all second-order terms */
  int count;  /* number of corrections */
} gradyn_newton;

typedef enum gradyn_newton_verdict {
  GRADYN_NEWTON_CONTINUE,
  GRADYN_NEWTON_REFRESH, /* evaluate the matrix at the present iterate */
  GRADYN_NEWTON_CONVERGED,
  GRADYN_NEWTON_DIVERGED /* the correction is far larger than the mechanism, or not finite */
} gradyn_newton_verdict;

/* Call after each correction, with its size `step`, m; *s: set size, nothing, enough, rate and exact before
 * the first one. Returns how to continue. */
gradyn_newton_verdict gradyn_newton_judge(gradyn_newton *s, double step);

/* Returns the name of the constraint with the largest violation, for the message of a failure; "none" without
 * constraints. *off: the violation in its own unit. work [m]: overwritten. The mechanism owns the name. */
const char *gradyn_newton_worst(gradyn_mech *mech, const gradyn_mech_state *at, double *work,
                                double *off);

#endif
