/* The variational scheme: output states. At a node, the velocity is the mass-orthogonal projection of the
 * momentum. At the quadrature point of a step it is dq/h. Accelerations and multipliers follow from the
 * equations of motion. */
#include <string.h>

#include "dae/variational/operations.h"

gradyn_status gradyn_variational_factor_view(gradyn_variational *s, const gradyn_view *view)
{
  const gradyn_mech_state at = gradyn_variational_state(s, view);
  if (s->looks.factored == view->number)
    return GRADYN_OK;
  /* the factors belong to another output state */
  const long before = s->project.factorisations;
  s->looks.factored = 0; /* no state has factors if the factorisation fails */
  GRADYN_TRY(gradyn_projection_factor(&s->project, &at));
  s->base.factorisations += s->project.factorisations - before;
  s->looks.factored = view->number;
  return GRADYN_OK;
}

/* Computes v and mult from M v + G^T mult = P and Phi' = 0. */
static gradyn_status project(gradyn_variational *s, const double *P, gradyn_view *view)
{
  int n = s->n, m = s->m;
  gradyn_mech_state at = gradyn_variational_state(s, view);
  at.v = s->zero;
  /* Phi' at v = 0 is the derivative Phi_t by time */
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 1, &at, s->b + n));
  memcpy(s->b, P, (size_t)n * sizeof(double));
  for (int i = n; i < n + m; i++)
    s->b[i] = -s->b[i];
  /* [M, G^T; G, 0] (v; mult) = (P; -Phi_t) */
  gradyn_projection_solve(&s->project, s->b, 1);
  memcpy(view->y + n, s->b, (size_t)n * sizeof(double));
  memcpy(view->mult, s->b + n, (size_t)m * sizeof(double));
  return GRADYN_OK;
}

/* Computes a and lam from M a + G^T lam = Q and Phi'' = 0. */
static gradyn_status accelerate(gradyn_variational *s, gradyn_view *view)
{
  int n = s->n, m = s->m;
  gradyn_mech_state at = gradyn_variational_state(s, view);
  at.a = s->zero;
  /* at a = 0: f = -Q, and the part of Phi'' without accelerations */
  GRADYN_TRY(s->mech->ops->residual(s->mech, GRADYN_FORCE, &at, s->b));
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 2, &at, s->b + n));
  for (int i = 0; i < n + m; i++)
    s->b[i] = -s->b[i];
  /* [M, G^T; G, 0] (a; lam) = -(f; Phi'' at a = 0) */
  gradyn_projection_solve(&s->project, s->b, 1);
  memcpy(view->y + 2 * n, s->b, (size_t)(n + m) * sizeof(double));
  return GRADYN_OK;
}

/* Starts a new output state. */
static void begin(gradyn_variational *s, double t, gradyn_depth depth, gradyn_view *view)
{
  memset(view->y, 0, (size_t)s->base.ny * sizeof(double));
  view->t = t;
  view->depth = depth;
  view->number = ++s->looks.taken;
}

/* Computes the output state of a node to the requested depth. Velocities need a projection, accelerations a
 * solution of the equations of motion. */
gradyn_status gradyn_variational_complete(gradyn_stepper *base, double t, const double *node,
                                          gradyn_depth depth, gradyn_view *view)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_variational_node from = gradyn_variational_node_of(s, (double *)node);
  begin(s, t, depth, view);
  view->node = true;
  memcpy(view->y, from.q, (size_t)s->n * sizeof(double));
  if (depth >= GRADYN_VELOCITIES) {
    GRADYN_TRY(gradyn_variational_factor_view(s, view));
    /* velocities that satisfy the constraints */
    GRADYN_TRY(project(s, from.P, view));
  }
  return depth >= GRADYN_FORCES ? accelerate(s, view) : GRADYN_OK;
}

/* Computes the output state at the quadrature point of a step. */
gradyn_status gradyn_variational_sample(gradyn_stepper *base, double t, double h,
                                        const double *from, const double *to, gradyn_depth depth,
                                        gradyn_view *view)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const double *dq = gradyn_variational_node_of(s, (double *)to).dq;
  begin(s, t + s->alpha * h, depth < GRADYN_VELOCITIES ? GRADYN_VELOCITIES : depth, view);
  view->node = false;
  view->h = h;
  /* position and velocity at which the step evaluates forces */
  for (int i = 0; i < s->n; i++) {
    view->y[i] = from[i] + s->alpha * dq[i];
    view->y[s->n + i] = dq[i] / h;
  }
  if (depth < GRADYN_FORCES)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_variational_factor_view(s, view));
  return accelerate(s, view);
}
