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
  /* [count], decrease of the objective to second order if all knots are added; the sum is total */
  double *gain;
  double total;
} gradyn_gains;

/* Lists the possible new knots, and estimates their gains at the optimum that a search has found with this
 * evaluator, result->rho. Derivatives of the Lagrangian by the values of new knots, and its second derivative
 * along one direction, give the gains; two gradients are computed. message must be empty before. Clear *out
 * in any case. Errors, with a message: GRADYN_UNSUPPORTED, the multipliers are not known, or no signal can
 * have new knots; GRADYN_NO_MEMORY; those of gradients. */
gradyn_status gradyn_gains_find(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_search_result *result, gradyn_message *message,
                                gradyn_gains *out);
/* Frees the members, and makes *gains {0}; may be repeated. */
void gradyn_gains_clear(gradyn_gains *gains);

#endif
