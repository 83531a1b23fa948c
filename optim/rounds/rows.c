/* Samples of path constraints, and their identity. */
#include "optim/rounds/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/json.h"
#include "optim/search/warm_start.h"

/* Whether two points are the same; a point that moves is the same as others in its window. */
static bool are_same(const gradyn_limit_at *held, const gradyn_limit_at *at)
{
  const bool at_event = at->which > 0 || held->which > 0;
  if (held->side != at->side)
    return false;
  if (held->to > 0 || at->to > 0)
    return held->to > 0 && at->to > 0 && at->share > held->from && at->share < held->to;
  const bool same = at_event ? held->event == at->event && held->which == at->which
                             : gradyn_limit_same_share(held->share, at->share);
  return same && held->behind == at->behind && held->knot == at->knot;
}

/* Returns the same sample. NULL: there is none. */
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
  gradyn_limit_at fixed = *at;
  fixed.from = fixed.to = 0;
  return (at->to == 0 || gradyn_rows_add(rows, at, 0)) && gradyn_rows_add(rows, &fixed, excess);
}

/* --- Warm starts ------------------------------------------------------------------------------ */

/* Returns the path constraint with this name; the number of functionals: there is none. */
static size_t side_called(const gradyn_objective *objective, const char *name)
{
  size_t side = 0;
  while (side < objective->functional_count &&
         (name == NULL || objective->functionals[side].use != GRADYN_PATH_CONSTRAINT ||
          strcmp(objective->functionals[side].name, name) != 0))
    side++;
  return side;
}

/* A share of the run in a text, from 0 to 1. */
static double share_in(const json_t *point, const char *key)
{
  return fmin(fmax(gradyn_warm_number(point, key, 0), 0), 1);
}

static int count_in(const json_t *point, const char *key)
{
  return (int)fmin(fmax(gradyn_warm_number(point, key, 0), 0), 1e6);
}

bool gradyn_rows_add_given(gradyn_rows *rows, const json_t *given,
                           const gradyn_objective *objective)
{
  size_t i;
  json_t *point;
  json_array_foreach(json_object_get(given, "path_points"), i, point)
  {
    const gradyn_limit_at at = {
        .side = side_called(objective, json_string_value(json_object_get(point, "functional"))),
        .share = share_in(point, "share"),
        .event = count_in(point, "event"),
        .which = count_in(point, "occurrence"),
        .behind = json_is_true(json_object_get(point, "after")),
        .knot = count_in(point, "knot"),
        .from = share_in(point, "from"),
        .to = share_in(point, "to")};
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

/* Describes one point. */
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
