/* Coordinates of disturbances in one mode of a mechanism: independent positions, then independent rates.
 * Constraints are those of the mode; one that holds what an event has captured ties rates alone, since who
 * comes elsewhere is held there, so that there may be fewer rates than positions. */
#ifndef GRADYN_ADJOINT_CHART_H
#define GRADYN_ADJOINT_CHART_H

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

/* Whether its coordinates belong to a mode with these rows loose. */
bool gradyn_chart_fits(const gradyn_chart *s, int mode, const bool *loose);

/* Takes the constraints at another state. GRADYN_SINGULAR: there its coordinates do not determine the
 * others. */
gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at);

/* Whether all positions that are marked [n] are independent. */
bool gradyn_chart_has(const gradyn_chart *s, const bool *marked);

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

/* Notes in captured [captures of the model] what an event captures that has led from mode `before` to that
 * of the model. */
void gradyn_captured_note(const gradyn_model *model, int event, int before, bool *captured);

/* Which rows hold something captured in the present mode: loose [m]. */
void gradyn_captured_loosen(const gradyn_model *model, const bool *captured, bool *loose);

#endif
