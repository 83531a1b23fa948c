/* Consistent initial state: Newton's method on three saddle-point systems, one after the other. W are the
 * weights of coordinates and velocities that have guesses q^ and v^.
 *
 *   [W, J^T; J, 0] (q - q^; nu) = (0; -Phi),   repeated until Phi(q) = 0;
 *   [W, J^T; J, 0] (v - v^; tau) = (0; -Phi'(v^)),   once, because Phi' is linear in v;
 *   [M, J^T; J, 0] (a; lam) = (Q; -Phi''(a = 0)).
 *
 * The first two include the rows of fixed initial conditions. A tiny diagonal makes redundant rows
 * solvable; refinement removes its effect. */
#include "dae/start/initial.h"
#include "dae/start/initial_parts.h"
#include "core/mech/rolling.h"
#include "dae/linear/dependent.h"

#include "core/mech/size.h"
#include "core/mech/vector.h"
#include "core/linear/norm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFINEMENTS = 3 };

/* Returns whether accelerations are computed with the mechanism's own factors. */
static bool has_factors(const gradyn_mech *mech)
{
  return mech->factors.numbers > 0 && !mech->reader;
}

/* Allocates the arrays of all problems. Without `formed`, matrices have no entries. The caller checks the
 * arena's status. */
static void take_arrays(gradyn_initial *s, bool formed)
{
  const gradyn_mech *mech = s->mech;
  const size_t n = (size_t)mech->n, rows = (size_t)(mech->m + mech->held);
  const size_t dyn = formed ? (size_t)mech->dyn.nnz + 1 : 0;
  const size_t jac = formed ? (size_t)mech->jac.nnz + 1 : 0;
  const struct {
    double **array;
    size_t count;
  } need[] = {{&s->q, n},
              {&s->v, n},
              {&s->a, n},
              {&s->still, n},
              {&s->memory, n},
              {&s->lam, rows},
              {&s->nu, rows},
              {&s->tau, rows},
              {&s->row, rows},
              {&s->K, dyn},
              {&s->C, dyn},
              {&s->M, dyn},
              {&s->J, jac},
              /* R_lam is needed only with multiplier-dependent forces */
              {&s->own, mech->reader ? jac : 0},
              {&s->b, n + rows},
              {&s->rest, n + rows},
              {&s->sum, n + rows},
              {&s->way.direction, n + rows},
              {&s->way.best, n},
              {&s->way.near, n}};
  for (size_t k = 0; k < sizeof need / sizeof *need; k++)
    *need[k].array = gradyn_arena_numbers(&s->arena, need[k].count);
  s->way.angle = gradyn_arena_take(&s->arena, n, sizeof *s->way.angle);
  /* for three vectors of coordinates and one vector of rows */
  s->work = gradyn_arena_lanes(&s->arena, 3 * n + rows);
}

/* Creates the mechanism's own factors if it has them. */
static gradyn_status take_factors(gradyn_initial *s)
{
  if (!has_factors(s->mech))
    return gradyn_arena_status(&s->arena);
  s->way.factors = gradyn_arena_take(&s->arena, 1, sizeof *s->way.factors);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return gradyn_factors_create_own(s->mech, &s->arena, s->way.factors);
}

/* Creates the same problem in the coordinates in which the start is solved, if these are others. */
static gradyn_status create_origin(gradyn_initial *s)
{
  s->way.origin = malloc(sizeof *s->way.origin);
  if (!s->way.origin)
    return GRADYN_NO_MEMORY;
  const gradyn_status status = gradyn_initial_create(s->mech->begin.origin.mech, GRADYN_ASSEMBLY,
                                                     s->way.origin);
  if (status != GRADYN_OK) {
    free(s->way.origin);
    s->way.origin = NULL;
  }
  return status;
}

/* Creates the matrices of the three problems, and of the equilibrium. */
static gradyn_status create_matrices(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  GRADYN_TRY(gradyn_saddle_create(&mech->dyn, NULL, &mech->jac, s->rows, GRADYN_BACKEND_AUTO,
                                  &s->position));
  if (!s->way.factors)
    GRADYN_TRY(gradyn_saddle_create(&mech->dyn, mech->inertia, &mech->jac, mech->m,
                                    GRADYN_BACKEND_AUTO, &s->force));
  return s->balanced ? gradyn_saddle_create(&mech->dyn, NULL, &mech->jac, mech->m,
                                            GRADYN_BACKEND_AUTO, &s->balance)
                     : GRADYN_OK;
}

