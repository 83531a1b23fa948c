/* Joins the motions of all segments, one after the other. */
#include "dae/trajectory.h"
#include "optim/segments/sparsity.h"

static gradyn_status run_all(gradyn_segments *s, const double rho[], gradyn_trajectory *motion)
{
  OWNED(gradyn_trajectory) *part = gradyn_trajectory_create();
  if (motion == NULL || part == NULL)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(gradyn_segments_set_references(s, rho));
  GRADYN_TRY(gradyn_trajectory_begin(motion, s->whole->model));
  for (size_t k = 0; k < s->count; k++) {
    const double *own = gradyn_segments_load(s, k, rho);
    GRADYN_TRY(gradyn_evaluator_simulate(s->segment[k].evaluator, own, NULL, part));
    /* defects are zero, so that a segment begins in the state in which the previous one ends */
    GRADYN_TRY(gradyn_trajectory_append(motion, part, k > 0));
  }
  return GRADYN_OK;
}

gradyn_trajectory *gradyn_segments_motion(gradyn_segments *s, const double rho[])
{
  OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
  return run_all(s, rho, motion) == GRADYN_OK ? HANDED(motion) : NULL;
}
