/* Warm starts of searches in segments: states over time, and unknowns and defects at the same boundaries or
 * at others. The multiplier of a defect is a costate. As a function of time, it does not depend on the
 * number of segments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/json.h"
#include "core/model/limit.h"
#include "optim/segments/sparsity.h"
#include "optim/search/warm_start.h"

/* Number of samples of the states in a segment, for searches with other boundaries, which interpolate
 * linearly. Tested with 20 searches: seven problems with optima in 5 or 10 segments, continued with 20, 15
 * or 7 segments. Evaluations with 1, 2, 4 and 8 samples: 874, 633, 298, 324. */
enum { SAMPLES = 4 };

/* --- States ------------------------------------------------------------------------------------ */

static const json_t *segments_of(const gradyn_segments *s)
{
  return json_object_get(s->begun.warm, "segments");
}

/* Copies a column of numbers to every stride-th entry of `to`. Returns false if the column has another
 * length, or entries that are not numbers. */
static bool take_column(const json_t *column, size_t rows, double *to, size_t stride)
{
  bool good = json_array_size(column) == rows;
  for (size_t k = 0; k < rows && good; k++) {
    const json_t *value = json_array_get(column, k);
    good = json_is_number(value);
    to[k * stride] = good ? json_number_value(value) : 0;
  }
  return good;
}

/* Whether `share` [rows] ascends from 0 to 1. */
static bool are_shares(const double share[], size_t rows)
{
  bool good = rows >= 2 && share[0] == 0 && share[rows - 1] == 1;
  for (size_t k = 1; k < rows && good; k++)
    good = share[k] >= share[k - 1];
  return good;
}

/* Reads the states over time. missing [64]: name of the first column that is missing; "" if none is. */
static gradyn_status take_states(gradyn_segments *s, gradyn_states *out, char missing[])
{
  const gradyn_model *model = s->whole->model;
  const json_t *table = json_object_get(segments_of(s), "states"),
               *share = json_object_get(segments_of(s), "share");
  *out = (gradyn_states){.rows = json_array_size(share),
                         .count = (size_t)model->ops->state_count(model)};
  out->share = gradyn_arena_numbers(&s->arena, out->rows);
  out->y = gradyn_arena_numbers(&s->arena, out->rows * out->count);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for a warm start");
  bool found = take_column(share, out->rows, out->share, 1) && are_shares(out->share, out->rows);
  (void)snprintf(missing, 64, "times");
  for (size_t i = 0; i < out->count && found; i++) {
    model->ops->state_name(model, (int)i, missing, 64);
    found = take_column(json_object_get(table, missing), out->rows, out->y + i, out->count);
  }
  missing[0] = found ? '\0' : missing[0];
  return GRADYN_OK;
}

gradyn_status gradyn_segments_take_warm(gradyn_segments *s, const char *text)
{
  char missing[64];
  gradyn_states states;
  GRADYN_TRY(gradyn_warm_read(text, &s->begun.warm, &s->message));
  if (segments_of(s) == NULL || s->begun.states.rows > 0)
    return GRADYN_OK;
  GRADYN_TRY(take_states(s, &states, missing));
  if (*missing == '\0')
    s->begun.states = states;
  else
    gradyn_message_add(&s->moved, "the warm start has no %s: none of its states are used", missing);
  return GRADYN_OK;
}

/* --- The same boundaries --------------------------------------------------------------------------- */

/* Whether the warm start has the same boundaries as these segments. */
static bool same_boundaries(const gradyn_segments *s)
{
  const json_t *boundary = json_object_get(segments_of(s), "boundaries");
  bool same = json_array_size(boundary) == s->count - 1 && s->begun.states.rows > 0;
  for (size_t k = 1; k < s->count && same; k++)
    same = gradyn_limit_same_share(json_number_value(json_array_get(boundary, k - 1)),
                                   s->segment[k].from);
  return same;
}

