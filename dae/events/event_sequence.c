/* The steps at an event that are the same for all methods. */
#include "dae/events/event_sequence.h"

#include <stdlib.h>

gradyn_status gradyn_event_sequence_create(gradyn_model *model, double tolerance,
                                           const size_t kept[6], gradyn_event_sequence *s)
{
  *s = (gradyn_event_sequence){.next = -1};
  for (int k = 0; k < 6; k++)
    s->kept[k] = kept[k];
  GRADYN_TRY(gradyn_detector_create(model, tolerance, &s->watch));
  GRADYN_TRY(gradyn_coincidence_create(model, &s->coincidence));
  return model->event_count > 0 ? gradyn_impact_create(model, &s->impact) : GRADYN_OK;
}

void gradyn_event_sequence_clear(gradyn_event_sequence *s)
{
  for (int i = 0; i < s->capacity; i++)
    free(s->item[i].y[0]); /* one block contains all arrays of an entry */
  free(s->item);
  gradyn_coincidence_clear(&s->coincidence);
  gradyn_detector_clear(&s->watch);
  gradyn_impact_clear(&s->impact);
  *s = (gradyn_event_sequence){0};
}

/* Provides memory for one more event. */
static gradyn_status reserve(gradyn_event_sequence *s)
{
  size_t all = 1;
  if (s->watch.happened < s->capacity)
    return GRADYN_OK;
  gradyn_passed_event *grown = realloc(s->item, ((size_t)s->capacity + 1) * sizeof *grown);
  if (grown)
    s->item = grown;
  for (int k = 0; k < 6; k++)
    all += s->kept[k];
  double *block = grown ? calloc(all, sizeof *block) : NULL;
  if (!block)
    return gradyn_fail(&s->watch.model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                       s->capacity + 1);
  gradyn_passed_event *item = &s->item[s->capacity++];
  double **array[] = {&item->y[0],  &item->y[1], &item->yp[0],
                      &item->yp[1], &item->g[0], &item->g[1]};
  for (int k = 0; k < 6; k++) {
    *array[k] = block;
    block += s->kept[k];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_event_sequence_end_arc(const gradyn_event_sequence *s, gradyn_arcs *arcs,
                                            int k, double t, int event, gradyn_boundary *replaced)
{
  gradyn_model *model = s->watch.model;
  /* its time depends on no datum: it is the root of the guard */
  const gradyn_boundary b = {.t = t,
                             .start = -1,
                             .end = -1,
                             .transition = s->watch.happened + 1,
                             .discrete = model->discrete};
  bool meets;
  GRADYN_TRY(gradyn_arcs_meet(model, arcs, k, t, event, &meets));
  *replaced = meets ? arcs->boundary[k] : (gradyn_boundary){0};
  if (!meets)
    return gradyn_arcs_insert(model, arcs, k, &b);
  arcs->boundary[k] = b;
  return GRADYN_OK;
}

gradyn_status gradyn_event_sequence_pause(gradyn_event_sequence *s, gradyn_arcs *arcs, int k)
{
  gradyn_model *model = s->watch.model;
  s->next = gradyn_event_sequence_waiting(s);
  const gradyn_boundary b = {.t = arcs->boundary[k].t,
                             .start = -1,
                             .end = -1,
                             .transition = s->watch.happened + 1,
                             .discrete = model->discrete};
  return s->next < 0 ? GRADYN_OK : gradyn_arcs_insert(model, arcs, k + 1, &b);
}

/* Returns whether an event has been postponed because of another event at the same time. */
static bool has_waited(const gradyn_event_sequence *s, int event, double t)
{
  const int passed = s->watch.happened;
  return gradyn_event_sequence_waiting(s) == event && passed > 0 &&
         s->item[passed - 1].record.t == t;
}

gradyn_status gradyn_event_sequence_begin(gradyn_event_sequence *s, int event, double t,
                                          const double *y, gradyn_passed_event **now)
{
  const gradyn_model *model = s->watch.model;
  GRADYN_TRY(reserve(s));
  gradyn_passed_event *p = *now = &s->item[s->watch.happened];
  p->record = (gradyn_event_record){
      .event = event, .t = t, .occurrence = model->event[event].happened + 1};
  p->number = s->watch.happened + 1;
  p->discrete[0] = model->discrete;
  GRADYN_TRY(gradyn_detector_check(&s->watch, event, t, y, &p->record.approach));
  if (has_waited(s, event, t)) {
    s->passed++;
    return GRADYN_OK;
  }
  s->passed = 1;
  return gradyn_coincidence_judge(&s->coincidence, &s->watch, &s->impact, event, t, y);
}

gradyn_status gradyn_event_sequence_end(gradyn_event_sequence *s, gradyn_passed_event *now)
{
  gradyn_model *model = s->watch.model;
  s->next = -1;
  now->discrete[1] = model->discrete;
  /* the multipliers of a kinematic jump are no impulses, so they are not recorded */
  const bool kept = model->event[now->record.event].kept;
  GRADYN_TRY(gradyn_log_add(model, &now->record, kept ? NULL : s->impact.lam));
  now->record = model->log.record[model->log.count - 1];
  return gradyn_detector_cross(&s->watch, now->record.event, now->record.t, &s->impact);
}
