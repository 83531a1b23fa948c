/* Finds which parameters act in which segments, from the sparse columns of dx/drho of the whole motion. */
#include "optim/segments/acting.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"

/* Kinds of data, by where in the motion a datum acts. */
enum { EVERYWHERE, AT_START, AT_KNOT };

/* A knot and a parameter that changes it. */
typedef struct gradyn_knot_parameter {
  int datum;
  size_t parameter;
} knot_parameter;

/* --- Dependence of data ------------------------------------------------------------------------- */

/* Appends the pairs of a knot and parameter j. Marks the parameter if it changes other data. */
static gradyn_status add_column(gradyn_reach *r, const gradyn_directions *d, size_t j)
{
  for (int k = d->start[j]; k < d->start[j + 1]; k++) {
    const int datum = d->index[k];
    r->everywhere[j] = r->everywhere[j] || r->kind[datum] == EVERYWHERE;
    r->at_start[j] = r->at_start[j] || r->kind[datum] == AT_START;
    if (r->kind[datum] != AT_KNOT)
      continue;
    if (r->count == r->capacity) {
      const size_t capacity = 2 * r->capacity + 64;
      knot_parameter *more = realloc(r->pair, capacity * sizeof *more);
      if (more == NULL)
        return GRADYN_NO_MEMORY;
      r->pair = more;
      r->capacity = capacity;
    }
    r->pair[r->count++] = (knot_parameter){datum, j};
  }
  return GRADYN_OK;
}

/* Computes the columns of dx/drho at rho. */
static gradyn_status find_columns(gradyn_evaluator *whole, const double rho[],
                                  gradyn_directions *out)
{
  GRADYN_TRY(gradyn_evaluator_load(whole, rho));
  return gradyn_evaluator_report(
      whole, gradyn_directions_by_rho(whole->model, &whole->parameters, whole->rho, out));
}

/* Fills `out` with rho after a small move of all parameters within their bounds. It serves to find
 * derivatives that vanish at rho only. */
static void move(const gradyn_evaluator *whole, const double rho[], double *out)
{
  for (size_t j = 0; j < whole->parameters.count; j++) {
    const gradyn_parameter_info *info = &whole->parameters.info[j];
    const double step = info->scale * gradyn_acting_step(j) / 1024;
    out[j] = rho[j] + step <= info->upper ? rho[j] + step : fmax(rho[j] - step, info->lower);
  }
}

/* Whether the knots of a signal are at constant fractions of the end time, and each acts near its time
 * only. active [nx]: data that parameters change. */
static bool stays(const gradyn_model *model, const gradyn_waveform *s, const bool *active)
{
  const bool ends = active[model->t_end];
  if (s->kind == GRADYN_CUBIC_SPLINE)
    return false;
  if (s->timed) /* given times: signals that switch have no time for the first value */
    return s->kind == GRADYN_PIECEWISE_LINEAR && !ends && !gradyn_signal_moves(s, active);
  return !active[s->t_start] &&
         (ends ? s->t_end == model->t_end && model->x[s->t_start] == 0 : !active[s->t_end]);
}

/* Sets the kinds of all data. d [2]: columns of dx/drho at two points. */
static gradyn_status set_kinds(gradyn_reach *r, const gradyn_directions d[2], const int start[],
                               size_t count)
{
  const gradyn_model *model = r->whole->model;
  bool *active = gradyn_arena_take(&r->arena, (size_t)model->nx, sizeof *active);
  GRADYN_TRY(gradyn_arena_status(&r->arena));
  for (int c = 0; c < 2; c++)
    for (int k = 0; d[c].start != NULL && k < d[c].start[d[c].count]; k++)
      active[d[c].index[k]] = true;
  for (size_t i = 0; i < count; i++)
    r->kind[start[i]] = AT_START;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    r->moves[i] = !stays(model, s, active);
    /* a delayed signal uses the knots of its source: if one of the two moves, both do */
    r->moves[s->source] = r->moves[s->source] || r->moves[i];
  }
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    if (!r->moves[i])
      memset(r->kind + s->knot, AT_KNOT, (size_t)s->count);
  }
  return GRADYN_OK;
}

/* Order for qsort(): by knots, then by parameters. */
static int compare(const void *a, const void *b)
{
  const knot_parameter *x = a, *y = b;
  if (x->datum != y->datum)
    return x->datum < y->datum ? -1 : 1;
  return x->parameter < y->parameter ? -1 : x->parameter > y->parameter;
}

