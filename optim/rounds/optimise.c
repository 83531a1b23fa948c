/* Entry: a search over the functionals of an evaluator.
 *
 * The evaluator becomes a gradyn_objective, the interface of a search. The journal (optim/study/replay.c)
 * surrounds this objective, and the search surrounds both. Steps that need the evaluator itself, such as a
 * recheck with finer options, follow at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/choice.h"
#include "adjoint/evaluator/numbers.h"
#include "adjoint/gradient/gradient.h"
#include "core/base/clock.h"
#include "core/files/json.h"
#include "optim/search/recheck.h"
#include "optim/rounds/integers.h"
#include "optim/rounds/refine.h"
#include "optim/search/routes.h"
#include "optim/search/exact_maxima.h"
#include "optim/drivers/algorithms.h"
#include "optim/segments/sparsity.h"
#include "optim/study/account.h"

/* Computes values and gradients. If the gradient of a monitored functional fails, it is NAN, and the search
 * continues. */
static gradyn_status differentiate(const gradyn_evaluated *u, bool all, const double rho[],
                                   double psi[], double gradient[])
{
  gradyn_evaluator *evaluator = gradyn_evaluated_in_use(u);
  const bool *requested = gradyn_evaluated_wanted(u);
  gradyn_status status = all ? gradyn_end_gradient(evaluator, u->optimality > 0 ? u->start : NULL,
                                                   u->optimality, rho, psi, gradient)
                             : GRADYN_OK;
  /* a second attempt is useless if memory is lacking or an end was requested */
  if (all &&
      (status == GRADYN_OK || gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL))
    return status;
  /* rows of functionals that were not requested are no derivatives: NAN */
  status = gradyn_evaluator_gradient_selected(evaluator, requested, rho, psi, gradient);
  size_t p = gradyn_parameter_count(evaluator), f = gradyn_functional_count(evaluator);
  for (size_t i = 0; i < f && status == GRADYN_OK; i++)
    for (size_t j = 0; j < p && !requested[i]; j++)
      gradient[i * p + j] = NAN;
  return status;
}

/* Computes values, and gradients unless `gradient` is NULL. */
static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  const gradyn_evaluated *u = self;
  /* values alone are requested */
  if (gradient == NULL)
    GRADYN_TRY(gradyn_evaluator_simulate(gradyn_evaluated_in_use(u), rho, psi, NULL));
  else
    GRADYN_TRY(differentiate(u, all, rho, psi, gradient));
  gradyn_evaluated_fill_sides(u, psi, gradient);
  return GRADYN_OK;
}

/* Sets the deadline for the evaluator with samples, and for the evaluator without samples. */
static void limit(void *self, double until)
{
  const gradyn_evaluated *u = self;
  gradyn_evaluator_limit(u->evaluator, until, false);
  gradyn_evaluator_limit(gradyn_evaluated_in_use(u), until, false);
}

static gradyn_status values(void *self, double seconds, const double rho[], double psi[])
{
  gradyn_evaluated *u = self;
  const double until = u->evaluator->request.until;
  gradyn_evaluator_limit(u->evaluator, gradyn_seconds() + seconds, true);
  const gradyn_status status = gradyn_evaluator_simulate(u->evaluator, rho, psi, NULL);
  gradyn_evaluator_limit(u->evaluator, until, false);
  return status;
}

/* Computes the values that need no simulation. */
static gradyn_status numbers(void *self, const double rho[], double psi[])
{
  return gradyn_evaluator_numbers(gradyn_evaluated_in_use(self), rho, psi);
}

/* Whether a bound on a value that build() computes can reject a design without a simulation. */
static bool bounds_numbers(const gradyn_evaluator *evaluator)
{
  for (size_t f = 0; f < gradyn_functional_count(evaluator); f++) {
    const gradyn_functional_use use = gradyn_functional_at(evaluator, f).use;
    if ((use == GRADYN_AT_MOST || use == GRADYN_AT_LEAST) &&
        gradyn_evaluator_is_number(evaluator, f))
      return true;
  }
  return false;
}

/* Returns the message of the last evaluation. */
static const char *message(void *self)
{
  return gradyn_evaluator_message(gradyn_evaluated_in_use(self));
}