/* Returns the entry of the parameter "state.what[k]" in the warm start; NULL: there is none. */
static const json_t *entry_of(const gradyn_segments *s, int slot, const char *what, size_t k)
{
  const gradyn_model *model = s->whole->model;
  char state[64], name[112];
  model->ops->state_name(model, slot, state, sizeof state);
  (void)snprintf(name, sizeof name, "%s.%s[%zu]", state, what, k);
  return json_object_get(json_object_get(s->begun.warm, "parameters"), name);
}

/* Sets *value to the value of an entry, if there is one. */
static void take_value(const json_t *entry, double *value)
{
  if (entry != NULL)
    *value = json_number_value(json_array_get(entry, 0));
}

double gradyn_segments_warm_size(const gradyn_segments *s, size_t k, size_t i, double own)
{
  const int slot = s->cut[k].slot[s->cut[k].at[i]];
  const double size = json_number_value(
      json_array_get(entry_of(s, slot, "cut", same_boundaries(s) ? k : 1), 3));
  return size > 0 ? size : own;
}

void gradyn_segments_warm_reference(const gradyn_segments *s, size_t k, double *y)
{
  const gradyn_model *model = s->whole->model;
  for (int i = 0; model->mech != NULL && i < 2 * model->mech->n && same_boundaries(s); i++)
    take_value(entry_of(s, i, "reference", k), &y[i]);
}

void gradyn_segments_warm_unknowns(gradyn_segments *s)
{
  if (!same_boundaries(s))
    return;
  for (size_t k = 1; k < s->count; k++)
    for (size_t i = 0; i < s->states; i++)
      take_value(entry_of(s, s->cut[k].slot[s->cut[k].at[i]], "cut", k),
                 &s->start[s->p + gradyn_segments_unknown(s, k) + i]);
}

/* --- Other boundaries ------------------------------------------------------------------------------ */

/* Returns the multiplier of the defect of a state at boundary k of the warm start. */
static double multiplier_at(const json_t *constraints, const char *state, size_t k)
{
  char name[112];
  (void)snprintf(name, sizeof name, "%s.gap[%zu]", state, k);
  return gradyn_warm_number(constraints, name, 0);
}

/* Returns the multiplier of the defect of a state at a fraction of the time, interpolated in the warm
 * start. */
static double multiplier_of(const gradyn_segments *s, const char *state, double share)
{
  const json_t *boundary = json_object_get(segments_of(s), "boundaries"),
               *constraints = json_object_get(s->begun.warm, "constraints");
  const size_t count = json_array_size(boundary);
  size_t k = 0;
  while (k + 2 < count && json_number_value(json_array_get(boundary, k + 1)) < share)
    k++;
  const double from = json_number_value(json_array_get(boundary, k)),
               to = json_number_value(json_array_get(boundary, k + 1));
  const double theta = to > from ? fmin(fmax((share - from) / (to - from), 0), 1) : 0;
  return (1 - theta) * multiplier_at(constraints, state, k + 1) +
         (theta > 0 ? theta * multiplier_at(constraints, state, k + 2) : 0);
}

/* Replaces the multipliers of defects at the boundaries of the warm start by those at the boundaries of
 * these segments. */
static void move_multipliers(const gradyn_segments *s, json_t **constraints)
{
  const gradyn_model *model = s->whole->model;
  for (size_t k = 1; k < s->count; k++)
    for (size_t i = 0; i < s->states; i++) {
      char state[64], name[112];
      model->ops->state_name(model, s->cut[k].slot[s->cut[k].at[i]], state, sizeof state);
      (void)snprintf(name, sizeof name, "%s.gap[%zu]", state, k);
      gradyn_json_put(constraints, name,
                      gradyn_json_number(multiplier_of(s, state, s->segment[k].from)));
    }
}

/* Restricts each window of a sample of a path constraint to one of these segments. */
static void cut_windows(const gradyn_segments *s, json_t *points)
{
  size_t i;
  json_t *point;
  json_array_foreach(points, i, point)
  {
    const double to = gradyn_warm_number(point, "to", 0),
                 at = gradyn_warm_number(point, "share", 0);
    size_t k = 0;
    while (k + 1 < s->count && at > s->segment[k].to)
      k++;
    if (to <= 0)
      continue;
    const double from = gradyn_warm_number(point, "from", 0);
    json_object_set_new(point, "from", json_real(fmax(from, s->segment[k].from)));
    json_object_set_new(point, "to", json_real(fmin(to, s->segment[k].to)));
  }
}

