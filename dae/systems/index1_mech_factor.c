/* Factors of a mechanism as an index-1 system, and its equations R and G as terms for one evaluation. The
 * system and its adjoint share these functions. */
#include "dae/systems/index1_mech.h"
#include "core/mech/size.h"
#include "dae/linear/dependent.h"

/* Factorises [M + C/c + K/c^2, R_lam; Phi_q + Gv/c + Gq/c^2, 0], where `inverse` is 1/c. 0: the algebraic
 * part only. */
gradyn_status gradyn_mech_system_factor(gradyn_mech_system *s, double inverse)
{
  double square = inverse * inverse;
  for (int k = 0; k < s->saddle.dyn_nnz; k++)
    s->A[k] = s->M[k] + inverse * s->C[k] + square * s->K[k]; /* M + C/c + K/c^2 */
  for (int k = 0; k < s->saddle.jac_nnz; k++)
    s->low[k] = s->J[k] + inverse * s->Gv[k] + square * s->Gq[k];
  gradyn_saddle_fill(&s->saddle, s->A, s->U, s->low, 0);
  s->base.factorisations++;
  /* unknown n + i is the multiplier of constraint i */
  gradyn_status status = gradyn_linsys_factor(s->saddle.system);
  if (status == GRADYN_OK || gradyn_linsys_solver_failed(status, s->mech->message))
    return status;
  const char *name = gradyn_unknown_name(s->mech, gradyn_linsys_singular_at(s->saddle.system));
  return gradyn_fail(
      s->mech->message, status,
      "the equations of motion are %s at t = %g s, near %s: constraints that depend on each other, "
      "a singular position, or a massless point. Use ali3p or explicit for dependent constraints",
      status == GRADYN_SINGULAR ? "singular" : "not finite", s->t, name);
}

/* Sets the terms of R and G = Phi'' + 2 alpha Phi' + beta^2 Phi for one evaluation. Returns their number. */
int gradyn_mech_system_terms(const gradyn_mech_system *s, const gradyn_mech_state *at,
                             gradyn_mech_term *term, double *factor)
{
  const double weight[3] = {s->beta * s->beta, 2 * s->alpha, 1};
  int terms = 0;
  for (int order = 2; order >= 0; order--)
    if (weight[order] != 0) {
      /* the term of Phi'' also contains R */
      term[terms] = (gradyn_mech_term){order == 2 ? GRADYN_DYNAMICS : 0, order, *at};
      factor[terms++] = weight[order];
    }
  return terms;
}
