/* Monitors a run with long steps for singular positions. If a singular position is between two states, psi^T
 * Phi_q of some combination of constraints returns with the opposite sign (see singularity_monitor.h). Then
 * the symmetric part of the product of both Jacobians,
 *
 *   B = (J_0 J_1^T + J_1 J_0^T) / 2,
 *
 * has a negative eigenvalue. B is positive definite wherever the Jacobian changes by less than its smallest
 * singular value. A factorisation B = L D L^T shows this. A step with a negative pivot is divided along the
 * polynomial of degree five through positions, velocities and accelerations at its ends. The division ends
 * when all parts are clear, or short enough for gradyn_singularity_monitor_check(). */
#ifndef GRADYN_DAE_SINGULAR_PATH_H
#define GRADYN_DAE_SINGULAR_PATH_H

#include "dae/linear/singularity_monitor.h"

typedef struct gradyn_singular_path {
  gradyn_mech *mech;
  gradyn_singularity_monitor watch;
  double *last;         /* [jac.nnz + 1] Phi_q at the last state */
  double *from, *to;    /* [jac.nnz + 1] Phi_q at the ends of a part of a step */
  double *q, *v, *a;    /* [n] at the last state */
  double *position;     /* [n] position at the end of a part */
  double t;             /* time of the last state, s; NAN: none */
  int *order;           /* [m] constraint eliminated as the k-th */
  gradyn_pattern upper; /* of B in this order: columns of its upper triangle, stored as rows */
  /* [upper.nnz + 1] first product of an entry; the two entries of Phi_q of each product */
  int *first, *pair;
  double *B, *L, *D;                    /* [upper.nnz], entries of L, [m] */
  double *size, *work;                  /* [m] products of the squared lengths of rows; [m] */
  int *L_start, *L_index;               /* [m + 1], entries of L */
  int *parent, *count, *pattern, *flag; /* [m] */
  gradyn_arena arena;                   /* owns all arrays */
} gradyn_singular_path;

/* Comparison of two positions: no combination of constraints turns over between them; one may approach zero;
 * one turns over. */
typedef enum gradyn_singular_outcome {
  GRADYN_PATH_CLEAR,
  GRADYN_PATH_NEAR,
  GRADYN_PATH_TURNED
} gradyn_singular_outcome;

/* Allocates the arrays; mech must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status gradyn_singular_path_create(gradyn_mech *mech, gradyn_singular_path *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_singular_path_clear(gradyn_singular_path *s);

/* Discards the states of earlier checks, as at the start of an arc. */
void gradyn_singular_path_reset(gradyn_singular_path *s);

/* Returns whether a combination of constraints turns over between two positions, by the signs of the pivots
 * of B. J0, J1 [jac.nnz + 1]: Phi_q at the first and at the second position. The mechanism must have
 * constraints. Overwrites the arrays of B and its factors. */
gradyn_singular_outcome gradyn_singular_path_compare(gradyn_singular_path *s, const double *J0,
                                                     const double *J1);

/* Checks a step of prescribed length, before gradyn_singular_path_look(). Error: GRADYN_SINGULAR, with
 * times and names: velocities have jumped next to a singular position since the last state. */
gradyn_status gradyn_singular_path_judge_leap(gradyn_singular_path *s, const gradyn_mech_state *at);

/* Checks an accepted state, with its accelerations, which becomes the last state. Error: GRADYN_SINGULAR,
 * with time and names: a singular position was passed since the last state. */
gradyn_status gradyn_singular_path_look(gradyn_singular_path *s, const gradyn_mech_state *at);

#endif
