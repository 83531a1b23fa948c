/* A mechanism as an explicit system. Accelerations and multipliers follow from
 *
 *   [M, Phi_q^T; Phi_q, 0] (a; lam) = (Q; -Phi''(t, q, v, 0)),
 *
 * and the end of a step is projected onto the constraints. */
#include "dae/systems/rates_mech.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/size.h"
#include "core/linear/norm.h"

enum { MOST_CORRECTIONS = 8 };

static gradyn_rates_mech *self(gradyn_rates *s)
{
  return (gradyn_rates_mech *)s;
}

/* --- start ------------------------------------------------------------------------------------- */

/* Sets the initial state by assembly. */
static gradyn_status start(gradyn_rates *base, double *z)
{
  gradyn_rates_mech *s = self(base);
  int n = s->n;
  gradyn_singular_path_reset(&s->path);
  s->initial.t = gradyn_model_start(base->model);
  GRADYN_TRY(gradyn_initial_solve(&s->initial));
  /* z = (q, v); the kind of factors is chosen here for the whole run */
  memcpy(z, s->initial.q, (size_t)n * sizeof(double));
  memcpy(z + n, s->initial.v, (size_t)n * sizeof(double));
  gradyn_mech_state at = {
      .t = s->initial.t, .q = z, .v = z + n, .a = s->initial.a, .lam = s->initial.lam};
  GRADYN_TRY(gradyn_projection_begin(&s->projection, &at));
  base->dependent = gradyn_factors_softened(s->projection.kind);
  return GRADYN_OK;
}

static gradyn_status start_tangent(gradyn_rates *base, const double *dx, double *dz)
{
  gradyn_rates_mech *s = self(base);
  return gradyn_initial_tangent(&s->initial, dx, 0, dz, dz + s->n, NULL, NULL);
}

static gradyn_status start_transposed(gradyn_rates *base, double *z_bar, double *x_bar)
{
  gradyn_rates_mech *s = self(base);
  return gradyn_initial_transposed(&s->initial, z_bar, z_bar + s->n, NULL, NULL, x_bar, NULL);
}

/* --- stages ------------------------------------------------------------------------------------ */

/* Computes a, lam [n + m] without multiplier-dependent forces: S (a; lam) = (Q; -Phi''(a = 0)). */
static gradyn_status solve_motion(gradyn_rates_mech *s, const gradyn_mech_state *at, double *a)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  memset(a, 0, (size_t)(n + m) * sizeof(double));
  GRADYN_TRY(mech->ops->residual(mech, GRADYN_FORCE, at, s->b)); /* -Q */
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 2, at, s->b + n));
  for (int i = 0; i < n + m; i++)
    a[i] = -s->b[i]; /* (Q; -Phi''(a = 0)) */
  gradyn_projection_solve(&s->projection, a, 1);
  return GRADYN_OK;
}

/* Computes a, lam with multiplier-dependent forces. near: a stage with similar a and lam, or NULL. */
static gradyn_status solve_reading(gradyn_rates_mech *s, const gradyn_mech_state *at,
                                   const double *near, double *a)
{
  bool found = false;
  if (near)
    GRADYN_TRY(gradyn_initial_follow(
        &s->initial, &(gradyn_mech_state){.t = at->t, .q = at->q, .v = at->v, .a = near + 2 * s->n},
        &found));
  if (!found)
    GRADYN_TRY(gradyn_initial_accelerate(&s->initial, at->t, at->q, at->v));
  memcpy(a, s->initial.a, (size_t)s->n * sizeof(double));
  memcpy(a + s->n, s->initial.lam, (size_t)s->m * sizeof(double));
  return GRADYN_OK;
}

/* Returns the solution of the small system in a stage, which is stored after the factors. */
static double *record_of(const gradyn_rates_mech *s, const double *stage)
{
  return (double *)stage + s->base.record - s->readings.record;
}

/* Computes a, lam with multiplier-dependent forces, by the small system of their loads, starting from the
 * loads of an earlier stage. If this does not converge, solves the full system, whose failure has a message
 * with the reason. */
