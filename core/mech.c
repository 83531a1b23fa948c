/* Derivatives of a mechanical model: by multipliers, and products for one term and one vector. */
#include "core/mech.h"

#include <string.h>

gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U)
{
  *U = mech->reader ? own : J;
  return mech->reader ? mech->ops->residual_lam(mech, at, own) : GRADYN_OK;
}

static int rows_of(const gradyn_mech *mech, const gradyn_mech_term *term)
{
  return mech->n + mech->m + (term->parts & GRADYN_HELD ? mech->held : 0);
}

gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const double *dx, double dt,
                                gradyn_lanes *work, double *r)
{
  const gradyn_mech_look look = {1, term, node};
  int rows = rows_of(mech, term);
  memset(work, 0, (size_t)rows * sizeof *work);
  gradyn_status status = mech->ops->along(mech, &look, 1, dx, dt == 0 ? NULL : &dt, &work);
  for (int i = 0; i < rows; i++)
    r[i] += work[i][0];
  return status;
}

gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, double *x_bar, double *t_bar)
{
  const gradyn_mech_look look = {1, term, node};
  int rows = rows_of(mech, term);
  for (int i = 0; i < rows; i++)
    work[i] = (gradyn_lanes){-mu[i]};
  return mech->ops->against(mech, &look, 1, &work, x_bar, t_bar);
}
