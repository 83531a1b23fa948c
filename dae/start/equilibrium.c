/* Static equilibrium: R(q, v = 0, a = 0, lam) = 0, Phi(q) = 0, by Newton's method with the matrix
 *
 *   [K + shift M, U^T; J, 0],    K = R_q, U^T = R_lam, J = Phi_q.
 *
 * First-order states are rates of coordinates on which nothing depends. The states replace these
 * coordinates as unknowns, so their columns of K are those of R_v. Their rows of R require that the rates
 * of these states are zero. With the shift, a Newton step is an implicit step of a strongly damped fall, M
 * q' = -R. From any point but an unstable equilibrium, this fall ends in a stable equilibrium. The shift
 * decreases as long as steps go downhill and not too far. The last steps are those of Newton's method
 * without a shift. */
#include "dae/start/initial_parts.h"
#include "core/mech/rolling.h"

#include "core/mech/size.h"
#include "core/mech/vector.h"
#include "core/linear/norm.h"
#include "dae/linear/pseudo_transient.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 500 };

gradyn_mech_state gradyn_initial_rest_state(const gradyn_initial *s)
{
  return (gradyn_mech_state){.t = s->t, .q = s->q, .v = s->memory, .a = s->still, .lam = s->nu};
}

/* Returns whether coordinate i has no mechanical meaning: it is the integral of a first-order state, or
 * idle. */
static bool is_spare(const gradyn_mech *mech, int i)
{
  return mech->spare && mech->spare[i];
}

/* Returns the largest diagonal entry of a matrix divided by the squared length scale, of coordinates with
 * mechanical meaning. */
static double diagonal_of(const gradyn_mech *mech, const double *A)
{
  double most = 0;
  for (int i = 0; i < mech->n; i++)
    for (int k = mech->dyn.start[i]; k < mech->dyn.start[i + 1]; k++)
      if (mech->dyn.col[k] == i && !is_spare(mech, i))
        most = fmax(most, fabs(A[k]) / (mech->length_scale[i] * mech->length_scale[i]));
  return most;
}

/* Returns the largest generalised force divided by its length scale, N. */
static double force_of(const gradyn_mech *mech, const double *r)
{
  double most = 0;
  for (int i = 0; i < mech->n; i++)
    most = fmax(most, is_spare(mech, i) ? 0 : fabs(r[i]) / mech->length_scale[i]);
  return most;
}

/* Returns whether any coordinate has no mechanical meaning. */
static bool any_spare(const gradyn_mech *mech)
{
  bool any = false;
  for (int i = 0; i < mech->n; i++)
    any = any || is_spare(mech, i);
  return any;
}

/* Evaluates K, M, J and U at the present q and lam. */
static gradyn_status evaluate(gradyn_initial *s)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_rest_state(s);
  const bool spare = any_spare(mech);
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, spare ? s->C : NULL, s->M));
  /* columns of first-order states are those of R_v; idle coordinates stay constant */
  for (int i = 0; i < mech->n && spare; i++)
    for (int k = mech->dyn.start[i]; k < mech->dyn.start[i + 1]; k++) {
      const int j = mech->dyn.col[k];
      if (is_spare(mech, j))
        s->K[k] = !mech->idle[j] ? s->C[k] : i == j ? s->M[k] : 0;
    }
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, s->J));
  return gradyn_mech_residual_lam(mech, &at, s->J, s->own, &s->U);
}

/* Adds the shift to K and factorises. A shift of 1/h^2 corresponds to a step h of the motion from rest;
 * first-order states then get 1/h. The tiny diagonal is relative to J W^-1 J^T divided by a stiffness. */
static gradyn_status factor(gradyn_initial *s, double shift)
{
  const gradyn_mech *mech = s->mech;
  for (int i = 0; i < mech->n; i++)
    for (int k = mech->dyn.start[i]; k < mech->dyn.start[i + 1]; k++)
      s->K[k] += (is_spare(mech, i) ? sqrt(shift) : shift) * s->M[k]; /* K + shift M */
  double stiffness = diagonal_of(s->mech, s->K);
  gradyn_mech_row_sizes(s->mech, s->J, s->mech->m, s->row);
  gradyn_saddle_fill(&s->balance, s->K, s->U, s->J, 0);
  gradyn_saddle_soften(&s->balance, stiffness > 0 ? 1e-9 / stiffness : 1, s->row);
  return gradyn_initial_factor(s, &s->balance, "equilibrium");
}

/* Evaluates and factorises Newton's matrix without the shift, for derivatives. */
static gradyn_status pure_matrix(gradyn_initial *s)
{
  GRADYN_TRY(evaluate(s));
  return factor(s, 0);
}

