/* Landings: the gradient g of the wall is a combination of constraints of the mode after the event,
 * g = sum_i c_i Phi_q,i. These constraints stop the point and then fix it. If the wall's row were a
 * separate row of the jump's system, the distribution of its impulse would depend on regularisation.
 * Therefore the row is omitted. The impulse of the wall is
 *
 *   iota = c_N . kappa_N / c_N . c_N,
 *
 * where N are the new constraints and kappa_N their impulses. The remaining part kappa_N - c_N iota is then
 * the smallest possible. */
#include <math.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/events/impact_parts.h"

/* If the constraints contain g, its residual relative to g is at most this round-off of a few solves. Rows
 * that are only nearly equal are different rows. */
static const double same = 1e-8;

/* Returns whether constraint i acts after the present event but not before it. */
static bool is_new(const gradyn_impacts *s, int i)
{
  const gradyn_mech *mech = s->mech;
  return mech->ops->holds && mech->ops->holds(mech, i, s->model->discrete.mode) &&
         !mech->ops->holds(mech, i, s->before);
}

/* Returns the largest entry of c_i Phi_q,i of new constraints, which is their part of g, independent of the
 * units of constraints. */
static double part_of_new(const gradyn_impacts *s)
{
  const int *start = s->mech->jac.start;
  double most = 0;
  for (int i = 0; i < s->m; i++)
    if (is_new(s, i))
      most = fmax(most, fabs(s->wall.share[i]) *
                            gradyn_largest(s->J + start[i], start[i + 1] - start[i]));
  return most;
}

/* c_N . other_N */
static double product(const gradyn_impacts *s, const double *other)
{
  double sum = 0;
  for (int i = 0; i < s->m; i++)
    sum += is_new(s, i) ? s->wall.share[i] * other[i] : 0;
  return sum;
}

