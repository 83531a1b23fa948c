/* Gaps of contacts: rows of constraints that hold at impacts. */
#include "dae/guards.h"

#include <stdlib.h>
#include <string.h>

gradyn_status gradyn_guards_create(gradyn_model *model, gradyn_guards *s)
{
  gradyn_mech *mech = model->mech;
  *s = (gradyn_guards){.model = model, .mech = mech, .n = mech->n};
  s->first = mech->m + mech->held;
  s->rows = gradyn_mech_rows(mech, GRADYN_CONTACT);
  size_t size = (size_t)(s->n + s->rows) + 1;
  s->phi = calloc(size, sizeof(double));
  s->J = calloc((size_t)mech->jac.nnz + 1, sizeof(double));
  s->mu = calloc(size, sizeof(double));
  s->work = gradyn_lanes_create(size + 2 * (size_t)s->n);
  return s->phi && s->J && s->mu && s->work
             ? GRADYN_OK
             : gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d events",
                           model->event_count);
}

void gradyn_guards_clear(gradyn_guards *s)
{
  free(s->phi);
  free(s->J);
  free(s->mu);
  free(s->work);
  *s = (gradyn_guards){0};
}

static gradyn_mech_state state_of(const gradyn_guards *s, double t, const double *y)
{
  return (gradyn_mech_state){.t = t, .q = y, .v = y + s->n};
}

gradyn_status gradyn_guard_value(gradyn_guards *s, int event, int order, double t, const double *y,
                                 double *r)
{
  const gradyn_event *e = &s->model->event[event];
  const gradyn_mech_state at = state_of(s, t, y);
  gradyn_status status = s->mech->ops->phi(s->mech, GRADYN_CONTACT, order, &at, s->phi);
  *r = e->sign * s->phi[s->first + e->contact];
  return status;
}

gradyn_status gradyn_guard_gradient(gradyn_guards *s, int event, double t, const double *y,
                                    double weight, const gradyn_gradient_out *out)
{
  const gradyn_event *e = &s->model->event[event];
  const gradyn_pattern *jac = &s->mech->jac;
  const gradyn_mech_state at = state_of(s, t, y);
  int row = s->first + e->contact;
  weight *= e->sign;
  gradyn_status status = s->mech->ops->phi_q(s->mech, GRADYN_CONTACT, 0, &at, s->J);
  for (int k = jac->start[row]; k < jac->start[row + 1] && status == GRADYN_OK; k++)
    out->y_bar[jac->col[k] * out->stride] += weight * s->J[k];
  if (!out->x_bar || status != GRADYN_OK)
    return status;
  memset(s->mu, 0, (size_t)(s->n + s->rows) * sizeof(double));
  s->mu[s->n + row] = weight;
  gradyn_mech_term term = {GRADYN_CONTACT, 0, at};
  term.at.lam = s->phi; /* forces meet mu = 0, whatever the multipliers */
  return gradyn_mech_against(s->mech, &term, &at, s->mu, s->work,
                             &(gradyn_mech_sums){.x = out->x_bar, .t = out->t_bar});
}
