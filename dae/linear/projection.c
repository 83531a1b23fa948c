/* The system of constrained dynamics at the positions of a run, with the kind of factors chosen at its
 * start. */
#include "dae/linear/projection.h"
#include "core/linear/complement.h"
#include "core/mech/rolling.h"

#include <string.h>

/* Number of unknowns up to which the Schur complement is the fastest kind of factors. */
enum { SCHUR_SIZE = 32 };

gradyn_status gradyn_projection_create(gradyn_mech *mech, gradyn_projection *s)
{
  *s = (gradyn_projection){.mech = mech, .own = mech->factors.numbers > 0};
  const size_t rolling = (size_t)mech->rolling;
  s->C = gradyn_arena_numbers(&s->arena, rolling * (size_t)(mech->n + mech->m));
  s->T = gradyn_arena_numbers(&s->arena, gradyn_complement_size(mech->rolling));
  s->g = gradyn_arena_lanes(&s->arena, 2 * rolling);
  if (!s->own)
    GRADYN_TRY(gradyn_mech_form(mech));
  /* matrices have an extra entry, for coordinates of the ground */
  s->J = gradyn_arena_numbers(&s->arena, (size_t)mech->jac.nnz + 1);
  if (s->own)
    return gradyn_factors_create_own(mech, &s->arena, &s->factors);
  s->M = gradyn_arena_numbers(&s->arena, (size_t)mech->dyn.nnz + 1);
  s->next = gradyn_arena_numbers(&s->arena, (size_t)mech->jac.nnz + 1);
  return gradyn_factors_create(mech, mech->inertia, SCHUR_SIZE, &s->arena, &s->factors);
}

void gradyn_projection_clear(gradyn_projection *s)
{
  gradyn_factors_clear(&s->factors);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_projection){0};
}

/* [M, J^T; J, 0]. */
static gradyn_factors_parts parts_of(const gradyn_projection *s)
{
  return (gradyn_factors_parts){.A = s->M, .U = s->J, .J = s->J};
}

/* Returns GRADYN_SINGULAR for nearly dependent rows, if detecting them costs no solve. */
static gradyn_status finish(gradyn_projection *s, gradyn_status status, double t)
{
  if (status == GRADYN_OK && gradyn_factors_shows_dependence(&s->factors) &&
      gradyn_factors_dependent(&s->factors))
    status = GRADYN_SINGULAR;
  s->stand = status == GRADYN_OK;
  return s->stand ? status : gradyn_factors_fail(&s->factors, status, t);
}

/* Factorises with the mechanism's own factors. Chooses their kind at the start; during the run, uses the
 * chosen kind. */
static gradyn_status factor_own(gradyn_projection *s, const gradyn_mech_state *at, bool begins)
{
  const gradyn_factors_parts parts = {.at = at};
  s->factorisations++;
  gradyn_status status = begins ? gradyn_factors_choose(&s->factors, &parts, GRADYN_FACTORS_TREE)
                                : gradyn_factors_make(&s->factors, &parts, s->kind, s->kind);
  s->kind = s->factors.kind;
  return finish(s, status, at->t);
}

gradyn_status gradyn_projection_begin(gradyn_projection *s, const gradyn_mech_state *at)
{
  const gradyn_mech_ops *ops = s->mech->ops;
  const gradyn_factors_parts parts = parts_of(s);
  s->factorisations = 0;
  if (s->own)
    return factor_own(s, at, true);
  s->factorisations++;
  s->stand = false;
  /* M at the first position, where it is also stored if it is constant, and J = Phi_q */
  GRADYN_TRY(ops->tangent(s->mech, GRADYN_INERTIA, at, NULL, NULL, s->M));
  GRADYN_TRY(ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J));
  gradyn_status status = gradyn_factors_choose(&s->factors, &parts,
                                               gradyn_factors_begin(&s->factors, s->M));
  s->kind = s->factors.kind;
  s->stand = status == GRADYN_OK;
  return status == GRADYN_OK ? status : gradyn_factors_fail(&s->factors, status, at->t);
}

gradyn_status gradyn_projection_factor(gradyn_projection *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  double *J = s->next;
  if (s->own)
    return factor_own(s, at, false);
  /* evaluate J = Phi_q, and M unless it is constant */
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, J));
  if (s->stand && mech->constant_mass &&
      memcmp(J, s->J, (size_t)mech->jac.start[mech->m] * sizeof *J) == 0)
    return GRADYN_OK;
  s->next = s->J;
  s->J = J;
  s->stand = false;
  if (!mech->constant_mass)
    GRADYN_TRY(mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->M));
  /* only the kind chosen for this run, so that a stage does not depend on whether other kinds would succeed
   */
  const gradyn_factors_parts parts = parts_of(s);
  s->factorisations++;
  return finish(s, gradyn_factors_make(&s->factors, &parts, s->kind, s->kind), at->t);
}

gradyn_status gradyn_projection_slopes(gradyn_projection *s, const gradyn_mech_state *at,
                                       const double **J)
{
  *J = s->J;
  return s->own ? s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->J) : GRADYN_OK;
}

void gradyn_projection_weigh(gradyn_projection *s, const gradyn_mech_state *at,
                             const gradyn_lanes *x, gradyn_lanes *y)
{
  gradyn_mech *mech = s->mech;
  if (s->own)
    mech->ops->weigh(mech, at, x, y);
  else
    gradyn_lanes_multiply(&mech->dyn, mech->n, s->M, 1, x, y);
}

