/* A mechanism as an index-1 system: parts shared by forward and adjoint functions. */
#ifndef GRADYN_DAE_INDEX1_MECH_H
#define GRADYN_DAE_INDEX1_MECH_H

#include "core/linear/saddle.h"
#include "dae/systems/index1.h"
#include "dae/start/initial.h"
#include "dae/linear/singular_path.h"

typedef struct gradyn_mech_system {
  gradyn_index1 base;
  gradyn_mech *mech;
  double alpha, beta; /* Baumgarte parameters, 1/s */
  gradyn_initial initial;
  gradyn_saddle saddle;
  gradyn_singular_path path;
  double *id;                     /* [ny] 1: q and v, 0: a and lam */
  int *differential;              /* [2 n] */
  double *K, *C, *M, *A;          /* [dyn.nnz + 1] dR/dq, dR/dv, dR/da, a combination */
  double *J, *J1, *Gq, *Gv, *low; /* [jac.nnz + 1] Phi_q, Phi'_q, dG/dq, dG/dv, a combination */
  const double *U; /* [jac.nnz + 1] (dR/dlam)^T: J, or own with multiplier-dependent forces */
  double *own;
  double *phi;         /* [m] workspace */
  double *b;           /* [n + m] workspace */
  gradyn_lanes *lanes; /* [GRADYN_MECH_TERMS][n + m] workspace of products by data */
  double *head;        /* [2 n] workspace */
  double *F;           /* [ny] workspace */
  double cj;           /* cj given to the last factor() or adjoint_factor() */
  double t;            /* s; this and the next: point of the last linearise() */
  const double *y;     /* [ny] borrowed */
  gradyn_arena arena;  /* owns all arrays */
} gradyn_mech_system;

/* Writes to term and factor [GRADYN_MECH_TERMS] the terms of which R and the stabilised constraints G at a
 * state are the sum, each term times its factor. Terms borrow *at's arrays. Returns the number of terms;
 * without stabilisation 1. */
int gradyn_mech_system_terms(const gradyn_mech_system *s, const gradyn_mech_state *at,
                             gradyn_mech_term *term, double *factor);

/* Factorises [M + C/c + K/c^2, R_lam; Phi_q + Gv/c + Gq/c^2, 0] for inverse = 1/c, s, from the matrices of
 * the last linearise(); with inverse 0 the algebraic part remains. Errors: GRADYN_SINGULAR or
 * GRADYN_NON_FINITE, with the name of an unknown; GRADYN_NO_MEMORY. */
gradyn_status gradyn_mech_system_factor(gradyn_mech_system *s, double inverse);

/* Adjoint functions of gradyn_index1_ops, at the point of the last linearise(). z = (p, eta) and zp [np +
 * ne] per functional; np = 2 n, ne = n + m. */

/* Sets r [np + ne] to the residual of the adjoint equations, for z, its rates zp, and the gradient g_y [ny]
 * of the integrand. */
void gradyn_mech_adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                                  const double *g_y, double *r);

/* Factorises the Newton matrix of the adjoint residual: its derivative by z plus cj, 1/s, times that by zp.
 * Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_mech_adjoint_factor(gradyn_index1 *base, double cj);

/* Solves with the matrix of gradyn_mech_adjoint_factor() in place, b [np + ne]. */
void gradyn_mech_adjoint_solve(gradyn_index1 *base, double *b);

/* Subtracts F_x^T eta from x_bar [count][nx], for `count` functionals with z [count][np + ne]. Errors:
 * failures of the mechanism's functions. */
gradyn_status gradyn_mech_adjoint_data(gradyn_index1 *base, int count, const double *z,
                                       double *x_bar);

/* Computes eta in z, and zp, from p in z and the gradient g_y [ny] of the integrand, at the end of an arc.
 * Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_mech_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                          const double *g_y);

/* Adds the contributions of a terminal functional to p [np], x_bar [nx] and *t_bar. w_y [ny]: its gradient
 * by the states; w_yp [2 n], or NULL: by the rates of q and v. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE,
 * GRADYN_NO_MEMORY; failures of the mechanism's functions. */
gradyn_status gradyn_mech_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                           const double *w_yp, double *p, double *x_bar,
                                           double *t_bar);

#endif
