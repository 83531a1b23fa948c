/* The events that a run passes: guards that are watched, the impact, and what is kept of each event for
 * derivatives. A method finds the event and evaluates the state before it, which begin() judges; the impact
 * leads from there to the scene behind, where the method makes a state of its own, and end() enters all of it
 * in the log. */
#ifndef GRADYN_DAE_EVENT_SEQUENCE_H
#define GRADYN_DAE_EVENT_SEQUENCE_H

#include "dae/events/arcs.h"
#include "dae/events/coincidence.h"
#include "dae/events/detect.h"

/* An event of the present run; of each state before and behind it a method says how much it keeps. */
typedef struct gradyn_passed_event {
  gradyn_event_record record;
  int number;                        /* among all events of the run, from 1 on */
  gradyn_discrete_state discrete[2]; /* before and behind */
  double *y[2];                      /* what it reads, and begins with, */
  double *yp[2];                     /* rates, */
  double *g[2];                      /* integrands */
} gradyn_passed_event;

typedef struct gradyn_event_sequence {
  gradyn_detector watch;
  gradyn_impacts impact;
  gradyn_passed_event *item; /* [watch.happened], and the one in hand */
  int capacity;              /* passages that memory was taken for */
  int next;                  /* the event that has been found and not passed; -1: none */
  gradyn_coincidence coincidence;
  int passed;     /* events of coincidence.first that have been passed at the present time */
  size_t kept[6]; /* numbers of y, yp and g on either side */
} gradyn_event_sequence;

/* For states of that relative tolerance, of discrete runs 0; without events there is no impact. To be cleared
 * in any case; failures have a message in the model. */
gradyn_status gradyn_event_sequence_create(gradyn_model *model, double tolerance,
                                           const size_t kept[6], gradyn_event_sequence *out);
void gradyn_event_sequence_clear(gradyn_event_sequence *s);

/* The event that ends at a boundary; NULL: there is none. */
static inline gradyn_passed_event *gradyn_event_sequence_at(const gradyn_event_sequence *s,
                                                            const gradyn_boundary *b)
{
  return b->transition > 0 ? &s->item[b->transition - 1] : NULL;
}

/* Ends the arc before boundary k at an event at t, the next one to be passed, in the scene in force: a
 * boundary comes in, or takes the place of the one that is there, which goes to *replaced (otherwise its
 * time is 0): the instant of a functional is then taken before the event. */
gradyn_status gradyn_event_sequence_end_arc(const gradyn_event_sequence *s, gradyn_arcs *arcs,
                                            int k, double t, int event, gradyn_boundary *replaced);

/* An event at t with y before it: a passage with its record and scene, unless it has no definite course. */
gradyn_status gradyn_event_sequence_begin(gradyn_event_sequence *s, int event, double t,
                                          const double *y, gradyn_passed_event **now);
/* The next one that happens at the same time as the event passed last. -1: there is none. */
static inline int gradyn_event_sequence_waiting(const gradyn_event_sequence *s)
{
  const gradyn_order *order = &s->coincidence.first;
  return s->passed < order->count ? order->event[s->passed] : -1;
}

/* Has it begin an arc of no length behind boundary k, at which the last one was passed: its own boundary is
 * k + 1. */
gradyn_status gradyn_event_sequence_pause(const gradyn_event_sequence *s, gradyn_arcs *arcs, int k);

/* Behind its impact, in the scene there: the passage is entered in the log, whose record it has then, and
 * guards know of it. */
gradyn_status gradyn_event_sequence_end(gradyn_event_sequence *s, gradyn_passed_event *now);

#endif
