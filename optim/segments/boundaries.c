/* Selection of segment boundaries: at equal distances, at given times, at knots of signals, or between
 * events.
 *
 * An event is never on a boundary, because it could be on either side at the next point. A functional at a
 * time is not on a boundary either, because boundaries move with the end of the motion. */
#include "optim/segments/boundaries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/signals/signal.h"

/* limit, because the gradients of all defects by all states at boundaries are a full matrix */
enum { MOST_SEGMENTS = 10000 };

/* Boundaries whose distance is below this part of the run are one boundary. */
static const double same_cut = 1e-9;

/* An array of times, s. */
typedef struct times {
  double *t;
  size_t count;
} times;

/* Finds the times of knots of signals. */
static gradyn_status find_knots(gradyn_segments *s, times *out)
{
  const gradyn_model *model = s->whole->model;
  size_t most = 0;
  for (int i = 0; i < model->signal_count; i++)
    most += (size_t)model->signal[i].count;
  out->t = gradyn_arena_numbers(&s->arena, most);
  for (int i = 0; out->t != NULL && i < model->signal_count; i++)
    for (int k = 0; k < model->signal[i].count; k++)
      out->t[out->count++] = gradyn_signal_knot_time(&model->signal[i], model->x, k);
  return gradyn_arena_status(&s->arena);
}

/* Finds the middle times between consecutive events of the guess. */
static gradyn_status find_events(gradyn_segments *s, times *out)
{
  const gradyn_model *model = s->whole->model;
  const double near = same_cut * model->x[model->t_end];
  out->t = gradyn_arena_numbers(&s->arena, (size_t)model->log.count);
  for (int i = 0; out->t != NULL && i + 1 < model->log.count; i++) {
    const double before = model->log.record[i].t, behind = model->log.record[i + 1].t;
    if (behind - before > 4 * near)
      out->t[out->count++] = 0.5 * (before + behind);
  }
  return gradyn_arena_status(&s->arena);
}

/* Reads times from a text such as "0.2,0.5,0.9". */
static gradyn_status read_times(gradyn_segments *s, const char *text, times *out)
{
  const gradyn_model *model = s->whole->model;
  const double end = model->x[model->t_end];
  out->t = gradyn_arena_numbers(&s->arena, strlen(text) / 2 + 1);
  GRADYN_TRY(gradyn_arena_status(&s->arena));
  for (const char *at = text;; at++) {
    char *behind;
    const double t = strtod(at, &behind);
    if (behind == at || (*behind != ',' && *behind != '\0') || !isfinite(t))
      return gradyn_fail(
          &s->message, GRADYN_INVALID,
          "segments at '%s': '%.*s' is not a time; use knots, events, or times in s with commas "
          "between them",
          text, (int)strcspn(at, ","), at);
    if (!(t > same_cut * end) || !(t < end * (1 - same_cut)))
      return gradyn_fail(&s->message, GRADYN_INVALID,
                         "a segment boundary at t = %g s: it must be inside the run, from 0 to %g "
                         "s",
                         t, end);
    out->t[out->count++] = t;
    at = behind;
    if (*at == '\0')
      return GRADYN_OK;
  }
}

