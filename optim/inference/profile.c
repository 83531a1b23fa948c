/* Profile likelihoods: the least objective with one parameter fixed at successive values. z is
 * sqrt(2 (f - f_0)/s^2), where f_0 is the objective f of the fit; it is linear in the parameter if f is
 * quadratic. Steps aim at equal changes of z. If z exceeds its value z_end at the end of a 95 % interval,
 * this end is between the last two points, and regula falsi finds it. By the Illinois rule, an end of the
 * bracket that is kept twice gets half its weight. Each level has one search for each side that is not
 * complete, from the point before. All processes in a folder therefore define the same searches. */
#include <gradyn/inference.h>

#include <math.h>
#include <stdio.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/base/owned.h"
#include "optim/inference/distributions.h"
#include "optim/jobs/search_jobs.h"
#include "optim/search/search.h"

/* STEPS: number of steps in which z reaches the end of an interval. MOST_POINTS: limit for a side. */
enum { STEPS = 4, MOST_POINTS = 40 };
/* Largest factor between successive steps, needed where the slope of z vanishes. */
static const double growth = 4;
/* First step of a parameter without a deviation, relative to its range or its scale. */
static const double first_step = 1e-2;
/* Allowed error of z at the end of an interval, relative to z there. */
static const double end_error = 1e-6;

/* One side of a profile in progress. */
typedef struct side {
  gradyn_profile_side *out;
  size_t parameter;
  double sign, edge; /* sign -1: the side below the estimate; edge: bound of the parameter */
  /* true: bound, next, low and high are logarithms of the parameter */
  bool logarithmic;
  double bound, next; /* next: value in the next search */
  double *start;      /* [parameters] start of the next search, owned */
  bool complete;
  int replaced; /* end of the bracket that was replaced last: 1 high, -1 low; 0: no bracket yet */
  const double *low_rho; /* point at `low`; NULL: the estimate */
  double low, high, z_low,
      z_high; /* bracket of the end; z_low, z_high: z - z_end, weighted by the Illinois rule */
} side;

typedef struct profiling {
  gradyn_evaluator *evaluator;
  const gradyn_profile_spec *spec;
  gradyn_evaluated evaluated;
  gradyn_search search;
  const double *rho0;
  bool
      *vary; /* [parameters + 1][parameters] row j: free if j is fixed; last row: free in the fit */
  side *side;              /* [2 count] */
  size_t *todo;            /* [todo_count] sides of the present level; none: the level is the fit */
  size_t todo_count, done; /* done: tasks of earlier levels */
  bool single;             /* only one parameter is free */
  double *numbers;         /* starts of sides */
  gradyn_inference inference;
  gradyn_workers workers;
  gradyn_profile_result *out;
  gradyn_message message;
} profiling;

/* --- searches --------------------------------------------------------------------------------- */

/* Describes search k of the present level. If no side is listed, it is the search of the fit. */
static void describe(const void *user, size_t k, gradyn_search_job *job)
{
  const profiling *s = user;
  const size_t p = s->out->parameters;
  job->objective = &s->evaluated.objective;
  job->search = s->search;
  if (s->todo_count == 0) {
    job->search.vary = s->vary + p * p;
    job->rho = s->rho0;
    (void)snprintf(job->file, sizeof job->file, "%s/fit.jsonl", s->spec->folder);
    return;
  }
  const side *a = &s->side[s->todo[k]];
  job->search.vary = s->vary + a->parameter * p;
  job->rho = a->start;
  (void)snprintf(job->file, sizeof job->file, "%s/profile-%05zu-%s-%02zu.jsonl", s->spec->folder,
                 a->parameter + 1, a->sign < 0 ? "below" : "above", a->out->count + 1);
}

static gradyn_search_jobs jobs_of(const profiling *s)
{
  return (gradyn_search_jobs){.count = s->todo_count > 0 ? s->todo_count : 1,
                              .describe = describe,
                              .user = s,
                              .objective = &s->evaluated.objective,
                              .evaluator = s->evaluator,
                              .workers = s->spec->workers ? &s->workers : NULL};
}

