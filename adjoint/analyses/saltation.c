/* Saltation matrices of the events of a run: derivatives of independent positions and rates after an event
 * by those before it.
 *
 * Modes have different constraints, so each side of an event has its own coordinates: the requested ones
 * where possible, then those of other sides. A constraint on a latched value restricts rates but not
 * positions, because the latched value depends on the state at the event. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/analyses/chart.h"
#include "dae/events/crossing.h"
#include "adjoint/evaluator/evaluator.h"
#include "adjoint/evaluator/verify_callbacks.h"

typedef struct salting {
  gradyn_model *model;
  int n;
  gradyn_crossing crossing;
  gradyn_chart *chart; /* [modes] */
  int charts;
  double *y;                      /* [columns of trajectories] before */
  double *d;                      /* [2 n] a disturbance */
  gradyn_discrete_state discrete; /* before the present event */
  gradyn_charting charting;
  gradyn_arena arena; /* owns all arrays */
} salting;

/* Frees all arrays. Each chart owns two sets of independent coordinates. */
static void clear(salting *s)
{
  for (int k = 0; k < s->charts; k++)
    gradyn_chart_clear(&s->chart[k]);
  gradyn_arena_clear(&s->arena);
  gradyn_crossing_clear(&s->crossing);
}

/* Creates the charts, without coordinates, after all other arrays. */
static gradyn_status create_charts(salting *s)
{
  const int modes = s->model->modes.count > 0 ? s->model->modes.count : 1;
  s->chart = gradyn_arena_take(&s->arena, (size_t)modes, sizeof *s->chart);
  if (!s->chart)
    return GRADYN_NO_MEMORY;
  while (s->charts < modes)
    /* counted first, so that clear() frees it after a failure */
    GRADYN_TRY(gradyn_chart_create(s->model->mech, &s->chart[s->charts++]));
  return GRADYN_OK;
}

/* Allocates results for all events of a run. */
static gradyn_status create(gradyn_model *model, size_t columns, salting *s)
{
  size_t n = (size_t)model->mech->n + 1;
  *s = (salting){.model = model, .n = model->mech->n};
  s->y = gradyn_arena_numbers(&s->arena, columns + 1);
  s->d = gradyn_arena_numbers(&s->arena, 2 * n);
  gradyn_charting_create(model, &s->arena, &s->charting);
  const gradyn_status status = create_charts(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&model->message, status, "out of memory for saltation matrices");
  return model->event_count > 0 ? gradyn_crossing_create(model, &s->crossing) : GRADYN_OK;
}

/* --- one side of an event ----------------------------------------------------------------------- */

/* Returns the chart of the present mode, made valid at a state: with its earlier coordinates or, if these
 * do not determine the others, with new ones. */
static gradyn_status enter(salting *s, const gradyn_mech_state *at, gradyn_chart **out)
{
  *out = &s->chart[s->model->discrete.mode];
  gradyn_charting_loosen(&s->charting);
  return gradyn_charting_fits(&s->charting, *out, at)
             ? GRADYN_OK
             : gradyn_charting_choose(&s->charting, *out, at);
}

/* Returns whether disturbances of a coordinate, or of its rate, are reported on a side. */
static bool is_told(const salting *s, const gradyn_independent *c, int i, bool behind)
{
  for (int k = 0; k < c->count; k++)
    if (c->at[k] == i)
      return true;
  return behind && s->charting.wanted[i];
}

/* Names the reported components of a side, and lists their indices in a disturbance [2 n]. */
static gradyn_status describe(const salting *s, const gradyn_chart *c, bool behind,
                              gradyn_disturbances *out, int *at)
{
  gradyn_model *model = s->model;
  out->name = calloc(2 * (size_t)s->n + 1, sizeof *out->name);
  if (!out->name)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for names");
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < s->n; i++) {
      char name[sizeof *out->name];
      const size_t told = out->positions + out->rates;
      if (!is_told(s, half ? gradyn_chart_rates(c) : &c->position, i, behind))
        continue;
      model->ops->state_name(model, i, name, sizeof name - 1);
      (void)snprintf(out->name[told], sizeof *out->name, "%.62s%s", name, half ? "'" : "");
      at[told] = half * s->n + i;
      *(half ? &out->rates : &out->positions) += 1;
    }
  return GRADYN_OK;
}

/* --- matrices ----------------------------------------------------------------------------------- */

/* Computes the matrix of an event. s->y contains the state before the event; the workspace of `at` begins
 * at index 4 n. */
