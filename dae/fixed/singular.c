/* Fixed steps next to singular positions.
 *
 * Near a position in which constraints become dependent, velocities may change within a time much shorter
 * than a step. Energy, and the branch of the motion after it, then depend on the steps. Schemes mark steps
 * in which velocities change abruptly, at no cost. For these steps, the smallest singular values of the
 * Jacobians at both ends decide whether constraints are the cause. A step that continues smoothly onto
 * another branch is not marked; the monitor of branches detects it (dae/linear/singular_branch.c). Smooth
 * passages through singular positions are accepted. Of 50 random slider-cranks and four-bar linkages away
 * from dead points, and 50 blocks stopped by friction, none is reported
 * (tests/campaigns/no_false_alarms.c). */
#include <stdlib.h>

#include "dae/fixed/step.h"
#include "dae/linear/singular_branch.h"

static gradyn_status create(gradyn_monitor *m)
{
  gradyn_model *model = m->run->model;
  if (model->mech->m == 0) /* without constraints there are no branches */
    return GRADYN_OK;
  gradyn_singular_branch *branch = m->own = calloc(1, sizeof *branch);
  const gradyn_status status = branch ? gradyn_singular_branch_create(model->mech, branch)
                                      : GRADYN_NO_MEMORY;
  return status == GRADYN_OK ? status : gradyn_fail(&model->message, status, "out of memory");
}

static void clear(void *branch)
{
  gradyn_singular_branch_clear(branch);
  free(branch);
}

static gradyn_status begin(gradyn_monitor *m, const gradyn_observed *none)
{
  (void)none;
  gradyn_singular_branch_reset(m->own);
  return GRADYN_OK;
}

/* Checks whether a step has passed a singular position. A function of the monitor. */
static gradyn_status judge_step(gradyn_monitor *m, const gradyn_observed *step)
{
  gradyn_singular_branch *branch = m->own;
  const gradyn_fixed *s = m->run->integrator;
  /* nodes of all schemes begin with positions */
  const gradyn_mech_state before = {.t = step->t, .q = step->from};
  const gradyn_mech_state behind = {.t = step->t + step->h, .q = step->to};
  if (s->stepper->abrupt)
    GRADYN_TRY(gradyn_singularity_monitor_leap(&branch->path.watch, &before, &behind));
  return gradyn_singular_branch_step(branch, &before, &behind);
}

static gradyn_status judge_end(gradyn_monitor *m, const gradyn_observed *node)
{
  return gradyn_singular_branch_end(m->own, &(gradyn_mech_state){.t = node->t, .q = node->to});
}

static const gradyn_monitor_ops branches = {
    .create = create,
    .free = clear,
    .on = {[GRADYN_ON_BEGIN] = begin, [GRADYN_ON_STEP] = judge_step, [GRADYN_ON_END] = judge_end}};
const gradyn_monitor_ops *const gradyn_fixed_monitors[] = {&branches, NULL};
