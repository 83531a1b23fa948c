/* Derivatives of forces by complex step. Forces that consist of a formula only get all their derivatives
 * here. Tests compare derivatives written by hand with these. */
#include "mbs/elements/formula.h"

#include <complex.h>

/* Sets the arguments of a formula. They are complex, so that one of them can get the step. */
void mbs_set_formula(const gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                     const double *z, int order, mbs_formula_arguments *s)
{
  const int inputs = mbs_input_count(e);
  s->stepped = false;
  for (int i = 0, k = 0; i < e->points; i++)
    for (int c = 0; c < m->dim; c++, k++) {
      /* scalars have one component; the others are 0 */
      const bool dead = c >= mbs_axes(m, e->point[i]);
      s->pos[k] = dead ? 0 : at->pos[e->at[i] + c];
      s->vel[k] = order >= 1 && !dead ? at->vel[e->at[i] + c] : 0;
      s->acc[k] = order >= 2 && !dead ? at->acc[e->at[i] + c] : 0;
    }
  for (int k = 0; k < inputs; k++)
    s->z[k] = z[k];
  for (int k = 0; e->reading && k < e->reading->count; k++)
    s->lam[k] = at->lam[e->reading->row[k]];
}

/* Computes the force, the real part of the formula. */
gradyn_status mbs_formula_force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f)
{
  mbs_formula_arguments s;
  gradyn_scalar value[MBS_LOCAL];
  mbs_set_formula(m, e, at, z, 1, &s);
  GRADYN_TRY(e->ops->formula(m, e, &s, value));
  for (int k = 0; k < e->local; k++)
    f[k] = creal(value[k]);
  return GRADYN_OK;
}

/* Computes a column of a Jacobian: the derivative by the argument *slot, stored in out[i * stride]. */
static gradyn_status column(gradyn_mbs *m, const mbs_element *e, mbs_formula_arguments *s,
                            gradyn_scalar *slot, double *out, int stride)
{
  gradyn_scalar keep = *slot, value[MBS_LOCAL];
  s->stepped = true;
  *slot += GRADYN_COMPLEX_STEP * I;
  gradyn_status status = e->ops->formula(m, e, s, value);
  *slot = keep;
  for (int i = 0; i < e->local; i++)
    out[i * stride] = cimag(value[i]) / GRADYN_COMPLEX_STEP;
  return status;
}

/* Computes the derivatives Im f(x + i eps e_k) / eps, for each component k. */
gradyn_status mbs_formula_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_pos, double *f_vel)
{
  mbs_formula_arguments s;
  int local = e->local;
  mbs_set_formula(m, e, at, z, 1, &s);
  for (int k = 0; k < local; k++) {
    /* components that a scalar does not have: the derivative is zero, whatever the formula computes */
    if (mbs_is_dead(m, e, k)) {
      for (int i = 0; i < local; i++)
        f_pos[i * local + k] = 0;
      for (int i = 0; i < local && f_vel; i++)
        f_vel[i * local + k] = 0;
      continue;
    }
    GRADYN_TRY(column(m, e, &s, &s.pos[k], f_pos + k, local));
    if (f_vel)
      GRADYN_TRY(column(m, e, &s, &s.vel[k], f_vel + k, local));
  }
  return GRADYN_OK;
}

/* Derivatives by `count` consecutive arguments from *slot onwards, out [count][local]. */
static gradyn_status columns(gradyn_mbs *m, const mbs_element *e, mbs_formula_arguments *s,
                             gradyn_scalar *slot, int count, double *out)
{
  for (int k = 0; k < count; k++)
    GRADYN_TRY(column(m, e, s, slot + k, out + k * e->local, 1));
  return GRADYN_OK;
}

gradyn_status mbs_formula_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                const double *z, double *f_z)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 1, &s);
  return columns(m, e, &s, s.z, mbs_input_count(e), f_z);
}

gradyn_status mbs_formula_lam(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *f_lam)
{
  mbs_formula_arguments s;
  mbs_set_formula(m, e, at, z, 1, &s);
  return columns(m, e, &s, s.lam, e->reading->count, f_lam);
}
