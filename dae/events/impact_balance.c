/* Checks of impacts that hold for any scheme:
 *
 *   M w + Phi_q^T kappa + g^T iota = 0,
 *
 * the impulse of a wall pushes, and the energy does not grow unless something drives the impact. The
 * balance of momentum was solved with matrices. Here it is evaluated with the residual of the equations of
 * motion, so that an inconsistent matrix is detected. With the multipliers mu of all rows of the impact,
 * the energy lost is
 *
 *   -(v+ + v~).M w/2 = sum mu_i (rate_i(v+) + rate_i(v~))/2 - sum mu_i Phi_t,i.
 *
 * The second sum is the work of rows that move with time; the first must not be negative. Newton's law of
 * restitution alone satisfies this for restitutions up to 1, but not necessarily together with constraints
 * that are new after the event. Velocities that a map or a reset changes are the user's choice. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dae/events/impact_parts.h"

/* balanced: residual that the solution and round-off may leave in a row, relative to the terms of the row.
 * passive: energy that an impact may gain, relative to the energies of the motion and of its jump.
 * Velocities satisfy their constraints only up to the error of a run. */
static const double balanced = 1e-8, passive = 1e-6;

/* Returns the multiplier of row k of the jump's system. */
static double multiplier(const gradyn_impacts *s, int k)
{
  const int reset = gradyn_reset_row(s);
  if (k >= reset)
    return k - reset < gradyn_reset_count(s) ? s->reset.impulse[k - reset] : 0;
  return s->lam[k < s->m ? k : s->first + k - s->m];
}

/* Sets s->sum [n] to the sums of the magnitudes of the terms of M w + J^T mu. */
static void measure_terms(gradyn_impacts *s)
{
  const gradyn_pattern *dyn = &s->mech->dyn, *jac = &s->jac;
  memset(s->sum, 0, (size_t)s->n * sizeof(double));
  for (int i = 0; i < s->n; i++)
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++)
      s->sum[i] += fabs(s->M[k] * s->w[dyn->col[k]]);
  for (int i = 0; i < s->ties; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      s->sum[jac->col[k]] += fabs(s->own[k] * multiplier(s, i));
}

/* Computes the largest residual of M w + J^T mu, relative to the terms of its row. The round-off of sums of
 * n terms is subtracted. Terms that do not belong to the jump, such as gyroscopic ones, cancel in the
 * difference of two evaluations. */
static gradyn_status momentum_left(gradyn_impacts *s, double *left)
{
  gradyn_mech *mech = s->mech;
  const int parts = GRADYN_INERTIA | GRADYN_ALL_ROWS, n = s->n;
  double *with = s->rows_of, *without = s->rest, *none = s->rows_of + n, largest = 0;
  gradyn_mech_state at = {.t = s->t, .q = s->yp, .v = s->vp, .a = s->w, .lam = s->lam};
  GRADYN_TRY(mech->ops->residual(mech, parts, &at, with));
  memset(s->b, 0, (size_t)n * sizeof(double));
  memset(none, 0, (size_t)gradyn_impact_rows(s) * sizeof(double));
  at.a = s->b;
  at.lam = none;
  GRADYN_TRY(mech->ops->residual(mech, parts, &at, without));
  for (int k = 0; k < gradyn_reset_count(s); k++)
    with[gradyn_reset_at(s, k)] += s->reset.impulse[k];
  measure_terms(s);
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fmax(s->sum[i], fabs(without[i])));
  const double round_off = n * DBL_EPSILON * largest;
  *left = 0;
  /* a row without terms has sum = 0; the quotient is -inf, or NaN, which fmax() ignores */
  for (int i = 0; i < n; i++)
    *left = fmax(*left, (fabs(with[i] - without[i]) - round_off) / s->sum[i]);
  return GRADYN_OK;
}

/* u.M u/2 */
static double energy_of(gradyn_impacts *s, const double *u)
{
  double sum = 0;
  memset(s->rest, 0, (size_t)s->n * sizeof(double));
  gradyn_pattern_multiply(&s->mech->dyn, s->n, s->M, 1, u, s->rest);
  for (int i = 0; i < s->n; i++)
    sum += u[i] * s->rest[i] / 2;
  return sum;
}

/* Adds sum mu_i rate_i(v)/2 over the rows of the impact to *lost. */
static gradyn_status add_loss(gradyn_impacts *s, const double *v, double *lost)
{
  double *rate = s->rows_of + s->n;
  const gradyn_mech_state at = {.t = s->t, .q = s->yp, .v = v, .a = s->w, .lam = s->lam};
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_ALL_ROWS, 1, &at, rate));
  for (int i = 0; i < gradyn_impact_rows(s); i++)
    *lost += s->lam[i] * rate[i] / 2;
  return GRADYN_OK;
}

static void note(gradyn_impacts *s, gradyn_imbalance_kind kind, double amount)
{
  gradyn_log_imbalance(s->model, kind,
                       &(gradyn_imbalance){(int)(s->event - s->model->event), 1, s->t, amount, 0});
}

gradyn_status gradyn_impact_balance(gradyn_impacts *s, const gradyn_event_record *record)
{
  const bool wall = s->event->contact >= 0;
  double left, lost = 0;
  GRADYN_TRY(momentum_left(s, &left));
  if (left > balanced)
    note(s, GRADYN_MOMENTUM_LEFT, left);
  const double jump = energy_of(s, s->w), size = jump + energy_of(s, s->vm);
  GRADYN_TRY(add_loss(s, s->vm, &lost));
  GRADYN_TRY(add_loss(s, s->vp, &lost));
  /* if the restitution is above 1, or velocities are set, the user wants the energy to grow */
  const bool driven = gradyn_reset_count(s) > 0 || (wall && s->model->x[s->event->restitution] > 1);
  if (lost < -passive * size && !driven)
    note(s, GRADYN_ENERGY_GROWS, -lost);
  /* a wall that pulls is reported if the work of its impulse is not negligible */
  if (wall && record->impulse * record->approach > passive * size)
    note(s, GRADYN_WALL_PULLS, -record->impulse);
  return GRADYN_OK;
}
