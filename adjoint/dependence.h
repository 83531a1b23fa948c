/* Which of many parameters a datum depends on. Knots of a signal are parameters by the hundred, and
 * nearly every datum depends on one parameter or on none: then a number of builds that grows with the
 * logarithm of theirs tells all derivatives. */
#ifndef GRADYN_ADJOINT_DEPENDENCE_H
#define GRADYN_ADJOINT_DEPENDENCE_H

#include "core/model.h"

enum { GRADYN_NO_OWNER = -1, GRADYN_SEVERAL_OWNERS = -2 };

typedef struct gradyn_dependence {
  int count, nx;
  int *owner;               /* [nx] the parameter, or one of the two above */
  double *slope;            /* [nx] derivative with respect to it */
  bool *shared;             /* [count] parameters that may be among several owners */
  unsigned *with, *without; /* [nx] scratch */
  gradyn_scalar *rho;       /* [count] scratch */
} gradyn_dependence;

/* Builds the model with subsets of the parameters rho [count] perturbed, which are restored. For each
 * bit of their numbers one subset has it and one has not: what depends on one parameter alone answers
 * to one of the two for every bit, and thereby spells its number. No tolerance is involved. */
gradyn_status gradyn_dependence_find(gradyn_model *model, gradyn_scalar *rho, int count,
                                     gradyn_dependence *out);

void gradyn_dependence_clear(gradyn_dependence *dependence);

#endif
