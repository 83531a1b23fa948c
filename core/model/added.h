/* Knots that signals have beyond those of build(): grids of controls are refined while the problem stays as
 * it is written. Their values are parameters behind those of build(), their times follow from their
 * neighbours'. */
#ifndef GRADYN_CORE_ADDED_H
#define GRADYN_CORE_ADDED_H

#include "core/model/model.h"

/* Between knot k of build(), k the whole part of the place, and the next one, or within the interval of its
 * value if the signal is piecewise constant, at that part of the way in time. */
typedef struct gradyn_added_knot {
  int signal;
  double place;
} gradyn_added_knot;

struct gradyn_added_knots {
  size_t first;             /* the parameter that is the value of the first one; others follow */
  size_t count;             /* of the next */
  gradyn_added_knot knot[]; /* by signals, and in the order of places */
};

/* How many knots are added to a signal; the first of them goes to *first. */
int gradyn_added_count(const gradyn_model *model, int signal, size_t *first);

/* The signal with its added knots, at times of its own: into knots and times [spec->count + added]. */
void gradyn_added_merge(gradyn_model *model, int signal, const gradyn_signal_spec *spec,
                        gradyn_scalar *knots, gradyn_scalar *times);

/* Behind a build() in which it was read: the end time must be the one that grids were refined with. */
void gradyn_added_check(gradyn_model *model);

#endif
