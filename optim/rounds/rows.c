/* Samples of path constraints: the list of samples, and which samples are the same. */
#include "optim/rounds/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/json.h"
#include "optim/search/warm_start.h"

/* Whether two samples are the same. A sample that moves is the same as any other in its window. */
static bool are_same(const gradyn_limit_at *held, const gradyn_limit_at *at)
{
  const bool at_event = at->which > 0 || held->which > 0;
  if (held->side != at->side)
    return false;
  if (held->to > 0 || at->to > 0)
    return held->to > 0 && at->to > 0 && at->share > held->from && at->share < held->to &&
           gradyn_limit_same_event(held->after, at->after) &&
           gradyn_limit_same_event(held->before, at->before);
  const bool same = at_event ? held->event == at->event && held->which == at->which
                             : gradyn_limit_same_share(held->share, at->share);
  return same && held->behind == at->behind && held->knot == at->knot;
}

/* Returns the sample of the list that is the same as `at`. NULL: there is none. */
static gradyn_held_row *find(const gradyn_rows *rows, const gradyn_limit_at *at)
{
  for (size_t i = 0; i < rows->count; i++)
    if (are_same(&rows->item[i].at, at))
      return &rows->item[i];
  return NULL;
}

bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess)
{
  gradyn_held_row *known = find(rows, at);
  if (known != NULL) {
    known->moved += known->round < rows->round ? fmax(excess, 0) : 0;
    return true;
  }
  gradyn_held_row *grown = realloc(rows->item, (rows->count + 1) * sizeof *grown);
  if (grown == NULL)
    return false;
  rows->item = grown;
  rows->item[rows->count++] = (gradyn_held_row){.at = *at, .round = rows->round};
  return true;
}

bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess)
{
  gradyn_limit_at fixed = *at, moving = *at;
  fixed.from = fixed.to = 0;
  fixed.after = fixed.before = (gradyn_occurrence){0};
  if (at->to == 0)
    return gradyn_rows_add(rows, &fixed, excess);
  moving.event = moving.which = 0;
  moving.behind = false;
  /* a fixed sample at an event has no value in a run without this event */
  return gradyn_rows_add(rows, &moving, 0) &&
         (at->which > 0 || gradyn_rows_add(rows, &fixed, excess));
}

/* --- Events ----------------------------------------------------------------------------------- */

/* Window of a sample as fractions of the length of a run; its ends are events of the run. */
static void window_of(const gradyn_limit_at *at, const gradyn_path_check *seen, double *from,
                      double *to)
{
  *from = at->from;
  *to = at->to;
  for (size_t i = 0; i < seen->event_count && at->to > 0; i++)
    gradyn_limit_narrow(at->after, at->before, seen->event[i].of, seen->event[i].share, from, to);
}

bool gradyn_rows_keeps_arc(const gradyn_limit_at *at, const gradyn_path_check *seen)
{
  double from, to;
  window_of(at, seen, &from, &to);
  bool keeps = (at->after.which == 0 || from > at->from) && (at->before.which == 0 || to < at->to);
  for (size_t i = 0; i < seen->event_count && keeps && at->to > 0; i++) {
    const double share = seen->event[i].share;
    keeps = share <= from || share >= to;
  }
  return keeps;
}

void gradyn_rows_remove(gradyn_rows *rows, size_t i)
{
  memmove(rows->item + i, rows->item + i + 1, (--rows->count - i) * sizeof *rows->item);
}

/* --- Results ---------------------------------------------------------------------------------- */

bool gradyn_rows_leave(const gradyn_rows *rows, const gradyn_path_check *seen, double t_end,
                       size_t functionals, gradyn_search_result *result)
{
  result->path_points = calloc(rows->count + 1, sizeof *result->path_points);
  if (result->path_points == NULL)
    return false;
  result->path_point_count = rows->count;
  for (size_t i = 0; i < rows->count; i++) {
    const gradyn_limit_at *at = &rows->item[i].at;
    double from, to;
    window_of(at, seen, &from, &to);
    result->path_points[i] = (gradyn_path_point){.functional = at->side,
                                                 .t = at->share * t_end,
                                                 .value = result->psi[functionals + i],
                                                 .multiplier = result->multiplier[functionals + i],
                                                 .round = rows->item[i].round,
                                                 .event = at->which > 0 ? at->event + 1 : 0,
                                                 .occurrence = at->which,
                                                 .after = at->behind,
                                                 .knot = at->knot,
                                                 .from = from * t_end,
                                                 .to = to * t_end};
  }
  return true;
}

