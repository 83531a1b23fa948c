/* Checks whether an optimum is one of the mechanism or only of its discretisation.
 *
 * An optimum is simulated with half the step with which it was found. With a scheme of order p, its numbers
 * then change by (1 - 2^-p) of their error. With a step k times smaller, this change would be k^p times
 * smaller. If a finer step must be recommended, p is measured by a second halving. */
#include "optim/search/recheck.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/choice.h"

/* Change of the objective that counts as one tolerance: relative to its value, and to its scale. The larger
 * one counts. */
static const double value_tolerance = 1e-5, scale_tolerance = 1e-6;
/* With the recommended options, the remaining change should be this part of a tolerance. */
static const double aim = 0.5;
/* smallest tolerance that is requested from a method */
static const double least_rtol = 1e-13;

void gradyn_recheck_tighten(gradyn_options *o, double times)
{
  const double rtol = fmax(o->rtol / times, least_rtol);
  o->atol *= rtol / o->rtol;
  o->rtol = rtol;
}

/* Returns options that are `times` as fine as those of the search. */
static gradyn_options finer_options(const gradyn_evaluator *evaluator, double times)
{
  gradyn_options o = gradyn_evaluator_options(evaluator);
  if (o.rtol > 0) {
    /* an adaptive method gets a tighter rtol, any other one a smaller step */
    gradyn_recheck_tighten(&o, times);
  } else {
    o.step /= times;
    o.max_steps = (long)((double)o.max_steps * times); /* 0, the default of the method, remains 0 */
  }
  return o;
}

/* Computes the functionals at rho with options that are `times` as fine. On failure, the message states
 * the reason. */
static gradyn_status simulate(gradyn_evaluator *evaluator, double times, const double rho[],
                              double psi[], gradyn_message *message)
{
  const gradyn_options options = finer_options(evaluator, times);
  OWNED(gradyn_evaluator) *exact = NULL;
  /* a separate evaluator, so that the caller's keeps its options and state */
  gradyn_status status = gradyn_evaluator_clone(evaluator, &options, &exact);
  if (status == GRADYN_OK) {
    /* uses the method with which the search has found the result */
    gradyn_choice_follow(exact, evaluator);
    status = gradyn_evaluator_simulate(exact, rho, psi, NULL);
  }
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "%s", gradyn_evaluator_message(exact));
  return GRADYN_OK;
}

/* Change of constraint i from psi to `exact` towards violation, in tolerances. */
static double row_movement(const gradyn_program *program, size_t i, const double psi[],
                           const double exact[])
{
  const double before = gradyn_program_row(program, i, psi);
  const double after = gradyn_program_row(program, i, exact);
  const double tolerance = program->rows[i].tolerance;
  /* an equality may change in either direction */
  if (i < program->equality_count)
    return fabs(after - before) / tolerance;
  /* an inequality counts only in the direction of violation */
  return (fmax(after, 0) - fmax(before, 0)) / tolerance;
}

/* Returns the largest change, divided by its tolerance. *whose: index of the constraint with this change,
 * or row_count for the objective. */
static double largest_movement(const gradyn_program *program, double objective_allowed,
                               const double psi[], const double exact[], size_t *whose)
{
  const double change = gradyn_program_value(program, exact) - gradyn_program_value(program, psi);
  double moved = fabs(change) / objective_allowed;
  *whose = program->row_count; /* row_count: the objective */
  for (size_t i = 0; i < program->row_count; i++) {
    const double row = row_movement(program, i, psi, exact);
    if (row > moved) {
      moved = row;
      *whose = i;
    }
  }
  return moved;
}

/* Change of the objective that counts as one tolerance. */
static double allowed(const gradyn_search_result *result)
{
  /* objective_scale is the inverse of the size of the objective */
  return fmax(value_tolerance * fabs(result->objective), scale_tolerance / result->objective_scale);
}

/* Returns the factor by which the options must be finer. If the order cannot be measured, or the measured
 * order is above two, it is assumed to be two. */
