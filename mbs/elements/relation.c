/* Derivatives of constraints by complex step.
 *
 * Phi' = Phi_q v + Phi_t and psi = A v - b are linear in v. Entries of Phi_q and A are therefore differences
 * of Phi' at unit velocities and at zero. One complex step differentiates these differences. Nonholonomic
 * constraints have no order 0: their value there is 0, and A replaces Phi_q. */
#include "mbs/elements/relation.h"

#include <complex.h>
#include <string.h>

/* Whether order 0 is requested of a nonholonomic constraint, which has none. */
static bool is_absent(const mbs_element *e, int order)
{
  return e->ops->psi_v && order == 0;
}

gradyn_status mbs_relation_phi(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                               const double *z, int order, double *value)
{
  mbs_formula_arguments s;
  gradyn_scalar result = 0;
  mbs_set_formula(m, e, at, z, order, &s);
  if (!is_absent(e, order))
    GRADYN_TRY(e->ops->relation(m, e, &s, order, &result));
  *value = creal(result);
  return GRADYN_OK;
}

/* Derivative of the constraint of that order by the argument *slot. */
static gradyn_status slope(gradyn_mbs *m, const mbs_element *e, mbs_formula_arguments *s,
                           gradyn_scalar *slot, int order, double *value)
{
  gradyn_scalar keep = *slot, result;
  s->stepped = true;
  *slot += GRADYN_COMPLEX_STEP * I;
  gradyn_status status = e->ops->relation(m, e, s, order, &result);
  *slot = keep;
  *value = cimag(result) / GRADYN_COMPLEX_STEP;
  return status;
}

/* Derivatives by the e->local arguments from *slot onwards; 0 for components that a scalar does not have. */
static gradyn_status slopes(gradyn_mbs *m, const mbs_element *e, mbs_formula_arguments *s,
                            gradyn_scalar *slot, int order, double *g)
{
  for (int k = 0; k < e->local; k++)
    GRADYN_TRY(slope(m, e, s, &slot[k], order, &g[k]));
  return GRADYN_OK;
}

gradyn_status mbs_relation_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *g)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, order, &s);
  /* a nonholonomic constraint, psi = A v - b, has no order 0: A = psi_v, the same for all v, replaces Phi_q
   */
  return is_absent(e, order) ? slopes(m, e, &s, s.vel, 1, g) : slopes(m, e, &s, s.pos, order, g);
}

gradyn_status mbs_relation_psi_v(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 2, &s);
  return slopes(m, e, &s, s.vel, 2, g);
}

gradyn_status mbs_relation_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, int order, double *phi_z)
{
  mbs_formula_arguments s;
  const int inputs = mbs_input_count(e);
  mbs_set_formula(m, e, at, z, order, &s);
  if (is_absent(e, order))
    memset(phi_z, 0, (size_t)inputs * sizeof *phi_z);
  for (int k = 0; k < inputs && !is_absent(e, order); k++)
    GRADYN_TRY(slope(m, e, &s, &s.z[k], order, &phi_z[k]));
  return GRADYN_OK;
}

/* Derivatives by the argument *slot of all entries of Phi_q or A. Entry i is Phi'(v = unit vector
 * i) - Phi'(v = 0); its derivative is written to value[i * stride]. */
static gradyn_status entry_slopes(gradyn_mbs *m, const mbs_element *e, mbs_formula_arguments *s,
                                  gradyn_scalar *slot, double *value, int stride)
{
  double with, without;
  GRADYN_TRY(slope(m, e, s, slot, 1, &without));
  for (int i = 0; i < e->local; i++) {
    s->vel[i] = 1;
    GRADYN_TRY(slope(m, e, s, slot, 1, &with));
    s->vel[i] = 0;
    value[i * stride] = with - without;
  }
  return GRADYN_OK;
}

/* H_ij: the derivative of entry i of Phi_q, or of A, by position j. For A it is not symmetric. */
gradyn_status mbs_relation_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *H)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 0, &s);
  for (int j = 0; j < e->local; j++)
    GRADYN_TRY(entry_slopes(m, e, &s, &s.pos[j], &H[j], e->local));
  return GRADYN_OK;
}

/* Derivatives of Phi_q by the inputs z, one input after the other. */
gradyn_status mbs_relation_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g_z)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 0, &s);
  for (int k = 0; k < mbs_input_count(e); k++)
    GRADYN_TRY(entry_slopes(m, e, &s, &s.z[k], &g_z[k * e->local], 1));
  return GRADYN_OK;
}