/* Creates the problems of assembly, with matrices if `formed`; otherwise only the problem in other
 * coordinates has matrices. */
static gradyn_status create(gradyn_mech *mech, int parts, bool formed, gradyn_initial *s)
{
  memset(s, 0, sizeof *s);
  s->mech = mech;
  /* with free initial positions, fixed initial conditions do not act */
  parts = parts == GRADYN_ASSEMBLY && mech->begin.free ? GRADYN_CONSTRAINT : parts;
  /* a start in equilibrium first satisfies the constraints, then R = 0 */
  s->balanced = parts == GRADYN_AT_REST || (parts == GRADYN_ASSEMBLY && mech->begin.balanced);
  s->parts = s->balanced ? GRADYN_CONSTRAINT : parts;
  s->rows = gradyn_mech_rows(mech, s->parts);
  gradyn_status status = formed ? gradyn_mech_form(mech) : GRADYN_OK;
  take_arrays(s, formed);
  if (status == GRADYN_OK)
    status = take_factors(s);
  if (status == GRADYN_OK && formed)
    status = create_matrices(s);
  if (status == GRADYN_OK && s->parts == GRADYN_ASSEMBLY && mech->begin.origin.mech)
    status = create_origin(s);
  if (status != GRADYN_OK)
    gradyn_initial_clear(s);
  return status;
}

gradyn_status gradyn_initial_create(gradyn_mech *mech, int parts, gradyn_initial *s)
{
  return create(mech, parts, true, s);
}

gradyn_status gradyn_initial_create_motion(gradyn_mech *mech, gradyn_initial *s)
{
  const bool elsewhere = mech->begin.origin.mech && !mech->begin.free && !mech->begin.balanced;
  return create(mech, GRADYN_ASSEMBLY, !(elsewhere && has_factors(mech)), s);
}

/* Also frees an object whose creation has failed. */
void gradyn_initial_clear(gradyn_initial *s)
{
  if (s->way.origin)
    gradyn_initial_clear(s->way.origin);
  free(s->way.origin);
  gradyn_saddle_clear(&s->position);
  gradyn_saddle_clear(&s->force);
  gradyn_saddle_clear(&s->balance);
  gradyn_arena_clear(&s->arena);
  memset(s, 0, sizeof *s);
}

/* --- velocity and acceleration --------------------------------------------------------------- */

/* With redundant rows, the multipliers nu of the position are not unique. Newton's method leaves a large
 * part in them that has no effect on positions, but spoils derivatives. Therefore nu is replaced by the
 * smallest solution: [W, J^T; J, 0] (0, nu) = (W (q^ - q), 0), with the matrix of the velocity problem
 * without nonholonomic rows. */
static void shrink_nu(gradyn_initial *s)
{
  const gradyn_mech *mech = s->mech;
  int n = mech->n, rows = s->rows;
  /* W (q^ - q) */
  for (int i = 0; i < n + rows; i++)
    s->b[i] = i < n ? gradyn_initial_weight(s, i) * (gradyn_initial_guess(s, i) - s->q[i]) : 0;
  gradyn_initial_solve_refined(s, &s->position, s->K, rows, false, s->b);
  /* smallest solution nu */
  for (int i = 0; i < rows; i++)
    s->nu[i] = s->b[n + i];
}

