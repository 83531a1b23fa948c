/* What a run of idas does besides integrating the states, and what it stores. */
#ifndef GRADYN_DAE_IDAS_OBSERVER_H
#define GRADYN_DAE_IDAS_OBSERVER_H

#include <stdbool.h>

#include "dae/tape/sweep.h"

/* What takes part in a run, see idas/run.h. Functions may be NULL. */
typedef struct gradyn_idas_observer {
  const char *what; /* name of the run, for messages */
  void *run;        /* passed to the functions below and to callbacks of IDAS */
  bool stores;      /* stores the steps of all arcs */
  /* adapts its tolerances after those of the states have increased; returns a code of IDAS */
  int (*renew)(void *run);
  /* at the start of the arc from a boundary, from 0; also after an event that ends the run */
  gradyn_status (*enter)(void *run, int boundary);
  gradyn_status (*open)(void *run); /* a new IDAS object has been created */
  gradyn_status (*step)(void *run); /* a step has been taken */
  /* a record has been appended; of an arc, its IDAS object is still open */
  const gradyn_record_ops *records;
} gradyn_idas_observer;

/* Consistent states at the boundaries of a run, see idas/run.h. */
typedef struct gradyn_idas_nodes {
  double *number; /* [capacity][2 sides][2 ny + nq] */
  int capacity;
} gradyn_idas_nodes;

/* An arc with stored steps, and the number of steps for which it has memory. This number is that of the
 * last run, because the runs of a search are similar. */
typedef struct gradyn_idas_stored_arc {
  void *ida; /* NULL: an arc of length 0 */
  long capacity;
} gradyn_idas_stored_arc;

typedef struct gradyn_idas_stored {
  gradyn_idas_stored_arc *arc; /* [capacity] of which the first `count` hold an object */
  int count, capacity;
  long steps;    /* of the last arc */
  double *first; /* [4][ny] y, y', and two arrays of sizes at the start of an arc */
} gradyn_idas_stored;

#endif
