/* Coordinates of disturbances in one mode of a mechanism: independent positions, then independent rates.
 * Constraints are those of the mode; one that holds what an event has captured ties rates alone, since who
 * comes elsewhere is held there, so that there may be fewer rates than positions. */
#ifndef GRADYN_ADJOINT_CHART_H
#define GRADYN_ADJOINT_CHART_H

#include "core/linear/arena.h"
#include "core/model/model.h"
#include "dae/start/independent.h"

typedef struct gradyn_chart {
  gradyn_independent place, rate; /* rate: only if some row is loose, otherwise place serves both */
  bool *loose;                    /* [m] rows that leave positions free */
  bool divided;                   /* some row is */
  bool chosen;                    /* coordinates have been chosen, */
  int mode;                       /* in this mode */
  double *move;                   /* [n + 1] of positions or rates, for gradyn_chart_lift() */
} gradyn_chart;

/* To be cleared in any case; failures have a message in the mechanism. */
gradyn_status gradyn_chart_create(gradyn_mech *mech, gradyn_chart *out);
void gradyn_chart_clear(gradyn_chart *s);

/* Chooses coordinates of a mode at a state: of those of rank 2 as many as can be independent, of rank 1 as
 * many as can well be. rank [n]: those that are have rank 1 at least from then on. loose [m]. */
gradyn_status gradyn_chart_choose(gradyn_chart *s, int mode, const gradyn_mech_state *at,
                                  const bool *loose, int *rank);

/* Takes the constraints at another state. GRADYN_SINGULAR: there its coordinates do not determine the
 * others. */
gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at);

/* The coordinates whose rates are independent. */
static inline const gradyn_independent *gradyn_chart_rates(const gradyn_chart *s)
{
  return s->divided ? &s->rate : &s->place;
}

/* Numbers of a disturbance. */
static inline int gradyn_chart_size(const gradyn_chart *s)
{
  return s->place.count + gradyn_chart_rates(s)->count;
}

/* Place of number i among (q, v). */
static inline int gradyn_chart_place(const gradyn_chart *s, int i)
{
  const int k = i - s->place.count;
  return k < 0 ? s->place.at[i] : s->place.n + gradyn_chart_rates(s)->at[k];
}

/* d [2 n] of (q, v) where number j of a disturbance is one and all others are zero. */
void gradyn_chart_lift(gradyn_chart *s, int j, double *d);

/* The coordinate of a name; -1: there is none. */
int gradyn_coordinate_find(const gradyn_model *model, const char *wanted);

/* What the charts of a run have in common: coordinates that the caller wants, and rows that leave
 * positions free since they hold what an event has captured. */
typedef struct gradyn_charting {
  gradyn_model *model;
  bool *wanted;   /* [n] */
  int *rank;      /* [n] 2: wanted, 1: independent in some chart, 0: neither */
  bool met;       /* all that are wanted have been independent in some chart */
  bool *captured; /* [captures of the model] by an event up to the place in hand */
  bool *loose;    /* [m] rows of the present mode that leave positions free there */
} gradyn_charting;

/* For mechanisms; memory of the arena, whose failure is the caller's to tell. */
void gradyn_charting_create(gradyn_model *model, gradyn_arena *arena, gradyn_charting *out);

/* Marks the coordinates that are wanted. GRADYN_INVALID: there is none of that name. */
gradyn_status gradyn_charting_want(gradyn_charting *s, const char *const *wanted, size_t count);

/* An event has led from mode `before` to the present one; what it captures. */
void gradyn_charting_pass(gradyn_charting *s, int event, int before);

/* Finds the rows that are loose in the present mode. */
void gradyn_charting_loosen(gradyn_charting *s);

/* Whether a chart is one of the present mode, and determines the other coordinates at a state. */
bool gradyn_charting_fits(const gradyn_charting *s, gradyn_chart *chart,
                          const gradyn_mech_state *at);

/* Chooses the coordinates of a chart of the present mode at a state, with those that are wanted. */
gradyn_status gradyn_charting_choose(gradyn_charting *s, gradyn_chart *chart,
                                     const gradyn_mech_state *at);

/* GRADYN_INVALID: in no chart all that is wanted has been independent. */
gradyn_status gradyn_charting_judge(const gradyn_charting *s);

#endif
