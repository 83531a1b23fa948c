/* The system of constrained dynamics
 *
 *   [M  J^T] (x; mu)
 *   [J   0 ]
 *
 * at one position, J = Phi_q. Its solutions are accelerations and multipliers, and projections onto the
 * constraints in the metric of M. The kind of factors is chosen once per run (dae/linear/factors.h).
 *
 * Nonholonomic rows A of J do not restrict positions. Positions use the same factors, with right-hand sides g
 * of these rows that make their multipliers zero; the other unknowns are then as if these rows did not exist.
 * Let E be the unit vectors of these rows, C = S^-1 E, and T = E^T C, which is -(A M^-1 A^T)^-1 without other
 * constraints. Then T g = -E^T S^-1 b, and S^-1 b + C g is the solution. */
#ifndef GRADYN_DAE_PROJECTION_H
#define GRADYN_DAE_PROJECTION_H

#include "dae/linear/factors.h"

typedef struct gradyn_projection {
  gradyn_mech *mech;
  gradyn_factors factors;
  gradyn_factors_kind kind; /* kind of this run */
  bool own;                 /* the mechanism's own factors, without M */
  double *M;                /* [dyn.nnz + 1] */
  double *J, *next;         /* [jac.nnz + 1] J of the factors; workspace for the next J */
  bool stand;               /* the factors are those of M and J */
  long factorisations;
  double *C, *T;   /* C [rolling][n + m]; -T with its factors, see gradyn_projection_place() */
  gradyn_lanes *g; /* [2 rolling] workspace */
  gradyn_arena arena;
} gradyn_projection;

/* Allocates the factors; mech must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status gradyn_projection_create(gradyn_mech *mech, gradyn_projection *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_projection_clear(gradyn_projection *s);

/* Chooses the kind of factors for a run by its first position, and factorises there; also clears
 * `factorisations`. A constant M is evaluated only here. Errors: GRADYN_SINGULAR, with the name of an
 * unknown; GRADYN_NON_FINITE; GRADYN_NO_MEMORY; failures of the mechanism's functions. */
gradyn_status gradyn_projection_begin(gradyn_projection *s, const gradyn_mech_state *at);

/* Evaluates M, unless constant, and J at (t, q) and factorises the system with the kind of this run.
 * Factors of the same M and J are kept, as for linear constraints. Errors: GRADYN_SINGULAR names the
 * dependent constraint or unknown; GRADYN_NON_FINITE; GRADYN_NO_MEMORY; failures of the mechanism's
 * functions. */
gradyn_status gradyn_projection_factor(gradyn_projection *s, const gradyn_mech_state *at);

/* Sets *J to Phi_q [jac.nnz + 1] at the state `at` of the last factor(), borrowed until the next factor().
 * Errors: failures of the constraints. */
gradyn_status gradyn_projection_slopes(gradyn_projection *s, const gradyn_mech_state *at,
                                       const double **J);

/* Adds M x [n] to y [n], at the state `at` of the last factor(), for one group of lanes. */
void gradyn_projection_weigh(gradyn_projection *s, const gradyn_mech_state *at,
                             const gradyn_lanes *x, gradyn_lanes *y);

/* Returns the number of doubles that gradyn_projection_save() may write; 0: no kind of this system is
 * stored. */
size_t gradyn_projection_size(const gradyn_projection *s);

/* Copies the present factors to `capacity` [gradyn_projection_size()]. */
void gradyn_projection_save(const gradyn_projection *s, double *capacity);

/* Makes factors stored in `capacity` [gradyn_projection_size()] the present ones, for solves in lanes only.
 * If their kind is not stored, factorises again at *at, with the errors of gradyn_projection_factor(). */
gradyn_status gradyn_projection_restore(gradyn_projection *s, const gradyn_mech_state *at,
                                        const double *capacity);

/* Solves the system with the present factors, in place, for count right-hand sides b [count][n + m]. */
void gradyn_projection_solve(gradyn_projection *s, double *b, int count);

/* Solves for `columns` right-hand sides b in lanes; entries have two lanes if there are more than
 * GRADYN_LANES columns. b, x [n + m]; x must not overlap b. what: GRADYN_SOLVE_RATES and GRADYN_SOLVE_MINUS;
 * multipliers are always computed. */
void gradyn_projection_solve_lanes(gradyn_projection *s, int columns, unsigned what,
                                   const gradyn_lanes *b, gradyn_lanes *x);

/* Prepares solves for positions with the present factors; no effect without nonholonomic rows. t: time for
 * messages, s. Error: GRADYN_SINGULAR, nonholonomic rows depend on other rows. */
gradyn_status gradyn_projection_place(gradyn_projection *s, double t);

/* Solves the system of positions with the present factors, after gradyn_projection_place(), in place, for
 * one right-hand side b [n + m]. Right-hand sides of nonholonomic rows must be zero; multipliers of these
 * rows become zero. */
void gradyn_projection_solve_place(gradyn_projection *s, double *b);

/* Solves the system of positions, after gradyn_projection_place(), for `columns` right-hand sides b in
 * lanes; entries have two lanes if there are more than GRADYN_LANES columns. b, x [n + m]; x must not
 * overlap b. what: GRADYN_SOLVE_RATES and GRADYN_SOLVE_MINUS. */
void gradyn_projection_solve_place_lanes(gradyn_projection *s, int columns, unsigned what,
                                         const gradyn_lanes *b, gradyn_lanes *x);

#endif
