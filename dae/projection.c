/* The system of constrained dynamics: the choice of its factorisation, and solves.
 *
 * With the mass matrix constant and small a Schur complement J M^-1 J^T serves, else the saddle
 * matrix; where constraints depend on each other all along, the saddle matrix with a tiny
 * diagonal, whose trace refinement removes. The choice is made once a run, at its start, and is
 * a value of the projection (`kind`): whoever solves does not ask. */
#include "dae/projection.h"
#include "dae/dependent.h"

#include <string.h>

enum {
  SCHUR_SIZE = 32, /* unknowns up to which the Schur complement is the fastest */
  REFINEMENTS = 3  /* passes that remove the effect of the tiny diagonal */
};

/* Models that the Schur complement serves: every constraint moves something. */
static bool suits_schur(const gradyn_mech *mech)
{
  /* M is inverted once a run, and J M^-1 J^T must be regular */
  bool suits = mech->constant_mass && mech->n + mech->m <= SCHUR_SIZE;
  for (int i = 0; i < mech->m && suits; i++)
    suits = mech->jac.start[i + 1] > mech->jac.start[i];
  return suits;
}

/* Memory for all kinds that the model suits; begin() chooses. */
gradyn_status gradyn_projection_create(gradyn_mech *mech, gradyn_projection *s)
{
  const size_t size = (size_t)(mech->n + mech->m);
  *s = (gradyn_projection){.mech = mech, .n = mech->n, .m = mech->m};
  s->has_schur = suits_schur(mech);
  /* matrices have an entry more, for what belongs to the ground */
  s->M = gradyn_arena_numbers(&s->arena, (size_t)mech->dyn.nnz + 1);
  s->J = gradyn_arena_numbers(&s->arena, (size_t)mech->jac.nnz + 1);
  s->rest = gradyn_arena_numbers(&s->arena, size);
  s->sum = gradyn_arena_numbers(&s->arena, size);
  s->side = gradyn_arena_numbers(&s->arena, GRADYN_LANES * size);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(gradyn_saddle_create(&mech->dyn, mech->inertia, &mech->jac, mech->m,
                                  GRADYN_BACKEND_AUTO, &s->saddle));
  if (s->has_schur)
    GRADYN_TRY(gradyn_schur_create(&mech->dyn, &mech->jac, mech->m, &s->schur));
  return GRADYN_OK;
}

void gradyn_projection_clear(gradyn_projection *s)
{
  gradyn_schur_clear(&s->schur);
  gradyn_saddle_clear(&s->saddle);
  gradyn_arena_clear(&s->arena);
  *s = (gradyn_projection){0};
}

/* --- factors ---------------------------------------------------------------------------------- */

/* Names what is singular, as far as the factors tell. */
static gradyn_status fail(gradyn_projection *s, gradyn_status status, double t)
{
  if (status != GRADYN_SINGULAR)
    /* data or state are to blame */
    return gradyn_fail(s->mech->message, status,
                       "the equations of motion are not finite at t = %g s", t);
  int at = gradyn_linsys_singular_at(s->saddle.system);
  if (s->kind == GRADYN_PROJECT_SCHUR)
    return gradyn_fail(s->mech->message, status,
                       "constraint %s depends on others at t = %g s: a singular position",
                       s->mech->constraint_name(s->mech, s->schur.weakest), t);
  if (at < 0)
    return gradyn_fail(s->mech->message, status,
                       "constraints depend on each other at t = %g s: a singular position", t);
  return gradyn_fail(s->mech->message, status,
                     "the equations of motion are singular at t = %g s near %s: a singular "
                     "position, or a point without mass that no constraint moves",
                     t, gradyn_unknown_name(s->mech, at));
}

/* By the kind in force, with the present M and J. */
static gradyn_status factorise(gradyn_projection *s)
{
  s->factorisations++;
  if (s->kind == GRADYN_PROJECT_SCHUR) {
    GRADYN_TRY(gradyn_schur_factor(&s->schur, s->J));
    /* a complement that is nearly singular is left to the saddle system */
    return gradyn_dependent_schur(&s->schur) ? GRADYN_SINGULAR : GRADYN_OK;
  }
  /* [M, J^T; J, -diagonal] */
  double diagonal = s->kind == GRADYN_PROJECT_SOFTENED
                        ? gradyn_tiny_diagonal(s->M, s->mech->dyn.nnz)
                        : 0;
  gradyn_saddle_fill(&s->saddle, s->M, s->J, s->J, -diagonal);
  return gradyn_linsys_factor(s->saddle.system);
}

/* Phi_q, and M unless it is constant. */
static gradyn_status jacobian(gradyn_projection *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, at, s->J));
  if (!mech->constant_mass)
    GRADYN_TRY(mech->ops->tangent(mech, GRADYN_INERTIA, at, NULL, NULL, s->M));
  return GRADYN_OK;
}

