/* A mechanism for implicit one-step methods: r = (R; Phi'' - d lam) with unknowns w = (a, lam). d is 0
 * unless constraints are redundant. Redundant constraints depend on each other exactly only where they are
 * satisfied. Stages have small constraint errors, so that with d = 0 no lam would exist for Phi'' = 0, or a
 * very large one. */
#include <stdlib.h>
#include <string.h>

#include "core/linear/saddle.h"
#include "core/mech/mech.h"
#include "core/mech/rolling.h"
#include "core/mech/vector.h"
#include "dae/linear/dependent.h"
#include "dae/systems/implicit.h"

typedef struct implicit_mech {
  gradyn_implicit base;
  gradyn_mech *mech;
  double *K, *C, *M;         /* [dyn.nnz + 1] */
  double *J, *J1, *Gq, *own; /* [jac.nnz + 1] Phi_q, Phi''_v, Phi''_q, (dR/dlam)^T */
  double softness;           /* d */
  gradyn_saddle positions;   /* positions of the entries in the pattern */
  int *index;                /* indices for the members rate, z_at and w_at of the base */
  double t;                  /* time and stage for against() */
  const double *stage;
  gradyn_arena arena;
} implicit_mech;

/* Diagonal for redundant constraints in implicit stages, in units of the tiny diagonal of the projection's
 * factors. Gradients of parallel-bars at rtol 1e-10 in natural coordinates take 18,430 steps with 100,
 * 1,260 with 1, 670 with 0.01, and 669 without the redundant bar. With 1e-6, a step in joint coordinates
 * counts as singular; with 1e-4 none does. */
static const double soft = 1e-3;

static implicit_mech *self(gradyn_implicit *s)
{
  return (implicit_mech *)s;
}

/* Sets d, by the mass matrix at the start of the run; it stays constant. */
static gradyn_status soften(gradyn_implicit *base, bool dependent, double t, const double *z)
{
  implicit_mech *s = self(base);
  const gradyn_mech_state at = {.t = t, .q = z, .v = z + s->mech->n};
  s->softness = 0;
  if (!dependent)
    return GRADYN_OK;
  GRADYN_TRY(s->mech->ops->tangent(s->mech, GRADYN_INERTIA, &at, NULL, NULL, s->M));
  s->softness = soft * gradyn_tiny_diagonal(s->M, s->mech->dyn.nnz);
  return GRADYN_OK;
}

static gradyn_status residual(gradyn_implicit *base, double t, const double *stage, double *r)
{
  implicit_mech *s = self(base);
  const gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  GRADYN_TRY(s->mech->ops->residual(s->mech, GRADYN_DYNAMICS, &at, r));
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 2, &at, r + s->mech->n));
  for (int i = 0; i < s->mech->m; i++)
    r[s->mech->n + i] -= s->softness * at.lam[i];
  return GRADYN_OK;
}

/* Computes the slopes of r at a stage: by_w = [M, R_lam; Phi_q, -d], by_last = [C, 0; Phi''_v, 0],
 * by_first = [K, 0; Phi''_q, 0]. */
static gradyn_status linearise(gradyn_implicit *base, double t, const double *stage,
                               const gradyn_implicit_slopes *out)
{
  implicit_mech *s = self(base);
  gradyn_mech *mech = s->mech;
  const gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  const size_t bytes = (size_t)base->pattern.nnz * sizeof(double);
  const double *U = s->J;
  GRADYN_TRY(mech->ops->tangent(mech, GRADYN_DYNAMICS, &at, s->K, s->C, s->M));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 0, &at, s->J));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 1, &at, s->J1));
  GRADYN_TRY(mech->ops->phi_q(mech, GRADYN_CONSTRAINT, 2, &at, s->Gq));
  GRADYN_TRY(gradyn_mech_second_v(mech, &at, s->J1, s->J1));
  GRADYN_TRY(gradyn_mech_residual_lam(mech, &at, s->J, s->own, &U));
  /* all entries of by_w are set below */
  memset(out->by_last, 0, bytes);
  memset(out->by_first, 0, bytes);
  s->positions.values = out->by_w;
  gradyn_saddle_fill(&s->positions, s->M, U, s->J, -s->softness);
  for (int k = 0; k < s->positions.dyn_nnz; k++) {
    out->by_last[s->positions.dyn[k]] = s->C[k];
    out->by_first[s->positions.dyn[k]] = s->K[k];
  }
  for (int k = 0; k < s->positions.jac_nnz; k++) {
    out->by_last[s->positions.lower[k]] = s->J1[k];
    out->by_first[s->positions.lower[k]] = s->Gq[k];
  }
  return GRADYN_OK;
}

