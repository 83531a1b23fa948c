/* Dependence of data on parameters. A signal may have hundreds of knots as parameters, and nearly every datum
 * depends on at most one parameter. A number of builds that grows with the logarithm of the number of
 * parameters then gives all derivatives. */
#ifndef GRADYN_ADJOINT_DEPENDENCE_H
#define GRADYN_ADJOINT_DEPENDENCE_H

#include "core/linear/arena.h"
#include "core/model/model.h"

enum { GRADYN_NO_OWNER = -1, GRADYN_SEVERAL_OWNERS = -2 };

typedef struct gradyn_dependence {
  int count, nx;
  int *member, members; /* [members] parameters that are examined, ascending; others do not count */
  int *owner;           /* [nx] the parameter, or one of the two constants above */
  double *slope;        /* [nx] derivative with respect to it */
  bool *shared;         /* [count] parameters that may be among several owners of a datum */
  unsigned *with, *without; /* [nx] workspace */
  gradyn_scalar *rho;       /* [count] workspace */
  gradyn_arena arena;       /* owns all arrays */
} gradyn_dependence;

/* Allocates the arrays of *d, all zero or reserved before, for count parameters and the data of the model;
 * arrays of the right size are used again. All parameters become members; the caller may then reduce
 * d->member [members]. Error: GRADYN_NO_MEMORY, and *d is then empty. */
gradyn_status gradyn_dependence_reserve(gradyn_model *model, int count, gradyn_dependence *d);

/* Finds owner, slope and shared at rho [count], which is restored. The model is built with subsets of the
 * members perturbed: for each bit of their indices in `member`, one subset has the bit set and one has it
 * cleared. A datum that depends on one member responds to one of the two for every bit, and the bits give
 * the index of the member. No tolerance is involved. Errors are those of build(). */
gradyn_status gradyn_dependence_find(gradyn_model *model, gradyn_scalar *rho, gradyn_dependence *d);

/* Builds the model once with the parameters parameter [size], indices, perturbed together. rho [count]
 * keeps its real parts; imaginary parts become 0. Data that depend on any of them then have a nonzero
 * imaginary part in model->value. Errors: those of build(). */
gradyn_status gradyn_dependence_ask(gradyn_model *model, gradyn_scalar *rho, const int *parameter,
                                    int size);

/* Releases all arrays; the struct is then empty. */
void gradyn_dependence_clear(gradyn_dependence *dependence);

#endif
