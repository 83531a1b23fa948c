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

/* Judges step k, which has been taken: GRADYN_SINGULAR if velocities leap over it next to a singular
 * position, or if it leads to another branch of the motion. The latter is looked for once in several steps,
 * and at last at the end, of the run or of a mode, where the last node is. */
gradyn_status gradyn_fixed_judge_step(gradyn_fixed *s, int k, const double *from, const double *to);
gradyn_status gradyn_fixed_judge_end(gradyn_fixed *s, const double *node);
/* What the judge needs, with the march; forgets steps of another run. */
gradyn_status gradyn_fixed_create_watch(gradyn_fixed *s);
void gradyn_fixed_forget_steps(gradyn_fixed *s);
void gradyn_fixed_free_watch(gradyn_fixed *s);

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
