/* Sweeps over the records of a run. This file has the only loops over records. */
#include "dae/tape/sweep.h"

gradyn_status gradyn_tape_pass(const gradyn_tape *s, int k, const gradyn_record_ops *ops,
                               void *sweep)
{
  const gradyn_tape_record *record = &s->record[k];
  if (record->kind == GRADYN_TAPE_SAMPLE)
    return ops->sample(sweep, k);
  return record->kind == GRADYN_TAPE_JUMP ? ops->jump(sweep, record->item)
                                          : ops->step(sweep, record->item);
}

gradyn_status gradyn_tape_along(const gradyn_tape *s, int count, const gradyn_record_ops *ops,
                                void *sweep)
{
  for (int k = 0; k < count; k++)
    GRADYN_TRY(gradyn_tape_pass(s, k, ops, sweep));
  return GRADYN_OK;
}

gradyn_status gradyn_tape_against(const gradyn_tape *s, const gradyn_record_ops *ops, void *sweep)
{
  for (int k = s->count - 1; k >= 0; k--)
    GRADYN_TRY(gradyn_tape_pass(s, k, ops, sweep));
  return GRADYN_OK;
}

int gradyn_tape_until(const gradyn_tape *s, int boundary)
{
  for (int k = 0; k < s->count; k++)
    if (boundary > 0 && s->record[k].kind == GRADYN_TAPE_JUMP && s->record[k].item == boundary)
      return k + 1;
  return s->count;
}

void gradyn_tape_slopes(const gradyn_tape *s, const gradyn_arcs *arcs, const double *inner,
                        double *slope, double *end_bar)
{
  const double end = arcs->boundary[arcs->count].t;
  for (int f = 0; f < s->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    gradyn_functional_outer(functional, inner[f], end, &slope[f], &end_bar[f]);
    end_bar[f] = functional->skipped ? 0 : end_bar[f];
  }
}

void gradyn_length_along(const gradyn_length *s, int count, const double *const db[2],
                         const double *dt, double *dh)
{
  for (int j = 0; j < count; j++)
    dh[j] = s->law == GRADYN_LENGTH_SHARE  ? s->share * (db[1][j] - db[0][j])
            : s->law == GRADYN_LENGTH_REST ? db[1][j] - dt[j]
                                           : 0;
}

void gradyn_length_against(const gradyn_length *s, int count, const double *h_bar, double *t_bar,
                           double *const b_bar[2])
{
  const double part = s->law == GRADYN_LENGTH_REST ? 1 : s->share;
  double *other = s->law == GRADYN_LENGTH_REST ? t_bar : b_bar[0];
  if (s->law != GRADYN_LENGTH_REST && s->law != GRADYN_LENGTH_SHARE)
    return;
  for (int j = 0; j < count; j++) {
    b_bar[1][j] += part * h_bar[j];
    other[j] -= part * h_bar[j];
  }
}
