/* A node of a run of ALI3-P for the continuous adjoint: unprojected velocities and accelerations, matrices,
 * and the adjoints of the two projections. */
#ifndef GRADYN_ADJOINT_ALI3P_CONTINUOUS_NODE_H
#define GRADYN_ADJOINT_ALI3P_CONTINUOUS_NODE_H

#include "core/mech/vector.h"
#include "dae/linear/factors.h"
#include "dae/fixed/fixed.h"

/* Equations for gradyn_adjoint_node_subtract(). */
typedef enum gradyn_adjoint_part {
  GRADYN_ADJOINT_MOTION,      /* R = M a* + Phi_q^T lam - Q */
  GRADYN_ADJOINT_VELOCITY,    /* M w + Phi_q^T sigma, w = v - v* */
  GRADYN_ADJOINT_ACCELERATION /* M u + Phi_q^T kappa, u = a - a* */
} gradyn_adjoint_part;

typedef struct gradyn_adjoint_node {
  gradyn_fixed *march;
  gradyn_model *model;
  gradyn_mech *mech;
  int n, m;
  gradyn_factors_kind kind;       /* of all nodes */
  gradyn_factors motion, project; /* [A, J^T; J, 0] and [M, J^T; J, 0] */
  double *K, *C, *M, *A;          /* [dyn.nnz + 1]; A: M + h/2 C + h^2/4 K */
  double *J;                      /* [jac.nnz + 1] Phi_q */
  double *vs, *as, *w, *u;        /* [n] v*, a*, v - v*, a - a* */
  double *sigma, *kappa;          /* [n + m] multipliers of the projections, from entry n on */
  double *lam;                    /* [m] multipliers of a*: those of the node minus kappa */
  double *minus, *rest;           /* [n + m] scratch */
  gradyn_lanes *work;             /* [3 n + m] */
  gradyn_arena arena;             /* owns all arrays */
  const double *at;               /* the present node: q, v, a, lam */
  const double *before;           /* the node before it; NULL: none */
  double t, weight;               /* s; its weight in integrals, s */
} gradyn_adjoint_node;

/* Allocates all arrays; march must outlive *out. Clear *out in any case. Error: GRADYN_NO_MEMORY, without a
 * message. */
gradyn_status gradyn_adjoint_node_create(gradyn_fixed *march, gradyn_adjoint_node *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_adjoint_node_clear(gradyn_adjoint_node *s);

/* Makes node k, from 0, of a run with `keep` the present one: computes all members but motion and A. The node
 * is borrowed until the next visit. first: first visit of a sweep, which chooses the kind of factors. Errors:
 * those of gradyn_fixed_nodes(), of the factors and of the equations. */
gradyn_status gradyn_adjoint_node_visit(gradyn_adjoint_node *s, int k, bool first);

/* Computes A for steps of length h, s, at the present node, and factorises motion. Errors: GRADYN_SINGULAR,
 * no kind of factors succeeds; GRADYN_NON_FINITE; GRADYN_NO_MEMORY. */
gradyn_status gradyn_adjoint_node_factor_motion(gradyn_adjoint_node *s, double h);

/* Replaces b [n + m] by S^-T b for the matrix S of motion. */
void gradyn_adjoint_node_solve_motion(gradyn_adjoint_node *s, double *b);
/* Replaces b [n + m] by S^-T b for the matrix S of project. */
void gradyn_adjoint_node_solve_projection(gradyn_adjoint_node *s, double *b);

/* Computes the adjoints of the two projections for the derivatives y_bar [3 n + m] of a functional: alpha [n
 * + m] of accelerations, beta [n + m] of velocities. c [n]: the part of the rate of mu1 by alpha, beta and
 * y_bar. All three are overwritten. Errors: those of the equations. */
gradyn_status gradyn_adjoint_node_project(gradyn_adjoint_node *s, const double *y_bar,
                                          double *alpha, double *beta, double *c);

/* Subtracts factor (d(part; Phi of an order))^T mu from *adjoints, for mu [n + m] and the derivatives by
 * data, q and v. order: number of time derivatives of Phi. NULL members of *adjoints are not computed.
 * Errors: those of the equations. */
gradyn_status gradyn_adjoint_node_subtract(gradyn_adjoint_node *s, gradyn_adjoint_part part,
                                           int order, double factor, const double *mu,
                                           const gradyn_mech_sums *adjoints);
/* Adds Phi'_q x at the present node to rates [m], for x [n]. Errors: those of the equations. */
gradyn_status gradyn_adjoint_node_add_rates(gradyn_adjoint_node *s, const double *x, double *rates);

/* Adds factor A x to y, for x, y [n] and a matrix A [dyn.nnz] of the pattern dyn. */
void gradyn_adjoint_node_multiply(const gradyn_adjoint_node *s, const double *A, double factor,
                                  const double *x, double *y);

/* Adds factor A^T x to y, for x, y [n] and a matrix A [dyn.nnz] of the pattern dyn. */
void gradyn_adjoint_node_transposed(const gradyn_adjoint_node *s, const double *A, double factor,
                                    const double *x, double *y);

/* Adds factor J^T x to y [n], for x [m] and a matrix J [jac.nnz] of the first m rows of the pattern jac. */
void gradyn_adjoint_node_jacobian(const gradyn_adjoint_node *s, const double *J, double factor,
                                  const double *x, double *y);

#endif
