/* Derivatives of the steps of a run, in batches. */
#include "dae/onestep/batches.h"

#include <string.h>

GRADYN_WIDE void gradyn_batch_add_moved(int lanes, int count, double factor, const double *x,
                                        const gradyn_batch_entry *d, gradyn_lanes *out)
{
  for (int i = 0; i < count; i++)
    for (int h = 0; h < lanes; h++)
      *out++ += factor * x[i] * d->lane[h];
}

void gradyn_batch_combine(const gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                          int pack, const double *weight, int count, gradyn_lanes *out)
{
  const gradyn_rates *rates = s->run->rates;
  const int nz = rates->nz, lanes = gradyn_batch_lanes(s, pack);
  const int next = rates->seen * s->lanes; /* distance between the rates of consecutive stages */
  const gradyn_lanes *dk[GRADYN_MOST_STAGES],
      *first = gradyn_batch_stage(s, pack, 0) + rates->rates * lanes;
  double share[GRADYN_MOST_STAGES];
  int terms = 0;
  for (int j = 0; j < count; j++, first += next)
    if (weight[j] != 0) {
      dk[terms] = first;
      share[terms++] = at->h * weight[j];
    }
  /* h w_j dk_j */
  gradyn_lanes_add(terms, share, dk, nz * lanes, gradyn_batch_state(s, pack), out);
  if (!s->moving)
    return;
  const gradyn_batch_entry dh = gradyn_batch_length(s, pack, at->share);
  const double *k[GRADYN_MOST_STAGES];
  for (int j = 0; j < count; j++)
    k[j] = gradyn_onestep_stage(s->run, at->stages, j) + rates->rates;
  double *sum = (double *)s->work;
  memset(sum, 0, (size_t)nz * sizeof *sum);
  gradyn_numbers_add(count, weight, k, nz, sum);
  gradyn_batch_add_moved(lanes, nz, 1, sum, &dh, out); /* dh w_j k_j */
}

gradyn_rates_sums gradyn_batch_sums(const gradyn_onestep_batches *s, int pack, double *x_bar)
{
  const gradyn_rates *rates = s->run->rates;
  const int nx = s->run->model->nx;
  gradyn_rates_sums sums = {.x = x_bar + pack * GRADYN_LANES * nx};
  if (rates->side_by_side)
    sums.lanes = s->side.x + pack * nx;
  if (rates->sums > 0)
    sums.kept = s->side.kept + pack * rates->sums;
  return sums;
}
