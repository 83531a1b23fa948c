/* ALI3-P with nonholonomic constraints. The position problem requires psi(q', v*) = 0, where v* also
 * depends on the unknown increment dq. With psi = A v - b, its lower rows are psi_q + vq A, divided by vq
 * so that they have the size of A. Derivatives by data and time are evaluated separately for these rows,
 * because psi is taken at (q', v*) and not at the node; docs/theory/rolling.md. */
#include <string.h>

#include "dae/ali3p/linear.h"

gradyn_status gradyn_ali3p_roll_matrix(gradyn_ali3p *s, const gradyn_mech_state *at)
{
  const gradyn_mech *mech = s->mech;
  if (mech->rolling == 0) /* L is J */
    return GRADYN_OK;
  GRADYN_TRY(mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 1, at, s->mat.L));
  for (int i = 0; i < s->m; i++)
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1]; k++)
      s->mat.L[k] = s->mat.J[k] + (mech->rolls[i] ? s->mat.L[k] / s->k.vq : 0);
  return GRADYN_OK;
}

gradyn_status gradyn_ali3p_roll(gradyn_ali3p *s, const gradyn_mech_state *at, double *phi)
{
  if (s->mech->rolling == 0)
    return GRADYN_OK;
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 1, at, s->rows));
  for (int i = 0; i < s->m; i++)
    if (s->mech->rolls[i])
      phi[i] = s->rows[i] / s->k.vq;
  return GRADYN_OK;
}

/* Returns the term of constraints at velocity level, at (q', v*). */
static gradyn_mech_term rows_of(const gradyn_ali3p *s)
{
  return (gradyn_mech_term){0, 1, s->last.states.stage[GRADYN_PLACE].at};
}

gradyn_status gradyn_ali3p_roll_along(gradyn_ali3p *s, int columns, const gradyn_mech_change *d,
                                      gradyn_lanes *rows)
{
  const gradyn_mech_term term = rows_of(s);
  const gradyn_mech_point look = {1, &term, &term.at};
  gradyn_lanes *r = s->side;
  if (s->mech->rolling == 0)
    return GRADYN_OK;
  memset(r, 0, (size_t)(s->n + s->m) * sizeof *r);
  GRADYN_TRY(s->mech->ops->along(s->mech, &look, columns, d, &r));
  for (int i = 0; i < s->m; i++)
    if (s->mech->rolls[i])
      rows[i] = s->side[s->n + i] / s->k.vq;
  return GRADYN_OK;
}

gradyn_status gradyn_ali3p_roll_against(gradyn_ali3p *s, int columns, const gradyn_lanes *mult,
                                        const gradyn_mech_adjoints *adjoints)
{
  const gradyn_mech_term term = rows_of(s);
  const gradyn_mech_point look = {1, &term, &term.at};
  gradyn_lanes *mu = s->side;
  if (s->mech->rolling == 0)
    return GRADYN_OK;
  memset(mu, 0, (size_t)s->n * sizeof *mu);
  for (int i = 0; i < s->m; i++)
    mu[s->n + i] = s->mech->rolls[i] ? mult[i] : (gradyn_lanes){0};
  return s->mech->ops->against(s->mech, &look, columns, &mu, adjoints);
}

void gradyn_ali3p_roll_pull(const gradyn_ali3p *s, gradyn_lanes *mult, gradyn_lanes *x)
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int i = 0; i < s->m && s->mech->rolling > 0; i++) {
    if (!s->mech->rolls[i])
      continue;
    mult[i] *= 1 / s->k.vq;
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      x[jac->col[k]] += s->mat.J[k] * mult[i];
  }
}