bool gradyn_impact_lands(gradyn_impacts *s)
{
  const gradyn_pattern *jac = &s->mech->jac;
  const int n = s->n, m = s->m, row = s->first + s->event->contact;
  double *b = s->b, size = 0;
  memset(b, 0, (size_t)(n + s->ties) * sizeof(double));
  for (int k = jac->start[row]; k < jac->start[row + 1]; k++) {
    b[jac->col[k]] = s->J[k]; /* g */
    size = fmax(size, fabs(s->J[k]));
  }
  gradyn_impact_solve(s, b); /* [A, J^T; J, 0] (u; c) = (g^T; 0): u = 0 if J^T c = g^T */
  memset(s->wall.share, 0, (size_t)gradyn_impact_rows(s) * sizeof(double));
  memcpy(s->wall.share, b + n, (size_t)m * sizeof(double));
  s->wall.share[row] = -1;
  memset(s->rest, 0, (size_t)n * sizeof(double));
  for (int i = 0; i < m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      s->rest[jac->col[k]] += s->J[k] * s->wall.share[i];
  for (int k = jac->start[row]; k < jac->start[row + 1]; k++)
    s->rest[jac->col[k]] -= s->J[k]; /* J^T c - g^T */
  return gradyn_largest(s->rest, n) <= same * size && part_of_new(s) > same * size;
}

double gradyn_impact_landing(const gradyn_impacts *s)
{
  return product(s, s->lam) / product(s, s->wall.share);
}

/* Returns the term Phi_q^T c - g^T of the residual, whose derivatives are needed. */
static gradyn_mech_term lack(const gradyn_impacts *s, const gradyn_mech_state *after)
{
  gradyn_mech_term term = {GRADYN_ALL_ROWS, GRADYN_NO_ORDER, *after};
  term.at.lam = s->wall.share;
  return term;
}

/* Returns the derivative of iota by c_i, times c_N . c_N, for a new constraint i. */
static double slope(const gradyn_impacts *s, double iota, int i)
{
  return s->lam[i] - 2 * iota * s->wall.share[i];
}

gradyn_status gradyn_impact_landing_along(gradyn_impacts *s, const gradyn_mech_state *after,
                                          const gradyn_mech_vector *d, double *change)
{
  const int n = s->n, m = s->m;
  const double iota = gradyn_impact_landing(s);
  const gradyn_mech_term term = lack(s, after);
  double *r = s->rows_of;
  *change = product(s, s->b + n); /* c_N . dkappa_N */
  memset(r, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
  GRADYN_TRY(gradyn_mech_along(s->mech, &term, after, d, s->work, r));
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  for (int i = 0; i < n; i++)
    s->b[i] = -r[i];
  gradyn_impact_solve(s, s->b); /* solve Phi_q^T dc = -d(Phi_q^T) c + dg^T */
  for (int i = 0; i < m; i++)
    *change += is_new(s, i) ? slope(s, iota, i) * s->b[n + i] : 0;
  *change /= product(s, s->wall.share);
  return GRADYN_OK;
}

gradyn_status gradyn_impact_landing_against(gradyn_impacts *s, const gradyn_mech_state *after,
                                            double bar, const gradyn_mech_sums *sums)
{
  const int n = s->n, m = s->m;
  const double iota = gradyn_impact_landing(s);
  const gradyn_mech_term term = lack(s, after);
  double *mu = s->rows_of;
  bar /= product(s, s->wall.share);
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  for (int i = 0; i < m; i++)
    s->b[n + i] = is_new(s, i) ? bar * slope(s, iota, i) : 0; /* adjoints of the coefficients c */
  gradyn_impact_solve(s, s->b);
  memset(mu, 0, (size_t)(n + gradyn_impact_rows(s)) * sizeof(double));
  for (int i = 0; i < n; i++)
    mu[i] = -s->b[i];
  GRADYN_TRY(gradyn_mech_against(s->mech, &term, after, mu, s->work, sums));
  memset(s->b, 0, (size_t)(n + s->ties) * sizeof(double));
  for (int i = 0; i < m; i++)
    /* adjoints of the multipliers kappa */
    s->b[n + i] = is_new(s, i) ? bar * s->wall.share[i] : 0;
  return GRADYN_OK;
}

/* Stores in wall.by [ties] the multipliers of new constraints or, if there are none, the signed impulses
 * along set velocities. Returns their number. *last: index of the last one. */
static int gather_pull(gradyn_impacts *s, int *last)
{
  const int first = gradyn_reset_row(s), sets = gradyn_reset_count(s);
  int count = 0;
  for (int i = 0; i < s->m; i++)
    if (is_new(s, i)) {
      s->wall.by[ *last = i] = s->lam[i];
      count++;
    }
  for (int k = 0; k < sets && count == 0; k++)
    s->wall.by[ *last = first + k] = -s->reset.impulse[k];
  return count > 0 ? count : sets;
}

/* Sets the impulse of the wall, the multiplier of the wall's row. A landing has no such row, see
 * gradyn_impact_landing(). */
static void take_wall(gradyn_impacts *s)
{
  if (s->wall.row < 0 || s->event->kept)
    return;
  s->wall.pull = -s->event->sign * s->lam[s->first + s->wall.row];
  s->wall.by[s->m + s->wall.row] = -s->event->sign;
}

/* Sets the pull of the event and its derivatives. A single impulse keeps its sign. Of several impulses
 * mu_i, it is the root of their sum of squares, with the derivatives mu_i divided by this root. */
void gradyn_impact_pull(gradyn_impacts *s)
{
  double *by = s->wall.by;
  int last = 0;
  s->wall.pull = 0;
  memset(by, 0, (size_t)s->ties * sizeof *by);
  if (s->event->contact >= 0) {
    take_wall(s);
    return;
  }
  const int count = gather_pull(s, &last);
  s->wall.pull = count == 1 ? by[last] : sqrt(gradyn_dot(by, by, s->ties));
  for (int i = 0; i < s->ties && s->wall.pull != 0; i++)
    by[i] *= (i < s->m ? 1 : -1) / s->wall.pull;
  if (count == 1)
    by[last] = last < s->m ? 1 : -1;
}
