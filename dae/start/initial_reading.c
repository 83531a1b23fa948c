/* Accelerations and multipliers with multiplier-dependent forces:
 *
 *   R = M a + Phi_q^T lam - Q(lam) = 0,   Phi''(a) = 0,
 *
 * by Newton's method with the matrix [M, Phi_q^T - Q_lam; Phi_q, 0]. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/linear/dependent.h"
#include "dae/start/initial_parts.h"
#include "dae/linear/null_space.h"

enum { MOST_ITERATIONS = 40, MOST_HALVINGS = 12 };

/* Residuals relative to the size of the forces. If they are below `settled`, a and lam are a solution;
 * below `roundoff`, the residual is round-off. */
static const double settled = 1e-10, roundoff = 1e-14;

/* Bounds of the multipliers for rates of about 1. If they exceed `suspect` times their usual size,
 * constraints may depend on each other and are examined. If they exceed `locked` times their size without
 * multiplier-dependent forces, the mechanism locks. */
static const double suspect = 1e5, locked = 1e6;

/* --- causes of failure ----------------------------------------------------------------------- */

/* Expands A = Phi_q^T to a full matrix, with `rows` rows and a column for each constraint. */
static void spread(const gradyn_initial *s, int rows, double *A)
{
  const gradyn_pattern *jac = &s->mech->jac;
  for (int i = 0; i < s->mech->m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++)
      A[i * rows + jac->col[k]] = s->J[k];
}

/* Finds the multiplier, of those on which forces depend, that has the largest part in the null space of
 * Phi_q^T. *row -1: none has a part in it. */
static gradyn_status find_free(gradyn_initial *s, int *row)
{
  gradyn_mech *mech = s->mech;
  int m = mech->m, rows = mech->n > m ? mech->n : m, dimension;
  FREED double *A = calloc((size_t)(rows + m) * (size_t)m, sizeof *A);
  /* round-off of the projector's entries, of which none exceeds 1 */
  double most = m * DBL_EPSILON;
  *row = -1;
  if (!A)
    return gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory for %d constraints", m);
  /* projector onto the null space of Phi_q^T: P_ii is the part of multiplier i in this space */
  double *P = A + (size_t)rows * (size_t)m;
  spread(s, rows, A);
  GRADYN_TRY(gradyn_null_projector(rows, m, A, P, &dimension));
  for (int i = 0; i < m; i++)
    if (mech->ops->is_read(mech, i) && P[i * m + i] > most) {
      most = P[i * m + i];
      *row = i;
    }
  return GRADYN_OK;
}

/* Refuses multipliers that are not unique, if forces depend on them. The present factors must be those
 * without multiplier-dependent forces. */
static gradyn_status check_unique(gradyn_initial *s, double t)
{
  gradyn_mech *mech = s->mech;
  /* if the multipliers for rates of about 1 are moderate, they are unique */
  int row = -1;
  if (mech->m == 0 || gradyn_relative_multiplier(mech, s->force.system, s->M, s->J, s->b) < suspect)
    return GRADYN_OK;
  gradyn_status status = find_free(s, &row);
  return row < 0 ? status
                 : gradyn_fail(mech->message, GRADYN_SINGULAR,
                               "the force %s reads the multiplier of %s, which is not determined "
                               "at t = %g s: constraints depend on each other there",
                               mech->ops->is_read(mech, row), mech->constraint_name(mech, row), t);
}

/* Fails because no accelerations exist at this point, or because the solution is beyond such a point. */
gradyn_status gradyn_initial_locks(const gradyn_initial *s, double t)
{
  return gradyn_fail(s->mech->message, GRADYN_SINGULAR,
                     "the force %s, which reads multipliers, locks the mechanism at t = %g s: "
                     "Phi_q^T - dQ/dlam is singular there or shortly before",
                     s->mech->reader, t);
}

