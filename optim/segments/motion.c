/* The motion in parts, one behind the other. */
#include "dae/trajectory.h"
#include "optim/segments/segments.h"

gradyn_trajectory *gradyn_segments_motion(gradyn_segments *s, const double rho[])
{
  gradyn_trajectory *motion = gradyn_trajectory_create(), *part = gradyn_trajectory_create();
  gradyn_status status = motion != NULL && part != NULL ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK)
    status = gradyn_segments_come_near(s, rho);
  if (status == GRADYN_OK)
    status = gradyn_trajectory_begin(motion, s->whole->model);
  for (size_t k = 0; k < s->count && status == GRADYN_OK; k++) {
    const double *own = gradyn_segments_load(s, k, rho);
    status = gradyn_simulate(s->segment[k].evaluator, own, NULL, part);
    /* where gaps are closed, a part begins as the one before has ended */
    if (status == GRADYN_OK)
      status = gradyn_trajectory_append(motion, part, k > 0);
  }
  gradyn_trajectory_free(part);
  if (status == GRADYN_OK)
    return motion;
  gradyn_trajectory_free(motion);
  return NULL;
}
