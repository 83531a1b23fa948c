/* Consistent initial state of a mechanical model, and its derivatives with respect to data. */
#ifndef GRADYN_DAE_INITIAL_H
#define GRADYN_DAE_INITIAL_H

#include "core/mech/vector.h"
#include "dae/linear/factors.h"

/* Three problems, each a saddle system (J: constraints and held rows, both over all coordinates; W: squares
 * of the levers, so that distances are in m whatever the coordinates are):
 *   position:     W (q - q^) + J^T nu = 0,  Phi(q) = 0     the nearest configuration to the guess q^
 *   velocity:     W (v - v^) + J^T tau = 0, Phi'(q, v) = 0
 *   acceleration: R(q, v, a, lam) = 0,  Phi''(q, v, a) = 0   motion constraints only; linear in a and lam
 *                 unless forces read multipliers
 * Of a mechanism that starts in equilibrium the first is R(q, 0, 0, lam) = 0, Phi(q) = 0 from there on, at
 * rest as far as laws of motion let it be.
 * A tiny negative diagonal serves redundant rows; iterating on exact residuals removes its effect. */
#define GRADYN_PLACE_SHARE 1e-8 /* that diagonal of the first two, relative to J W^-1 J^T */

/* Where iterations for the first problem go along, and where its solution comes from. */
typedef struct gradyn_initial_way {
  double *direction;             /* [n + m + held] of a step */
  double *best, *near;           /* [n] positions to come back to */
  bool *angle;                   /* [n] coordinates that may be half a turn off */
  struct gradyn_initial *origin; /* in coordinates where the start is solved; NULL: these */
  gradyn_factors *factors;       /* of accelerations, the mechanism's own; NULL: by matrices */
} gradyn_initial_way;

typedef struct gradyn_initial {
  gradyn_mech *mech;
  double t;            /* s, time of the first two problems: 0 unless it is changed */
  const double *guess; /* [n] what the position is to be near, borrowed; NULL: what the data say */
  bool balanced;       /* the first is an equilibrium */
  int parts, rows;     /* constraints of the first two problems: which, how many */
  gradyn_saddle place, force; /* matrices of the first two problems, of the third */
  gradyn_saddle balance;      /* of the equilibrium */
  double *q, *v, *a;          /* [n] */
  double *lam;                /* [m] */
  double *still, *memory; /* [n] zeros; rates at rest: of an equilibrium its first-order states */
  double *nu, *tau;       /* [m + held] multipliers of the position and velocity problems; nu of an
                                 equilibrium are those at rest */
  double *row;            /* [m + held] sizes of rows, see gradyn_mech_row_sizes() */
  double *K, *C, *M;      /* [dyn.nnz + 1] */
  double *J;              /* [jac.nnz + 1] Phi_q */
  const double *U;        /* [jac.nnz + 1] (dR/dlam)^T of the third: J, or own */
  double *own;
  double *b, *rest;   /* [n + m + held] right-hand side and its residual */
  double *sum;        /* [n + m + held] solution under refinement */
  gradyn_lanes *work; /* [3 n + m + held] */
  gradyn_initial_way way;
  gradyn_arena arena; /* of all arrays */
} gradyn_initial;

/* parts: GRADYN_ASSEMBLY, GRADYN_CONSTRAINT to leave out what is held, or GRADYN_AT_REST for an equilibrium,
 * which takes the place of the first for mechanisms that start so. */
enum { GRADYN_AT_REST = 0 };
gradyn_status gradyn_initial_create(gradyn_mech *mech, int parts, gradyn_initial *out);
/* For assembly, accelerations and their derivatives alone: where these take no matrix, none is formed. */
gradyn_status gradyn_initial_create_motion(gradyn_mech *mech, gradyn_initial *out);
void gradyn_initial_clear(gradyn_initial *initial);

/* Fills q, v, a, lam by the present data. GRADYN_NOT_ASSEMBLED names constraints that cannot be satisfied. */
gradyn_status gradyn_initial_solve(gradyn_initial *initial);

/* Position problem alone: fills q and, where it is solved in these coordinates, nu. */
gradyn_status gradyn_initial_place(gradyn_initial *initial);
/* Acceleration problem alone at a given state: fills a and lam from q, v. */
gradyn_status gradyn_initial_accelerate(gradyn_initial *initial, double t, const double *q,
                                        const double *v);
/* The same where forces read multipliers, from a and, behind it, lam of a state nearby. Not *found: they do
 * not lead there, and a and lam are anything. */
gradyn_status gradyn_initial_follow(gradyn_initial *initial, const gradyn_mech_state *near,
                                    bool *found);

/* Its derivatives at a state with a and lam: dal [n + m] = (da, dlam); and their transpose. */
gradyn_status gradyn_initial_accelerate_tangent(gradyn_initial *initial,
                                                const gradyn_mech_state *at,
                                                const gradyn_mech_vector *d, double *dal);
gradyn_status gradyn_initial_accelerate_transposed(gradyn_initial *s, const gradyn_mech_state *at,
                                                   const double *al_bar,
                                                   const gradyn_mech_sums *adjoints);