/* Returns whether the determinant of the last factorised matrix has the same sign as without
 * multiplier-dependent forces. M is positive definite for motions that constraints allow, so without such
 * forces the matrix has m negative eigenvalues. */
static bool has_usual_sign(const gradyn_initial *s)
{
  return gradyn_linsys_sign(s->force.system) == (s->mech->m % 2 ? -1 : 1);
}

gradyn_status gradyn_initial_unlocked(gradyn_initial *s, const gradyn_mech_state *at)
{
  gradyn_status status = gradyn_initial_force_matrix(s, at);
  if (status == GRADYN_OK && has_usual_sign(s))
    return status;
  return status == GRADYN_OK || status == GRADYN_SINGULAR ? gradyn_initial_locks(s, at->t) : status;
}

/* Fails with the reason for which there is no solution. */
static gradyn_status explain(gradyn_initial *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  /* the matrix with Phi_q^T - dQ/dlam */
  gradyn_status status = gradyn_initial_force_matrix(s, at);
  /* if these multipliers are much larger than those without multiplier-dependent forces, the mechanism
   * locks */
  double with = status == GRADYN_OK ? gradyn_largest_multiplier(mech, s->force.system, s->b)
                                    : HUGE_VAL;
  /* the matrix with Phi_q^T alone, for comparison */
  if (status == GRADYN_OK || status == GRADYN_SINGULAR)
    status = gradyn_initial_plain_matrix(s, at);
  if (status != GRADYN_OK)
    return status;
  if (!(with < locked * gradyn_largest_multiplier(mech, s->force.system, s->b)))
    return gradyn_initial_locks(s, at->t);
  return gradyn_fail(
      mech->message, GRADYN_NOT_CONVERGED,
      "accelerations and multipliers at t = %g s do not converge: force %s depends on "
      "multipliers and locks the mechanism, or is not smooth",
      at->t, mech->reader);
}

/* --- Newton's method ------------------------------------------------------------------------- */

/* Computes the residual s->b = (R; Phi''). *size: size of both parts, as a force. */
static gradyn_status residual(gradyn_initial *s, const gradyn_mech_state *at, double *size)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  double J = gradyn_largest(s->J, mech->jac.start[m]), M = gradyn_largest(s->M, mech->dyn.nnz);
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_DYNAMICS, at, s->b));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, at, s->b + n));
  /* |Phi''| M/J: size of the forces that would make Phi'' zero */
  double rates = gradyn_largest(s->b + n, m);
  *size = gradyn_largest(s->b, n) + (rates > 0 ? rates * M / J : 0);
  return GRADYN_OK;
}

/* Raises *first to the size of forces that cancel each other, if nearly no force remains. In an equilibrium
 * without constraint forces, the remaining forces are zero. The size is the change |R_q q| of the forces
 * with the position. */
static gradyn_status look_behind(gradyn_initial *s, const gradyn_mech_state *at, double *first)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, at, s->K, s->C, s->M));
  memset(s->b, 0, (size_t)mech->n * sizeof *s->b);
  gradyn_pattern_multiply(&mech->dyn, mech->n, s->K, 1, at->q, s->b);
  *first = fmax(*first, gradyn_largest(s->b, mech->n));
  return GRADYN_OK;
}

/* Subtracts share times the direction from (a, lam). */
static void move(gradyn_initial *s, double share)
{
  int n = s->mech->n, m = s->mech->m;
  for (int i = 0; i < n; i++)
    s->a[i] -= share * s->way.direction[i];
  for (int i = 0; i < m; i++)
    s->lam[i] -= share * s->way.direction[n + i];
}

/* Computes the direction from the residual in s->b. Moves (a, lam) along it as far as the residual
 * decreases, with at most `most` halvings. *size: the new residual, or unchanged if it does not decrease. */
