/* A quadratic model as an objective without simulations, so that any algorithm of a search can minimise it.
 *
 * With d = rho - rho0, the functionals are psi_i = psi_i(rho0) + psi_i'(rho0) d. The objective has the
 * additional term d'Hd/2, where H is the Hessian of the Lagrangian. */
#include "optim/rounds/quadratic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "optim/drivers/algorithms.h"
#include "optim/search/search.h"

/* Longest step: a part of the range of a parameter, or without a range a multiple of its scale. It bounds
 * the decrease along directions without positive curvature. */
static const double longest = 2, longest_part = 0.25;

/* Largest number of evaluations of the model in the search for its minimum. */
enum { MOST_EVALUATIONS = 2000 };

/* --- the model as an objective ------------------------------------------------------------------ */

/* Computes product = H d with d = rho - rho0. Returns d'Hd/2. */
static double curve_by(gradyn_quadratic *q, const double rho[])
{
  const size_t n = q->block.count;
  double sum = 0;
  for (size_t a = 0; a < n; a++) {
    q->product[a] = 0;
    for (size_t b = 0; b < n; b++)
      q->product[a] += q->hessian[a * n + b] * (rho[q->acting[b]] - q->rho[q->acting[b]]);
    sum += 0.5 * q->product[a] * (rho[q->acting[a]] - q->rho[q->acting[a]]);
  }
  return sum;
}

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  (void)all; /* all gradients are known in any case */
  gradyn_quadratic *q = self;
  const size_t p = q->objective.parameter_count, f = q->objective.functional_count;
  const double weight = q->lagrangian.weight[q->minimised];
  for (size_t i = 0; i < f; i++) {
    psi[i] = q->psi[i];
    for (size_t j = 0; j < p; j++)
      psi[i] += q->gradient[i * p + j] * (rho[j] - q->rho[j]);
  }
  psi[q->minimised] += curve_by(q, rho) / weight;
  if (gradient == NULL)
    return GRADYN_OK;
  memcpy(gradient, q->gradient, f * p * sizeof *gradient);
  for (size_t a = 0; a < q->block.count; a++)
    gradient[q->minimised * p + q->acting[a]] += q->product[a] / weight;
  return GRADYN_OK;
}

static gradyn_status curve(void *self, const double weight[], const double rho[],
                           const gradyn_block **block)
{
  gradyn_quadratic *q = self;
  const size_t n = q->block.count;
  (void)rho; /* H is constant */
  for (size_t k = 0; k < n * n; k++)
    q->block.H[k] = weight[q->minimised] / q->lagrangian.weight[q->minimised] * q->hessian[k];
  *block = &q->block;
  return GRADYN_OK;
}

static const char *message(void *self)
{
  (void)self;
  return "";
}

/* --- creation ------------------------------------------------------------------------------------ */

/* Allocates for p parameters, and for `count` functionals including samples. */
static gradyn_status take_memory(gradyn_quadratic *q, size_t p, size_t count)
{
  gradyn_arena *arena = &q->arena;
  q->parameters = gradyn_arena_take(arena, p, sizeof *q->parameters);
  q->functionals = gradyn_arena_take(arena, count, sizeof *q->functionals);
  q->acting = gradyn_arena_take(arena, p, sizeof *q->acting);
  q->rho = gradyn_arena_numbers(arena, p);
  q->psi = gradyn_arena_numbers(arena, count);
  q->gradient = gradyn_arena_numbers(arena, count * p);
  q->hessian = gradyn_arena_numbers(arena, p * p);
  q->block.H = gradyn_arena_numbers(arena, p * p);
  q->product = gradyn_arena_numbers(arena, p);
  return gradyn_arena_status(arena);
}

/* Fills the symmetric matrix [count][count] of the acting parameters from rows [count][p] of second
 * derivatives. */
static void condense(gradyn_quadratic *q, size_t count)
{
  const size_t p = q->objective.parameter_count;
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++)
      q->block.H[a * count + b] = 0.5 * (q->hessian[a * p + q->acting[b]] +
                                         q->hessian[b * p + q->acting[a]]);
  memcpy(q->hessian, q->block.H, count * count * sizeof *q->hessian);
  q->block.count = count;
  q->block.parameter = q->acting;
}

/* Describes parameters and functionals. Samples replace the bounds of path constraints. */
static void describe(gradyn_quadratic *q)
{
  const gradyn_evaluated *evaluated = &q->lagrangian.evaluated;
  const gradyn_evaluator *in_use = gradyn_evaluated_in_use(evaluated);
  const size_t p = q->objective.parameter_count, f = evaluated->objective.functional_count;
  for (size_t j = 0; j < p; j++) {
    gradyn_parameter_info *info = &q->parameters[j];
    *info = evaluated->parameters[j];
    const double range = info->upper - info->lower,
                 most = isfinite(range) ? longest_part * range : longest * info->scale;
    info->lower = fmax(info->lower, q->rho[j] - most);
    info->upper = fmin(info->upper, q->rho[j] + most);
  }
  for (size_t i = 0; i < q->objective.functional_count; i++) {
    gradyn_functional_info *info = &q->functionals[i];
    *info = i < f ? evaluated->functionals[i] : gradyn_functional_at(in_use, i);
    if (i < f && info->use == GRADYN_PATH_CONSTRAINT)
      info->use = GRADYN_MONITORED;
  }
}