const char *gradyn_segments_warm_text(gradyn_segments *s)
{
  if (s->begun.warm == NULL || s->begun.text != NULL)
    return s->begun.text;
  json_auto_t *root = json_deep_copy(s->begun.warm);
  json_t *constraints = json_copy(json_object_get(root, "constraints"));
  if (segments_of(s) != NULL && !same_boundaries(s))
    move_multipliers(s, &constraints);
  gradyn_json_put(&root, "constraints", constraints);
  cut_windows(s, json_object_get(root, "path_points"));
  s->begun.text = gradyn_warm_print(root);
  return s->begun.text;
}

/* --- The end --------------------------------------------------------------------------------------- */

/* Appends the states at time t, one number to each column. */
static void add_row(const gradyn_trajectory *motion, double t, double *row, json_t **columns)
{
  gradyn_trajectory_sample(motion, t, row);
  for (size_t i = 0; i < gradyn_trajectory_read(motion).columns; i++)
    gradyn_json_append(&columns[i], gradyn_json_number(row[i]));
}

/* Fills the fractions of the time of all samples, and the columns of states. */
static void sample(const gradyn_segments *s, const gradyn_trajectory *motion, double *row,
                   json_t **share, json_t **columns)
{
  const double end = gradyn_trajectory_step(motion, gradyn_trajectory_read(motion).steps - 1, NULL);
  for (size_t k = 0; k < s->count; k++)
    for (size_t j = 0; j < SAMPLES; j++) {
      const double from = s->segment[k].from, to = s->segment[k].to,
                   at = from + (to - from) * (double)j / SAMPLES;
      gradyn_json_append(share, gradyn_json_number(at));
      add_row(motion, at * end, row, columns);
    }
  gradyn_json_append(share, gradyn_json_number(1));
  add_row(motion, end, row, columns);
}

/* Adds the times and states of the motion in segments. */
static gradyn_status put_motion(const gradyn_segments *s, const gradyn_trajectory *motion,
                                json_t **out)
{
  const size_t count = gradyn_trajectory_read(motion).columns;
  const gradyn_model *model = s->whole->model;
  FREED json_t **columns = calloc(count + 1, sizeof(json_t *));
  FREED double *row = calloc(count + 1, sizeof *row);
  if (columns == NULL || row == NULL)
    return GRADYN_NO_MEMORY;
  json_t *share = json_array(), *states = json_object();
  for (size_t i = 0; i < count; i++)
    columns[i] = json_array();
  sample(s, motion, row, &share, columns);
  for (size_t i = 0; i < count; i++) {
    char name[64];
    model->ops->state_name(model, (int)i, name, sizeof name);
    gradyn_json_put(&states, name, columns[i]);
  }
  gradyn_json_put(out, "share", share);
  gradyn_json_put(out, "states", states);
  return GRADYN_OK;
}

gradyn_status gradyn_segments_leave(void *segments, gradyn_search_result *result, json_t **root)
{
  gradyn_segments *s = segments;
  gradyn_json_put(root, "problem", gradyn_json_text(s->whole->problem->name));
  if (result->termination == GRADYN_TERMINATION_STOPPED)
    return GRADYN_OK;
  result->segment_motion = gradyn_segments_motion(s, result->rho);
  if (result->segment_motion == NULL)
    return GRADYN_OK;
  json_t *own = json_object(), *boundaries = json_array();
  for (size_t k = 1; k < s->count; k++)
    gradyn_json_append(&boundaries, gradyn_json_number(s->segment[k].from));
  gradyn_json_put(&own, "boundaries", boundaries);
  const gradyn_status status = put_motion(s, result->segment_motion, &own);
  gradyn_json_put(root, "segments", own);
  return status;
}
