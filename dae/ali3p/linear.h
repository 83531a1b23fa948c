/* The linear systems of a step of ALI3-P and of its derivatives. */
#ifndef GRADYN_DAE_ALI3P_LINEAR_H
#define GRADYN_DAE_ALI3P_LINEAR_H

#include "dae/ali3p/ali3p.h"

/* Sets the range of kinds of factors that are allowed from now on, from first to last. */
void gradyn_ali3p_allow(gradyn_ali3p *s, gradyn_factors_kind first, gradyn_factors_kind last);

/* Factorise the matrix of the projections, [M, Phi_q^T; Phi_q, -d] with d = choice.projection_diagonal, or
 * that of the position problem, [A, U^T; L, -diagonal], from s->mat, with the allowed kinds. After a kind
 * beyond EXACT, the next matrix of the step begins with this kind. t: time for messages, s. Errors:
 * GRADYN_SINGULAR, no kind succeeds; GRADYN_NON_FINITE; GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_factor_projection(gradyn_ali3p *s, double t);
gradyn_status gradyn_ali3p_factor_position(gradyn_ali3p *s, double diagonal, double t);

/* *bend: a bound of |M^-1 (K + vq C)|/aq at a state, in the maximum row norm. It bounds the convergence
 * rate of Newton's method with M instead of M + (K + vq C)/aq. Only for small models. Errors: failures of
 * the forces. */
gradyn_status gradyn_ali3p_force_curvature(gradyn_ali3p *s, const gradyn_mech_state *at,
                                           double *bend);

/* The functions below use lanes of right-hand sides b [n + m] and the matrices of the last linearise(). b
 * must not overlap the result. */

/* Solve with the symmetric matrix of the projections. solve_projection(): x [n + m], the last m entries of b
 * count as zero. project(): all of b [n + m] is read; x [n + m], whose last m entries are undefined without
 * `multipliers`. */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, const gradyn_lanes *b, gradyn_lanes *x);
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, const gradyn_lanes *b,
                          gradyn_lanes *x);

/* weigh(): y [n] = M x. rates(): y [m] += Phi_q x. pull(): x -= Phi_q^T mult, mult [m]. x [n]. */
void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_ali3p_rates(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);
void gradyn_ali3p_pull(const gradyn_ali3p *s, const gradyn_lanes *mult, gradyn_lanes *x);

/* Options of a solve of the position problem. */
typedef struct gradyn_ali3p_ask {
  bool transposed;
  bool rates;       /* the last m entries of b are nonzero; otherwise they are not read */
  bool multipliers; /* the last m entries of x are requested; otherwise they are undefined */
} gradyn_ali3p_ask;

/* gradyn_ali3p_factor_place() factorises the matrix of the position problem, [M - E, Phi_q^T; Phi_q, 0] with
 * E = -(K + vq C)/aq. linearise() omits this if the inverse of the projections' matrix suffices.
 * gradyn_ali3p_solve_place() solves with this matrix, or its transpose, for x [n + m]; the right-hand side is
 * b + (E e; 0), e [n], or with E^T. With ask.multipliers, also weighed [n] = M x, unless NULL; otherwise
 * weighed is undefined. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s);
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, gradyn_ali3p_ask ask, const gradyn_lanes *b,
                                       const gradyn_lanes *e, gradyn_lanes *x,
                                       gradyn_lanes *weighed);

/* Nonholonomic constraints; no effect without them. Errors: failures of the constraints.
 * gradyn_ali3p_roll_matrix(): s->mat.L from s->mat.J at the trial point (q', v*). gradyn_ali3p_roll():
 * writes psi/vq there to their entries of phi [m]. gradyn_ali3p_roll_along(): writes (psi_x dx + psi_t dt +
 * psi_q dq + A dv)/vq to their entries of rows [m], at the last linearise(). gradyn_ali3p_roll_against():
 * subtracts the transposed product with mult [m] from the adjoints, without the factor 1/vq. */
gradyn_status gradyn_ali3p_roll_matrix(gradyn_ali3p *s, const gradyn_mech_state *at);
gradyn_status gradyn_ali3p_roll(gradyn_ali3p *s, const gradyn_mech_state *at, double *phi);
gradyn_status gradyn_ali3p_roll_along(gradyn_ali3p *s, int columns, const gradyn_mech_change *d,
                                      gradyn_lanes *rows);
gradyn_status gradyn_ali3p_roll_against(gradyn_ali3p *s, int columns, const gradyn_lanes *mult,
                                        const gradyn_mech_adjoints *adjoints);
/* Divides the multipliers of nonholonomic constraints in mult [m] by vq, which gives them the unit of psi,
 * and adds A^T times them to x [n]. */
void gradyn_ali3p_roll_pull(const gradyn_ali3p *s, gradyn_lanes *mult, gradyn_lanes *x);

/* Returns component i of A* of the step of the last linearise(). A* is A before the projection:
 * A* = A - u with u = a - a*. */
static inline double gradyn_ali3p_moved(const gradyn_ali3p *s, int i)
{
  const double *u = gradyn_ali3p_extra_of(s, (double *)s->last.to).u;
  return (s->rule.own_A ? s->last.to[s->base.ny + i] : s->last.to[2 * s->n + i]) - u[i];
}

#endif
