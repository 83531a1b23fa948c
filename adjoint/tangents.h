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
  double *dy, *dyp;           /* [ny] of the present direction */
  gradyn_initial force;       /* of mechanisms: the equations of motion */
  double *yp;                 /* [ny] rates (v, a, a', lam') of the present node */
  bool known;                 /* yp has been computed for this node */
  const double
      /* [times] s, ascending, borrowed: only nodes at these times are recorded; NULL: all nodes */
      *time;
  size_t times, next; /* number of times; index of the next one */
  gradyn_arena arena; /* owns all arrays */
} gradyn_tangents;

/* Allocates count directions; states belongs to the caller. Clear in any case. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tangents_create(gradyn_model *model, int count, gradyn_trajectory *states,
                                     gradyn_tangents *out);
void gradyn_tangents_clear(gradyn_tangents *s);

/* Prepares a sweep: clears the trajectories. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_tangents_begin(gradyn_tangents *s);

/* look(): returns whether a node at t, s, is recorded, within the distance `near`. before(): returns the
 * requested time before t - near at which a node is still needed; NAN: none. */
bool gradyn_tangents_look(const gradyn_tangents *s, double t, double near);
double gradyn_tangents_before(const gradyn_tangents *s, double t, double near);

/* node(): records a node at t with y [ny] and, for general equations, its rates yp, otherwise NULL. add():
 * then records dy, and dyp in the same way, for each direction in turn. Errors: GRADYN_NO_MEMORY; failures of
 * outputs. */
gradyn_status gradyn_tangents_node(gradyn_tangents *s, double t, const double *y, const double *yp);
gradyn_status gradyn_tangents_add(gradyn_tangents *s, int direction, const double *dy,
                                  const double *dyp);

/* The same where the node of a mechanism moves by dt, with y at the node. At a fixed time, states change by
 * dy - y' dt, including accelerations and multipliers, with rates from the equations of motion. Errors as
 * above, and those of the equations. */
gradyn_status gradyn_tangents_add_moving(gradyn_tangents *s, int direction, const double *dy,
                                         const double *y, double dt);

#endif
