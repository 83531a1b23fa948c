/* Derivatives of a mechanical model by multipliers, and products for one term and one vector. The
 * interface mech.h works on lanes of four and several terms; initial states, impacts and events need only
 * one vector. */
#include "core/mech/vector.h"

#include <string.h>

gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U)
{
  /* without multiplier-dependent forces R_lam = Phi_q^T, so J is used */
  *U = mech->reader ? own : J;
  return mech->reader ? mech->ops->residual_lam(mech, at, own) : GRADYN_OK;
}

/* Number of rows of a term: n equations, and the constraints that take part. */
static int rows_of(const gradyn_mech *mech, const gradyn_mech_term *term)
{
  return mech->n + gradyn_mech_rows(mech, term->parts);
}

/* Copies x [n] into the first lane of work; NULL stays NULL. */
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
  const gradyn_mech_point look = {1, term, node};
  int n = mech->n, rows = rows_of(mech, term);
  /* NULL avoids an evaluation of the derivative by time */
  const gradyn_mech_change change = {.x = d->x,
                                     .t = d->t == 0 ? NULL : &d->t,
                                     .q = spread(n, d->q, work + rows),
                                     .v = spread(n, d->v, work + rows + n)};
  memset(work, 0, (size_t)rows * sizeof *work);
  GRADYN_TRY(mech->ops->along(mech, &look, 1, &change, &work));
  /* the first of four lanes has the vector; the others are zero */
  for (int i = 0; i < rows; i++)
    r[i] += work[i][0];
  return GRADYN_OK;
}

gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, const gradyn_mech_sums *sums)
{
  const gradyn_mech_point look = {1, term, node};
  int n = mech->n, rows = rows_of(mech, term);
  gradyn_lanes *q = work + rows, *v = q + n;
  const gradyn_mech_adjoints adjoints = {
      .x = sums->x, .t = sums->t, .q = sums->q ? q : NULL, .v = sums->v ? v : NULL};
  /* against() subtracts (R; Phi)^T mu: with -mu it adds */
  for (int i = 0; i < rows; i++)
    work[i] = (gradyn_lanes){-mu[i]};
  memset(q, 0, 2 * (size_t)n * sizeof *q);
  GRADYN_TRY(mech->ops->against(mech, &look, 1, &work, &adjoints));
  /* added, because several terms share the sums */
  for (int i = 0; i < n && sums->q; i++)
    sums->q[i] += q[i][0];
  for (int i = 0; i < n && sums->v; i++)
    sums->v[i] += v[i][0];
  return GRADYN_OK;
}
