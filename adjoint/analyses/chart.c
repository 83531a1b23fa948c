/* Coordinates of disturbances in one mode: separate choices of independent positions and rates, which differ
 * where a constraint keeps a captured value. */
#include "adjoint/analyses/chart.h"
#include "core/mech/rolling.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_chart_create(gradyn_mech *mech, gradyn_chart *s)
{
  *s = (gradyn_chart){0};
  GRADYN_TRY(gradyn_independent_create(mech, &s->position));
  GRADYN_TRY(gradyn_independent_create(mech, &s->rate));
  s->loose = calloc((size_t)mech->m + 1, sizeof(bool));
  s->move = calloc((size_t)mech->n + 1, sizeof(double));
  s->position.loose = s->loose;
  return s->loose && s->move
             ? GRADYN_OK
             : gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory for disturbances");
}

void gradyn_chart_clear(gradyn_chart *s)
{
  gradyn_independent_clear(&s->position);
  gradyn_independent_clear(&s->rate);
  free(s->loose);
  free(s->move);
  *s = (gradyn_chart){0};
}

gradyn_status gradyn_chart_choose(gradyn_chart *s, int mode, const gradyn_mech_state *at,
                                  const bool *loose, int *rank)
{
  memcpy(s->loose, loose, (size_t)s->position.m * sizeof(bool));
  s->mode = mode;
  s->chosen = true;
  s->divided = false;
  for (int i = 0; i < s->position.m; i++)
    s->divided = s->divided || loose[i];
  GRADYN_TRY(gradyn_independent_rank(&s->position, at, rank));
  /* prefer, in this chart and later ones, the rates of the independent positions as independent rates */
  for (int k = 0; k < s->position.count; k++)
    if (rank[s->position.at[k]] == 0)
      rank[s->position.at[k]] = 1;
  return s->divided ? gradyn_independent_rank(&s->rate, at, rank) : GRADYN_OK;
}

gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at)
{
  GRADYN_TRY(gradyn_independent_move(&s->position, at));
  return s->divided ? gradyn_independent_move(&s->rate, at) : GRADYN_OK;
}

void gradyn_chart_lift(gradyn_chart *s, int j, double *d)
{
  const int n = s->position.n, positions = s->position.count;
  memset(s->move, 0, ((size_t)n + 1) * sizeof(double));
  memset(d, 0, (size_t)n * sizeof(double));
  /* a disturbance dq of an independent position, with the rates dv from Phi_q dv = -Phi'_q dq; or a
   * disturbance dv of an independent rate */
  s->move[j < positions ? j : j - positions] = 1;
  if (j < positions) {
    gradyn_independent_positions(&s->position, s->move, d);
    s->move[j] = 0;
  }
  gradyn_independent_rates(s->divided ? &s->rate : &s->position, d, s->move, d + n);
}

/* --- data shared by all charts ------------------------------------------------------------------ */

int gradyn_coordinate_find(const gradyn_model *model, const char *wanted)
{
  for (int at = 0; at < model->mech->n && wanted; at++) {
    char name[64];
    model->ops->state_name(model, at, name, sizeof name);
    if (strcmp(name, wanted) == 0)
      return at;
  }
  return -1;
}

void gradyn_charting_create(gradyn_model *model, gradyn_arena *arena, gradyn_charting *s)
{
  size_t n = (size_t)model->mech->n + 1, m = (size_t)model->mech->m + 1;
  *s = (gradyn_charting){.model = model};
  s->wanted = gradyn_arena_take(arena, n, sizeof(bool));
  s->rank = gradyn_arena_take(arena, n, sizeof(int));
  s->loose = gradyn_arena_take(arena, m, sizeof(bool));
  s->captured = gradyn_arena_take(arena, (size_t)model->log.captures.count + 1, sizeof(bool));
}

gradyn_status gradyn_charting_want(gradyn_charting *s, const char *const *wanted, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    const int at = gradyn_coordinate_find(s->model, wanted[k]);
    if (at < 0)
      return gradyn_fail(&s->model->message, GRADYN_INVALID,
                         "coordinate '%.60s': the mechanism has none of this name",
                         wanted[k] ? wanted[k] : "");
    s->wanted[at] = true;
    s->rank[at] = 2;
  }
  return GRADYN_OK;
}

void gradyn_charting_latch(gradyn_charting *s, int event, int before)
{
  const gradyn_model *model = s->model;
  const gradyn_model_captures *c = &model->log.captures;
  /* marks the values that new constraints latch; if a map may have changed the state, those of all active
   * constraints */
  for (int k = 0; k < c->count; k++)
    if (gradyn_latch_active(&c->item[k], model->discrete.mode) &&
        (model->event[event].map_count > 0 || !gradyn_latch_active(&c->item[k], before)))
      s->captured[k] = true;
}

void gradyn_charting_loosen(gradyn_charting *s)
{
  const gradyn_model_captures *c = &s->model->log.captures;
  /* a nonholonomic constraint does not restrict positions */
  for (int i = 0; i < s->model->mech->m; i++)
    s->loose[i] = gradyn_mech_rolls(s->model->mech, i);
  for (int k = 0; k < c->count; k++)
    if (s->captured[k] && gradyn_latch_active(&c->item[k], s->model->discrete.mode))
      s->loose[c->item[k].row] = true;
}

bool gradyn_charting_fits(const gradyn_charting *s, gradyn_chart *c, const gradyn_mech_state *at)
{
  return c->chosen && c->mode == s->model->discrete.mode &&
         memcmp(c->loose, s->loose, (size_t)c->position.m * sizeof(bool)) == 0 &&
         gradyn_chart_move(c, at) == GRADYN_OK;
}

/* Returns whether all requested positions are independent. */
static bool has(const gradyn_charting *s, const gradyn_chart *c)
{
  bool all = true;
  for (int i = 0; i < c->position.n; i++)
    all = all && (!s->wanted[i] || !c->position.is_pivot[i]);
  return all;
}

gradyn_status gradyn_charting_choose(gradyn_charting *s, gradyn_chart *c,
                                     const gradyn_mech_state *at)
{
  GRADYN_TRY(gradyn_chart_choose(c, s->model->discrete.mode, at, s->loose, s->rank));
  s->met = s->met || has(s, c);
  return GRADYN_OK;
}

gradyn_status gradyn_charting_check(const gradyn_charting *s)
{
  const gradyn_mech *mech = s->model->mech;
  int first = 0;
  while (first < mech->n && !s->wanted[first])
    first++;
  if (s->met || first == mech->n)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_INVALID,
                     "coordinate %s: the constraints make it depend on other independent "
                     "coordinates. Choose others",
                     mech->coordinate_name(mech, first));
}
