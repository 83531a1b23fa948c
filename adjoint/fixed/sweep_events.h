/* Sweeps through the events and boundaries of a march with fixed steps: how times move, jumps, and
 * steps whose length theta is what makes a guard zero (dae/events/instant.h): s_e = S(s, theta, t), and the
 * rate is that of the discrete step, not of the motion. */
#ifndef GRADYN_ADJOINT_SWEEP_EVENTS_H
#define GRADYN_ADJOINT_SWEEP_EVENTS_H

#include "adjoint/fixed/sweeps.h"
#include "dae/events/instant.h"
#include "dae/fixed/events.h"

struct gradyn_sweep_events {
  double *point_t;         /* [nf] what a point of the run owes to its time */
  double *node_bar;        /* [nf] bars of the time of the node in hand */
  double *step_h, *step_t; /* [nf] bars of a step's length and of its end, at a fixed length */
  double *g;               /* [2][nf] integrands at both ends of a step */
  double *r_s, *r_x;       /* [ns], [nx] derivatives of a guard, */
  gradyn_root root;        /* made of them */
  double *S;               /* [ns] S_theta */
  double *boundary;        /* [boundaries][directions or nf] moves of the arcs' ends, or bars */
  size_t boundary_room;
  double *dy, *yp;    /* [ny], [2 n] */
  gradyn_lanes *lane; /* [ns + nx] */
  gradyn_arena arena; /* of all arrays but `boundary` */
};

gradyn_status gradyn_sweep_events_create(gradyn_sweeps *s);
void gradyn_sweep_events_free(gradyn_sweep_events *e);

static inline gradyn_step_end gradyn_sweep_step(const gradyn_sweeps *s, int k)
{
  return s->march->events->step[k];
}

/* Whether step k is a jump, of no length. */
static inline bool gradyn_sweep_jumps(const gradyn_sweeps *s, int k)
{
  return s->events && gradyn_sweep_step(s, k).kind == GRADYN_STEP_JUMP;
}

/* After a march: room for `width` directions or functionals at each boundary, with zeros. */
gradyn_status gradyn_sweep_events_begin(gradyn_sweeps *s, int width);
/* The boundary that functional f is taken at if it has an instant, which does not move for it; -1: none. */
int gradyn_sweep_held_boundary(const gradyn_sweeps *s, int f);
/* The direction of those held in which that boundary moves alone, without events the end time; -1: none. */
int gradyn_sweep_held_direction(const gradyn_sweeps *s, int f);
/* How the boundaries move in all directions; and x_bar [nx] += what the bars of functional f at them
 * mean. */
void gradyn_sweep_boundaries_along(gradyn_sweeps *s);
void gradyn_sweep_boundaries_against(const gradyn_sweeps *s, int f, double *x_bar);

/* r_s, r_x, r_t at the end of step k, node `to`, if an event is there; before its linearise(). */
gradyn_status gradyn_sweep_guard(gradyn_sweeps *s, int k, const double *to);

/* --- along: dt [directions] is that of the node in hand ----------------------------------------- */

/* The tangent of step k, linearised: ds, dh and dt. */
gradyn_status gradyn_sweep_step_along(gradyn_sweeps *s, int k, const double *to);
/* gradient += what integrals owe to the length of step k; y: its quadrature point, or NULL. */
gradyn_status gradyn_sweep_lengths_along(gradyn_sweeps *s, int k, const double *from,
                                         const double *to, const double *y, double *gradient);
gradyn_status gradyn_sweep_jump_along(gradyn_sweeps *s, int k, const double *from,
                                      double *gradient);

/* --- against: node_bar is that of the node in hand ---------------------------------------------- */

/* step_h += what integrals owe to the length of step k. */
gradyn_status gradyn_sweep_lengths_against(gradyn_sweeps *s, int k, const double *from,
                                           const double *to, const double *y);
/* The step k, linearised, transposed. */
gradyn_status gradyn_sweep_step_against(gradyn_sweeps *s, int k, const double *to, double *x_bar);
gradyn_status gradyn_sweep_jump_against(gradyn_sweeps *s, int k, const double *from, double *x_bar);

#endif
