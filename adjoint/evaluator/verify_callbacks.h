/* Verification of derivatives of users' functions at arguments of the first run with derivatives. For
 * build(), see adjoint/directions.h. */
#ifndef GRADYN_ADJOINT_VERIFY_CALLBACKS_H
#define GRADYN_ADJOINT_VERIFY_CALLBACKS_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/complex_loss.h"

/* Checks all users' functions that were called in the last run, unless they have been verified for at least
 * as many arguments. Call it after a run with derivatives by the states and by the data that active [nx]
 * marks (NULL: all). Does nothing if gradients come from differences. Errors: GRADYN_INVALID, the message
 * names the function and the wrong derivative; those of gradyn_callback_check(). */
gradyn_status gradyn_verify_callbacks_functions(gradyn_evaluator *ev, const bool *active);

/* Returns `status` of an analysis unless it is GRADYN_OK. Otherwise checks users' functions by
 * gradyn_verify_callbacks_functions(), with derivatives by states, signals, and the data in the columns of
 * ev->by_rho, and returns its status. */
gradyn_status gradyn_verify_callbacks_analysis(gradyn_evaluator *ev, gradyn_status status);

/* Checks the derivatives of one function at the recorded arguments of its calls. They are checked by the
 * states, by the data that active [nx] marks (active NULL: all), and by the time if such data move an
 * event, a boundary or a knot. *out: the wrong derivative with the largest error; a wrong derivative is no
 * error. *t: time of its call, s; set only if out->found. Errors, with the model's message:
 * GRADYN_NO_MEMORY; statuses of class FATAL of the function. */
gradyn_status gradyn_callback_check(gradyn_model *model, const gradyn_callback *callback,
                                    const bool *active, gradyn_complex_loss *out, double *t);

/* Marks functions of `to` as verified if they are verified in `from`, an evaluator of the same problem;
 * also build(). */
void gradyn_verify_callbacks_alike(const gradyn_evaluator *from, gradyn_evaluator *to);

#endif
