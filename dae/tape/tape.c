/* The list of the records of a run, and the samples of functionals in it. */
#include "dae/tape/tape.h"

#include <math.h>
#include <stdlib.h>

#include "core/model/limit.h"
#include "core/model/same_time.h"

enum { FIRST_CAPACITY = 8 }; /* records */

gradyn_status gradyn_tape_create(gradyn_model *model, gradyn_tape *out)
{
  const size_t nf = (size_t)model->functional_count + 1;
  *out = (gradyn_tape){
      .model = model, .due = calloc(3 * nf, sizeof(int)), .plan = calloc(nf, sizeof *out->plan)};
  if (!out->due || !out->plan)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d functionals",
                       model->functional_count);
  out->sampled = out->due + nf;
  out->listed = out->due + 2 * nf;
  return GRADYN_OK;
}

void gradyn_tape_clear(gradyn_tape *s)
{
  free(s->record);
  free(s->due);
  free(s->plan);
  *s = (gradyn_tape){0};
}

gradyn_status gradyn_tape_reserve(gradyn_tape *s, int capacity)
{
  if (capacity <= s->capacity)
    return GRADYN_OK;
  void *grown = realloc(s->record, (size_t)capacity * sizeof *s->record);
  if (!grown)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for records");
  s->record = grown;
  s->capacity = capacity;
  return GRADYN_OK;
}

gradyn_status gradyn_tape_append(gradyn_tape *s, gradyn_tape_kind kind, int item)
{
  if (s->count == s->capacity)
    GRADYN_TRY(gradyn_tape_reserve(s, s->capacity + FIRST_CAPACITY + s->capacity / 2));
  s->record[s->count++] = (gradyn_tape_record){.kind = kind, .item = item};
  return GRADYN_OK;
}

/* Returns the boundary after the start that is nearest to a time. This may be the end. */
static int nearest(const gradyn_arcs *arcs, double t)
{
  int low = 1, high = arcs->count, at = arcs->count;
  while (low < high) { /* find the first boundary that is not before t */
    const int middle = (low + high) / 2;
    if (arcs->boundary[middle].t < t)
      low = middle + 1;
    else
      high = middle;
  }
  for (int k = low > 1 ? low - 1 : 1; k <= low; k++)
    if (fabs(arcs->boundary[k].t - t) < fabs(arcs->boundary[at].t - t))
      at = k;
  return at;
}

/* Orders plans by `due`, then by functional, for qsort(). */
static int sooner(const void *a, const void *b)
{
  const gradyn_tape_plan *p = a, *q = b;
  return p->due != q->due ? (p->due > q->due) - (p->due < q->due)
                          : (p->functional > q->functional) - (p->functional < q->functional);
}

/* Lists the functionals with terminal parts, in the order of `due`. */
static void plan(gradyn_tape *s)
{
  s->plans = 0;
  for (int f = 0; f < s->model->functional_count; f++)
    if (s->model->functional[f].terminal)
      s->plan[s->plans++] = (gradyn_tape_plan){s->due[f], f};
  qsort(s->plan, (size_t)s->plans, sizeof *s->plan, sooner);
}

void gradyn_tape_begin(gradyn_tape *s, const gradyn_arcs *arcs)
{
  s->count = s->listed_count = 0;
  for (int f = 0; f < s->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    /* the start, the end, or the boundary nearest to the given time; events add boundaries during the run */
    const int at = gradyn_model_takes_start(s->model, functional) ? 0
                   : functional->instant > 0 ? nearest(arcs, functional->instant)
                                             : arcs->count;
    s->due[f] = arcs->count - at;
    s->sampled[f] = -1;
  }
  plan(s);
}

/* Returns whether functional f, counted from 0, is sampled at a point. */
static bool is_due(const gradyn_tape *s, const gradyn_arcs *arcs, int f,
                   const gradyn_sample_point *at)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  const gradyn_passed_event *event = at->event;
  if (!functional->terminal || s->unread || s->sampled[f] >= 0)
    return false;
  if (functional->which > 0)
    return event && gradyn_functional_is_at_event(functional, &event->record, event->number) &&
           (functional->side == GRADYN_AFTER) == at->after;
  /* functionals of the end are sampled after an event that ends the run */
  const bool late = gradyn_model_takes_start(s->model, functional) ||
                    (functional->instant == 0 && event);
  return s->due[f] == arcs->count - at->boundary && late == at->after;
}

