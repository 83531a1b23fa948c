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
/* Creates the problems; mech must outlive them. parts: GRADYN_ASSEMBLY; GRADYN_CONSTRAINT leaves out fixed
 * initial conditions; GRADYN_AT_REST is an equilibrium, also chosen by GRADYN_ASSEMBLY if the mechanism
 * starts so. Error: GRADYN_NO_MEMORY, without a message; *out is then clear. */
gradyn_status gradyn_initial_create(gradyn_mech *mech, int parts, gradyn_initial *out);

/* As gradyn_initial_create() with GRADYN_ASSEMBLY, only for assembly, accelerations and their derivatives;
 * without matrices if the mechanism has its own factors. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_initial_create_motion(gradyn_mech *mech, gradyn_initial *out);

/* Frees the members, not the object; may be repeated, and after a failed creation. */
void gradyn_initial_clear(gradyn_initial *initial);

/* Computes q, v, a, lam for the present data; undefined after an error. Errors, with a message:
 * GRADYN_NOT_ASSEMBLED names violated constraints; GRADYN_NOT_CONVERGED: no equilibrium or friction force
 * found; GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_UNSUPPORTED, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_solve(gradyn_initial *initial);

/* Computes only q, v, nu and tau for the present data; not with way.origin. Errors: those of
 * gradyn_initial_solve(). */
gradyn_status gradyn_initial_solve_motion(gradyn_initial *initial);

/* Computes only q for the present data, without an equilibrium, and nu unless way.origin is set. Errors:
 * GRADYN_NOT_ASSEMBLED names violated constraints; GRADYN_NON_FINITE; GRADYN_SINGULAR; GRADYN_NO_MEMORY;
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_place(gradyn_initial *initial);

/* Computes the members a and lam for given q, v [n] at t, s. Errors: GRADYN_SINGULAR, also if a friction
 * force is not unique; GRADYN_NON_FINITE, GRADYN_NOT_CONVERGED, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_accelerate(gradyn_initial *initial, double t, const double *q,
                                        const double *v);

/* As gradyn_initial_accelerate() with multiplier-dependent forces, at t, q, v of near, from the guess (a,
 * lam) = near->a [n + m]. *found false with GRADYN_OK: no solution near the guess; a and lam are then
 * undefined. */
gradyn_status gradyn_initial_follow(gradyn_initial *initial, const gradyn_mech_state *near,
                                    bool *found);

/* Sets dal [n + m] to the change of the solution (a, lam) in `at` for a change d of data, t, q and v.
 * Factorises the acceleration matrix at `at`. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_accelerate_tangent(gradyn_initial *initial,
                                                const gradyn_mech_state *at,
                                                const gradyn_mech_vector *d, double *dal);

/* Transpose of gradyn_initial_accelerate_tangent(): adds to *adjoints, from al_bar [n + m]. Factorises the
 * acceleration matrix at `at`. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY,
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_initial_accelerate_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                                   const double *al_bar,
                                                   const gradyn_mech_sums *adjoints);

/* Sets dq, dv, da [n] and dlam [m], changes of the last solution, for changes dx [nx] of the data, which
 * must be present, and dt, s, of time. da and dlam may both be NULL. Errors: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the
 * mechanism's functions. */
gradyn_status gradyn_initial_tangent(gradyn_initial *initial, const double *dx, double dt,
                                     double *dq, double *dv, double *da, double *dlam);

/* Transpose of gradyn_initial_tangent(): adds (dq/dx)^T q_bar + (dv/dx)^T v_bar + (da/dx)^T a_bar +
 * (dlam/dx)^T lam_bar to x_bar [nx], and the same by time to *t_bar, unless NULL. q_bar and v_bar are
 * overwritten; a_bar and lam_bar may both be NULL. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE,
 * GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's
 * functions. */
gradyn_status gradyn_initial_transposed(gradyn_initial *initial, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar,
                                        double *t_bar);

#endif
