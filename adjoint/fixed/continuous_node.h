/* A node of an ALI3-P march as the continuous adjoint sees it: unprojected velocities and
 * accelerations, matrices, and the adjoints of the two projections. */
#ifndef GRADYN_ADJOINT_ALI3P_CONTINUOUS_NODE_H
#define GRADYN_ADJOINT_ALI3P_CONTINUOUS_NODE_H

#include "core/mech/vector.h"
#include "dae/linear/factors.h"
#include "dae/fixed/fixed.h"

/* Equations whose derivatives by data are asked for. */
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
  double *lam;                    /* [m] multipliers of a*: those of the node less kappa */
  double *minus, *rest;           /* [n + m] scratch */
  gradyn_lanes *work;             /* [3 n + m] */
  gradyn_arena arena;             /* of all these */
  const double *at;               /* the node in hand: q, v, a, lam */
  const double *before;           /* the one before it; NULL: none */
  double t, weight;               /* s; its weight in integrals, s */
} gradyn_adjoint_node;

gradyn_status gradyn_adjoint_node_create(gradyn_fixed *march, gradyn_adjoint_node *out);
void gradyn_adjoint_node_clear(gradyn_adjoint_node *s);

/* Takes node k of the march in hand: everything above but motion and A. The first visit of a sweep
 * finds out whether constraints depend on each other. */
gradyn_status gradyn_adjoint_node_visit(gradyn_adjoint_node *s, int k, bool first);

/* Factorises motion for steps of length h, s. */
gradyn_status gradyn_adjoint_node_factor_motion(gradyn_adjoint_node *s, double h);

/* b [n + m] = S^-T b in place, for the factors of motion or of project. */
void gradyn_adjoint_node_solve_motion(gradyn_adjoint_node *s, double *b);
void gradyn_adjoint_node_solve_projection(gradyn_adjoint_node *s, double *b);

/* alpha, beta [n + m]: the adjoints of the projections of accelerations and velocities for a
 * functional's derivatives y_bar [3n + m]; c [n]: what they and y_bar add to the rate of mu1. */
gradyn_status gradyn_adjoint_node_project(gradyn_adjoint_node *s, const double *y_bar,
                                          double *alpha, double *beta, double *c);

/* bars -= factor (part; Phi of an order)^T mu, derivatives by data, q and v, mu [n + m]; of those not asked
 * for bars are NULL. */
gradyn_status gradyn_adjoint_node_subtract(gradyn_adjoint_node *s, gradyn_adjoint_part part,
                                           int order, double factor, const double *mu,
                                           const gradyn_mech_sums *adjoints);
/* rates [m] += Phi'_q x. */
gradyn_status gradyn_adjoint_node_add_rates(gradyn_adjoint_node *s, const double *x, double *rates);

/* y += factor A x, y += factor A^T x for matrices of the pattern dyn, y [n]; and y += factor J^T x. */
void gradyn_adjoint_node_multiply(const gradyn_adjoint_node *s, const double *A, double factor,
                                  const double *x, double *y);
void gradyn_adjoint_node_transposed(const gradyn_adjoint_node *s, const double *A, double factor,
                                    const double *x, double *y);
void gradyn_adjoint_node_jacobian(const gradyn_adjoint_node *s, const double *J, double factor,
                                  const double *x, double *y);

#endif