/* --- Warm starts ------------------------------------------------------------------------------ */

/* Reads a fraction of the run from a text, from 0 to 1. */
static double share_in(const json_t *point, const char *key)
{
  return fmin(fmax(gradyn_warm_number(point, key, 0), 0), 1);
}

static int count_in(const json_t *point, const char *key)
{
  return (int)fmin(fmax(gradyn_warm_number(point, key, 0), 0), 1e6);
}

/* Reads the occurrence of an event from a text. */
static gradyn_occurrence occurrence_in(const json_t *point, const char *key)
{
  const json_t *pair = json_object_get(point, key);
  const double event = json_number_value(json_array_get(pair, 0)),
               which = json_number_value(json_array_get(pair, 1));
  return (gradyn_occurrence){(int)fmin(fmax(event, 0), 1e6), (int)fmin(fmax(which, 0), 1e6)};
}

bool gradyn_rows_add_given(gradyn_rows *rows, const json_t *given,
                           const gradyn_objective *objective)
{
  size_t i;
  json_t *point;
  json_array_foreach(json_object_get(given, "path_points"), i, point)
  {
    const gradyn_limit_at at = {
        .side = gradyn_warm_side(objective->functionals, objective->functional_count,
                                 json_string_value(json_object_get(point, "functional"))),
        .share = share_in(point, "share"),
        .event = count_in(point, "event"),
        .which = count_in(point, "occurrence"),
        .behind = json_is_true(json_object_get(point, "after")),
        .knot = count_in(point, "knot"),
        .from = share_in(point, "from"),
        .to = share_in(point, "to"),
        .after = occurrence_in(point, "after_event"),
        .before = occurrence_in(point, "before_event")};
    const size_t before = rows->count;
    if (at.side == objective->functional_count)
      continue;
    if (!gradyn_rows_add(rows, &at, 0))
      return false;
    if (rows->count == before)
      continue;
    rows->item[before].moved = fmax(gradyn_warm_number(point, "moved", 0), 0);
    rows->item[before].multiplier = fmax(gradyn_warm_number(point, "multiplier", 0), 0);
  }
  return true;
}

static void put_occurrence(json_t **point, const char *key, gradyn_occurrence o)
{
  if (o.which > 0)
    gradyn_json_put(point, key, json_pack("[ii]", o.event, o.which));
}

/* Describes one sample for a warm start. */
static json_t *describe(const gradyn_held_row *row, const gradyn_objective *objective,
                        double multiplier)
{
  const gradyn_limit_at *at = &row->at;
  json_t *point = json_object();
  gradyn_json_put(&point, "functional", gradyn_json_text(objective->functionals[at->side].name));
  gradyn_json_put(&point, "share", gradyn_json_number(at->share));
  if (at->which > 0) {
    gradyn_json_put(&point, "event", json_integer(at->event));
    gradyn_json_put(&point, "occurrence", json_integer(at->which));
  }
  if (at->behind)
    gradyn_json_put(&point, "after", json_true());
  if (at->knot > 0)
    gradyn_json_put(&point, "knot", json_integer(at->knot));
  if (at->to > 0) {
    gradyn_json_put(&point, "from", gradyn_json_number(at->from));
    gradyn_json_put(&point, "to", gradyn_json_number(at->to));
    put_occurrence(&point, "after_event", at->after);
    put_occurrence(&point, "before_event", at->before);
  }
  gradyn_json_put(&point, "moved", gradyn_json_number(row->moved));
  gradyn_json_put(&point, "multiplier", gradyn_json_number(multiplier));
  return point;
}

json_t *gradyn_rows_describe(const gradyn_rows *rows, const gradyn_objective *objective,
                             const double multiplier[])
{
  json_t *points = json_array();
  for (size_t i = 0; i < rows->count; i++) {
    const gradyn_held_row *row = &rows->item[i];
    const double own = isfinite(multiplier[i]) ? multiplier[i] : 0;
    if (own > 0 || row->at.to > 0 || row->moved > 0 || row->round > 1)
      gradyn_json_append(&points, describe(row, objective, own));
  }
  return points;
}
