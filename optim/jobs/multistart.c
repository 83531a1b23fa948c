/* Multistart: sampling and screening of starts, searches by several workers, collection of results. Every
 * search has a separate journal, start-N.jsonl. */
#include "optim/jobs/multistart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/jobs/search_jobs.h"
#include "optim/jobs/points.h"
#include "optim/program/program.h"
#include "optim/rounds/resume.h"
#include "optim/search/search.h"
#include "optim/jobs/sobol.h"

/* Largest distance of results that are the same optimum, in each parameter relative to its scale; users
 * can set another. */
static const double default_same = 0.01;

typedef struct campaign {
  const gradyn_objective *objective; /* all pointers above the program are borrowed */
  const gradyn_evaluator *evaluator;
  const gradyn_search *search;
  const gradyn_multistart_spec *spec;
  size_t p;
  gradyn_program *program;
  double *rho;    /* [starts][p] */
  size_t *chosen; /* [chosen_count], starts of searches */
  size_t chosen_count;
  /* status of a journal that was refused or could not be read; the message states the reason */
  gradyn_status unread;
  gradyn_message message;
} campaign;

/* Reports a lack of memory, with the number of starts. */
static gradyn_status out_of_memory(campaign *c)
{
  return gradyn_fail(&c->message, GRADYN_NO_MEMORY, "out of memory for %zu starts",
                     c->spec->starts);
}

/* --- Starts ----------------------------------------------------------------------------------- */

/* Computes the interval of free parameter k, or of its logarithm: its bounds, or the spread around the start.
 */
static void box(const campaign *c, size_t k, double *from, double *to)
{
  const gradyn_program *program = c->program;
  const size_t j = program->varied[k];
  const gradyn_parameter_info *info = &c->objective->parameters[j];
  const double start = program->start[j];
  const double scale = info->scale > 0 ? info->scale : program->unit[k];
  /* where a bound is infinite: `spread` typical sizes from the start */
  const double around = (c->spec->spread > 0 ? c->spec->spread : 1.0) * scale;
  *from = isfinite(info->lower) ? info->lower : fmin(start, info->upper) - around;
  *to = isfinite(info->upper) ? info->upper : fmax(start, info->lower) + around;
  if (!info->logarithmic)
    return;
  *from = log(info->lower);
  *to = isfinite(info->upper) ? log(info->upper) : log(start) + around / fabs(info->init);
}

/* Computes all starts: the start of the problem, then points of the sequence in the box. */
static gradyn_status lay_starts(campaign *c)
{
  const gradyn_program *program = c->program;
  const size_t starts = c->spec->starts;
  /* one coordinate per free parameter */
  gradyn_sobol *sobol = gradyn_sobol_create(program->n, c->spec->seed);
  /* [starts][p], with memory also for p = 0 */
  c->rho = calloc(starts, (c->p + 1) * sizeof *c->rho);
  c->chosen = calloc(starts + 1, sizeof *c->chosen);
  if (sobol == NULL || c->rho == NULL || c->chosen == NULL) {
    gradyn_sobol_free(sobol);
    return out_of_memory(c);
  }
  /* start 0 is the one of the problem; start i is point i - 1 of the sequence */
  for (size_t i = 0; i < starts; i++) {
    double *rho = c->rho + i * c->p;
    memcpy(rho, program->start, c->p * sizeof *rho);
    for (size_t k = 0; i > 0 && k < program->n; k++) {
      double from = 0, to = 0;
      box(c, k, &from, &to);
      const double value = from + (to - from) * gradyn_sobol_coordinate(sobol, (uint32_t)i - 1, k);
      const bool logarithmic = c->objective->parameters[program->varied[k]].logarithmic;
      rho[program->varied[k]] = logarithmic ? exp(value) : value;
    }
  }
  gradyn_sobol_free(sobol);
  return GRADYN_OK;
}

/* --- Screening -------------------------------------------------------------------------------- */

/* Quality of a start. */
typedef struct mark {
  size_t start;
  double violation, objective; /* objective NAN: the start cannot be simulated */
} mark;

