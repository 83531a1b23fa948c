/* Search for the first event in a step, for all methods. */
#ifndef GRADYN_DAE_DETECT_SEARCH_H
#define GRADYN_DAE_DETECT_SEARCH_H

#include "dae/events/detect.h"

/* A step, or a part of a step, that is searched. */
typedef struct gradyn_span {
  double t, h;     /* start and length, s */
  const double *y; /* state at its end, positions and velocities first */
  /* state at t + position, 0 < position <= h; valid until the next call */
  gradyn_status (*at)(void *user, double position, const double **y);
  void *user;
  double beyond; /* s; a root this soon after the end belongs to the span */
} gradyn_span;
/* Result of a search. */
typedef struct gradyn_found_event {
  int event;       /* -1: none */
  double position; /* time from the start of the span, s; HUGE_VAL: none */
  double least; /* least |r| of guards without a root, relative to rate times h; HUGE_VAL: none */
} gradyn_found_event;

/* Searches a span for the first root of the present mode's guards, *found; guards without a root advance to
 * the end of the span. No event is applied. Errors: failures of guards and of at(); GRADYN_EVENT, a wall or
 * invariant is 0. */
gradyn_status gradyn_detector_search(gradyn_detector *w, const gradyn_span *span,
                                     gradyn_found_event *found);

/* Searches a span for the first root of one guard, with value r[0] and rate r[1] at the end of the span.
 * *root: time from the start of the span, s; HUGE_VAL: none. Without a root *least is lowered to the value
 * in gradyn_found_event. event: index in the model. Errors: failures of guards and of at(); GRADYN_EVENT, a
 * wall or invariant is 0. */
gradyn_status gradyn_detector_search_guard(gradyn_detector *w, const gradyn_span *span, int event,
                                           const double r[2], double *root, double *least);

#endif
