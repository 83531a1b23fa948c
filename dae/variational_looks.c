/* The variational scheme: the states that functionals and output see, which are not those it marches.
 * At a node the velocity is the mass-orthogonal projection of the momentum; at the quadrature point of
 * a step it is dq/h. Accelerations and multipliers follow from the equations of motion. */
#include <string.h>

#include "dae/variational.h"

/* The state that is looked at. */
static gradyn_mech_state state_of(const gradyn_variational *s)
{
  const gradyn_variational_look *at = &s->at;
  return (gradyn_mech_state){.t = at->t, .q = at->q, .v = at->v, .a = at->a, .lam = at->lam};
}

/* Factors of [M, G^T; G, 0] at the look's position. */
static gradyn_status factor(gradyn_variational *s)
{
  gradyn_mech_state at = state_of(s);
  s->base.factorisations++;
  return gradyn_projection_factor(&s->project, &at);
}

/* M v + G^T mult = P, Phi' = 0. */
static gradyn_status project(gradyn_variational *s, const double *P)
{
  int n = s->n, m = s->m;
  gradyn_mech_state at = state_of(s);
  at.v = s->zero;
  /* at v = 0: what Phi' has from time alone */
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 1, &at, s->b + n));
  memcpy(s->b, P, (size_t)n * sizeof(double));
  for (int i = n; i < n + m; i++)
    s->b[i] = -s->b[i];
  /* [M, J^T; J, 0] (v; tau) = (P; -Phi_t) */
  gradyn_projection_solve(&s->project, s->b, 1);
  memcpy(s->at.v, s->b, (size_t)n * sizeof(double));
  memcpy(s->at.mult, s->b + n, (size_t)m * sizeof(double));
  return GRADYN_OK;
}

/* M a + G^T lam = Q, Phi'' = 0. */
static gradyn_status accelerate(gradyn_variational *s)
{
  int n = s->n, m = s->m;
  gradyn_mech_state at = state_of(s);
  at.a = s->zero;
  /* at a = 0: forces, and what Phi'' has from velocities */
  GRADYN_TRY(s->mech->ops->residual(s->mech, GRADYN_FORCE, &at, s->b));
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 2, &at, s->b + n));
  for (int i = 0; i < n + m; i++)
    s->b[i] = -s->b[i];
  /* [M, J^T; J, 0] (a; lam) = -(f; Phi''_0) */
  gradyn_projection_solve(&s->project, s->b, 1);
  memcpy(s->at.a, s->b, (size_t)n * sizeof(double));
  memcpy(s->at.lam, s->b + n, (size_t)m * sizeof(double));
  return GRADYN_OK;
}

/* y = (q, v, a, lam). */
static void show(const gradyn_variational *s, double *y)
{
  const gradyn_variational_look *at = &s->at;
  size_t n = (size_t)s->n, m = (size_t)s->m;
  memset(y, 0, (3 * n + m) * sizeof(double));
  memcpy(y, at->q, n * sizeof(double));
  if (at->depth >= GRADYN_VELOCITIES)
    memcpy(y + n, at->v, n * sizeof(double));
  if (at->depth < GRADYN_FORCES)
    return;
  memcpy(y + 2 * n, at->a, n * sizeof(double));
  memcpy(y + 3 * n, at->lam, m * sizeof(double));
}

/* y of a node, as deep as somebody looks: a velocity is a projection, an acceleration a
 * solution. */
gradyn_status gradyn_variational_complete(gradyn_stepper *base, double t, const double *node,
                                          gradyn_depth depth, double *y)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const gradyn_variational_node from = gradyn_variational_node_of(s, (double *)node);
  /* derivatives refer to this look: its factors stay */
  s->at.node = true;
  s->at.t = t;
  s->at.depth = depth;
  memcpy(s->at.q, from.q, (size_t)s->n * sizeof(double));
  if (depth >= GRADYN_VELOCITIES) {
    GRADYN_TRY(factor(s));
    /* to velocities that the constraints allow */
    GRADYN_TRY(project(s, from.P));
  }
  if (depth >= GRADYN_FORCES)
    GRADYN_TRY(accelerate(s));
  show(s, y);
  return GRADYN_OK;
}

/* y at the quadrature point of a step. */
gradyn_status gradyn_variational_sample(gradyn_stepper *base, double t, double h,
                                        const double *from, const double *to, gradyn_depth depth,
                                        double *y)
{
  gradyn_variational *s = (gradyn_variational *)base;
  const double *dq = gradyn_variational_node_of(s, (double *)to).dq;
  s->at.node = false;
  s->at.t = t + s->alpha * h;
  s->at.depth = depth < GRADYN_VELOCITIES ? GRADYN_VELOCITIES : depth;
  s->h = h;
  /* q + alpha dq, dq/h: both exact in the scheme */
  for (int i = 0; i < s->n; i++) {
    s->at.q[i] = from[i] + s->alpha * dq[i];
    s->at.v[i] = dq[i] / h;
  }
  if (depth >= GRADYN_FORCES) {
    GRADYN_TRY(factor(s));
    GRADYN_TRY(accelerate(s));
  }
  show(s, y);
  return GRADYN_OK;
}
