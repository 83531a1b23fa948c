/* Pareto fronts of two functionals: the first is minimised with an upper limit on the second.
 *
 * First come the ends of the front. One search minimises the first functional. From its end, another
 * minimises the second functional, which gives the range of limits. From there, the first functional is
 * minimised with a limit just above that minimum.
 *
 * Then each gap between known points is halved, level by level, by searches from both of its ends. The end
 * with the smaller limit is feasible for the middle. The other end may be on a branch that is better there.
 * Searches start only from results of earlier searches. All processes in a folder, at any time, therefore
 * define the same searches. */
#include "optim/jobs/pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/jobs/search_jobs.h"
#include "optim/jobs/pareto_level.h"
#include "optim/rounds/resume.h"

/* The smallest limit exceeds the minimum of the second functional by this part of the range. At the minimum
 * itself, there may be only one feasible point, and the limit has no multiplier. */
static const double margin = 1e-3;

/* Whether the range of the limits is given. */
static bool is_given(const gradyn_pareto_spec *spec)
{
  return !isnan(spec->from);
}

/* --- Setting up ------------------------------------------------------------------------------- */

static gradyn_status refuse(gradyn_front *c, const char *format, const char *name)
    __attribute__((format(printf, 2, 0)));

/* Fails with a message that has the name of a functional. */
static gradyn_status refuse(gradyn_front *c, const char *format, const char *name)
{
  char text[512];
  (void)snprintf(text, sizeof text, format, name);
  return gradyn_fail(&c->message, GRADYN_INVALID, "%s", text);
}

/* Checks whether a front is possible. */
static gradyn_status check(gradyn_front *c)
{
  const gradyn_pareto_spec *spec = c->spec;
  if (spec->folder == NULL)
    return gradyn_fail(&c->message, GRADYN_INVALID, "a front needs a folder");
  /* a front needs two limits; with more than the maximum, file names would not be in order */
  if (spec->points < 2 || spec->points > 100000)
    return gradyn_fail(&c->message, GRADYN_INVALID,
                       "%zu points: a front has at least 2, at most 100000", spec->points);
  if (spec->first >= c->f || spec->second >= c->f || spec->first == spec->second)
    return gradyn_fail(&c->message, GRADYN_INVALID,
                       "functionals %zu and %zu of %zu: a front needs two different functionals",
                       spec->first, spec->second, c->f);
  /* both or none, finite, ascending */
  if (isnan(spec->from) != isnan(spec->to) || isinf(spec->from) || isinf(spec->to) ||
      spec->from >= spec->to)
    return gradyn_fail(
        &c->message, GRADYN_INVALID,
        "limits from %g to %g: both must be finite and the smaller one first, or both NAN",
        spec->from, spec->to);
  if (spec->workers != NULL && spec->workers->shards > 1)
    return gradyn_fail(
        &c->message, GRADYN_INVALID,
        "front: the tasks cannot be divided into parts, because each search starts from another "
        "point");
  /* functionals that can be traded against each other */
  const gradyn_functional_info *first = &c->objective->functionals[spec->first];
  const gradyn_functional_info *second = &c->objective->functionals[spec->second];
  /* a functional with a required value or a lower bound cannot be traded */
  if (first->use == GRADYN_EQUAL)
    return refuse(c, "%s has an equality constraint, so it cannot be minimised", first->name);
  if (second->use == GRADYN_EQUAL || second->use == GRADYN_AT_LEAST)
    return refuse(c, "%s has a lower bound: name it first, or remove this bound", second->name);
  return GRADYN_OK;
}

/* Reports progress of a level as progress of the whole front. */
static void tell(size_t done, size_t tasks, void *user)
{
  const gradyn_front *c = user;
  const gradyn_workers *outer = c->spec->workers;
  (void)tasks;
  /* with a given range, the second functional is not minimised, and the last point has only one search */
  outer->progress(c->before + done, 2 * c->points - (is_given(c->spec) ? 2 : 0), outer->user);
}

