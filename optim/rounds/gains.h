/* Possible gains from new knots of controls. */
#ifndef GRADYN_OPTIM_GAINS_H
#define GRADYN_OPTIM_GAINS_H

#include "adjoint/gradient/control_grid.h"
#include "core/base/message.h"
#include <gradyn/optimise.h>

/* New knots with their gains. The arrays are owned. */
typedef struct gradyn_gains {
  gradyn_new_knot *knot; /* [count], in the middle of intervals */
  size_t count;
  double total; /* decrease of the objective if all knots are added; NAN: not known */
  double *gain; /* [count], part of each knot; the sum is total; 0 if it is not known */
} gradyn_gains;

/* Lists the possible new knots, and predicts their gains at the optimum that a search has found with this
 * evaluator, result->rho: by the minimum of the quadratic model of the problem with all of them. If there is
 * no model, total is NAN, and message has the reason. message must be empty before. Clear *out in any case.
 * Errors, with a message: GRADYN_UNSUPPORTED, no signal can have new knots; GRADYN_NO_MEMORY; failures of
 * build(). */
gradyn_status gradyn_gains_find(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_search_result *result, gradyn_message *message,
                                gradyn_gains *out);
/* Frees the members, and makes *gains {0}; may be repeated. */
void gradyn_gains_clear(gradyn_gains *gains);

#endif
