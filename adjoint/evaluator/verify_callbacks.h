/* Vouching for derivatives of users' functions, behind the first run with derivatives, at arguments of that
 * run; those of build(): adjoint/directions.h. */
#ifndef GRADYN_ADJOINT_VERIFY_CALLBACKS_H
#define GRADYN_ADJOINT_VERIFY_CALLBACKS_H

#include "adjoint/evaluator/evaluator.h"
#include "adjoint/complex_loss.h"

/* Behind a run with derivatives by states and by data that active [nx] marks: looks at all users'
 * functions that have been called and not been looked at. GRADYN_INVALID names the function and the
 * number that it loses. */
gradyn_status gradyn_verify_callbacks_functions(gradyn_evaluator *ev, const bool *active);

/* The same behind an analysis that has ended with `status`, whose derivatives are by states, by signals
 * and by what the columns of ev->by_rho move. */
gradyn_status gradyn_verify_callbacks_analysis(gradyn_evaluator *ev, gradyn_status status);

/* Looks at one function at the arguments of its calls, by those whose derivatives are used where data
 * that active [nx] marks vary (NULL: all); *t: the time of the call, s. */
gradyn_status gradyn_look_at_function(gradyn_model *model, const gradyn_callback *callback,
                                      const bool *active, gradyn_complex_loss *out, double *t);

/* What has been looked at for one evaluator, or is trusted, holds for another one of the same problem. */
void gradyn_verify_callbacks_alike(const gradyn_evaluator *from, gradyn_evaluator *to);

#endif