/* Returns the number of steps of the last evaluation, by which the cost of a search is reported. */
static long steps(void *self)
{
  return gradyn_evaluator_statistics(gradyn_evaluated_in_use(self)).steps;
}

/* Whether a functional is minimised or constrained. A named objective replaces the objective of the
 * problem. */
static bool is_used(const gradyn_functional_info *info, const char *objective)
{
  /* the objective is found by name, whatever its declared use */
  if (objective && strcmp(info->name, objective) == 0)
    return true;
  bool minimised = info->use == GRADYN_OBJECTIVE || info->use == GRADYN_LARGEST;
  return info->use != GRADYN_MONITORED && !(objective && minimised);
}

/* Returns the warnings of the last evaluation, which become part of the result of the search. */
static const gradyn_warnings *warnings(void *self)
{
  return &gradyn_evaluated_in_use(self)->warnings;
}

/* Whether a result may be an optimum: the search was not stopped and has not failed. */
static bool worth_rechecking(const gradyn_search_result *result)
{
  return result->termination != GRADYN_TERMINATION_STOPPED &&
         result->termination != GRADYN_TERMINATION_FAILED && isfinite(result->objective);
}

/* Stores the start of a search: errors of gradients at its end are compared with the gradient at the start.
 */
static void begins(void *self, const double rho0[], double optimality)
{
  gradyn_evaluated *u = self;
  memcpy(u->start, rho0, u->objective.parameter_count * sizeof *u->start);
  u->optimality = optimality;
}

/* Creates a separate evaluator for a thread, with the same choices of methods. */
static void *copy(void *self)
{
  const gradyn_evaluated *u = self;
  const gradyn_options options = gradyn_evaluator_options(u->evaluator);
  gradyn_evaluated *own = calloc(1, sizeof *own);
  gradyn_evaluator *evaluator = NULL;
  if (own != NULL && gradyn_evaluator_clone(u->evaluator, &options, &evaluator) == GRADYN_OK &&
      gradyn_evaluated_create(evaluator, NULL, own)) {
    gradyn_choice_follow(evaluator, u->evaluator);
    begins(own, u->start, u->optimality);
    memcpy(own->requested, u->requested, u->objective.functional_count * sizeof *own->requested);
    return own;
  }
  if (own != NULL)
    gradyn_evaluated_clear(own);
  gradyn_evaluator_free(evaluator);
  free(own);
  return NULL;
}

static void release(void *self)
{
  gradyn_evaluated *own = self;
  gradyn_evaluator_free(own->evaluator);
  gradyn_evaluated_clear(own);
  free(own);
}

static gradyn_status describe(void *self, gradyn_search_result *result, json_t **root)
{
  (void)result;
  gradyn_json_put(root, "problem",
                  gradyn_json_text(((gradyn_evaluated *)self)->evaluator->problem->name));
  return GRADYN_OK;
}

bool gradyn_evaluated_create(gradyn_evaluator *evaluator, const char *objective,
                             gradyn_evaluated *out)
{
  const size_t p = gradyn_parameter_count(evaluator), f = gradyn_functional_count(evaluator);
  *out = (gradyn_evaluated){.evaluator = evaluator,
                            .parameters = calloc(p + 1, sizeof *out->parameters),
                            .functionals = calloc(f + 1, sizeof *out->functionals),
                            .requested = calloc(f + 1, sizeof *out->requested),
                            .start = calloc(p + 1, sizeof *out->start),
                            .chance = calloc(f + 1, sizeof *out->chance)};
  if (out->parameters == NULL || out->functionals == NULL || out->requested == NULL ||
      out->start == NULL || out->chance == NULL)
    return false;
  /* parameters and functionals of the evaluator, as a search needs them */
  for (size_t i = 0; i < p; i++)
    out->parameters[i] = gradyn_parameter_at(evaluator, i);
  for (size_t i = 0; i < f; i++) {
    out->functionals[i] = gradyn_functional_at(evaluator, i);
    out->requested[i] = is_used(&out->functionals[i], objective);
  }
  out->objective = (gradyn_objective){.parameters = out->parameters,
                                      .functionals = out->functionals,
                                      /* monitored functionals need no gradient */
                                      .parameter_count = p,
                                      .functional_count = f,
                                      .used = out->requested,
                                      .share = gradyn_case_share(evaluator, out->chance),
                                      .chance = out->chance,
                                      .evaluate = evaluate,
                                      /* only if they can avoid a simulation */
                                      .numbers = bounds_numbers(evaluator) ? numbers : NULL,
                                      .message = message,
                                      .steps = steps,
                                      .warnings = warnings,
                                      .limit = limit,
                                      .values = values,
                                      .begins = begins,
                                      .describe = describe,
                                      .self = out,
                                      .copy = copy,
                                      .release = release};
  for (size_t i = 0; i < f; i++)
    if (out->functionals[i].use == GRADYN_PATH_CONSTRAINT) {
      out->objective.hold = gradyn_evaluated_hold;
      out->objective.look = gradyn_evaluated_look;
    }
  return true;
}

