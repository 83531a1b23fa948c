/* The plan of the next step: the present one, moved by one segment. */
#ifndef GRADYN_OPTIM_SHIFT_H
#define GRADYN_OPTIM_SHIFT_H

#include "optim/horizon/plan.h"

/* For each number, those from which it is taken when the plan moves by one segment. At the end of the
 * horizon, numbers stay. */
typedef struct gradyn_shift {
  /* [p] parameter j becomes (1 - share[j]) rho[from[j]] + share[j] rho[to[j]] */
  size_t *from, *to;
  double *share;
  size_t *variable, *row;    /* [n], [m], for multipliers and slacks */
  size_t *entry;             /* [entries of second derivatives] */
  gradyn_newton_point point; /* scratch memory */
  double *rho, *H;           /* the same */
  gradyn_arena arena;
} gradyn_shift;

/* Prepares the shift of a plan by one segment: finds the parameters that move. These are the values at the
 * knots of signals whose knots have equal distances, if each value equals one parameter. All other
 * parameters stay. Clear *out in any case. Errors, with plan->message: GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_shift_create(gradyn_plan *plan, gradyn_shift *out);
/* Frees the members, not the object. */
void gradyn_shift_clear(gradyn_shift *shift);

/* Moves point, multipliers and second derivatives of plan->newton by one segment. The state at the last
 * boundary is the end of a run of the segment before. Returns false, with the last state as it was, if that
 * run fails. */
bool gradyn_shift_move(const gradyn_shift *shift, gradyn_plan *plan);

#endif
