/* Functionals that are taken at instants of a march with IDAS: each instant is a boundary of arcs, and the
 * motion before it counts. They are taken from the state at the end of the arc. */
#include "dae/idas.h"

#include <math.h>

/* Whether the instant of a functional lies at the end of arc k, and has not been met before. */
static bool is_due(const gradyn_idas *s, int f, int k)
{
  const gradyn_arcs *arcs = &s->arcs;
  double instant = s->model->functional[f].instant;
  /* a boundary that was there already stands for instants as near as that */
  return instant > 0 && s->sums.taken_at[f] == 0 &&
         instant <= arcs->boundary[k + 1].t + gradyn_arcs_closest(s->model);
}

gradyn_status gradyn_idas_take_instants(gradyn_idas *s, int k, bool *any)
{
  double t = s->arcs.boundary[k + 1].t, *y = N_VGetArrayPointer(s->sun.y);
  const gradyn_sample at = {t, y};
  *any = false;
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional *functional = &s->model->functional[f];
    if (!is_due(s, f, k))
      continue;
    /* accelerations and multipliers of this arc */
    if (!*any)
      GRADYN_TRY(s->system->ops->restart(s->system, t, y, N_VGetArrayPointer(s->sun.yp)));
    *any = true;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &s->sums.value[f]));
    if (!isfinite(s->sums.value[f]))
      return gradyn_fail(&s->model->message, GRADYN_NON_FINITE,
                         "functional %s is not finite at t = %g s", functional->name, t);
    s->sums.taken_at[f] = k + 1;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_take_start(gradyn_idas *s)
{
  const gradyn_sample at = {0, N_VGetArrayPointer(s->sun.y)};
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional *functional = &s->model->functional[f];
    if (!functional->from_start)
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &s->sums.value[f]));
    s->sums.taken_at[f] = GRADYN_IDAS_START;
  }
  return GRADYN_OK;
}