static gradyn_status take_columns(gradyn_reach *r, const gradyn_directions d[2], const int start[],
                                  size_t count)
{
  GRADYN_TRY(set_kinds(r, d, start, count));
  for (int c = 0; c < 2; c++)
    for (size_t j = 0; d[c].start != NULL && j < r->whole->parameters.count; j++)
      GRADYN_TRY(add_column(r, &d[c], j));
  if (r->count > 0)
    qsort(r->pair, r->count, sizeof *r->pair, compare);
  return GRADYN_OK;
}

gradyn_status gradyn_reach_find(gradyn_evaluator *whole, const double rho[], const int start[],
                                size_t count, gradyn_reach *out)
{
  const size_t p = whole->parameters.count, nx = (size_t)whole->model->nx;
  *out = (gradyn_reach){.whole = whole};
  out->everywhere = gradyn_arena_take(&out->arena, p + 1, sizeof(bool));
  out->at_start = gradyn_arena_take(&out->arena, p + 1, sizeof(bool));
  out->kind = gradyn_arena_take(&out->arena, nx, 1);
  out->moves = gradyn_arena_take(&out->arena, (size_t)whole->model->signal_count + 1, sizeof(bool));
  double *other = gradyn_arena_numbers(&out->arena, p + 1);
  gradyn_status status = gradyn_arena_status(&out->arena);
  gradyn_directions d[2] = {{0}, {0}};
  if (status == GRADYN_OK && whole->route == GRADYN_BY_DIFFERENCES) {
    /* with differences, build() need not be complex-differentiable: any parameter may act anywhere */
    memset(out->everywhere, true, p);
    memset(out->moves, true, (size_t)whole->model->signal_count);
    return GRADYN_OK;
  }
  if (status == GRADYN_OK)
    status = find_columns(whole, rho, &d[0]);
  if (status == GRADYN_OK) {
    move(whole, rho, other);
    const gradyn_status there = find_columns(whole, other, &d[1]);
    if (there != GRADYN_OK)
      /* build() fails at the moved point: only the columns at rho are used */
      gradyn_directions_clear(&d[1]);
    status = there == GRADYN_NO_MEMORY ? there : gradyn_evaluator_load(whole, rho);
  }
  if (status == GRADYN_OK)
    status = gradyn_evaluator_report(whole, take_columns(out, d, start, count));
  gradyn_directions_clear(&d[0]);
  gradyn_directions_clear(&d[1]);
  return status;
}

void gradyn_reach_clear(gradyn_reach *reach)
{
  free(reach->pair);
  gradyn_arena_clear(&reach->arena);
  *reach = (gradyn_reach){0};
}

/* --- Parameters of a segment ---------------------------------------------------------------------- */

/* Returns the knots of signal i that act between two times (s), including the knots of signals delayed from
 * it. */
static gradyn_knot_window find_acting(const gradyn_model *model, int i, double from, double to)
{
  int first = model->signal[i].count, end = 0;
  for (int k = i; k < model->signal_count; k++) {
    if (k != i && model->signal[k].source != i)
      continue;
    const gradyn_knot_window acts = gradyn_signal_window(&model->signal[k], model->x, from, to);
    first = acts.first < first ? acts.first : first;
    end = acts.first + acts.count > end ? acts.first + acts.count : end;
  }
  return (gradyn_knot_window){first, end - first};
}

/* Fills the knots of signal i that act between two times, and those that are data. */
static void find_window(const gradyn_reach *r, int i, double from, double to, gradyn_acting *out)
{
  const gradyn_model *model = r->whole->model;
  const gradyn_waveform *s = &model->signal[i];
  const double t_end = model->x[model->t_end];
  out->acts[i] = out->stored[i] = (gradyn_knot_window){0, s->count};
  if (r->moves[i])
    return;
  const gradyn_knot_window acts = find_acting(model, i, from * t_end, to * t_end);
  const int before = acts.first > 0, after = acts.first + acts.count < s->count;
  out->acts[i] = acts;
  out->stored[i] = (gradyn_knot_window){acts.first - before, acts.count + before + after};
}

/* Marks the parameters that change acting knots of signal i. */
static void mark_knots(const gradyn_reach *r, int i, const gradyn_acting *of, bool *acts)
{
  const int first = r->whole->model->signal[i].knot + of->acts[i].first;
  size_t low = 0, high = r->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (r->pair[middle].datum < first)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < r->count && r->pair[low].datum < first + of->acts[i].count; low++)
    acts[r->pair[low].parameter] = true;
}

