/* Path constraints in segments. Each sample is a functional of the segment that contains it. A time on a
 * boundary belongs to the segment that ends there. A run is checked segment by segment. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/signals/signal.h"
#include "optim/segments/sparsity.h"

/* A time point is on a boundary if its distance from the boundary is below this part of the run. */
static const double at_a_cut = 1e-7;
/* Number of sampled points of a bound in each segment with which a search begins. Evaluations with 1, 2, 3,
 * 4 points: van der Pol 75, 65, 57, 52; robbins more than 1000, 62, 54, 58; bryson-denham 32, 37, 35, 42;
 * delays more than 1000, 74, 43, 83; quadcopter 149, 153, 164, 166. */
enum { FIRST_POINTS = 3 };

/* --- Samples -------------------------------------------------------------------------------------- */

gradyn_segment *gradyn_segments_part_in_use(const gradyn_segments *s, size_t k)
{
  return s->held.count > 0 ? &s->held.segment[k] : &s->segment[k];
}

size_t gradyn_segments_rows_of_part(const gradyn_segments *s, size_t k)
{
  const size_t ends = k + 1 < s->count ? s->nz : 0;
  const size_t starts = k > 0 && gradyn_segments_assembled(s) ? s->nz : 0;
  return s->f + ends + starts;
}

gradyn_status gradyn_segments_reserve(gradyn_segments *s, size_t rows, size_t samples,
                                      gradyn_arena *arena)
{
  const size_t height = s->f + 2 * s->nz + rows;
  s->answers.height = height;
  s->answers.psi = gradyn_arena_numbers(arena, s->count * height);
  s->answers.first = gradyn_arena_take(arena, s->count, sizeof *s->answers.first);
  size_t entries = 0;
  for (size_t k = 0; k < s->count && s->answers.first != NULL; k++) {
    s->answers.first[k] = entries;
    entries += height * gradyn_segments_width(s, k);
  }
  s->answers.gradient = gradyn_arena_numbers(arena, entries);
  gradyn_segments_list_entries(s, samples, arena);
  s->answers.requested = gradyn_arena_take(arena, s->count * height, sizeof *s->answers.requested);
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments",
                           s->count);
}

/* Returns the segment in which an event was. A sample at the event stays there if the time of the event
 * changes. */
static size_t part_of_event(const gradyn_segments *s, const gradyn_limit_at *at)
{
  size_t k = 0;
  while (k + 1 < s->count && at->share > s->segment[k].to)
    k++;
  return k;
}

/* Returns the first segment in which a knot acts. */
static size_t part_of_knot(const gradyn_segments *s, const gradyn_limit_at *at)
{
  const int signal = gradyn_limit_of_signal(s->whole->model, at->side);
  size_t k = 0;
  while (k + 1 < s->count && at->knot - 1 >= s->sparsity.acting[k].acts[signal].first +
                                                 s->sparsity.acting[k].acts[signal].count)
    k++;
  return k;
}

/* Returns the segment that contains the window of a sample. */
static size_t part_of_window(const gradyn_segments *s, const gradyn_limit_at *at)
{
  size_t k = 0;
  while (k + 1 < s->count && at->from >= s->segment[k].to - at_a_cut)
    k++;
  return k;
}

/* Returns the segment of a sample. *own: the sample as this segment declares it. */
static size_t part_of(const gradyn_segments *s, const gradyn_limit_at *at, gradyn_limit_at *own)
{
  size_t k = 0;
  *own = *at;
  if (at->knot >
      0) /* a sample at a knot is a bound of a datum: any segment that has the datum will do */
    return part_of_knot(s, at);
  while (k + 1 < s->count && at->share > s->segment[k].to + at_a_cut)
    k++;
  if (at->which > 0) /* at an event; no event is on a boundary */
    return part_of_event(s, at);
  if (at->to > 0)
    return part_of_window(s, at);
  const bool begins = at->share <= at_a_cut, ends = at->share >= s->segment[k].to - at_a_cut;
  if (ends)
    own->share = s->segment[k].to;
  if (begins || (ends && at->behind && k + 1 < s->count))
    own->share = 0;
  return ends && !begins && at->behind && k + 1 < s->count ? k + 1 : k;
}

