/* States inside the steps of the last run. */
#include "dae/onestep/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/onestep/events.h"
#include "dae/onestep/pieces.h"

gradyn_status gradyn_onestep_reader_create(gradyn_onestep *run, gradyn_onestep_reader *out)
{
  *out = (gradyn_onestep_reader){.run = run, .step = -1};
  out->stage = calloc((size_t)run->rates->record + 1, sizeof *out->stage);
  return out->stage ? GRADYN_OK
                    : gradyn_fail(&run->model->message, GRADYN_NO_MEMORY,
                                  "out of memory for %d states", run->rates->ny);
}

void gradyn_onestep_reader_clear(gradyn_onestep_reader *r)
{
  if (r->run)
    gradyn_discrete_state_enter_arc(r->run->model, (double)NAN);
  free(r->stage);
}

gradyn_status gradyn_onestep_reader_enter(gradyn_onestep_reader *r, int k)
{
  if (r->step == k)
    return GRADYN_OK;
  r->step = -1;
  r->extended = false;
  GRADYN_TRY(gradyn_onestep_stages(r->run, k, &r->stages));
  r->t = r->run->step[k].t;
  r->h = r->run->step[k].h;
  r->step = k;
  return GRADYN_OK;
}

const double *gradyn_onestep_reader_end(const gradyn_onestep_reader *r, bool end)
{
  return gradyn_onestep_stage(r->run, r->stages, end ? r->run->kept.slots - 1 : 0);
}

gradyn_status gradyn_onestep_reader_estimate(gradyn_onestep_reader *r, double share, bool all,
                                             double *row)
{
  const gradyn_model *model = r->run->model;
  if (all || !model->mech)
    return gradyn_onestep_reader_extend(r, share, all, row);
  gradyn_onestep_motion_at(model->mech->n, r->h, gradyn_onestep_reader_end(r, false),
                           gradyn_onestep_reader_end(r, true), share, row);
  return GRADYN_OK;
}

/* Prepares the continuous extension of the present step, if this has not been done. */
static gradyn_status begin(gradyn_onestep_reader *r)
{
  gradyn_onestep *s = r->run;
  const double *z = s->z + (size_t)r->step * (size_t)s->rates->nz;
  if (r->extended)
    return GRADYN_OK;
  /* z at the end of the step, since s->z contains the state after the jump there */
  gradyn_rates_gather(s->rates, gradyn_onestep_reader_end(r, true), s->spare);
  GRADYN_TRY(gradyn_onestep_dense_begin(s, r->t, r->h, z, s->spare, r->stages));
  r->extended = true;
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_reader_extend(gradyn_onestep_reader *r, double share, bool all,
                                           double *row)
{
  gradyn_onestep *s = r->run;
  const size_t bytes = (size_t)s->rates->ny * sizeof *row;
  GRADYN_TRY(begin(r));
  gradyn_onestep_dense_at(s, share, s->trial);
  if (all)
    GRADYN_TRY(s->rates->ops->stage(s->rates, r->t + share * r->h, s->trial, r->stages, r->stage));
  memcpy(row, all ? r->stage : r->stages, bytes);
  gradyn_rates_scatter(s->rates, s->trial, row);
  return GRADYN_OK;
}

gradyn_status gradyn_onestep_reader_follow(gradyn_onestep_reader *r, double share,
                                           const double **stage)
{
  gradyn_onestep *s = r->run;
  double *stages;
  /* the scheme starts anew, so that the result does not depend on earlier computations */
  if (s->scheme->enter)
    GRADYN_TRY(s->scheme->enter(s));
  GRADYN_TRY(gradyn_onestep_inside(s, r->step, share, r->stages, &stages));
  *stage = gradyn_onestep_stage(s, stages, s->kept.slots - 1);
  return GRADYN_OK;
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
