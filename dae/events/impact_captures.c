/* Data that an event captures, c = Phi(q+, t, x) of constraints that hold behind it. The jump sets
 * them, the log keeps them, and restoring a mode brings them back. */
#include <string.h>

#include "dae/events/impact.h"

/* Whether the event in hand captures: its constraint is new, or a map may have moved what it holds. */
static bool captures(const gradyn_impacts *s, const gradyn_capture *c)
{
  return gradyn_capture_holds(c, s->model->discrete.mode) &&
         (s->event->map_count > 0 || !gradyn_capture_holds(c, s->before));
}

/* Whether the event captures anything. */
static bool any_captured(const gradyn_impacts *s)
{
  for (int k = 0; k < s->model->log.captures.count; k++)
    if (captures(s, &s->model->log.captures.item[k]))
      return true;
  return false;
}

/* Captured data take the value of their constraint at the event: from here on Phi - c = 0. */
gradyn_status gradyn_impact_capture(gradyn_impacts *s, const gradyn_mech_state *at)
{
  gradyn_model *model = s->model;
  if (!any_captured(s))
    return GRADYN_OK;
  /* its constraint reads 0: what is left of Phi is the number to be captured */
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      model->x[model->log.captures.item[k].datum] = 0;
  /* at the place of the event */
  GRADYN_TRY(s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 0, at, s->lam));
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      model->x[model->log.captures.item[k].datum] = s->lam[model->log.captures.item[k].row];
  return GRADYN_OK;
}

/* dc = Phi_q dq + Phi_x dx + Phi_t dt. */
gradyn_status gradyn_impact_capture_along(gradyn_impacts *s, const gradyn_mech_state *at,
                                          double *dx, double dt, const double *dq)
{
  const gradyn_model *model = s->model;
  const gradyn_mech_term place = {GRADYN_CONSTRAINT, 0, *at};
  const gradyn_mech_vector d = {.x = dx, .t = dt, .q = dq};
  double *r = s->rows_of;
  if (!any_captured(s))
    return GRADYN_OK;
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      dx[model->log.captures.item[k].datum] = 0;
  /* dx of the datum = Phi_q dq + Phi_x dx + Phi_t dt of its row */
  memset(r, 0, (size_t)(s->n + gradyn_impact_rows(s)) * sizeof(double));
  gradyn_status status = gradyn_mech_along(s->mech, &place, at, &d, s->work, r);
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      dx[model->log.captures.item[k].datum] = r[s->n + model->log.captures.item[k].row];
  return status;
}

/* The transpose: the bar of c goes to state, data and time, and is used up. */
gradyn_status gradyn_impact_capture_against(gradyn_impacts *s, const gradyn_mech_state *at,
                                            const gradyn_mech_sums *sums)
{
  const gradyn_model *model = s->model;
  const gradyn_mech_term place = {GRADYN_CONSTRAINT, 0, *at};
  double *mu = s->rows_of;
  if (!any_captured(s))
    return GRADYN_OK;
  memset(mu, 0, (size_t)(s->n + gradyn_impact_rows(s)) * sizeof(double));
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k]))
      /* and against it: the datum's bar goes into the row */
      mu[s->n + model->log.captures.item[k].row] = sums->x[model->log.captures.item[k].datum];
  gradyn_status status = gradyn_mech_against(s->mech, &place, at, mu, s->work, sums);
  for (int k = 0; k < model->log.captures.count; k++)
    if (captures(s, &model->log.captures.item[k])) /* before the event it was another number */
      sums->x[model->log.captures.item[k].datum] = 0;
  return status;
}
