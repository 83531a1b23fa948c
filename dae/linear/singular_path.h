/* Watches a march whose steps may be long for singular positions. If one lies between two states, the
 * slope psi^T Phi_q of some combination of constraints comes back with the opposite sign (see
 * singular_watch.h), so that the symmetric part of the product of both Jacobians,
 *     B = (J_0 J_1^T + J_1 J_0^T) / 2,
 * has a negative eigenvalue; it is positive definite wherever the Jacobian changes by less than its
 * smallest singular value. A factorisation B = L D L^T tells it. Where it does, the step is gone
 * through in shorter ones, along the polynomial of degree five through positions, velocities and
 * accelerations at its ends, until they are clear, or so short that gradyn_singularity_monitor_check()
 * decides. */
#ifndef GRADYN_DAE_SINGULAR_PATH_H
#define GRADYN_DAE_SINGULAR_PATH_H

#include "dae/linear/singularity_monitor.h"

typedef struct gradyn_singular_path {
  gradyn_mech *mech;
  gradyn_singularity_monitor watch;
  double *last;         /* [jac.nnz + 1] Phi_q at the last state */
  double *from, *to;    /* [jac.nnz + 1] Phi_q at the ends of a piece of a step */
  double *q, *v, *a;    /* [n] at the last state */
  double *place;        /* [n] position at the end of a piece */
  double t;             /* of the last state, s; NAN: none yet */
  int *order;           /* [m] constraint that is eliminated k-th */
  gradyn_pattern upper; /* of B in that order: columns of its upper triangle, as rows */
  int *first, *pair; /* [upper.nnz + 1] where an entry's products begin; the two entries of Phi_q */
  double *B, *L, *D; /* [upper.nnz], entries of L, [m] */
  double *size, *work;    /* [m] products of the squares of the lengths of rows; [m] */
  int *L_start, *L_index; /* [m + 1], entries of L */
  int *parent, *count, *pattern, *flag; /* [m] */
  gradyn_arena arena;                   /* of all arrays */
} gradyn_singular_path;

/* Of two places: no combination of constraints turns over between them; one may come near zero; one does
 * turn. */
typedef enum gradyn_singular_outcome {
  GRADYN_PATH_CLEAR,
  GRADYN_PATH_NEAR,
  GRADYN_PATH_TURNED
} gradyn_singular_outcome;

gradyn_status gradyn_singular_path_create(gradyn_mech *mech, gradyn_singular_path *out);
void gradyn_singular_path_clear(gradyn_singular_path *s);

/* Forgets earlier states. */
void gradyn_singular_path_reset(gradyn_singular_path *s);

/* What the Jacobians [jac.nnz + 1] of two places tell. */
gradyn_singular_outcome gradyn_singular_path_compare(gradyn_singular_path *s, const double *J0,
                                                     const double *J1);

/* Before that: whether velocities have leapt since the last state next to a singular position, over a step
 * whose error nobody has judged. GRADYN_SINGULAR with times and names. */
gradyn_status gradyn_singular_path_judge_leap(gradyn_singular_path *s, const gradyn_mech_state *at);

/* Looks at an accepted state with its accelerations; GRADYN_SINGULAR with time and names if a singular
 * position has been passed since the last one. */
gradyn_status gradyn_singular_path_look(gradyn_singular_path *s, const gradyn_mech_state *at);

#endif
