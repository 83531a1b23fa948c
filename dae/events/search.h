/* The first event within a step of a scheme that can tell the state at any place of it. */
#ifndef GRADYN_DAE_SEARCH_H
#define GRADYN_DAE_SEARCH_H

#include "dae/events/watch.h"

/* A step, or a piece of one. */
typedef struct gradyn_span {
  double t, h;     /* s, where it starts; its length */
  const double *y; /* positions and velocities at its end */
  /* The same at a place 0 < s <= h of it; borrowed until the next call. */
  gradyn_status (*at)(void *user, double place, const double **y);
  void *user;
  double beyond; /* s: a guard that would be zero so soon behind its end is zero there */
} gradyn_span;

/* What a search has found. */
typedef struct gradyn_found_event {
  int event;    /* -1: none */
  double place; /* s, from where the span starts */
  double
      least; /* how near to zero other guards have come, over what their rates make of the span */
} gradyn_found_event;

/* Looks at all guards in a span, whose start the watch knows; where no event is found it goes on to the
 * end. The first of several is found. */
gradyn_status gradyn_watch_search(gradyn_watch *w, const gradyn_span *span,
                                  gradyn_found_event *found);

#endif
