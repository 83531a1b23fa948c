/* General equations for implicit one-step methods: r = F(t, y, y', x). The unknowns w_i are y_i' of
 * differential states and y_i of algebraic ones. */
#include <stdlib.h>
#include <string.h>

#include "core/linear/arena.h"
#include "dae/systems/implicit.h"
#include "dae/systems/index1_equations.h"

typedef struct implicit_equations {
  gradyn_implicit base;
  gradyn_equations_system *system; /* borrowed; it evaluates matrices, and derivatives by data */
  /* number of patterns that the system had when its pattern was copied; -1: not copied */
  int patterns;
  int *w_at;          /* [ny] */
  double *y, *yp, *F; /* [ny] */
  gradyn_arena arena;
} implicit_equations;

static implicit_equations *self(gradyn_implicit *s)
{
  return (implicit_equations *)s;
}

/* Sets s->y and s->yp from a stage, which contains y and the rates of the differential states. */
static void unfold(implicit_equations *s, const double *stage)
{
  const gradyn_index1 *system = &s->system->base;
  memcpy(s->y, stage, (size_t)system->ny * sizeof(double));
  for (int d = 0; d < system->np; d++)
    s->yp[system->differential[d]] = stage[system->ny + d];
}

static gradyn_status residual(gradyn_implicit *base, double t, const double *stage, double *r)
{
  implicit_equations *s = self(base);
  unfold(s, stage);
  return gradyn_equations_residual(s->system->e, t, s->y, s->yp, r);
}

/* Evaluates the matrices of the system at a stage. */
static gradyn_status look(implicit_equations *s, double t, const double *stage)
{
  unfold(s, stage);
  return s->system->base.ops->linearise(&s->system->base, t, s->y, s->yp);
}

/* Copies the present pattern of the system. Stages are coupled by the columns of differential states. */
static gradyn_status take_pattern(implicit_equations *s)
{
  const gradyn_equations_system *e = s->system;
  gradyn_pattern *pattern = &s->base.pattern;
  int *position = calloc(e->J ? (size_t)e->J->start[s->base.nw] + 1 : 1, sizeof *position);
  gradyn_pattern_clear(pattern);
  gradyn_status status = !position ? GRADYN_NO_MEMORY
                         : e->J    ? gradyn_jacobian_pattern(e->J, pattern, position)
                                   : gradyn_pattern_fill(s->base.nw, pattern);
  free(position);
  free(s->base.coupled);
  s->base.coupled = calloc((size_t)pattern->nnz + 1, sizeof(bool));
  if (status != GRADYN_OK || !s->base.coupled)
    return gradyn_fail(&s->base.model->message, GRADYN_NO_MEMORY,
                       "out of memory for the matrices of %d states", s->base.nw);
  for (int k = 0; k < pattern->nnz; k++)
    s->base.coupled[k] = e->id[pattern->col[k]] != 0;
  s->patterns = e->patterns;
  return GRADYN_OK;
}

/* Computes the slopes of r at a stage. by_w: columns F_y' of differential and F_y of algebraic states;
 * by_last: F_y of differential states. */
static gradyn_status linearise(gradyn_implicit *base, double t, const double *stage,
                               const gradyn_implicit_slopes *out)
{
  implicit_equations *s = self(base);
  const gradyn_equations_system *e = s->system;
  const int n = base->nw;
  GRADYN_TRY(look(s, t, stage));
  base->changed = s->patterns != e->patterns;
  if (base->changed)
    return take_pattern(s);
  for (int i = 0; i < n; i++) {
    const int first = e->J ? e->J->start[i] : i * n, end = e->J ? e->J->start[i + 1] : first + n;
    for (int k = first; k < end; k++) {
      const int at = e->J ? e->position[k] : (k - first) * n + i;
      const bool differential = e->id[i] != 0;
      out->by_w[at] = differential ? e->F_yp[k] : e->F_y[k];
      out->by_last[at] = differential ? e->F_y[k] : 0;
      out->by_first[at] = 0;
    }
  }
  return GRADYN_OK;
}

static gradyn_status along(gradyn_implicit *base, double t, const double *stage, int columns,
                           const gradyn_rates_change *d, gradyn_lanes *r)
{
  implicit_equations *s = self(base);
  gradyn_equations_model *e = s->system->e;
  unfold(s, stage);
  gradyn_equations_at(e, t, s->y, s->yp);
  for (int j = 0; j < columns; j++) { /* equations take one direction at a time */
    GRADYN_TRY(gradyn_equations_along(e, d->x + j * base->model->nx, s->F));
    for (int i = 0; i < base->nw; i++)
      r[i][j] = s->F[i];
  }
  if (!d->t)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_equations_by_time(e, s->F));
  for (int i = 0; i < base->nw; i++)
    r[i] += s->F[i] * *d->t;
  return GRADYN_OK;
}

static void enter(gradyn_implicit *base, double t, const double *stage)
{
  implicit_equations *s = self(base);
  unfold(s, stage);
  gradyn_equations_system_point(s->system, t, s->y, s->yp);
}

static gradyn_status against(gradyn_implicit *base, int columns, gradyn_lanes *mu, double *x_bar,
                             gradyn_lanes *t_bar)
{
  implicit_equations *s = self(base);
  gradyn_index1 *system = &s->system->base;
  for (int j = 0; j < columns; j++) {
    for (int i = 0; i < base->nw; i++)
      s->F[i] = mu[i][j];
    double moved = 0;
    GRADYN_TRY(gradyn_equations_system_against(s->system, s->F, x_bar + j * system->nx, &moved));
    if (t_bar)
      (*t_bar)[j] += moved;
  }
  return GRADYN_OK;
}

static const char *name(const gradyn_implicit *base, int i)
{
  return ((const implicit_equations *)base)->system->e->unknown[i].name;
}

static void free_system(gradyn_implicit *base)
{
  gradyn_pattern_clear(&base->pattern);
  free(base->coupled);
  gradyn_arena_clear(&self(base)->arena);
  free(base);
}

static const gradyn_implicit_ops equations_ops = {.residual = residual,
                                                  .linearise = linearise,
                                                  .along = along,
                                                  .enter = enter,
                                                  .against = against,
                                                  .name = name,
                                                  .free = free_system};

gradyn_status gradyn_implicit_from_equations(gradyn_index1 *system, gradyn_implicit **out)
{
  implicit_equations *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s)
    return gradyn_fail(&system->model->message, GRADYN_NO_MEMORY, "out of memory");
  *out = &s->base;
  s->system = (gradyn_equations_system *)system;
  const size_t ny = (size_t)system->ny;
  s->base = (gradyn_implicit){.ops = &equations_ops,
                              .model = system->model,
                              .nz = system->np,
                              .nw = system->ny,
                              .nk = system->np,
                              .order = 1,
                              .rate = system->differential,
                              .z_at = system->differential};
  s->w_at = gradyn_arena_take(&s->arena, ny, sizeof(int));
  s->y = gradyn_arena_numbers(&s->arena, ny);
  s->yp = gradyn_arena_numbers(&s->arena, ny);
  s->F = gradyn_arena_numbers(&s->arena, ny);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&system->model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                       system->ny);
  for (int i = 0, d = 0; i < system->ny; i++)
    s->w_at[i] = system->id[i] != 0 ? system->ny + d++ : i;
  s->base.w_at = s->w_at;
  return take_pattern(s);
}
