/* Entry: a search over the functionals of an evaluator. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/numbers.h"
#include "optim/recheck.h"

enum { DEFAULT_EVALUATIONS = 1000 };

/* An evaluator, and the functionals [functionals] whose gradients a search uses. */
typedef struct used {
  gradyn_evaluator *evaluator;
  bool *wanted;
} used;

/* Where the gradient of what is only monitored fails, its rows are NAN, and the search goes on. */
static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  const used *u = self;
  gradyn_status status = all ? gradyn_gradient(u->evaluator, rho, psi, gradient) : GRADYN_OK;
  /* without memory, or on request, there is nothing to try again */
  if (all && (status == GRADYN_OK || gradyn_status_classify((int)status) == GRADYN_CLASS_FATAL))
    return status;
  status = gradyn_gradient_of(u->evaluator, u->wanted, rho, psi, gradient);
  size_t p = gradyn_parameter_count(u->evaluator), f = gradyn_functional_count(u->evaluator);
  for (size_t i = 0; i < f && status == GRADYN_OK; i++)
    for (size_t j = 0; j < p && !u->wanted[i]; j++)
      gradient[i * p + j] = NAN;
  return status;
}

static gradyn_status numbers(void *self, const double rho[], double psi[])
{
  return gradyn_evaluator_numbers(((const used *)self)->evaluator, rho, psi);
}

/* Whether a bound on a number of build() can tell that a design need not be simulated. */
static bool bounds_numbers(const gradyn_evaluator *evaluator)
{
  for (size_t f = 0; f < gradyn_functional_count(evaluator); f++) {
    const gradyn_use use = gradyn_functional_at(evaluator, f).use;
    if ((use == GRADYN_AT_MOST || use == GRADYN_AT_LEAST) &&
        gradyn_evaluator_is_number(evaluator, f))
      return true;
  }
  return false;
}

static const char *message(void *self)
{
  return gradyn_evaluator_message(((const used *)self)->evaluator);
}

static long steps(void *self)
{
  return gradyn_evaluator_statistics(((const used *)self)->evaluator).steps;
}

/* What is minimised and what is constrained; one that is minimised instead takes the place of the former. */
static bool is_used(const gradyn_functional_info *info, const char *objective)
{
  if (objective && strcmp(info->name, objective) == 0)
    return true;
  bool minimised = info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST;
  return info->use != GRADYN_MONITORED && !(objective && minimised);
}

static const char *warnings(void *self)
{
  return gradyn_evaluator_warnings(((const used *)self)->evaluator);
}

void gradyn_search_default(const gradyn_evaluator *evaluator, gradyn_search *search)
{
  if (!search)
    return;
  *search = (gradyn_search){.algorithm = "lbfgs"};
  if (!evaluator)
    return;
  size_t constraints = 0, pieces = 0;
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_use use = gradyn_functional_at(evaluator, i).use;
    constraints += use == GRADYN_EQUAL || use == GRADYN_AT_MOST || use == GRADYN_AT_LEAST;
    pieces += use == GRADYN_LARGEST;
  }
  /* functionals are known to about rtol, gradients to about a thousand times that: asking for more
   * makes a search chase noise */
  const char *chosen = gradyn_evaluator_problem(evaluator)->algorithm;
  const char *usual = constraints > 0 || pieces > 1 ? "slsqp" : "lbfgs";
  const double rtol = gradyn_evaluator_options(evaluator).rtol;
  *search = (gradyn_search){.algorithm = chosen ? chosen : usual,
                            .max_evaluations = DEFAULT_EVALUATIONS,
                            .ftol = fmax(1e-10, rtol),
                            .xtol = 1e-10,
                            .optimality = fmax(1e-6, 1e3 * rtol),
                            .recheck = true};
}

/* Whether there is a point that somebody may take for an optimum, and nobody asked for an end. */
static bool worth_rechecking(const gradyn_search_result *result)
{
  return result->ending != GRADYN_ENDED_STOPPED && result->ending != GRADYN_ENDED_FAILED &&
         isfinite(result->objective);
}

gradyn_status gradyn_optimise(gradyn_evaluator *evaluator, const gradyn_search *search,
                              const double rho0[], gradyn_search_result *result)
{
  if (!result)
    return GRADYN_INVALID;
  if (!evaluator || !search || !rho0) {
    *result = (gradyn_search_result){.ending = GRADYN_ENDED_FAILED};
    snprintf(result->reason, sizeof result->reason, "%s is NULL",
             !evaluator ? "the evaluator"
             : !search  ? "the search"
                        : "the start");
    return GRADYN_INVALID;
  }
  const size_t p = gradyn_parameter_count(evaluator), f = gradyn_functional_count(evaluator);
  gradyn_status status = GRADYN_NO_MEMORY;
  gradyn_parameter_info *parameters = calloc(p + 1, sizeof *parameters);
  gradyn_functional_info *functionals = calloc(f + 1, sizeof *functionals);
  used u = {evaluator, calloc(f + 1, sizeof *u.wanted)};
  memset(result, 0, sizeof *result);
  result->ending = GRADYN_ENDED_FAILED;
  strcpy(result->reason, "out of memory");
  if (parameters != NULL && functionals != NULL && u.wanted != NULL) {
    for (size_t i = 0; i < p; i++)
      parameters[i] = gradyn_parameter_at(evaluator, i);
    for (size_t i = 0; i < f; i++) {
      functionals[i] = gradyn_functional_at(evaluator, i);
      u.wanted[i] = is_used(&functionals[i], search->objective);
    }
    const gradyn_objective objective = {.parameters = parameters,
                                        .functionals = functionals,
                                        .parameter_count = p,
                                        .functional_count = f,
                                        .used = u.wanted,
                                        .evaluate = evaluate,
                                        .numbers = bounds_numbers(evaluator) ? numbers : NULL,
                                        .message = message,
                                        .steps = steps,
                                        .warnings = warnings,
                                        .self = &u};
    status = gradyn_search_run(&objective, search, rho0, result);
    if (search->recheck && worth_rechecking(result) &&
        gradyn_recheck_run(evaluator, &objective, search, result) == GRADYN_NO_MEMORY)
      status = GRADYN_NO_MEMORY;
  }
  free(parameters);
  free(functionals);
  free(u.wanted);
  return status;
}
