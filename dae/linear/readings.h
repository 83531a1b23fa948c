/* Accelerations and multipliers where forces read multipliers, by a small system of what these forces load
 * (core/mech/multiplier_forces.h), with factors of the matrix that leaves them out: nothing of the size of
 * the whole. */
#ifndef GRADYN_DAE_READINGS_H
#define GRADYN_DAE_READINGS_H

#include "core/linear/linsys.h"
#include "dae/linear/projection.h"

typedef struct gradyn_multiplier_forces {
  gradyn_mech *mech;
  int size, loads, numbers; /* n + m; of the small system */
  int record;               /* numbers that a solution is kept in, w first */
  double *b;                /* [n + m] */
  double *w;                /* [numbers] w_0 */
  double *tau, *rest;       /* [loads] loads, what is left of their equations */
  gradyn_lanes *side, *y;   /* [packs][n + m] right-hand sides, columns (Y, y_0) */
  gradyn_lanes *WY, *u;     /* [packs][numbers] W of these, [packs] (u, 1) */
  int packs;
  gradyn_lanes *g;       /* [numbers + loads] */
  const double *slope;   /* of the record in hand */
  gradyn_linsys *matrix; /* [loads][loads] */
  gradyn_arena arena;
} gradyn_multiplier_forces;

/* Of a mechanism that offers such a system. */
gradyn_status gradyn_multiplier_forces_create(gradyn_mech *mech, gradyn_multiplier_forces *out);
void gradyn_multiplier_forces_clear(gradyn_multiplier_forces *s);

/* (a, lam) [n + m] at a state whose position has been factorised, and its record; near: that of a state
 * close by, from which loads begin, or NULL. Not *found: Newton's method does not settle, or the mechanism
 * locks: see gradyn_initial_accelerate(). */
gradyn_status gradyn_multiplier_forces_solve(gradyn_multiplier_forces *s,
                                             gradyn_projection *factors,
                                             const gradyn_mech_state *at, const double *near,
                                             double *al, double *record, bool *found);

/* The record of (a, lam) found otherwise, after that at the same state. */
gradyn_status gradyn_multiplier_forces_evaluate(gradyn_multiplier_forces *s,
                                                const gradyn_projection *factors,
                                                const gradyn_mech_state *at, const double *al,
                                                double *record);

/* Makes ready for solves at a state with factors and its record; x = -S^-1 b, or S^-T b, of
 * S = [M - Q_a, Phi_q^T - Q_lam; Phi_q, 0], for one pack of lanes. GRADYN_SINGULAR: it locks. */
gradyn_status gradyn_multiplier_forces_linearise(gradyn_multiplier_forces *s,
                                                 const gradyn_mech_state *at, const double *record);
void gradyn_multiplier_forces_solve_lanes(gradyn_multiplier_forces *s, gradyn_projection *factors,
                                          int columns, bool transposed, const gradyn_lanes *b,
                                          gradyn_lanes *x);

#endif
