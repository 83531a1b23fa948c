/* Events that occur at one time.
 *
 * gradyn processes them one after the other if their order does not matter: every order must give the same
 * state, mode and values of functionals. Derivatives exist if every order gives the same derivatives as well.
 * Derivation: docs/theory/events.md, section 5. */
#ifndef GRADYN_DAE_COINCIDENCE_H
#define GRADYN_DAE_COINCIDENCE_H

#include "dae/events/crossing.h"
#include "dae/events/detect.h"

/* Largest number of simultaneous events that are compared in all orders; number of directions in which
 * derivatives are compared. */
enum { GRADYN_MOST_TOGETHER = 4, GRADYN_TRIED_DIRECTIONS = 2 };

/* An order of events. At each position one of the events that were possible there was chosen. */
typedef struct gradyn_order {
  int count;
  int event[GRADYN_MOST_TOGETHER];
  /* index of the chosen event among the possible events; their number */
  int choice[GRADYN_MOST_TOGETHER], choices[GRADYN_MOST_TOGETHER];
  /* rate of its guard just after it, relative to the smallest nonzero rate; below -1 the guard falls */
  double rate[GRADYN_MOST_TOGETHER];
} gradyn_order;

/* Result of processing events in one order. The arrays [numbers] contain states, then latched values, then
 * functionals. */
typedef struct gradyn_order_outcome {
  int mode;
  /* values; of functionals also the sum of |d psi/d y| times the natural sizes of the states */
  double *value, *scale;
  /* derivatives along each direction, and sums of the magnitudes of their terms */
  double *slope[GRADYN_TRIED_DIRECTIONS], *terms[GRADYN_TRIED_DIRECTIONS];
} gradyn_order_outcome;

typedef struct gradyn_coincidence {
  gradyn_detector *watch;
  gradyn_crossing crossing;
  bool states_only; /* functionals do not count; set by the caller before the run */
  bool ready;       /* arrays below are allocated; few runs need them */
  /* [count] simultaneous events, the detected event first; workspace of the same size */
  int *event, count, *next;
  gradyn_order first;           /* order in which the run processes the events */
  double t;                     /* s */
  const double *start;          /* state before all these events, borrowed */
  gradyn_discrete_state before; /* discrete state before all these events */
  double *y, *rate; /* present state of the order being followed; workspace of the same size */
  /* changes of states and of data before all events, one for each direction */
  double *d[GRADYN_TRIED_DIRECTIONS], *dx[GRADYN_TRIED_DIRECTIONS];
  double *now[GRADYN_TRIED_DIRECTIONS],
      *now_x[GRADYN_TRIED_DIRECTIONS]; /* the same changes after the events processed so far */
  double *w_y, *dy, *w_x, *g[2], *b;   /* workspace for derivatives of functionals */
  gradyn_order_outcome outcome[2];     /* of the first order, and of the order being followed */
  int numbers;                         /* length of the arrays in an outcome */
  gradyn_lanes *work;
  gradyn_arena arena;
} gradyn_coincidence;

/* Allocates the lists of events; the model must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY, with a message in the model. */
gradyn_status gradyn_coincidence_create(gradyn_model *model, gradyn_coincidence *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_coincidence_clear(gradyn_coincidence *s);

/* Finds all events at time t, s, of a detected event, its index in the model, by the detector `watch`, and
 * compares the orders of these events. y [all states]: the state before the event, borrowed during the
 * call; the model is in the discrete state there and returns to it. Sets s->first, the order in which the
 * run processes the events. Where only derivatives depend on the order, the log gets GRADYN_ORDER_DECIDES.
 * Errors: GRADYN_EVENT, the motion or a functional depends on the order, or one of the events terminates
 * the run; the message names two of the events; GRADYN_NO_MEMORY; those of guards and impacts. */
gradyn_status gradyn_coincidence_judge(gradyn_coincidence *s, gradyn_detector *watch,
                                       gradyn_impacts *impact, int event, double t,
                                       const double *y);

/* --- one event of an order, in coincidence_link.c --- */

/* Returns the number of functionals that the orders are compared by. */
static inline int gradyn_coincidence_functionals(const gradyn_coincidence *s)
{
  return s->states_only ? 0 : s->watch->model->functional_count;
}

/* Returns the index of functional f, from 0, in the arrays of an outcome. */
static inline int gradyn_coincidence_place(const gradyn_coincidence *s, int f)
{
  return s->numbers - gradyn_coincidence_functionals(s) + f;
}

/* Processes an event, by its index in the model, number i, from 0, of an order: s->y, the discrete state of
 * the model, and the changes s->now, s->now_x become those after the event. The functionals in *out get its
 * contributions. Errors: those of the impact and of the model's functions. */
gradyn_status gradyn_coincidence_cross(gradyn_coincidence *s, int event, int i,
                                       gradyn_order_outcome *out);

#endif
