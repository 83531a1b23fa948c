/* Derivatives of a mechanical model: by multipliers, and products for one term and one vector; sizes of its
 * equations. */
#include "core/mech.h"

#include "core/norm.h"

#include <math.h>
#include <string.h>

gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U)
{
  /* without readers of multipliers R_lam = Phi_q^T, and J serves */
  *U = mech->reader ? own : J;
  return mech->reader ? mech->ops->residual_lam(mech, at, own) : GRADYN_OK;
}

static int rows_of(const gradyn_mech *mech, const gradyn_mech_term *term)
{
  return mech->n + gradyn_mech_rows(mech, term->parts);
}

/* The first lane of work is x [n]; NULL stays what it is. */
static const gradyn_lanes *spread(int n, const double *x, gradyn_lanes *work)
{
  for (int i = 0; i < n && x; i++)
    work[i] = (gradyn_lanes){x[i]};
  return x ? work : NULL;
}

gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const gradyn_mech_vector *d,
                                gradyn_lanes *work, double *r)
{
  const gradyn_mech_look look = {1, term, node};
  int n = mech->n, rows = rows_of(mech, term);
  /* a derivative by time is asked for only if dt is not zero: it costs an evaluation */
  const gradyn_mech_change change = {d->x, d->t == 0 ? NULL : &d->t, spread(n, d->q, work + rows),
                                     spread(n, d->v, work + rows + n)};
  memset(work, 0, (size_t)rows * sizeof *work);
  gradyn_status status = mech->ops->along(mech, &look, 1, &change, &work);
  /* one lane of four carries the vector; the other three are zero */
  for (int i = 0; i < rows; i++)
    r[i] += work[i][0];
  return status;
}

gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, const gradyn_mech_sums *sums)
{
  const gradyn_mech_look look = {1, term, node};
  int n = mech->n, rows = rows_of(mech, term);
  gradyn_lanes *q = work + rows, *v = q + n;
  const gradyn_mech_bars bars = {sums->x, sums->t, sums->q ? q : NULL, sums->v ? v : NULL};
  /* against() subtracts (R; Phi)^T mu: with -mu it adds */
  for (int i = 0; i < rows; i++)
    work[i] = (gradyn_lanes){-mu[i]};
  memset(q, 0, 2 * (size_t)n * sizeof *q);
  gradyn_status status = mech->ops->against(mech, &look, 1, &work, &bars);
  /* sums are added to, as several terms share them */
  for (int i = 0; i < n && sums->q; i++)
    sums->q[i] += q[i][0];
  for (int i = 0; i < n && sums->v; i++)
    sums->v[i] += v[i][0];
  return status;
}

double gradyn_mech_size(const gradyn_mech *mech, const double *q)
{
  const double farthest = gradyn_largest_product(q, mech->lever, mech->n);
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
      const double moved = J[k] / mech->lever[mech->jac.col[k]];
      sum += moved * moved;
    }
    size[i] = sqrt(sum);
    most = fmax(most, size[i]);
  }
  /* a row that hardly depends on q still gets a size, so that nothing is divided by zero */
  for (int i = 0; i < rows; i++)
    size[i] = fmax(size[i], most > 0 ? nothing * most : 1);
}

gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst)
{
  for (int order = 0; order < orders; order++) {
    gradyn_status status = mech->ops->phi(mech, GRADYN_CONSTRAINT, order, at, phi);
    if (status != GRADYN_OK)
      return status;
    worst[order] = fmax(worst[order], gradyn_largest(phi, mech->m));
  }
  return GRADYN_OK;
}

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
