/* Output of a run by a one-step method: samples of functionals, trajectories. */
#include <math.h>
#include <string.h>

#include "core/model/same_time.h"
#include "dae/onestep/events.h"
#include "dae/onestep/pieces.h"

/* Whether functional f is sampled at a boundary, or after the event there. */
static bool is_due(const gradyn_onestep *s, int f, int boundary, bool behind)
{
  const gradyn_functional_entry *functional = &s->model->functional[f];
  const gradyn_passed_event *event = gradyn_onestep_event_at(s, boundary);
  if (!functional->terminal || s->tape.sampled[f] >= 0)
    return false;
  if (functional->which > 0)
    return event && gradyn_functional_is_at_event(functional, &event->record, event->number) &&
           (functional->side == GRADYN_AFTER) == behind;
  /* an event that ends the run comes before its end */
  const bool after = gradyn_model_takes_start(s->model, functional) ||
                     (functional->instant == 0 && event);
  return s->tape.due[f] == s->arcs.count - boundary && after == behind;
}

gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage)
{
  const gradyn_sample at = {gradyn_onestep_boundary(s, boundary), stage};
  bool any = false;
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    double w = 0;
    if (!is_due(s, f, boundary, behind))
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &w));
    s->inner[f] += w;
    s->tape.sampled[f] = s->tape.count;
    any = true;
  }
  return any ? gradyn_onestep_append(s, GRADYN_TAPE_SAMPLE, boundary) : GRADYN_OK;
}

gradyn_status gradyn_onestep_sampled(gradyn_onestep *s, int k, gradyn_sample *at)
{
  const gradyn_tape_record *before = k > 0 ? &s->tape.record[k - 1] : NULL;
  double *stages;
  if (before && before->kind == GRADYN_TAPE_JUMP) {
    const gradyn_passed_event *event = gradyn_onestep_event_at(s, before->item);
    gradyn_discrete_state_enter(s->model, event->discrete[1]);
    *at = (gradyn_sample){event->record.t, event->y[1]};
    return GRADYN_OK;
  }
  const int step = before ? before->item : 0;
  GRADYN_TRY(gradyn_onestep_stages(s, step, &stages));
  at->t = s->step[step].t + (before ? s->step[step].h : 0);
  at->y = gradyn_onestep_stage(s, stages, before ? s->kept.slots - 1 : 0);
  return GRADYN_OK;
}

bool gradyn_onestep_sample_counts(const gradyn_onestep *s, int k)
{
  bool any = false;
  for (int f = 0; f < s->nf; f++)
    any = any || (s->tape.sampled[f] == k && !s->model->functional[f].skipped);
  return any;
}

/* psi = outer(int g dt + w) of each functional. */
gradyn_status gradyn_onestep_finish(gradyn_onestep *s, double *psi)
{
  double slope, t_bar, end = gradyn_onestep_boundary(s, s->arcs.count);
  if (s->events)
    GRADYN_TRY(gradyn_log_complete(s->model));
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    /* outer function of smooth maxima */
    double value = gradyn_functional_outer(functional, s->inner[f], end, &slope, &t_bar);
    if (!isfinite(value))
      return gradyn_fail(&s->model->message, GRADYN_NON_FINITE, "functional %s is not finite",
                         functional->name);
    if (psi)
      psi[f] = value;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory)
{
  const gradyn_rates *rates = s->rates;
  double *yp = NULL;
  /* y' of differential states, zero of others */
  if (rates->seen > rates->ny) { /* the rates are not among the states */
    yp = s->spare + gradyn_onestep_block(s) + rates->nz;
    memset(yp, 0, (size_t)rates->ny * sizeof *yp);
    for (int i = 0; i < rates->nz; i++)
      yp[rates->position[i]] = stage[rates->rates + i];
  }
  return gradyn_trajectory_add(trajectory, t, stage, yp);
}

gradyn_status gradyn_onestep_record_inside(gradyn_onestep *s, int k, const double *stages,
                                           gradyn_trajectory *trajectory)
{
  double t = s->step[k].t, h = s->step[k].h;
  const size_t bytes = (size_t)s->rates->nz * sizeof(double);
  double *end = s->spare + gradyn_onestep_block(s);
  const double *arrival = gradyn_onestep_stage(s, s->spare, s->kept.slots - 1);
  const double *z = s->z + (size_t)k * (size_t)s->rates->nz;
  gradyn_status status = gradyn_onestep_dense_begin(s, t, h, z, z + s->rates->nz, stages);
  memcpy(end, s->y, bytes); /* restored below */
  for (int i = 1; i < GRADYN_ONESTEP_PARTS && status == GRADYN_OK; i++) {
    const double share = (double)i / GRADYN_ONESTEP_PARTS;
    /* projected onto the constraints, with accelerations and multipliers */
    gradyn_onestep_dense_at(s, share, s->y);
    status = gradyn_onestep_arrive(s, t + share * h, NULL, s->spare);
    if (status == GRADYN_OK)
      status = gradyn_onestep_record(s, t + share * h, arrival, trajectory);
  }
  memcpy(s->y, end, bytes);
  return status;
}
