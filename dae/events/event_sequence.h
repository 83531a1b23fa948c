/* The events of a run: detection, impact, and the data of each event that derivatives need.
 *
 * A method finds an event and evaluates the state before it; begin() checks this event. The impact leads to
 * the state after the event, which the method completes. Then end() enters the event in the log. */
#ifndef GRADYN_DAE_EVENT_SEQUENCE_H
#define GRADYN_DAE_EVENT_SEQUENCE_H

#include "dae/events/arcs.h"
#include "dae/events/coincidence.h"
#include "dae/events/detect.h"

/* An event of the present run. The method defines how much of each state is stored. */
typedef struct gradyn_passed_event {
  gradyn_event_record record;
  int number;                        /* number among all events of the run, from 1 */
  gradyn_discrete_state discrete[2]; /* before and after the event */
  double *y[2];  /* state before and after; positions and velocities come first */
  double *yp[2]; /* rates before and after */
  double *g[2];  /* integrands before and after */
} gradyn_passed_event;

typedef struct gradyn_event_sequence {
  gradyn_detector watch;
  gradyn_impacts impact;
  gradyn_passed_event *item; /* [watch.happened], and the present event */
  int capacity;              /* number of entries for which `item` has memory */
  int next;                  /* detected event that is not yet processed; -1: none */
  gradyn_coincidence coincidence;
  int passed;     /* number of events of coincidence.first processed at the present time */
  size_t kept[6]; /* lengths of y[0], y[1], yp[0], yp[1], g[0], g[1] */
} gradyn_event_sequence;

/* Allocates the sequence. tolerance: relative tolerance of the states; 0 for runs with fixed steps. kept:
 * lengths of the stored arrays, as in gradyn_event_sequence, copied. A model without events gets no impact.
 * The model must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, with a message in the
 * model, or failures of the equations. */
gradyn_status gradyn_event_sequence_create(gradyn_model *model, double tolerance,
                                           const size_t kept[6], gradyn_event_sequence *out);

/* Frees the members with all stored events, not the object; may be repeated. */
void gradyn_event_sequence_clear(gradyn_event_sequence *s);

/* Returns the event at the boundary *b of the present run; NULL: no event is there. Valid until the next
 * begin(). */
static inline gradyn_passed_event *gradyn_event_sequence_at(const gradyn_event_sequence *s,
                                                            const gradyn_boundary *b)
{
  return b->transition > 0 ? &s->item[b->transition - 1] : NULL;
}

/* Ends the arc before boundary k, from 1, at the time t, s, of an event, in the present discrete state.
 * event: its index in the model, from 0. Inserts a boundary k, with replaced->t = 0; or replaces boundary k
 * if the event coincides with it, and copies the old one to *replaced. A functional at a replaced boundary is
 * evaluated before the event. Errors are those of gradyn_arcs_meet() and gradyn_arcs_insert(). */
gradyn_status gradyn_event_sequence_end_arc(const gradyn_event_sequence *s, gradyn_arcs *arcs,
                                            int k, double t, int event, gradyn_boundary *replaced);

/* Begins the processing of an event, by its index in the model, at t, s, with the state y before it. *now:
 * its entry, with record and discrete state, valid until the next begin(). Errors: GRADYN_EVENT, the event is
 * not well defined; GRADYN_STEP_LIMIT, too many events; GRADYN_NO_MEMORY; failures of users' functions. */
gradyn_status gradyn_event_sequence_begin(gradyn_event_sequence *s, int event, double t,
                                          const double *y, gradyn_passed_event **now);
/* Returns the index in the model of the next event that occurs at the same time as the event processed last;
 * -1: none. */
static inline int gradyn_event_sequence_waiting(const gradyn_event_sequence *s)
{
  const gradyn_order *order = &s->coincidence.first;
  return s->passed < order->count ? order->event[s->passed] : -1;
}

/* After the event at boundary k of *arcs: sets s->next to the waiting event, or -1. A waiting event gets
 * boundary k + 1, after an arc of zero length. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_event_sequence_pause(gradyn_event_sequence *s, gradyn_arcs *arcs, int k);

/* Ends the processing of an event, after its impact and in the discrete state after it. Appends now->record
 * to the log and copies the logged record back; then calls gradyn_detector_cross(). Errors are those of the
 * log and of the guards. */
gradyn_status gradyn_event_sequence_end(gradyn_event_sequence *s, gradyn_passed_event *now);

#endif