static double times_needed(const gradyn_program *program, gradyn_evaluator *evaluator,
                           double objective_allowed, gradyn_search_result *result, double *quarter)
{
  gradyn_discretisation_check *recheck = &result->discretisation;
  if (recheck->rtol > 0)
    /* the error is proportional to rtol; the factor is a power of ten, as users write rtol */
    return pow(10, ceil(log10(recheck->change / aim)));
  gradyn_message ignored = {{0}};
  double order = 2;
  size_t whose;
  if (simulate(evaluator, 4, result->rho, quarter, &ignored) == GRADYN_OK) {
    /* the change with steps k times smaller is proportional to k^-p: the quotient of two changes is 2^p */
    const double again = largest_movement(program, objective_allowed, recheck->psi, quarter,
                                          &whose);
    order = again > 0 ? fmin(fmax(log2(recheck->change / again), 0.5), 2) : 2;
  }
  /* change / times^p = aim */
  return ceil(pow(recheck->change / aim, 1 / order));
}

/* Reports the quantity that changed by more than its tolerance. */
static void report_movement(const gradyn_program *program, size_t whose,
                            gradyn_search_result *result)
{
  const gradyn_discretisation_check *recheck = &result->discretisation;
  const char *name = whose < program->row_count
                         ? program->objective->functionals[program->rows[whose].functional].name
                         : "the objective";
  gradyn_result_warn(
      result, GRADYN_WARNING(DISCRETISATION, .subject = name, .value = recheck->change, .limit = 1,
                             .suggestion = recheck->step > 0 ? recheck->step_to_use
                                                             : recheck->rtol_to_use));
}

/* Computes the changes of objective and constraints at the optimum, and the options that suffice. */
static void judge(const gradyn_program *program, gradyn_evaluator *evaluator,
                  gradyn_search_result *result, double *quarter)
{
  gradyn_discretisation_check *recheck = &result->discretisation;
  const double objective_allowed = allowed(result);
  size_t whose;
  recheck->objective = gradyn_program_value(program, recheck->psi);
  /* psi at the optimum, compared with psi with finer options */
  recheck->change = largest_movement(program, objective_allowed, result->psi, recheck->psi, &whose);
  recheck->functional = whose < program->row_count ? program->rows[whose].functional
                                                   : program->objective->functional_count;
  double times = 1; /* 1: the options of the search suffice */
  if (recheck->change > 1)
    times = times_needed(program, evaluator, objective_allowed, result, quarter);
  const gradyn_options use = finer_options(evaluator, times);
  recheck->step_to_use = recheck->step > 0 ? use.step : 0;
  recheck->rtol_to_use = recheck->rtol > 0 ? use.rtol : 0;
  if (recheck->change > 1)
    report_movement(program, whose, result);
}

/* Removes the recheck from the result, after a request to end. */
static void forget(gradyn_discretisation_check *recheck)
{
  free(recheck->psi);
  *recheck = (gradyn_discretisation_check){.done = false};
}

gradyn_status gradyn_recheck_run(gradyn_evaluator *evaluator, const gradyn_objective *objective,
                                 const gradyn_search *search, gradyn_search_result *result)
{
  gradyn_discretisation_check *recheck = &result->discretisation;
  const size_t f = objective->functional_count;
  const bool adaptive = gradyn_evaluator_options(evaluator).rtol > 0;
  const double times = adaptive ? 10 : 2;
  OWNED(gradyn_program) *program = NULL;
  gradyn_message message = {{0}};
  FREED double *quarter = calloc(f + 1, sizeof *quarter);
  recheck->psi = calloc(f + 1, sizeof *recheck->psi);
  /* only constraints and terms are used */
  if (gradyn_program_create(objective, search, result->rho, &program) != GRADYN_OK ||
      !recheck->psi || !quarter)
    return GRADYN_NO_MEMORY;
  const gradyn_options options = finer_options(evaluator, times);
  recheck->done = true;
  recheck->step = adaptive ? 0 : options.step;
  recheck->rtol = adaptive ? options.rtol : 0;
  recheck->status = simulate(evaluator, times, result->rho, recheck->psi, &message);
  /* a failure with finer options is a warning; the search has not failed */
  if (recheck->status == GRADYN_INTERRUPTED)
    forget(recheck);
  else if (recheck->status == GRADYN_OK)
    judge(program, evaluator, result, quarter);
  else
    gradyn_result_warn(result, GRADYN_WARNING(ACCURACY_UNKNOWN, .subject = message.text));
  return GRADYN_OK;
}
