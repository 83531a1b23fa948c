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
      rate;     /* rate: used only if a row is loose; otherwise `position` also chooses the rates */
  bool *loose;  /* [m] rows that leave positions free */
  bool divided; /* a row is loose */
  bool chosen;  /* coordinates have been chosen */
  int mode;     /* mode of the choice */
  double *move; /* [n + 1] workspace of gradyn_chart_lift() */
} gradyn_chart;

/* Allocates a chart without coordinates; mech must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY. Failures of this and the following functions set the mechanism's message. */
gradyn_status gradyn_chart_create(gradyn_mech *mech, gradyn_chart *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_chart_clear(gradyn_chart *s);

/* Chooses independent coordinates of `mode`, the present mode, at a state. rank [n]: 2, chosen if the
 * constraints permit it; 1, preferred; 0, neither. Chosen positions of rank 0 get rank 1, in `rank`. loose
 * [m] is copied. After an error the chart serves no call but choose() and clear(). Errors:
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the constraints. */
gradyn_status gradyn_chart_choose(gradyn_chart *s, int mode, const gradyn_mech_state *at,
                                  const bool *loose, int *rank);

/* Evaluates the constraints at another state of the same mode, for the same coordinates. Errors:
 * GRADYN_SINGULAR, the chosen coordinates do not determine the others there; failures of the constraints. */
gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at);

/* Returns the coordinates whose rates are independent. */
static inline const gradyn_independent *gradyn_chart_rates(const gradyn_chart *s)
{
  return s->divided ? &s->rate : &s->position;
}

/* Returns the number of components of a disturbance: independent positions, then independent rates. */
static inline int gradyn_chart_size(const gradyn_chart *s)
{
  return s->position.count + gradyn_chart_rates(s)->count;
}

/* Returns the index in (q, v) [2 n], from 0, of component i = 0, 1, ... of a disturbance. */
static inline int gradyn_chart_index(const gradyn_chart *s, int i)
{
  const int k = i - s->position.count;
  return k < 0 ? s->position.at[i] : s->position.n + gradyn_chart_rates(s)->at[k];
}

/* Computes d [2 n], the change of (q, v) on the constraints for a unit change of component j, from 0, while
 * other components stay 0, at the state of the last successful choose() or move(). */
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

/* Prepares the charts of a mechanism, without requested coordinates. The arrays come from the arena, whose
 * status the caller checks; the model and the arena must outlive *out, which need not be freed. */
void gradyn_charting_create(gradyn_model *model, gradyn_arena *arena, gradyn_charting *out);

/* Requests the coordinates with the names wanted [count], which are not kept. Error: GRADYN_INVALID, no
 * coordinate has one of the names, or a name is NULL. */
gradyn_status gradyn_charting_want(gradyn_charting *s, const char *const *wanted, size_t count);

/* Marks the constraints that an event has latched. Call it after the event with index `event`, from 0, has
 * led from mode `before` to the present mode. */
void gradyn_charting_latch(gradyn_charting *s, int event, int before);

/* Sets s->loose [m] for the present mode: nonholonomic constraints, and latched constraints of this mode.
 * Call it before fits() and choose(). */
void gradyn_charting_loosen(gradyn_charting *s);

/* Moves the chart to a state, and returns whether it serves there: it has been chosen in the present mode,
 * for the present loose rows, and its coordinates determine the others. If not, the mechanism's message may
 * have a reason. */
bool gradyn_charting_fits(const gradyn_charting *s, gradyn_chart *chart,
                          const gradyn_mech_state *at);

/* Chooses the coordinates of a chart in the present mode at a state: requested ones first, then those of
 * earlier charts. Sets s->met if all requested ones are independent. Errors: GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline; failures of the constraints. */
gradyn_status gradyn_charting_choose(gradyn_charting *s, gradyn_chart *chart,
                                     const gradyn_mech_state *at);

/* Checks after a run whether the requested coordinates have been independent together in any chart. Error:
 * GRADYN_INVALID, they never were. */
gradyn_status gradyn_charting_check(const gradyn_charting *s);

#endif
