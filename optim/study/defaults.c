/* Defaults of searches, and the selection for "auto".
 *
 * Evidence from 47 problems with 2 to 240 parameters and 12 s each. With slsqp and lbfgs alone, 25 end
 * optimal and 3 fail. With ipopt for constraints and at least ten free parameters, 37 end optimal and 2
 * fail, with two thirds of the evaluations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <gradyn/optimise.h>

#include "adjoint/evaluator/retired.h"
#include "adjoint/evaluator/options.h"
#include "optim/drivers/algorithms.h"
#include "optim/program/objective.h"
#include "optim/study/account.h"

enum { DEFAULT_EVALUATIONS = 1000 };

/* The optimality tolerance is this multiple of the tolerance of the run, and at least least_optimality.
 * Gradients of a dozen problems at rtol 1e-8 were exact to 1e-9 and better. */
static const double optimality_over_rtol = 10, least_optimality = 1e-6;

/* Counts on which the selection of an algorithm depends. */
typedef struct counts {
  size_t varied, controls, constraints, pieces;
  bool fits; /* all terms of the objective are fits to data */
} counts;

static counts count(const gradyn_evaluator *evaluator, const gradyn_search *search)
{
  counts c = {0};
  for (size_t i = 0; i < gradyn_parameter_count(evaluator); i++) {
    const gradyn_parameter_info info = gradyn_parameter_at(evaluator, i);
    const bool varied = (search->vary ? search->vary[i] : !info.fixed) && info.lower != info.upper;
    c.varied += varied;
    c.controls += varied && info.role == GRADYN_CONTROL;
  }
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++) {
    const gradyn_functional_use use = gradyn_functional_at(evaluator, i).use;
    c.constraints += gradyn_use_constrains(use);
    c.pieces += use == GRADYN_LARGEST && search->objective == NULL;
  }
  c.fits = gradyn_search_fits(evaluator, search);
  return c;
}

gradyn_status gradyn_search_evaluator(const gradyn_evaluator *evaluator,
                                      const gradyn_search *search, gradyn_evaluator **out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = NULL;
  if (!evaluator || !search || gradyn_search_fault(search))
    return GRADYN_INVALID;
  gradyn_options options = evaluator->asked;
  if (!gradyn_search_in_segments(search) || gradyn_method_runs_segments(options.method) ||
      gradyn_options_name_method(&options))
    return GRADYN_OK;
  options.method = "auto"; /* with "auto", a step that the user gave is refused */
  return gradyn_evaluator_clone(evaluator, &options, out);
}

void(gradyn_search_default)(const gradyn_evaluator *evaluator, gradyn_search *search)
{
  if (!search || gradyn_search_fault(search))
    return;
  *search = (gradyn_search){.struct_size = sizeof *search, .algorithm = "auto"};
  if (!evaluator)
    return;
  const gradyn_problem *problem = gradyn_evaluator_problem(evaluator);
  const char *own = problem ? problem->algorithm : NULL;
  const double rtol = gradyn_evaluator_options(evaluator).rtol;
  *search = (gradyn_search){.struct_size = sizeof *search,
                            .algorithm = own ? own : "auto",
                            .max_evaluations = DEFAULT_EVALUATIONS,
                            /* values of functionals are accurate to about rtol */
                            .ftol = fmax(1e-10, rtol),
                            .xtol = 1e-10,
                            .optimality = fmax(least_optimality, optimality_over_rtol * rtol),
                            .verify_discretisation = true};
}

static const char *plural(size_t count)
{
  return count == 1 ? "" : "s";
}

/* Writes the reason for an algorithm to why [size], for example "21 controls, 3 constraints". Adds the
 * package that a more suitable algorithm needs. */
static void explain(const counts *c, bool segments, const char *lacking, char why[], size_t size)
{
  char constraints[64] = "no constraints";
  if (c->constraints > 0)
    (void)snprintf(constraints, sizeof constraints, "%zu constraint%s", c->constraints,
                   plural(c->constraints));
  else if (c->pieces > 1)
    (void)snprintf(constraints, sizeof constraints, "the largest of %zu", c->pieces);
  (void)snprintf(why, size, "%s%zu %s%s, %s%s%s%s", c->fits ? "fit to data, " : "", c->varied,
                 c->controls == c->varied ? "control" : "parameter", plural(c->varied), constraints,
                 segments ? ", in segments" : "", lacking ? "; ipopt suits more: " : "",
                 lacking ? lacking : "");
}

gradyn_status gradyn_search_resolve(const gradyn_evaluator *evaluator, gradyn_search *search,
                                    char why[], size_t size)
{
  if (!gradyn_evaluator_created(evaluator) || !search || gradyn_search_fault(search))
    return GRADYN_INVALID;
  if (why && size > 0)
    *why = '\0';
  if (search->algorithm && strcmp(search->algorithm, "auto") != 0)
    return GRADYN_OK;
  const counts c = count(evaluator, search);
  const bool segments = gradyn_search_in_segments(search);
  const char *lacking = gradyn_algorithm_choose(c.varied, c.constraints > 0 || c.pieces > 1,
                                                segments, c.fits, &search->algorithm,
                                                &search->then);
  if (why && size > 0)
    explain(&c, segments, lacking, why, size);
  return GRADYN_OK;
}
