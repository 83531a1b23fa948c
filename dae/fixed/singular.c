/* Fixed steps next to singular positions.
 *
 * Where a mechanism passes near a position in which its constraints depend on each other, velocities
 * turn within a time that no step asked for: energy and branch behind it are those of the steps. Schemes
 * mark steps over which velocities leap, which costs nothing; only then the Jacobians at both ends and their
 * least singular values are asked whether constraints are why. Steps that go straight on from one branch
 * onto another leave no such mark, and are found by the branches themselves (dae/linear/singular_branch.c).
 * A singular position that the motion passes smoothly, as fixed steps do, is neither. Of 50 random
 * slider-cranks and four-bar linkages away from dead points and 50 blocks that friction stops none is called
 * so (tests/campaigns/no_false_alarms.c). */
#include <stdlib.h>

#include "dae/fixed/march.h"
#include "dae/linear/singular_branch.h"

gradyn_status gradyn_fixed_create_watch(gradyn_fixed *s)
{
  if (s->model->mech->m == 0)
    return GRADYN_OK;
  s->branch = calloc(1, sizeof *s->branch);
  const gradyn_status status = s->branch ? gradyn_singular_branch_create(s->model->mech, s->branch)
                                         : GRADYN_NO_MEMORY;
  return status == GRADYN_OK ? status : gradyn_fail(&s->model->message, status, "out of memory");
}

gradyn_status gradyn_fixed_judge_step(gradyn_fixed *s, int k, const double *from, const double *to)
{
  if (!s->branch)
    return GRADYN_OK;
  /* nodes of all schemes begin with positions */
  const gradyn_mech_state before = {.t = gradyn_fixed_time(s, k), .q = from};
  const gradyn_mech_state behind = {.t = before.t + gradyn_fixed_step(s, k), .q = to};
  if (s->stepper->abrupt)
    GRADYN_TRY(gradyn_singularity_monitor_leap(&s->branch->path.watch, &before, &behind));
  return gradyn_singular_branch_step(s->branch, &before, &behind);
}

gradyn_status gradyn_fixed_judge_end(gradyn_fixed *s, const double *node)
{
  const gradyn_mech_state at = {.t = gradyn_fixed_time(s, s->count), .q = node};
  return s->branch ? gradyn_singular_branch_end(s->branch, &at) : GRADYN_OK;
}

void gradyn_fixed_forget_steps(gradyn_fixed *s)
{
  if (s->branch)
    gradyn_singular_branch_reset(s->branch);
}

void gradyn_fixed_free_watch(gradyn_fixed *s)
{
  if (s->branch)
    gradyn_singular_branch_clear(s->branch);
  free(s->branch);
}