/* Finds the functional to which the second derivatives are added. */
static gradyn_status choose_minimised(gradyn_quadratic *q, const gradyn_search *search,
                                      gradyn_message *why)
{
  const size_t f = q->lagrangian.evaluated.objective.functional_count;
  for (q->minimised = 0; q->minimised < f; q->minimised++) {
    const gradyn_functional_info *info = &q->functionals[q->minimised];
    const bool minimised = search->objective != NULL
                               ? strcmp(info->name, search->objective) == 0
                               : info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST;
    if (minimised && q->lagrangian.weight[q->minimised] != 0)
      return GRADYN_OK;
  }
  return gradyn_fail(why, GRADYN_UNSUPPORTED, "no functional is minimised");
}

/* Computes values, gradients and second derivatives at the point. */
static gradyn_status differentiate(gradyn_quadratic *q)
{
  const gradyn_objective *of = &q->lagrangian.evaluated.objective;
  size_t acting = 0;
  GRADYN_TRY(of->evaluate(of->self, false, q->rho, q->psi, q->gradient));
  GRADYN_TRY(gradyn_hessian_block(gradyn_evaluated_in_use(&q->lagrangian.evaluated),
                                  q->lagrangian.weight, q->rho, q->acting, &acting, q->hessian));
  condense(q, acting);
  /* gradients that no search uses were not computed: they become zero */
  const bool *used = gradyn_evaluated_wanted(&q->lagrangian.evaluated);
  const size_t p = q->objective.parameter_count;
  for (size_t i = 0; i < q->objective.functional_count; i++)
    if (!used[i])
      memset(q->gradient + i * p, 0, p * sizeof *q->gradient);
  return GRADYN_OK;
}

gradyn_status gradyn_quadratic_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const gradyn_search_result *result, const double rho[],
                                      gradyn_message *why, gradyn_quadratic *q)
{
  const size_t p = gradyn_parameter_count(evaluator);
  *q = (gradyn_quadratic){0};
  GRADYN_TRY(gradyn_lagrangian_create(evaluator, search, result, rho, why, &q->lagrangian));
  GRADYN_TRY(take_memory(q, p, q->lagrangian.count));
  memcpy(q->rho, rho, p * sizeof *rho);
  q->objective = (gradyn_objective){.parameters = q->parameters,
                                    .functionals = q->functionals,
                                    .parameter_count = p,
                                    .functional_count = q->lagrangian.count,
                                    .evaluate = evaluate,
                                    .message = message,
                                    .blocks = {.count = 1},
                                    .curve = curve,
                                    .self = q};
  describe(q);
  GRADYN_TRY(choose_minimised(q, search, why));
  const gradyn_status status = differentiate(q);
  if (status != GRADYN_OK)
    gradyn_fail(why, status, "%s",
                gradyn_evaluator_message(gradyn_evaluated_in_use(&q->lagrangian.evaluated)));
  return status;
}

void gradyn_quadratic_clear(gradyn_quadratic *q)
{
  gradyn_lagrangian_clear(&q->lagrangian);
  gradyn_arena_clear(&q->arena);
  *q = (gradyn_quadratic){0};
}

/* --- minimum ------------------------------------------------------------------------------------- */

gradyn_status gradyn_quadratic_minimise(gradyn_quadratic *q, const gradyn_search *search,
                                        double step[], double *decrease)
{
  LOCAL(gradyn_search_result) result = {0};
  gradyn_search how = {.struct_size = sizeof how,
                       .max_evaluations = MOST_EVALUATIONS,
                       .optimality = 1e-9,
                       .vary = search->vary,
                       .objective = search->objective};
  (void)gradyn_algorithm_choose(q->objective.parameter_count, true, true, false, &how.algorithm,
                                &how.then);
  how.hessian = strcmp(how.algorithm, "ipopt") == 0;
  const gradyn_status status = gradyn_search_run(&q->objective, &how, q->rho, &result);
  if (status == GRADYN_NO_MEMORY)
    return status;
  if (result.rho == NULL || !isfinite(result.objective) || result.violation > 1)
    return GRADYN_NOT_CONVERGED;
  for (size_t j = 0; j < q->objective.parameter_count; j++)
    step[j] = result.rho[j] - q->rho[j];
  *decrease = fmax(result.initial_objective - result.objective, 0);
  return GRADYN_OK;
}
