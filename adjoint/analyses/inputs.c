/* Refuses inputs that move constraints, because their rates would act too, and inputs that move times of
 * events. */
#include "adjoint/analyses/inputs.h"

#include <stdlib.h>

/* Refuses an input that drives a constraint of the mode after node k. */
static gradyn_status refuse_drive(gradyn_nominal *s, int k, const gradyn_input *input)
{
  gradyn_mech *mech = s->model->mech;
  size_t n = (size_t)mech->n, m = (size_t)mech->m;
  /* r: residual and constraints; after them zeros, for accelerations and multipliers */
  FREED double *r = calloc(2 * (n + m) + 1, sizeof *r);
  FREED gradyn_lanes *work = gradyn_lanes_create(3 * n + m + 1);
  if (!r || !work)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for inputs");
  const double *none = r + n + m, *z = s->z + 2 * n * (size_t)k;
  const gradyn_mech_state at = {.t = s->node[k].t, .q = z, .v = z + n, .a = none, .lam = none + n};
  /* nonholonomic rows begin with order 1 */
  for (int order = 0; order <= (mech->rolling > 0); order++) {
    const gradyn_mech_term term = {GRADYN_CONSTRAINT, order, at};
    GRADYN_TRY(gradyn_mech_along(mech, &term, &at, &(gradyn_mech_vector){.x = input->dx}, work, r));
  }
  for (size_t i = 0; i < m; i++)
    if (r[n + i] != 0)
      return gradyn_fail(&s->model->message, GRADYN_UNSUPPORTED,
                         "%s '%.60s': drives the constraint %s; an input must act by a force",
                         input->kind, input->name, mech->constraint_name(mech, (int)i));
  return GRADYN_OK;
}

/* Refuses an input that changes the time of the event after node k: its value at one time has no bound. */
static gradyn_status refuse_instant(gradyn_nominal *s, int k, const gradyn_input *input)
{
  const gradyn_event_record *event = &s->model->log.record[s->node[k].event];
  bool feels;
  GRADYN_TRY(gradyn_crossing_prepare(&s->crossing, event, s->z + (size_t)k * (size_t)s->nz));
  GRADYN_TRY(gradyn_crossing_depends_on_time(&s->crossing, input->dx, &feels));
  if (!feels)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_UNSUPPORTED,
                     "%s '%.60s': changes the time of event %s at t = %g s; an input must not",
                     input->kind, input->name, event->name, event->t);
}

gradyn_status gradyn_input_check(gradyn_nominal *s, const gradyn_input *input)
{
  gradyn_nominal_enter(s, 0);
  if (s->model->event_count > 0)
    GRADYN_TRY(gradyn_guards_begin(s->crossing.guards, s->z));
  for (int k = 0; k < s->count && s->model->mech; k++) {
    const gradyn_nominal_node *node = &s->node[k];
    if (k > 0 && node->discrete.mode == node[-1].discrete.mode && node->event < 0)
      continue; /* the driven constraints are the same within a mode */
    gradyn_nominal_enter(s, k);
    GRADYN_TRY(refuse_drive(s, k, input));
    if (node->event >= 0)
      GRADYN_TRY(refuse_instant(s, k, input));
  }
  return GRADYN_OK;
}
