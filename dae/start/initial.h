/* Consistent initial state of a mechanism, and its derivatives by the data. */
#ifndef GRADYN_DAE_INITIAL_H
#define GRADYN_DAE_INITIAL_H

#include "core/mech/vector.h"
#include "dae/linear/factors.h"

/* Three problems, each a saddle-point system. J: constraints and fixed initial conditions, both by all
 * coordinates. W: squares of the length scales, so that distances are in m for any coordinates.
 *
 *   position:     W (q - q^) + J^T nu = 0,  Phi(q) = 0     the configuration nearest to the guess q^
 *   velocity:     W (v - v^) + J^T tau = 0, Phi'(q, v) = 0
 *   acceleration: R(q, v, a, lam) = 0,  Phi''(q, v, a) = 0   motion constraints only; linear in a and lam
 *                 without multiplier-dependent forces
 *
 * For a mechanism that starts in equilibrium, the first is followed by R(q, 0, 0, lam) = 0, Phi(q) = 0. The
 * velocities are then as small as time functions allow. A tiny negative diagonal makes redundant rows
 * solvable; iterating on exact residuals removes its effect. */
#define GRADYN_PLACE_SHARE 1e-8 /* this diagonal in the first two problems, over J W^-1 J^T */

/* Workspace of iterations for the position, and the source of its solution. */
typedef struct gradyn_initial_way {
  double *direction;   /* [n + m + held] a step */
  double *best, *near; /* [n] positions to return to */
  bool *angle;         /* [n] coordinates that may be wrong by half a turn */
  /* the problem in the coordinates of the start, if others; NULL: these */
  struct gradyn_initial *origin;
  gradyn_factors *factors; /* of accelerations, the mechanism's own; NULL: matrices */
} gradyn_initial_way;

typedef struct gradyn_initial {
  gradyn_mech *mech;
  double t;                      /* s, time of the problems, set by users; 0 at creation */
  const double *guess;           /* [n] guess of the position, borrowed; NULL: from the data */
  bool balanced;                 /* the position is an equilibrium */
  int parts, rows;               /* constraints of the first two problems: kinds and number */
  gradyn_saddle position, force; /* matrices: of the first two problems; of the third */
  gradyn_saddle balance;         /* matrix of the equilibrium */
  double *q, *v, *a;             /* [n] the solution */
  double *lam;                   /* [m] */
  double *still, *memory; /* [n] zeros; rates at equilibrium, nonzero for first-order states */
  /* [m + held] multipliers of the position and velocity problems; nu of an equilibrium are its reactions */
  double *nu, *tau;
  double *row;       /* [m + held] sizes of rows, see gradyn_mech_row_sizes() */
  double *K, *C, *M; /* [dyn.nnz + 1] */
  double *J;         /* [jac.nnz + 1] Phi_q */
  const double *U;   /* [jac.nnz + 1] (dR/dlam)^T of the third problem: J or own */
  double *own;
  double *b, *rest;   /* [n + m + held] right-hand side and its residual */
  double *sum;        /* [n + m + held] solution during refinement */
  gradyn_lanes *work; /* [3 n + m + held] */
  gradyn_initial_way way;
  gradyn_arena arena; /* owns all arrays */
} gradyn_initial;

/* Creates the problems; mech must outlive them. parts: GRADYN_ASSEMBLY; GRADYN_CONSTRAINT leaves out fixed
 * initial conditions; GRADYN_AT_REST is an equilibrium, also chosen by GRADYN_ASSEMBLY if the mechanism
 * starts so. Error: GRADYN_NO_MEMORY, without a message; *out is then clear. */
enum { GRADYN_AT_REST = 0 };
gradyn_status gradyn_initial_create(gradyn_mech *mech, int parts, gradyn_initial *out);
/* As create(), only for assembly, accelerations and their derivatives, without a matrix if possible. */
gradyn_status gradyn_initial_create_motion(gradyn_mech *mech, gradyn_initial *out);
void gradyn_initial_clear(gradyn_initial *initial); /* frees members only; may be repeated */
/* Computes q, v, a, lam for the present data; undefined after an error. Errors: GRADYN_NOT_ASSEMBLED names
 * violated constraints; as of gradyn_initial_factor(), solve_forces() and balance(); GRADYN_NON_FINITE. */
gradyn_status gradyn_initial_solve(gradyn_initial *initial);
/* As solve(): solve_motion(), only without way.origin, computes q, v, nu, tau; place() computes q but no
 * equilibrium, and nu unless way.origin is set. */
gradyn_status gradyn_initial_solve_motion(gradyn_initial *initial);
gradyn_status gradyn_initial_place(gradyn_initial *initial);
/* Computes the members a and lam for given q, v [n] at t, s. Errors: as of solve() for accelerations. */
gradyn_status gradyn_initial_accelerate(gradyn_initial *initial, double t, const double *q,
                                        const double *v);
/* As accelerate(), with multiplier-dependent forces at t, q, v of near, from the guess (a, lam) = near->a
 * [n + m]. *found false with GRADYN_OK: no solution near the guess; a and lam are then undefined. */
gradyn_status gradyn_initial_follow(gradyn_initial *initial, const gradyn_mech_state *near,
                                    bool *found);

/* Derivatives of the solution (a, lam) in `at`: dal [n + m] in direction d of data, t, q and v. Transposed:
 * adds to adjoints, from al_bar [n + m]. Both factorise the acceleration matrix at `at`. */
gradyn_status gradyn_initial_accelerate_tangent(gradyn_initial *initial,
                                                const gradyn_mech_state *at,
                                                const gradyn_mech_vector *d, double *dal);
