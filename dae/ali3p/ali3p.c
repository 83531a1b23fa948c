/* ALI3-P: augmented Lagrangian index-3 formulation with mass-orthogonal projections of velocities and
 * accelerations; López Varela (2022), section 3.3. A step solves three problems: for the position, and for
 * the projections of velocities and of accelerations. All use a saddle-point form, in which a penalty only
 * regularises and does not change the solution. */
#include "dae/ali3p/linear.h"
#include "dae/ali3p/trial.h"
#include "core/mech/size.h"

#include <stdlib.h>
#include <string.h>

/* Models up to this size use the Schur complement; for larger ones, sparse saddle-point systems are
 * faster. */
enum { SCHUR_SIZE = 48 };

/* Decides whether c C + k K is so small relative to M that Newton's method can omit it: s->bending.gentle. */
static gradyn_status judge_forces(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  gradyn_ali3p_coefficients_of(s, h, &s->k);
  gradyn_status status = gradyn_ali3p_force_curvature(s, at, &s->bending.start);
  /* an iteration without c C + k K reduces the error at least to a hundredth, which costs no further
   * iterations */
  s->bending.gentle = s->bending.start < 1e-2;
  return status;
}

/* Chooses the matrices for the whole run, so that a step depends only on its first node. No choice of an
 * earlier run has an effect. */
static gradyn_status choose_matrices(gradyn_ali3p *s, double h, const gradyn_mech_state *at)
{
  /* the penalty is omitted, because it would hide dependent constraints */
  const gradyn_factors_parts parts = {.A = s->mat.M, .U = s->mat.J, .J = s->mat.J};
  s->bending.gentle = false;
  s->base.factorisations++;
  GRADYN_TRY(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, at, s->mat.J));
  gradyn_factors_begin(&s->position, s->mat.M);
  const gradyn_factors_kind first = gradyn_factors_begin(&s->project, s->mat.M);
  const gradyn_status status = gradyn_factors_choose(&s->project, &parts, first);
  if (status != GRADYN_OK)
    return gradyn_factors_fail(&s->project, status, at->t);
  s->choice.usual = s->project.kind;
  return s->choice.usual == GRADYN_FACTORS_SCHUR ? judge_forces(s, h, at) : GRADYN_OK;
}

/* Sets the first node, (q, v, a, lam) of the assembled mechanism, and chooses the matrices for the run. */
static gradyn_status start(gradyn_stepper *base, double h, double *node)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n, m = s->m;
  GRADYN_TRY(gradyn_initial_solve(&s->initial));
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(node, s->initial.q, (size_t)n * sizeof(double));
  memcpy(node + n, s->initial.v, (size_t)n * sizeof(double));
  memcpy(node + 2 * n, s->initial.a, (size_t)n * sizeof(double));
  memcpy(node + 3 * n, s->initial.lam, (size_t)m * sizeof(double));
  /* the algorithmic acceleration A starts as a */
  if (s->rule.own_A)
    memcpy(node + base->ny, s->initial.a, (size_t)n * sizeof(double));
  gradyn_mech_state at = {.t = 0, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  /* M is evaluated once for all projections, if it is constant */
  GRADYN_TRY(s->mech->ops->tangent(s->mech, GRADYN_INERTIA, &at, NULL, NULL, s->mat.M));
  return choose_matrices(s, h, &at);
}

/* Sets the node at the start of an arc. A node begins with y. */
static gradyn_status enter(gradyn_stepper *base, double t, double h, const double *y, double *node)
{
  (void)t, (void)h;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  memset(node, 0, (size_t)base->record * sizeof(double));
  memcpy(node, y, (size_t)base->ny * sizeof(double));
  /* A restarts as a, also after an impact */
  if (s->rule.own_A)
    memcpy(node + base->ny, y + 2 * s->n, (size_t)s->n * sizeof(double));
  return GRADYN_OK;
}

/* Sets the changes of the node: ds = dy, and dA = da if A is a part of the node. */
static gradyn_status enter_tangent(gradyn_stepper *base, const double *y, const double *dx,
                                   const double *dy, double *ds)
{
  (void)y, (void)dx;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  memcpy(ds, dy, (size_t)base->ny * sizeof(double));
  if (s->rule.own_A)
    memcpy(ds + base->ny, dy + 2 * s->n, (size_t)s->n * sizeof(double));
  if (s->extra) /* kappa is zero at the start of an arc */
    memset(ds + s->extra, 0, (size_t)s->m * sizeof(double));
  return GRADYN_OK;
}

/* Computes the transpose of enter(): adds the adjoint of the node to that of y. The node contains y, and
 * A = a. */
static gradyn_status enter_transposed(gradyn_stepper *base, const double *y, const double *s_bar,
                                      double *y_bar, double *x_bar)
{
  (void)y, (void)x_bar;
  const gradyn_ali3p *s = (const gradyn_ali3p *)base;
  for (int i = 0; i < base->ny; i++)
    y_bar[i] += s_bar[i];
  /* A is a copy of a, so its adjoint is added to that of a */
  for (int i = 0; i < s->n && s->rule.own_A; i++)
    y_bar[2 * s->n + i] += s_bar[base->ny + i];
  return GRADYN_OK;
}

