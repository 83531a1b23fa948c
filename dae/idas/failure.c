/* Failures of runs by IDAS: converts codes of IDAS and failures of callbacks to a status and a message. */
#include "dae/idas/idas.h"

#include <math.h>

/* Returns the smooth maximum with the largest sharpness; NULL: there is none. */
static const gradyn_functional_entry *sharpest(const gradyn_idas *s)
{
  const gradyn_functional_entry *found = NULL;
  for (int f = 0; f < s->sums.count; f++) {
    const gradyn_functional_entry *next = &s->model->functional[f];
    if (next->outer.sharpness > (found ? found->outer.sharpness : 0))
      found = next;
  }
  return found;
}

/* Sets the message, with the functional that is the most likely cause. */
static gradyn_status too_many_steps(gradyn_idas *s, const char *what, double t)
{
  gradyn_message *message = &s->model->message;
  const gradyn_functional_entry *f = sharpest(s);
  gradyn_status status = gradyn_fail(
      message, GRADYN_STEP_LIMIT,
      "%s: t = %g s was reached after the allowed number of steps. The motion is faster than the "
      "end time suggests, or the tolerance too tight",
      what, t);
  if (f)
    gradyn_message_add(message, "or a smooth maximum is too sharp: %s, %g", f->name,
                       f->outer.sharpness);
  return status;
}

/* Returns whether only the trial state makes the residual not finite: at the same time, the residual of the
 * last accepted state is finite. Then the equations are not the cause. */
static bool trial_to_blame(gradyn_idas *s)
{
  return s->failure.status == GRADYN_NON_FINITE && !isnan(s->failure.at) &&
         s->system->ops->residual(s->system, s->failure.at, s->accepted,
                                  N_VGetArrayPointer(s->sun.yp), s->scratch) == GRADYN_OK;
}

/* Sets the message of a run whose steps became too small. */
static gradyn_status stuck(gradyn_idas *s, int flag, const char *what, double t)
{
  gradyn_message *message = &s->model->message;
  /* kept, since trial_to_blame() may overwrite the message */
  const gradyn_message last = *message;
  if (trial_to_blame(s))
    return gradyn_fail(message, GRADYN_NOT_CONVERGED,
                       "%s: the step size became too small at t = %g s, where numbers of trial "
                       "steps overflow (%.200s): %s",
                       what, t, last.text,
                       s->model->equations
                           ? "a pole of the solution, or absolute tolerances that do not fit the "
                             "states. Small states need .atol of their own, or a tighter --atol"
                           : "a singular position, or too loose a tolerance");
  *message = last;
  if (s->failure.status != GRADYN_OK) { /* a callback has failed */
    gradyn_message_add(message, "the run stopped at t = %g s", t);
    return s->failure.status;
  }
  return gradyn_fail(message, GRADYN_NOT_CONVERGED,
                     "%s: the step size became too small at t = %g s (%s). Possible causes: a "
                     "singular position, a force that jumps, or too tight a tolerance",
                     what, t,
                     flag == IDA_ERR_FAIL       ? "error test"
                     : flag == IDA_TOO_MUCH_ACC ? "accuracy beyond round-off"
                                                : "corrector");
}

gradyn_status gradyn_idas_failed(gradyn_idas *s, int flag, const char *what, double t)
{
  if (flag >= 0)
    return GRADYN_OK;
  gradyn_message *message = &s->model->message;
  /* reasons of IDAS first, then failures of callbacks */
  switch (flag) {
  case IDA_TOO_MUCH_WORK:
    return too_many_steps(s, what, t);
  case IDA_ERR_FAIL:
  case IDA_CONV_FAIL:
  case IDA_TOO_MUCH_ACC:
  case IDA_REP_RES_ERR:
    return stuck(s, flag, what, t);
  default:
    break;
  }
  if (s->failure.status != GRADYN_OK) {
    gradyn_message_add(message, "the run stopped at t = %g s", t);
    return s->failure.status;
  }
  /* failures inside IDAS */
  if (flag == IDA_MEM_FAIL)
    return gradyn_fail(message, GRADYN_NO_MEMORY, "%s: out of memory at t = %g s", what, t);
  if (flag == IDA_ILL_INPUT)
    return gradyn_fail(
        message, GRADYN_NON_FINITE,
        "%s: no step is possible at t = %g s: numbers are too large, or the end time or tolerances "
        "are too small. Check the units of states, data, times and tolerances",
        what, t);
  return gradyn_fail(message, GRADYN_INTERNAL, "%s: IDAS returned %d at t = %g s", what, flag, t);
}
