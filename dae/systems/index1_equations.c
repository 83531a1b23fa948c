/* General equations F(t, y, y', x) = 0 as an index-1 system, with differential states y_d and algebraic
 * states y_a. Index 1 means that B = [F_yd', F_ya] is regular: at a start, y_d' and y_a follow from it. The
 * adjoint unknowns are w = F_yd'^T eta (differential) and eta.
 *
 * F_yd' may be singular if its null space is constant. Let P be the projector onto this space; then the
 * part P y_d of the differential states is algebraic as well. Index 1 then means that B = [F_yd' + F_yd P,
 * F_ya] is regular. All statements on y_d' and w hold for their part in the range of 1 - P. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/systems/index1_equations.h"
#include "dae/linear/null_space.h"

static gradyn_equations_system *self(gradyn_index1 *s)
{
  return (gradyn_equations_system *)s;
}

static gradyn_status residual(gradyn_index1 *base, double t, const double *y, const double *yp,
                              double *F)
{
  return gradyn_equations_residual(self(base)->e, t, y, yp, F);
}

/* Allocates dense matrices, for few equations or for equations that depend on many states. */
static gradyn_status take_dense(gradyn_equations_system *s)
{
  const size_t square = (size_t)s->e->count * (size_t)s->e->count;
  LOCAL(gradyn_pattern) dense = {0};
  gradyn_linsys_free(s->system);
  s->system = NULL;
  s->patterns++;
  gradyn_jacobian_free(s->J);
  s->J = NULL;
  /* full matrices F_y and F_y', and projector P */
  s->F_y = gradyn_arena_numbers(&s->arena, square);
  s->F_yp = gradyn_arena_numbers(&s->arena, square);
  s->P = gradyn_arena_numbers(&s->arena, square);
  gradyn_equations_rows_create(s);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  GRADYN_TRY(gradyn_pattern_fill(s->e->count, &dense));
  return gradyn_linsys_create(&dense, false, GRADYN_BACKEND_AUTO, &s->system);
}

static gradyn_status linearise(gradyn_index1 *base, double t, const double *y, const double *yp)
{
  return gradyn_equations_system_evaluate(self(base), t, y, yp, false);
}

static gradyn_status factor(gradyn_index1 *base, double cj)
{
  return gradyn_equations_system_factor(self(base), 1, cj);
}

static void solve(gradyn_index1 *base, double *b)
{
  gradyn_equations_system_solve(self(base), b);
}

/* Computes F_x dx for `count` directions. */
static gradyn_status data(gradyn_index1 *base, int count, const double *dx, double *const *r)
{
  gradyn_equations_system *s = self(base);
  /* set the point again, since the workspace of the equations may contain another one */
  gradyn_equations_at(s->e, s->t, s->y, s->yp);
  for (int k = 0; k < count; k++)
    GRADYN_TRY(gradyn_equations_along(s->e, dx + k * base->nx, r[k]));
  return GRADYN_OK;
}

/* r += F_y s + F_y' s'. */
static void tangent(gradyn_index1 *base, const double *sy, const double *syp, double *r)
{
  const gradyn_equations_system *s = self(base);
  int n = base->ny;
  for (int i = 0; i < n && s->J; i++)
    for (int k = s->J->start[i]; k < s->J->start[i + 1]; k++)
      r[s->J->row[k]] += s->F_y[k] * sy[i] + s->F_yp[k] * syp[i]; /* F_y s + F_y' s' */
  for (int i = 0; i < n && !s->J; i++)
    for (int k = 0; k < n; k++) {
      r[k] += s->F_y[i * n + k] * sy[i];
      if (s->id[i] != 0)
        r[k] += s->F_yp[i * n + k] * syp[i];
    }
}

/* --- start of an arc -------------------------------------------------------------------------- */

