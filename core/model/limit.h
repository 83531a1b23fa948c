/* Path constraints: lower <= m(t) <= upper at every time of a run.
 *
 * Each finite bound of a path constraint is a functional, called a side: the maximum of m - upper or of lower
 * - m. A side is given by the index of its functional. For a search, a side is replaced by sampled
 * constraints: its values at fractions of the run's length. */
#ifndef GRADYN_CORE_LIMIT_H
#define GRADYN_CORE_LIMIT_H

#include "core/model/functional.h"
#include <gradyn/functionals.h>

/* Point at which one side of a path constraint is sampled. The point is a fraction of the run's length, 0 to
 * 1; `behind` selects the value after a jump there. Otherwise it is one side of an occurrence of an event. */
typedef struct gradyn_limit_at {
  size_t side;
  double share;
  /* which > 0: at this occurrence, from 1, of the event with this index; share is then the fraction at which
   * the event was found */
  int event, which;
  bool behind;
  int knot; /* > 0: the value of knot knot - 1 of the signal, at no time */
  /* to > 0: the point moves to the largest value in this window, fractions of the run's length; share is
   * then where it was found. A window on an arc between events ends at them, wherever they are in it */
  double from, to;
  gradyn_occurrence after, before;
} gradyn_limit_at;

/* Returns whether two occurrences of events are the same, or both are none: their member `which` is 0. */
bool gradyn_limit_same_event(gradyn_occurrence a, gradyn_occurrence b);
/* Returns whether all members of two points are equal; fractions are compared without tolerance. */
bool gradyn_limit_at_same(const gradyn_limit_at *a, const gradyn_limit_at *b);

/* Returns the index of the signal that a side constrains; -1: none, or the magnitude of a signal. */
int gradyn_limit_of_signal(const gradyn_model *model, size_t side);

/* Returns whether two fractions a and b of the run are the same time point: their distance is below
 * 1e-6. */
bool gradyn_limit_same_share(double a, double b);

/* Returns the number of points at which a search begins to enforce a side; `otherwise` if its declaration
 * gives none. */
int gradyn_limit_grid(const gradyn_model *model, size_t side, int otherwise);

/* Returns the number of knots of the signal that a side constrains; 0: the side does not constrain a
 * signal. */
int gradyn_limit_knots(const gradyn_model *model, size_t side);

/* Declares a sampled constraint at the point *at, copied, as a functional that is at most 0. No effect if
 * the side does not exist. Errors are build errors. */
void gradyn_limit_declare_row(gradyn_model *model, const gradyn_limit_at *at);

/* Turns the functionals of all sides into constants, for runs in which sampled constraints replace them. */
void gradyn_limits_disable(gradyn_model *model);

/* Moves an end of the window of a maximum, *from to *to, s, that begins after one occurrence of an event
 * and ends before another. happened: an occurrence at t, s; it becomes an end if it is one of the two and t
 * lies inside. Call it for all events in the order of their times. */
void gradyn_limit_narrow(gradyn_occurrence after, gradyn_occurrence before,
                         gradyn_occurrence happened, double t, double *from, double *to);

/* Sets *from and *to, s, to the window of the last run in which the maximum f is searched; its ends may be
 * events of the log. Without a window: -HUGE_VAL and HUGE_VAL. */
void gradyn_functional_window(const gradyn_model *model, const gradyn_functional_entry *f,
                              double *from, double *to);

/* To be called when data change: computes the time `instant`, s, of each sampled constraint, its share
 * times the present end time; 0 at the end of the run. Also forgets the times of all maxima. */
void gradyn_sampled_times_update(gradyn_model *model);

/* Discards the time of a maximum that an earlier run has found, when data change. */
void gradyn_maximum_forget(gradyn_functional_entry *f);

/* Call after an event has ended the run at t, s: sampled constraints at later times are then evaluated at
 * the end. */
void gradyn_limits_end(gradyn_model *model, double t);

#endif
