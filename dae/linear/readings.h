/* Accelerations and multipliers with multiplier-dependent forces, by a small system for the loads of these
 * forces (core/mech/multiplier_forces.h). Only factors of the matrix without these forces are needed. */
#ifndef GRADYN_DAE_READINGS_H
#define GRADYN_DAE_READINGS_H

#include "core/linear/linsys.h"
#include "dae/linear/projection.h"

typedef struct gradyn_multiplier_forces {
  gradyn_mech *mech;
  int size, loads, numbers; /* n + m; numbers of loads and of their arguments */
  int record;               /* length of a stored solution, which begins with w */
  double *b;                /* [n + m] */
  double *w;                /* [numbers] w_0 */
  double *tau, *rest;       /* [loads] loads, and residuals of their equations */
  gradyn_lanes *side, *y;   /* [groups of lanes][n + m] right-hand sides; columns (Y, y_0) */
  /* [groups of lanes][numbers] W times the columns; [groups of lanes] (u, 1) */
  gradyn_lanes *WY, *u;
  int packs;
  gradyn_lanes *g;       /* [numbers + loads] */
  const double *slope;   /* derivatives in the present record */
  gradyn_linsys *matrix; /* [loads][loads] */
  gradyn_arena arena;
} gradyn_multiplier_forces;

/* Creates the small system of a mechanism that provides one and must outlive *out. Clear *out in any case.
 * Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_multiplier_forces_create(gradyn_mech *mech, gradyn_multiplier_forces *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_multiplier_forces_clear(gradyn_multiplier_forces *s);

/* Computes al [n + m] = (a, lam) at a state whose position `factors` has factorised, and record [s->record],
 * which later solves at this state need. near: record of a similar state, for initial loads; NULL: none.
 * *found false with GRADYN_OK: Newton's method does not converge, or the mechanism locks; al and record are
 * then not valid, use gradyn_initial_accelerate(). `at`: only t, q and v are read. Errors: GRADYN_NO_MEMORY;
 * failures of the forces. */
gradyn_status gradyn_multiplier_forces_solve(gradyn_multiplier_forces *s,
                                             gradyn_projection *factors,
                                             const gradyn_mech_state *at, const double *near,
                                             double *al, double *record, bool *found);

/* Computes the record of an al = (a, lam) that is not the result of gradyn_multiplier_forces_solve(). Call
 * that function at the same state before. Errors: GRADYN_NO_MEMORY; failures of the forces. */
gradyn_status gradyn_multiplier_forces_evaluate(gradyn_multiplier_forces *s,
                                                const gradyn_projection *factors,
                                                const gradyn_mech_state *at, const double *al,
                                                double *record);

/* Prepares solves at a state, with its record, borrowed until the last solve. Errors, without a message:
 * GRADYN_SINGULAR, the mechanism locks; GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_multiplier_forces_linearise(gradyn_multiplier_forces *s,
                                                 const gradyn_mech_state *at, const double *record);

/* Sets x [n + m] to -S^-1 b, or to S^-T b if transposed, with S = [M - Q_a, Phi_q^T - Q_lam; Phi_q, 0], for
 * `columns` lanes of one group. `factors` must be those of the state of linearise(). */
void gradyn_multiplier_forces_solve_lanes(gradyn_multiplier_forces *s, gradyn_projection *factors,
                                          int columns, bool transposed, const gradyn_lanes *b,
                                          gradyn_lanes *x);

#endif
