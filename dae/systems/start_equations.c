/* The start of a run of general equations: initial values, or the steady state before the run. */
#include <stdlib.h>
#include <string.h>

#include "dae/systems/steady_equations.h"

/* A system that starts in a steady state: `ops` replaces its table of functions, which is in `plain`. */
typedef struct gradyn_steady_start {
  gradyn_steady_state state;
  gradyn_index1_ops ops;
  const gradyn_index1_ops *plain;
} gradyn_steady_start;

static gradyn_equations_system *self(gradyn_index1 *s)
{
  return (gradyn_equations_system *)s;
}

/* Starts the run with the differential states of the steady state. */
static gradyn_status start(gradyn_index1 *base, double *y, double *yp)
{
  gradyn_steady_start *s = self(base)->steady_start;
  /* also sets states that no rates move */
  GRADYN_TRY(s->plain->start(base, y, yp));
  GRADYN_TRY(gradyn_steady_state_find(&s->state, true));
  memcpy(y, s->state.y, (size_t)base->ny * sizeof *y);
  return base->ops->restart(base, gradyn_model_start(base->model), y, yp);
}

static gradyn_status start_tangent(gradyn_index1 *base, const double *dx, double *sy, double *syp)
{
  gradyn_steady_state *state = &self(base)->steady_start->state;
  GRADYN_TRY(gradyn_steady_state_find(state, true));
  GRADYN_TRY(gradyn_steady_state_along(state, dx, sy));
  return base->ops->restart_tangent(base, dx, 0, sy, syp);
}

static gradyn_status start_transposed(gradyn_index1 *base, const double *p, double *x_bar)
{
  gradyn_equations_system *s = self(base);
  gradyn_steady_state *state = &s->steady_start->state;
  GRADYN_TRY(gradyn_steady_state_find(state, true));
  memcpy(s->v, p, (size_t)base->np * sizeof *p);
  gradyn_equations_system_divide(s, s->v, s->null);
  memset(state->r, 0, (size_t)base->ny * sizeof *state->r);
  for (int d = 0; d < base->np; d++)
    state->r[base->differential[d]] = s->v[d];
  return gradyn_steady_state_against(state, x_bar);
}

static void free_system(gradyn_index1 *base)
{
  gradyn_steady_start *s = self(base)->steady_start;
  const gradyn_index1_ops *plain = s->plain;
  gradyn_steady_state_clear(&s->state);
  free(s);
  plain->free(base);
}

/* Makes a system start in the steady state. */
static gradyn_status begin_steady(gradyn_index1 *base)
{
  gradyn_steady_start *s = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&base->model->message, GRADYN_NO_MEMORY, "out of memory");
  self(base)->steady_start = s;
  s->plain = base->ops;
  s->ops = *base->ops;
  s->ops.start = start;
  s->ops.start_tangent = start_tangent;
  s->ops.start_transposed = start_transposed;
  s->ops.free = free_system;
  base->ops = &s->ops;
  base->steady = true;
  return gradyn_steady_state_create(base->model, true, &s->state);
}

gradyn_status gradyn_index1_from_equations(gradyn_model *model, gradyn_index1 **out)
{
  GRADYN_TRY(gradyn_index1_plain_equations(model, out));
  return model->equations->steady ? begin_steady(*out) : GRADYN_OK;
}
