/* Sizes of a mechanical model and of its constraints, and how well these are kept.
 *
 * A mechanism has a length, the extent of its points, and each coordinate a lever that turns it
 * into a length. By these an error of position, a violation of a constraint and a step of
 * Newton's method are large or small whatever the units are. */
#include "core/mech/size.h"

#include "core/linear/norm.h"

#include <math.h>

double gradyn_mech_size(const gradyn_mech *mech, const double *q)
{
  const double farthest = gradyn_largest_product(q, mech->length_scale, mech->n);
  return farthest > mech->length ? farthest : mech->length; /* where q has no size, the extent */
}

void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size)
{
  const double nothing = 1e-8; /* times the largest: below that, a row is as good as zero */
  double most = 0;
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = mech->jac.start[i]; k < mech->jac.start[i + 1]; k++) {
      /* row_i W^-1 row_i^T: what Phi_i changes by when things move by 1 m */
      const double moved = J[k] / mech->length_scale[mech->jac.col[k]];
      sum += moved * moved;
    }
    size[i] = sqrt(sum);
    if (mech->ops->row_size)
      size[i] = fmax(size[i], mech->ops->row_size(mech, i));
    most = fmax(most, size[i]);
  }
  /* a row that hardly depends on q still gets a size, so that nothing is divided by zero */
  for (int i = 0; i < rows; i++)
    size[i] = fmax(size[i], most > 0 ? nothing * most : 1);
}

/* How far states are off Phi = 0, Phi' = 0, Phi'' = 0: the largest of each so far. */
gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst)
{
  for (int order = 0; order < orders; order++) {
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, order, at, phi));
    worst[order] = fmax(worst[order], gradyn_largest(phi, mech->m));
  }
  return GRADYN_OK;
}

/* Rows have units of their own, and size [rows] makes lengths of all of them. */
double gradyn_mech_violation(const double *phi, const double *size, int rows)
{
  double worst = 0;
  for (int i = 0; i < rows; i++) {
    if (isnan(phi[i])) /* fmax would drop it */
      return NAN;
    worst = fmax(worst, fabs(phi[i]) / size[i]);
  }
  return worst;
}