static gradyn_status solve_small(gradyn_rates_mech *s, const gradyn_mech_state *at,
                                 const double *before, const double *near, double *stage)
{
  double *a = stage + 2 * s->n, *record = record_of(s, stage);
  bool found;
  GRADYN_TRY(gradyn_multiplier_forces_solve(
      &s->readings, &s->projection, at, before ? record_of(s, before) : NULL, a, record, &found));
  if (found)
    return GRADYN_OK;
  GRADYN_TRY(solve_reading(s, at, near, a));
  return gradyn_multiplier_forces_evaluate(&s->readings, &s->projection, at, a, record);
}

/* Computes a, lam of a stage. The matrix at its position must be factorised. */
static gradyn_status accelerate(gradyn_rates_mech *s, double t, const double *before,
                                const double *near, double *stage)
{
  gradyn_mech *mech = s->mech;
  double *a = stage + 2 * s->n;
  const gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  GRADYN_TRY(mech->factors.readings.loads > 0 ? solve_small(s, &at, before, near, stage)
             : mech->reader                   ? solve_reading(s, &at, near, a)
                                              : solve_motion(s, &at, a));
  /* store the factors in the stage for derivatives */
  gradyn_projection_save(&s->projection, stage + s->base.ny);
  s->base.factorisations = s->projection.factorisations;
  return gradyn_all_finite(stage, s->base.ny)
             ? GRADYN_OK
             : gradyn_fail(mech->message, GRADYN_NON_FINITE,
                           "the accelerations are not finite at t = %g s", t);
}

/* Computes a stage: (a, lam) at (q, v). Stages inside a step need not satisfy the constraints, and are not
 * corrected. */
static gradyn_status stage_at(gradyn_rates *base, double t, const double *z, const double *before,
                              double *stage)
{
  gradyn_rates_mech *s = self(base);
  memcpy(stage, z, (size_t)(2 * s->n) * sizeof(double));
  gradyn_mech_state at = {.t = t, .q = stage, .v = stage + s->n};
  GRADYN_TRY(gradyn_projection_factor(&s->projection, &at));
  return accelerate(s, t, before, NULL, stage);
}

/* Fails because Newton's method of the projection has not converged. */
static gradyn_status astray(gradyn_rates_mech *s, double t)
{
  return gradyn_fail(s->mech->message, GRADYN_NOT_CONVERGED,
                     "a step to t = %g s ended too far from the constraints: use shorter steps or "
                     "a tighter tolerance",
                     t);
}

/* Computes the largest change of a constraint for a displacement of one metre. */
static gradyn_status steepest(gradyn_rates_mech *s, const gradyn_mech_state *at, double *most)
{
  const gradyn_mech *mech = s->mech;
  const double *J;
  *most = 0;
  GRADYN_TRY(gradyn_projection_slopes(&s->projection, at, &J));
  for (int k = 0; k < mech->jac.start[s->m]; k++)
    *most = fmax(*most, fabs(J[k]) / mech->length_scale[mech->jac.col[k]]);
  for (int i = 0; i < s->m && mech->ops->row_size; i++)
    *most = fmax(*most, mech->ops->row_size(mech, i));
  return GRADYN_OK;
}

/* Projects q* onto the constraints: q from q*, and nu from zero, by Newton's method with the factors at q*,
 * until round-off. Phi has the size of a step's error, so that each iteration adds the same number of
 * digits. */
