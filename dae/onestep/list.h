/* A run of a one-step method as a list of records in order of time: steps, jumps and samples. Records and
 * the items that they refer to keep their numbers. The next run may repeat the steps. */
#ifndef GRADYN_DAE_EXPLICIT_LIST_H
#define GRADYN_DAE_EXPLICIT_LIST_H

#include "core/base/message.h"
#include "dae/events/arcs.h"

typedef struct gradyn_onestep gradyn_onestep;

/* An event at a boundary jumps the state; functionals are sampled at a node. */
typedef enum gradyn_tape_kind {
  GRADYN_TAPE_STEP,
  GRADYN_TAPE_JUMP,
  GRADYN_TAPE_SAMPLE
} gradyn_tape_kind;

typedef struct gradyn_tape_record {
  gradyn_tape_kind kind;
  int item; /* number of the step, or of the boundary */
} gradyn_tape_record;

typedef struct gradyn_tape {
  gradyn_tape_record *record; /* [count] */
  int count, capacity;
  int *due; /* [nf] boundaries between the planned sample of a functional and the end of the run */
  int *sampled; /* [nf] record of the sample; -1: not reached yet */
} gradyn_tape;

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
/* fit_arcs(): finds the arcs of the next run. plan(): also the boundaries at which functionals are sampled.
 * GRADYN_UNSUPPORTED: its given steps belong to other arcs. */
gradyn_status gradyn_onestep_fit_arcs(gradyn_onestep *s);
gradyn_status gradyn_onestep_plan(gradyn_onestep *s);

/* Returns the largest step length from time t on, s. Within a run, t must not decrease; it begins with
 * limits.at 0. */
double gradyn_onestep_longest(gradyn_onestep *s, double t);

/* Appends a record. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_append(gradyn_onestep *s, gradyn_tape_kind kind, int item);

/* Finds the stage that record k, a sample, reads; valid as long as those of gradyn_onestep_stages(). The
 * model then has its discrete state. Errors: those of gradyn_onestep_stages(). */
gradyn_status gradyn_onestep_sampled(gradyn_onestep *s, int k, gradyn_sample *at);
/* Returns whether any functional of this sample is not skipped. */
bool gradyn_onestep_sample_counts(const gradyn_onestep *s, int k);

/* Reserves memory for step k and the state after it. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_reserve_step(gradyn_onestep *s, int k);

#endif