/* Asks the caller whether to continue. */
static bool go_on(void *user)
{
  const gradyn_workers *outer = ((const gradyn_front *)user)->spec->workers;
  return outer->go_on == NULL || outer->go_on(outer->user);
}

/* Copies the workers of the caller, and makes them report the progress of the whole front. */
static void take_workers(gradyn_front *c)
{
  if (c->spec->workers == NULL)
    return;
  c->workers = *c->spec->workers;
  /* each level is a separate pool */
  c->workers.go_on = go_on;
  c->workers.progress = c->workers.progress != NULL ? tell : NULL;
  c->workers.user = c;
}

/* Allocates tasks, points and their numbers. */
static gradyn_status take_memory(gradyn_front *c)
{
  const gradyn_pareto_point unknown = {.limit = NAN,
                                       .first = NAN,
                                       .second = NAN,
                                       .trade_off = NAN,
                                       .violation = NAN,
                                       .projected_gradient = NAN,
                                       .status = GRADYN_INTERRUPTED,
                                       .termination = GRADYN_TERMINATION_STOPPED};
  gradyn_pareto_result *result = c->result;
  /* two searches for each point, and one for the minimum of the second functional */
  const size_t n = 2 * c->points + 1;
  c->task = calloc(n, sizeof *c->task);
  /* each task has its own copy of the functionals, in which its limit is a constraint */
  c->functionals = calloc(n * c->f, sizeof *c->functionals);
  c->todo = calloc(n, sizeof *c->todo);
  result->point = calloc(n, sizeof *result->point);
  result->numbers = calloc(n * (c->p + c->f), sizeof *result->numbers);
  if (c->task == NULL || c->functionals == NULL || c->todo == NULL || result->point == NULL ||
      result->numbers == NULL)
    return gradyn_fail(&c->message, GRADYN_NO_MEMORY, "out of memory for %zu points", c->points);
  result->count = c->points;
  /* NAN until a search has ended */
  for (size_t i = 0; i < n; i++) {
    c->task[i] = (gradyn_front_task){
        .objective = *c->objective, .search = *c->search, .start = c->rho0};
    c->task[i].objective.functionals = memcpy(c->functionals + i * c->f, c->objective->functionals,
                                              c->f * sizeof *c->functionals);
    c->task[i].end = unknown;
  }
  for (size_t i = 0; i < c->points; i++)
    result->point[i] = unknown;
  result->least = unknown;
  return GRADYN_OK;
}

/* --- Sequence ------------------------------------------------------------------------------------ */

/* Finds the first point, and the range of limits: *to for the first point, *from for the last. */
static gradyn_status find_range(gradyn_front *c, double *from, double *to)
{
  const gradyn_pareto_spec *spec = c->spec;
  const gradyn_pareto_point *first = &c->result->point[0], *least = &c->result->least;
  const bool given = is_given(spec);
  /* a given range limits the first search too; otherwise the first search has no limit */
  *from = given ? spec->from : NAN;
  *to = given ? spec->to : NAN;
  gradyn_front_add(c, 0, spec->first, *to, *to - *from, c->rho0);
  GRADYN_TRY(gradyn_front_search_level(c));
  /* all other searches start from this point */
  if (!gradyn_front_usable(first))
    return gradyn_fail(
        &c->message, first->status == GRADYN_OK ? GRADYN_STALLED : first->status,
        "functional %s: the search for its minimum found no feasible point. Relax a constraint",
        c->objective->functionals[spec->first].name);
  if (given)
    return GRADYN_OK;
  /* minimum of the second functional */
  gradyn_front_add(c, 2 * c->points, spec->second, NAN, 0, first->rho);
  GRADYN_TRY(gradyn_front_search_level(c));
  if (!gradyn_front_usable(least))
    return gradyn_fail(
        &c->message, least->status == GRADYN_OK ? GRADYN_STALLED : least->status,
        "functional %s: the search for its minimum found no feasible point. Give a range",
        c->objective->functionals[spec->second].name);
  /* to: the second functional at the minimum of the first; from: just above the minimum of the second, so
   * that it is not reached at a single point only */
  *to = first->second;
  *from = least->second + margin * (*to - least->second);
  return GRADYN_OK;
}

