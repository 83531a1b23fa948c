/* Sweeps through the events and boundaries of a run with fixed steps: derivatives of times, jumps, and
 * steps whose length theta makes a guard zero (dae/events/instant.h): s_e = S(s, theta, t). The rate
 * S_theta is that of the discrete step, not of the motion. */
#ifndef GRADYN_ADJOINT_SWEEP_EVENTS_H
#define GRADYN_ADJOINT_SWEEP_EVENTS_H

#include "adjoint/fixed/sweeps.h"
#include "dae/fixed/events.h"

/* After a run: allocates and clears s->times.boundary, with `width` directions or functionals for each
 * boundary. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_sweep_events_begin(gradyn_sweeps *s, int width);
/* Returns the boundary, from 0, at whose fixed time functional f is sampled; -1: f has no such time. */
int gradyn_sweep_held_boundary(const gradyn_sweeps *s, int f);
/* Returns the direction in which the boundary of gradyn_sweep_held_boundary() moves alone; -1: none, or data
 * do not move it. This direction, one of the last s->held, corrects functional f for the motion of the node
 * of f. */
int gradyn_sweep_held_direction(const gradyn_sweeps *s, int f);
/* Returns the number of functionals with such a direction. */
int gradyn_sweep_count_held(const gradyn_sweeps *s);
/* Computes the derivatives of all boundary times by the directions s->dx, to s->times.boundary. Returns
 * whether any is not zero. */
bool gradyn_sweep_boundaries_along(gradyn_sweeps *s);
/* Adds to x_bar [nx] the products of the adjoints of boundary times for functional f with their derivatives
 * by data; the boundary at the fixed time of f does not count. */
void gradyn_sweep_boundaries_against(const gradyn_sweeps *s, int f, double *x_bar);

/* Computes r_s, r_x, r_t at the end of step k, node `to`, if an event is there; call it before linearise()
 * of this step. Errors: those of the guard. */
gradyn_status gradyn_sweep_guard(gradyn_sweeps *s, int k, const double *to);

/* --- along: dt [directions] is that of the present node ------------------------------------------ */

/* Tangent of step k to node `to`, after its linearise(): updates ds, dh and dt of s. Errors of all functions
 * below: failures of the scheme, guards and impacts. */
gradyn_status gradyn_sweep_step_along(gradyn_sweeps *s, int k, const double *to);
/* Adds the derivatives of integrals by the length of step k to gradient [nf][directions not fixed]. y: state
 * at the quadrature point of the step, or NULL: trapezoidal rule over nodes from and to. */
gradyn_status gradyn_sweep_lengths_along(gradyn_sweeps *s, int k, const double *from,
                                         const double *to, const double *y, double *gradient);
/* Tangent of the jump of step k at node `from`: ds before the jump becomes ds after it. Adds the derivatives
 * of impulses to gradient [nf][directions not fixed], which may be NULL. */
gradyn_status gradyn_sweep_jump_along(gradyn_sweeps *s, int k, const double *from,
                                      double *gradient);

/* --- against: node_bar is that of the present node ----------------------------------------------- */

/* Adds the derivatives of integrals by the length of step k to s->times.step_h; arguments as of
 * gradyn_sweep_lengths_along(). */
gradyn_status gradyn_sweep_lengths_against(gradyn_sweeps *s, int k, const double *from,
                                           const double *to, const double *y);
/* Transpose of step k, after its linearise(): updates s_bar, node_bar and s->times.boundary, and adds to
 * x_bar [rows][nx]. */
gradyn_status gradyn_sweep_step_against(gradyn_sweeps *s, int k, const double *to, double *x_bar);
/* Transpose of the jump of step k: s_bar after it becomes s_bar before it. Adds to x_bar [rows][nx]. */
gradyn_status gradyn_sweep_jump_against(gradyn_sweeps *s, int k, const double *from, double *x_bar);

#endif