/* Repeats job k from its journal, and counts its cost. */
static gradyn_status repeat(profiling *s, const gradyn_search_jobs *jobs, size_t k,
                            gradyn_search_result *result)
{
  const gradyn_status status = gradyn_search_jobs_repeat(jobs, k, NULL, NULL, result);
  s->out->evaluations += result->evaluations;
  s->out->seconds += result->seconds;
  gradyn_termination_join(result->reason);
  const gradyn_status_class class = gradyn_status_describe((int)status).kind;
  if (status != GRADYN_INTERRUPTED && (class == GRADYN_CLASS_MISUSE || class == GRADYN_CLASS_FATAL))
    return gradyn_fail(&s->message, status, "%s", result->reason);
  return status;
}

/* --- the fit ---------------------------------------------------------------------------------- */

/* Gives a failure the message `why` if it has none. An interruption needs none: the caller has requested
 * it. */
static gradyn_status explain(profiling *s, gradyn_status status, const char *why)
{
  return status == GRADYN_OK || status == GRADYN_INTERRUPTED || *s->message.text
             ? status
             : gradyn_fail(&s->message, status, "%s", why);
}

/* Fits all free parameters, and infers their deviations. */
static gradyn_status fit(profiling *s)
{
  const gradyn_search_jobs jobs = jobs_of(s);
  LOCAL(gradyn_search_result) result = {.rho = NULL};
  gradyn_profile_result *out = s->out;
  GRADYN_TRY(gradyn_search_jobs_verify(&jobs, &s->message));
  GRADYN_TRY(gradyn_search_jobs_run(&jobs, &s->message));
  const gradyn_status status = repeat(s, &jobs, 0, &result);
  GRADYN_TRY(explain(s, status, result.reason));
  out->rho = HANDED(result.rho);
  out->objective = out->least = result.objective;
  gradyn_search search = s->search;
  search.vary = s->vary + out->parameters * out->parameters;
  const gradyn_status inferred = gradyn_inference_compute(s->evaluator, &search, out->rho,
                                                          &s->inference);
  GRADYN_TRY(explain(s, inferred, gradyn_evaluator_message(s->evaluator)));
  if (!(s->inference.variance > 0))
    return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                       "profiles: there are %zu data for %zu parameters. Give more data, or their "
                       "deviations",
                       s->inference.data, s->inference.estimated);
  out->variance = s->inference.variance;
  out->z_end = gradyn_student_95(s->inference.degrees);
  return GRADYN_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

static double number_of(const side *a, double value)
{
  return a->logarithmic ? log(value) : value;
}

static double value_of(const side *a, double number)
{
  return number == a->bound ? a->edge : a->logarithmic ? exp(number) : number;
}

/* Sets the value of the next search, at most at the bound. The search starts from the last point with z
 * below z_end, because a point beyond may belong to another local minimum. */
static void aim(profiling *s, side *a, double value)
{
  const double *from = a->low_rho ? a->low_rho : s->out->rho;
  a->next = a->sign * value >= a->sign * a->bound ? a->bound : value;
  memcpy(a->start, from, s->out->parameters * sizeof *from);
  a->start[a->parameter] = value_of(a, a->next);
}

static void end(side *a, gradyn_profile_end how, double limit)
{
  a->complete = true;
  a->out->end = how;
  a->out->limit = value_of(a, limit);
}

/* Sets the first step: a part of the interval that follows from the covariance. */
static void begin(profiling *s, side *a)
{
  const gradyn_parameter_info info = gradyn_parameter_at(s->evaluator, a->parameter);
  const double rho = s->out->rho[a->parameter], value = number_of(a, rho);
  const double unit = a->logarithmic
                          ? rho
                          : 1; /* change of the parameter by a unit change of its number */
  const double deviation = s->inference.deviation[a->parameter] / unit;
  const double range = number_of(a, info.upper) - number_of(a, info.lower);
  const double step = deviation > 0 ? s->out->z_end * deviation / STEPS
                                    : first_step * (isfinite(range) ? range : info.scale / unit);
  a->low = value;
  a->z_low = -s->out->z_end;
  if (value == a->bound)
    end(a, GRADYN_PROFILE_AT_BOUND, NAN);
  else
    aim(s, a, value + a->sign * step);
}

/* Returns the value at which z - z_end, linear between the ends of the bracket, is zero. */
static double between(const side *a)
{
  return a->low - a->z_low * (a->high - a->low) / (a->z_high - a->z_low);
}

