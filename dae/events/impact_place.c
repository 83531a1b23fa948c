/* Check that the constraints of the mode after an event are satisfied at the positions of the event. */
#include <math.h>

#include "core/mech/size.h"
#include "dae/events/impact_parts.h"

/* Largest error of new constraints, relative to the size of the mechanism. */
static const double most = 1e-5;

/* Computes Phi of the mode before the event, at q-. */
static gradyn_status look_before(gradyn_impacts *s, double *phi)
{
  const gradyn_mech_state at = {.t = s->t, .q = s->y, .v = s->y + s->n, .a = s->w, .lam = s->lam};
  /* the model is already in the mode after the event */
  const int behind = gradyn_discrete_state_switch_mode(s->model, s->before);
  gradyn_status status = s->mech->ops->phi(s->mech, GRADYN_CONSTRAINT, 0, &at, phi);
  (void)gradyn_discrete_state_switch_mode(s->model, behind);
  return status;
}

gradyn_status gradyn_impact_check_place(gradyn_impacts *s, const gradyn_mech_state *at)
{
  gradyn_mech *mech = s->mech;
  double *before = s->b, *behind = s->lam;
  /* Phi in the modes before and after the event; rows that do not act in a mode are 0 */
  GRADYN_TRY(look_before(s, before));
  GRADYN_TRY(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, at, behind));
  gradyn_mech_row_sizes(mech, s->J, s->m, s->sum);
  for (int i = 0; i < s->m; i++) {
    /* Compares distances, Phi_i divided by the length of its gradient. A constraint that was active before
     * the event may have the error of the run there. */
    const double off = fabs(behind[i]) / s->sum[i], error = fabs(before[i]) / s->sum[i];
    if (!(off <= most * gradyn_mech_size(mech, at->q) + 2 * error))
      return gradyn_fail(&s->model->message, GRADYN_EVENT,
                         "%s at t = %g s: constraint %s is violated by %.3g m after the event. "
                         "Events do not move points, except by a map",
                         s->event->name, s->t, mech->constraint_name(mech, i), off);
  }
  return GRADYN_OK;
}