/* Computes the residual s->b, and *work, the work of the forces along the last step way.direction. */
static gradyn_status unbalanced(gradyn_initial *s, double *work)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_rest_state(s);
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_DYNAMICS, &at, s->b));
  *work = 0;
  for (int i = 0; i < mech->n; i++)
    *work += s->b[i] * s->way.direction[i]; /* R.d */
  return mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &at, s->b + mech->n);
}

/* Returns d^T K d. */
static double quadratic(const gradyn_mech *mech, const double *K, const double *d)
{
  double sum = 0;
  for (int i = 0; i < mech->n; i++)
    for (int k = mech->dyn.start[i]; k < mech->dyn.start[i + 1]; k++)
      sum += d[i] * K[k] * d[mech->dyn.col[k]]; /* d_i K_ij d_j */
  return sum;
}

/* Computes the step d for a shift, way.direction, from the residual in s->b. *step: its length, m. *work:
 * work of the forces along the step, J, which is negative if the potential energy grows. The forces are
 * those with the multipliers after the step, R - U^T dnu = (K + shift M) d. With the multipliers before the
 * step, the forces would also do work on the way back to the constraints. */
static gradyn_status aim(gradyn_initial *s, double shift, double *step, double *work)
{
  const gradyn_mech *mech = s->mech;
  GRADYN_TRY(evaluate(s));
  GRADYN_TRY(factor(s, shift));
  gradyn_linsys_solve(s->balance.system, s->b, 1);
  memcpy(s->way.direction, s->b, (size_t)(mech->n + mech->m) * sizeof(double));
  *step = gradyn_largest_product(s->b, mech->length_scale, mech->n);
  *work = quadratic(mech, s->K, s->way.direction);
  return isfinite(*step)
             ? GRADYN_OK
             : gradyn_fail(mech->message, GRADYN_NON_FINITE,
                           "the iterations to the equilibrium diverged: a number is not finite");
}

/* Takes the step, limited to a fifth of the mechanism's size. Returns whether it was limited. */
static bool fall(gradyn_initial *s, double step)
{
  double size = gradyn_mech_size(s->mech, s->q), cut = step > 0.2 * size ? 0.2 * size / step : 1;
  for (int i = 0; i < s->mech->n; i++)
    /* multipliers below change in full even if the step is limited, because they belong to the position */
    *(is_spare(s->mech, i) ? &s->memory[i] : &s->q[i]) -= cut * s->way.direction[i];
  for (int i = 0; i < s->mech->m; i++)
    s->nu[i] -= s->way.direction[s->mech->n + i];
  return cut < 1;
}

/* Computes the first shift, with which the forces move the mechanism by a part of its size. */
static gradyn_status first_shift(gradyn_initial *s, double *shift)
{
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_initial_rest_state(s);
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_FORCE, &at, s->b));
  GRADYN_TRY(evaluate(s));
  double mass = diagonal_of(mech, s->M), size = gradyn_mech_size(mech, s->q);
  /* N/m: by the forces, or by their stiffness */
  double stiffness = fmax(diagonal_of(mech, s->K), force_of(mech, s->b) / size);
  *shift = mass > 0 && stiffness > 0 ? stiffness / mass : 1;
  return GRADYN_OK;
}

/* Fails because the steps do not decrease. */
static gradyn_status not_found(gradyn_initial *s, double step)
{
  return gradyn_fail(
      s->mech->message, GRADYN_NOT_CONVERGED,
      "no equilibrium has been found: after %d steps from the initial position, coordinates still "
      "change by %.3g m. Check that forces or constraints can hold the mechanism at rest",
      (int)MOST_STEPS, step);
}

/* Returns the next shift, from the work of the forces along a step, evaluated before and after it. The
 * shift decreases while the forces keep their direction or nearly vanish. It increases after a step that
 * went too far. */
static double next_shift(double shift, double before, double after, bool cut)
{
  if (after < -0.5 * before)
    return 4 * shift;
  return cut ? shift : shift / 10;
}

/* Finds the equilibrium of models with first-order states. Their part of K is no stiffness, so that work
 * cannot judge the steps. The shift decreases from a first value to `least`, by
 * gradyn_pseudo_transient_factor(). */
static gradyn_status settle(gradyn_initial *s, double shift, double least)
{
  const gradyn_mech *mech = s->mech;
  double step = 0, last = HUGE_VAL, rate = 0, work;
  for (int k = 0; k < MOST_STEPS; k++) {
    const double size = gradyn_mech_size(mech, s->q);
    const bool small = shift <= least;
    GRADYN_TRY(unbalanced(s, &work));
    GRADYN_TRY(aim(s, fmax(shift, least), &step, &work));
    const bool cut = fall(s, step);
    /* without a shift, steps decrease to round-off, slowly at a multiple zero */
    if (small &&
        (step < 1e-14 * size || ((step >= last || k > MOST_STEPS / 2) && step < 1e-10 * size)))
      return GRADYN_OK;
    const double now = step * sqrt(shift);
    const double by = gradyn_pseudo_transient_factor(now / rate, small || step < 1e-10 * size);
    shift *= cut ? 1 : by * by;
    rate = now;
    last = step;
  }
  return not_found(s, step);
}

