/* Monitors a run for singular positions, in which constraints depend on each other. A variable-step method
 * may jump over such a position and continue on another branch of the motion without notice.
 *
 * Let sigma be the smallest singular value of Phi_q, by changes of coordinates that move points by 1 m, with
 * vectors Phi_q^T psi = sigma w. If psi and w are continued along the motion without reversal, sigma changes
 * sign in a singular position, for any rank deficiency. The Gram determinant only touches zero there.
 * Therefore psi of the later of two accepted steps is applied to both Jacobians. Opposite w mean that a
 * singular position is in between, or one so close that the step did not resolve it. As long as Phi_q has
 * changed by less than sigma, neither is possible, and no computation is needed. */
#ifndef GRADYN_DAE_SINGULARITY_MONITOR_H
#define GRADYN_DAE_SINGULARITY_MONITOR_H

#include "core/linear/arena.h"
#include "core/mech/mech.h"
#include "core/linear/saddle.h"

typedef struct gradyn_singularity_monitor {
  gradyn_mech *mech;
  gradyn_saddle saddle; /* [1, Phi_q^T; Phi_q, 0] */
  double *identity;     /* [n] */
  /* [jac.nnz + 1] Phi_q at the last measurement of sigma, at the last step, and now; scaled */
  double *first, *last, *here;
  double *scale;            /* [m] factors of the rows: 1 / length at the start */
  double *psi, *w, *w_last; /* [m], [n], [n] */
  double *b;                /* [n + m] */
  double sigma, t;          /* t: time of `last`, s; NAN: none */
  gradyn_arena arena;       /* owns all arrays */
  double turned;            /* after a singular position: minus sigma of the previous state */
} gradyn_singularity_monitor;

/* Allocates the arrays; mech must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status gradyn_singularity_monitor_create(gradyn_mech *mech, gradyn_singularity_monitor *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_singularity_monitor_clear(gradyn_singularity_monitor *s);

/* Discards the states of earlier checks, as at the start of an arc. */
void gradyn_singularity_monitor_reset(gradyn_singularity_monitor *s);

/* Checks an accepted state. If its time is before that of the last state, the check starts again. No effect
 * without constraints. Errors: GRADYN_SINGULAR, with time and names: a singular position was passed since the
 * last state, or the state is too near one; failures of the constraints; GRADYN_NO_MEMORY. */
gradyn_status gradyn_singularity_monitor_check(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at);

/* Returns whether the change of velocities in a step h, s, differs from h/2 (a + a') by more than `part` of
 * the change, and by more than 1e-5 of the velocities. a, a': accelerations at both ends, from and to.
 * Positions and times are not read. */
bool gradyn_velocities_jump(const gradyn_mech *mech, double h, double part,
                            const gradyn_mech_state *from, const gradyn_mech_state *to);

/* Checks a step of fixed length over which velocities jump. Forgets earlier steps. No effect without
 * constraints. Errors: GRADYN_SINGULAR, with times and names: the smallest singular value is small, and would
 * vanish after a few such changes. Such steps cannot resolve the motion near a singular position. Also
 * failures of the constraints; GRADYN_NO_MEMORY. */
gradyn_status gradyn_singularity_monitor_leap(gradyn_singularity_monitor *s,
                                              const gradyn_mech_state *from,
                                              const gradyn_mech_state *to);

/* Computes psi, w and sigma at a position, for rows of length one there, and factorises the saddle-point
 * matrix. Discards earlier states. This function and those below, except creep(), need a mechanism with
 * constraints. Errors: GRADYN_SINGULAR, without a message, if the factorisation fails; failures of the
 * constraints; GRADYN_NO_MEMORY. */
gradyn_status gradyn_singularity_monitor_measure(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at);

/* Computes out [n] = Phi_q^T psi at another position, with psi and row lengths of the last measurement, by
 * changes of coordinates that move points by 1 m. Errors: failures of the constraints. */
gradyn_status gradyn_singularity_monitor_slope(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double *out);

/* Returns GRADYN_SINGULAR with the message that `what` happens between the times `from` and `to` next to a
 * singular position, with steps of length h, all in s. The message names the constraints with the largest
 * part in psi. */
gradyn_status gradyn_singularity_monitor_report(const gradyn_singularity_monitor *s,
                                                const char *what, double from, double to, double h);

/* Checks a state near which steps have become very short. Forgets earlier steps. No effect without
 * constraints. Errors: GRADYN_SINGULAR, with time and names: the smallest singular value, for rows of length
 * one, is below `near`; failures of the constraints; GRADYN_NO_MEMORY. */
gradyn_status gradyn_singularity_monitor_creep(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double near);

/* Projects vectors r [count][m], in place, onto the combinations of constraints that nearly vanish at a
 * state: r becomes S (S Phi_q Phi_q^T S / near^2 + 1)^-1 r, where S scales rows to length one. Components
 * with a singular value well below `near` stay; others decrease with the square of this value. Discards
 * earlier states; afterwards S is in s->scale. Errors: failures of the constraints; without a message,
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_singularity_monitor_project(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at, double near,
                                                 int count, double *r);

#endif