static gradyn_status along(gradyn_implicit *base, double t, const double *stage, int columns,
                           const gradyn_rates_change *d, gradyn_lanes *r)
{
  implicit_mech *s = self(base);
  const gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, at};
  const gradyn_mech_point look = {1, &term, &at};
  const gradyn_mech_change change = {
      .x = d->x, .lanes = d->lanes, .t = (const double *)d->t, .mass = d->ready};
  memset(r, 0, (size_t)base->nw * gradyn_lanes_groups(columns) * sizeof *r);
  return s->mech->ops->along(s->mech, &look, columns, &change, &r);
}

static void enter(gradyn_implicit *base, double t, const double *stage)
{
  self(base)->t = t;
  self(base)->stage = stage;
}

static gradyn_status against(gradyn_implicit *base, int columns, gradyn_lanes *mu, double *x_bar,
                             gradyn_lanes *t_bar)
{
  implicit_mech *s = self(base);
  const gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, s->t, s->stage);
  const gradyn_mech_term term = {GRADYN_DYNAMICS, 2, at};
  const gradyn_mech_point look = {1, &term, &at};
  const gradyn_mech_adjoints adjoints = {.x = x_bar, .t = (double *)t_bar};
  return s->mech->ops->against(s->mech, &look, columns, &mu, &adjoints);
}

static const char *name(const gradyn_implicit *base, int i)
{
  const gradyn_mech *mech = ((const implicit_mech *)base)->mech;
  return i < mech->n ? mech->coordinate_name(mech, i) : mech->constraint_name(mech, i - mech->n);
}

static void free_system(gradyn_implicit *base)
{
  gradyn_pattern_clear(&base->pattern);
  gradyn_saddle_clear(&self(base)->positions);
  gradyn_arena_clear(&self(base)->arena);
  free(base);
}

static const gradyn_implicit_ops mech_ops = {.soften = soften,
                                             .residual = residual,
                                             .linearise = linearise,
                                             .along = along,
                                             .enter = enter,
                                             .against = against,
                                             .name = name,
                                             .free = free_system};

/* Creates the pattern [dyn, jac^T; jac, 1], and marks the entries that depend on z. */
static gradyn_status take_pattern(implicit_mech *s)
{
  const gradyn_mech *mech = s->mech;
  gradyn_saddle *positions = &s->positions;
  GRADYN_TRY(
      gradyn_saddle_lay_out(&mech->dyn, NULL, &mech->jac, mech->m, positions, &s->base.pattern));
  s->base.coupled = gradyn_arena_take(&s->arena, (size_t)s->base.pattern.nnz, sizeof(bool));
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (int e = 0; e < positions->dyn_nnz; e++)
    s->base.coupled[positions->dyn[e]] = true;
  for (int e = 0; e < positions->jac_nnz; e++)
    s->base.coupled[positions->lower[e]] = true;
  return GRADYN_OK;
}

/* Allocates matrices, their pattern and the indices. */
static gradyn_status take_memory(implicit_mech *s)
{
  gradyn_mech *mech = s->mech;
  GRADYN_TRY(gradyn_mech_form(mech));
  const size_t dyn = (size_t)mech->dyn.nnz + 1, jac = (size_t)mech->jac.nnz + 1;
  double **matrix[] = {&s->K, &s->C, &s->M, &s->J, &s->J1, &s->Gq, &s->own};
  for (int k = 0; k < 7; k++) /* the first three have the pattern of M, the others that of Phi_q */
    *matrix[k] = gradyn_arena_numbers(&s->arena, k < 3 ? dyn : jac);
  /* stages contain q, v, a, lam in this order, so one list of consecutive indices serves all */
  s->index = gradyn_arena_take(&s->arena, (size_t)(3 * mech->n + mech->m), sizeof(int));
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return take_pattern(s);
}

gradyn_status gradyn_implicit_from_mech(gradyn_model *model, gradyn_implicit **out)
{
  gradyn_mech *mech = model->mech;
  const int n = mech->n, m = mech->m;
  implicit_mech *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->base.ops = &mech_ops;
  s->base.model = model;
  s->mech = mech;
  const gradyn_status status = take_memory(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for %d coordinates", n);
  for (int i = 0; i < 3 * n + m; i++)
    s->index[i] = i;
  s->base.nz = 2 * n;
  s->base.nw = n + m;
  s->base.nk = n;
  s->base.order = 2;
  s->base.rate = s->base.z_at = s->index;
  s->base.w_at = s->index + 2 * n;
  return GRADYN_OK;
}