static gradyn_status advance(gradyn_initial *s, const gradyn_mech_state *at, int most, double *size)
{
  double share = 1, there = HUGE_VAL;
  gradyn_status status = GRADYN_OK;
  gradyn_initial_solve_refined(s, &s->force, s->M, s->mech->m, false, s->b);
  memcpy(s->way.direction, s->b, (size_t)(s->mech->n + s->mech->m) * sizeof(double));
  /* a step that does not decrease the residual is halved; if none does, (a, lam) do not change */
  move(s, share);
  for (int k = 0; k <= most && status == GRADYN_OK; k++) {
    status = residual(s, at, &there);
    if (there < *size)
      break;
    share /= 2;
    move(s, -share); /* return by half of the step */
  }
  if (there < *size)
    *size = there;
  else
    move(s, -share);
  return status;
}

/* Computes a and lam with the forces at lam = 0. *first: size of these forces; *size: residual with the
 * forces at the new lam. */
static gradyn_status begin(gradyn_initial *s, const gradyn_mech_state *at, double *first,
                           double *size)
{
  GRADYN_TRY(gradyn_initial_plain_matrix(s, at));
  *size = HUGE_VAL;
  GRADYN_TRY(check_unique(s, at->t));
  GRADYN_TRY(residual(s, at, first));
  return advance(s, at, 0, size);
}

gradyn_status gradyn_initial_solve_forces(gradyn_initial *s, const gradyn_mech_state *at)
{
  double first = 0, size = 0, before = HUGE_VAL;
  GRADYN_TRY(begin(s, at, &first, &size));
  for (int k = 0; k < MOST_ITERATIONS; k++) {
    /* converged, or no progress because of round-off */
    if (size <= roundoff * first || !(size < before))
      break;
    before = size;
    const gradyn_status status = gradyn_initial_force_matrix(s, at);
    if (status == GRADYN_SINGULAR)
      return explain(s, at);
    GRADYN_TRY(status);
    GRADYN_TRY(residual(s, at, &size));
    /* near the solution only full steps, because the changes of the residual are round-off there */
    GRADYN_TRY(advance(s, at, size <= settled * first ? 0 : MOST_HALVINGS, &size));
  }
  if (!(size <= settled * first))
    GRADYN_TRY(look_behind(s, at, &first));
  if (!(size <= settled * first))
    return explain(s, at);
  /* the factors of the last iteration belong to a point close to the solution */
  return has_usual_sign(s) ? GRADYN_OK : gradyn_initial_locks(s, at->t);
}

/* Sets a and lam from al [n + m]; if it is NULL, to zero. */
static void position(gradyn_initial *s, const double *al)
{
  const size_t n = (size_t)s->mech->n, m = (size_t)s->mech->m;
  memset(s->a, 0, n * sizeof(double));
  memset(s->lam, 0, m * sizeof(double));
  if (al)
    memcpy(s->a, al, n * sizeof(double));
  if (al)
    memcpy(s->lam, al + n, m * sizeof(double));
}

/* Computes a and lam from a nearby solution, with the factors at that solution. Each iteration adds as many
 * correct digits as this guess has. */
gradyn_status gradyn_initial_follow(gradyn_initial *s, const gradyn_mech_state *near, bool *found)
{
  const gradyn_mech_state at = gradyn_initial_motion_state(s, near->t, near->q, near->v);
  double first, size, before = HUGE_VAL;
  *found = false;
  position(s, near->a);
  const gradyn_status status = gradyn_initial_force_matrix(s, &at);
  if (status == GRADYN_SINGULAR || (status == GRADYN_OK && !has_usual_sign(s)))
    return GRADYN_OK;
  GRADYN_TRY(status);
  position(s, NULL);
  GRADYN_TRY(residual(s, &at, &first));
  position(s, near->a);
  GRADYN_TRY(residual(s, &at, &size));
  /* iterate to round-off */
  for (int k = 0; k < MOST_ITERATIONS && size > roundoff * first && size < before; k++) {
    before = size;
    GRADYN_TRY(advance(s, &at, 0, &size));
  }
  *found = size <= settled * first;
  return GRADYN_OK;
}
