/* Root of a guard that passes zero from above within a step, for any scheme. */
#ifndef GRADYN_DAE_LOCATE_H
#define GRADYN_DAE_LOCATE_H

#include <stdbool.h>

#include <gradyn/base.h>

/* A guard and its rate at the two ends of a step of length h, s, that begins at t, s. */
typedef struct gradyn_guard_step {
  double t, h;
  double r[2], rate[2];
  bool leaving; /* zero at the start; the guard must grow first */
  bool below;   /* the guard has passed zero before, and must first rise above `zero` */
  double zero;
} gradyn_guard_step;

/* Evaluates a guard, to *r, at the time s, 0 < s <= h, after the start of the step. A failure ends the
 * search. */
typedef gradyn_status (*gradyn_guard_fn)(void *user, double s, double *r);

/* Result of a search. GRADYN_STAYS: the guard is zero at the start and does not grow. A guard that is zero
 * throughout the step but has positive rates at both ends has no root. */
typedef enum gradyn_found { GRADYN_NO_ROOT, GRADYN_ROOT, GRADYN_STAYS } gradyn_found;

/* Searches for the first root in a step; *found: the result. The cubic through values and rates at both
 * ends shows where the guard may fall below zero and rise again, or rise above zero and fall again; the
 * guard is evaluated there. *s: the root, time from the start of the step, s, accurate to round-off; set
 * for GRADYN_ROOT only. Errors: those of `value`. */
gradyn_status gradyn_locate(const gradyn_guard_step *step, gradyn_guard_fn value, void *user,
                            gradyn_found *found, double *s);

/* For a step without a root: returns the least magnitude of the cubic inside the step, relative to the
 * larger of the two rates times h. HUGE_VAL: the least magnitude is at an end. */
double gradyn_locate_least(const gradyn_guard_step *step);

#endif