static gradyn_status project_position(gradyn_rates_mech *s, double t, double *q, double *moved)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  double last = HUGE_VAL, first = 0, noise = 0;
  gradyn_mech_state at = {.t = t, .q = q, .v = q + n, .a = moved, .lam = moved + n};
  GRADYN_TRY(gradyn_projection_factor(&s->projection, &at));
  GRADYN_TRY(gradyn_projection_place(&s->projection, t));
  memset(moved, 0, (size_t)(n + m) * sizeof(double));
  for (int k = 0; k < MOST_CORRECTIONS; k++) {
    GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &at, s->b + n));
    double worst = gradyn_largest(s->b + n, m);
    if (k == 0) { /* round-off of Phi: a multiple of eps |J| |q| at the first position */
      first = worst;
      GRADYN_TRY(steepest(s, &at, &noise));
      noise *= 1e-13 * gradyn_mech_size(mech, q);
    }
    /* the violation does not decrease further; then it must be round-off, or small relative to the first
     * violation */
    if (worst == 0 || !(worst < 0.25 * last))
      return worst <= fmax(1e-6 * first, noise) ? GRADYN_OK : astray(s, t);
    last = worst;
    /* with P = M (q - q*) + Phi_q^T nu: (dq, dnu) = -S^-1 (P; Phi) */
    GRADYN_TRY(mech->ops->residual(mech, GRADYN_INERTIA | GRADYN_CONSTRAINT, &at, s->b));
    gradyn_projection_solve_place(&s->projection, s->b);
    for (int i = 0; i < n; i++)
      q[i] -= s->b[i];
    for (int i = 0; i < n + m; i++)
      moved[i] -= s->b[i]; /* sum of the corrections (q - q*, nu) */
  }
  return GRADYN_OK;
}

/* Projects v* onto Phi' = 0, which is linear in v, with the factors at q. */
static gradyn_status project_velocity(gradyn_rates_mech *s, double t, const double *q, double *v,
                                      double *moved)
{
  gradyn_mech *mech = s->mech;
  int n = s->n, m = s->m;
  gradyn_mech_state at = {.t = t, .q = q, .v = v};
  memset(moved, 0, (size_t)n * sizeof(double));
  /* solve M (v - v*) + Phi_q^T tau = 0, Phi_q (v - v*) = -Phi'(v*) */
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 1, &at, moved + n));
  for (int i = 0; i < m; i++)
    moved[n + i] = -moved[n + i];
  gradyn_projection_solve(&s->projection, moved, 1);
  for (int i = 0; i < n; i++)
    v[i] += moved[i];
  return GRADYN_OK;
}

/* Ends a step: projects onto Phi = 0 and Phi' = 0 in the metric of M, then computes (a, lam) there. */
static gradyn_status arrive(gradyn_rates *base, double t, double *z, const double *near,
                            double *stage, double *moved)
{
  gradyn_rates_mech *s = self(base);
  int n = s->n, size = n + s->m;
  gradyn_mech_state at = {.t = t, .q = z, .v = z + n};
  if (s->m > 0)
    GRADYN_TRY(project_position(s, t, z, moved));
  /* factors at the projected position, for velocities and accelerations */
  GRADYN_TRY(gradyn_projection_factor(&s->projection, &at));
  if (s->m > 0)
    GRADYN_TRY(project_velocity(s, t, z, z + n, moved + size));
  memcpy(stage, z, (size_t)(2 * n) * sizeof(double));
  return accelerate(s, t, near, near, stage);
}

/* Computes the largest violations of constraints of all three orders. */
static gradyn_status drift(gradyn_rates *base, double t, const double *stage, double *worst)
{
  gradyn_rates_mech *s = self(base);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  return gradyn_mech_drift(s->mech, &at, 3, s->b, worst);
}

/* Checks for singular positions, unless constraints are redundant: these depend on each other at every
 * position. */
static gradyn_status watch(gradyn_rates *base, double t, const double *stage)
{
  gradyn_rates_mech *s = self(base);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  if (gradyn_factors_softened(s->projection.kind))
    return GRADYN_OK;
  if (base->unjudged)
    GRADYN_TRY(gradyn_singular_path_judge_leap(&s->path, &at));
  return gradyn_singular_path_look(&s->path, &at);
}

/* Called if the next state does not follow from the last one. Singular positions between them are then of
 * no importance. */
static void leap(gradyn_rates *base)
{
  gradyn_singular_path_reset(&self(base)->path);
}

/* Fails if the smallest singular value, for rows of length one, is below `near`: the position then explains
 * why steps are short. */
