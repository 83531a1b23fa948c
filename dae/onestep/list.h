/* The steps of a run of a one-step method as a list, which the next run may repeat. */
#ifndef GRADYN_DAE_EXPLICIT_LIST_H
#define GRADYN_DAE_EXPLICIT_LIST_H

#include "core/base/message.h"
#include "dae/events/arcs.h"

typedef struct gradyn_onestep gradyn_onestep;

/* Number of parts into which output divides a step. */
enum { GRADYN_ONESTEP_PARTS = 8 };

/* The laws of the length of a step: a share of its arc; given; the rest of its arc; until an event. */
typedef enum gradyn_length_law {
  GRADYN_LENGTH_SHARE,
  GRADYN_LENGTH_GIVEN,
  GRADYN_LENGTH_REST,
  GRADYN_LENGTH_EVENT
} gradyn_length_law;

/* A step of an arc. */
typedef struct gradyn_onestep_step {
  int arc;
  gradyn_length_law law;
  double t, h;         /* start and length, s */
  double start, share; /* the same relative to the arc, for a run that repeats the steps */
} gradyn_onestep_step;

/* Returns the law of a step that ends at an event, or that is the last one of its arc. */
gradyn_length_law gradyn_onestep_law(const gradyn_onestep *s, bool event, bool last);

/* Largest step lengths from given times on, for runs with events, whose steps cannot be given. */
typedef struct gradyn_onestep_limits {
  double *from, *length; /* [capacity] s; one block */
  int count, capacity;   /* number in use, 0: none; number with memory */
  int at;                /* index of the present one */
  int given;             /* steps of the next run, listed already; 0: they follow from the error */
  long most;             /* largest predicted number of steps of a run; 0: as in the options */
} gradyn_onestep_limits;

/* Makes the next run repeat the steps of the last one: `merge` of them joined, where an arc has as many,
 * then each divided into `parts`. merge 0: steps follow from the error again, none longer than those of the
 * last run over `parts`; parts 0: without this limit. With events the same limit applies and steps are not
 * joined. Errors: GRADYN_UNSUPPORTED, the present data have other arcs than the steps; GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_repeat(gradyn_onestep *s, int merge, int parts);

/* Finds the arcs between knots of signals and given times of functionals, for the present data. Errors:
 * those of gradyn_arcs_find() and gradyn_arcs_add_instants(). */
gradyn_status gradyn_onestep_find_arcs(gradyn_model *model, gradyn_arcs *arcs);
/* Finds the arcs of the next run. GRADYN_UNSUPPORTED: its given steps belong to other arcs. */
gradyn_status gradyn_onestep_fit_arcs(gradyn_onestep *s);

/* Returns the largest step length from time t on, s. Within a run, t must not decrease; it begins with
 * limits.at 0. */
double gradyn_onestep_longest(gradyn_onestep *s, double t);

/* Reserves memory for step k and the state after it. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_reserve_step(gradyn_onestep *s, int k);

#endif