/* Finds the equilibrium by the damped motion from the initial state. If this diverges, uses Newton's method
 * from the initial state. */
static gradyn_status balance_states(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  const size_t bytes = (size_t)mech->n * sizeof(double);
  double shift;
  gradyn_status status = GRADYN_OK;
  memcpy(s->way.best, s->q, bytes);
  for (int attempt = 0; attempt < 2; attempt++) {
    gradyn_message_clear(mech->message); /* a message of the failed attempt */
    memcpy(s->q, s->way.best, bytes);
    memset(s->nu, 0, (size_t)mech->m * sizeof(double));
    for (int i = 0; i < mech->n; i++)
      s->memory[i] = is_spare(mech, i) && !mech->idle[i] ? mech->x[mech->v0[i]] : 0;
    GRADYN_TRY(first_shift(s, &shift));
    status = settle(s, attempt == 0 ? shift : 0, 1e-9 * shift);
    if (status == GRADYN_OK || status == GRADYN_INTERRUPTED)
      return status;
  }
  return status;
}

/* Applies Newton's method to R(q, 0, 0, lam) = 0, Phi(q) = 0 with K + shift M instead of K. This is a
 * damped fall, whose shift tends to zero as it comes to rest. Steps that go uphill are computed again with
 * a larger shift, so that the fall does not end at a maximum of the energy. */
gradyn_status gradyn_initial_balance(gradyn_initial *s)
{
  if (s->mech->rolling > 0)
    return gradyn_fail(s->mech->message, GRADYN_UNSUPPORTED,
                       "%s is a velocity-level constraint; equilibria with it are not isolated, so "
                       "gradyn cannot find one",
                       gradyn_mech_first_roll(s->mech));
  const gradyn_mech *mech = s->mech;
  double shift, step = 0, last = HUGE_VAL, before = 0, after;
  bool cut = true;
  memset(s->nu, 0, (size_t)mech->m * sizeof(double));
  if (mech->state)
    return balance_states(s);
  GRADYN_TRY(first_shift(s, &shift)); /* 1/s^2 */
  const double least = 1e-12 * shift;
  for (int k = 0; k < MOST_STEPS; k++) {
    const double size = gradyn_mech_size(mech, s->q);
    GRADYN_TRY(unbalanced(s, &after));
    /* almost at rest: the shift can be removed */
    if (k > 0)
      shift = step < 1e-10 * size ? shift / 10 : next_shift(shift, before, after, cut);
    bool small = shift <= least;
    GRADYN_TRY(aim(s, fmax(shift, least), &step, &before));
    /* the step goes uphill: the matrix is indefinite, and a larger shift makes it definite */
    for (int i = 0; i < 40 && before < 0 && step > 1e-9 * size; i++) {
      shift = fmax(10 * shift, 10 * least);
      small = false;
      GRADYN_TRY(unbalanced(s, &after));
      GRADYN_TRY(aim(s, shift, &step, &before));
    }
    cut = fall(s, step);
    /* without a shift, steps decrease to round-off */
    if (small && (step < 1e-14 * size || (step >= last && step < 1e-10 * size)))
      return GRADYN_OK;
    last = step;
  }
  return not_found(s, step);
}

/* Checks that K is regular on the constraints: arbitrary forces must not cause large displacements. */
gradyn_status gradyn_initial_check_isolated(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  int n = mech->n;
  unsigned long long seed = 5;
  GRADYN_TRY(pure_matrix(s));
  double stiffness = diagonal_of(mech, s->K); /* N/m */
  memset(s->b, 0, (size_t)(n + mech->m) * sizeof(double));
  for (int i = 0; i < n; i++) {
    /* deterministic forces, about the stiffness times the unit */
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    s->b[i] = mech->length_scale[i] * stiffness * ((double)(seed >> 33) / 0x1p30 - 1);
  }
  gradyn_linsys_solve(s->balance.system, s->b, 1);
  int free = 0;
  for (int i = 0; i < n; i++)
    if (fabs(s->b[i]) * mech->length_scale[i] > fabs(s->b[free]) * mech->length_scale[free])
      free = i;
  /* no displacement exceeds 1e9 units, so every degree of freedom has stiffness */
  if (fabs(s->b[free]) * mech->length_scale[free] < 1e9 && n > 0)
    return GRADYN_OK;
  return gradyn_fail(mech->message, GRADYN_SINGULAR,
                     "the equilibrium is not isolated: no force acts against a motion of %s",
                     mech->coordinate_name(mech, free));
}
