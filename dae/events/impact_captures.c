/* Latched data of an event, c = Phi(q+, t, x) of constraints that act after it. The jump sets them, the log
 * stores them, and entering a discrete state restores them. */
#include <string.h>

#include "dae/events/impact_parts.h"

/* Returns whether the event latches c: its constraint is new in the mode after the event, or a map may have
 * changed its value. */
static bool captures(const gradyn_impacts *s, const gradyn_capture *c)
{
  return gradyn_latch_active(c, s->model->discrete.mode) &&
         (s->event->map_count > 0 || !gradyn_latch_active(c, s->before));
}

/* Returns whether the event latches any value. */
static bool any_captured(const gradyn_impacts *s)
{
  for (int k = 0; k < s->model->log.captures.count; k++)
    if (captures(s, &s->model->log.captures.item[k]))
      return true;
  return false;
}

/* Sets each latched datum to the value of its constraint, so that Phi - c = 0 from now on. */
gradyn_status gradyn_impact_capture(gradyn_impacts *s, const gradyn_mech_state *at)
{
  gradyn_model *model = s->model;
  if (!any_captured(s))
    return GRADYN_OK;
  /* with c = 0, Phi - c is the value to be latched */
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      model->x[model->log.captures.item[k].datum] = 0;
  /* at the state after the event, in the new mode */
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 0, at, s->lam));
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      model->x[model->log.captures.item[k].datum] = s->lam[model->log.captures.item[k].row];
  return GRADYN_OK;
}

/* Computes the changes of latched values, dc = Phi_q dq + Phi_x dx + Phi_t dt. */
gradyn_status gradyn_impact_capture_along(gradyn_impacts *s, const gradyn_mech_state *at,
                                          double *dx, double dt, const double *dq)
{
  const gradyn_model *model = s->model;
  const gradyn_mech_term position = {GRADYN_CONSTRAINT, 0, *at};
  const gradyn_mech_vector d = {.x = dx, .t = dt, .q = dq};
  double *r = s->rows_of;
  if (!any_captured(s))
    return GRADYN_OK;
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      dx[model->log.captures.item[k].datum] = 0;
  /* the change of a latched value is the row of its constraint */
  memset(r, 0, (size_t)(s->n + gradyn_impact_rows(s)) * sizeof(double));
  gradyn_status status = gradyn_mech_along(s->mech, &position, at, &d, s->work, r);
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      dx[model->log.captures.item[k].datum] = r[s->n + model->log.captures.item[k].row];
  return status;
}

/* Computes the transpose of gradyn_impact_capture_along(): adds the adjoint of c to those of state, data
 * and time, then clears it. */
gradyn_status gradyn_impact_capture_against(gradyn_impacts *s, const gradyn_mech_state *at,
                                            const gradyn_mech_sums *sums)
{
  const gradyn_model *model = s->model;
  const gradyn_mech_term position = {GRADYN_CONSTRAINT, 0, *at};
  double *mu = s->rows_of;
  if (!any_captured(s))
    return GRADYN_OK;
  memset(mu, 0, (size_t)(s->n + gradyn_impact_rows(s)) * sizeof(double));
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      /* the adjoint of the datum is the multiplier of the row */
      mu[s->n + model->log.captures.item[k].row] = sums->x[model->log.captures.item[k].datum];
  gradyn_status status = gradyn_mech_against(s->mech, &position, at, mu, s->work, sums);
  for (int k = 0; k < model->log.captures.count; k++)
    /* the value before the event was latched earlier, and is independent of the new one */
    if (captures(s, &model->log.captures.item[k]))
      sums->x[model->log.captures.item[k].datum] = 0;
  return status;
}
