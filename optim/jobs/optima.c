/* Results of many searches: sorted, and grouped by distinct optima. */
#include "optim/jobs/multistart.h"

#include <math.h>
#include <stdlib.h>

/* Order for qsort(): results with an objective first, feasible before infeasible, then by objective, then
 * by number; no two are equal. */
static int compare(const void *a, const void *b)
{
  const gradyn_local *x = a, *y = b;
  /* all violations within the tolerances count as equal */
  const double x_violation = fmax(1, x->violation), y_violation = fmax(1, y->violation);
  if (isnan(x->objective) != isnan(y->objective))
    return isnan(x->objective) ? 1 : -1;
  if (!isnan(x->objective) && x_violation != y_violation)
    return x_violation < y_violation ? -1 : 1;
  if (!isnan(x->objective) && x->objective != y->objective)
    return x->objective < y->objective ? -1 : 1;
  return x->start < y->start ? -1 : 1;
}

/* Whether two results are the same optimum, within a part of the scale of each parameter. */
static bool is_same(const gradyn_local *a, const gradyn_local *b, size_t p, const double scale[],
                    double same)
{
  for (size_t j = 0; j < p; j++)
    /* fixed parameters have scale 0; NAN makes results differ */
    if (scale[j] > 0 && !(fabs(a->rho[j] - b->rho[j]) <= same * scale[j]))
      return false;
  return true;
}

bool gradyn_optima_find(gradyn_multistart_result *result, size_t p, const double scale[],
                        double same)
{
  result->optimum = calloc(result->count + 1, sizeof *result->optimum);
  if (result->optimum == NULL)
    return false;
  qsort(result->local, result->count, sizeof *result->local, compare);
  /* each result joins the first, thus best, optimum near it */
  for (size_t i = 0; i < result->count; i++) {
    gradyn_local *local = &result->local[i];
    local->optimum = -1;
    if (!local->finished || local->status != GRADYN_OK)
      continue;
    /* linear search: there are few distinct optima */
    size_t k = 0;
    while (k < result->optimum_count &&
           !is_same(&result->local[result->optimum[k].local], local, p, scale, same))
      k++;
    if (k == result->optimum_count)
      result->optimum[result->optimum_count++] = (gradyn_optimum){.local = i};
    result->optimum[k].count++;
    local->optimum = (long)k;
  }
  return true;
}