/* Adds the searches for point i from two known points; b has the smaller limit. */
static void add_both(gradyn_front *c, size_t i, double limit, double range,
                     const gradyn_pareto_point *b, const gradyn_pareto_point *a)
{
  /* start from the end with the smaller limit, which is feasible; if it has failed, from the other end,
   * or from the first point */
  const gradyn_pareto_point *first = gradyn_front_usable(b)   ? b
                                     : gradyn_front_usable(a) ? a
                                                              : &c->result->point[0];
  gradyn_front_add(c, 2 * i, c->spec->first, limit, range, first->rho);
  if (gradyn_front_usable(a) && a != first) /* a second search only from another point */
    gradyn_front_add(c, 2 * i + 1, c->spec->first, limit, range, a->rho);
}

/* Searches the points between the ends, level by level. */
static gradyn_status search_between(gradyn_front *c, double from, double to)
{
  const gradyn_pareto_point *point = c->result->point;
  const size_t last = c->points - 1;
  for (bool more = true; more;) {
    /* gaps from a to b between points that have ended */
    for (size_t a = 0; a < last;) {
      size_t b = a + 1;
      while (!point[b].finished)
        b++;
      const size_t i = a + (b - a) / 2; /* the middle: each level halves all gaps */
      const double limit = to + (from - to) * (double)i / (double)last; /* evenly spaced */
      if (i > a)
        add_both(c, i, limit, to - from, &point[b], &point[a]);
      a = b;
    }
    /* false: no gap remains */
    more = c->todo_count > 0;
    if (more)
      GRADYN_TRY(gradyn_front_search_level(c));
  }
  return GRADYN_OK;
}

/* Whether both functionals have their minimum at the same point, except for round-off. */
static bool agree(const gradyn_front *c)
{
  const gradyn_pareto_point *first = &c->result->point[0], *least = &c->result->least;
  const double initial = fabs(c->task[0].initial);
  /* true if the second functional has its minimum there too, or reaches it without an increase of the first
   */
  return least->finished &&
         (!(first->second > least->second) ||
          least->first - first->first <= 1e-9 * fmax(fabs(first->first), initial));
}

/* Searches the ends, then the levels. */
static gradyn_status search_front(gradyn_front *c)
{
  double from = NAN, to = NAN;
  /* lists all tasks, because any journal of the folder can verify the build */
  for (size_t i = 0; i <= 2 * c->points; i++)
    c->todo[c->todo_count++] = i;
  const gradyn_search_jobs jobs = gradyn_front_jobs(c);
  GRADYN_TRY(gradyn_search_jobs_verify(&jobs, &c->message));
  c->todo_count = 0;
  GRADYN_TRY(find_range(c, &from, &to));
  if (agree(c)) {
    c->result->count = 1;
    c->result->point[0] = c->result->least;
    c->result->point[0].trade_off = 0;
    return GRADYN_OK;
  }
  /* the last point: from the minimum of the second functional, and from the first point */
  add_both(c, c->points - 1, from, to - from, &c->result->least, &c->result->point[0]);
  GRADYN_TRY(gradyn_front_search_level(c));
  return search_between(c, from, to);
}

/* --- The complete front -------------------------------------------------------------------------- */

