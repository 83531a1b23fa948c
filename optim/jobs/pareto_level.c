/* One level of searches for a front. The workers run the searches. These are then repeated from their
 * journals and converted to points. */
#include "optim/search/search.h"
#include "optim/jobs/pareto_level.h"

#include <stdio.h>
#include <string.h>

#include "optim/drivers/algorithms.h"
#include "optim/jobs/pareto.h"

/* --- Tasks ------------------------------------------------------------------------------------ */

void gradyn_front_add(gradyn_front *c, size_t i, size_t minimised, double limit, double range,
                      const double *start)
{
  const size_t second = c->spec->second;
  gradyn_functional_info *functional = c->functionals + i * c->f + second;
  /* minimise one functional with an upper limit on the other */
  gradyn_front_task *t = &c->task[i];
  t->start = start;
  t->search.objective = c->objective->functionals[minimised].name;
  t->end.limit = limit;
  c->todo[c->todo_count++] = i;
  if (isnan(limit))
    return;
  /* tolerance of the limit: smaller than the distance of two points, larger than round-off */
  const double finest = fmax(GRADYN_FRONT_TOLERANCE * range, 1e-9 * fabs(limit));
  /* a stricter bound of the caller remains */
  if (functional->use != GRADYN_AT_MOST || functional->bound > limit) {
    functional->use = GRADYN_AT_MOST;
    functional->bound = limit;
    functional->tolerance = finest;
  }
  /* an algorithm without inequality constraints is replaced, not wrapped */
  const gradyn_algorithm *algorithm = t->search.algorithm != NULL
                                          ? gradyn_algorithm_find(t->search.algorithm)
                                          : NULL;
  if (algorithm != NULL && !algorithm->inequalities)
    t->search.algorithm = "slsqp";
}

/* Describes job k: the k-th task of the level. */
static void describe(const void *user, size_t k, gradyn_search_job *job)
{
  const gradyn_front *c = user;
  const size_t i = c->todo[k];
  job->objective = &c->task[i].objective;
  job->search = c->task[i].search;
  job->rho = c->task[i].start;
  /* file names contain point and start, so that later runs find them */
  if (i < 2 * c->points)
    (void)snprintf(job->file, sizeof job->file, "%s/point-%05zu-%zu.jsonl", c->spec->folder, i / 2,
                   i % 2 + 1);
  else
    (void)snprintf(job->file, sizeof job->file, "%s/least.jsonl", c->spec->folder);
}

gradyn_search_jobs gradyn_front_jobs(const gradyn_front *c)
{
  return (gradyn_search_jobs){.count = c->todo_count,
                              .describe = describe,
                              .user = c,
                              .objective = c->objective,
                              .evaluator = c->evaluator,
                              .workers = c->spec->workers != NULL ? &c->workers : NULL};
}

/* --- Results ---------------------------------------------------------------------------------- */

/* Converts the result of a task to a point. */
static gradyn_status fill(gradyn_front *c, size_t i, gradyn_status status,
                          const gradyn_search_result *result)
{
  gradyn_front_task *t = &c->task[i];
  gradyn_pareto_point *point = &t->end;
  /* numbers of task i: rho [p], psi [f] */
  double *rho = c->result->numbers + i * (c->p + c->f), *psi = rho + c->p;
  point->finished = status != GRADYN_INTERRUPTED;
  point->status = status;
  point->termination = result->termination;
  t->initial = result->initial_objective;
  /* the cost counts for any result */
  point->evaluations = result->evaluations;
  point->seconds = result->seconds;
  c->result->evaluations += result->evaluations;
  c->result->seconds += result->seconds;
  /* no point could be evaluated */
  if (result->rho == NULL || !isfinite(result->objective))
    return GRADYN_OK;
  point->rho = memcpy(rho, result->rho, c->p * sizeof *rho);
  point->psi = memcpy(psi, result->psi, c->f * sizeof *psi);
  point->first = psi[c->spec->first];
  point->second = psi[c->spec->second];
  point->violation = result->violation;
  point->projected_gradient = result->projected_gradient;
  if (!point->finished || i == 2 * c->points)
    return GRADYN_OK;
  if (isnan(point->limit)) /* without a limit there is no trade-off */
    point->trade_off = 0;
  else if (!gradyn_front_trade_off(&t->objective, &t->search, c->spec->second, result,
                                   &point->trade_off))
    return gradyn_fail(&c->message, GRADYN_NO_MEMORY, "out of memory");
  return GRADYN_OK;
}

/* Whether end b of a search is better than end a: feasible, smaller, or successful. */
static bool is_better(const gradyn_pareto_point *b, const gradyn_pareto_point *a)
{
  /* finished before unfinished, usable before unusable */
  if (!a->finished || !b->finished || gradyn_front_usable(a) != gradyn_front_usable(b))
    return b->finished && (!a->finished || gradyn_front_usable(b));
  const double close = GRADYN_FRONT_TOLERANCE *
                       fabs(a->first); /* smaller differences are round-off: then success decides */
  return b->first < a->first - close ||
         (b->first <= a->first + close && b->status == GRADYN_OK && a->status != GRADYN_OK);
}

/* Selects the better result of each point of this level. */
static void take_ends(gradyn_front *c)
{
  for (size_t k = 0; k < c->todo_count; k++) {
    const size_t i = c->todo[k];
    const gradyn_pareto_point *end = &c->task[i].end;
    gradyn_pareto_point *point = i < 2 * c->points ? &c->result->point[i / 2] : &c->result->least;
    if (isnan(point->first) || is_better(end, point))
      *point = *end;
  }
  /* if two searches were made for one point, the better one counts */
  /* a point is known when all its searches have ended */
  for (size_t k = 0; k < c->todo_count; k++)
    if (c->todo[k] < 2 * c->points && !c->task[c->todo[k]].end.finished)
      c->result->point[c->todo[k] / 2].finished = false;
}

gradyn_status gradyn_front_search_level(gradyn_front *c)
{
  const gradyn_search_jobs jobs = gradyn_front_jobs(c);
  /* the workers run the searches; results come from the journals */
  const gradyn_status worked = gradyn_search_jobs_run(&jobs, &c->message);
  gradyn_status status = GRADYN_OK;
  bool unfinished = false;
  for (size_t k = 0; k < c->todo_count && status == GRADYN_OK; k++) {
    gradyn_search_result result;
    const gradyn_status ended = gradyn_search_jobs_repeat(&jobs, k, NULL, NULL, &result);
    const gradyn_status_class class = gradyn_status_describe((int)ended).kind;
    unfinished |= ended == GRADYN_INTERRUPTED;
    gradyn_termination_join(result.reason);
    /* misuse and lack of memory end the front; another failure is one bad point */
    if (ended != GRADYN_OK && ended != GRADYN_INTERRUPTED &&
        (class == GRADYN_CLASS_MISUSE || class == GRADYN_CLASS_FATAL))
      status = gradyn_fail(&c->message, ended, "%s", result.reason);
    else
      status = fill(c, c->todo[k], ended, &result);
    gradyn_search_result_clear(&result);
  }
  take_ends(c);
  c->before += c->todo_count;
  c->todo_count = 0;
  /* the reason why the pool stopped is more precise than missing results */
  if (status == GRADYN_OK && (worked != GRADYN_OK || unfinished))
    status = worked != GRADYN_OK ? worked : GRADYN_INTERRUPTED;
  return status;
}
