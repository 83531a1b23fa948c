/* What knots would gain that a control does not have yet. */
#ifndef GRADYN_OPTIM_GAINS_H
#define GRADYN_OPTIM_GAINS_H

#include "adjoint/gradient/control_grid.h"
#include "core/base/message.h"
#include <gradyn/optimise.h>

typedef struct gradyn_gains {
  gradyn_new_knot *knot; /* [count] in the middle of intervals */
  size_t count;
  double *
      gain; /* [count] what the objective falls by, to second order, if all are added; sums to total */
  double total;
} gradyn_gains;

/* At the optimum that a search by an evaluator has found: the derivatives of its Lagrangian by the values of
 * such knots, and what they lead to along one direction, from two gradients. *out is to be cleared in any
 * case; why there is none stands in the message. */
gradyn_status gradyn_gains_find(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_search_result *result, gradyn_message *message,
                                gradyn_gains *out);
void gradyn_gains_clear(gradyn_gains *gains);

#endif
