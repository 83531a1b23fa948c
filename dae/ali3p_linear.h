/* The linear systems of a step of ALI3-P and of its derivatives. */
#ifndef GRADYN_DAE_ALI3P_LINEAR_H
#define GRADYN_DAE_ALI3P_LINEAR_H

#include "dae/ali3p.h"

/* Solves with the factors of a saddle (transposed or not), count right-hand sides [count][n + m] in
 * place; A is the matrix of its first block. Soft factors have a tiny diagonal, whose effect
 * refinement removes: diagonal is the one that the equations have. */
void gradyn_ali3p_solve(gradyn_ali3p *s, gradyn_saddle *matrix, const double *A, double diagonal,
                        bool transposed, double *b, int count);

/* Fills and factorises a saddle with first block A and Jacobian J. GRADYN_SINGULAR if constraints
 * depend on each other and matrices may not be softened. */
gradyn_status gradyn_ali3p_factor(gradyn_ali3p *s, gradyn_saddle *matrix, const double *A,
                                  double diagonal, double t);

/* A bound of |M^-1 (K + vq C)|/aq at a state, in the norm of the largest row: that of the rate at which
 * Newton's method converges with M in the place of M + (K + vq C)/aq. For small models. */
gradyn_status gradyn_ali3p_bend(gradyn_ali3p *s, const gradyn_mech_state *at, double *bend);

/* Lanes of right-hand sides b [n + m] and the matrices of the last linearise(). b does not overlap with
 * the result. */

/* x [n + m] with the projections' matrix, which is symmetric, if the last m entries of b count as zero;
 * and if they do not, x [n + m] (multipliers) or at least its first n entries. */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, gradyn_lanes *b, gradyn_lanes *x);
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, gradyn_lanes *b, gradyn_lanes *x);

/* y = -(K + vq C)/aq x, or its transpose, and y = M x; x, y [n]. */
void gradyn_ali3p_stiffen(gradyn_ali3p *s, bool transposed, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);

/* x [n + m] with the position problem's matrix [M + (K + vq C)/aq, Phi_q^T; Phi_q, 0] or its transpose;
 * rates: the last m entries of b are not all zero, or else they need not be set. factor_place()
 * factorises that matrix, which linearise() leaves out where a series will do. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s);
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, bool transposed, bool rates,
                                       gradyn_lanes *b, gradyn_lanes *x);

/* Whether the constraints are nearly dependent where the projections' matrix was factorised. */
bool gradyn_ali3p_near_singular(gradyn_ali3p *s);

/* A* of the step in hand: the algorithmic acceleration before the projection, which moves a and A alike. */
static inline double gradyn_ali3p_moved(const gradyn_ali3p *s, int i)
{
  const double *u = gradyn_ali3p_extra_of(s, (double *)s->to).u;
  return (s->own_A ? s->to[s->base.ny + i] : s->to[2 * s->n + i]) - u[i];
}

#endif