/* Assigns the samples to their segments. */
static gradyn_status sort(gradyn_segments *s, const gradyn_limit_at at[], size_t count)
{
  gradyn_segments_held *held = &s->held;
  held->at = gradyn_arena_take(&held->arena, count, sizeof *held->at);
  held->row = gradyn_arena_take(&held->arena, count, sizeof *held->row);
  held->part = gradyn_arena_take(&held->arena, count, sizeof *held->part);
  held->position = gradyn_arena_take(&held->arena, count, sizeof *held->position);
  held->segment = gradyn_arena_take(&held->arena, s->count, sizeof *held->segment);
  if (gradyn_arena_status(&held->arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  memcpy(held->at, at, count * sizeof *at);
  size_t first = 0;
  for (size_t k = 0; k < s->count; k++) {
    gradyn_segment *part = &held->segment[k];
    *part = (gradyn_segment){.whole = s->whole,
                             .start = s->segment[k].start,
                             .end = s->segment[k].end,
                             .measured = s->segment[k].measured,
                             .from = s->segment[k].from,
                             .to = s->segment[k].to,
                             .row = held->row + first,
                             .acting = &s->sparsity.acting[k],
                             .common = &s->sparsity.common,
                             .held = true};
    for (size_t i = 0; i < count; i++) {
      gradyn_limit_at own;
      if (part_of(s, &at[i], &own) != k)
        continue;
      held->part[i] = k;
      held->position[i] = part->rows++;
      held->row[first++] = own;
    }
  }
  return GRADYN_OK;
}

/* Removes the samples. */
static void let_go(gradyn_segments *s)
{
  gradyn_segments_held *held = &s->held;
  for (size_t k = 0; k < s->count && held->segment != NULL; k++)
    gradyn_segment_clear(&held->segment[k]);
  if (held->before.psi != NULL)
    s->answers = held->before;
  gradyn_arena_clear(&held->arena);
  *held = (gradyn_segments_held){0};
}

gradyn_status gradyn_segments_hold(void *segments, const gradyn_limit_at at[], size_t count,
                                   gradyn_functional_info info[])
{
  gradyn_segments *s = segments;
  gradyn_segments_held *held = &s->held;
  let_go(s);
  if (count == 0)
    return GRADYN_OK;
  GRADYN_TRY(sort(s, at, count));
  held->before = s->answers;
  size_t most = 0;
  for (size_t k = 0; k < s->count; k++)
    most = held->segment[k].rows > most ? held->segment[k].rows : most;
  GRADYN_TRY(gradyn_segments_reserve(s, most, count, &held->arena));
  for (size_t k = 0; k < s->count; k++)
    GRADYN_TRY(gradyn_segment_create(k, s->method, &s->message, &held->segment[k]));
  held->count = count;
  for (size_t i = 0; i < count; i++) {
    const size_t k = held->part[i];
    info[i] = gradyn_functional_at(held->segment[k].evaluator,
                                   gradyn_segments_rows_of_part(s, k) + held->position[i]);
  }
  return GRADYN_OK;
}

/* --- Checks of runs ------------------------------------------------------------------------------- */

/* Whether a signal jumps at the start of segment k. */
static bool jumps(const gradyn_segments *s, size_t k)
{
  const gradyn_model *model = s->segment[k].evaluator->model;
  const double t_end = model->x[model->t_end], t = s->segment[k].from * t_end;
  bool any = false;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *signal = &model->signal[i];
    for (int b = 0; b < gradyn_signal_break_count(signal); b++)
      any = any || (signal->kind == GRADYN_PIECEWISE_CONSTANT &&
                    fabs(gradyn_signal_break(signal, model->x, b).t - t) <= at_a_cut * t_end);
  }
  return any;
}

/* Changes the number of an occurrence in a segment to its number in the whole motion. */
static void number_in_whole(const gradyn_segment *part, gradyn_occurrence *o)
{
  if (o->which > 0)
    o->which += gradyn_cut_passed(part->start, o->event);
}

/* Adds the events of segment k to those of the whole motion. */
static gradyn_status add_events(gradyn_segments *s, size_t k, const gradyn_path_check *seen,
                                gradyn_path_check *out)
{
  gradyn_limit_event *grown = realloc(out->event,
                                      (out->event_count + seen->event_count + 1) * sizeof *grown);
  if (grown == NULL)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  out->event = grown;
  for (size_t i = 0; i < seen->event_count; i++) {
    gradyn_limit_event *event = &out->event[out->event_count++];
    *event = seen->event[i];
    number_in_whole(&s->segment[k], &event->of);
  }
  return GRADYN_OK;
}

/* Adds the violations in segment k to those of the whole motion. Violations at its start are left out: they
 * were found at the end of the previous segment. */
static gradyn_status add_look(gradyn_segments *s, size_t k, const gradyn_path_check *seen,
                              gradyn_path_check *out)
{
  const gradyn_segment *part = &s->segment[k];
  gradyn_limit_found *grown = realloc(out->found, (out->count + seen->count + 1) * sizeof *grown);
  if (grown == NULL)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  out->found = grown;
  out->t_end = seen->t_end;
  for (size_t i = 0; i < seen->count; i++) {
    gradyn_limit_found found = seen->found[i];
    if (found.at.share == 1)
      found.at.share = part->to;
    if (found.at.which > 0) /* changes the number in the segment to that in the whole motion */
      found.at.which += gradyn_cut_passed(part->start, found.at.event);
    else if (k > 0 && found.at.share - part->from <= at_a_cut) {
      if (!jumps(s, k))
        continue;
      found.at.share = part->from;
      found.at.behind = true;
    }
    if (found.at.to > 0) { /* a window must be in one segment */
      found.at.from = fmax(found.at.from, part->from);
      found.at.to = fmin(found.at.to, part->to);
      number_in_whole(part, &found.at.after);
      number_in_whole(part, &found.at.before);
    }
    out->found[out->count++] = found;
  }
  return GRADYN_OK;
}

/* Number of initial samples of a bound in each segment; 0 if it has none, or if its samples are at knots. */
static int points_of(const gradyn_segments *s, size_t side)
{
  const gradyn_model *model = s->segment[0].evaluator->model;
  const bool grid = s->functionals[side].use == GRADYN_PATH_CONSTRAINT &&
                    gradyn_limit_knots(model, side) == 0;
  return grid ? gradyn_limit_grid(model, side, FIRST_POINTS) : 0;
}

/* Adds the initial samples of a bound in a segment, at equal distances. The last one is at the end of the
 * segment. */
static void add_grid(const gradyn_segment *part, size_t side, int count, gradyn_path_check *out)
{
  const double width = part->to - part->from;
  for (int i = 1; i <= count; i++) {
    const double share = i < count ? part->from + width * i / count : part->to;
    out->first[out->first_count++] = (gradyn_limit_at){.side = side, .share = share};
  }
}

/* Adds the samples on both sides of jumps in segment k, and at its start if a signal jumps there. */
static gradyn_status add_sides(gradyn_segments *s, size_t k, const gradyn_path_check *seen,
                               gradyn_path_check *out)
{
  gradyn_limit_at *grown = realloc(out->first,
                                   (out->first_count + seen->sides + 1) * sizeof *grown);
  if (grown == NULL)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  out->first = grown;
  const gradyn_limit_at *at = seen->first + (seen->first_count - seen->sides);
  for (size_t i = 0; i < seen->sides; i++)
    if (at[i].share - s->segment[k].from > at_a_cut || jumps(s, k))
      out->first[out->first_count++] = at[i];
  return GRADYN_OK;
}

/* Selects the initial samples: in all segments, or at the knots of a bounded signal. */
static gradyn_status add_first(gradyn_segments *s, const gradyn_path_check *seen,
                               gradyn_path_check *out)
{
  size_t most = seen->first_count;
  for (size_t f = 0; f < s->f; f++)
    most += (size_t)points_of(s, f) * s->count;
  out->first = calloc(most + 1, sizeof *out->first);
  if (out->first == NULL)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  for (size_t i = 0; i < seen->first_count; i++)
    if (seen->first[i].knot > 0)
      out->first[out->first_count++] = seen->first[i];
  for (size_t f = 0; f < s->f; f++)
    for (size_t k = 0; k < s->count; k++)
      add_grid(&s->segment[k], f, points_of(s, f), out);
  return GRADYN_OK;
}

gradyn_status gradyn_segments_look(void *segments, const double rho[], double part,
                                   gradyn_path_check *out)
{
  gradyn_segments *s = segments;
  *out = (gradyn_path_check){.length = 1, .t_end = NAN};
  out->guessed = gradyn_segments_guessed(s);
  GRADYN_TRY(gradyn_segments_set_references(s, rho));
  for (size_t k = 0; k < s->count; k++) {
    LOCAL(gradyn_path_check) seen = {.length = 1};
    const double *own = gradyn_segments_load(s, k, rho);
    const gradyn_status status = gradyn_limits_find(s->segment[k].evaluator, own, part, &seen);
    if (status != GRADYN_OK)
      return gradyn_fail(&s->message, status, "segment %zu of %zu: %s", k + 1, s->count,
                         gradyn_evaluator_message(s->segment[k].evaluator));
    if (k == 0)
      GRADYN_TRY(add_first(s, &seen, out));
    GRADYN_TRY(add_sides(s, k, &seen, out));
    GRADYN_TRY(add_look(s, k, &seen, out));
    GRADYN_TRY(add_events(s, k, &seen, out));
  }
  return GRADYN_OK;
}
