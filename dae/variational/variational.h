/* The variational scheme: data shared by the step, its derivatives and the states that functionals see.
 * docs/theory/variational.md has the discrete equations. */
#ifndef GRADYN_DAE_VARIATIONAL_H
#define GRADYN_DAE_VARIATIONAL_H

#include "core/linear/lanes.h"
#include "core/linear/norm.h"
#include "core/linear/saddle.h"
#include "dae/start/initial.h"
#include "dae/linear/projection.h"
#include "dae/fixed/stepper.h"

/* Output states are numbered in the order in which they are computed. */
typedef struct gradyn_variational_looks {
  long taken;
  long factored; /* number of the output state whose factors `project` contains; 0: none */
} gradyn_variational_looks;

/* The step of the last linearise(). */
typedef struct gradyn_variational_step {
  double t, h;
  const double *from, *to;
} gradyn_variational_step;

typedef struct gradyn_variational {
  gradyn_stepper base;
  gradyn_mech *mech;
  int n, m;
  double alpha; /* position of the quadrature point, t + alpha h */
  gradyn_initial initial;
  gradyn_saddle position;    /* matrix of the step: [M + (1 - alpha) h^2 B, G_n^T; G_n+1, 0] */
  gradyn_projection project; /* [M, G^T; G, 0] of output states, and the constant M */
  double *K, *C, *A; /* [dyn.nnz + 1] derivatives of forces by q and v; block A of position */
  double *B;         /* [dyn.nnz + 1] alpha K + C/h of the factors */
  double *J0, *J1;   /* [jac.nnz + 1] G_n, G_n+1 */
  double *dq, *qm, *vm, *q1; /* [n] increment, state of the quadrature point, end of the step */
  double *f;                 /* [n] -Q at the quadrature point */
  double *b;                 /* [GRADYN_LANES][n + m] right-hand sides */
  double *c, *c2;            /* [n + m] */
  double *zero;              /* [n + m] zeros */
  gradyn_lanes *lanes;       /* workspace of the transposed step and of products by data */
  gradyn_arena arena;        /* owns all arrays */
  gradyn_variational_looks looks;
  gradyn_variational_step last;
  const double *known; /* node whose Jacobian is in J0 or J1, NULL: none; for neighbouring steps */
} gradyn_variational;

/* A node: the state (q, P, dq), with the increment dq that led to it, [3 n]. Then the discrete multipliers of
 * this step [m], the predicted rate of change of dq/h [n], and the step length. */
typedef struct gradyn_variational_node {
  double *q, *P, *dq, *lam, *rate, *h;
} gradyn_variational_node;

/* Returns the addresses of the parts of a node [record], which they borrow. */
static inline gradyn_variational_node gradyn_variational_node_of(const gradyn_variational *s,
                                                                 double *node)
{
  int n = s->n;
  double *lam = node + 3 * n;
  return (gradyn_variational_node){node, node + n, node + 2 * n, lam, lam + s->m, lam + s->m + n};
}

/* Returns the state at the first node of the last linearised step, for G_n^T lam and M dq. Its arrays are
 * borrowed from `s` and both nodes until the next linearise() or step. */
static inline gradyn_mech_state gradyn_variational_first(const gradyn_variational *s)
{
  const gradyn_variational_node to = gradyn_variational_node_of(s, (double *)s->last.to);
  return (gradyn_mech_state){
      .t = s->last.t, .q = s->last.from, .v = s->zero, .a = to.dq, .lam = to.lam};
}

/* Returns the state at the quadrature point of that step, for forces. Arrays as of
 * gradyn_variational_first(). */
static inline gradyn_mech_state gradyn_variational_middle(const gradyn_variational *s)
{
  return (gradyn_mech_state){
      .t = s->last.t + s->alpha * s->last.h, .q = s->qm, .v = s->vm, .a = s->zero};
}

/* Returns the state at the second node of that step, for constraints. Arrays as of
 * gradyn_variational_first(). */
static inline gradyn_mech_state gradyn_variational_last(const gradyn_variational *s)
{
  return (gradyn_mech_state){.t = s->last.t + s->last.h, .q = s->last.to, .v = s->vm, .a = s->zero};
}

/* Fills and factorises the matrix `position` of a step h, s, from K, C, J0, J1 and the constant M; also sets
 * A and B. t, s: for messages. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY. */
gradyn_status gradyn_variational_factor_step(gradyn_variational *s, double t, double h);

/* Returns the state of an output state `view`, borrowed from view->y. Parts beyond its depth are 0. */
static inline gradyn_mech_state gradyn_variational_state(const gradyn_variational *s,
                                                         const gradyn_view *view)
{
  const double *q = view->y, *v = q + s->n, *a = v + s->n, *lam = a + s->n;
  return (gradyn_mech_state){.t = view->t, .q = q, .v = v, .a = a, .lam = lam};
}

/* Factorises [M, G^T; G, 0] at the output state *view, in s->project, unless s->project has these factors.
 * Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY; failures of the mechanism's functions. */
gradyn_status gradyn_variational_factor_view(gradyn_variational *s, const gradyn_view *view);

/* Returns the number of lanes in s->lanes for n coordinates and m constraints. */
size_t gradyn_variational_lanes_needed(int n, int m);

#endif
