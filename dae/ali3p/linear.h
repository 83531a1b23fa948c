/* The linear systems of a step of ALI3-P and of its derivatives. */
#ifndef GRADYN_DAE_ALI3P_LINEAR_H
#define GRADYN_DAE_ALI3P_LINEAR_H

#include "dae/ali3p/ali3p.h"

/* The kinds of factors that the step in hand may have. */
void gradyn_ali3p_allow(gradyn_ali3p *s, gradyn_factors_kind first, gradyn_factors_kind last);

/* Factorise [M, Phi_q^T; Phi_q, -d] of the projections, and [A, U^T; Phi_q, -diagonal] of the position
 * problem, at time t, s, by the kinds allowed; where they are too few, GRADYN_SINGULAR. */
gradyn_status gradyn_ali3p_factor_projection(gradyn_ali3p *s, double t);
gradyn_status gradyn_ali3p_factor_position(gradyn_ali3p *s, double diagonal, double t);

/* A bound of |M^-1 (K + vq C)|/aq at a state, in the norm of the largest row: that of the rate at which
 * Newton's method converges with M in the place of M + (K + vq C)/aq. For small models. */
gradyn_status gradyn_ali3p_force_curvature(gradyn_ali3p *s, const gradyn_mech_state *at,
                                           double *bend);

/* Lanes of right-hand sides b [n + m] and the matrices of the last linearise(). b does not overlap with
 * the result. */

/* x [n + m] with the projections' matrix, which is symmetric, if the last m entries of b count as zero;
 * and if they do not, x [n + m] (multipliers) or at least its first n entries. */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, const gradyn_lanes *b, gradyn_lanes *x);
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, const gradyn_lanes *b,
                          gradyn_lanes *x);

/* y = M x, y += Phi_q x, and x -= Phi_q^T mult; x [n], y [n] or [m]. */
void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_ali3p_rates(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_ali3p_pull(const gradyn_ali3p *s, const gradyn_lanes *mult, gradyn_lanes *x);

/* What is asked of the position problem. */
typedef struct gradyn_ali3p_ask {
  bool transposed;
  bool rates;       /* the last m entries of b are not all zero, or else they need not be set */
  bool multipliers; /* the last m entries of x are wanted, or else they may be anything */
} gradyn_ali3p_ask;

/* x [n + m] with the position problem's matrix [M - E, Phi_q^T; Phi_q, 0], or its transpose, and the
 * right-hand side b + (E e; 0), with E = -(K + vq C)/aq or its transpose, and e [n]; with multipliers, unless
 * it is NULL, weighed [n] = M x. factor_place() factorises that matrix, which linearise() leaves out where
 * the inverse of the projections' matrix will do. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s);
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, gradyn_ali3p_ask ask, const gradyn_lanes *b,
                                       const gradyn_lanes *e, gradyn_lanes *x,
                                       gradyn_lanes *weighed);

/* Rows of velocities, in ali3p/rolling.c; without such rows nothing is done. L from J at (q', v*), the trial
 * point; psi/vq there in their entries of phi [m]; (psi_x dx + psi_t dt + psi_q dq + A dv)/vq in those of
 * rows [m], at the place of the last linearise(), and bars lose the transpose of that for mult [m], without
 * vq. */
gradyn_status gradyn_ali3p_roll_matrix(gradyn_ali3p *s, const gradyn_mech_state *at);
gradyn_status gradyn_ali3p_roll(gradyn_ali3p *s, const gradyn_mech_state *at, double *phi);
gradyn_status gradyn_ali3p_roll_along(gradyn_ali3p *s, int columns, const gradyn_mech_change *d,
                                      gradyn_lanes *rows);
gradyn_status gradyn_ali3p_roll_against(gradyn_ali3p *s, int columns, const gradyn_lanes *mult,
                                        const gradyn_mech_adjoints *adjoints);
/* Their multipliers in the unit of psi, over vq, and x [n] += A^T of these. */
void gradyn_ali3p_roll_pull(const gradyn_ali3p *s, gradyn_lanes *mult, gradyn_lanes *x);

/* A* of the step in hand: the algorithmic acceleration before the projection, which moves a and A alike. */
static inline double gradyn_ali3p_moved(const gradyn_ali3p *s, int i)
{
  const double *u = gradyn_ali3p_extra_of(s, (double *)s->last.to).u;
  return (s->rule.own_A ? s->last.to[s->base.ny + i] : s->last.to[2 * s->n + i]) - u[i];
}

#endif
