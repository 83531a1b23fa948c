/* A problem whose uncertain numbers have offsets as parameters. Its build() calls the user's, with offsets;
 * see core/model/uncertain.h. Gradients and second derivatives by offsets are therefore those by
 * parameters, on all routes. */
#ifndef GRADYN_OPTIM_DISPLACED_H
#define GRADYN_OPTIM_DISPLACED_H

#include "adjoint/evaluator/evaluator.h"

typedef struct gradyn_displaced {
  gradyn_problem problem; /* first, so that build() finds the rest */
  const gradyn_problem *of;
  gradyn_evaluator *ev; /* owned */
  size_t count;         /* number of uncertain numbers */
  size_t *offset;       /* [count] indices of the offsets among the parameters of ev */
  size_t *own;          /* [parameters of the user's evaluator] their indices among those of ev */
  size_t parameters;    /* number of these */
  gradyn_arena arena;
} gradyn_displaced;

/* Creates *out for the problem of an evaluator; clear *out in any case. Errors, with a message:
 * GRADYN_INVALID, no number is uncertain, or load cases declare different ones; GRADYN_NO_MEMORY; those of
 * gradyn_evaluator_create(). */
gradyn_status gradyn_displaced_create(gradyn_evaluator *of, gradyn_displaced *out,
                                      gradyn_message *message);

/* Frees the members with ev, and sets all to zero; may be repeated. */
void gradyn_displaced_clear(gradyn_displaced *displaced);

/* Fills all [parameters of displaced->ev] from rho [parameters of the user's evaluator] and from offsets z
 * [count], in spreads; z NULL: zero. */
void gradyn_displaced_point(const gradyn_displaced *displaced, const double rho[], const double z[],
                            double all[]);

#endif
