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

/* Returns the number of functionals with a direction of gradyn_sweep_held_direction(). */
int gradyn_sweep_count_held(const gradyn_sweeps *s);

/* Computes the derivatives of all boundary times by the directions s->dx, to s->times.boundary
 * [boundaries][directions]. Returns whether any is not zero. */
bool gradyn_sweep_boundaries_along(gradyn_sweeps *s);

/* Adds to x_bar [nx] the adjoints of boundary times for functional f, from 0, times the derivatives of
 * these times by data. The boundary at whose fixed time f is sampled does not count. */
void gradyn_sweep_boundaries_against(const gradyn_sweeps *s, int f, double *x_bar);

/* --- along: dt [directions] is that of the present node ------------------------------------------ */

/* Copies the changes of data s->dx side by side, for the products of all steps. */
void gradyn_sweep_feed(gradyn_sweeps *s);

/* Direct sweep over step k, from 0, or over the jump of step k: ds of all directions, at node k (`from`),
 * becomes ds at node k + 1 (`to`). dt and latched data in dx change as well. Adds the derivatives of
 * functionals of impulses to gradient [nf][directions not fixed], which may be NULL. Errors: failures of
 * the scheme, guards and impacts. */
gradyn_status gradyn_sweep_along(gradyn_sweeps *s, int k, const double *from, const double *to,
                                 double *gradient);

/* Adds the derivatives of integrals by the length of step k to gradient [nf][directions not fixed]. y [ny]:
 * state at the quadrature point of the step, or NULL: trapezoidal rule over nodes from and to [record].
 * Errors: failures of the functionals. */
gradyn_status gradyn_sweep_lengths_along(gradyn_sweeps *s, int k, const double *from,
                                         const double *to, const double *y, double *gradient);

/* --- against: node_bar is that of the present node ----------------------------------------------- */

/* Adds the derivatives of integrals by the length of step k to s->times.step_h [nf]. y [ny]: state at the
 * quadrature point of the step, or NULL: trapezoidal rule over nodes from and to [record]. Errors: failures
 * of the functionals. */
gradyn_status gradyn_sweep_lengths_against(gradyn_sweeps *s, int k, const double *from,
                                           const double *to, const double *y);

/* Transpose of step k between nodes from and to [record]: updates s_bar, node_bar and s->times.boundary,
 * and adds to s->x_bar [rows][nx]. Errors: failures of the scheme, guards and impacts. */
gradyn_status gradyn_sweep_step_against(gradyn_sweeps *s, int k, const double *from,
                                        const double *to);

/* Transpose of the jump of step k, from node k (`from`): s_bar after the jump becomes s_bar before it. Adds
 * to s->x_bar [rows][nx]. Errors: failures of the scheme, guards and impacts. */
gradyn_status gradyn_sweep_jump_against(gradyn_sweeps *s, int k, const double *from);

#endif
