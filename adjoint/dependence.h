/* Which of many parameters a datum depends on. Knots of a signal are parameters by the hundred, and
 * nearly every datum depends on one parameter or on none: then a number of builds that grows with the
 * logarithm of theirs tells all derivatives. */
#ifndef GRADYN_ADJOINT_DEPENDENCE_H
#define GRADYN_ADJOINT_DEPENDENCE_H

#include "core/linear/arena.h"
#include "core/model/model.h"

enum { GRADYN_NO_OWNER = -1, GRADYN_SEVERAL_OWNERS = -2 };

typedef struct gradyn_dependence {
  int count, nx;
  int *member,
      members;   /* [members] parameters that are looked at, ascending; others do not count */
  int *owner;    /* [nx] the parameter, or one of the two above */
  double *slope; /* [nx] derivative with respect to it */
  bool *shared;  /* [count] parameters that may be among several owners */
  unsigned *with, *without; /* [nx] scratch */
  gradyn_scalar *rho;       /* [count] scratch */
  gradyn_arena arena;       /* of all arrays */
} gradyn_dependence;

/* Takes memory for count parameters, all of which become members. */
gradyn_status gradyn_dependence_reserve(gradyn_model *model, int count, gradyn_dependence *d);

/* Builds the model with subsets of the members perturbed in rho [count], which is restored. For each
 * bit of their places one subset has it and one has not: what depends on one member alone answers
 * to one of the two for every bit, and thereby spells its place. No tolerance is involved. */
gradyn_status gradyn_dependence_find(gradyn_model *model, gradyn_scalar *rho, gradyn_dependence *d);

/* One build with `size` parameters perturbed at once, rho being restored: what depends on any of them has
 * an imaginary part in model->value. */
gradyn_status gradyn_dependence_ask(gradyn_model *model, gradyn_scalar *rho, const int *parameter,
                                    int size);

void gradyn_dependence_clear(gradyn_dependence *dependence);

#endif
