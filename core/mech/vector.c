/* Derivatives of a mechanical model: by multipliers, and products for one term and one vector. The
 * interface works on lanes of four and on several terms at once; initial states, impacts and events ask
 * for less, and ask here. */
#include "core/mech/vector.h"

#include <string.h>

gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U)
{
  /* without readers of multipliers R_lam = Phi_q^T, and J serves */
  *U = mech->reader ? own : J;
  return mech->reader ? mech->ops->residual_lam(mech, at, own) : GRADYN_OK;
}

/* n equations and the constraints that take part. */
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

/* r += (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv for one vector. */
gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const gradyn_mech_vector *d,
                                gradyn_lanes *work, double *r)
{
  const gradyn_mech_point look = {1, term, node};
  int n = mech->n, rows = rows_of(mech, term);
  /* a derivative by time is asked for only if dt is not zero: it costs an evaluation */
  const gradyn_mech_change change = {.x = d->x,
                                     .t = d->t == 0 ? NULL : &d->t,
                                     .q = spread(n, d->q, work + rows),
                                     .v = spread(n, d->v, work + rows + n)};
  memset(work, 0, (size_t)rows * sizeof *work);
  GRADYN_TRY(mech->ops->along(mech, &look, 1, &change, &work));
  /* one lane of four carries the vector; the other three are zero */
  for (int i = 0; i < rows; i++)
    r[i] += work[i][0];
  return GRADYN_OK;
}

/* Its transpose: bars of x, t, q and v from mu. */
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
  /* sums are added to, as several terms share them */
  for (int i = 0; i < n && sums->q; i++)
    sums->q[i] += q[i][0];
  for (int i = 0; i < n && sums->v; i++)
    sums->v[i] += v[i][0];
  return GRADYN_OK;
}
