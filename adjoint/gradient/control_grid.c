/* Refined grids of controls. A new knot is in the middle of an interval and has the value of the signal
 * there. It does not change a piecewise constant or linear signal, nor a natural spline. */
#include "adjoint/evaluator/refined.h"
#include "adjoint/gradient/control_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/verify_callbacks.h"
#include "adjoint/gradient/gradient.h"

/* --- new knots --------------------------------------------------------------------------------- */

/* A signal and its grid. */
typedef struct grid {
  const gradyn_evaluator *ev;
  const gradyn_waveform *signal;
  int number;
  const bool *vary;
} grid;

/* Returns the number of added knots of the signal before its knot k. */
static int added_before(const grid *g, int k)
{
  size_t first;
  const int added = gradyn_added_count(g->ev->model, g->number, &first);
  int count = 0;
  /* before added knot i there are floor(position) + 1 knots of build() and the i knots added earlier in the
   * list */
  for (int i = 0; i < added; i++)
    count += (int)gradyn_evaluator_added(g->ev)->knot[first + (size_t)i].position + 1 + i < k;
  return count;
}

/* Returns the position of knot k among the knots of build(): its index there; for an added knot, a number
 * between the indices of its neighbours. */
static double place_of(const grid *g, int k)
{
  size_t first;
  const int added = gradyn_added_count(g->ev->model, g->number, &first);
  const int before = added_before(g, k);
  if (before < added) {
    const double position = gradyn_evaluator_added(g->ev)->knot[first + (size_t)before].position;
    if ((int)position + 1 + before == k)
      return position;
  }
  return k - before;
}

/* Returns the parameter of knot k; NULL: none. Sets *varied to whether this parameter varies. */
static const gradyn_parameter_info *parameter_of(const grid *g, int k, bool *varied)
{
  const int j = gradyn_directions_only(&g->ev->by_rho, g->signal->knot + k);
  *varied = false;
  if (j < 0)
    return NULL;
  *varied = g->vary ? g->vary[j] : !g->ev->parameters.info[j].fixed;
  return &g->ev->parameters.info[j];
}

/* Returns whether each knot is either constant or equal to a separate parameter. */
static bool is_designed(const grid *g, const double *rho)
{
  const gradyn_directions *d = &g->ev->by_rho;
  const gradyn_waveform *s = g->signal;
  for (int k = 0; k < s->count; k++) {
    const int j = gradyn_directions_only(d, s->knot + k);
    if (j == GRADYN_DATUM_FOLLOWS || (j >= 0 && g->ev->model->x[s->knot + k] != rho[j]))
      return false;
    for (int i = 0; i < k && j >= 0; i++)
      if (gradyn_directions_only(d, s->knot + i) == j)
        return false;
  }
  return true;
}

/* Computes the new knot in the middle of interval k. Returns false if neither knot of the interval is
 * varied. */
static bool divide(const grid *g, int k, gradyn_new_knot *out)
{
  const gradyn_waveform *s = g->signal;
  const double *x = g->ev->model->x;
  const bool constant = s->kind == GRADYN_PIECEWISE_CONSTANT, last = k + 1 == s->count;
  const double t0 = gradyn_signal_knot_time(s, x, k),
               t1 = last ? x[s->t_end] : gradyn_signal_knot_time(s, x, k + 1);
  bool varied[2];
  const gradyn_parameter_info *a = parameter_of(g, k, &varied[0]),
                              *b = constant ? a : parameter_of(g, k + 1, &varied[1]);
  if (!varied[0] && (constant || !varied[1]))
    return false;
  a = a ? a : b;
  b = b ? b : a;
  if (!a || !b) /* a varied knot is a parameter */
    return false;
  gradyn_waveform by_time = *s;
  by_time.piece = -1;
  const double behind = last ? floor(place_of(g, k)) + 1 : place_of(g, k + 1);
  *out = (gradyn_new_knot){.at = {g->number, (place_of(g, k) + behind) / 2},
                           .value = constant ? x[s->knot + k]
                                             : gradyn_signal_value(&by_time, x, (t0 + t1) / 2, 0),
                           .lower = (a->lower + b->lower) / 2,
                           .upper = (a->upper + b->upper) / 2,
                           .scale = (a->scale + b->scale) / 2,
                           .width = t1 - t0};
  return out->width > 0;
}

gradyn_status gradyn_new_knots(gradyn_evaluator *ev, const double *rho, const bool *vary,
                               gradyn_new_knot **out, size_t *count)
{
  const gradyn_model *model = ev->model;
  size_t most = 1;
  *count = 0;
  for (int i = 0; i < model->signal_count; i++)
    most += (size_t)model->signal[i].count;
  *out = calloc(most, sizeof **out);
  if (!*out)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for knots");
  gradyn_message_clear(&ev->message);
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  GRADYN_TRY(gradyn_evaluator_report_model(
      ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho)));
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    const grid g = {ev, s, i, vary};
    const int intervals = s->kind == GRADYN_PIECEWISE_CONSTANT ? s->count : s->count - 1;
    /* no intervals exist if switching times may be in any order; a delayed signal has the knots of another
     * one */
    const bool divisible = !s->switched && s->source == i && is_designed(&g, rho);
    for (int k = 0; k < intervals && divisible; k++)
      *count += divide(&g, k, *out + *count);
  }
  return GRADYN_OK;
}

/* --- a refined evaluator ----------------------------------------------------------------------- */

