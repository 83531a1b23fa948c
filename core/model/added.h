/* Knots added to signals beyond those of build(), for the refinement of control grids.
 *
 * The problem is not changed. Values of added knots are parameters after those of build(). Times of added
 * knots follow from the neighbouring knots. */
#ifndef GRADYN_CORE_ADDED_H
#define GRADYN_CORE_ADDED_H

#include "core/model/model.h"

/* One added knot. k is the integer part of `position`, theta the fraction. The knot lies between knots k
 * and k + 1 of build(), at the part theta of the interval in time. In a piecewise constant signal, this is
 * the interval of the value k. */
typedef struct gradyn_added_knot {
  int signal;
  double position;
} gradyn_added_knot;

typedef struct gradyn_added_knots {
  /* index of the parameter that is the value of the first added knot; others follow */
  size_t first;
  size_t count;             /* length of knot */
  gradyn_added_knot knot[]; /* [count], ascending by signal and position */
} gradyn_added_knots;

/* Returns the number of knots added to the signal with an index. *first: index of the first of them in the
 * array knot of gradyn_added_knots; 0 if there are none. */
int gradyn_added_count(const gradyn_model *model, int signal, size_t *first);

/* Writes values and times, s, of the signal with its added knots into knots and times, both [spec->count +
 * added]. To be called in build(), after the end time is set. */
void gradyn_added_merge(gradyn_model *model, int signal, const gradyn_signal_spec *spec,
                        gradyn_scalar *knots, gradyn_scalar *times);

/* Returns the end time of the run, s, in build(), and records it for gradyn_added_check(). */
gradyn_scalar gradyn_added_run_end(gradyn_model *model);

/* Checks, after build(), that the end time is still the one that added knots or delayed signals have used. A
 * difference is a build error. */
void gradyn_added_check(gradyn_model *model);

#endif