/* Tries the cheapest kind first; a singular one hands over to the next. */
gradyn_status gradyn_projection_begin(gradyn_projection *s, const gradyn_mech_state *at)
{
  /* pivots of an earlier run must not decide this one */
  gradyn_linsys_reset(s->saddle.system);
  s->factorisations = 0;
  gradyn_status status = s->mech->ops->tangent(s->mech, GRADYN_INERTIA, at, NULL, NULL, s->M);
  if (status == GRADYN_OK)
    status = jacobian(s, at);
  if (status != GRADYN_OK)
    return status;
  /* the first kind that gets along with the first position serves the whole run */
  for (int kind = s->has_schur ? GRADYN_PROJECT_SCHUR : GRADYN_PROJECT_SADDLE;
       kind <= GRADYN_PROJECT_SOFTENED; kind++) {
    s->kind = (gradyn_projection_kind)kind;
    /* M has no inverse: points without mass */
    if (s->kind == GRADYN_PROJECT_SCHUR && gradyn_schur_mass(&s->schur, s->M) != GRADYN_OK)
      continue;
    status = factorise(s);
    if (status == GRADYN_OK && s->kind == GRADYN_PROJECT_SADDLE &&
        gradyn_dependent_factors(s->mech, s->saddle.system, s->M, s->J, s->sum))
      status = GRADYN_SINGULAR;
    if (status != GRADYN_SINGULAR)
      break;
  }
  return status == GRADYN_OK ? status : fail(s, status, at->t);
}

gradyn_status gradyn_projection_factor(gradyn_projection *s, const gradyn_mech_state *at)
{
  gradyn_status status = jacobian(s, at);
  if (status != GRADYN_OK)
    return status;
  status = factorise(s);
  return status == GRADYN_OK ? status : fail(s, status, at->t);
}

size_t gradyn_projection_size(const gradyn_projection *s)
{
  return s->has_schur ? gradyn_schur_size(&s->schur) : 0;
}

void gradyn_projection_save(const gradyn_projection *s, double *room)
{
  if (s->kind == GRADYN_PROJECT_SCHUR)
    gradyn_schur_save(&s->schur, room);
}

gradyn_status gradyn_projection_restore(gradyn_projection *s, const gradyn_mech_state *at,
                                        const double *room)
{
  if (s->kind != GRADYN_PROJECT_SCHUR)
    return gradyn_projection_factor(s, at);
  gradyn_schur_restore(&s->schur, room);
  return GRADYN_OK;
}

/* --- solves ----------------------------------------------------------------------------------- */

/* rest = b - [M, J^T; J, 0] x. */
static void residual_of(const gradyn_projection *s, const double *b, const double *x, double *rest)
{
  const gradyn_mech *mech = s->mech;
  memcpy(rest, b, (size_t)(s->n + s->m) * sizeof(double));
  gradyn_pattern_multiply(&mech->dyn, s->n, s->M, -1, x, rest);
  gradyn_pattern_multiply_transposed(&mech->jac, s->m, s->J, -1, x + s->n, rest);
  gradyn_pattern_multiply(&mech->jac, s->m, s->J, -1, x, rest + s->n);
}

/* One right-hand side by softened factors: x += S_soft^-1 (b - S x) takes the diagonal out again. */
static void solve_refined(gradyn_projection *s, double *b)
{
  int size = s->n + s->m;
  memcpy(s->rest, b, (size_t)size * sizeof(double));
  /* twice: x += S~^-1 (b - S x), S~ with a softened diagonal */
  memset(s->sum, 0, (size_t)size * sizeof(double));
  for (int pass = 0; pass < REFINEMENTS; pass++) {
    gradyn_linsys_solve(s->saddle.system, s->rest, 1);
    for (int i = 0; i < size; i++)
      s->sum[i] += s->rest[i];
    residual_of(s, b, s->sum, s->rest);
  }
  memcpy(b, s->sum, (size_t)size * sizeof(double));
}

/* By the kind in force; the matrix is symmetric, its own transpose. */
void gradyn_projection_solve(gradyn_projection *s, double *b, int count)
{
  const int size = s->n + s->m;
  if (s->kind == GRADYN_PROJECT_SADDLE) {
    gradyn_linsys_solve(s->saddle.system, b, count);
    return;
  }
  /* these have one column at a time */
  for (int k = 0; k < count; k++)
    if (s->kind == GRADYN_PROJECT_SCHUR)
      gradyn_schur_solve(&s->schur, b + k * size);
    else
      solve_refined(s, b + k * size);
}

/* The same for lanes; only the Schur complement has kernels for them. */
void gradyn_projection_solve_lanes(gradyn_projection *s, int columns, bool rates,
                                   const gradyn_lanes *b, gradyn_lanes *x)
{
  int size = s->n + s->m;
  if (s->kind == GRADYN_PROJECT_SCHUR) {
    gradyn_schur_solve_lanes(&s->schur, rates, b, x);
    return;
  }
  /* lanes to columns [size] side by side and back; without rates g = 0 */
  gradyn_lanes_store(rates ? size : s->n, columns, b, s->side, size);
  for (int k = 0; k < columns && !rates; k++)
    memset(s->side + k * size + s->n, 0, (size_t)s->m * sizeof(double));
  gradyn_projection_solve(s, s->side, columns);
  gradyn_lanes_load(size, columns, s->side, size, x);
}
