/* Pieces of a march with fixed steps that its parts share. */
#ifndef GRADYN_DAE_FIXED_MARCH_H
#define GRADYN_DAE_FIXED_MARCH_H

#include "core/base/warnings.h"
#include "dae/fixed/fixed.h"

/* Where node k is kept while marching. */
double *gradyn_fixed_place(const gradyn_fixed *s, bool keep, int k);

/* One step from node k, of the given share of the run or, if that fails, of another one, *taken. */
gradyn_status gradyn_fixed_advance(gradyn_fixed *s, int k, double share, const double *from,
                                   double *to, double *taken);

/* Calls the monitors after step k, and at the last node before the constraints change or the run ends. Their
 * own list, ended by NULL, is in fixed/singular.c. */
gradyn_status gradyn_fixed_observe_step(gradyn_fixed *s, int k, const double *from,
                                        const double *to);
gradyn_status gradyn_fixed_observe_end(gradyn_fixed *s, const double *node);
extern const gradyn_monitor_ops *const gradyn_fixed_monitors[];

/* Room for as many nodes as events want now, in the midst of a march; *again: that cannot go on, since nodes
 * have to stand elsewhere. */
gradyn_status gradyn_fixed_grow(gradyn_fixed *s, bool keep, bool *again);

/* Ends runs that hardly a step of the length asked for, of `steps` in all, can be made of. */
gradyn_status gradyn_fixed_check_divided(gradyn_fixed *s, int k, int steps);

/* Whether a slip changed so much within a step that sticking may be missed although every step was solved.
 * Fills the warning about it. */
bool gradyn_fixed_leaps(const gradyn_findings *found, gradyn_warning *warning);

/* Watches drift, and records a node. */
gradyn_status gradyn_fixed_observe(gradyn_fixed *s, int k, const double *node,
                                   gradyn_trajectory *trajectory);

#endif
