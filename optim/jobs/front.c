/* The front: points that no other point dominates, and the trade-off between both functionals there. */
#include "optim/jobs/pareto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/program/point.h"

/* Order for qsort(): by the second functional, then the first, then the address; no two are equal. */
static int compare(const void *a, const void *b)
{
  const gradyn_pareto_point *x = *(gradyn_pareto_point *const *)a;
  const gradyn_pareto_point *y = *(gradyn_pareto_point *const *)b;
  /* in this order, a single pass over the points finds the front */
  if (x->second != y->second)
    return x->second < y->second ? -1 : 1;
  if (x->first != y->first)
    return x->first < y->first ? -1 : 1;
  return x < y ? -1 : 1;
}

bool gradyn_front_find(gradyn_pareto_result *result, double first, double second)
{
  gradyn_pareto_point **sorted = calloc(result->count + 1, sizeof(void *)), *last = NULL;
  size_t feasible = 0;
  if (sorted == NULL)
    return false;
  for (size_t i = 0; i < result->count; i++) {
    gradyn_pareto_point *point = &result->point[i];
    point->on_front = false;
    /* only feasible points can dominate others */
    if (isfinite(point->first) && isfinite(point->second) && point->violation <= 1)
      sorted[feasible++] = point;
  }
  if (feasible > 0)
    qsort(sorted, feasible, sizeof(void *), compare);
  result->front = 0;
  /* points are sorted by the second functional: one is dominated unless its first functional is below that
   * of the last point on the front */
  for (size_t i = 0; i < feasible; i++) {
    gradyn_pareto_point *point = sorted[i];
    /* the argument `first` is the smallest difference that counts */
    if (last != NULL && !(point->first < last->first - first))
      continue;
    /* if this point equals the previous one in the second functional and is better in the first, it
     * dominates the previous one */
    if (last != NULL && point->second <= last->second + second) {
      last->on_front = false;
      result->front--;
    }
    point->on_front = true;
    result->front++;
    last = point;
  }
  free(sorted);
  return true;
}

/* Returns the multiplier of constraint i from its value in the scaled program. In that program, the
 * constraint is multiplied by the ratio of its tolerances, and the objective by the factor of the
 * optimality test. */
static double unscaled(const gradyn_optimality *judge, size_t i)
{
  /* the factor that linearise_row() gave the constraint */
  const double row = judge->tolerance[i] / judge->program->rows[i].tolerance;
  return judge->lam[i] * row / judge->factor;
}

bool gradyn_front_trade_off(const gradyn_objective *objective, const gradyn_search *search,
                            size_t second, const gradyn_search_result *end, double *trade_off)
{
  gradyn_program *program = NULL;
  gradyn_optimality judge;
  memset(&judge, 0, sizeof judge);
  bool good = gradyn_program_create(objective, search, end->rho, &program) == GRADYN_OK &&
              gradyn_optimality_allocate(&judge, program);
  *trade_off = 0;
  if (good) {
    /* borrowed: the evaluation changes none of these */
    gradyn_trial point = {
        .filled = true, .rho = end->rho, .psi = end->psi, .gradient = end->gradient};
    /* the scale in which the search tested its end */
    judge.factor = end->objective_scale > 0 ? end->objective_scale : 1;
    judge.optimality = search->optimality;
    gradyn_optimality_evaluate(&judge, &point);
    /* change of the first functional per unit of the limit: the multiplier */
    for (size_t i = program->equality_count; i < program->row_count; i++)
      if (program->rows[i].functional == second)
        *trade_off = unscaled(&judge, i);
  }
  gradyn_optimality_clear(&judge);
  gradyn_program_free(program);
  return good;
}
