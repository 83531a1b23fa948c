/* States of a run between the stored rows of its trajectory. */
#include "adjoint/extremes/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/trajectory.h"

gradyn_status gradyn_between_create(gradyn_model *model, const gradyn_trajectory *trajectory,
                                    gradyn_between *out)
{
  *out = (gradyn_between){.model = model, .trajectory = trajectory};
  if (!model->mech)
    return gradyn_flow_create(model, &out->flow);
  const size_t n = (size_t)model->mech->n;
  out->work = calloc(6 * n + 1, sizeof *out->work);
  if (!out->work)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu coordinates", n);
  return gradyn_initial_create_motion(model->mech, &out->equations);
}

void gradyn_between_clear(gradyn_between *b)
{
  if (b->model)
    gradyn_discrete_state_enter_arc(b->model, NAN);
  gradyn_initial_clear(&b->equations);
  gradyn_flow_clear(&b->flow);
  free(b->work);
}

void gradyn_between_enter(gradyn_between *b, size_t step)
{
  const double from = gradyn_trajectory_step(b->trajectory, step, NULL),
               to = gradyn_trajectory_step(b->trajectory, step + 1, NULL);
  const double middle = (from + to) / 2;
  gradyn_discrete_state_rewind(b->model);
  gradyn_discrete_state_follow(b->model, middle, true);
  gradyn_discrete_state_enter_arc(b->model, middle);
  b->step = step;
}

gradyn_status gradyn_between_interpolate(gradyn_between *b, double t, bool all, double *row)
{
  gradyn_initial *equations = b->model->mech && all ? &b->equations : NULL;
  GRADYN_TRY(gradyn_trajectory_solve(b->trajectory, equations, b->step, t, row));
  return b->flow.rates && all ? gradyn_flow_complete(&b->flow, t, row) : GRADYN_OK;
}

gradyn_status gradyn_between_follow(gradyn_between *b, double t, double *row)
{
  gradyn_initial *equations = b->model->mech ? &b->equations : NULL;
  if (b->flow.rates)
    return gradyn_flow_follow(&b->flow, b->trajectory, b->step, t, row);
  return gradyn_trajectory_follow(b->trajectory, equations, b->step, t, row, b->work);
}

gradyn_status gradyn_between_rates(gradyn_between *b, double t, const double *row, double *rates)
{
  if (b->model->mech) { /* q' = v, v' = a */
    const size_t n = (size_t)b->model->mech->n;
    memcpy(rates, row + n, 2 * n * sizeof *rates);
    return GRADYN_OK;
  }
  gradyn_rates *r = b->flow.rates;
  if (!r)
    return GRADYN_OK;
  gradyn_rates_gather(r, row, b->flow.z);
  GRADYN_TRY(r->ops->stage(r, t, b->flow.z, NULL, b->flow.stage));
  gradyn_rates_scatter(r, b->flow.stage + r->rates, rates);
  return GRADYN_OK;
}
