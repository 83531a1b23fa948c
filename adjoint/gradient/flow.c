/* General equations between the rows of a trajectory. */
#include "adjoint/gradient/flow.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_flow_create(gradyn_model *model, gradyn_flow *out)
{
  *out = (gradyn_flow){0};
  gradyn_status status = gradyn_rates_from_equations(model, &out->rates);
  if (status != GRADYN_OK)
    return status;
  const size_t nz = (size_t)out->rates->nz;
  out->z = calloc(3 * nz + (size_t)out->rates->record + 1, sizeof *out->z);
  if (!out->z)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu states", nz);
  out->at = out->z + nz;
  out->sum = out->at + nz;
  out->stage = out->sum + nz;
  gradyn_scene_rewind(model);
  status = out->rates->ops->start(out->rates, out->z);
  if (status != GRADYN_UNSUPPORTED)
    return status;
  gradyn_message_clear(&model->message);
  out->rates->ops->free(out->rates);
  out->rates = NULL;
  return GRADYN_OK;
}

void gradyn_flow_clear(gradyn_flow *flow)
{
  if (flow->rates)
    flow->rates->ops->free(flow->rates);
  free(flow->z);
}

gradyn_status gradyn_flow_complete(gradyn_flow *flow, double t, double *row)
{
  gradyn_rates_gather(flow->rates, row, flow->z);
  const gradyn_status status = flow->rates->ops->stage(flow->rates, t, flow->z, NULL, flow->stage);
  if (status == GRADYN_OK)
    memcpy(row, flow->stage, (size_t)flow->rates->ny * sizeof *row);
  return gradyn_status_classify((int)status) == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

/* From the start of the step, by steps of the classical method. */
gradyn_status gradyn_flow_follow(gradyn_flow *flow, const gradyn_trajectory *trajectory,
                                 size_t step, double t, double *row)
{
  enum { PARTS = 4 };
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  gradyn_rates *rates = flow->rates;
  const size_t nz = (size_t)rates->nz;
  const double *k = flow->stage + rates->rates;
  const double from = gradyn_trajectory_step(trajectory, step, row), h = (t - from) / PARTS;
  gradyn_rates_gather(rates, row, flow->z);
  for (int i = 0; i < PARTS; i++) {
    memset(flow->sum, 0, nz * sizeof *flow->sum);
    for (int s = 0; s < 4; s++) {
      for (size_t j = 0; j < nz; j++)
        flow->at[j] = flow->z[j] + (s > 0 ? part[s] * h * k[j] : 0);
      GRADYN_TRY(rates->ops->stage(rates, from + (i + part[s]) * h, flow->at, NULL, flow->stage));
      for (size_t j = 0; j < nz; j++)
        flow->sum[j] += weight[s] * k[j];
    }
    for (size_t j = 0; j < nz; j++)
      flow->z[j] += h * flow->sum[j];
  }
  gradyn_rates_scatter(rates, flow->z, row);
  return gradyn_flow_complete(flow, t, row);
}