gradyn_status gradyn_initial_accelerate_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                                   const double *al_bar,
                                                   const gradyn_mech_sums *adjoints);
/* Derivatives of the last solve(), whose data must be present, along dx [nx] and dt: sets dq, dv, da [n],
 * dlam [m]. da and dlam may both be NULL. Errors: as of the matrices below. */
gradyn_status gradyn_initial_tangent(gradyn_initial *initial, const double *dx, double dt,
                                     double *dq, double *dv, double *da, double *dlam);
/* Transpose: x_bar [nx] += (dq/dx)^T q_bar + (dv/dx)^T v_bar + (da/dx)^T a_bar + (dlam/dx)^T lam_bar, and
 * the same for *t_bar unless NULL. q_bar and v_bar are overwritten. a_bar and lam_bar may both be NULL. */
gradyn_status gradyn_initial_transposed(gradyn_initial *initial, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar,
                                        double *t_bar);

/* --- parts shared by the solution and its derivatives --- */
/* take(): q and v from those of way.origin. For coordinate i, from 0: guess(): entry i of q^; weight():
 * diagonal entry i of W, 0 if its guess does not count. */
void gradyn_initial_take(gradyn_initial *initial);
double gradyn_initial_guess(const gradyn_initial *initial, int i);
double gradyn_initial_weight(const gradyn_initial *initial, int i);
/* States, borrowed from the members: q, v, a with lam = nu; a motion t, q, v, borrowed too, with a, lam. */
gradyn_mech_state gradyn_initial_place_state(const gradyn_initial *initial);
gradyn_mech_state gradyn_initial_motion_state(const gradyn_initial *initial, double t,
                                              const double *q, const double *v);
/* Evaluate and factorise a matrix: place, damped, velocity at the present q, in `position`; force at `at`.
 * second_order: with curvature of the constraints, useful only near the solution. damped: the position matrix
 * without curvature, with diagonal -share row^2. Errors: as of factor(). */
gradyn_status gradyn_initial_place_matrix(gradyn_initial *initial, bool second_order);
gradyn_status gradyn_initial_damped_matrix(gradyn_initial *initial, double share);
gradyn_status gradyn_initial_velocity_matrix(gradyn_initial *initial);
gradyn_status gradyn_initial_force_matrix(gradyn_initial *initial, const gradyn_mech_state *at);
/* plain: as force, without multiplier-dependent forces. solve_force(): b = S^-1 b or S^-T b [n + m] with the
 * last of both matrices. */
gradyn_status gradyn_initial_plain_matrix(gradyn_initial *initial, const gradyn_mech_state *at);
void gradyn_initial_solve_force(gradyn_initial *initial, bool transposed, double *b);
/* Solves for a and lam, from their present values, with multiplier-dependent forces, by Newton's method, in
 * initial_reading.c. `at` must be a motion_state(). Errors with the force's name: GRADYN_SINGULAR, not unique
 * or locked; GRADYN_NOT_CONVERGED. */
gradyn_status gradyn_initial_solve_forces(gradyn_initial *initial, const gradyn_mech_state *at);
/* Checks whether the motion can continue with multiplier-dependent forces at `at`. det [M, R_lam; Phi_q, 0]
 * and det [M, Phi_q^T; Phi_q, 0] have the same sign until the first is zero, where accelerations cease to
 * exist. Error: GRADYN_SINGULAR, the mechanism locks. locks(): that error. Factorises the first matrix. */
gradyn_status gradyn_initial_unlocked(gradyn_initial *initial, const gradyn_mech_state *at);
gradyn_status gradyn_initial_locks(const gradyn_initial *initial, double t);
/* Robust search for positions, in initial_approach.c: decreases the constraint violations from the present q,
 * with damping. *left: remaining violation, m, 0 if satisfied; no error if > 0. *stuck: local minimum. */
gradyn_status gradyn_initial_restore(gradyn_initial *initial, double *left, bool *stuck);
/* Runs restore() from the guess and from points around it, until the constraints are satisfied; q: the best
 * of all. *stuck has a meaning only if *left > 0: all searches ended at local minima. */
gradyn_status gradyn_initial_approach(gradyn_initial *initial, double *left, bool *stuck);
/* Moves q on the constraints towards the guess; ends if steps are < `part` of the size or fail. Sets nu. */
gradyn_status gradyn_initial_approach_guess(gradyn_initial *initial, double part);
/* Equilibrium, if `balanced`. rest_state(): its state, borrowed from the members. balance(): q, nu, memory
 * from the present q; errors: GRADYN_NOT_CONVERGED, GRADYN_UNSUPPORTED (nonholonomic). check_isolated():
 * GRADYN_SINGULAR, other equilibria are adjacent; factorises the matrix of the equilibrium. */
gradyn_mech_state gradyn_initial_rest_state(const gradyn_initial *initial);
gradyn_status gradyn_initial_balance(gradyn_initial *initial);
gradyn_status gradyn_initial_check_isolated(gradyn_initial *initial);
/* Factorises a filled matrix; what: problem in the message, such as "position". Errors:
 * GRADYN_SINGULAR, _NON_FINITE, _NO_MEMORY; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline. */
gradyn_status gradyn_initial_factor(gradyn_initial *initial, gradyn_saddle *matrix,
                                    const char *what);
/* Solves S x = b or S^T x = b in place, b [n + rows], by refinement without the tiny diagonal. A [dyn.nnz],
 * and the members J and U, are those of the factors of `matrix`, which has `rows` constraints. */
void gradyn_initial_solve_refined(gradyn_initial *initial, gradyn_saddle *matrix, const double *A,
                                  int rows, bool transposed, double *b);

#endif
