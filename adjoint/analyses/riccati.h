/* The Riccati equation backward along a nominal,
 *     -P' = A^T P + P A + Q - P B R^-1 B^T P,
 * by the transition matrix of its Hamiltonian system over short steps: with (w, p)' = H (w, p),
 *     H = [A, -B R^-1 B^T; -Q, -A^T],   (w, p)(end) = Psi (w, p)(start),   p = P w,
 * P at the start solves (Psi_22 - P Psi_12) P' = P Psi_11 - Psi_21. */
#ifndef GRADYN_ADJOINT_RICCATI_H
#define GRADYN_ADJOINT_RICCATI_H

#include "adjoint/analyses/nominal.h"

typedef struct gradyn_riccati {
  gradyn_nominal *nominal; /* borrowed */
  int size, inputs, rank;  /* size: of the present chart */
  int largest;             /* size of the arrays */
  const double *G;         /* [nz][rank] Q = G G^T on all differential states, borrowed */
  const double
      *R_root; /* [inputs][inputs] Cholesky factor of R, by columns, borrowed; NULL: covariances */
  gradyn_nominal_matrices matrices;
  double *C, *BT;        /* [inputs][size] R^-1 B^T; workspace */
  double *LG;            /* [size][rank] */
  double *H, *Y, *slope; /* [2 size]^2 each; slope [stages] of them */
  double *z;             /* [nz] */
  double *Psi;           /* [capacity] matrices [2 size]^2, size of the largest chart */
  int parts, capacity;   /* steps of the last interval; capacity of Psi */
  double *left, *right;  /* [size]^2 */
  double *P[2];          /* [size]^2 with `parts` steps and with twice as many */
  int *pivot;            /* [size] */
  gradyn_arena arena;    /* owns all arrays but Psi */
} gradyn_riccati;

/* Allocates the arrays. dx [inputs][nx]: changes of the data for unit inputs; rank, G, R_root: as the
 * members. All arrays and the nominal are borrowed and must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_riccati_create(gradyn_nominal *nominal, int inputs, const double *dx, int rank,
                                    const double *G, const double *R_root, gradyn_riccati *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_riccati_clear(gradyn_riccati *s);

/* Replaces P at node k + 1 by P at node k; both are [size][size] in the chart of their node, and the array
 * must have space for the largest chart. Call it for k from the last node but one down to 0. Errors:
 * GRADYN_NOT_CONVERGED; GRADYN_SINGULAR; GRADYN_NO_MEMORY; GRADYN_INTERRUPTED; those of gradyn_nominal_jump()
 * and gradyn_nominal_rates(). P is then undefined. */
gradyn_status gradyn_riccati_back(gradyn_riccati *s, int k, double *P);

/* Replaces P [size][size] at node k by P at node k + 1, in the chart of that node. With rank 0 and R_root
 * NULL, P is a covariance and the inputs are white noise of intensity 1: P' = A P + P A^T + B B^T, H = [A,
 * B B^T; 0, -A^T]. Errors: GRADYN_NOT_CONVERGED; GRADYN_SINGULAR; GRADYN_NO_MEMORY; GRADYN_INTERRUPTED;
 * failures of the equations and of jumps. P is then undefined. */
gradyn_status gradyn_riccati_forward(gradyn_riccati *s, int k, double *P);

/* Computes K [inputs][size] = R^-1 B^T P at node k, for P [size][size] there, both in its chart. Errors:
 * GRADYN_SINGULAR; those of gradyn_nominal_rates(). */
gradyn_status gradyn_riccati_gain(gradyn_riccati *s, int k, const double *P, double *K);

#endif
