/* Converts the result of a search over segments to a result of the problem. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "optim/search/search.h"
#include "optim/segments/segments.h"

/* Returns the largest difference between a functional of the undivided motion and of the segments, divided
 * by the tolerance of its constraint. *most: the functional with this difference. */
static double distance(const gradyn_segments *s, const double together[], const double parts[],
                       size_t *most)
{
  double largest = 0;
  for (size_t i = 0; i < s->f; i++) {
    const gradyn_functional_info *info = &s->objective.functionals[i];
    const bool bounded = gradyn_use_constrains(info->use);
    const double off = fabs(together[i] - parts[i]) / (bounded ? info->tolerance : 1);
    if (bounded && !(off <= largest)) {
      largest = off;
      *most = i;
    }
  }
  return largest;
}

/* Replaces the values of the segments by those of the undivided motion, unless this motion fails or
 * deviates. */
static void put_together(const gradyn_segments *s, gradyn_search_result *result, double *psi,
                         double *gradient)
{
  const gradyn_status ran = gradyn_end_gradient(s->whole, NULL, 0, result->rho, psi, gradient);
  size_t most = 0;
  for (size_t i = 0; ran != GRADYN_OK && i < s->f * s->p; i++)
    gradient[i] = NAN;
  if (ran != GRADYN_OK) {
    gradyn_termination_add(result, "segments",
                           "a run without segments fails, so the numbers are those of %zu "
                           "segments: %.160s",
                           s->count, gradyn_evaluator_message(s->whole));
    return;
  }
  const double off = distance(s, psi, result->psi, &most);
  if (off > 1) {
    gradyn_termination_add(
        result, "segments",
        "the numbers are those of %zu segments: in a run without segments, %.60s is %.9g, which "
        "differs by %.2g tolerances",
        s->count, s->objective.functionals[most].name, psi[most], off);
    return;
  }
  gradyn_termination_add(result, "segments",
                         "%zu segments; a run without segments differs by %.2g tolerances",
                         s->count, off);
  memcpy(result->psi, psi, s->f * sizeof *psi);
}

gradyn_status gradyn_segments_finish(gradyn_segments *s, gradyn_status status,
                                     gradyn_search_result *result)
{
  if (result->rho == NULL || result->gradient == NULL)
    return status;
  gradyn_iterates_end(&s->course, gradyn_segments_columns(s), s->start, result->rho,
                      &result->iterates);
  double *psi = calloc(s->f + 1, sizeof *psi);
  double *gradient = calloc(s->f * s->p + 1, sizeof *gradient);
  if (psi == NULL || gradient == NULL) {
    free(psi);
    free(gradient);
    return GRADYN_NO_MEMORY;
  }
  for (size_t i = 0; i < s->f * s->p; i++)
    gradient[i] = NAN; /* the result has the gradient of the undivided motion, or none */
  if (isfinite(result->objective) && result->termination != GRADYN_TERMINATION_STOPPED) {
    char text[256];
    if (result->violation <= 1 && gradyn_segments_differ(s, result->rho, text, sizeof text)) {
      result->termination = GRADYN_TERMINATION_INFEASIBLE;
      status = GRADYN_INFEASIBLE;
      gradyn_termination_add(result, "branches", "%s", text);
    }
    put_together(s, result, psi, gradient);
    if (s->objective.blocks.error > 0)
      gradyn_termination_add(result, "second derivatives",
                             "exact to about %.1g of a segment's largest",
                             s->objective.blocks.error);
    if (s->moved.text[0] != '\0')
      gradyn_termination_add(result, "segment boundaries", "%s", s->moved.text);
  }
  free(psi);
  free(result->gradient);
  result->gradient = gradient;
  return status;
}
