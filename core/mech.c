/* Derivatives of a mechanical model: by multipliers, and products for one term and one vector; sizes of its
 * equations. */
#include "core/mech.h"

#include "core/norm.h"

#include <math.h>
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

double gradyn_mech_size(const gradyn_mech *mech, const double *q)
{
  return fmax(mech->length, gradyn_largest_product(q, mech->lever, mech->n));
}

void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size)
{
  const double nothing = 1e-8;
  double most = 0;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1]; k++) {
      const double moved = J[k] / mech->lever[mech->jac.col[k]];
      sum += moved * moved;
    }
    size[i] = sqrt(sum);
    most = fmax(most, size[i]);
  }
  for (int i = 0; i < rows; i++)
    size[i] = fmax(size[i], most > 0 ? nothing * most : 1);
}

double gradyn_mech_violation(const double *phi, const double *size, int rows)
{
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    if (isnan(phi[i]))
      return NAN;
    worst = fmax(worst, fabs(phi[i]) / size[i]);
  }
  return worst;
}