/* Order for qsort(): the best first. */
static int compare_marks(const void *a, const void *b)
{
  const mark *x = a, *y = b;
  /* failures last, then by violation, then by objective; the number makes the order unique */
  if (isnan(x->objective) != isnan(y->objective))
    return isnan(x->objective) ? 1 : -1;
  if (!isnan(x->objective) && x->violation != y->violation)
    return x->violation < y->violation ? -1 : 1;
  if (!isnan(x->objective) && x->objective != y->objective)
    return x->objective < y->objective ? -1 : 1;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* Order for qsort(). */
static int compare_numbers(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return x < y ? -1 : x > y;
}

/* Selects the best starts by their values, and always the start of the problem. */
static gradyn_status take_best(campaign *c, const gradyn_points *points)
{
  const size_t starts = c->spec->starts;
  mark *marks = calloc(starts, sizeof *marks);
  if (marks == NULL)
    return out_of_memory(c);
  for (size_t i = 0; i < starts; i++) {
    const gradyn_record *record = gradyn_points_at(points, i);
    marks[i] = (mark){.start = i, .objective = NAN};
    if (record == NULL || record->status != GRADYN_OK)
      continue;
    marks[i].objective = gradyn_program_value(c->program, record->psi);
    /* all violations within the tolerances count as equal */
    marks[i].violation = fmax(1, gradyn_program_violation(c->program, record->psi, NULL));
  }
  qsort(marks, starts, sizeof *marks, compare_marks);
  for (size_t i = 0; i < starts && c->chosen_count < c->spec->screen; i++)
    if (marks[i].start != 0 && !isnan(marks[i].objective)) /* start 0 is selected already */
      c->chosen[c->chosen_count++] = marks[i].start;
  free(marks);
  /* in the order of the starts, so that different searches come early */
  qsort(c->chosen, c->chosen_count, sizeof *c->chosen, compare_numbers);
  return GRADYN_OK;
}

/* Selects the starts of searches: all, or the best of a screening. */
static gradyn_status choose(campaign *c)
{
  const gradyn_multistart_spec *spec = c->spec;
  gradyn_status status = GRADYN_OK;
  c->chosen_count = 1; /* the start of the problem */
  /* no screening */
  if (spec->screen == 0 || spec->screen >= spec->starts) {
    for (size_t i = 1; i < spec->starts; i++)
      c->chosen[c->chosen_count++] = i;
    return status;
  }
  /* screening uses the same folder, and its journals survive an interruption */
  gradyn_points points = {.objective = c->objective,
                          .evaluator = c->evaluator,
                          .search = c->search,
                          .rho = c->rho,
                          .count = spec->starts,
                          .folder = spec->folder,
                          .durability = c->search->durability,
                          .workers = spec->workers};
  status = gradyn_points_evaluate(&points);
  if (status != GRADYN_OK)
    gradyn_fail(&c->message, status, "%s", points.message.text);
  else
    status = take_best(c, &points);
  gradyn_points_clear(&points);
  return status;
}

/* --- Searches --------------------------------------------------------------------------------- */

/* Describes job i: a search from the i-th selected start. */
static void describe(const void *user, size_t i, gradyn_search_job *job)
{
  const campaign *c = user;
  const size_t start = c->chosen[i];
  job->objective = c->objective;
  job->search = *c->search;
  job->rho = c->rho + start * c->p;
  (void)snprintf(job->file, sizeof job->file, "%s/start-%06zu.jsonl", c->spec->folder, start);
}

/* Returns all jobs. */
static gradyn_search_jobs jobs_of(const campaign *c)
{
  return (gradyn_search_jobs){.count = c->chosen_count,
                              .describe = describe,
                              .user = c,
                              .objective = c->objective,
                              .evaluator = c->evaluator,
                              .workers = c->spec->workers};
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Takes the result of search i from its journal. */
static void gather_one(campaign *c, size_t i, gradyn_multistart_result *out, double scale[])
{
  gradyn_local *local = &out->local[i];
  double *rho = out->numbers + 2 * i * c->p, *start_rho = rho + c->p;
  const gradyn_search_jobs jobs = jobs_of(c);
  gradyn_search_result result;
  /* repeated from the journal, without simulation; the result does not depend on the worker */
  const gradyn_status status = gradyn_search_jobs_repeat(&jobs, i, NULL, NULL, &result);
  /* a journal that is refused or cannot be read gives no result */
  const bool unread = status == GRADYN_INVALID || status == GRADYN_IO || status == GRADYN_NO_MEMORY;
  memcpy(start_rho, c->rho + c->chosen[i] * c->p, c->p * sizeof *rho);
  memcpy(rho, result.rho != NULL ? result.rho : start_rho, c->p * sizeof *rho);
  *local = (gradyn_local){.start = c->chosen[i],
                          /* two vectors for each search: start and end */
                          .start_rho = start_rho,
                          .rho = rho,
                          .finished = status != GRADYN_INTERRUPTED && !unread,
                          .status = status,
                          .termination = result.termination,
                          .initial_objective = result.initial_objective,
                          .objective = result.objective,
                          .violation = result.violation,
                          .projected_gradient = result.projected_gradient,
                          .evaluations = result.evaluations,
                          .seconds = result.seconds,
                          .optimum = -1};
  if (result.parameter_scale != NULL) /* scale of the last search that has one */
    memcpy(scale, result.parameter_scale, c->p * sizeof *scale);
  /* such a journal does not affect the other results */
  if (unread && (c->unread == GRADYN_OK || c->unread == GRADYN_INVALID))
    c->unread = status;
  gradyn_termination_join(result.reason);
  if (unread)
    gradyn_message_add(&c->message, "%s%s", result.reason,
                       status == GRADYN_INVALID ? "; delete this file, and the search is repeated"
                                                : "");
  out->evaluations += result.evaluations;
  out->seconds += result.seconds;
  out->unfinished += !local->finished;
  gradyn_search_result_clear(&result);
}

/* Collects all results, the distinct optima, and the complete best search. */
static gradyn_status gather(campaign *c, gradyn_multistart_result *out)
{
  const double same = c->spec->merge_distance > 0 ? c->spec->merge_distance : default_same;
  double *scale = calloc(c->p + 1, sizeof *scale);
  out->local = calloc(c->chosen_count + 1, sizeof *out->local);
  out->numbers = calloc(c->chosen_count + 1, 2 * (c->p + 1) * sizeof *out->numbers);
  /* memory also for zero searches */
  if (scale == NULL || out->local == NULL || out->numbers == NULL) {
    free(scale);
    return out_of_memory(c);
  }
  out->count = c->chosen_count;
  for (size_t i = 0; i < out->count; i++)
    gather_one(c, i, out, scale);
  const bool found = gradyn_optima_find(out, c->p, scale, same);
  free(scale);
  if (!found)
    return out_of_memory(c);
  /* sorting has moved the best search to the front; its start identifies its job */
  const gradyn_search_jobs jobs = jobs_of(c);
  size_t best = 0;
  while (c->chosen[best] != out->local[0].start)
    best++;
  /* with the caller's callback: the best search is reported like a single one */
  return gradyn_search_jobs_repeat(&jobs, best, c->search->on_iteration, c->search->user,
                                   &out->best);
}

/* --- The complete multistart --------------------------------------------------------------------- */

/* Checks the specification, and sets up the program and the starts. */
static gradyn_status set_up(campaign *c, const double rho0[])
{
  const gradyn_multistart_spec *spec = c->spec;
  /* the sequence numbers starts with 32 bits */
  if (spec->starts == 0 || spec->starts > UINT32_MAX)
    return gradyn_fail(&c->message, GRADYN_INVALID, "starts: %zu; must be 1 to 4294967295",
                       spec->starts);
  if (spec->folder == NULL)
    return gradyn_fail(&c->message, GRADYN_INVALID, "folder: NULL; it is required");
  /* the conditions are false for NAN */
  if (!(spec->spread >= 0) || !isfinite(spec->spread))
    return gradyn_fail(&c->message, GRADYN_INVALID, "spread: %g; must be finite and not negative",
                       spec->spread);
  if (!(spec->merge_distance >= 0))
    return gradyn_fail(&c->message, GRADYN_INVALID, "merge_distance: %g; must not be negative",
                       spec->merge_distance);
  gradyn_status status = gradyn_program_create(c->objective, c->search, rho0, &c->program);
  if (status != GRADYN_OK)
    return gradyn_fail(&c->message, status, "%s",
                       c->program != NULL ? c->program->message.text : "out of memory");
  return lay_starts(c);
}

/* Runs the searches of this call, and collects the results. */
static gradyn_status run(campaign *c, const double rho0[], gradyn_multistart_result *result)
{
  GRADYN_TRY(set_up(c, rho0));
  GRADYN_TRY(choose(c));
  const gradyn_search_jobs jobs = jobs_of(c);
  /* before workers start, so that a journal with other numbers is reported only once */
  GRADYN_TRY(gradyn_search_jobs_verify(&jobs, &c->message));
  const gradyn_status worked = gradyn_search_jobs_run(&jobs, &c->message);
  /* a helper runs tasks only; other processes collect the results */
  const bool helps = c->spec->workers != NULL && c->spec->workers->helps;
  const gradyn_status gathered = helps ? GRADYN_OK : gather(c, result);
  /* one reason is returned: first a stop of the pool, then an unread journal, then missing results */
  GRADYN_TRY(worked);
  return result->unfinished > 0 ? c->unread ? c->unread : GRADYN_INTERRUPTED : gathered;
}

gradyn_status gradyn_multistart_run(const gradyn_objective *objective,
                                    const gradyn_evaluator *evaluator, const gradyn_search *search,
                                    const gradyn_multistart_spec *spec, const double rho0[],
                                    gradyn_multistart_result *result)
{
  campaign c = {.objective = objective,
                .evaluator = evaluator,
                .search = search,
                .spec = spec,
                .p = objective->parameter_count};
  memset(result, 0, sizeof *result);
  gradyn_result_refuse(&result->best, "");
  const gradyn_status status = run(&c, rho0, result);
  (void)snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1,
                 c.message.text);
  gradyn_program_free(c.program);
  free(c.rho);
  free(c.chosen);
  return status;
}

gradyn_status gradyn_multistart(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_multistart_spec *spec, const double rho0[],
                                gradyn_multistart_result *result)
{
  gradyn_evaluated evaluated;
  const char *why = NULL;
  if (result == NULL)
    return GRADYN_INVALID;
  memset(result, 0, sizeof *result);
  rho0 = gradyn_evaluator_point(evaluator, rho0);
  gradyn_status status = gradyn_search_jobs_suit(evaluator, search, spec, rho0, &why);
  if (status != GRADYN_OK) {
    gradyn_result_refuse(&result->best, why);
    (void)snprintf(result->message, sizeof result->message, "%s", why);
    return status;
  }
  gradyn_search resolved = *search;
  (void)gradyn_search_resolve(evaluator, &resolved, NULL, 0);
  search = &resolved;
  status = GRADYN_NO_MEMORY;
  gradyn_result_refuse(&result->best, "out of memory");
  /* only the best search is rechecked */
  if (gradyn_evaluated_create(evaluator, search->objective, &evaluated))
    status = gradyn_evaluated_recheck(
        &evaluated, search,
        gradyn_multistart_run(&evaluated.objective, evaluator, search, spec, rho0, result),
        &result->best);
  gradyn_evaluated_clear(&evaluated);
  return status;
}

void gradyn_multistart_result_clear(gradyn_multistart_result *result)
{
  if (result == NULL)
    return;
  free(result->local);
  free(result->optimum);
  free(result->numbers);
  gradyn_search_result_clear(&result->best);
  memset(result, 0, sizeof *result);
}
