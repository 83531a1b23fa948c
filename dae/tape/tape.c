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
  *out = (gradyn_tape){.model = model, .due = calloc(2 * nf, sizeof(int))};
  if (!out->due)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d functionals",
                       model->functional_count);
  out->sampled = out->due + nf;
  return GRADYN_OK;
}

void gradyn_tape_clear(gradyn_tape *s)
{
  free(s->record);
  free(s->due);
  *s = (gradyn_tape){0};
}

gradyn_status gradyn_tape_append(gradyn_tape *s, gradyn_tape_kind kind, int item)
{
  if (s->count == s->capacity) {
    const int capacity = s->capacity + FIRST_CAPACITY + s->capacity / 2;
    void *grown = realloc(s->record, (size_t)capacity * sizeof *s->record);
    if (!grown)
      return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for records");
    s->record = grown;
    s->capacity = capacity;
  }
  s->record[s->count++] = (gradyn_tape_record){kind, item};
  return GRADYN_OK;
}

void gradyn_tape_begin(gradyn_tape *s, const gradyn_arcs *arcs)
{
  s->count = 0;
  for (int f = 0; f < s->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    const double instant = functional->instant;
    /* the end, or the boundary nearest to the given time; boundaries of events follow during the run */
    const bool start = gradyn_model_takes_start(s->model, functional);
    int at = start ? 0 : arcs->count;
    for (int k = 1; k < arcs->count && instant > 0 && !start; k++)
      if (fabs(arcs->boundary[k].t - instant) < fabs(arcs->boundary[at].t - instant))
        at = k;
    s->due[f] = arcs->count - at;
    s->sampled[f] = -1;
  }
}

bool gradyn_tape_due(const gradyn_tape *s, const gradyn_arcs *arcs, int f,
                     const gradyn_sample_point *at)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  const gradyn_passed_event *event = at->event;
  if (!functional->terminal || s->sampled[f] >= 0)
    return false;
  if (functional->which > 0)
    return event && gradyn_functional_is_at_event(functional, &event->record, event->number) &&
           (functional->side == GRADYN_AFTER) == at->after;
  /* an event that ends the run comes before its end */
  const bool late = gradyn_model_takes_start(s->model, functional) ||
                    (functional->instant == 0 && event);
  return s->due[f] == arcs->count - at->boundary && late == at->after;
}

bool gradyn_tape_any_due(const gradyn_tape *s, const gradyn_arcs *arcs,
                         const gradyn_sample_point *at)
{
  bool any = false;
  for (int f = 0; f < s->model->functional_count; f++)
    any = any || gradyn_tape_due(s, arcs, f, at);
  return any;
}

gradyn_status gradyn_tape_sample(gradyn_tape *s, const gradyn_arcs *arcs,
                                 const gradyn_sample_point *at, double *inner)
{
  const gradyn_sample sample = {arcs->boundary[at->boundary].t, at->y};
  bool any = false;
  for (int f = 0; f < s->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    double w = 0;
    if (!gradyn_tape_due(s, arcs, f, at))
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &sample, &w));
    inner[f] += w;
    s->sampled[f] = s->count;
    any = true;
  }
  return any ? gradyn_tape_append(s, GRADYN_TAPE_SAMPLE, at->boundary) : GRADYN_OK;
}

bool gradyn_tape_sample_counts(const gradyn_tape *s, int k)
{
  bool any = false;
  for (int f = 0; f < s->model->functional_count; f++)
    any = any || (s->sampled[f] == k && !s->model->functional[f].skipped);
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

/* psi = outer(int g dt + w) of each functional. */
gradyn_status gradyn_tape_values(const gradyn_tape *s, const gradyn_arcs *arcs, const double *inner,
                                 double *psi)
{
  gradyn_model *model = s->model;
  double slope, t_bar;
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
