/* The linear systems of the variational scheme, with G = Phi_q. The system of a step is [M + (1 - alpha) h^2
 * (alpha K + C/h), G_n^T; G_n+1, 0]. The system of an output state at a node, [M, G^T; G, 0], gives
 * velocities from momenta and accelerations from forces. */
#include "dae/variational/variational.h"
#include "dae/linear/dependent.h"

/* Fails with a message that names the singular unknown. */
static gradyn_status fail(gradyn_variational *s, gradyn_status status, int at, double t)
{
  const gradyn_mech *mech = s->mech;
  if (gradyn_linsys_solver_failed(status, mech->message))
    return status;
  if (status != GRADYN_SINGULAR)
    return gradyn_fail(mech->message, status, "the equations of motion are not finite at t = %g s",
                       t);
  return gradyn_fail(mech->message, status,
                     "the equations of motion are singular at t = %g s near %s: a redundant "
                     "constraint, or a point without mass that no constraint moves. Use ali3p or "
                     "explicit for redundant constraints",
                     t, gradyn_unknown_name(mech, at));
}

/* Factorises a matrix and counts the factorisation; on failure, names the singular unknown. */
static gradyn_status factor(gradyn_variational *s, gradyn_saddle *matrix, double t)
{
  gradyn_status status = gradyn_linsys_factor(matrix->system);
  s->base.factorisations++;
  return status == GRADYN_OK ? status
                             : fail(s, status, gradyn_linsys_singular_at(matrix->system), t);
}

/* Factorises the matrix of Newton's method, with unknowns (dq, h^2 lam). */
gradyn_status gradyn_variational_factor_step(gradyn_variational *s, double t, double h)
{
  double share = (1 - s->alpha) * h * h;
  for (int i = 0; i < s->position.dyn_nnz; i++) {
    s->B[i] = s->alpha * s->K[i] + s->C[i] / h;
    s->A[i] = s->project.M[i] + share * s->B[i];
  }
  gradyn_saddle_fill(&s->position, s->A, s->J0, s->J1, 0);
  return factor(s, &s->position, t);
}