void gradyn_evaluated_clear(gradyn_evaluated *evaluated)
{
  (void)gradyn_evaluated_hold(evaluated, NULL, 0, NULL);
  free(evaluated->parameters);
  free(evaluated->functionals);
  free(evaluated->requested);
  free(evaluated->start);
  free(evaluated->chance);
}

gradyn_status gradyn_evaluated_recheck(const gradyn_evaluated *evaluated,
                                       const gradyn_search *search, gradyn_status status,
                                       gradyn_search_result *result)
{
  /* a failed recheck is noted in the result; only a lack of memory is a failure of the search */
  if (!search->verify_discretisation || !worth_rechecking(result))
    return status;
  if (gradyn_recheck_run(evaluated->evaluator, &evaluated->objective, search, result) ==
      GRADYN_NO_MEMORY)
    return GRADYN_NO_MEMORY;
  if (gradyn_routes_compare(evaluated->evaluator, &evaluated->objective, result) ==
      GRADYN_NO_MEMORY)
    return GRADYN_NO_MEMORY;
  /* exact maxima can change the termination */
  return gradyn_exact_maxima_report(evaluated->evaluator, &evaluated->objective, status, result);
}

/* Runs the search over segments of the motion. The states at the segment boundaries are free, too. */
static gradyn_status search_segments(const gradyn_evaluated *evaluated, const gradyn_search *search,
                                     const double rho0[], gradyn_recollection how,
                                     gradyn_search_result *result)
{
  gradyn_segments segments;
  gradyn_search over = *search;
  bool *vary = NULL;
  gradyn_status status = gradyn_segments_create(evaluated->evaluator, search, evaluated->requested,
                                                rho0, &segments);
  const size_t count = segments.objective.parameter_count;
  segments.jobs = search->jobs > 0 ? (size_t)search->jobs : 1;
  if (status == GRADYN_OK && search->hessian && segments.objective.curve == NULL)
    status = gradyn_fail(&segments.message, GRADYN_UNSUPPORTED,
                         "exact Hessian: not available for motions with events or maxima. Omit "
                         "--hessian");
  if (status == GRADYN_OK && search->vary != NULL) {
    vary = calloc(count + 1, sizeof *vary);
    for (size_t j = 0; vary != NULL && j < count; j++)
      vary[j] = j < segments.p ? search->vary[j] : !segments.parameters[j].fixed;
    over.vary = vary;
    if (vary == NULL)
      status = gradyn_fail(&segments.message, GRADYN_NO_MEMORY, "out of memory");
  }
  if (status != GRADYN_OK) {
    gradyn_result_refuse(result, segments.message.text);
  } else {
    over.warm_start = gradyn_segments_warm_text(&segments);
    status = gradyn_search_with_journal(&segments.objective, evaluated->evaluator, &over,
                                        segments.start, how, result);
    if (segments.sparsity.outgrown && gradyn_segments_widen(&segments) == GRADYN_OK) {
      gradyn_search_result_clear(result);
      status = gradyn_search_with_journal(&segments.objective, evaluated->evaluator, &over,
                                          segments.start, how, result);
    }
    status = gradyn_segments_finish(&segments, status, result);
  }
  free(vary);
  gradyn_segments_clear(&segments);
  return status;
}