/* Sets the largest |Phi|, |Phi'| and |Phi''| of a node, after both projections. */
static gradyn_status drift(gradyn_stepper *base, double t, const double *node,
                           const gradyn_view *view, double *worst)
{
  (void)view; /* a node contains all of y */
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  int n = s->n;
  gradyn_mech_state at = {.t = t, .q = node, .v = node + n, .a = node + 2 * n, .lam = node + 3 * n};
  return gradyn_mech_drift(s->mech, &at, 3, s->b, worst);
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Also frees an object whose creation has failed: missing arrays are NULL. */
static void free_scheme(gradyn_stepper *base)
{
  gradyn_ali3p *s = (gradyn_ali3p *)base;
  gradyn_initial_clear(&s->initial);
  gradyn_factors_clear(&s->position);
  gradyn_factors_clear(&s->project);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_stepper_ops ali3p_ops = {.name = "ali3p",
                                             .start = start,
                                             .step = gradyn_ali3p_step,
                                             .start_tangent = gradyn_ali3p_start_tangent,
                                             .start_transposed = gradyn_ali3p_start_transposed,
                                             .linearise = gradyn_ali3p_linearise,
                                             .tangent = gradyn_ali3p_tangent,
                                             .transposed = gradyn_ali3p_transposed,
                                             .enter = enter,
                                             .enter_tangent = enter_tangent,
                                             .enter_transposed = enter_transposed,
                                             .drift = drift,
                                             .free = free_scheme};

/* Takes all arrays of the scheme from the arena; the caller checks the arena's status. */
static void take_arrays(gradyn_ali3p *s)
{
  /* matrices have an extra entry, for coordinates of the ground */
  const size_t dyn = (size_t)s->mech->dyn.nnz + 1, jac = (size_t)s->mech->jac.nnz + 1;
  const size_t n = (size_t)s->n, m = (size_t)s->m, width = (size_t)gradyn_row_width(s->n);
  gradyn_arena *arena = &s->arena;
  double **square[] = {&s->mat.K, &s->mat.C, &s->mat.M, &s->mat.A, &s->mat.B};
  for (size_t k = 0; k < sizeof square / sizeof *square; k++)
    *square[k] = gradyn_arena_numbers(arena, dyn);
  s->mat.J = gradyn_arena_numbers(arena, jac);
  s->mat.L = s->mech->rolling > 0 ? gradyn_arena_numbers(arena, jac) : s->mat.J;
  s->mat.own = gradyn_arena_numbers(arena, s->mech->reader ? jac : 0);
  s->last.lam = gradyn_arena_numbers(arena, m);
  s->trial.read = gradyn_arena_numbers(arena, m);
  s->rows = gradyn_arena_numbers(arena, m);
  s->b = gradyn_arena_numbers(arena, n + m);
  s->lanes = gradyn_arena_lanes(arena, gradyn_ali3p_lanes_needed(s->n, s->m));
  s->side = gradyn_arena_lanes(arena, n + m);
  s->trial.rows = gradyn_arena_lanes(arena, 5 * width);
  /* arrays of numbers within the rows of the trial point */
  double **row[] = {&s->trial.q, &s->trial.vs, &s->trial.as, &s->trial.As};
  for (size_t k = 0; k < sizeof row / sizeof *row && s->trial.rows; k++)
    *row[k] = (double *)(s->trial.rows + (k + 1) * width);
}

/* Allocates memory. The factors are created first, because their kind determines which arrays are needed. */
static gradyn_status take_memory(gradyn_ali3p *s)
{
  gradyn_mech *mech = s->mech;
  /* the saddle-point matrix is symmetric and has no diagonal block */
  const bool plain = !mech->reader && s->choice.projection_diagonal == 0;
  /* NULL for the position problem, since K and C have entries that M does not have */
  GRADYN_TRY(gradyn_factors_create(mech, NULL, 0, &s->arena, &s->position));
  GRADYN_TRY(
      gradyn_factors_create(mech, mech->inertia, plain ? SCHUR_SIZE : 0, &s->arena, &s->project));
  take_arrays(s);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  return gradyn_initial_create(mech, GRADYN_ASSEMBLY, &s->initial);
}

gradyn_status gradyn_ali3p_create(gradyn_model *model, const gradyn_options *options,
                                  gradyn_stepper **out)
{
  gradyn_ali3p *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = model->mech;
  s->n = s->mech->n;
  s->m = s->mech->m;
  s->base = (gradyn_stepper){.ops = &ali3p_ops, .model = model, .ny = 3 * s->n + s->m};
  GRADYN_TRY(gradyn_ali3p_choose_integrator(s, options, &model->message));
  /* a node consists of y, then A and kappa if they are needed */
  s->base.ns = s->base.ny + (s->rule.own_A ? s->n : 0);
  if (s->mech->reader) {
    s->extra = s->base.ns;
    s->base.ns += s->m;
  }
  /* then data for derivatives of the step: w, u, sigma, kappa and the kind of factors */
  s->past = s->base.ns + 2 * (s->n + s->m) + 1;
  s->choice.position_diagonal = options->penalty > 0 ? 1 / options->penalty : 0;
  if (options->projection_penalty > 0)
    s->choice.projection_diagonal = 1 / options->projection_penalty;
  gradyn_status status = take_memory(s);
  /* then the history by which accelerations are predicted */
  s->base.record = s->past + 3 * gradyn_ali3p_differences(s) + GRADYN_PAST_NUMBERS;
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", s->n);
}
