/* Output of a run by a one-step method: functionals at samples, and trajectories. */
#include <math.h>
#include <string.h>

#include "core/model/same_time.h"
#include "dae/onestep/events.h"
#include "dae/onestep/pieces.h"

gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage)
{
  const gradyn_sample_point at = {boundary, behind, gradyn_onestep_event_at(s, boundary), stage};
  return gradyn_tape_sample(&s->tape, &s->arcs, &at, s->inner);
}

gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory)
{
  const gradyn_rates *rates = s->rates;
  double *yp = NULL;
  /* y' contains the rates of differential states, and zeros for other states */
  if (rates->seen > rates->ny) { /* if the rates are not themselves states */
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
  const int parts = s->step[k].parts;
  if (parts == 1)
    return GRADYN_OK;
  gradyn_status status = gradyn_onestep_dense_begin(s, t, h, z, z + s->rates->nz, stages);
  memcpy(end, s->y, bytes); /* s->y is overwritten, and restored below */
  for (int i = 1; i < parts && status == GRADYN_OK; i++) {
    const double share = (double)i / parts;
    /* the interpolated state is projected onto the constraints, and accelerations and multipliers are
     * computed */
    gradyn_onestep_dense_at(s, share, s->y);
    status = gradyn_onestep_arrive(s, t + share * h, NULL, s->spare);
    if (status == GRADYN_OK)
      status = gradyn_onestep_record(s, t + share * h, arrival, trajectory);
  }
  memcpy(s->y, end, bytes);
  return status;
}