static int by_time(const void *a, const void *b)
{
  const double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

/* Allocates the segments between `cuts` boundaries. */
static gradyn_status make_room(gradyn_segments *s, size_t cuts)
{
  if (cuts < 1 || cuts >= MOST_SEGMENTS)
    return gradyn_fail(&s->message, GRADYN_INVALID,
                       "%zu segments: at least 2 and at most %d are possible", cuts + 1,
                       MOST_SEGMENTS);
  s->count = cuts + 1;
  s->segment = gradyn_arena_take(&s->arena, s->count, sizeof *s->segment);
  return s->segment != NULL ? GRADYN_OK
                            : gradyn_fail(&s->message, GRADYN_NO_MEMORY,
                                          "out of memory for %zu segments", s->count);
}

/* Creates the segments that begin and end at the times found. */
static gradyn_status take_times(gradyn_segments *s, const char *what, times *found)
{
  const double end = s->whole->model->x[s->whole->model->t_end];
  size_t count = 0;
  if (found->count > 1)
    qsort(found->t, found->count, sizeof *found->t, by_time);
  for (size_t i = 0; i < found->count; i++) {
    const double share = found->t[i] / end, before = count > 0 ? found->t[count - 1] : 0;
    if (share - before > same_cut && share < 1 - same_cut)
      found->t[count++] = share;
  }
  if (count == 0)
    return gradyn_fail(&s->message, GRADYN_INVALID,
                       "segments at %s: the motion of the guess has no %s", what, what);
  GRADYN_TRY(make_room(s, count));
  for (size_t k = 0; k < s->count; k++) {
    s->segment[k].from = k > 0 ? found->t[k - 1] : 0;
    s->segment[k].to = k < count ? found->t[k] : 1;
  }
  return GRADYN_OK;
}

/* Creates the segments that the search requests. */
static gradyn_status position(gradyn_segments *s, const gradyn_search *search)
{
  times found = {.count = 0};
  const char *cuts = search->segment_times;
  if (cuts == NULL) {
    const double n = (double)search->segments;
    GRADYN_TRY(make_room(s, (size_t)search->segments - 1));
    for (size_t k = 0; k < s->count; k++) {
      s->segment[k].from = (double)k / n;
      s->segment[k].to = (double)(k + 1) / n;
    }
    return GRADYN_OK;
  }
  const gradyn_status status = strcmp(cuts, "knots") == 0    ? find_knots(s, &found)
                               : strcmp(cuts, "events") == 0 ? find_events(s, &found)
                                                             : read_times(s, cuts, &found);
  if (status == GRADYN_NO_MEMORY)
    return gradyn_fail(&s->message, status, "out of memory for segment boundaries");
  return status == GRADYN_OK ? take_times(s, cuts, &found) : status;
}

/* --- Distance from events ------------------------------------------------------------------------- */

/* Surroundings of a segment boundary at t. `on` names an object at the same time, NULL if there is none.
 * `before` and `behind` are the nearest earlier and later times of boundaries, and of objects whose time a
 * boundary must not have. */
typedef struct surroundings {
  const char *on;
  double t, near, before, behind;
} surroundings;

static void note(surroundings *s, double at, const char *name)
{
  if (fabs(at - s->t) <= s->near)
    s->on = name;
  else if (at < s->t)
    s->before = fmax(s->before, at);
  else
    s->behind = fmin(s->behind, at);
}

static void look_around(const gradyn_model *model, surroundings *s)
{
  for (int i = 0; i < model->log.count; i++) {
    const gradyn_event_record *event = &model->log.record[i];
    note(s, event->t, model->event[event->event].name);
  }
  for (int i = 0; i < model->functional_count && model->span.built; i++) {
    const gradyn_functional_entry *f = &model->functional[i];
    if (f->instant > 0 && !f->maximum)
      note(s, f->instant, f->name);
  }
}

/* If an object has the time of a boundary, moves the boundary to the middle of the longer interval beside
 * it, and reports this. */
static gradyn_status move_off(gradyn_segments *s)
{
  const double end = s->whole->model->x[s->whole->model->t_end];
  for (size_t k = 1; k < s->count; k++) {
    const double t = s->segment[k].from * end;
    surroundings around = {.t = t,
                           .near = same_cut * end,
                           .before = s->segment[k - 1].from * end,
                           .behind = s->segment[k].to * end};
    look_around(s->whole->model, &around);
    if (around.on == NULL)
      continue;
    const bool later = around.behind - t > t - around.before;
    const double to = 0.5 * (t + (later ? around.behind : around.before));
    if (!(fabs(to - t) > 4 * same_cut * end))
      return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                         "%s is at t = %.9g s, where segment %zu begins. Choose another boundary",
                         around.on, t, k + 1);
    s->segment[k].from = s->segment[k - 1].to = to / end;
    gradyn_message_add(&s->moved, "segment %zu begins at t = %.6g s, because %s is at %.6g s",
                       k + 1, to, around.on, t);
  }
  return GRADYN_OK;
}

/* --- Entry ------------------------------------------------------------------------------------ */

gradyn_status gradyn_segments_place(gradyn_segments *s, const gradyn_search *search)
{
  GRADYN_TRY(position(s, search));
  return move_off(s);
}

gradyn_status gradyn_segments_check(const gradyn_search *search, gradyn_message *message)
{
  if (search->segment_times != NULL && search->segments != 0)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%ld segments of equal length, and boundaries at %s: use one of them",
                       search->segments, search->segment_times);
  if (search->segment_times == NULL && (search->segments < 2 || search->segments > MOST_SEGMENTS))
    return gradyn_fail(message, GRADYN_INVALID,
                       "%ld segments: at least 2 and at most %d are possible", search->segments,
                       MOST_SEGMENTS);
  return GRADYN_OK;
}
