/* Sizes of a mechanical model and of its constraints, and violations of constraints.
 *
 * A mechanism has a length, the extent of its points, and each coordinate has a length scale that converts
 * it into a length. Errors of positions, violations of constraints and Newton steps are compared with these
 * lengths, whatever the units are. */
#include "core/mech/size.h"

#include "core/linear/norm.h"

#include <math.h>

double gradyn_mech_size(const gradyn_mech *mech, const double *q)
{
  const double farthest = gradyn_largest_product(q, mech->length_scale, mech->n);
  return farthest > mech->length ? farthest : mech->length; /* the extent if q itself is small */
}

void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size)
{
  const double nothing = 1e-8; /* relative to the largest row: below this, a row counts as zero */
  double most = 0;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1]; k++) {
      /* row_i W^-1 row_i^T: change of Phi_i for a motion of 1 m */
      const double moved = J[k] / mech->length_scale[mech->jac.col[k]];
      sum += moved * moved;
    }
    size[i] = sqrt(sum);
    if (mech->ops->row_size)
      size[i] = fmax(size[i], mech->ops->row_size(mech, i));
    most = fmax(most, size[i]);
  }
  /* a row that hardly depends on q also gets a positive size, because sizes are divisors */
  for (int i = 0; i < rows; i++)
    size[i] = fmax(size[i], most > 0 ? nothing * most : 1);
}

gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst)
{
  for (int order = 0; order < orders; order++) {
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, order, at, phi));
    worst[order] = fmax(worst[order], gradyn_largest(phi, mech->m));
  }
  return GRADYN_OK;
}

/* Rows have different units; division by size [rows] gives lengths. */
double gradyn_mech_violation(const double *phi, const double *size, int rows)
{
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    if (isnan(phi[i])) /* fmax would ignore it */
      return NAN;
    worst = fmax(worst, fabs(phi[i]) / size[i]);
  }
  return worst;
}
