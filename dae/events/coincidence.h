/* Events that happen at one time. They are crossed one after the other where their order does not matter: in
 * every order the motion has one state and one mode, and functionals have one value. Derivatives exist where
 * they agree as well; docs/theory/events.md, section 5, has the derivation. */
#ifndef GRADYN_DAE_COINCIDENCE_H
#define GRADYN_DAE_COINCIDENCE_H

#include "dae/events/crossing.h"
#include "dae/events/detect.h"

/* Events at one time that are tried in all orders, and directions in which derivatives are compared. */
enum { GRADYN_MOST_TOGETHER = 4, GRADYN_TRIED_DIRECTIONS = 2 };

/* An order of events, each of them one of those that were possible. */
typedef struct gradyn_order {
  int count;
  int event[GRADYN_MOST_TOGETHER];
  int choice[GRADYN_MOST_TOGETHER], choices[GRADYN_MOST_TOGETHER]; /* which of how many */
  double rate[GRADYN_MOST_TOGETHER]; /* of its guard just behind it, below -1: it falls */
} gradyn_order;

/* What an order leads to. Numbers are states, what is captured, functionals, in a row. */
typedef struct gradyn_order_outcome {
  int mode;
  double *value, *scale; /* of functionals: what states make of them */
  double *slope[GRADYN_TRIED_DIRECTIONS], *terms[GRADYN_TRIED_DIRECTIONS]; /* sums of their sizes */
} gradyn_order_outcome;

typedef struct gradyn_coincidence {
  gradyn_detector *watch;
  gradyn_crossing crossing;
  bool ready;                   /* memory for orders has been taken, which few runs need */
  int *event, count, *next;     /* [count] at one time, the one in hand first; room for as many */
  gradyn_order first;           /* in which the run passes them */
  double t;                     /* s */
  const double *start;          /* the state before all of them, */
  gradyn_discrete_state before; /* its scene */
  double *y, *rate;             /* the state in hand; room for as many numbers */
  double *d[GRADYN_TRIED_DIRECTIONS],
      *dx[GRADYN_TRIED_DIRECTIONS]; /* directions before all events */
  double *now[GRADYN_TRIED_DIRECTIONS],
      *now_x[GRADYN_TRIED_DIRECTIONS]; /* the same behind those that have been crossed */
  double *w_y, *dy, *w_x, *g[2], *b;   /* room for what functionals see */
  gradyn_order_outcome outcome[2];     /* of the first order, and of the one in hand */
  int numbers;                         /* of an outcome */
  gradyn_lanes *work;
  gradyn_arena arena;
} gradyn_coincidence;

/* To be cleared in any case; failures have a message in the model. */
gradyn_status gradyn_coincidence_create(gradyn_model *model, gradyn_coincidence *out);
void gradyn_coincidence_clear(gradyn_coincidence *s);

/* An event of the watch at t with the state y before it, in whose scene the model is and stays: s->first is
 * the order in which it is passed with all others at its time. GRADYN_EVENT names two of them if what follows
 * depends on the order. Where derivatives alone depend on it, the log has GRADYN_ORDER_DECIDES. */
gradyn_status gradyn_coincidence_judge(gradyn_coincidence *s, gradyn_detector *watch,
                                       gradyn_impacts *impact, int event, double t,
                                       const double *y);

/* --- pieces, in coincidence_link.c --- */

/* Where functional f stands among the numbers of an outcome. */
static inline int gradyn_coincidence_place(const gradyn_coincidence *s, int f)
{
  return s->numbers - s->watch->model->functional_count + f;
}

/* Crosses an event, the i-th of an order, from the state and the scene in hand to those behind it. */
gradyn_status gradyn_coincidence_cross(gradyn_coincidence *s, int event, int i,
                                       gradyn_order_outcome *out);

#endif
