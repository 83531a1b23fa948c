/* Newton's method for the step of a scheme, F(x) = 0 with unknowns that have a size: what to make of a
 * correction. One matrix serves all iterations while they contract well. They end when the next correction
 * cannot be told from round-off, so that a step depends on its first node alone and not on where its
 * iterations began. */
#ifndef GRADYN_DAE_NEWTON_H
#define GRADYN_DAE_NEWTON_H

#include "core/mech/mech.h"

typedef struct gradyn_newton {
  double size;    /* of the mechanism, m */
  double nothing; /* corrections up to this, m, move nothing */
  double enough;  /* the next correction, as foreseen, need not be made up to this, m */
  double last;    /* the correction before, m */
  double rate;    /* a bound of that of convergence, for the first correction; 0: none is known */
  bool exact; /* the matrix is that of the place of the first correction, with all that bends it */
  int count;  /* corrections made */
} gradyn_newton;

typedef enum gradyn_newton_verdict {
  GRADYN_NEWTON_CONTINUE,
  GRADYN_NEWTON_REFRESH, /* with a matrix of the present place */
  GRADYN_NEWTON_CONVERGED,
  GRADYN_NEWTON_DIVERGED /* beyond any mechanism, or not finite */
} gradyn_newton_verdict;

/* Takes the size of a correction, m, that has been made. */
gradyn_newton_verdict gradyn_newton_judge(gradyn_newton *s, double step);

/* The name of the constraint that is violated most, for a message that Newton's method has given up, and
 * by how much, in its own unit; "none" without constraints. work [m]. */
const char *gradyn_newton_worst(gradyn_mech *mech, const gradyn_mech_state *at, double *work,
                                double *off);

#endif
