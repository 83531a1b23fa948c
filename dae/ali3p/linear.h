/* The linear systems of a step of ALI3-P and of its derivatives. */
#ifndef GRADYN_DAE_ALI3P_LINEAR_H
#define GRADYN_DAE_ALI3P_LINEAR_H

#include "dae/ali3p/ali3p.h"

/* Restricts the next factorisations of this run to the kinds from first to last, in the order of
 * gradyn_factors_kind. */
void gradyn_ali3p_allow(gradyn_ali3p *s, gradyn_factors_kind first, gradyn_factors_kind last);

/* Factorises the matrix of the projections, [M, Phi_q^T; Phi_q, -d] with d = choice.projection_diagonal,
 * from s->mat, with the allowed kinds. If a kind beyond EXACT succeeds, the next matrix of the step begins
 * with it. t: time for messages, s. Errors: GRADYN_SINGULAR, no kind succeeds; GRADYN_NON_FINITE;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_factor_projection(gradyn_ali3p *s, double t);

/* Factorises the matrix of the position problem, [A, U^T; L, -diagonal], from s->mat.A, U and L, with the
 * allowed kinds from EXACT. t: time for messages, s. Errors: GRADYN_SINGULAR, no kind succeeds;
 * GRADYN_NON_FINITE; GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_factor_position(gradyn_ali3p *s, double diagonal, double t);

/* Sets *bend to a bound of |M^-1 (K + vq C)|/aq at a state, in the maximum row norm. It bounds the
 * convergence rate of Newton's method with M instead of M + (K + vq C)/aq. Only for small models, with the
 * inverse of M. Errors: failures of the forces. */
gradyn_status gradyn_ali3p_force_curvature(gradyn_ali3p *s, const gradyn_mech_state *at,
                                           double *bend);

/* The functions below use lanes of right-hand sides b [n + m] and the matrices of the last linearise(). b
 * must not overlap the result. */

/* Solves with the matrix of the projections of the last linearise() for x [n + m]. The last m entries of
 * the right-hand side b [n + m] count as zero. */
void gradyn_ali3p_solve_projection(gradyn_ali3p *s, const gradyn_lanes *b, gradyn_lanes *x);

/* Solves A x = b, A being the matrix of the projections at the last linearise(), for x [n + m] in each lane.
 * b [n + m] is unchanged and not x. If `multipliers` is false, the last m entries of x are undefined. */
void gradyn_ali3p_project(gradyn_ali3p *s, bool multipliers, const gradyn_lanes *b,
                          gradyn_lanes *x);

/* Sets y [n] to M x, with x [n], both in lanes, for the M of the last linearise(). */
void gradyn_ali3p_weigh(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);

/* Adds Phi_q x to y [m], with x [n], both in lanes, for the Phi_q of the last linearise(). */
void gradyn_ali3p_rates(const gradyn_ali3p *s, const gradyn_lanes *x, gradyn_lanes *y);

/* Subtracts Phi_q^T mult from x [n], with mult [m], both in lanes, for the Phi_q of the last
 * linearise(). */
void gradyn_ali3p_pull(const gradyn_ali3p *s, const gradyn_lanes *mult, gradyn_lanes *x);

/* Options of a solve of the position problem. */
typedef struct gradyn_ali3p_ask {
  bool transposed;
  bool rates;       /* the last m entries of b are nonzero; otherwise they are not read */
  bool multipliers; /* the last m entries of x are requested; otherwise they are undefined */
} gradyn_ali3p_ask;

/* Factorises the matrix of the position problem, [M - E, Phi_q^T; Phi_q, 0] with E = -(K + vq C)/aq, of the
 * last linearise(). linearise() omits this if the inverse of the projections' matrix suffices. Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_ali3p_factor_place(gradyn_ali3p *s);

/* Solves with the matrix of gradyn_ali3p_factor_place(), or its transpose, for x [n + m]. The right-hand
 * side is b + (E e; 0), e [n], or with E^T. Also sets weighed [n] = M x, unless NULL; undefined without
 * ask.multipliers. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, if the factors must still
 * be made. */
gradyn_status gradyn_ali3p_solve_place(gradyn_ali3p *s, gradyn_ali3p_ask ask, const gradyn_lanes *b,
                                       const gradyn_lanes *e, gradyn_lanes *x,
                                       gradyn_lanes *weighed);

/* Nonholonomic constraints psi(q', v*) = 0; no effect without them. */

/* Sets s->mat.L to s->mat.J, with rows (psi_q + vq A)/vq for nonholonomic constraints at the trial point
 * `at`, (q', v*). Errors: failures of the constraints. */
gradyn_status gradyn_ali3p_roll_matrix(gradyn_ali3p *s, const gradyn_mech_state *at);

/* Writes psi/vq at the trial point `at` to the entries of nonholonomic constraints in phi [m]; others are
 * unchanged. Errors: failures of the constraints. */
gradyn_status gradyn_ali3p_roll(gradyn_ali3p *s, const gradyn_mech_state *at, double *phi);

/* Sets the entries of nonholonomic constraints in rows [m] to (psi_x dx + psi_t dt + psi_q dq + A dv)/vq at
 * the last linearise(), in `columns` lanes. *d has the changes dx, dt, dq, dv. Errors: failures of the
 * constraints. */
gradyn_status gradyn_ali3p_roll_along(gradyn_ali3p *s, int columns, const gradyn_mech_change *d,
                                      gradyn_lanes *rows);

/* Subtracts the product of mult [m] with the transpose of gradyn_ali3p_roll_along(), without the factor
 * 1/vq, from the members of *adjoints, in `columns` lanes. Errors: failures of the constraints. */
gradyn_status gradyn_ali3p_roll_against(gradyn_ali3p *s, int columns, const gradyn_lanes *mult,
                                        const gradyn_mech_adjoints *adjoints);

/* Divides the multipliers of nonholonomic constraints in mult [m] by vq, which gives them the unit of psi.
 * Adds A^T times these multipliers to x [n]. */
void gradyn_ali3p_roll_pull(const gradyn_ali3p *s, gradyn_lanes *mult, gradyn_lanes *x);

/* Returns component i of A* of the step of the last linearise(). A* is A before the projection:
 * A* = A - u with u = a - a*. */
static inline double gradyn_ali3p_moved(const gradyn_ali3p *s, int i)
{
  const double *u = gradyn_ali3p_extra_of(s, (double *)s->last.to).u;
  return (s->rule.own_A ? s->last.to[s->base.ny + i] : s->last.to[2 * s->n + i]) - u[i];
}

#endif
