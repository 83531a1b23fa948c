/* A run as a list of records in order of time: steps or whole arcs, jumps and samples. Sweeps of derivatives
 * read it in both directions. Records and the items that they refer to keep their numbers. */
#ifndef GRADYN_DAE_TAPE_H
#define GRADYN_DAE_TAPE_H

#include "dae/events/event_sequence.h"

/* A step is one of a scheme; an arc is integrated as a whole, from one boundary to the next. At a jump an
 * event changes the state. At a sample functionals are evaluated. */
typedef enum gradyn_tape_kind {
  GRADYN_TAPE_STEP,
  GRADYN_TAPE_ARC,
  GRADYN_TAPE_JUMP,
  GRADYN_TAPE_SAMPLE
} gradyn_tape_kind;

/* What determines the length of a step when the boundaries of its arc move: the length stays a constant
 * share of the arc; stays constant; or the step ends at the end of the arc or at an event. */
typedef enum gradyn_length_law {
  GRADYN_LENGTH_SHARE,
  GRADYN_LENGTH_GIVEN,
  GRADYN_LENGTH_REST,
  GRADYN_LENGTH_EVENT
} gradyn_length_law;

typedef struct gradyn_tape_record {
  gradyn_tape_kind kind;
  int item;         /* index of the step, of the arc, or of the boundary of a jump or sample */
  int first, count; /* of a sample: its functionals in gradyn_tape::listed */
} gradyn_tape_record;

/* A functional with a terminal part, and the number of boundaries between its planned sample and the end of
 * the run. */
typedef struct gradyn_tape_plan {
  int due, functional;
} gradyn_tape_plan;

typedef struct gradyn_tape {
  gradyn_model *model;        /* borrowed */
  gradyn_tape_record *record; /* [count] */
  int count, capacity;
  bool unread;  /* nothing is sampled: the caller reads the states alone */
  int *due;     /* [nf] number of boundaries between the planned sample and the end of the run */
  int *sampled; /* [nf] index of the record of its sample; -1: not sampled yet */
  /* [plans] by `due`, then by functionals: a boundary finds its own without a loop over all */
  gradyn_tape_plan *plan;
  int plans;
  /* [nf] functionals in the order of their samples; then those that are due at a point */
  int *listed;
  int listed_count;
} gradyn_tape;

/* A point of the run where functionals may be sampled: the state at a boundary of arcs, from 0, before or
 * after the event there. Functionals at the start of the run are sampled after boundary 0. */
typedef struct gradyn_sample_point {
  int boundary;
  bool after;
  const gradyn_passed_event *event; /* at this boundary; NULL: none */
  const double *y;                  /* [ny] the state */
} gradyn_sample_point;

/* Allocates an empty list. The model must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tape_create(gradyn_model *model, gradyn_tape *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_tape_clear(gradyn_tape *s);

/* Empties the list of records, and plans at which boundaries of these arcs functionals are sampled. */
void gradyn_tape_begin(gradyn_tape *s, const gradyn_arcs *arcs);

/* Provides memory for at least `capacity` records. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tape_reserve(gradyn_tape *s, int capacity);

/* Appends a record of this kind; item: index of the step, the arc or the boundary, as in
 * gradyn_tape_record. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tape_append(gradyn_tape *s, gradyn_tape_kind kind, int item);

/* Evaluates the terminal parts of the functionals that are sampled at a point of a run with these arcs, and
 * adds them to inner [nf]. Appends a record if there are any. Errors: GRADYN_NO_MEMORY; those of the
 * functionals. */
gradyn_status gradyn_tape_sample(gradyn_tape *s, const gradyn_arcs *arcs,
                                 const gradyn_sample_point *at, double *inner);

/* Sets *list to the functionals, from 0 and ascending, that will be sampled at a point; returns their
 * number. The list is valid until the next call of a function of the tape. */
int gradyn_tape_due(gradyn_tape *s, const gradyn_arcs *arcs, const gradyn_sample_point *at,
                    const int **list);

/* Sets *list to the functionals of record k, from 0, ascending; returns their number, 0 unless it is a
 * sample. The list belongs to the tape. */
int gradyn_tape_sampled(const gradyn_tape *s, int k, const int **list);

/* Returns whether record k of the run, from 0, samples a functional that is not skipped. */
bool gradyn_tape_sample_counts(const gradyn_tape *s, int k);

/* After the jump of the event `now` at a boundary of *arcs, in the discrete state after it: enters the
 * event of *events in the log. Adds its impulse, N s, to those inner [nf] whose functionals measure the
 * impulse of this event. inner has the integrals and end values of functionals before their outer
 * functions. If the motion ends with it, the boundary becomes the last one, and sampled constraints at
 * later times are sampled there. Errors: those of gradyn_event_sequence_end(). */
gradyn_status gradyn_tape_cross(gradyn_tape *s, gradyn_event_sequence *events, gradyn_arcs *arcs,
                                int boundary, gradyn_passed_event *now, double *inner);

/* Computes psi [nf] from inner [nf] at the end of a run with these arcs; psi NULL: only checks. Errors:
 * GRADYN_NON_FINITE, psi is then incomplete; GRADYN_EVENT, an event with a requested number did not
 * occur. */
gradyn_status gradyn_tape_values(const gradyn_tape *s, const gradyn_arcs *arcs, const double *inner,
                                 double *psi);

#endif