gradyn_status gradyn_acting_find(const gradyn_reach *reach, double from, double to,
                                 gradyn_arena *arena, gradyn_acting *out)
{
  const size_t p = reach->whole->parameters.count;
  const int signals = reach->whole->model->signal_count;
  FREED bool *acts = calloc(p + 1, sizeof *acts);
  *out = (gradyn_acting){
      .acts = gradyn_arena_take(arena, (size_t)signals + 1, sizeof *out->acts),
      .stored = gradyn_arena_take(arena, (size_t)signals + 1, sizeof *out->stored)};
  GRADYN_TRY(acts != NULL ? gradyn_arena_status(arena) : GRADYN_NO_MEMORY);
  for (int i = 0; i < signals; i++) {
    find_window(reach, i, from, to, out);
    if (!reach->moves[i])
      mark_knots(reach, i, out, acts);
  }
  for (size_t j = 0; j < p; j++) {
    acts[j] = acts[j] || reach->everywhere[j] || (from == 0 && reach->at_start[j]);
    out->count += acts[j];
  }
  out->parameter = gradyn_arena_take(arena, out->count + 1, sizeof *out->parameter);
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t j = 0, next = 0; j < p; j++)
    if (acts[j])
      out->parameter[next++] = j;
  return GRADYN_OK;
}

gradyn_status gradyn_acting_all(const gradyn_evaluator *whole, gradyn_arena *arena,
                                gradyn_acting *out)
{
  const size_t signals = (size_t)whole->model->signal_count;
  *out = (gradyn_acting){
      .count = whole->parameters.count,
      .parameter = gradyn_arena_take(arena, whole->parameters.count + 1, sizeof *out->parameter),
      .acts = gradyn_arena_take(arena, signals + 1, sizeof *out->acts),
      .stored = gradyn_arena_take(arena, signals + 1, sizeof *out->stored)};
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t j = 0; j < out->count; j++)
    out->parameter[j] = j;
  for (size_t i = 0; i < signals; i++)
    out->acts[i] = out->stored[i] = (gradyn_knot_window){0, whole->model->signal[i].count};
  return GRADYN_OK;
}

/* --- Parameters of the whole problem ----------------------------------------------------------------- */

typedef struct gradyn_common_copy {
  struct gradyn_common_copy *next;
  unsigned long version;
  gradyn_scalar rho[];
} point_copy;

gradyn_status gradyn_common_create(size_t count, gradyn_common *out)
{
  *out = (gradyn_common){.count = count, .rho = calloc(count + 1, sizeof *out->rho)};
  return pthread_mutex_init(&out->lock, NULL) == 0 && out->rho != NULL ? GRADYN_OK
                                                                       : GRADYN_NO_MEMORY;
}

void gradyn_common_clear(gradyn_common *common)
{
  while (common->free != NULL) {
    point_copy *copy = common->free;
    common->free = copy->next;
    free(copy);
  }
  if (common->rho != NULL)
    (void)pthread_mutex_destroy(&common->lock);
  free(common->rho);
  *common = (gradyn_common){0};
}

void gradyn_common_set(gradyn_common *common, const double rho[])
{
  if (common->count > 0)
    memcpy(common->rho, rho, common->count * sizeof *rho);
  common->version++;
}

gradyn_scalar *gradyn_common_lock(gradyn_common *common)
{
  (void)pthread_mutex_lock(&common->lock);
  point_copy *copy = common->free;
  if (copy != NULL)
    common->free = copy->next;
  (void)pthread_mutex_unlock(&common->lock);
  if (copy == NULL) {
    copy = calloc(1, sizeof *copy + (common->count + 1) * sizeof copy->rho[0]);
    if (copy == NULL)
      return NULL;
    copy->version = common->version - 1;
  }
  for (size_t j = 0; copy->version != common->version && j < common->count; j++)
    copy->rho[j] = common->rho[j];
  copy->version = common->version;
  return copy->rho;
}

void gradyn_common_unlock(gradyn_common *common, gradyn_scalar *rho)
{
  point_copy *copy = (point_copy *)((char *)rho - offsetof(point_copy, rho));
  (void)pthread_mutex_lock(&common->lock);
  copy->next = common->free;
  common->free = copy;
  (void)pthread_mutex_unlock(&common->lock);
}
