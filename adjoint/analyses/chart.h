/* Coordinates of disturbances in one mode of a mechanism: independent positions, then independent rates, by
 * the constraints of the mode. Two kinds of rows restrict rates only: nonholonomic constraints, and
 * constraints that keep a value latched by an event, since this value depends on the state at the event.
 * Such rows are called loose. So there may be fewer rates than positions. */
#ifndef GRADYN_ADJOINT_CHART_H
#define GRADYN_ADJOINT_CHART_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include "dae/start/independent.h"

typedef struct gradyn_chart {
  gradyn_independent position,
      rate;     /* rate: only if a row is loose, otherwise position serves for both */
  bool *loose;  /* [m] rows that leave positions free */
  bool divided; /* a row is loose */
  bool chosen;  /* coordinates have been chosen */
  int mode;     /* mode of the choice */
  double *move; /* [n + 1] workspace of gradyn_chart_lift() */
} gradyn_chart;

/* Clear the chart in any case. Failures here and below set the mechanism's message. Error of create():
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_chart_create(gradyn_mech *mech, gradyn_chart *out);
void gradyn_chart_clear(gradyn_chart *s);

/* Chooses independent coordinates of a mode at a state. Coordinates of rank [n] 2 are chosen whenever they
 * can be independent; those of rank 1 are preferred. Chosen positions get rank 1 at least. loose [m] is
 * copied. Errors: the deadline; failures of the constraints. */
gradyn_status gradyn_chart_choose(gradyn_chart *s, int mode, const gradyn_mech_state *at,
                                  const bool *loose, int *rank);

/* Evaluates the constraints at another state. GRADYN_SINGULAR: the coordinates do not determine the others
 * there. */
gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at);

/* Returns the coordinates with independent rates. */
static inline const gradyn_independent *gradyn_chart_rates(const gradyn_chart *s)
{
  return s->divided ? &s->rate : &s->position;
}

/* Returns the size of a disturbance. */
static inline int gradyn_chart_size(const gradyn_chart *s)
{
  return s->position.count + gradyn_chart_rates(s)->count;
}

/* Returns the index in (q, v) of component i. */
static inline int gradyn_chart_place(const gradyn_chart *s, int i)
{
  const int k = i - s->position.count;
  return k < 0 ? s->position.at[i] : s->position.n + gradyn_chart_rates(s)->at[k];
}

/* Sets d [2 n], the disturbance of (q, v) for the unit disturbance j, at the state of the last choose() or
 * move(). */
void gradyn_chart_lift(gradyn_chart *s, int j, double *d);

/* Returns the coordinate of a mechanism with the name `wanted`, such as "2.x", as an index of q; -1: there
 * is none, or `wanted` is NULL. */
int gradyn_coordinate_find(const gradyn_model *model, const char *wanted);

/* Data shared by the charts of a run: requested coordinates, and rows that leave positions free. */
typedef struct gradyn_charting {
  gradyn_model *model;
  bool *wanted;   /* [n] */
  int *rank;      /* [n] 2: requested, 1: independent in an earlier chart, 0: neither */
  bool met;       /* all requested coordinates have been independent in a chart */
  bool *captured; /* [captures of the model] latched by an event up to the present time */
  bool *loose;    /* [m] rows of the present mode that leave positions free */
} gradyn_charting;

/* For mechanisms. Takes memory of the arena; the caller checks the arena's status. */
void gradyn_charting_create(gradyn_model *model, gradyn_arena *arena, gradyn_charting *out);

/* Marks the coordinates with the names wanted [count]. GRADYN_INVALID: no coordinate has that name. */
gradyn_status gradyn_charting_want(gradyn_charting *s, const char *const *wanted, size_t count);

/* Marks the constraints latched by an event that has led from mode `before` to the present mode. */
void gradyn_charting_pass(gradyn_charting *s, int event, int before);

/* Sets loose [m] for the present mode and the latched constraints. */
void gradyn_charting_loosen(gradyn_charting *s);

/* Returns whether a chart belongs to the present mode and loose rows, and is regular at a state, to which it
 * is moved. If not, the mechanism's message may have a reason. */
bool gradyn_charting_fits(const gradyn_charting *s, gradyn_chart *chart,
                          const gradyn_mech_state *at);

/* Chooses the coordinates of a chart in the present mode at a state, the requested ones first. Errors: those
 * of gradyn_chart_choose(). */
gradyn_status gradyn_charting_choose(gradyn_charting *s, gradyn_chart *chart,
                                     const gradyn_mech_state *at);

/* GRADYN_INVALID: in no chart were all requested coordinates independent. */
gradyn_status gradyn_charting_judge(const gradyn_charting *s);

#endif