static gradyn_status creep(gradyn_rates *base, double t, const double *stage)
{
  static const double near = 1e-4;
  gradyn_rates_mech *s = self(base);
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, t, stage);
  return gradyn_factors_softened(s->projection.kind)
             ? GRADYN_OK
             : gradyn_singularity_monitor_creep(&s->path.watch, &at, near);
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Also frees an object whose creation has failed. */
static void free_rates(gradyn_rates *base)
{
  gradyn_rates_mech *s = self(base);
  gradyn_initial_clear(&s->initial);
  gradyn_projection_clear(&s->projection);
  gradyn_multiplier_forces_clear(&s->readings);
  gradyn_singular_path_clear(&s->path);
  gradyn_arena_clear(&s->arena);
  free(s);
}

static const gradyn_rates_ops mech_rates_ops = {
    .start = start,
    .start_tangent = start_tangent,
    .start_transposed = start_transposed,
    .stage = stage_at,
    .arrive = arrive,
    .ready = gradyn_rates_mech_ready,
    .linearise = gradyn_rates_mech_linearise,
    .tangent = gradyn_rates_mech_tangent,
    .transposed = gradyn_rates_mech_transposed,
    .settle = gradyn_rates_mech_settle,
    .arrive_tangent = gradyn_rates_mech_arrive_tangent,
    .arrive_transposed = gradyn_rates_mech_arrive_transposed,
    .drift = drift,
    .watch = watch,
    .leap = leap,
    .creep = creep,
    .free = free_rates};

/* Allocates vectors and lanes of unknowns, and creates the problems that solve for them. */
static gradyn_status take_memory(gradyn_rates_mech *s)
{
  const size_t n = (size_t)s->n, size = n + (size_t)s->m;
  s->b = gradyn_arena_numbers(&s->arena, size);
  s->position = gradyn_arena_take(&s->arena, 2 * n, sizeof(int));
  s->x = gradyn_arena_lanes(&s->arena, 2 * size);
  s->b_lanes = gradyn_arena_lanes(&s->arena, 2 * size);
  s->term = gradyn_arena_lanes(&s->arena, 2 * size);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  /* all entries of z are states: q, then v */
  for (int i = 0; i < 2 * s->n; i++)
    s->position[i] = i;
  GRADYN_TRY(gradyn_initial_create_motion(s->mech, &s->initial));
  GRADYN_TRY(gradyn_singular_path_create(s->mech, &s->path));
  if (s->mech->factors.readings.loads > 0)
    GRADYN_TRY(gradyn_multiplier_forces_create(s->mech, &s->readings));
  return gradyn_projection_create(s->mech, &s->projection);
}

int gradyn_rates_columns(const gradyn_rates *s)
{
  return s->model->mech && s->model->mech->twice ? GRADYN_MECH_COLUMNS : GRADYN_LANES;
}

/* Creates the explicit system with z = (q, v) of a mechanism. Stages also contain accelerations,
 * multipliers, and factors for derivatives. */
gradyn_status gradyn_rates_from_mech(gradyn_model *model, gradyn_rates **out)
{
  gradyn_rates_mech *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->mech = model->mech;
  int n = s->n = s->mech->n, m = s->m = s->mech->m;
  /* z = (q, v), y = (q, v, a, lam); the projection at the end of a step corrects q and v, and stores its
   * multipliers */
  s->base = (gradyn_rates){.ops = &mech_rates_ops,
                           .model = model,
                           .nz = 2 * n,
                           .ny = 3 * n + m,
                           .seen = 3 * n + m,
                           .rates = n,
                           .side_by_side = true,
                           .moved = 2 * (n + m),
                           .readies = s->mech->ops->mass ? s->mech->derived.masses : 0,
                           .sums = s->mech->derived.sums};
  gradyn_status status = take_memory(s);
  s->base.position = s->position;
  s->base.record = s->base.ny + (int)gradyn_projection_size(&s->projection) + s->readings.record;
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&model->message, status, "out of memory for %d coordinates", n);
}
