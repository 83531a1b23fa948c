/* Consecutive searches that are reported as one: counts, times and numbers of evaluations continue from one
 * to the next. */
#include "optim/rounds/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/files/json.h"

/* Largest number of times that references are moved. A crank that makes one more rotation needs about ten. */
enum { MOST_REFERENCES = 200 };

/* Barrier parameter with which a search begins after another one, scaled. It is small, because the
 * multipliers hardly change, but new constraints may be violated. Ipopt uses it with second derivatives
 * only; otherwise it chooses its own. Evaluations with 1e-5, 1e-6 and 1e-8 in segments: van der Pol 78, 76,
 * more than 100; bryson-denham 39, 35, 62; robbins more than 80, 48, 63; quadcopter 71, 65, 56. */
static const double first_barrier = 1e-6;

/* --- objective of the searches ------------------------------------------------------------------- */

/* Evaluates the inner objective, and measures its time. */
static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  gradyn_rounds *r = self;
  const double started = gradyn_seconds();
  const gradyn_status status = r->inner->evaluate(r->inner->self, all, rho, psi, gradient);
  r->seconds = gradyn_seconds() - started;
  return status;
}

static gradyn_status numbers(void *self, const double rho[], double psi[])
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  return inner->numbers(inner->self, rho, psi);
}

static const char *message(void *self)
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  return inner->message(inner->self);
}

static long steps(void *self)
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  return inner->steps(inner->self);
}

static const gradyn_warnings *warnings(void *self)
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  return inner->warnings(inner->self);
}

/* Returns the times in the journal. Without a journal: since the first search began. */
static gradyn_spent spent(void *self)
{
  const gradyn_rounds *r = self;
  const gradyn_objective *inner = r->inner;
  return inner->spent != NULL ? inner->spent(inner->self)
                              : (gradyn_spent){r->seconds, gradyn_seconds() - r->started};
}

/* Whether references must be moved at rho. After the largest number of moves the answer is no, so that the
 * search runs to its end. */
static bool strained(void *self, const double rho[])
{
  gradyn_rounds *r = self;
  r->strained = r->references < MOST_REFERENCES && r->inner->strained(r->inner->self, rho);
  return r->strained;
}

static bool suffices(void *self, const double rho[])
{
  const gradyn_rounds *r = self;
  return r->objective.sampling == GRADYN_BRIEF && r->suffices != NULL && r->suffices(r->user, rho);
}

/* Reports the start of the first round only, because all rounds are one search. */
static void begins(void *self, const double rho0[], double optimality)
{
  gradyn_rounds *r = self;
  if (!r->begun)
    r->inner->begins(r->inner->self, rho0, optimality);
  r->begun = true;
}

static void arrived(void *self, const double rho[])
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  inner->arrived(inner->self, rho);
}

static void limit(void *self, double until)
{
  gradyn_rounds *r = self;
  r->until = until;
  r->inner->limit(r->inner->self, until);
}

static gradyn_status curve(void *self, const double weight[], const double rho[],
                           const gradyn_block **block)
{
  const gradyn_objective *inner = ((gradyn_rounds *)self)->inner;
  return inner->curve(inner->self, weight, rho, block);
}

/* Reports an iteration with the number of evaluations since the first search. */
static bool watch(const gradyn_iteration *iteration, void *user)
{
  const gradyn_rounds *r = user;
  gradyn_iteration counted = *iteration;
  counted.evaluation += r->evaluations;
  return r->search->on_iteration(&counted, r->search->user);
}

void gradyn_rounds_begin(const gradyn_objective *inner, const gradyn_search *search,
                         gradyn_search_result *result, gradyn_rounds *out)
{
  *out = (gradyn_rounds){.inner = inner,
                         .search = search,
                         .result = result,
                         .initial = NAN,
                         .started = gradyn_seconds(),
                         .warm = {.optimum = NAN},
                         .objective = *inner};
  if (search->warm_start != NULL) /* the text was checked before */
    (void)gradyn_warm_read(search->warm_start, &out->given, NULL);
  out->objective.evaluate = evaluate;
  out->objective.numbers = inner->numbers != NULL ? numbers : NULL;
  out->objective.message = message;
  out->objective.steps = inner->steps != NULL ? steps : NULL;
  out->objective.warnings = inner->warnings != NULL ? warnings : NULL;
  out->objective.spent = spent;
  out->objective.strained = inner->strained != NULL ? strained : NULL;
  out->objective.begins = inner->begins != NULL ? begins : NULL;
  out->objective.arrived = inner->arrived != NULL ? arrived : NULL;
  out->objective.limit = inner->limit != NULL ? limit : NULL;
  out->objective.curve = inner->curve != NULL ? curve : NULL;
  out->objective.suffices = suffices;
  out->objective.refer = NULL;
  out->objective.hold = NULL;
  out->objective.look = NULL;
  out->objective.self = out;
}

void gradyn_rounds_clear(gradyn_rounds *r)
{
  gradyn_warm_start_clear(&r->warm);
  json_decref(r->given);
}

/* --- warm starts ------------------------------------------------------------------------------ */

gradyn_status gradyn_rounds_warm(gradyn_rounds *r, const gradyn_rows *rows)
{
  if (r->given == NULL || r->searches > 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_warm_fill(r->given, &r->objective, &r->warm));
  for (size_t i = 0; rows != NULL && i < rows->count; i++)
    r->warm.functional[r->inner->functional_count + i] = rows->item[i].multiplier;
  return GRADYN_OK;
}