enum { NAME = 128 };

/* A problem with added knots; owns all arrays of the problem. */
typedef struct refinement {
  gradyn_owned owned; /* first */
  gradyn_problem problem;
  gradyn_arena arena;
} refinement;

static void release(gradyn_owned *own)
{
  refinement *r = (refinement *)own;
  gradyn_arena_clear(&r->arena);
  free(r);
}

static bool is_before(const gradyn_added_knot *a, const gradyn_added_knot *b)
{
  return a->signal != b->signal ? a->signal < b->signal : a->position < b->position;
}

/* Copies the parameter of a knot that an earlier refinement has added. */
static gradyn_param keep(const gradyn_evaluator *of, size_t i, char *name)
{
  const gradyn_parameter_info *info = &of->parameters.info[gradyn_evaluator_added(of)->first + i];
  (void)snprintf(name, NAME, "%s", info->name);
  return (gradyn_param){.name = name,
                        .unit = info->unit,
                        .init = info->init,
                        .lower = info->lower,
                        .upper = info->upper,
                        .scale = info->scale,
                        .role = GRADYN_CONTROL};
}

/* Makes the parameter of a new knot. */
static gradyn_param name_new(const gradyn_evaluator *of, const gradyn_new_knot *knot, char *name)
{
  const gradyn_waveform *s = &of->model->signal[knot->at.signal];
  (void)snprintf(name, NAME, "%.90s@%.15g", s->name, knot->at.position);
  return (gradyn_param){.name = name,
                        .init = fmin(fmax(knot->value, knot->lower), knot->upper),
                        .lower = knot->lower,
                        .upper = knot->upper,
                        .scale = knot->scale,
                        .role = GRADYN_CONTROL};
}

/* Merges the old and new knots of all signals in ascending order, and their parameters. */
static void merge(const gradyn_evaluator *of, const gradyn_new_knot *knot, size_t count,
                  struct gradyn_added_knots *added, gradyn_param *params, char *names)
{
  const struct gradyn_added_knots *old = gradyn_evaluator_added(of);
  size_t i = 0, j = 0;
  const size_t had = old ? old->count : 0;
  while (added->count < had + count) {
    const bool new = i >= had || (j < count && is_before(&knot[j].at, &old->knot[i]));
    const size_t at = added->count++;
    added->knot[at] = new ? knot[j].at : old->knot[i];
    params[at] = new ? name_new(of, &knot[j], names + NAME * at) : keep(of, i, names + NAME * at);
    params[at].unit = of->model->entry[of->model->signal[added->knot[at].signal].knot].unit;
    i += !new;
    j += new;
  }
}

/* Copies the units of parameters, because the model of the other evaluator may be freed first. */
static bool copy_units(refinement *r, gradyn_param *params, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const size_t size = strlen(params[i].unit) + 1;
    char *unit = gradyn_arena_take(&r->arena, size, 1);
    if (!unit)
      return false;
    memcpy(unit, params[i].unit, size);
    params[i].unit = unit;
  }
  return true;
}

gradyn_status gradyn_refined_create(gradyn_evaluator *of, const gradyn_new_knot knot[],
                                    size_t count, gradyn_evaluator **out)
{
  const struct gradyn_added_knots *old = gradyn_evaluator_added(of);
  const size_t had = old ? old->count : 0, base = of->problem->param_count - had;
  refinement *r = calloc(1, sizeof *r);
  *out = NULL;
  if (!r)
    return GRADYN_NO_MEMORY;
  gradyn_param *params = gradyn_arena_take(&r->arena, base + had + count, sizeof *params);
  struct gradyn_added_knots *added = gradyn_arena_take(
      &r->arena, 1, sizeof *added + (had + count) * sizeof added->knot[0]);
  char *names = gradyn_arena_take(&r->arena, had + count, NAME);
  if (gradyn_arena_status(&r->arena) != GRADYN_OK) {
    release(&r->owned);
    return GRADYN_NO_MEMORY;
  }
  r->problem = *of->problem;
  if (base > 0)
    memcpy(params, of->problem->params, base * sizeof *params);
  added->first = of->parameters.count - had;
  merge(of, knot, count, added, params + base, names);
  r->problem.params = params;
  r->problem.param_count = base + had + count;
  gradyn_status status = copy_units(r, params + base, had + count)
                             ? gradyn_evaluator_create_refined(&r->problem, added, &of->options,
                                                               of->settings, of->setting_count, out)
                             : GRADYN_NO_MEMORY;
  if (!*out) {
    release(&r->owned);
    return GRADYN_NO_MEMORY;
  }
  r->owned.release = release;
  (*out)->own = &r->owned;
  GRADYN_TRY(status);
  gradyn_verify_callbacks_alike(of, *out);
  gradyn_choice_follow(*out, of);
  return GRADYN_OK;
}

size_t gradyn_refined_new(const gradyn_evaluator *refined, const gradyn_added_knot *knot)
{
  const struct gradyn_added_knots *added = gradyn_evaluator_added(refined);
  size_t i = 0;
  while (i < added->count && is_before(&added->knot[i], knot))
    i++;
  return added->first + i;
}

size_t gradyn_refined_old(const gradyn_evaluator *refined, const gradyn_evaluator *of, size_t i)
{
  const struct gradyn_added_knots *old = gradyn_evaluator_added(of);
  return old && i >= old->first ? gradyn_refined_new(refined, &old->knot[i - old->first]) : i;
}