/* Searches for combinations of differential states whose rates occur in no equation. */
static gradyn_status find_combined(gradyn_equations_system *s, const double *y, const double *yp)
{
  int n = s->base.ny, np = s->base.np;
  s->base.combined = 0;
  s->factored[0] = s->factored[1] = NAN;
  gradyn_linsys_reset(s->system);
  GRADYN_TRY(linearise(&s->base, gradyn_model_start(s->base.model), y, yp));
  GRADYN_TRY(gradyn_equations_check_rates(s->e));
  /* try B without P first, because it is regular for most equations */
  const gradyn_status status = gradyn_equations_system_factor(s, 0, 1);
  if (status != GRADYN_SINGULAR)
    return status;
  if (s->J) { /* null spaces need dense matrices */
    GRADYN_TRY(take_dense(s));
    return find_combined(s, y, yp);
  }
  /* move the columns of differential states together, to find their null space */
  for (int d = 0; d < np; d++)
    memmove(s->F_yp + d * n, s->F_yp + s->differential[d] * n, (size_t)n * sizeof(double));
  gradyn_status found = gradyn_null_projector(n, np, s->F_yp, s->P, &s->base.combined);
  if (found != GRADYN_OK)
    return gradyn_fail(&s->base.model->message, found, "%s",
                       found == GRADYN_NO_MEMORY ? "out of memory for the rank of the rates"
                                                 : "the rank of the rates was not found");
  s->base.projector = s->P;
  return s->base.combined > 0 ? GRADYN_OK : status;
}

/* Makes (y, y') consistent with new factors, independent of factors at other states. */
static gradyn_status restart(gradyn_index1 *base, double t, double *y, double *yp)
{
  gradyn_equations_system *s = self(base);
  bool held = false;
  gradyn_linsys_reset(s->system);
  s->factored[0] = s->factored[1] = NAN;
  s->steady = true;
  return gradyn_equations_system_rates(s, t, y, yp, 0, &held);
}

/* Makes (y, y') consistent with stored factors if possible. For equations that are linear in their rates,
 * nearly all evaluations of derivatives would repeat known values. If B has once changed too much between
 * two states, factors are not used again until the next restart. */
static gradyn_status follow(gradyn_index1 *base, double t, double *y, double *yp)
{
  const double serving = 1e-3;
  gradyn_equations_system *s = self(base);
  bool held = s->steady && s->base.combined == 0 && s->factored[0] == 0 && s->factored[1] == 1;
  const bool tried = held;
  const gradyn_status status = gradyn_equations_system_rates(s, t, y, yp, serving, &held);
  s->steady = s->steady && (held || !tried);
  return status;
}

/* Sets y and y' at the start: initial values of differential states; the others follow from F = 0. */
static gradyn_status start(gradyn_index1 *base, double *y, double *yp)
{
  gradyn_equations_system *s = self(base);
  for (int i = 0; i < base->ny; i++) {
    const gradyn_unknown *state = &s->e->unknown[i];
    /* initial values of differential states, guesses of algebraic ones */
    y[i] = state->algebraic ? state->guess : base->model->x[state->datum];
    yp[i] = 0;
  }
  GRADYN_TRY(s->J && gradyn_jacobian_reset(s->J) ? gradyn_equations_system_take_pattern(s)
                                                 : GRADYN_OK);
  GRADYN_TRY(find_combined(s, y, yp));
  return restart(base, gradyn_model_start(base->model), y, yp);
}

/* Derivative of restart(), with its B. */
static gradyn_status restart_tangent(gradyn_index1 *base, const double *dx, double dt, double *sy,
                                     double *syp)
{
  gradyn_equations_system *s = self(base);
  int n = base->ny;
  GRADYN_TRY(gradyn_equations_system_factor(s, 0, 1));
  gradyn_equations_system_divide_states(s, sy);
  for (int i = 0, d = 0; i < n; i++) {
    /* changes of differential states are given; those of algebraic states follow */
    syp[i] = 0;
    sy[i] = s->id[i] != 0 ? s->v[d++] : 0; /* P sy_d is unknown and follows from the solve */
  }
  GRADYN_TRY(gradyn_equations_system_along(s, dx, dt, s->b));
  /* B (sy_d', sy_a) = -(F_y sy + F_x dx + F_t dt) */
  tangent(base, sy, syp, s->b);
  gradyn_equations_system_solve(s, s->b);
  gradyn_equations_system_divide_states(s, s->b);
  /* the solution contains the changes of algebraic states, and of the rates of differential ones */
  for (int i = 0, d = 0; i < n; i++) {
    if (s->id[i] == 0) {
      sy[i] = -s->b[i];
      continue;
    }
    syp[i] = -s->v[d];
    sy[i] -= s->null[d++];
  }
  return GRADYN_OK;
}

