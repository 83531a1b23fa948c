/* The Lagrangian of a search's result: functionals of an evaluator, with limits held where the search has
 * held them, and what each counts. */
#ifndef GRADYN_OPTIM_LAGRANGIAN_H
#define GRADYN_OPTIM_LAGRANGIAN_H

#include "core/base/message.h"
#include "optim/rounds/resume.h"

typedef struct gradyn_lagrangian {
  gradyn_evaluated evaluated;
  size_t count;   /* functionals, and rows of limits behind them */
  double *weight; /* [count] */
} gradyn_lagrangian;

/* evaluator: of the search, or one with more knots, whose motion at rho is that of the result. Does not move;
 * to be cleared in any case. GRADYN_UNSUPPORTED: multipliers are not known; the message tells why. */
gradyn_status gradyn_lagrangian_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const gradyn_search_result *result, const double rho[],
                                       gradyn_message *message, gradyn_lagrangian *out);
void gradyn_lagrangian_clear(gradyn_lagrangian *lagrangian);

#endif