/* Replaces one end of the bracket. If the other end is kept for the second time, its weight is halved. */
static void narrow(side *a, double value, double excess)
{
  const bool above = excess >= 0, again = a->replaced == (above ? 1 : -1);
  a->replaced = above ? 1 : -1;
  if (above) {
    a->high = value;
    a->z_high = excess;
    a->z_low *= again ? 0.5 : 1;
  } else {
    a->low = value;
    a->z_low = excess;
    a->z_high *= again ? 0.5 : 1;
  }
}

/* Returns the next step, from the slope of z over the last step. */
static double step_from(const profiling *s, const side *a, double value, double excess)
{
  const double rise = excess - a->z_low, aimed = s->out->z_end / STEPS;
  const double length = fabs(value - a->low);
  return rise > 0 ? fmin(growth * length, length * aimed / rise) : growth * length;
}

/* Whether the end of the interval is found: by z, or by the bracket if z jumps there. */
static bool is_found(const profiling *s, const side *a, double excess)
{
  const double estimate = number_of(a, s->out->rho[a->parameter]);
  return fabs(excess) <= end_error * s->out->z_end ||
         (a->replaced != 0 && fabs(a->high - a->low) <= end_error * fabs(a->high - estimate));
}

/* Continues a side after its search has found z at a value. */
static void go_on_from(profiling *s, side *a, const gradyn_profile_point *point)
{
  const double excess = point->z - s->out->z_end, value = a->next;
  const double step = step_from(s, a, value, excess);
  a->low_rho = excess < 0 ? point->rho : a->low_rho;
  if (a->replaced != 0 || excess > 0) {
    narrow(a, value, excess);
    aim(s, a, between(a));
  } else {
    a->low = value;
    a->z_low = excess;
    aim(s, a, value + a->sign * step);
  }
  if (is_found(s, a, excess))
    end(a, GRADYN_PROFILE_CLOSED, value);
  else if (a->replaced == 0 && value == a->bound)
    end(a, GRADYN_PROFILE_AT_BOUND, NAN);
  else if (a->out->count == MOST_POINTS)
    end(a, a->replaced != 0 ? GRADYN_PROFILE_CLOSED : GRADYN_PROFILE_OPEN,
        a->replaced != 0 ? a->next : NAN);
}

/* Appends the result of the search of a side. */
static void take(profiling *s, side *a, gradyn_status status, gradyn_search_result *result)
{
  gradyn_profile_result *out = s->out;
  gradyn_profile_point *point = &a->out->point[a->out->count++];
  const bool found = result->rho && isfinite(result->objective) && result->violation <= 1;
  *point = (gradyn_profile_point){
      .value = a->start[a->parameter], .objective = NAN, .z = NAN, .status = status};
  if (!found || (status != GRADYN_OK && status != GRADYN_STALLED)) {
    end(a, GRADYN_PROFILE_FAILED, NAN);
    return;
  }
  point->rho = HANDED(result->rho);
  point->objective = result->objective;
  point->z = sqrt(2 * fmax(result->objective - out->objective, 0) / out->variance);
  out->least = fmin(out->least, result->objective);
  go_on_from(s, a, point);
}

/* --- levels ----------------------------------------------------------------------------------- */

/* If the only free parameter is fixed, nothing remains to search: evaluates the objective. */
static gradyn_status evaluate(profiling *s, side *a)
{
  LOCAL(gradyn_search_result) result = {.rho = calloc(s->out->parameters + 1, sizeof(double))};
  FREED double *psi = calloc(s->inference.functionals + 1, sizeof *psi);
  OWNED(gradyn_program) *program = NULL;
  gradyn_search search = s->search;
  search.vary = s->vary + s->out->parameters * s->out->parameters;
  if (!psi || !result.rho)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory");
  GRADYN_TRY(gradyn_program_create(&s->evaluated.objective, &search, a->start, &program));
  memcpy(result.rho, a->start, s->out->parameters * sizeof *result.rho);
  const gradyn_status status = gradyn_evaluator_simulate(s->evaluator, a->start, psi, NULL);
  if (status == GRADYN_OK)
    result.objective = gradyn_program_value(program, psi);
  s->out->evaluations++;
  take(s, a, status, &result);
  return GRADYN_OK;
}