/* Runs one search, without the recheck of its end. */
static gradyn_status search_once(gradyn_evaluator *evaluator, const gradyn_search *search,
                                 const double rho0[], gradyn_recollection how,
                                 gradyn_search_result *result)
{
  gradyn_evaluated evaluated;
  gradyn_status status = GRADYN_NO_MEMORY;
  /* on failure, what was created is cleared below */
  if (!gradyn_evaluated_create(evaluator, search->objective, &evaluated))
    gradyn_result_refuse(result, "out of memory");
  else if (gradyn_search_in_segments(search))
    status = search_segments(&evaluated, search, rho0, how, result);
  else
    status = gradyn_search_with_journal(&evaluated.objective, evaluator, search, rho0, how, result);
  gradyn_evaluated_clear(&evaluated);
  return status;
}

/* Rechecks the end with the evaluator of the search, and rounds integer signals. */
static gradyn_status recheck(gradyn_evaluator *evaluator, const gradyn_search *search,
                             gradyn_status status, gradyn_search_result *result)
{
  gradyn_evaluated evaluated;
  gradyn_search how = *search;
  if (result->refined != NULL)
    how.vary = NULL; /* the list of the search has fewer parameters than the refined evaluator */
  if (gradyn_evaluated_create(evaluator, search->objective, &evaluated)) {
    status = gradyn_evaluated_recheck(&evaluated, &how, status, result);
    if (gradyn_integers_round(&evaluated, &how, result) != GRADYN_OK)
      status = GRADYN_NO_MEMORY;
  } else {
    gradyn_termination_add(result, "discretisation", "out of memory to repeat the end");
    status = GRADYN_NO_MEMORY;
  }
  gradyn_evaluated_clear(&evaluated);
  return status;
}

/* Runs a search whose settings are complete. */
static gradyn_status search_by(gradyn_evaluator *evaluator, const gradyn_search *search,
                               const double rho0[], gradyn_recollection how,
                               gradyn_search_result *result)
{
  gradyn_status status = search_once(evaluator, search, rho0, how, result);
  if (search->refine_controls > 0)
    status = gradyn_refine_run(evaluator, search, how, search_once, status, result);
  status = recheck(result->refined != NULL ? result->refined : evaluator, search, status, result);
  if (result->refined != NULL)
    gradyn_evaluator_unlimit(result->refined);
  gradyn_evaluator_unlimit(evaluator);
  return status;
}

const char *gradyn_task_missing(const gradyn_evaluator *evaluator, const void *task,
                                const double rho0[])
{
  if (!evaluator)
    return "the evaluator is NULL";
  if (!gradyn_evaluator_created(evaluator))
    return gradyn_evaluator_message(evaluator);
  return !task ? "the search is NULL" : !rho0 ? "the start is NULL" : NULL;
}

/* Whether the problem has fits to data. */
static bool has_fits(const gradyn_evaluator *evaluator)
{
  bool any = false;
  for (size_t i = 0; i < gradyn_functional_count(evaluator) && !any; i++)
    any = gradyn_functional_at(evaluator, i).use == GRADYN_RESIDUAL;
  return any;
}

/* Returns why a search over load cases is not possible; NULL: it is. */
static const char *cases_conflict(const gradyn_evaluator *evaluator, const gradyn_search *search)
{
  if (gradyn_evaluator_model_info(evaluator).cases == 0)
    return NULL;
  if (gradyn_search_in_segments(search))
    return "segments and load cases cannot be combined; select one case (--case NAME), or leave "
           "out segments";
  if (search->refine_controls > 0)
    return "refine_controls and load cases cannot be combined; select one case (--case NAME), or "
           "leave out refine_controls";
  for (size_t i = 0; i < gradyn_functional_count(evaluator); i++)
    if (gradyn_functional_at(evaluator, i).use == GRADYN_PATH_CONSTRAINT)
      return "path constraints and load cases cannot be combined; select one case (--case NAME), "
             "or bound a maximum instead";
  return NULL;
}

