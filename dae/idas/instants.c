/* Terminal parts of functionals in a run with IDAS. Each given time is a boundary of arcs; the state at the
 * end of the arc before it counts. */
#include "dae/idas/events.h"
#include "core/model/same_time.h"

#include <math.h>

/* Whether the given time of functional f is the end of arc k. */
static bool is_due(const gradyn_idas *s, int f, int k)
{
  const gradyn_arcs *arcs = &s->arcs;
  double instant = s->model->functional[f].instant;
  /* a given time very near to another boundary has no boundary of its own */
  return instant > 0 && s->sums.taken_at[f] == 0 &&
         !gradyn_model_later(s->model, instant, arcs->boundary[k + 1].t);
}

gradyn_status gradyn_idas_take_instants(gradyn_idas *s, int k, bool *any)
{
  double t = s->arcs.boundary[k + 1].t, *y = N_VGetArrayPointer(s->sun.y);
  const gradyn_sample at = {t, y};
  *any = false;
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
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
    GRADYN_TRY(gradyn_idas_add_size(s, f, t, y));
    s->sums.taken_at[f] = k + 1;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_take_start(gradyn_idas *s)
{
  const gradyn_sample at = {0, N_VGetArrayPointer(s->sun.y)};
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    if (!gradyn_model_takes_start(s->model, functional))
      continue;
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &s->sums.value[f]));
    s->sums.taken_at[f] = GRADYN_IDAS_START;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_idas_finish(gradyn_idas *s, double *psi)
{
  double t = s->arcs.boundary[s->arcs.count].t;
  s->report.cost.arcs = s->arcs.count;
  double *y = N_VGetArrayPointer(s->sun.y);
  /* the final state starts no step: it is passed to the monitors here */
  GRADYN_TRY(gradyn_idas_observe(s, t, y));
  GRADYN_TRY(s->system->ops->restart(s->system, t, y, N_VGetArrayPointer(s->sun.yp)));
  for (int f = 0; f < s->sums.count; f++)
    s->sums.inner[f] = 0;
  for (int k = 0; k < s->sums.nq; k++)
    s->sums.inner[s->sums.integral[k]] = NV_Ith_S(s->sun.quad, k);
  gradyn_idas_add_masses(s);
  if (s->events)
    GRADYN_TRY(gradyn_log_complete(s->model));
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    const gradyn_sample at = {t, y};
    double w = 0, slope, t_bar;
    if (s->sums.taken_at[f] != 0) /* evaluated at a given time or at the start */
      w = s->sums.value[f];
    else if (s->events && functional->which > 0) /* evaluated at the event */
      w = s->events->value[f];
    else if (functional->terminal) {
      GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &w));
      GRADYN_TRY(gradyn_idas_add_size(s, f, t, y));
    }
    if (s->sums.taken_at[f] == 0)
      s->sums.taken_at[f] = s->arcs.count;
    s->sums.inner[f] += w;
    double value = gradyn_functional_outer(functional, s->sums.inner[f], t, &slope, &t_bar);
    s->sums.size[f] *= fabs(slope);
    if (!isfinite(value))
      return gradyn_fail(&s->model->message, GRADYN_NON_FINITE, "functional %s is not finite",
                         functional->name);
    if (psi)
      psi[f] = value;
  }
  return GRADYN_OK;
}