/* Returns the index of the first plan whose `due` is not less than the given one. */
static int find_plan(const gradyn_tape *s, int due)
{
  int low = 0, high = s->plans;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (s->plan[middle].due < due)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int gradyn_tape_due(gradyn_tape *s, const gradyn_arcs *arcs, const gradyn_sample_point *at,
                    const int **list)
{
  const int due = arcs->count - at->boundary;
  int count = 0, *out = s->listed + s->listed_count;
  *list = out;
  /* at an event, all functionals are tested; elsewhere, only those of this boundary */
  for (int f = 0; f < s->model->functional_count && at->event; f++)
    if (is_due(s, arcs, f, at))
      out[count++] = f;
  for (int k = find_plan(s, due); k < s->plans && s->plan[k].due == due && !at->event; k++)
    if (is_due(s, arcs, s->plan[k].functional, at))
      out[count++] = s->plan[k].functional;
  return count;
}

gradyn_status gradyn_tape_sample(gradyn_tape *s, const gradyn_arcs *arcs,
                                 const gradyn_sample_point *at, double *inner)
{
  const gradyn_sample sample = {arcs->boundary[at->boundary].t, at->y};
  const int *list, count = gradyn_tape_due(s, arcs, at, &list);
  for (int k = 0; k < count; k++) {
    const gradyn_functional_entry *functional = &s->model->functional[list[k]];
    double w = 0;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &sample, &w));
    inner[list[k]] += w;
    s->sampled[list[k]] = s->count;
  }
  if (count == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_tape_append(s, GRADYN_TAPE_SAMPLE, at->boundary));
  s->record[s->count - 1].first = s->listed_count;
  s->record[s->count - 1].count = count;
  s->listed_count += count;
  return GRADYN_OK;
}

int gradyn_tape_sampled(const gradyn_tape *s, int k, const int **list)
{
  *list = s->listed + s->record[k].first;
  return s->record[k].count;
}

bool gradyn_tape_sample_counts(const gradyn_tape *s, int k)
{
  const int *list, count = gradyn_tape_sampled(s, k, &list);
  bool any = false;
  for (int i = 0; i < count; i++)
    any = any || !s->model->functional[list[i]].skipped;
  return any;
}

/* Ends the run at a boundary. */
static void end(gradyn_tape *s, gradyn_arcs *arcs, int boundary)
{
  gradyn_limits_end(s->model, arcs->boundary[boundary].t);
  for (int f = 0; f < s->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    if (functional->along.share > 0 && functional->instant == 0)
      s->due[f] = 0;
  }
  plan(s);
  arcs->count = boundary;
}

gradyn_status gradyn_tape_cross(gradyn_tape *s, gradyn_event_sequence *events, gradyn_arcs *arcs,
                                int boundary, gradyn_passed_event *now, double *inner)
{
  GRADYN_TRY(gradyn_event_sequence_end(events, now));
  if (gradyn_log_ends(s->model))
    end(s, arcs, boundary);
  for (int f = 0; f < s->model->functional_count; f++)
    if (gradyn_functional_is_impulse(&s->model->functional[f], &now->record, now->number))
      inner[f] += now->record.impulse;
  return GRADYN_OK;
}

/* Computes psi = outer(int g dt + w) of each functional. */
gradyn_status gradyn_tape_values(const gradyn_tape *s, const gradyn_arcs *arcs, const double *inner,
                                 double *psi)
{
  gradyn_model *model = s->model;
  double slope, t_bar;
  if (s->unread)
    return GRADYN_OK;
  if (model->event_count > 0)
    GRADYN_TRY(gradyn_log_complete(model));
  for (int f = 0; f < model->functional_count; f++) {
    const gradyn_functional_entry *functional = &model->functional[f];
    const double value = gradyn_functional_outer(functional, inner[f],
                                                 arcs->boundary[arcs->count].t, &slope, &t_bar);
    if (!isfinite(value))
      return gradyn_fail(&model->message, GRADYN_NON_FINITE, "functional %s is not finite",
                         functional->name);
    if (psi)
      psi[f] = value;
  }
  return GRADYN_OK;
}
