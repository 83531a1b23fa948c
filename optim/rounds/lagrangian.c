/* Weights of functionals and samples in the Lagrangian of a result, from the multipliers of the result;
 * costates. */
#include "optim/rounds/lagrangian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "optim/study/account.h"
#include <gradyn/analysis.h>

/* Computes the weights of functionals and samples in the Lagrangian. */
static gradyn_status weigh(gradyn_lagrangian *l, const gradyn_search *search,
                           const gradyn_search_result *result, gradyn_message *message)
{
  const size_t f = l->evaluated.objective.functional_count;
  size_t pieces = 0;
  for (size_t i = 0; i < f; i++) {
    const gradyn_functional_info info = l->evaluated.functionals[i];
    const bool named = search->objective != NULL && strcmp(info.name, search->objective) == 0;
    pieces += info.use == GRADYN_LARGEST && search->objective == NULL;
    if (search->objective != NULL && (named || info.use <= GRADYN_LARGEST))
      l->weight[i] = named;
    else if (info.use == GRADYN_OBJECTIVE || info.use == GRADYN_LARGEST)
      l->weight[i] = info.weight;
    else if (info.use != GRADYN_MONITORED && info.use != GRADYN_PATH_CONSTRAINT)
      l->weight[i] = (info.use == GRADYN_AT_LEAST ? -1 : 1) * result->multiplier[i];
  }
  l->count = f;
  for (size_t i = 0; i < result->path_point_count; i++)
    if (result->path_points[i].knot == 0)
      l->weight[l->count++] = result->path_points[i].multiplier;
  if (pieces > 1)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "multipliers: not available for the largest of several functionals");
  for (size_t i = 0; i < l->count; i++)
    if (!isfinite(l->weight[i]))
      return gradyn_fail(message, GRADYN_UNSUPPORTED, "multipliers: not available");
  return GRADYN_OK;
}

/* Enforces path constraints at the time points of the search. Samples at knots are omitted: they are bounds
 * of a datum, and depend neither on the motion nor on other knots. */
static gradyn_status hold(gradyn_lagrangian *l, const gradyn_search_result *result)
{
  const size_t rows = result->path_point_count;
  const double t_end = gradyn_evaluator_model_info(l->evaluated.evaluator).t_end;
  gradyn_limit_at *at = calloc(rows + 1, sizeof *at);
  gradyn_functional_info *info = calloc(rows + 1, sizeof *info);
  size_t held = 0;
  for (size_t i = 0; at != NULL && i < rows; i++) {
    const gradyn_path_point *row = &result->path_points[i];
    if (row->knot == 0)
      at[held++] = (gradyn_limit_at){.side = row->functional,
                                     .share = fmin(row->t / t_end, 1),
                                     .event = row->occurrence > 0 ? row->event - 1 : 0,
                                     .which = row->occurrence,
                                     .behind = row->after,
                                     .from = row->from / t_end,
                                     .to = fmin(row->to / t_end, 1)};
  }
  const gradyn_status status = at != NULL && info != NULL
                                   ? gradyn_evaluated_hold(&l->evaluated, at, held, info)
                                   : GRADYN_NO_MEMORY;
  free(at);
  free(info);
  return status;
}

gradyn_status gradyn_lagrangian_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const gradyn_search_result *result, const double rho[],
                                       gradyn_message *message, gradyn_lagrangian *out)
{
  *out = (gradyn_lagrangian){.count = gradyn_functional_count(evaluator) +
                                      result->path_point_count};
  out->weight = calloc(out->count + 1, sizeof *out->weight);
  if (out->weight == NULL ||
      !gradyn_evaluated_create(evaluator, search->objective, &out->evaluated))
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(weigh(out, search, result, message));
  /* samples are placed by fractions of the end time, which this run determines */
  GRADYN_TRY(gradyn_evaluator_load(evaluator, rho));
  return hold(out, result);
}

void gradyn_lagrangian_clear(gradyn_lagrangian *l)
{
  if (l->evaluated.evaluator)
    gradyn_evaluated_clear(&l->evaluated);
  free(l->weight);
  *l = (gradyn_lagrangian){0};
}

gradyn_status gradyn_search_costates(gradyn_evaluator *evaluator, const gradyn_search *search,
                                     const gradyn_search_result *result, gradyn_costates *out)
{
  gradyn_lagrangian lagrangian;
  gradyn_message message = {.text = ""};
  if (out == NULL)
    return GRADYN_INVALID;
  *out = (gradyn_costates){0};
  if (!gradyn_evaluator_created(evaluator))
    return GRADYN_INVALID;
  gradyn_message_clear(&evaluator->message);
  if (search == NULL || result == NULL || result->rho == NULL)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID,
                       "the search, its result or a point in it is missing");
  const char *fault = gradyn_search_fault(search);
  if (fault != NULL)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID, "%s", fault);
  gradyn_status status = gradyn_lagrangian_create(evaluator, search, result, result->rho, &message,
                                                  &lagrangian);
  gradyn_evaluator *in_use = status == GRADYN_OK ? gradyn_evaluated_in_use(&lagrangian.evaluated)
                                                 : evaluator;
  if (status == GRADYN_OK)
    status = gradyn_costates_compute(in_use, lagrangian.weight, result->rho, out);
  if (status != GRADYN_OK && in_use != evaluator)
    gradyn_message_add(&message, "%s", gradyn_evaluator_message(in_use));
  gradyn_lagrangian_clear(&lagrangian);
  if (*message.text != '\0')
    gradyn_fail(&evaluator->message, status, "%s", message.text);
  return gradyn_evaluator_report(evaluator, status);
}
