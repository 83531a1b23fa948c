/* Guesses in natural coordinates for motions in joint coordinates. */
#include "optim/segments/natural.h"

#include <string.h>

#include "core/linear/arena.h"
#include "dae/start/initial.h"

/* Number of steps from one row to the next. Angles and attitudes are followed from step to step, so that a
 * step must be less than half a turn. */
enum { STEPS = 8 };

typedef struct conversion {
  gradyn_model *model;
  const gradyn_natural *natural;
  gradyn_initial start; /* initial state of the problem in natural coordinates */
  double *data;         /* [2 N] initial values among the data, to be restored */
  /* [2 N] values; last: the last state; past: [2 n] the last state in joint coordinates */
  double *y, *last, *past;
  double t; /* s, time of the last state */
  gradyn_arena arena;
} conversion;

bool gradyn_natural_follows(const gradyn_model *model, int i)
{
  const gradyn_mech *origin = model->mech->begin.origin.mech;
  return origin->begin.nearness != NULL && origin->begin.nearness[i % origin->n] == 0;
}

void gradyn_natural_from(const gradyn_model *model, const double *z, double *y)
{
  const int n = model->mech->n, N = gradyn_natural_count(model);
  double *own = (double *)z; /* the cast removes const: give() does not change z */
  const gradyn_mech_place at = {own, own + n}, to = {y, y + N};
  model->mech->begin.origin.give(model->mech, &at, &to);
}

/* Returns the datum of initial position or velocity i < 2 N. */
static double *datum(const conversion *c, int i)
{
  const gradyn_mech *origin = c->start.mech;
  return &c->model->x[i < origin->n ? origin->q0[i] : origin->v0[i - origin->n]];
}

static void finish(conversion *c)
{
  const gradyn_mech *origin = c->start.mech;
  for (int i = 0; origin != NULL && i < 2 * origin->n; i++)
    *datum(c, i) = c->data[i];
  gradyn_initial_clear(&c->start);
  gradyn_arena_clear(&c->arena);
}

static gradyn_status prepare(conversion *c, double t, const double *z)
{
  gradyn_mech *mech = c->model->mech;
  const size_t N = (size_t)gradyn_natural_count(c->model), n = (size_t)mech->n;
  c->t = t;
  c->data = gradyn_arena_numbers(&c->arena, 2 * N);
  c->y = gradyn_arena_numbers(&c->arena, 2 * N);
  c->last = gradyn_arena_numbers(&c->arena, 2 * N);
  c->past = gradyn_arena_numbers(&c->arena, 2 * n);
  if (gradyn_arena_status(&c->arena) != GRADYN_OK)
    return gradyn_fail(&c->model->message, GRADYN_NO_MEMORY, "out of memory for a guess");
  memcpy(c->past, z, 2 * n * sizeof *z);
  gradyn_natural_from(c->model, z, c->last);
  GRADYN_TRY(gradyn_initial_create(mech->begin.origin.mech, GRADYN_CONSTRAINT, &c->start));
  for (size_t i = 0; i < 2 * N; i++)
    c->data[i] = *datum(c, (int)i);
  return GRADYN_OK;
}

/* Assembles the state in natural coordinates at t, s. Values that follow from others are predicted from the
 * last state. */
static gradyn_status assemble(conversion *c, double t)
{
  gradyn_initial *start = &c->start;
  const int N = start->mech->n;
  const bool *known = c->natural->known;
  for (int i = 0; i < 2 * N; i++)
    *datum(c, i) = known[i] || !gradyn_natural_follows(c->model, i) ? c->y[i]
                   : i < N ? c->last[i] + (t - c->t) * c->last[N + i]
                           : c->last[i];
  start->t = c->t = t;
  GRADYN_TRY(gradyn_initial_solve_motion(start));
  memcpy(c->last, start->q, (size_t)N * sizeof *c->last);
  memcpy(c->last + N, start->v, (size_t)N * sizeof *c->last);
  return GRADYN_OK;
}

/* Computes the state z [2 n] in joint coordinates at a fraction of the time. */
static gradyn_status convert(conversion *c, double share, double *z)
{
  gradyn_mech *mech = c->model->mech;
  const double t = share * c->model->x[c->model->t_end];
  const int mode = gradyn_discrete_state_mode_at(c->model, t);
  const int before = gradyn_discrete_state_switch_mode(c->model, mode);
  c->natural->at(c->natural->self, share, c->y);
  const gradyn_status status = assemble(c, t);
  (void)gradyn_discrete_state_switch_mode(c->model, before);
  const gradyn_mech_place from = {c->start.q, c->start.v}, to = {z, z + mech->n};
  const gradyn_mech_place past = {c->past, c->past + mech->n};
  GRADYN_TRY(status);
  mech->begin.origin.take(mech, &from, &to);
  mech->begin.origin.nearest(mech, &past, &to);
  memcpy(c->past, z, 2 * (size_t)mech->n * sizeof *z);
  return GRADYN_OK;
}

gradyn_status gradyn_natural_convert(const gradyn_natural *natural, gradyn_model *model,
                                     const double at[], size_t first, size_t count, size_t columns,
                                     double *z)
{
  OWNED_UNTIL_END(finish) conversion c = {.model = model, .natural = natural};
  GRADYN_TRY(prepare(&c, at[first - 1] * model->x[model->t_end], z + (first - 1) * columns));
  for (size_t k = first; k < count; k++)
    for (int j = 1; j <= STEPS; j++) {
      const double share = at[k - 1] + (at[k] - at[k - 1]) * j / STEPS;
      GRADYN_TRY(convert(&c, j < STEPS ? share : at[k], z + k * columns));
    }
  return GRADYN_OK;
}
