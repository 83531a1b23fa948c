/* Watches a march for singular positions, in which constraints depend on each other: where the motion
 * passes one, a variable-step method may jump over it and go on, along another branch, unharmed.
 *
 * The smallest singular value sigma of Phi_q, by changes of coordinates that move things by 1 m, and its
 * vectors, Phi_q^T psi = sigma w, taken along the motion without turning psi and w about, change sign of
 * sigma in a singular position (of any even or odd rank), while the Gram determinant only touches zero.
 * So between two accepted steps, psi of the later one is applied to both Jacobians: opposite w mean that a
 * singular position, or one so near to it that the step did not resolve it, lies between. While Phi_q has
 * changed by less than sigma, neither is possible, and nothing needs to be computed. */
#ifndef GRADYN_DAE_SINGULARITY_MONITOR_H
#define GRADYN_DAE_SINGULARITY_MONITOR_H

#include "core/linear/arena.h"
#include "core/mech/mech.h"
#include "core/linear/saddle.h"

typedef struct gradyn_singularity_monitor {
  gradyn_mech *mech;
  gradyn_saddle saddle; /* [1, Phi_q^T; Phi_q, 0] */
  double *identity;     /* [n] */
  double *first, *last,
      *here;                /* [jac.nnz + 1] Phi_q where sigma is known, a step ago, now; scaled */
  double *scale;            /* [m] of the rows: one over their length at the start */
  double *psi, *w, *w_last; /* [m], [n], [n] */
  double *b;                /* [n + m] */
  double sigma, t;          /* t: of `last`, s; NAN: none yet */
  gradyn_arena arena;       /* of all arrays */
  double turned; /* where a singular position has been passed: -sigma of the state before */
} gradyn_singularity_monitor;

gradyn_status gradyn_singularity_monitor_create(gradyn_mech *mech, gradyn_singularity_monitor *out);
void gradyn_singularity_monitor_clear(gradyn_singularity_monitor *s);

/* Forgets earlier steps. */
void gradyn_singularity_monitor_reset(gradyn_singularity_monitor *s);

/* Looks at an accepted state; GRADYN_SINGULAR with time and names if a singular position has been passed.
 * An earlier time than before starts anew. */
gradyn_status gradyn_singularity_monitor_check(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at);

/* Whether velocities change within h by more than accelerations at both ends explain, h/2 (a + a'), and that
 * by more than a part of the change and than round-off. Positions and times are not read. */
bool gradyn_velocities_leap(const gradyn_mech *mech, double h, double part,
                            const gradyn_mech_state *from, const gradyn_mech_state *to);

/* Looks at a step of fixed length over which velocities leap; GRADYN_SINGULAR with times and names if the
 * smallest singular value is small and changes so much that a few such steps would bring it to zero: what
 * happens next to a singular position is then beyond them. Forgets earlier ones. */
gradyn_status gradyn_singularity_monitor_leap(gradyn_singularity_monitor *s,
                                              const gradyn_mech_state *from,
                                              const gradyn_mech_state *to);

/* psi, w and sigma of a place, for rows that have length one there; the saddle matrix is factorised.
 * GRADYN_SINGULAR, without a word, where it cannot be. Forgets earlier steps. */
gradyn_status gradyn_singularity_monitor_measure(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at);

/* Phi_q^T psi [n] of another place, with psi and lengths of rows as last measured. */
gradyn_status gradyn_singularity_monitor_slope(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double *out);

/* GRADYN_SINGULAR, of steps of length h between two times over which something happens (`what`) next to a
 * singular position, with the constraints that psi combines most. */
gradyn_status gradyn_singularity_monitor_report(const gradyn_singularity_monitor *s,
                                                const char *what, double from, double to, double h);

/* Looks at a state around which a march creeps; GRADYN_SINGULAR with time and names if its smallest singular
 * value, for rows of length one, is below `near`. Forgets earlier steps. */
gradyn_status gradyn_singularity_monitor_creep(gradyn_singularity_monitor *s,
                                               const gradyn_mech_state *at, double near);

/* Projects vectors r [count][m] onto combinations of the constraints that nearly vanish in a state,
 * whatever their number: r becomes S (S Phi_q Phi_q^T S / near^2 + 1)^-1 r, where S makes rows of length
 * one. Those with a singular value well below `near` stay, others go with its square. Forgets earlier
 * steps; S is in `scale` after it. */
gradyn_status gradyn_singularity_monitor_project(gradyn_singularity_monitor *s,
                                                 const gradyn_mech_state *at, double near,
                                                 int count, double *r);

#endif
