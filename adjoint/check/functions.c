/* Checks users' functions: compares their complex-step derivatives with real numbers, at arguments of their
 * calls during the run.
 *
 * Other parts check derivatives that the library forms from these functions, at one state. This part calls
 * the functions directly, and lists each of them. */
#include <stdio.h>

#include "adjoint/check/check.h"
#include "adjoint/evaluator/verify_callbacks.h"

/* Checks one function and adds its item. */
static gradyn_status check_function(gradyn_checking *c, const gradyn_callback *callback)
{
  gradyn_worst w = {.tolerance = GRADYN_LOST_TOLERANCE};
  gradyn_complex_loss lost;
  char name[100], where[40] = "", argument[40];
  double t;
  gradyn_callback_name(callback, name, sizeof name);
  if (callback->count == 0)
    gradyn_worst_leave_out(&w, "not called");
  GRADYN_TRY(gradyn_callback_check(c->model, callback, NULL, &lost, &t));
  /* name the argument whose derivative has the largest error */
  if (lost.found)
    snprintf(where, sizeof where, "%s",
             gradyn_callback_argument(callback, lost.argument, argument, sizeof argument));
  if (callback->count > 0)
    gradyn_worst_compare(&w, 1 + lost.error, 1, 1, 0, where);
  return gradyn_check_add(c, &w, "real numbers", "%.60s itself, %d calls", name, callback->count);
}

/* Checks all functions but conditions, which are not differentiated. */
gradyn_status gradyn_check_functions(gradyn_checking *c)
{
  const gradyn_model_declared *d = &c->model->declared;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < d->callbacks && status == GRADYN_OK; k++)
    if (d->callback[k].kind != GRADYN_OF_CONDITION &&
        gradyn_check_proceed(c, k, d->callbacks, &status))
      status = check_function(c, &d->callback[k]);
  return status;
}
