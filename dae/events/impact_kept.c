/* A kinematic jump is determined by as many preserved velocities as are free. More of them could not all be
 * preserved; with fewer, the system of the jump is singular. */
#include "dae/events/impact_parts.h"

#include <math.h>
#include <string.h>

/* Number of velocities that the constraints and the wall leave free. Coordinates without mechanical meaning
 * that occur in no row are none. */
static int free_velocities(const gradyn_impacts *s)
{
  const gradyn_pattern *rows = &s->mech->jac;
  const bool *spare = s->mech->spare;
  int free = s->n - s->m - 1;
  double *size = s->rest; /* of the columns */
  memset(size, 0, (size_t)s->n * sizeof(double));
  for (int k = 0; k < rows->start[s->m]; k++)
    size[rows->col[k]] += fabs(s->J[k]);
  for (int i = 0; i < s->n && spare; i++)
    free -= spare[i] && size[i] == 0;
  return free;
}

gradyn_status gradyn_impact_check_kept(const gradyn_impacts *s)
{
  const int free = s->event->kept ? free_velocities(s) : 0;
  if (!s->event->kept || s->event->kept_count == free)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_INVALID,
                     "wall %s at t = %g s: preserves %d velocities; the constraints and the wall "
                     "leave %d free. Name as many velocities as are free",
                     s->event->name, s->t, s->event->kept_count, free);
}
