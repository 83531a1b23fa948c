/* Checks for cancellation and deadline. Every loop over steps or iterations calls this, so that a call ends
 * on request or after the time allowed. */
#include "core/base/deadline.h"

#include "core/base/clock.h"

gradyn_status gradyn_deadline_check(const gradyn_deadline *deadline, gradyn_message *message,
                                    double t)
{
  if (deadline->cancel && deadline->cancel(deadline->user))
    return gradyn_fail(message, GRADYN_INTERRUPTED, "stopped on request at t = %g s", t);
  if (deadline->deadline > 0 && gradyn_seconds() > deadline->deadline)
    return gradyn_fail(message, GRADYN_STEP_LIMIT,
                       "the run takes longer than the %g s allowed; it was stopped at t = %g s",
                       deadline->allowed, t);
  return GRADYN_OK;
}