/* Runs the searches of the present level and takes their results. Misuse and lack of memory end the
 * profiles; another failure ends one side. */
static gradyn_status run_level(profiling *s)
{
  const gradyn_search_jobs jobs = jobs_of(s);
  const gradyn_status worked = s->single ? GRADYN_OK : gradyn_search_jobs_run(&jobs, &s->message);
  for (size_t k = 0; k < s->todo_count && s->single; k++)
    GRADYN_TRY(evaluate(s, &s->side[s->todo[k]]));
  for (size_t k = 0; k < s->todo_count && !s->single; k++) {
    LOCAL(gradyn_search_result) result = {.rho = NULL};
    side *a = &s->side[s->todo[k]];
    const gradyn_status status = repeat(s, &jobs, k, &result);
    if (status == GRADYN_INTERRUPTED)
      end(a, GRADYN_PROFILE_UNFINISHED, NAN);
    else if (worked == GRADYN_OK && *s->message.text)
      return status;
    else
      take(s, a, status, &result);
  }
  s->done += s->todo_count;
  return worked;
}

/* Lists the sides that are not complete. */
static void list_open(profiling *s)
{
  s->todo_count = 0;
  for (size_t i = 0; i < 2 * s->out->count; i++)
    if (!s->side[i].complete)
      s->todo[s->todo_count++] = i;
}

/* Runs searches level by level until each side has ended. */
static gradyn_status run_levels(profiling *s)
{
  for (size_t i = 0; i < 2 * s->out->count; i++)
    begin(s, &s->side[i]);
  for (list_open(s); s->todo_count > 0; list_open(s))
    GRADYN_TRY(run_level(s));
  for (size_t i = 0; i < 2 * s->out->count; i++)
    if (s->side[i].out->end == GRADYN_PROFILE_UNFINISHED)
      return GRADYN_INTERRUPTED;
  return GRADYN_OK;
}

/* --- setting up ------------------------------------------------------------------------------- */

static gradyn_status refuse(profiling *s, size_t parameter)
{
  return gradyn_fail(&s->message, GRADYN_INVALID,
                     "parameter %s: it is not free. Profile a parameter that the fit varies",
                     parameter < s->out->parameters
                         ? gradyn_parameter_at(s->evaluator, parameter).name
                         : "with an index beyond the last");
}

/* Marks all free parameters in the last row of vary. Row j of vary has all of them except j. Returns their
 * number. */
static size_t mark_free(profiling *s)
{
  const size_t p = s->out->parameters;
  bool *all = s->vary + p * p;
  size_t free_count = 0;
  for (size_t j = 0; j < p; j++) {
    const gradyn_parameter_info info = gradyn_parameter_at(s->evaluator, j);
    all[j] = (s->search.vary ? s->search.vary[j] : !info.fixed) && info.lower != info.upper;
    free_count += all[j];
  }
  for (size_t i = 0; i < p; i++)
    for (size_t j = 0; j < p; j++)
      s->vary[i * p + j] = all[j] && i != j;
  return free_count;
}

static gradyn_status add_profile(profiling *s, size_t k, size_t parameter)
{
  const size_t p = s->out->parameters;
  const gradyn_parameter_info info = gradyn_parameter_at(s->evaluator, parameter);
  gradyn_profile *profile = &s->out->profile[k];
  profile->parameter = parameter;
  for (size_t i = 0; i < 2; i++) {
    side *a = &s->side[2 * k + i];
    a->out = i == 0 ? &profile->below : &profile->above;
    a->parameter = parameter;
    a->sign = i == 0 ? -1 : 1;
    a->logarithmic = info.logarithmic;
    a->edge = i == 0 ? info.lower : info.upper;
    a->bound = number_of(a, a->edge);
    a->start = s->numbers + (2 * k + i) * p;
    a->out->end = GRADYN_PROFILE_UNFINISHED;
    a->out->limit = NAN;
    a->out->point = calloc(MOST_POINTS + 1, sizeof *a->out->point);
    if (!a->out->point)
      return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for profiles");
  }
  return GRADYN_OK;
}

