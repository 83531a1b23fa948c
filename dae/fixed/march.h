/* Shared parts of a run with fixed steps. */
#ifndef GRADYN_DAE_FIXED_MARCH_H
#define GRADYN_DAE_FIXED_MARCH_H

#include "core/base/warnings.h"
#include "dae/fixed/fixed.h"

/* Returns the memory of node k during a run. */
double *gradyn_fixed_place(const gradyn_fixed *s, bool keep, int k);

/* Takes one step from node k over a share of the run or, if this fails, over another one; *taken: its
 * share. */
gradyn_status gradyn_fixed_advance(gradyn_fixed *s, int k, double share, const double *from,
                                   double *to, double *taken);

/* Calls the monitors after step k, and at the last node before the constraints change or the run ends. Their
 * own list, ended by NULL, is in fixed/singular.c. */
gradyn_status gradyn_fixed_observe_step(gradyn_fixed *s, int k, const double *from,
                                        const double *to);
gradyn_status gradyn_fixed_observe_end(gradyn_fixed *s, const double *node);
extern const gradyn_monitor_ops *const gradyn_fixed_monitors[];

/* During a run: provides memory for the nodes that events add now. *again: the run must begin again, since
 * nodes must be stored elsewhere. */
gradyn_status gradyn_fixed_grow(gradyn_fixed *s, bool keep, bool *again);

/* Error: GRADYN_STEP_LIMIT, too many of the `steps` steps of a run were divided or moved up to node k. */
gradyn_status gradyn_fixed_check_divided(gradyn_fixed *s, int k, int steps);

/* Returns whether a slip changed so much within a step that the run may miss sticking; fills the warning. */
bool gradyn_fixed_leaps(const gradyn_findings *found, gradyn_warning *warning);

/* Updates the constraint drift by node k, and adds it to the trajectory (NULL: none). */
gradyn_status gradyn_fixed_observe(gradyn_fixed *s, int k, const double *node,
                                   gradyn_trajectory *trajectory);

#endif