gradyn_status gradyn_rounds_leave(const gradyn_rounds *r, const gradyn_rows *rows,
                                  gradyn_status status)
{
  gradyn_search_result *result = r->result;
  if (result->rho == NULL || !isfinite(result->objective) || status == GRADYN_NO_MEMORY)
    return status;
  const double *multiplier = r->warm.barrier > 0 ? r->warm.functional : result->multiplier;
  result->warm.barrier = r->warm.barrier;
  json_auto_t *root = gradyn_warm_describe(r->inner, &r->warm, result);
  if (rows != NULL)
    gradyn_json_put(&root, "path_points",
                    gradyn_rows_describe(rows, r->inner, multiplier + r->inner->functional_count));
  gradyn_json_put(&root, "minimised", gradyn_json_text(r->search->objective));
  const gradyn_status described = r->inner->describe != NULL
                                      ? r->inner->describe(r->inner->self, result, &root)
                                      : GRADYN_OK;
  free(result->warm.text);
  result->warm.text = described == GRADYN_OK ? gradyn_warm_print(root) : NULL;
  return result->warm.text != NULL ? status : gradyn_warm_out_of_memory(result);
}

/* --- searches --------------------------------------------------------------------------------- */

long gradyn_rounds_left(const gradyn_rounds *r)
{
  return r->search->max_evaluations - (r->evaluations - r->probes);
}

/* Runs one search. */
static gradyn_status search_once(gradyn_rounds *r, const double rho[])
{
  gradyn_search_result *result = r->result;
  gradyn_search how = *r->search;
  how.max_evaluations = gradyn_rounds_left(r);
  if (how.on_iteration != NULL) {
    how.on_iteration = watch;
    how.user = r;
  }
  /* near an optimum, the scale of an earlier search is better than the one that the gradient gives */
  if (r->searches > 0) {
    how.objective_scale = result->objective_scale;
    gradyn_search_follow(result, &how);
  }
  if (r->warm.barrier > 0)
    r->warm.barrier = first_barrier / (how.objective_scale > 0 ? how.objective_scale : 1);
  r->strained = false;
  r->warm.evaluations = r->earlier.evaluations + r->evaluations;
  r->warm.probes = r->earlier.probes + r->probes;
  gradyn_search_result_clear(result);
  const gradyn_status status = gradyn_search_run_warm(&r->objective, &how, rho, &r->warm, result);
  if (r->searches == 0)
    r->initial = result->initial_objective;
  r->searches++;
  r->evaluations += result->evaluations;
  r->rejected += result->rejected;
  r->probes += result->probes;
  return status;
}

/* Whether a search has ended, or may have ended, because its references must be moved. */
static bool refers_anew(gradyn_rounds *r, gradyn_status status)
{
  const gradyn_search_result *result = r->result;
  if (r->objective.strained == NULL ||
      gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL || result->rho == NULL ||
      !isfinite(result->objective) || gradyn_rounds_left(r) <= 0 ||
      result->termination == GRADYN_TERMINATION_STOPPED ||
      result->termination == GRADYN_TERMINATION_TIME)
    return false;
  return r->strained || (result->violation > 1 && strained(r, result->rho));
}

gradyn_status gradyn_rounds_search(gradyn_rounds *r, const double rho[])
{
  gradyn_status status = search_once(r, rho);
  const size_t p = r->inner->parameter_count;
  double *there = NULL;
  while (refers_anew(r, status)) {
    if (there == NULL)
      there = calloc(p + 1, sizeof *there);
    if (there == NULL)
      return GRADYN_NO_MEMORY;
    memcpy(there, r->result->rho, p * sizeof *there);
    /* references that cannot be moved remain, and the search is not repeated */
    if (r->inner->refer(r->inner->self, there) != GRADYN_OK)
      break;
    r->references++;
    r->warm.barrier = 0; /* the unknowns have changed, so that the multipliers do not fit */
    status = search_once(r, there);
  }
  free(there);
  return status;
}

void gradyn_rounds_count(const gradyn_rounds *r)
{
  gradyn_search_result *result = r->result;
  if (r->references > 0)
    gradyn_termination_add(result, "references",
                           "moved to the states at segment boundaries %d time%s", r->references,
                           r->references == 1 ? "" : "s");
  result->initial_objective = r->initial;
  result->evaluations = r->evaluations;
  result->rejected = r->rejected;
  result->probes = r->probes;
}

gradyn_status gradyn_rounds_run(const gradyn_objective *objective, const gradyn_search *search,
                                const double rho0[], gradyn_earlier earlier,
                                gradyn_search_result *result)
{
  gradyn_rounds rounds;
  *result = (gradyn_search_result){0};
  gradyn_rounds_begin(objective, search, result, &rounds);
  rounds.earlier = earlier;
  gradyn_status status = gradyn_rounds_warm(&rounds, NULL);
  if (status == GRADYN_OK)
    status = gradyn_rounds_search(&rounds, rho0);
  gradyn_rounds_count(&rounds);
  status = gradyn_rounds_leave(&rounds, NULL, status);
  gradyn_rounds_clear(&rounds);
  return status;
}