static gradyn_status take_memory(profiling *s, size_t count)
{
  const size_t p = s->out->parameters;
  s->vary = calloc((p + 1) * p + 1, sizeof *s->vary);
  s->side = calloc(2 * count + 1, sizeof *s->side);
  s->todo = calloc(2 * count + 1, sizeof *s->todo);
  s->numbers = calloc(2 * count * p + 1, sizeof *s->numbers);
  s->out->profile = calloc(count + 1, sizeof *s->out->profile);
  return s->vary && s->side && s->todo && s->numbers && s->out->profile
             ? GRADYN_OK
             : gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for profiles");
}

/* Lists the profiles: those requested, or those of all free parameters. */
static gradyn_status set_up(profiling *s)
{
  const gradyn_profile_spec *spec = s->spec;
  const size_t p = s->out->parameters, most = spec->parameter ? spec->count : p;
  if (!spec->folder)
    return gradyn_fail(&s->message, GRADYN_INVALID, "profiles need a folder");
  if (spec->workers && spec->workers->shards > 1)
    return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                       "profiles: parts are not supported, because each point starts from another "
                       "one");
  if (!gradyn_search_fits(s->evaluator, &s->search))
    return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                       "the objective has a term that is no fit; profiles need fits alone. "
                       "Minimise functionals of gradyn_fit() with positive weights");
  GRADYN_TRY(take_memory(s, most));
  s->single = mark_free(s) == 1;
  const bool *all = s->vary + p * p;
  for (size_t k = 0; k < most; k++) {
    const size_t parameter = spec->parameter ? spec->parameter[k] : k;
    if (spec->parameter && (parameter >= p || !all[parameter]))
      return refuse(s, parameter);
    if (parameter < p && all[parameter])
      GRADYN_TRY(add_profile(s, s->out->count++, parameter));
  }
  return GRADYN_OK;
}

/* --- the call --------------------------------------------------------------------------------- */

/* Reports the progress of a level as progress of the whole task; the number of later tasks is not known. */
static void report_progress(size_t done, size_t tasks, void *user)
{
  const profiling *s = user;
  s->spec->workers->progress(s->done + done, s->done + tasks, s->spec->workers->user);
}

static bool go_on(void *user)
{
  const gradyn_workers *outer = ((const profiling *)user)->spec->workers;
  return !outer->go_on || outer->go_on(outer->user);
}

static void take_workers(profiling *s)
{
  if (!s->spec->workers)
    return;
  s->workers = *s->spec->workers;
  s->workers.go_on = go_on;
  s->workers.progress = s->workers.progress ? report_progress : NULL;
  s->workers.user = s;
}

static gradyn_status run(profiling *s)
{
  GRADYN_TRY(set_up(s));
  take_workers(s);
  GRADYN_TRY(fit(s));
  return run_levels(s);
}

gradyn_status gradyn_profile_compute(gradyn_evaluator *evaluator, const gradyn_search *search,
                                     const gradyn_profile_spec *spec, const double rho0[],
                                     gradyn_profile_result *result)
{
  const char *why = NULL;
  if (!result)
    return GRADYN_INVALID;
  *result = (gradyn_profile_result){.parameters = gradyn_parameter_count(evaluator)};
  result->objective = result->variance = result->z_end = result->least = NAN;
  rho0 = gradyn_evaluator_point(evaluator, rho0);
  gradyn_status status = gradyn_search_jobs_suit(evaluator, search, spec, rho0, &why);
  if (status != GRADYN_OK) {
    (void)snprintf(result->message, sizeof result->message, "%s", why);
    return status;
  }
  profiling s = {
      .evaluator = evaluator, .spec = spec, .search = *search, .rho0 = rho0, .out = result};
  /* the profile does not verify the discretisation at each point; the fit has verified it */
  s.search.verify_discretisation = false;
  (void)gradyn_search_resolve(evaluator, &s.search, NULL, 0);
  status = gradyn_evaluated_create(evaluator, search->objective, &s.evaluated)
               ? run(&s)
               : gradyn_fail(&s.message, GRADYN_NO_MEMORY, "out of memory");
  (void)snprintf(result->message, sizeof result->message, "%.1000s", s.message.text);
  gradyn_inference_clear(&s.inference);
  gradyn_evaluated_clear(&s.evaluated);
  free(s.vary);
  free(s.side);
  free(s.todo);
  free(s.numbers);
  return status;
}
