/* Parameter sweeps: evaluations on a grid or at the points of a Sobol sequence. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/jobs/points.h"
#include "optim/rounds/resume.h"
#include "optim/jobs/sobol.h"

/* Stores the text of a failure in the result. */
static gradyn_status fail(gradyn_sweep_result *result, gradyn_status status, const char *text)
{
  (void)snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1,
                 text);
  return status;
}

void gradyn_sweep_result_clear(gradyn_sweep_result *result)
{
  if (result == NULL)
    return;
  free(result->rho);
  free(result->status);
  free(result->psi);
  free(result->gradient);
  memset(result, 0, sizeof *result);
}

/* Reports a lack of memory. The result then has no arrays, because incomplete arrays would look like
 * results. */
static gradyn_status give_up(gradyn_sweep_result *result)
{
  gradyn_sweep_result_clear(result);
  return fail(result, GRADYN_NO_MEMORY, "out of memory for the points of a sweep");
}

/* Largest number of parameters, values and derivatives of all points together: 400 MB of memory. */
enum { MOST_NUMBERS = 50000000 };

/* Checks whether the results fit into memory. */
static gradyn_status check_size(const gradyn_sweep_spec *spec, size_t p, size_t f,
                                gradyn_sweep_result *result)
{
  const size_t each = 1 + p + f + (spec->gradient ? f * p : 0);
  char text[200];
  if (result->count <= MOST_NUMBERS / each)
    return GRADYN_OK;
  (void)snprintf(
      text, sizeof text,
      "sweep: %zu points with %zu numbers each; %d numbers are allowed. Take at most %zu "
      "points",
      result->count, each, MOST_NUMBERS, MOST_NUMBERS / each);
  return fail(result, GRADYN_INVALID, text);
}

/* Checks the specification, and computes the number of points. */
static gradyn_status check(const gradyn_sweep_spec *spec, size_t p, gradyn_sweep_result *result)
{
  size_t count = spec->range_count > 0;
  char text[240];
  if (spec->range_count == 0 || spec->folder == NULL)
    return fail(result, GRADYN_INVALID, "a sweep needs a range and a folder");
  for (size_t i = 0; i < spec->range_count; i++) {
    const gradyn_range *range = &spec->range[i];
    /* a grid needs a number of points for every range; a sequence has one number for all ranges */
    if (range->parameter >= p || !isfinite(range->from) || !isfinite(range->to) ||
        (spec->points == 0 && range->count == 0)) {
      (void)snprintf(text, sizeof text,
                     "range %zu: parameter %zu of %zu from %g to %g, %zu points. The parameter "
                     "must exist, both ends must be finite, and at least 1 point is needed",
                     i + 1, range->parameter, p, range->from, range->to, range->count);
      return fail(result, GRADYN_INVALID, text);
    }
    if (spec->points == 0 &&
        range->count > UINT32_MAX / count) /* the product would exceed 32 bits */
      return fail(result, GRADYN_INVALID, "the grid has more than 4294967295 points");
    count *= spec->points == 0 ? range->count : 1;
  }
  result->count = spec->points > 0 ? spec->points : count;
  return result->count <= UINT32_MAX
             ? GRADYN_OK
             : fail(result, GRADYN_INVALID, "a sweep has at most 4294967295 points");
}

/* Allocates the arrays of the result, which belongs to the caller. */
static gradyn_status take_memory(const gradyn_sweep_spec *spec, size_t p, size_t f,
                                 gradyn_sweep_result *result)
{
  const size_t n = result->count;
  result->rho = calloc(n, (p + 1) * sizeof *result->rho);
  result->status = calloc(n, sizeof *result->status);
  result->psi = calloc(n, (f + 1) * sizeof *result->psi);
  if (spec->gradient)
    result->gradient = calloc(n, (f * p + 1) * sizeof *result->gradient);
  /* the gradient only if requested */
  return result->rho != NULL && result->status != NULL && result->psi != NULL &&
                 (result->gradient != NULL || !spec->gradient)
             ? GRADYN_OK
             : give_up(result);
}

/* Returns the value of a range at point i of its grid. The first and last values are exact. */
static double on_grid(const gradyn_range *range, size_t i)
{
  if (i + 1 == range->count && i > 0) /* from + (to - from) may differ from `to` by round-off */
    return range->to;
  return i == 0 ? range->from
                : range->from + (range->to - range->from) * (double)i / (double)(range->count - 1);
}

