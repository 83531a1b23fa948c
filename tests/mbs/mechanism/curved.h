/* Coordinates that are no components of vectors: a mechanism whose first body, in the plane, is given by
 * (x, y, angle) in place of its centre and base vectors.
 *
 * The mechanism is declared as always, and its elements see what they always see: components X of vectors. A
 * place X = S(q) stands between them and the schemes; it is a model of mech.h that asks another one. S
 * and W = S_q are given once, in time jets, and all else follows from seeds:
 *   X' = W v,   X'' = W a + W' v,   dX' = W dv + W' dq,   dX'' = 2 W' dv + W'' dq,
 *   R = W^T R_X,   (W^T F)_q e_j = (W')^T F for the seed v = e_j.
 * What the base vectors' own constraints say holds by itself: these rows are left out. The mass matrix
 * W^T M W varies. */
#ifndef GRADYN_TESTS_CURVED_H
#define GRADYN_TESTS_CURVED_H

#include "mbs/elements/mechanism.h"

enum { CURVED_FULL = 12, CURVED_OWN = 9, CURVED_ROWS = 16, CURVED_FUNCTIONALS = 6 };

/* S and S_q with their first two time derivatives. */
typedef struct curved_place {
  double X[3][CURVED_FULL], W[3][CURVED_FULL][CURVED_OWN];
} curved_place;

typedef struct curved {
  gradyn_mech mech; /* first member: what schemes see */
  gradyn_mech *natural;
  gradyn_model_ops ops; /* of the model, in place of these: */
  const gradyn_model_ops *natural_ops;
  gradyn_functional_entry functional[CURVED_FUNCTIONALS]; /* as they were declared */
  int own[CURVED_FULL]; /* the coordinate that X_i is; -1: the body's */
  int base[3];          /* where the body's centre and base vectors begin in X */
  int body;             /* where x, y and the angle begin in q */
  int angle;            /* data: the approximate initial angle and its rate */
  int row[CURVED_ROWS]; /* rows of the constraints that are left */
  int q0[CURVED_OWN], v0[CURVED_OWN];
  double length_scale[CURVED_OWN];
  double *K, *C, *M, *J[3]; /* in the patterns of the natural model */
} curved;

/* A build() declares everything between these two; the second one returns what gradyn_build_status() does.
 * angle: number of the datum that is the approximate initial angle; the next one is its rate. */
void curved_open(gradyn_model *model);
gradyn_status curved_close(gradyn_model *model, int angle);

/* The place at a state; v and a may be NULL. */
void curved_move(const curved *c, const double *q, const double *v, const double *a,
                 curved_place *p);

/* A state as elements see it, with the multipliers of all rows. */
typedef struct curved_state {
  curved_place at;
  double lam[CURVED_ROWS];
  gradyn_mech_state state;
} curved_state;

/* Evaluates the body. rows: number of the first constraints whose multipliers count. v, a: false: velocities
 * or accelerations count as zero. */
void curved_look(const curved *c, const gradyn_mech_state *at, int rows, bool v, bool a,
                 curved_state *f);
/* What the selected parts see; returns the parts to ask for: W' v belongs to the forces, W a to the inertia,
 * and both feel the mass. */
int curved_look_at_parts(const curved *c, int parts, const gradyn_mech_state *at, curved_state *f);
/* H = (W^T F)_q [n][n] at a position. */
void curved_bend(const curved *c, const double *q, const double *F, double *H);

/* Products, in curved_products.c. */
gradyn_status curved_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           const gradyn_mech_change *d, gradyn_lanes *const *r);
gradyn_status curved_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                             gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);

/* q_bar += W^T X_bar + W'^T V_bar + W''^T A_bar, v_bar += W^T V_bar + 2 W'^T A_bar, a_bar += W^T A_bar;
 * each may be NULL. */
void curved_pull(const curved *c, const curved_place *p, gradyn_lanes (*bar)[CURVED_FULL],
                 gradyn_lanes *q, gradyn_lanes *v, gradyn_lanes *a);

extern const gradyn_mech_ops curved_mech_ops;

#endif
