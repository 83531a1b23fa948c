/* What can be asked of a mechanism at rest. */
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator.h"
#include "dae/freedom.h"
#include <gradyn/statics.h>

/* Loads the data at rho into a mechanism. */
static gradyn_status load(gradyn_evaluator *ev, const double *rho, const void *out)
{
  if (!ev || !ev->sample) /* taken last */
    return GRADYN_INVALID;
  gradyn_message_clear(&ev->message);
  if (!out || (!rho && ev->parameters.count > 0))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL",
                       out ? "rho" : "the place of the result");
  if (!ev->model->mech)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "general equations have no constraints and no equilibrium to look for");
  gradyn_status status = gradyn_evaluator_load(ev, rho);
  gradyn_model_enter_arc(ev->model, 0);
  return status;
}

/* Carries the reason of a failure over from the model. */
static gradyn_status carry(gradyn_evaluator *ev, gradyn_status status)
{
  return status == GRADYN_OK ? status
                             : gradyn_fail(&ev->message, status, "%s", ev->model->message.text);
}

gradyn_status gradyn_count_freedom(gradyn_evaluator *ev, const double *rho, gradyn_freedom *out,
                                   int *dependent)
{
  gradyn_status status = load(ev, rho, out);
  if (status != GRADYN_OK)
    return status;
  gradyn_found_freedom found;
  status = carry(ev, gradyn_freedom_find(ev->model->mech, &found));
  *out = (gradyn_freedom){found.degrees, found.at_start, found.first, found.dependents};
  if (dependent && status == GRADYN_OK)
    memcpy(dependent, found.dependent, (size_t)found.dependents * sizeof(int));
  free(found.dependent);
  return status;
}

const char *gradyn_constraint_name(const gradyn_evaluator *ev, int constraint)
{
  const gradyn_mech *mech = ev && ev->model && ev->model->sealed ? ev->model->mech : NULL;
  return mech && constraint >= 0 && constraint < mech->m ? mech->constraint_name(mech, constraint)
                                                         : "";
}
