/* Finding where a guard passes zero from above within a step, whatever the scheme. */
#ifndef GRADYN_DAE_LOCATE_H
#define GRADYN_DAE_LOCATE_H

#include <stdbool.h>

#include <gradyn/status.h>

/* A guard and its rate at the two ends of a step of length h, which begins at t. */
typedef struct gradyn_guard_step {
  double t, h;
  double r[2], rate[2];
  bool leaving; /* the guard is zero at the start and must grow first */
  bool below;   /* it has passed zero before, and must come back first, */
  double zero;  /* to more than this */
} gradyn_guard_step;

/* Value of a guard at a place 0 < s <= h of the step. */
typedef gradyn_status (*gradyn_guard_fn)(void *user, double s, double *r);

/* What was found: no root; one; a guard that is zero at the start and does not grow. One that cannot be told
 * from zero all over the step, but has risen at both of its ends, has none. */
typedef enum gradyn_found { GRADYN_NO_ROOT, GRADYN_ROOT, GRADYN_STAYS } gradyn_found;

/* Looks for the first root: where the guard has changed its sign, or where the cubic through the values and
 * rates at both ends, and then the guard itself, dips below zero in between or, from below, comes back and
 * falls again. *s: its place, to round-off. */
gradyn_status gradyn_locate(const gradyn_guard_step *step, gradyn_guard_fn value, void *user,
                            gradyn_found *found, double *s);

/* How near to zero the cubic comes inside a step without a root, over what the larger rate makes of the
 * step; HUGE_VAL: it is nearest at an end. */
double gradyn_locate_least(const gradyn_guard_step *step);

#endif
