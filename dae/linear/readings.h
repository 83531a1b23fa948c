/* Accelerations and multipliers where forces read multipliers, by a small system of what these forces load
 * (core/mech/readings.h), with factors of the matrix that leaves them out: nothing of the size of the
 * whole. */
#ifndef GRADYN_DAE_READINGS_H
#define GRADYN_DAE_READINGS_H

#include "core/linear/linsys.h"
#include "dae/linear/projection.h"

typedef struct gradyn_readings {
  gradyn_mech *mech;
  int size, loads, numbers; /* n + m; of the small system */
  double *b;                /* [n + m] */
  double *w, *W;            /* [numbers] w_0, [numbers][loads] by loads */
  double *tau, *first;      /* [loads] present loads, those at w = 0 */
  double *u, *rest;         /* [loads] what they have changed by, what is left of their equations */
  double *slope;            /* [loads][numbers] */
  gradyn_lanes *side, *y;   /* [packs][n + m] right-hand sides, columns */
  gradyn_lanes *g;          /* [numbers + loads] */
  gradyn_linsys *matrix;    /* [loads][loads] */
  gradyn_arena arena;
} gradyn_readings;

/* Nothing, of a mechanism that offers no such system. */
gradyn_status gradyn_readings_create(gradyn_mech *mech, gradyn_readings *out);
void gradyn_readings_clear(gradyn_readings *s);

/* (a, lam) [n + m] at a state whose position has been factorised, and w there. Not *found: Newton's
 * method does not settle, or the mechanism locks: see gradyn_initial_accelerate(). */
gradyn_status gradyn_readings_solve(gradyn_readings *s, gradyn_projection *factors,
                                    const gradyn_mech_state *at, double *al, double *w,
                                    bool *found);

/* w of (a, lam) found otherwise. */
gradyn_status gradyn_readings_look(gradyn_readings *s, const gradyn_projection *factors,
                                   const gradyn_mech_state *at, const double *al, double *w);

/* Makes ready for solves at a state with factors and w; x = -S^-1 b, or S^-T b, of
 * S = [M - Q_a, Phi_q^T - Q_lam; Phi_q, 0], for one pack of lanes. GRADYN_SINGULAR: it locks. */
gradyn_status gradyn_readings_linearise(gradyn_readings *s, gradyn_projection *factors,
                                        const gradyn_mech_state *at, const double *w);
void gradyn_readings_solve_lanes(gradyn_readings *s, gradyn_projection *factors, int columns,
                                 bool transposed, const gradyn_lanes *b, gradyn_lanes *x);

#endif
