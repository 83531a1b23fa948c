/* Verification of derivatives of users' functions, after the first run with derivatives, at arguments of this
 * run. That of build(): adjoint/directions.h. */
#ifndef GRADYN_ADJOINT_VERIFY_CALLBACKS_H
#define GRADYN_ADJOINT_VERIFY_CALLBACKS_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/complex_loss.h"

/* Checks all users' functions that have been called and are not yet verified for as many arguments; call
 * after a run with derivatives by states and by the data that active [nx] marks (NULL: all). Errors:
 * GRADYN_INVALID, the message names the function and the wrong derivative; those of
 * gradyn_look_at_function(). */
gradyn_status gradyn_verify_callbacks_functions(gradyn_evaluator *ev, const bool *active);

/* The same after an analysis with this status, whose derivatives are by states, by signals and by the data in
 * the columns of ev->by_rho. Returns the status if it is a failure. */
gradyn_status gradyn_verify_callbacks_analysis(gradyn_evaluator *ev, gradyn_status status);

/* Checks one function at the arguments of its calls, by those arguments that derivatives use if the data
 * that active [nx] marks change (NULL: all). *out: the largest error; *t: time of this call, s, set only if
 * out->found. Errors: GRADYN_NO_MEMORY; fatal failures of the function. */
gradyn_status gradyn_look_at_function(gradyn_model *model, const gradyn_callback *callback,
                                      const bool *active, gradyn_complex_loss *out, double *t);

/* Copies the verification of functions to another evaluator of the same problem. */
void gradyn_verify_callbacks_alike(const gradyn_evaluator *from, gradyn_evaluator *to);

#endif