/* Computes the velocity v nearest to its guess v^: the minimum of (v - v^)^T W (v - v^) with Phi' = 0. */
static gradyn_status solve_velocity(gradyn_initial *s)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, rows = s->rows;
  gradyn_mech_state at = gradyn_initial_place_state(s);
  /* guess v^; in an equilibrium, all velocities are zero except rates of first-order states */
  for (int i = 0; i < n; i++)
    s->v[i] = s->balanced                       ? s->memory[i]
              : gradyn_initial_weight(s, i) > 0 ? mech->x[mech->v0[i]]
                                                : 0;
  /* violations of Phi' are compared with the speed */
  const double guessed = gradyn_largest_product(s->v, mech->length_scale, n);
  /* nu must not depend on nonholonomic rows, which do not occur at an equilibrium */
  if (mech->rolling > 0) {
    GRADYN_TRY(gradyn_initial_damped_matrix(s, GRADYN_PLACE_SHARE));
    shrink_nu(s);
  }
  GRADYN_TRY(gradyn_initial_velocity_matrix(s));
  if (!s->balanced && mech->rolling == 0)
    shrink_nu(s);
  GRADYN_TRY(mech->ops->phi(mech, s->parts, 1, &at, s->b + n));
  /* [W, J^T; J, 0] (v - v^; tau) = (0; -Phi'(v^)): one step, as Phi' is linear in v */
  for (int i = 0; i < n; i++)
    s->b[i] = 0;
  for (int i = 0; i < rows; i++)
    s->b[n + i] = -s->b[n + i];
  gradyn_initial_solve_refined(s, &s->position, s->K, rows, false, s->b);
  for (int i = 0; i < n; i++)
    s->v[i] += s->b[i];
  for (int i = 0; i < rows; i++)
    s->tau[i] = s->b[n + i];
  /* the tiny diagonal hides rows that contradict each other, but Phi' is then not zero */
  GRADYN_TRY(mech->ops->phi(mech, s->parts, 1, &at, s->b));
  double left = gradyn_mech_violation(s->b, s->row, rows);
  double speed = fmax(guessed, gradyn_largest_product(s->v, mech->length_scale, n));
  if (!(left <= 1e-9 * speed))
    return gradyn_fail(mech->message, GRADYN_NOT_ASSEMBLED,
                       "no velocity satisfies the constraints%s: Phi' = %.3g m/s remains. %s",
                       mech->held > 0 ? " and the fixed initial values" : "", left,
                       mech->held > 0
                           ? "Fix fewer velocities, or correct their values"
                           : "Check for drives that contradict each other, and for a singular "
                             "position");
  return GRADYN_OK;
}

/* Computes accelerations and multipliers: R(a, lam) = 0 and Phi''(a) = 0 at given q and v. */
gradyn_status gradyn_initial_accelerate(gradyn_initial *s, double t, const double *q,
                                        const double *v)
{
  gradyn_mech *mech = s->mech;
  int n = mech->n, m = mech->m;
  gradyn_mech_state at = gradyn_initial_motion_state(s, t, q, v);
  /* R and Phi'' are linear in a and lam: the first solve suffices, and further ones refine it */
  memset(s->a, 0, (size_t)n * sizeof(double));
  memset(s->lam, 0, (size_t)m * sizeof(double));
  GRADYN_TRY(mech->reader ? gradyn_initial_solve_forces(s, &at)
                          : gradyn_initial_plain_matrix(s, &at));
  for (int pass = 0; pass < REFINEMENTS && !mech->reader; pass++) {
    GRADYN_TRY(mech->ops->residual(mech, GRADYN_DYNAMICS, &at, s->b));
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, &at, s->b + n));
    if (s->way.factors)
      gradyn_initial_solve_force(s, false, s->b);
    else
      gradyn_linsys_solve(s->force.system, s->b, 1);
    for (int i = 0; i < n; i++)
      s->a[i] -= s->b[i]; /* (a; lam) -= S^-1 (R; Phi'') */
    for (int i = 0; i < m; i++)
      s->lam[i] -= s->b[n + i];
  }
  if (!(isfinite(gradyn_largest(s->a, n)) && isfinite(gradyn_largest(s->lam, m))))
    return gradyn_fail(mech->message, GRADYN_NON_FINITE,
                       "the accelerations at t = %g s are not finite", t);
  return GRADYN_OK;
}

gradyn_status gradyn_initial_solve_motion(gradyn_initial *s)
{
  /* results must not depend on pivots of an earlier start */
  gradyn_linsys_reset(s->position.system);
  GRADYN_TRY(gradyn_initial_place(s));
  if (s->balanced) {
    gradyn_linsys_reset(s->balance.system);
    GRADYN_TRY(gradyn_initial_balance(s));
  }
  return solve_velocity(s);
}

/* Computes position and velocity from those in the other coordinates. */
static gradyn_status take_motion(gradyn_initial *s)
{
  s->way.origin->t = s->t;
  GRADYN_TRY(gradyn_initial_solve_motion(s->way.origin));
  gradyn_initial_take(s);
  return GRADYN_OK;
}

gradyn_status gradyn_initial_solve(gradyn_initial *s)
{
  if (s->force.system)
    gradyn_linsys_reset(s->force.system);
  GRADYN_TRY(s->way.origin ? take_motion(s) : gradyn_initial_solve_motion(s));
  return gradyn_initial_accelerate(s, s->t, s->q, s->v);
}