/* Determines the points on the front. */
static gradyn_status finish(gradyn_front *c)
{
  gradyn_pareto_result *result = c->result;
  double least[2] = {HUGE_VAL, HUGE_VAL}, largest[2] = {-HUGE_VAL, -HUGE_VAL};
  /* ranges of both functionals along the front, for the tolerances */
  for (size_t i = 0; i < result->count; i++) {
    const gradyn_pareto_point *point = &result->point[i];
    result->unfinished += !point->finished;
    least[0] = fmin(least[0], point->first);
    least[1] = fmin(least[1], point->second);
    largest[0] = fmax(largest[0], point->first);
    largest[1] = fmax(largest[1], point->second);
  }
  /* tolerances: the smallest differences that limits can distinguish */
  if (!gradyn_front_find(result, GRADYN_FRONT_TOLERANCE * fmax(0, largest[0] - least[0]),
                         2 * GRADYN_FRONT_TOLERANCE * fmax(0, largest[1] - least[1])))
    return gradyn_fail(&c->message, GRADYN_NO_MEMORY, "out of memory");
  return GRADYN_OK;
}

static gradyn_status run(gradyn_front *c)
{
  GRADYN_TRY(check(c));
  GRADYN_TRY(take_memory(c));
  take_workers(c);
  const gradyn_status searched = search_front(c);
  /* also after a failure: the points found so far */
  const gradyn_status finished = finish(c);
  return searched != GRADYN_OK ? searched : finished;
}

/* Marks the minimum of the second functional as failed if the call has failed before its searches. */
static gradyn_status leave(gradyn_pareto_result *result, gradyn_status status)
{
  if (result->count == 0)
    result->least.status = status;
  return status;
}

gradyn_status gradyn_pareto_run(const gradyn_objective *objective,
                                const gradyn_evaluator *evaluator, const gradyn_search *search,
                                const gradyn_pareto_spec *spec, const double rho0[],
                                gradyn_pareto_result *result)
{
  gradyn_front c = {.objective = objective,
                    .evaluator = evaluator,
                    .search = search,
                    .spec = spec,
                    .rho0 = rho0,
                    .p = objective->parameter_count,
                    .f = objective->functional_count,
                    .points = spec->points,
                    .result = result};
  memset(result, 0, sizeof *result);
  const gradyn_status status = run(&c);
  /* a message that is too long is cut off */
  (void)snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1,
                 c.message.text);
  free(c.task);
  free(c.functionals);
  free(c.todo);
  return leave(result, status);
}

gradyn_status gradyn_pareto(gradyn_evaluator *evaluator, const gradyn_search *search,
                            const gradyn_pareto_spec *spec, const double rho0[],
                            gradyn_pareto_result *result)
{
  gradyn_evaluated evaluated;
  const char *why = NULL;
  if (result == NULL)
    return GRADYN_INVALID;
  memset(result, 0, sizeof *result);
  rho0 = gradyn_evaluator_point(evaluator, rho0);
  gradyn_status status = gradyn_search_jobs_suit(evaluator, search, spec, rho0, &why);
  if (status != GRADYN_OK) {
    (void)snprintf(result->message, sizeof result->message, "%s", why);
    return leave(result, status);
  }
  gradyn_search resolved = *search;
  (void)gradyn_search_resolve(evaluator, &resolved, NULL, 0);
  search = &resolved;
  const size_t f = gradyn_functional_count(evaluator);
  const char *first = spec->first < f ? gradyn_functional_at(evaluator, spec->first).name : NULL;
  if (gradyn_evaluated_create(evaluator, first, &evaluated)) {
    /* the second functional is not minimised, but its gradient gives the trade-off */
    if (spec->second < f)
      evaluated.requested[spec->second] = true;
    status = gradyn_pareto_run(&evaluated.objective, evaluator, search, spec, rho0, result);
  } else {
    status = GRADYN_NO_MEMORY;
    (void)snprintf(result->message, sizeof result->message, "out of memory");
  }
  gradyn_evaluated_clear(&evaluated);
  return leave(result, status);
}

void gradyn_pareto_result_clear(gradyn_pareto_result *result)
{
  if (result == NULL)
    return;
  free(result->point);
  free(result->numbers);
  memset(result, 0, sizeof *result);
}