/* Reads the warm start of a search. *text: the warm start for this problem, which must outlive the search. */
static gradyn_status prepare_warm(const gradyn_evaluator *evaluator, gradyn_search *search,
                                  json_t **warm, char **text, gradyn_search_result *result)
{
  gradyn_message message = {.text = "out of memory"};
  if (search->warm_start == NULL)
    return GRADYN_OK;
  gradyn_status status = gradyn_warm_prepare(search->warm_start, evaluator, search, warm, &message);
  *text = status == GRADYN_OK ? gradyn_warm_print(*warm) : NULL;
  search->warm_start = *text;
  if (status == GRADYN_OK && *text == NULL)
    status = GRADYN_NO_MEMORY;
  if (status != GRADYN_OK)
    gradyn_result_refuse(result, message.text);
  return status;
}

/* Reports parts of a warm start that do not fit. */
static gradyn_status finish_warm(const gradyn_evaluator *evaluator, const gradyn_search *search,
                                 const json_t *warm, gradyn_search_result *result)
{
  const gradyn_algorithm *algorithm = gradyn_algorithm_find(search->algorithm);
  if (warm == NULL || result->rho == NULL)
    return GRADYN_OK;
  return gradyn_warm_report(warm, evaluator, gradyn_search_in_segments(search),
                            algorithm != NULL && algorithm->driver->warm, result);
}

gradyn_status gradyn_evaluated_search(gradyn_evaluator *evaluator, const gradyn_search *search,
                                      const double rho0[], gradyn_recollection how,
                                      gradyn_search_result *result)
{
  if (!result)
    return GRADYN_INVALID;
  rho0 = gradyn_evaluator_point(evaluator, rho0);
  const char *missing = gradyn_task_missing(evaluator, search, rho0);
  missing = missing ? missing : gradyn_search_fault(search);
  if (missing || !search) {
    gradyn_result_refuse(result, missing);
    return GRADYN_INVALID;
  }
  gradyn_search resolved = *search;
  (void)gradyn_search_resolve(evaluator, &resolved, NULL, 0);
  search = &resolved;
  json_auto_t *warm = NULL;
  FREED char *text = NULL;
  const gradyn_status read = prepare_warm(evaluator, &resolved, &warm, &text, result);
  if (read != GRADYN_OK)
    return read;
  if (search->hessian &&
      (!gradyn_search_in_segments(search) || strcmp(search->algorithm, "ipopt") != 0)) {
    gradyn_result_refuse(result, "second derivatives are available for searches in segments by "
                                 "ipopt only");
    return GRADYN_INVALID;
  }
  const char *conflict = cases_conflict(evaluator, search);
  if (gradyn_search_in_segments(search) && has_fits(evaluator))
    conflict = "segments and fits to data cannot be combined; leave out segments";
  if (conflict) {
    gradyn_result_refuse(result, conflict);
    return GRADYN_UNSUPPORTED;
  }
  OWNED(gradyn_evaluator) *other = NULL;
  gradyn_status status = gradyn_search_evaluator(evaluator, search, &other);
  if (status != GRADYN_OK) {
    gradyn_result_refuse(result, gradyn_evaluator_message(other));
    return status;
  }
  status = search_by(other != NULL ? other : evaluator, search, rho0, how, result);
  if (finish_warm(evaluator, search, warm, result) != GRADYN_OK)
    status = GRADYN_NO_MEMORY;
  if (result->refined == NULL) {
    result->refined = other;
    other = NULL;
  }
  return status;
}

gradyn_status gradyn_optimise(gradyn_evaluator *evaluator, const gradyn_search *search,
                              const double rho0[], gradyn_search_result *result)
{
  if (!result)
    return GRADYN_INVALID;
  /* the struct of an older caller may end before the member `resume`; gradyn_evaluated_search() refuses it */
  const bool resume = search && !gradyn_search_fault(search) && search->resume;
  if (resume && !search->journal) {
    gradyn_result_refuse(result,
                         "the search cannot be resumed without a journal: set its member journal");
    return GRADYN_INVALID;
  }
  /* a journal that exists is not overwritten */
  gradyn_resumed resumed = {0};
  const gradyn_recollection how = {.fresh = !resume, .resumed = resume ? &resumed : NULL};
  const gradyn_status status = gradyn_evaluated_search(evaluator, search, rho0, how, result);
  resumed.status = result->resumed.status;
  result->resumed = resumed;
  return status;
}
