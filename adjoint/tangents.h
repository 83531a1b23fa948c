/* Derivatives of the states of a run along given directions, at fixed times, from a direct sweep:
 * trajectories of derivatives next to that of the states. */
#ifndef GRADYN_ADJOINT_TANGENTS_H
#define GRADYN_ADJOINT_TANGENTS_H

#include "dae/start/initial.h"
#include "dae/trajectory.h"

typedef struct gradyn_tangents {
  gradyn_model *model;
  int count;                  /* number of directions */
  gradyn_trajectory *states;  /* borrowed */
  gradyn_trajectory **column; /* [count] derivatives along each */
  double *dy, *dyp;           /* [ny] derivatives along the present direction */
  gradyn_initial force;       /* mechanisms: the equations of motion */
  double *yp;                 /* [ny] rates (v, a, a', lam') of the present node */
  bool known;                 /* yp has been computed for this node */
  const double
      /* [times] s, ascending, borrowed: only nodes at these times are recorded; NULL: all nodes */
      *time;
  size_t times, next; /* number of times; index of the next one */
  gradyn_arena arena; /* owns all arrays */
} gradyn_tangents;

/* Allocates one trajectory of derivatives for each of count directions. `states` belongs to the caller;
 * `states` and the model must outlive the tangents. Clear *out in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tangents_create(gradyn_model *model, int count, gradyn_trajectory *states,
                                     gradyn_tangents *out);

/* Frees the members and the trajectories of derivatives, not the object nor `states`; may be repeated. */
void gradyn_tangents_clear(gradyn_tangents *s);

/* Prepares a sweep: empties `states` and all columns, and begins again with the first time. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_tangents_begin(gradyn_tangents *s);

/* Returns whether the node at time t, s, must be recorded: no times are requested, or the next requested
 * time is at most `near` s away from t. */
bool gradyn_tangents_wants(const gradyn_tangents *s, double t, double near);
/* Returns the next requested time, s, if it is earlier than t - near, so that the sweep needs a node there.
 * NAN: none. */
double gradyn_tangents_before(const gradyn_tangents *s, double t, double near);

/* Records the states y [ny] of a node at t, s. yp [ny]: their rates for general equations; NULL for
 * mechanisms. Errors: GRADYN_NO_MEMORY; failures of outputs. */
gradyn_status gradyn_tangents_node(gradyn_tangents *s, double t, const double *y, const double *yp);
/* Records the derivatives dy [ny] of the last node along direction 0, 1, ..., count - 1, each once. dyp [ny]:
 * derivatives of the rates for general equations; NULL for mechanisms. Errors: GRADYN_NO_MEMORY; failures of
 * outputs. */
gradyn_status gradyn_tangents_add(gradyn_tangents *s, int direction, const double *dy,
                                  const double *dyp);

/* Records derivatives as gradyn_tangents_add(), for a node of a mechanism whose time changes by dt, s,
 * along the direction. dy [ny] is the change at the node, y [ny] the state there. At a fixed time the
 * states, accelerations and multipliers included, change by dy - y' dt; y' follows from the equations of
 * motion. Errors: GRADYN_NO_MEMORY; failures of outputs and of the equations. */
gradyn_status gradyn_tangents_add_moving(gradyn_tangents *s, int direction, const double *dy,
                                         const double *y, double dt);

#endif