/* Computes rho of all points. */
static gradyn_status lay_points(const gradyn_sweep_spec *spec, const double rho0[], size_t p,
                                gradyn_sweep_result *result)
{
  gradyn_sobol *sobol = gradyn_sobol_create(spec->range_count, spec->seed);
  if (sobol == NULL)
    return give_up(result);
  for (size_t i = 0; i < result->count; i++) {
    double *rho = result->rho + i * p;
    memcpy(rho, rho0, p * sizeof *rho);
    /* i as a mixed-radix number: its digit k is the index in range k */
    size_t rest = i; /* the last range changes fastest */
    for (size_t k = spec->range_count; k-- > 0;) {
      const gradyn_range *range = &spec->range[k];
      const double u = gradyn_sobol_coordinate(sobol, (uint32_t)i, k);
      rho[range->parameter] = spec->points > 0 ? range->from + (range->to - range->from) * u
                                               : on_grid(range, rest % range->count);
      rest = spec->points > 0 ? 0 : rest / range->count;
    }
  }
  gradyn_sobol_free(sobol);
  return GRADYN_OK;
}

/* Copies evaluations from journals to the arrays of the caller. */
static void copy_results(const gradyn_points *points, gradyn_sweep_result *result)
{
  const size_t p = points->objective->parameter_count, f = points->objective->functional_count;
  for (size_t i = 0; i < result->count; i++) {
    const gradyn_record *record = gradyn_points_at(points, i);
    const bool good = record != NULL && record->status == GRADYN_OK;
    result->status[i] = record != NULL ? record->status : GRADYN_INTERRUPTED;
    result->missing += record == NULL;
    for (size_t k = 0; k < f; k++)
      /* NAN if an evaluation failed or is missing */
      result->psi[i * f + k] = good ? record->psi[k] : NAN;
    if (result->gradient != NULL && good)
      (void)gradyn_record_copy(record, NULL, p, f, result->gradient + i * f * p);
    for (size_t k = 0; k < f * p && result->gradient != NULL && !good; k++)
      result->gradient[i * f * p + k] = NAN;
  }
}

gradyn_status gradyn_sweep(gradyn_evaluator *evaluator, const gradyn_sweep_spec *spec,
                           const double rho0[], gradyn_sweep_result *result)
{
  gradyn_evaluated evaluated;
  gradyn_search search;
  if (result == NULL)
    return GRADYN_INVALID;
  memset(result, 0, sizeof *result);
  rho0 = gradyn_evaluator_point(evaluator, rho0);
  const char *missing = gradyn_task_missing(evaluator, spec, rho0);
  if (missing != NULL)
    return fail(result, GRADYN_INVALID, missing);
  gradyn_search_default(evaluator, &search);
  if (!gradyn_evaluated_create(evaluator, NULL, &evaluated)) {
    /* clears what was created before memory ran out */
    gradyn_evaluated_clear(&evaluated);
    return fail(result, GRADYN_NO_MEMORY, "out of memory");
  }
  const gradyn_objective *objective = &evaluated.objective;
  const size_t p = objective->parameter_count;
  /* points in a journal of the folder are not evaluated again */
  gradyn_points points = {.objective = objective,
                          .evaluator = evaluator,
                          .search = &search,
                          .gradient = spec->gradient,
                          .folder = spec->folder,
                          .durability = spec->durability,
                          .workers = spec->workers};
  gradyn_status status = check(spec, p, result);
  if (status == GRADYN_OK)
    status = check_size(spec, p, objective->functional_count, result);
  if (status == GRADYN_OK)
    status = take_memory(spec, p, objective->functional_count, result);
  if (status == GRADYN_OK)
    status = lay_points(spec, rho0, p, result);
  /* without arrays, the result must have no points */
  if (result->rho == NULL)
    result->count = 0;
  if (status == GRADYN_OK) {
    /* the points are known only now */
    points.rho = result->rho;
    points.count = result->count;
    status = gradyn_points_evaluate(&points);
    if (status != GRADYN_OK)
      (void)fail(result, status, points.message.text);
    copy_results(&points, result);
  }
  gradyn_points_clear(&points);
  gradyn_evaluated_clear(&evaluated);
  return status;
}
