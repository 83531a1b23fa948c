/* Maxima over time with constant times, for second derivatives.
 *
 * A maximum phi(s(rho), rho) with the time s, a share of the run, and phi_s = 0 has the second derivatives
 *     phi_rr - phi_rs phi_sr / phi_ss,
 * the first term of which is that at a constant share. At an end of its window the share is constant. */
#ifndef GRADYN_ADJOINT_FIXED_MAXIMA_H
#define GRADYN_ADJOINT_FIXED_MAXIMA_H

#include "adjoint/evaluator/evaluator.h"

/* A maximum in a window, as it was declared, and the share where it is now. */
typedef struct gradyn_fixed_maximum {
  size_t functional;
  gradyn_along along;
  double share; /* 0: at the start or at the end */
  double reach; /* distance of nearby shares inside the window; 0: the maximum is at its end */
} gradyn_fixed_maximum;

typedef struct gradyn_fixed_maxima {
  gradyn_model *model;
  gradyn_fixed_maximum *item; /* [count] */
  size_t count;
} gradyn_fixed_maxima;

/* Locates the maxima over time by a run at the loaded data. Until gradyn_fixed_maxima_clear(), their
 * functionals are evaluated at constant shares of the run. The items come from the arena. Clear *out in any
 * case. Errors: GRADYN_NO_MEMORY; those of runs. */
gradyn_status gradyn_fixed_maxima_create(gradyn_evaluator *ev, gradyn_arena *arena,
                                         gradyn_fixed_maxima *out);
/* Makes the functionals maxima over time again. */
void gradyn_fixed_maxima_clear(gradyn_fixed_maxima *maxima);

/* Moves the time of each maximum to its share plus `steps` times its reach. Load the data afterwards. */
void gradyn_fixed_maxima_move(const gradyn_fixed_maxima *maxima, double steps);

#endif