/* Derivatives in the direction dx [nx], dt: dq, dv, da [n], dlam [m]; da and dlam may be NULL. */
gradyn_status gradyn_initial_tangent(gradyn_initial *initial, const double *dx, double dt,
                                     double *dq, double *dv, double *da, double *dlam);

/* x_bar += (dq/dx)^T q_bar + (dv/dx)^T v_bar + (da/dx)^T a_bar + (dlam/dx)^T lam_bar, and t_bar, unless it is
 * NULL, of time. The bars are overwritten; a_bar and lam_bar may be NULL (both or none). */
gradyn_status gradyn_initial_transposed(gradyn_initial *initial, double *q_bar, double *v_bar,
                                        double *a_bar, double *lam_bar, double *x_bar,
                                        double *t_bar);

/* --- pieces that the solution and its derivatives share --------------------------------------- */

/* q and v from those of the origin. Coordinate i of what the position is to be near, and an entry of W. */
void gradyn_initial_take(gradyn_initial *initial);
double gradyn_initial_guess(const gradyn_initial *initial, int i);
double gradyn_initial_weight(const gradyn_initial *initial, int i);

/* The initial position with the multipliers nu; a state of the motion with a and lam. */
gradyn_mech_state gradyn_initial_place_state(const gradyn_initial *initial);
gradyn_mech_state gradyn_initial_motion_state(const gradyn_initial *initial, double t,
                                              const double *q, const double *v);

/* Evaluate and factorise the matrices of the three problems. second_order: with the curvature of
 * the constraints, which helps near the solution only. gradyn_initial_damped_matrix(): the first without
 * it and with -share row^2 on its diagonal. */
gradyn_status gradyn_initial_place_matrix(gradyn_initial *initial, bool second_order);
gradyn_status gradyn_initial_damped_matrix(gradyn_initial *initial, double share);
gradyn_status gradyn_initial_velocity_matrix(gradyn_initial *initial);
gradyn_status gradyn_initial_force_matrix(gradyn_initial *initial, const gradyn_mech_state *at);
/* The last one as if no force read multipliers; and solves with it, or its transpose, in place, b [n + m]. */
gradyn_status gradyn_initial_plain_matrix(gradyn_initial *initial, const gradyn_mech_state *at);
void gradyn_initial_solve_force(gradyn_initial *initial, bool transposed, double *b);

/* a and lam of `at` where forces read multipliers, by Newton's method from those of the forces at lam = 0; in
 * initial_reading.c. GRADYN_SINGULAR if such a multiplier is not unique or the mechanism locks,
 * GRADYN_NOT_CONVERGED if there are none or the forces are not smooth; the message names the force. */
gradyn_status gradyn_initial_read(gradyn_initial *initial, const gradyn_mech_state *at);

/* Whether the motion may go on where forces read multipliers, `at` with its a and lam. The determinants of
 * [M, R_lam; Phi_q, 0] and of [M, Phi_q^T; Phi_q, 0] have one sign until, at a zero of the first,
 * accelerations cease to exist. GRADYN_SINGULAR: they differ, the mechanism is locked; the message names
 * the force. Factorises the first. gradyn_initial_locks(): that status, with the message. */
gradyn_status gradyn_initial_unlocked(gradyn_initial *initial, const gradyn_mech_state *at);
gradyn_status gradyn_initial_locks(const gradyn_initial *initial, double t);

/* What finds positions where Newton's method does not, in initial_approach.c. From the present q down the
 * violations of the constraints, with damping: *left is 0 where they hold, otherwise what is missing, m;
 * *stuck: no small motion makes it less. */
gradyn_status gradyn_initial_restore(gradyn_initial *initial, double *left, bool *stuck);
/* The same from the guess or, if that ends halfway, from places around it. */
gradyn_status gradyn_initial_approach(gradyn_initial *initial, double *left, bool *stuck);
/* From where they hold along them towards the guess, until this part of its size is left; and nu. */
gradyn_status gradyn_initial_come_nearer(gradyn_initial *initial, double part);

/* Equilibrium, in equilibrium.c: from the present q to one near, q and nu; its matrix there, GRADYN_SINGULAR
 * with the name of a coordinate if it is not the only one near. */
gradyn_mech_state gradyn_initial_rest_state(const gradyn_initial *initial);
gradyn_status gradyn_initial_balance(gradyn_initial *initial);
gradyn_status gradyn_initial_check_isolated(gradyn_initial *initial);

/* Factorises one of the matrices; what: the problem, for the message. */
gradyn_status gradyn_initial_factor(gradyn_initial *initial, gradyn_saddle *matrix,
                                    const char *what);

/* S x = b, or S^T x = b, in place, without the tiny diagonal; A [dyn.nnz] and J are those of the factors. */
void gradyn_initial_solve_refined(gradyn_initial *initial, gradyn_saddle *matrix, const double *A,
                                  int rows, bool transposed, double *b);

#endif
