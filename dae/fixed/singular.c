/* Fixed steps next to singular positions.
 *
 * Where a mechanism passes near a position in which its constraints depend on each other, velocities
 * turn within a time that no step asked for: energy and branch behind it are those of the steps. Schemes
 * mark steps over which velocities leap, which costs nothing; only then the Jacobians at both ends and their
 * least singular values are asked whether constraints are why. A singular position that the motion
 * passes smoothly, as fixed steps do, leaves no such mark. Of 50 random slider-cranks and four-bar linkages
 * away from dead points and 50 blocks that friction stops none is called so
 * (tests/campaigns/no_false_alarms.c). */
#include <stdlib.h>

#include "dae/fixed/march.h"
#include "dae/linear/singular_watch.h"

/* Steps that are marked are rare: the watch is made for the first one. */
static gradyn_status take_watch(gradyn_fixed *s)
{
  if (s->watch)
    return GRADYN_OK;
  s->watch = calloc(1, sizeof *s->watch);
  return s->watch ? gradyn_singular_watch_create(s->model->mech, s->watch) : GRADYN_NO_MEMORY;
}

gradyn_status gradyn_fixed_judge_leap(gradyn_fixed *s, int k, const double *from, const double *to)
{
  if (!s->stepper->abrupt)
    return GRADYN_OK;
  const gradyn_status status = take_watch(s);
  if (status != GRADYN_OK)
    return gradyn_fail(&s->model->message, status, "out of memory");
  /* nodes of all schemes begin with positions */
  const gradyn_mech_state before = {.t = gradyn_fixed_time(s, k), .q = from};
  const gradyn_mech_state behind = {.t = before.t + gradyn_fixed_step(s, k), .q = to};
  return gradyn_singular_watch_leap(s->watch, &before, &behind);
}

void gradyn_fixed_free_watch(gradyn_fixed *s)
{
  if (s->watch)
    gradyn_singular_watch_clear(s->watch);
  free(s->watch);
}
