/* Arcs of a run: the intervals between the times at which a signal, or its derivative, jumps.
 *
 * Inside an arc the equations are smooth in time. Arcs end at knots of signals, times of functionals and
 * events. */
#ifndef GRADYN_DAE_ARCS_H
#define GRADYN_DAE_ARCS_H

#include "core/model/model.h"

/* A boundary between arcs. Unless an event is there, its time is
 *
 *   (1 - fraction) x[start] + fraction x[end];
 *
 * an index of -1 stands for the number 0. At an event, t is the root of the guard. */
typedef struct gradyn_boundary {
  double t; /* s */
  double fraction;
  int start, end; /* indices in the data x, or -1 */
  int transition; /* 1 + index of the event in the run; 0: no event */
  bool jumps;     /* a signal jumps at this time */
  bool instant;   /* only evaluates a functional or ends a step; the equations do not change */
  gradyn_discrete_state discrete; /* of the arc that starts here; set when this arc has been run */
} gradyn_boundary;

/* Arc k extends from boundary[k] to boundary[k + 1]. */
typedef struct gradyn_arcs {
  gradyn_boundary *boundary; /* [count + 1] */
  int count, capacity;
  struct gradyn_timed
      *timed; /* [functionals of the model], workspace of add_instants(); NULL: none yet */
} gradyn_arcs;

/* Returns whether arc k, from 0, has zero length, as between two events at one time. */
static inline bool gradyn_arcs_pause(const gradyn_arcs *arcs, int k)
{
  return arcs->boundary[k + 1].t <= arcs->boundary[k].t;
}

/* Returns whether signals change their pieces at the start of arc k. They do so at knots, but not at events
 * or at times of functionals. */
static inline bool gradyn_arcs_change(const gradyn_arcs *arcs, int k)
{
  const gradyn_boundary *b = &arcs->boundary[k];
  return k > 0 && b->transition == 0 && !b->instant && (b->start >= 0 || b->end >= 0);
}

/* Finds the arcs of a run with the model's present data. `knots` selects the knots at which arcs end: for
 * methods of high order also those knots of splines where only the third derivative jumps. Sets *arcs, all
 * zero before the first call; allocated memory is kept for the next call. Also selects the knots of the
 * model's signals. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_arcs_find(gradyn_model *model, gradyn_knots knots, gradyn_arcs *arcs);

/* Frees the boundaries and sets *arcs to zero; may be repeated. */
void gradyn_arcs_clear(gradyn_arcs *arcs);

/* Adds a boundary at time t, s, after the start of the run, to *arcs, unless a boundary is already there.
 * Steps of a method then end at t. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_arcs_add_time(gradyn_model *model, gradyn_arcs *arcs, double t);

/* Returns the distance in s below which two times of the run are equal: GRADYN_SAME_TIME times the end
 * time. */
double gradyn_arcs_closest(const gradyn_model *model);

/* After gradyn_arcs_find(): adds boundaries to *arcs at the time of each functional that is evaluated at a
 * given time, and at the ends of the window of each maximum. Errors: GRADYN_NO_MEMORY; GRADYN_INVALID, a
 * time is after the end of the run. */
gradyn_status gradyn_arcs_add_instants(gradyn_model *model, gradyn_arcs *arcs);

/* Returns the number of steps of about `length`, s, in arc k, from 0; at least 1. `first`: arcs of the
 * first run. If the boundaries depend on the same data as in the first run, the number is that of the first
 * run, so that it does not jump when boundaries move. */
double gradyn_arcs_steps(const gradyn_arcs *arcs, const gradyn_arcs *first, int k, double length);

/* Sets *meets to whether an event at time t, s, in the arc before boundary k, from 1, of *arcs coincides
 * with this boundary; false if k is the end of the run. event: its index in the model, from 0. The event
 * then replaces the boundary, a knot with a kink or the time of a functional. Error: GRADYN_EVENT, a signal
 * jumps there, or t is the start of the arc, so that the result would depend on the order of the two. */
gradyn_status gradyn_arcs_meet(gradyn_model *model, const gradyn_arcs *arcs, int k, double t,
                               int event, bool *meets);

/* Inserts a copy of *boundary as number k, 0 to count; boundaries from k onwards move up by one. Error:
 * GRADYN_NO_MEMORY; the arcs are then unchanged. */
gradyn_status gradyn_arcs_insert(gradyn_model *model, gradyn_arcs *arcs, int k,
                                 const gradyn_boundary *boundary);

/* Removes boundary k, 0 to count; boundaries after it move down by one. */
void gradyn_arcs_remove(gradyn_arcs *arcs, int k);

/* Enters arc k, from 0, of *arcs: the model then evaluates its signals on the pieces of this arc. Stores
 * the discrete state in boundary k. */
void gradyn_arcs_enter(gradyn_model *model, gradyn_arcs *arcs, int k);

/* Returns the change of a boundary's time, s, for a change dx [nx] of the data; 0 if start and end are -1,
 * as at events. */
double gradyn_boundary_tangent(const gradyn_boundary *b, const double *dx);

/* Adds t_bar times the derivative of a boundary's time by the data to x_bar [nx]; nothing if start and end
 * are -1. */
void gradyn_boundary_transposed(const gradyn_boundary *b, double t_bar, double *x_bar);

/* Returns whether the time of any boundary depends on the data that active [nx] marks. */
bool gradyn_arcs_move(const gradyn_arcs *arcs, const bool *active);

#endif
