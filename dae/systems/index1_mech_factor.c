/* Factors of a mechanism as an index-1 system, and its equations R and G as terms of one evaluation; shared
 * by the system and its adjoint. */
#include "dae/systems/index1_mech.h"
#include "core/mech/size.h"
#include "dae/linear/dependent.h"

/* Factorises [M + C/c + K/c^2, R_lam; Phi_q + Gv/c + Gq/c^2, 0]; c infinite: the algebraic part. */
gradyn_status gradyn_mech_system_factor(gradyn_mech_system *s, double inverse)
{
  double square = inverse * inverse;
  for (int k = 0; k < s->saddle.dyn_nnz; k++)
    s->A[k] = s->M[k] + inverse * s->C[k] + square * s->K[k]; /* M + C/c + K/c^2 */
  for (int k = 0; k < s->saddle.jac_nnz; k++)
    s->low[k] = s->J[k] + inverse * s->Gv[k] + square * s->Gq[k];
  gradyn_saddle_fill(&s->saddle, s->A, s->U, s->low, 0);
  s->base.factorisations++;
  gradyn_status status = gradyn_linsys_factor(s->saddle.system); /* column n + i: constraint i */
  if (status == GRADYN_OK || gradyn_linsys_solver_failed(status, s->mech->message))
    return status;
  const char *name = gradyn_unknown_name(s->mech, gradyn_linsys_singular_at(s->saddle.system));
  return gradyn_fail(
      s->mech->message, status,
      "the equations of motion are %s at t = %g s, near %s: constraints that depend on each other, "
      "a singular position, or a massless point. Use ali3p or explicit for dependent constraints",
      status == GRADYN_SINGULAR ? "singular" : "not finite", s->t, name);
}

/* G = Phi'' + 2 alpha Phi' + beta^2 Phi as terms of one evaluation. */
int gradyn_mech_system_terms(const gradyn_mech_system *s, const gradyn_mech_state *at,
                             gradyn_mech_term *term, double *factor)
{
  const double weight[3] = {s->beta * s->beta, 2 * s->alpha, 1};
  int terms = 0;
  for (int order = 2; order >= 0; order--)
    if (weight[order] != 0) {
      /* R belongs to the term with Phi'' */
      term[terms] = (gradyn_mech_term){order == 2 ? GRADYN_DYNAMICS : 0, order, *at};
      factor[terms++] = weight[order];
    }
  return terms;
}
