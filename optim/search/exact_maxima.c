/* Exact extremes at the best point of a search. A smooth maximum is below the exact one, and a spline can
 * exceed the bounds of its knots. A search that satisfies such bounds can therefore violate a bound that
 * the user means. */
#include "optim/search/exact_maxima.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/extremes/extremes.h"
#include <gradyn/inspect.h>

/* A signal may exceed its bounds by this part of their range without a remark. */
static const double slight = 1e-6;

/* Whether a functional of the problem is a maximum. */
static bool has_maxima(const gradyn_evaluator *evaluator, const gradyn_objective *objective)
{
  for (size_t f = 0; f < objective->functional_count; f++)
    if (gradyn_functional_is_maximum(evaluator, f))
      return true;
  return false;
}

/* Whether the search satisfies a bound that the exact maximum exceeds. */
static bool exceeds(const gradyn_functional_info *info, double psi, const gradyn_extreme *extreme)
{
  return info->use == GRADYN_AT_MOST && psi <= info->bound + info->tolerance &&
         extreme->value > info->bound + info->tolerance;
}

/* Reports bounds that the exact maxima exceed, and corrects the termination. */
static gradyn_status judge_limits(const gradyn_objective *objective, gradyn_status status,
                                  gradyn_search_result *result)
{
  bool any = false;
  for (size_t f = 0; f < objective->functional_count; f++) {
    const gradyn_functional_info *info = &objective->functionals[f];
    const gradyn_extreme *extreme = &result->extreme[f];
    if (!exceeds(info, result->psi[f], extreme))
      continue;
    gradyn_result_warn(result, GRADYN_WARNING(SMOOTH_MAXIMUM, .subject = info->name,
                                              .unit = info->unit, .t = extreme->t,
                                              .value = extreme->value, .limit = info->bound));
    any = true;
  }
  if (!any)
    return status;
  gradyn_termination_precede(result, "exact maxima exceed their limits", "smooth maxima");
  if (status == GRADYN_OK || status == GRADYN_STALLED) {
    result->termination = GRADYN_TERMINATION_INFEASIBLE;
    status = GRADYN_INFEASIBLE;
  }
  return status;
}

/* Reports signals that exceed the bounds of their knots. */
static void remark_on_signals(const gradyn_evaluator *evaluator, const gradyn_signal_range *range,
                              gradyn_search_result *result)
{
  const size_t signals = gradyn_evaluator_model_info(evaluator).signals;
  for (size_t i = 0; i < signals; i++) {
    /* infinite if knots have no bounds or are no parameters */
    const double width = range[i].upper - range[i].lower;
    const double beyond = fmax(range[i].lower - range[i].least, range[i].most - range[i].upper);
    if (!isfinite(width) || !(beyond > slight * width))
      continue;
    const gradyn_signal_info info = gradyn_signal_at(evaluator, i);
    const bool above = range[i].most - range[i].upper >= range[i].lower - range[i].least;
    gradyn_result_warn(result,
                       GRADYN_WARNING(CONTROL_OVERSHOOT, .subject = info.name, .unit = info.unit,
                                      .value = above ? range[i].most : range[i].least,
                                      .limit = above ? range[i].upper : range[i].lower));
  }
}

gradyn_status gradyn_exact_maxima_report(gradyn_evaluator *evaluator,
                                         const gradyn_objective *objective, gradyn_status status,
                                         gradyn_search_result *result)
{
  /* remarks are added first, so that they follow violations in the text */
  const size_t signals = gradyn_evaluator_model_info(evaluator).signals;
  if (signals > 0) {
    gradyn_signal_range *range = calloc(signals, sizeof *range);
    if (range == NULL)
      return GRADYN_NO_MEMORY;
    /* needs build() only, no simulation */
    if (gradyn_evaluator_preview(evaluator, result->rho, NULL, NULL, range) == GRADYN_OK)
      remark_on_signals(evaluator, range, result);
    free(range);
  }
  if (!has_maxima(evaluator, objective))
    return status;
  result->extreme = calloc(objective->functional_count, sizeof *result->extreme);
  if (result->extreme == NULL)
    return GRADYN_NO_MEMORY;
  const gradyn_status found = gradyn_evaluator_extremes(evaluator, result->rho, result->extreme);
  if (found == GRADYN_OK)
    return judge_limits(objective, status, result);
  /* a run that cannot be repeated was reported earlier; after a request to end, nothing is checked */
  free(result->extreme); /* without exact values nothing is reported */
  result->extreme = NULL;
  return found == GRADYN_NO_MEMORY ? found : status;
}
