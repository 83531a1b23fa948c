/* Derivatives of constraints by complex step.
 *
 * Phi' = Phi_q v + Phi_t and psi = A v - b are linear in v. Entries of Phi_q and A are therefore differences
 * of Phi' at unit velocities and at zero. One complex step differentiates these differences. Nonholonomic
 * constraints have no order 0: their value there is 0, and A replaces Phi_q. */
#include "mbs/elements/relation.h"

#include <complex.h>
#include <string.h>

/* Whether order 0 of a nonholonomic constraint is requested, which does not exist. */
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

/* Derivative of phi(order) by the argument *slot. */
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

/* Derivatives by e->local arguments from *slot onwards. Components that a scalar does not have get 0. */
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
  /* A = psi_v, independent of v */
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

/* Derivatives by *slot of all entries i of Phi_q or A: of Phi'(v = unit vector i) - Phi'(v = 0). Entry i is
 * written to value[i * stride]. */
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

/* H_ij = d Phi_q_i / d x_j; not symmetric for A. */
gradyn_status mbs_relation_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *H)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 0, &s);
  for (int j = 0; j < e->local; j++)
    GRADYN_TRY(entry_slopes(m, e, &s, &s.pos[j], &H[j], e->local));
  return GRADYN_OK;
}

/* Phi_qz, one input after the other. */
gradyn_status mbs_relation_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *g_z)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 0, &s);
  for (int k = 0; k < mbs_input_count(e); k++)
    GRADYN_TRY(entry_slopes(m, e, &s, &s.z[k], &g_z[k * e->local], 1));
  return GRADYN_OK;
}
