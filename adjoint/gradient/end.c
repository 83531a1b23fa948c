/* The gradient where a search has ended. It all but vanishes there, so errors are measured by the gradient
 * where the search began as well: those that cannot change its verdict are none. */
#include <math.h>
#include <stdlib.h>

#include "adjoint/gradient/accuracy.h"
#include "adjoint/gradient/gradient.h"

/* Of the tolerance of a verdict: what errors may take of it. */
static const double part = 0.1;

/* negligible[f] = part optimality max |dpsi_f/drho_j| size(rho_j) at the start; gradient [nf][p]: scratch. */
static gradyn_status find_negligible(gradyn_evaluator *ev, const double *start, double optimality,
                                     double *gradient, double *negligible)
{
  const size_t nf = (size_t)ev->model->functional_count, p = ev->parameters.count;
  const gradyn_accuracy sizes = {.ev = ev};
  GRADYN_TRY(gradyn_search_gradient(ev, NULL, start, NULL, gradient));
  for (size_t f = 0; f < nf; f++)
    for (size_t j = 0; j < p; j++)
      negligible[f] = fmax(negligible[f], part * optimality * fabs(gradient[f * p + j]) *
                                              gradyn_accuracy_size(&sizes, j));
  return GRADYN_OK;
}

/* What its steps leave of the end is the business of the search's recheck. */
static gradyn_status gradient_at(gradyn_evaluator *ev, const double *rho, double *psi,
                                 double *gradient)
{
  ev->exactness.steps_judged = true;
  const gradyn_status status = gradyn_gradient(ev, rho, psi, gradient);
  ev->exactness.steps_judged = false;
  return status;
}

gradyn_status gradyn_end_gradient(gradyn_evaluator *ev, const double *start, double optimality,
                                  const double *rho, double *psi, double *gradient)
{
  GRADYN_TRY(gradient_at(ev, rho, psi, gradient));
  if (!ev->exactness.missed || start == NULL)
    return GRADYN_OK;
  const size_t nf = (size_t)ev->model->functional_count;
  FREED double *negligible = calloc(nf * (1 + ev->parameters.count) + 1, sizeof *negligible);
  if (negligible == NULL)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
  const gradyn_status found = find_negligible(ev, start, optimality, negligible + nf, negligible);
  if (found != GRADYN_OK && gradyn_status_classify((int)found) == GRADYN_CLASS_FATAL)
    return found;
  ev->exactness.negligible = found == GRADYN_OK ? negligible : NULL;
  const gradyn_status status = gradient_at(ev, rho, psi, gradient);
  ev->exactness.negligible = NULL;
  return status;
}
