/* General equations between the rows of a trajectory. */
#include "adjoint/extremes/flow.h"

#include "dae/classical.h"
#include "dae/trajectory.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_flow_create(gradyn_model *model, gradyn_flow *out)
{
  *out = (gradyn_flow){0};
  GRADYN_TRY(gradyn_rates_from_equations(model, &out->rates));
  const size_t nz = (size_t)out->rates->nz;
  out->z = calloc(4 * nz + (size_t)out->rates->record + 1, sizeof *out->z);
  if (!out->z)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu states", nz);
  out->work = out->z + nz;
  out->stage = out->work + 3 * nz;
  gradyn_discrete_state_rewind(model);
  const gradyn_status status = out->rates->ops->start(out->rates, out->z);
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
  return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

static gradyn_status move(void *self, double t, const double *z, double *rate)
{
  const gradyn_flow *flow = self;
  const gradyn_rates *rates = flow->rates;
  GRADYN_TRY(rates->ops->stage(flow->rates, t, z, NULL, flow->stage));
  memcpy(rate, flow->stage + rates->rates, (size_t)rates->nz * sizeof *rate);
  return GRADYN_OK;
}

gradyn_status gradyn_flow_follow(gradyn_flow *flow, const gradyn_trajectory *trajectory,
                                 size_t step, double t, double *row)
{
  const double from = gradyn_trajectory_step(trajectory, step, row);
  gradyn_rates_gather(flow->rates, row, flow->z);
  GRADYN_TRY(
      gradyn_classical_follow(move, flow, (size_t)flow->rates->nz, from, t, flow->z, flow->work));
  gradyn_rates_scatter(flow->rates, flow->z, row);
  return gradyn_flow_complete(flow, t, row);
}
