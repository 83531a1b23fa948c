/* Parts of the problems of dae/start/initial.h that the solution, its derivatives and other solvers share:
 * states, matrices and their factors, searches for positions, equilibrium. */
#ifndef GRADYN_DAE_INITIAL_PARTS_H
#define GRADYN_DAE_INITIAL_PARTS_H

#include "dae/start/initial.h"

/* Sets q and v from those of way.origin, the problem in the coordinates of the start. */
void gradyn_initial_take(gradyn_initial *initial);

/* Returns entry i, from 0, of the guess q^ of the position: of initial->guess, or of the data. */
double gradyn_initial_guess(const gradyn_initial *initial, int i);

/* Returns diagonal entry i, from 0, of W; 0 if the guess of coordinate i does not count. */
double gradyn_initial_weight(const gradyn_initial *initial, int i);

/* Returns the state of the position problem: q, v, a with lam = nu, borrowed from the members. */
gradyn_mech_state gradyn_initial_place_state(const gradyn_initial *initial);

/* Returns the state t, s, q, v [n], borrowed, with the members a and lam. */
gradyn_mech_state gradyn_initial_motion_state(const gradyn_initial *initial, double t,
                                              const double *q, const double *v);

/* Evaluates and factorises the matrix of the position problem at the present q, in `position`.
 * second_order: with curvature of the constraints, useful only near the solution. Errors: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the
 * constraints. */
gradyn_status gradyn_initial_place_matrix(gradyn_initial *initial, bool second_order);

/* Evaluates and factorises the matrix of the position problem at the present q, without curvature, with
 * -share row^2 on the diagonal of the constraint rows. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE,
 * GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the constraints. */
gradyn_status gradyn_initial_damped_matrix(gradyn_initial *initial, double share);

/* Evaluates and factorises the matrix [W, J^T; J, 0] of the velocity problem at the present q, in
 * `position`. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline; failures of the constraints. */
gradyn_status gradyn_initial_velocity_matrix(gradyn_initial *initial);

/* Evaluates and factorises the matrix S = [M, R_lam; Phi_q, 0] of the acceleration problem at `at`, in
 * `force`, or in way.factors if these are used. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE,
 * GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's
 * functions. */
gradyn_status gradyn_initial_force_matrix(gradyn_initial *initial, const gradyn_mech_state *at);

/* Evaluates and factorises S = [M, Phi_q^T; Phi_q, 0], the matrix of the acceleration problem at `at`
 * without multiplier-dependent forces. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_plain_matrix(gradyn_initial *initial, const gradyn_mech_state *at);

/* Replaces b [n + m] by S^-1 b, or by S^-T b if transposed, with the last S of
 * gradyn_initial_force_matrix() or gradyn_initial_plain_matrix(). */
void gradyn_initial_solve_force(gradyn_initial *initial, bool transposed, double *b);
/* Solves for a and lam, from their present values, with multiplier-dependent forces, by Newton's method, in
 * initial_reading.c. `at` must be a motion_state(). Errors with the force's name: GRADYN_SINGULAR, not unique
 * or locked; GRADYN_NOT_CONVERGED. */
gradyn_status gradyn_initial_solve_forces(gradyn_initial *initial, const gradyn_mech_state *at);

/* Checks whether the motion can continue with multiplier-dependent forces at `at`. det [M, R_lam; Phi_q, 0]
 * and det [M, Phi_q^T; Phi_q, 0] have the same sign until the first is zero, where accelerations cease to
 * exist. Error: GRADYN_SINGULAR, the mechanism locks. Factorises the first matrix. */
gradyn_status gradyn_initial_unlocked(gradyn_initial *initial, const gradyn_mech_state *at);

/* Returns GRADYN_SINGULAR with the message that a multiplier-dependent force locks the mechanism at t, s. */
gradyn_status gradyn_initial_locks(const gradyn_initial *initial, double t);

/* Robust search for positions, in initial_approach.c: decreases the constraint violations from the present
 * q, with damping. *left: remaining violation, m, 0 if satisfied. *stuck: the search has ended at a local
 * minimum. A remaining violation is no error. Errors: failures of the constraints; GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline. */
gradyn_status gradyn_initial_restore(gradyn_initial *initial, double *left, bool *stuck);

/* Runs gradyn_initial_restore() from the guess and from points around it, until the constraints are
 * satisfied; q becomes the best of all. *stuck has a meaning only if *left > 0: all searches ended at local
 * minima. Errors: failures of the constraints; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline. */
gradyn_status gradyn_initial_approach(gradyn_initial *initial, double *left, bool *stuck);

/* Moves q on the constraints towards the guess, and sets nu. Ends when steps are shorter than `part` of the
 * mechanism's size, or fail. Errors: failures of the constraints. */
gradyn_status gradyn_initial_approach_guess(gradyn_initial *initial, double part);

/* Returns the state of the equilibrium, if `balanced`, borrowed from the members. */
gradyn_mech_state gradyn_initial_rest_state(const gradyn_initial *initial);

/* Computes q, nu and `memory` of an equilibrium, R(q, 0, 0, lam) = 0, from the present q, by a damped
 * Newton method. Errors: GRADYN_NOT_CONVERGED; GRADYN_UNSUPPORTED, there are nonholonomic constraints;
 * failures of the mechanism's functions. */
gradyn_status gradyn_initial_balance(gradyn_initial *initial);

/* Checks that no other equilibria are adjacent: forces must not cause very large displacements. Error:
 * GRADYN_SINGULAR, with the name of a coordinate. Factorises the matrix of the equilibrium. */
gradyn_status gradyn_initial_check_isolated(gradyn_initial *initial);

/* Factorises a filled matrix. what: the problem in the message, such as "position". Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the
 * deadline. */
gradyn_status gradyn_initial_factor(gradyn_initial *initial, gradyn_saddle *matrix,
                                    const char *what);

/* Solves S x = b, or S^T x = b if transposed, in place, b [n + rows], by refinement without the tiny
 * diagonal. A [dyn.nnz], and the members J and U, are those of the factors of `matrix`, which has `rows`
 * constraints. */
void gradyn_initial_solve_refined(gradyn_initial *initial, gradyn_saddle *matrix, const double *A,
                                  int rows, bool transposed, double *b);

#endif
