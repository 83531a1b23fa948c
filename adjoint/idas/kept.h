/* The forward arcs of an adjoint of idas: one IDAS object each, with the states of all its steps. */
#ifndef GRADYN_ADJOINT_IDAS_KEPT_H
#define GRADYN_ADJOINT_IDAS_KEPT_H

#include "dae/idas/idas.h"

/* An arc, and the number of steps for which it has memory, as in the last run: runs of a search are
 * similar. */
typedef struct gradyn_kept_arc {
  void *ida;
  long capacity;
} gradyn_kept_arc;

typedef struct gradyn_idas_kept {
  gradyn_idas *march;
  gradyn_kept_arc *arc; /* [capacity] of which the first `count` hold an object */
  int count, capacity;
  long steps;    /* of the last arc */
  double *first; /* [4][ny] y, y', and two arrays of sizes at the start of an arc */
} gradyn_idas_kept;

/* Creates an empty list of arcs. march: borrowed, must outlive *out. Clear *out in any case, after release(),
 * since clear() frees no IDAS objects; it may be repeated. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_kept_create(gradyn_idas *march, gradyn_idas_kept *out);
void gradyn_idas_kept_clear(gradyn_idas_kept *s);

/* Grows the list to the number of arcs of the present run. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_kept_reserve(gradyn_idas_kept *s);

/* Integrates arc k, from 0, in order, and stores its steps. If an arc has more steps than its capacity, the
 * capacity grows and the arc is integrated again. The object then belongs to s, also after an error, and
 * march->ida is NULL. An arc of length 0 has no object. Errors: those of the run. */
gradyn_status gradyn_idas_kept_march(gradyn_idas_kept *s, int k);

/* Frees the IDAS objects of a run, and keeps the capacities; may be repeated. */
void gradyn_idas_kept_release(gradyn_idas_kept *s);

/* Sets the capacity of all arcs of the list, in steps. Results do not depend on it. */
void gradyn_idas_kept_room(gradyn_idas_kept *s, long capacity);

#endif
