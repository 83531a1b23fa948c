/* The system of constrained dynamics
 *     [M  J^T] (x; mu)
 *     [J   0 ]
 * at one position, J = Phi_q: accelerations and multipliers solve it, and whatever is brought back onto
 * the constraints along M. How it is factorised is chosen once for a run (dae/linear/factors.h).
 *
 * Rows of velocities alone are among those of J, A say, but hold no positions. These take the same factors:
 * with right-hand sides g of those rows that make their multipliers zero, the others are as if they were not
 * there. With C = S^-1 E, E the unit vectors of such rows, and T = E^T C, which is -(A M^-1 A^T)^-1 where
 * nothing else holds, these are T g = -E^T S^-1 b, and S^-1 b + C g is the solution. */
#ifndef GRADYN_DAE_PROJECTION_H
#define GRADYN_DAE_PROJECTION_H

#include "dae/linear/factors.h"

typedef struct gradyn_projection {
  gradyn_mech *mech;
  gradyn_factors factors;
  gradyn_factors_kind kind; /* in force for this run */
  bool own;                 /* the mechanism's own factors, and no M */
  double *M;                /* [dyn.nnz + 1] */
  double *J, *next;         /* [jac.nnz + 1] of the factors; where they may come from next */
  bool stand;               /* the factors are those of M and J */
  long factorisations;
  double *C, *T;   /* [rolling][n + m], -T of place() as a complement with its factors */
  gradyn_lanes *g; /* [2 rolling] scratch */
  gradyn_arena arena;
} gradyn_projection;

gradyn_status gradyn_projection_create(gradyn_mech *mech, gradyn_projection *out);
void gradyn_projection_clear(gradyn_projection *s);

/* Chooses the kind for a run by the position where it starts. */
gradyn_status gradyn_projection_begin(gradyn_projection *s, const gradyn_mech_state *at);

/* Evaluates M and J at (t, q) and factorises, unless factors of the same M and J stand already, as those of
 * linear constraints do all along. GRADYN_SINGULAR names what is singular. */
gradyn_status gradyn_projection_factor(gradyn_projection *s, const gradyn_mech_state *at);

/* J [jac.nnz + 1] where factor() was called last, at that state; valid until the next call. */
gradyn_status gradyn_projection_slopes(gradyn_projection *s, const gradyn_mech_state *at,
                                       const double **J);
/* y [n] += M x there, for one pack of lanes. */
void gradyn_projection_weigh(gradyn_projection *s, const gradyn_mech_state *at,
                             const gradyn_lanes *x, gradyn_lanes *y);

/* Room for what saves the factorisation at a position visited before, and its use by lanes. */
size_t gradyn_projection_size(const gradyn_projection *s);
void gradyn_projection_save(const gradyn_projection *s, double *capacity);
gradyn_status gradyn_projection_restore(gradyn_projection *s, const gradyn_mech_state *at,
                                        const double *capacity);

/* Solves in place, count right-hand sides b [count][n + m]. */
void gradyn_projection_solve(gradyn_projection *s, double *b, int count);

/* Solves for lanes of right-hand sides b, `columns` of which are in use, with two lanes to an entry where
 * they are more than GRADYN_LANES; x does not overlap b. what: GRADYN_SOLVE_RATES and GRADYN_SOLVE_MINUS. */
void gradyn_projection_solve_lanes(gradyn_projection *s, int columns, unsigned what,
                                   const gradyn_lanes *b, gradyn_lanes *x);

/* Makes ready for positions at the factors in force; nothing without rows of velocities. GRADYN_SINGULAR:
 * these depend on other rows. */
gradyn_status gradyn_projection_place(gradyn_projection *s, double t);

/* The same two for positions, behind place(); right-hand sides of rows of velocities are zero. */
void gradyn_projection_solve_place(gradyn_projection *s, double *b);
void gradyn_projection_solve_place_lanes(gradyn_projection *s, int columns, unsigned what,
                                         const gradyn_lanes *b, gradyn_lanes *x);

#endif