/* Factors can be stored if they are small: a Schur complement, and the mechanism's own factors. */
size_t gradyn_projection_size(const gradyn_projection *s)
{
  if (s->own)
    return gradyn_factors_own_size(s->mech);
  return s->factors.small ? gradyn_schur_size(&s->factors.schur) : 0;
}

void gradyn_projection_save(const gradyn_projection *s, double *capacity)
{
  if (s->own)
    memcpy(capacity, s->factors.own, gradyn_factors_own_size(s->mech) * sizeof *capacity);
  else if (s->kind == GRADYN_FACTORS_SCHUR)
    gradyn_schur_save(&s->factors.schur, capacity);
}

gradyn_status gradyn_projection_restore(gradyn_projection *s, const gradyn_mech_state *at,
                                        const double *capacity)
{
  if (s->own) {
    memcpy(s->factors.own, capacity, gradyn_factors_own_size(s->mech) * sizeof *capacity);
    return GRADYN_OK;
  }
  if (s->kind != GRADYN_FACTORS_SCHUR)
    return gradyn_projection_factor(s, at);
  gradyn_schur_restore(&s->factors.schur, capacity);
  s->stand = false; /* s->J is no longer that of the factors */
  return GRADYN_OK;
}

/* Solves in place; the matrix is symmetric, so this is also the transposed solve. */
void gradyn_projection_solve(gradyn_projection *s, double *b, int count)
{
  gradyn_factors_solve(&s->factors, false, b, count);
}

void gradyn_projection_solve_lanes(gradyn_projection *s, int columns, unsigned what,
                                   const gradyn_lanes *b, gradyn_lanes *x)
{
  gradyn_factors_solve_lanes(&s->factors, what | GRADYN_SOLVE_MULTIPLIERS, columns, b, x);
}

/* --- positions --------------------------------------------------------------------------------- */

/* Returns the index of the unknown that is the multiplier of the k-th nonholonomic row. */
static int rolling_at(const gradyn_mech *mech, int k)
{
  int i = 0;
  for (; !mech->rolls[i] || k > 0; i++)
    k -= mech->rolls[i];
  return mech->n + i;
}

/* Solves without removing the undetermined part of multipliers. If a nonholonomic row depends on others, T
 * and -E^T S^-1 b both consist of this part divided by the added diagonal, and their quotient is the
 * correct release. */
static void solve_open(gradyn_projection *s, double *b, int count)
{
  s->factors.open = true;
  gradyn_projection_solve(s, b, count);
  s->factors.open = false;
}

gradyn_status gradyn_projection_place(gradyn_projection *s, double t)
{
  const gradyn_mech *mech = s->mech;
  const int count = mech->rolling, size = mech->n + mech->m;
  if (count == 0)
    return GRADYN_OK;
  memset(s->C, 0, (size_t)(count * size) * sizeof *s->C);
  for (int k = 0; k < count; k++)
    s->C[k * size + rolling_at(mech, k)] = 1;
  solve_open(s, s->C, count);
  memset(s->T, 0, gradyn_complement_size(count) * sizeof *s->T);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++)
      s->T[i * count + k] = -s->C[k * size + rolling_at(mech, i)];
  double least;
  int weakest;
  const gradyn_status status = gradyn_complement_factor(count, 0, s->T, &least, &weakest);
  if (status == GRADYN_OK)
    return status;
  return gradyn_fail(s->mech->message, status,
                     "at t = %.9g s %s, a velocity-level constraint, depends on other constraints",
                     t, mech->constraint_name(mech, rolling_at(mech, weakest) - mech->n));
}

/* Adds C g to x, where -T g = E^T x, for this number of lanes. Entries of x are `stride` numbers apart. */
static void release(gradyn_projection *s, double *x, int stride, int lanes)
{
  const gradyn_mech *mech = s->mech;
  const int count = mech->rolling, size = mech->n + mech->m;
  for (int k = 0; k < count; k++) {
    double *entry = x + rolling_at(mech, k) * stride;
    s->g[k] = (gradyn_lanes){0};
    for (int l = 0; l < lanes; l++) {
      s->g[k][l] = entry[l];
      entry[l] = 0;
    }
  }
  gradyn_complement_solve(count, s->T, s->g, s->g + count, false);
  for (int k = 0; k < count; k++)
    for (int i = 0; i < size; i++)
      for (int l = 0; l < lanes && (i < mech->n || !mech->rolls[i - mech->n]); l++)
        x[i * stride + l] += s->C[k * size + i] * s->g[k][l];
}

void gradyn_projection_solve_place(gradyn_projection *s, double *b)
{
  solve_open(s, b, 1);
  release(s, b, 1, 1);
}

void gradyn_projection_solve_place_lanes(gradyn_projection *s, int columns, unsigned what,
                                         const gradyn_lanes *b, gradyn_lanes *x)
{
  const int stride = GRADYN_LANES * (int)gradyn_lanes_groups(columns);
  s->factors.open = true;
  gradyn_projection_solve_lanes(s, columns, what, b, x);
  s->factors.open = false;
  for (int k = 0; k < stride && s->mech->rolling > 0; k += GRADYN_LANES)
    release(s, (double *)x + k, stride, GRADYN_LANES);
}
