/* What the states of a run become along given directions, at fixed times, as a direct sweep passes
 * by: trajectories of derivatives beside that of the states. */
#ifndef GRADYN_ADJOINT_TANGENTS_H
#define GRADYN_ADJOINT_TANGENTS_H

#include "dae/start/initial.h"
#include "dae/trajectory.h"

typedef struct gradyn_tangents {
  gradyn_model *model;
  int count;                  /* directions */
  gradyn_trajectory *states;  /* borrowed */
  gradyn_trajectory **column; /* [count] derivatives along each */
  double *dy, *dyp;           /* [ny] of the direction in hand */
  gradyn_initial force;       /* of mechanisms: the equations of motion */
  double *yp;                 /* [ny] rates (v, a, a', lam') of the node in hand, */
  bool known;                 /* once a direction has asked for them */
  const double
      *time; /* [times] s, ascending, borrowed: nobody looks at nodes of other times; NULL: */
  size_t times, next; /* all nodes are looked at. The next time that is to come */
  gradyn_arena arena; /* of all arrays */
} gradyn_tangents;

/* To be cleared in any case. states is the caller's. */
gradyn_status gradyn_tangents_create(gradyn_model *model, int count, gradyn_trajectory *states,
                                     gradyn_tangents *out);
void gradyn_tangents_clear(gradyn_tangents *s);

/* Before a sweep: forgets what another one has left. */
gradyn_status gradyn_tangents_begin(gradyn_tangents *s);

/* Whether a node at t, or as near it as that, is looked at; and the time, before t and no nearer than that,
 * of a node that is to be made because somebody looks there. NAN: there is none. */
bool gradyn_tangents_look(const gradyn_tangents *s, double t, double near);
double gradyn_tangents_before(const gradyn_tangents *s, double t, double near);

/* A node at t with y [ny] and, for general equations, its rates yp (otherwise NULL); and then of each
 * direction in turn dy, and dyp likewise. */
gradyn_status gradyn_tangents_node(gradyn_tangents *s, double t, const double *y, const double *yp);
gradyn_status gradyn_tangents_add(gradyn_tangents *s, int direction, const double *dy,
                                  const double *dyp);

/* The same where the node of a mechanism itself moves by dt, with y as the node has it: at a fixed time
 * states change by dy - y' dt, accelerations and multipliers too, with the rates that the equations of motion
 * give them. */
gradyn_status gradyn_tangents_add_moving(gradyn_tangents *s, int direction, const double *dy,
                                         const double *y, double dt);

#endif