/* Computes the derivative of start(), whose initial values are data. */
static gradyn_status start_tangent(gradyn_index1 *base, const double *dx, double *sy, double *syp)
{
  gradyn_equations_system *s = self(base);
  for (int i = 0; i < base->ny; i++)
    sy[i] = s->id[i] != 0 ? dx[s->e->unknown[i].datum] : 0;
  return restart_tangent(base, dx, 0, sy, syp);
}

static gradyn_status start_transposed(gradyn_index1 *base, const double *p, double *x_bar)
{
  gradyn_equations_system *s = self(base);
  memcpy(s->v, p, (size_t)base->np * sizeof(double));
  gradyn_equations_system_divide(s, s->v, s->null);
  for (int k = 0; k < base->np; k++)
    /* adjoints of the initial values, which are data */
    x_bar[s->e->unknown[s->differential[k]].datum] += s->v[k];
  return GRADYN_OK;
}

/* --- creation ---------------------------------------------------------------------------------- */

/* Frees the system. With a sparse Jacobian, F_y and F_yp are its arrays. */
static void free_system(gradyn_index1 *base)
{
  gradyn_equations_system *s = self(base);
  gradyn_linsys_free(s->system);
  gradyn_jacobian_free(s->J);
  gradyn_arena_clear(&s->arena);
  free(s->position);
  free(s);
}

static const gradyn_index1_ops equations_index1_ops = {
    .residual = residual,
    .linearise = linearise,
    .factor = factor,
    .solve = solve,
    .data = data,
    .tangent = tangent,
    .start = start,
    .start_tangent = start_tangent,
    .start_transposed = start_transposed,
    .restart = restart,
    .follow = follow,
    .restart_tangent = restart_tangent,
    .adjoint_residual = gradyn_equations_adjoint_residual,
    .adjoint_factor = gradyn_equations_adjoint_factor,
    .adjoint_solve = gradyn_equations_adjoint_solve,
    .adjoint_data = gradyn_equations_adjoint_data,
    .adjoint_restart = gradyn_equations_adjoint_restart,
    .adjoint_terminal = gradyn_equations_adjoint_terminal,
    .free = free_system};

/* Lists the differential states, and creates dense or sparse matrices. */
static gradyn_status create_system(gradyn_equations_system *s)
{
  int n = s->e->count;
  s->id = gradyn_arena_numbers(&s->arena, (size_t)n);
  s->differential = gradyn_arena_take(&s->arena, (size_t)n, sizeof(int));
  s->b = gradyn_arena_numbers(&s->arena, (size_t)n);
  /* a column of derivatives, and two vectors of states */
  s->column = gradyn_arena_numbers(&s->arena, (size_t)n);
  s->v = gradyn_arena_numbers(&s->arena, (size_t)n);
  s->null = gradyn_arena_numbers(&s->arena, (size_t)n);
  gradyn_equations_slopes_create(s);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (int i = 0; i < n; i++)
    if (!s->e->unknown[i].algebraic) {
      s->id[i] = 1; /* differential */
      s->differential[s->base.np++] = i;
    }
  /* J is NULL if it would have as many entries as a dense matrix */
  GRADYN_TRY(gradyn_jacobian_create(s->e, s->id, &s->J));
  return s->J ? gradyn_equations_system_take_pattern(s) : take_dense(s);
}

/* Creates the system. Matrices are sparse if this saves work. */
gradyn_status gradyn_index1_plain_equations(gradyn_model *model, gradyn_index1 **out)
{
  gradyn_equations_system *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->e = model->equations;
  int n = s->e->count;
  s->base = (gradyn_index1){.ops = &equations_index1_ops, .model = model, .ny = n};
  gradyn_status status = create_system(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for %d states", n);
  /* one adjoint unknown for each equation */
  s->base.ne = n;
  s->base.nx = model->nx;
  s->base.id = s->id;
  s->base.differential = s->differential;
  s->base.atol = s->e->atol;
  s->base.size = s->e->size;
  return GRADYN_OK;
}

void gradyn_index1_free(gradyn_index1 *s)
{
  if (s == NULL)
    return;
  gradyn_arena_clear(&s->sizing);
  s->ops->free(s);
}