static gradyn_status fill(salting *s, const gradyn_event_record *event, gradyn_saltation *item,
                          int *at)
{
  gradyn_chart *before, *behind;
  const int mode = s->model->discrete.mode;
  GRADYN_TRY(enter(s, &(gradyn_mech_state){.t = event->t, .q = s->y, .v = s->y + s->n}, &before));
  GRADYN_TRY(describe(s, before, false, &item->before, at));
  GRADYN_TRY(gradyn_crossing_prepare(&s->crossing, event, s->y));
  gradyn_charting_latch(&s->charting, event->event, mode);
  const gradyn_impacts *impact = s->crossing.impact;
  const gradyn_mech_state there = {.t = event->t, .q = impact->yp, .v = impact->vp};
  /* columns first: if the mode does not change, its chart is then moved to the state after the event */
  const size_t columns = item->before.positions + item->before.rates;
  FREED double *all = calloc(2 * (size_t)s->n * columns + 1, sizeof *all);
  for (size_t j = 0; j < columns && all; j++) {
    gradyn_chart_lift(before, (int)j, s->d);
    GRADYN_TRY(gradyn_crossing_carry(&s->crossing, s->d));
    memcpy(all + j * 2 * (size_t)s->n, s->d, 2 * (size_t)s->n * sizeof(double));
  }
  /* rows: independent coordinates of the mode after the event */
  GRADYN_TRY(enter(s, &there, &behind));
  GRADYN_TRY(describe(s, behind, true, &item->after, at));
  const size_t rows = item->after.positions + item->after.rates;
  item->matrix = calloc(rows * columns + 1, sizeof(double));
  if (!all || !item->matrix)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY,
                       "out of memory for a saltation matrix");
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      item->matrix[i * columns + j] = all[j * 2 * (size_t)s->n + (size_t)at[i]];
  return GRADYN_OK;
}

/* Finds the state before an event: the first recorded one at its time. */
static bool find_state(const gradyn_trajectory *run, double t, size_t *step, double *y)
{
  size_t steps = gradyn_trajectory_read(run).steps;
  while (*step < steps && gradyn_trajectory_step(run, *step, y) < t)
    ++*step;
  return *step < steps;
}

/* Sets s->y to the state before event k of the log, and loads its mode; k = 0 rewinds. */
static gradyn_status go_to(salting *s, const gradyn_trajectory *run, int k, size_t *step)
{
  gradyn_model *model = s->model;
  *step = k > 0 ? *step : 0;
  /* the second of two simultaneous events starts in the state after the first */
  *step += k > 0 && model->log.record[k].t == model->log.record[k - 1].t;
  if (k > 0)
    s->discrete = gradyn_discrete_state_after(model, s->discrete, model->log.record[k - 1].event);
  gradyn_discrete_state_enter(model, s->discrete);
  if (find_state(run, model->log.record[k].t, step, s->y))
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NOT_CONVERGED,
                     "the state before the event at t = %g s was not recorded",
                     model->log.record[k].t);
}

/* Checks, for a run without events, that the requested coordinates are independent at the start. */
static gradyn_status look_at_start(salting *s, const gradyn_trajectory *run)
{
  gradyn_chart *c;
  (void)gradyn_trajectory_step(run, 0, s->y);
  return enter(s, &(gradyn_mech_state){.q = s->y, .v = s->y + s->n}, &c);
}

/* Computes the matrices of all events. */
static gradyn_status find_items(salting *s, const gradyn_trajectory *run, gradyn_saltations *out,
                                int *at)
{
  gradyn_model *model = s->model;
  size_t step = 0;
  for (int k = 0; k < model->log.count; k++) {
    gradyn_saltation *item = &out->item[out->count++];
    item->event = gradyn_event_record_public(model->log.record[k]);
    GRADYN_TRY(go_to(s, run, k, &step));
    GRADYN_TRY(fill(s, &model->log.record[k], item, at));
  }
  if (model->log.count == 0)
    GRADYN_TRY(look_at_start(s, run));
  return gradyn_charting_check(&s->charting);
}

/* Computes the matrices of a finished run. */
static gradyn_status find_all(gradyn_model *model, const gradyn_trajectory *run,
                              const char *const *wanted, size_t wanted_count,
                              gradyn_saltations *out)
{
  OWNED_UNTIL_END(clear) salting s = {0};
  GRADYN_TRY(create(model, gradyn_trajectory_read(run).columns, &s));
  /* enter the start of the run, where signals are evaluated by time */
  gradyn_discrete_state_rewind(model);
  s.discrete = model->discrete;
  out->item = calloc((size_t)model->log.count + 1, sizeof *out->item);
  FREED int *at = calloc(2 * (size_t)model->mech->n + 1, sizeof *at);
  if (!out->item || !at)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                       model->log.count);
  GRADYN_TRY(gradyn_charting_want(&s.charting, wanted, wanted_count));
  return find_items(&s, run, out, at);
}

gradyn_status gradyn_saltations_compute(gradyn_evaluator *ev, const double rho[],
                                        const char *const wanted[], size_t wanted_count,
                                        gradyn_saltations *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_saltations){0};
  GRADYN_TRY(
      gradyn_evaluator_enter(ev, rho, wanted_count > 0 ? wanted : (const void *)ev, "wanted"));
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  if (!run)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a trajectory");
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, NULL, run));
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_log_smooth(ev->model)));
  if (!ev->model->mech)
    return gradyn_fail(
        &ev->message, GRADYN_INVALID,
        "general equations have no independent coordinates, and no saltation matrices");
  const gradyn_status status = find_all(ev->model, run, wanted, wanted_count, out);
  return gradyn_evaluator_report(ev, gradyn_verify_callbacks_analysis(ev, status));
}

void gradyn_saltations_clear(gradyn_saltations *s)
{
  if (!s)
    return;
  for (size_t k = 0; k < s->count; k++) {
    free(s->item[k].matrix);
    free(s->item[k].before.name);
    free(s->item[k].after.name);
  }
  free(s->item);
  *s = (gradyn_saltations){0};
}
