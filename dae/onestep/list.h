/* The steps of a run of a one-step method, which the next run may repeat. */
#ifndef GRADYN_DAE_EXPLICIT_LIST_H
#define GRADYN_DAE_EXPLICIT_LIST_H

#include "core/base/message.h"
#include "dae/tape/tape.h"

typedef struct gradyn_onestep gradyn_onestep;

/* Number of parts into which output divides a step. */
enum { GRADYN_ONESTEP_PARTS = 8 };

/* A step of an arc. */
typedef struct gradyn_onestep_step {
  int arc;
  gradyn_length_law law;
  double t, h;         /* start and length, s */
  double start, share; /* the same as fractions of the arc, for a run that repeats the steps */
  int parts;           /* into which output divides the step */
} gradyn_onestep_step;

/* Returns how the length of a step follows from the boundaries of its arc. event: the step ends at an
 * event; last: the step is the last one of its arc. */
gradyn_length_law gradyn_onestep_law(const gradyn_onestep *s, bool event, bool last);

/* Steps given for the next run; or, for a run with events, whose steps cannot be given, largest step
 * lengths from given times on. */
typedef struct gradyn_onestep_limits {
  double *from, *length; /* [capacity] s; one block: free `from` only */
  int count, capacity;   /* number of limits, 0: none; number with memory */
  int at;                /* index of the limit at the present time */
  int given;             /* number of given steps in `step`; 0: steps are chosen by their error */
  long most; /* a run fails when it is predicted to take more steps; 0: options.max_steps */
} gradyn_onestep_limits;

/* Chooses the steps of the next run. merge > 0: in each arc, every `merge` consecutive steps of the last
 * run are joined, and each of the results is divided into `parts` > 0 equal steps. merge 0, or a model with
 * events: steps are chosen by their error; parts > 0: they are not longer than 1.03/parts of the step of
 * the last run at the same time; parts 0: without this limit. Errors: GRADYN_UNSUPPORTED, the present data
 * have other arcs than the steps; GRADYN_NO_MEMORY. Negative values are not allowed. */
gradyn_status gradyn_onestep_repeat(gradyn_onestep *s, int merge, int parts);

/* Sets *arcs, all zero or set before, to the arcs between knots of signals and, if `instants`, given times
 * of functionals, for the present data. The caller clears *arcs. Errors: GRADYN_NO_MEMORY; GRADYN_INVALID,
 * a time is after the end of the run. */
gradyn_status gradyn_onestep_find_arcs(gradyn_model *model, bool instants, gradyn_arcs *arcs);
/* Sets s->arcs for the next run. Errors: GRADYN_UNSUPPORTED, the given steps belong to another number of
 * arcs; those of gradyn_onestep_find_arcs(). */
gradyn_status gradyn_onestep_fit_arcs(gradyn_onestep *s);

/* Returns the largest step length at time t, both in s; HUGE_VAL: no limit. Within a run t must not
 * decrease; set limits.at = 0 before a run. */
double gradyn_onestep_longest(gradyn_onestep *s, double t);

/* Sets *at to the time, s, and the stage of record k, from 0, which is a sample. The stage is valid until
 * the next call of gradyn_onestep_stages(). The discrete state of the model becomes that of the sample.
 * Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the rates. */
gradyn_status gradyn_onestep_sampled(gradyn_onestep *s, int k, gradyn_sample *at);

/* Reserves memory for steps 0 to k in s->step and for the states at their ends in s->z; both may move. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_onestep_reserve_step(gradyn_onestep *s, int k);

#endif
