/* Coordinates of disturbances in one mode: two choices of independent coordinates, for positions and for
 * rates, which differ where a constraint holds what it has captured. */
#include "adjoint/analyses/chart.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_chart_create(gradyn_mech *mech, gradyn_chart *s)
{
  *s = (gradyn_chart){0};
  GRADYN_TRY(gradyn_independent_create(mech, &s->place));
  GRADYN_TRY(gradyn_independent_create(mech, &s->rate));
  s->loose = calloc((size_t)mech->m + 1, sizeof(bool));
  s->move = calloc((size_t)mech->n + 1, sizeof(double));
  s->place.loose = s->loose;
  return s->loose && s->move
             ? GRADYN_OK
             : gradyn_fail(mech->message, GRADYN_NO_MEMORY, "out of memory for disturbances");
}

void gradyn_chart_clear(gradyn_chart *s)
{
  gradyn_independent_clear(&s->place);
  gradyn_independent_clear(&s->rate);
  free(s->loose);
  free(s->move);
  *s = (gradyn_chart){0};
}

gradyn_status gradyn_chart_choose(gradyn_chart *s, int mode, const gradyn_mech_state *at,
                                  const bool *loose, int *rank)
{
  memcpy(s->loose, loose, (size_t)s->place.m * sizeof(bool));
  s->mode = mode;
  s->chosen = true;
  s->divided = false;
  for (int i = 0; i < s->place.m; i++)
    s->divided = s->divided || loose[i];
  GRADYN_TRY(gradyn_independent_rank(&s->place, at, rank));
  /* what is an independent position had better be an independent rate, here and elsewhere */
  for (int k = 0; k < s->place.count; k++)
    if (rank[s->place.at[k]] == 0)
      rank[s->place.at[k]] = 1;
  return s->divided ? gradyn_independent_rank(&s->rate, at, rank) : GRADYN_OK;
}

bool gradyn_chart_fits(const gradyn_chart *s, int mode, const bool *loose)
{
  return s->chosen && s->mode == mode &&
         memcmp(s->loose, loose, (size_t)s->place.m * sizeof(bool)) == 0;
}

gradyn_status gradyn_chart_move(gradyn_chart *s, const gradyn_mech_state *at)
{
  GRADYN_TRY(gradyn_independent_move(&s->place, at));
  return s->divided ? gradyn_independent_move(&s->rate, at) : GRADYN_OK;
}

bool gradyn_chart_has(const gradyn_chart *s, const bool *marked)
{
  bool all = true;
  for (int i = 0; i < s->place.n; i++)
    all = all && (!marked[i] || !s->place.is_pivot[i]);
  return all;
}

void gradyn_chart_lift(gradyn_chart *s, int j, double *d)
{
  const int n = s->place.n, places = s->place.count;
  memset(s->move, 0, ((size_t)n + 1) * sizeof(double));
  memset(d, 0, (size_t)n * sizeof(double));
  /* dq of an independent position; dv of that, Phi_q dv = -Phi'_q dq, or of an independent rate */
  s->move[j < places ? j : j - places] = 1;
  if (j < places) {
    gradyn_independent_places(&s->place, s->move, d);
    s->move[j] = 0;
  }
  gradyn_independent_rates(s->divided ? &s->rate : &s->place, d, s->move, d + n);
}

/* --- captured data ------------------------------------------------------------------------------ */

void gradyn_captured_note(const gradyn_model *model, int event, int before, bool *captured)
{
  const gradyn_model_captures *c = &model->log.captures;
  /* a constraint that is new, or whatever holds where a map may have moved it */
  for (int k = 0; k < c->count; k++)
    if (gradyn_capture_holds(&c->item[k], model->scene.mode) &&
        (model->event[event].map_count > 0 || !gradyn_capture_holds(&c->item[k], before)))
      captured[k] = true;
}

void gradyn_captured_loosen(const gradyn_model *model, const bool *captured, bool *loose)
{
  const gradyn_model_captures *c = &model->log.captures;
  memset(loose, 0, (size_t)model->mech->m * sizeof(bool));
  for (int k = 0; k < c->count; k++)
    if (captured[k] && gradyn_capture_holds(&c->item[k], model->scene.mode))
      loose[c->item[k].row] = true;
}
