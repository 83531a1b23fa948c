/* Rounds of finer control grids: estimate the gains of new knots, select knots, and search with them from
 * the last optimum. The search of each round has a separate journal, because its parameters differ. */
#include "optim/rounds/refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/rounds/gains.h"
#include "optim/search/search.h"
#include "optim/search/warm_start.h"
#include "optim/study/account.h"

/* A round is worthwhile if new knots gain more than this part of the objective. */
static const double enough = 1e-7;

/* The selected knots must have this part of the gain of all knots. */
static const double worth = 0.9;

/* The predicted and the true gain of a round agree if their ratio is below this factor. */
static const double agreement = 3;

typedef struct refining {
  const gradyn_search *search;
  gradyn_recollection how;
  gradyn_refine_search once;
  gradyn_evaluator *evaluator; /* evaluator of the result */
  gradyn_search_result *result;
  long evaluations; /* number of evaluations in all earlier searches */
  int rounds;       /* number of rounds that have added knots */
  size_t added;
  double initial;
  bool doubted; /* the last round gained more than predicted, or its prediction is not known */
  gradyn_message unknown; /* reason why gains are not known; "" if they are known */
} refining;

/* Reports an iteration with the number of evaluations since the first search. */
static bool watch(const gradyn_iteration *iteration, void *user)
{
  const refining *r = user;
  gradyn_iteration counted = *iteration;
  counted.evaluation += r->evaluations;
  return r->search->on_iteration(&counted, r->search->user);
}

/* --- selection of knots -------------------------------------------------------------------------- */

/* Moves the smallest set of knots with sufficient gain to the front of the list, in their order. Returns
 * their number. */
static size_t choose(gradyn_gains *gains)
{
  double covered = 0, least = 0;
  size_t chosen = 0;
  /* least: gain of the last knot that is needed */
  while (covered < worth * gains->total) {
    double next = 0;
    for (size_t j = 0; j < gains->count; j++)
      if (gains->gain[j] > next && (covered == 0 || gains->gain[j] < least))
        next = gains->gain[j];
    if (next == 0)
      break;
    for (size_t j = 0; j < gains->count; j++)
      covered += gains->gain[j] == next ? next : 0;
    least = next;
  }
  for (size_t j = 0; j < gains->count && least > 0; j++)
    if (gains->gain[j] >= least) {
      gains->knot[chosen] = gains->knot[j];
      gains->gain[chosen++] = gains->gain[j];
    }
  return chosen;
}

/* --- a round ----------------------------------------------------------------------------------- */

/* Adds the counts and notes of a resumed round to those of all rounds. */
static void gather(gradyn_resumed *all, const gradyn_resumed *round)
{
  const size_t used = strlen(all->note);
  all->journalled += round->journalled;
  all->replayed += round->replayed;
  if (*round->note != '\0' && used + 2 < sizeof all->note)
    (void)snprintf(all->note + used, sizeof all->note - used, "%s%.*s", used > 0 ? "\n" : "",
                   (int)(sizeof all->note - used - 2), round->note);
}

/* Returns a warm start without its points of path constraints, to be freed by free(); NULL: there is none.
 * Points that move with a maximum cost more evaluations than they save: windows between new knots have other
 * maxima. With them, the third round of bryson-denham in five segments has no optimum in 700 evaluations. */
static char *without_points(const char *text)
{
  json_auto_t *root = text != NULL ? json_loads(text, 0, NULL) : NULL;
  if (root == NULL)
    return NULL;
  (void)json_object_del(root, "path_points");
  return gradyn_warm_print(root);
}

/* Runs the search of a round from rho [parameters]. */
static gradyn_status search_finer(refining *r, gradyn_evaluator *finer, const double rho[],
                                  const bool vary[], gradyn_search_result *result)
{
  gradyn_search how = *r->search;
  gradyn_resumed resumed = {0};
  gradyn_recollection recollection = r->how;
  char *journal = how.journal != NULL ? gradyn_journal_of_round(how.journal, r->rounds + 1) : NULL;
  *result = (gradyn_search_result){.objective = NAN};
  if (how.journal != NULL && journal == NULL)
    return GRADYN_NO_MEMORY;
  how.journal = journal;
  how.guess = NULL; /* the motion is known, so that no guess is needed */
  FREED char *warm = gradyn_search_in_segments(&how) || r->result->path_point_count == 0
                         ? without_points(r->result->warm.text)
                         : NULL;
  how.warm_start = warm;
  how.vary = vary;
  how.objective_scale = r->result->objective_scale;
  gradyn_search_follow(r->result, &how);
  how.max_evaluations -= r->evaluations;
  how.max_seconds -= how.max_seconds > 0 ? r->result->seconds : 0;
  if (how.on_iteration != NULL) {
    how.on_iteration = watch;
    how.user = r;
  }
  recollection.earlier = (gradyn_earlier){r->result->evaluations, r->result->probes};
  recollection.resumed = r->how.resumed != NULL ? &resumed : NULL;
  const gradyn_status status = r->once(finer, &how, rho, recollection, result);
  if (r->how.resumed != NULL)
    gather(r->how.resumed, &resumed);
  free(journal);
  return status;
}

/* Fills the start of the finer search, which has the same motion, and marks its free parameters. */
static void carry_over(const refining *r, const gradyn_evaluator *finer, const gradyn_gains *gains,
                       size_t count, double rho[], bool vary[])
{
  const size_t p = gradyn_parameter_count(r->evaluator), base = p - r->added;
  for (size_t i = 0; i < p; i++) {
    const size_t j = gradyn_refined_old(finer, r->evaluator, i);
    rho[j] = r->result->rho[i];
    vary[j] = i >= base                 ? true
              : r->search->vary != NULL ? r->search->vary[i]
                                        : !gradyn_parameter_at(finer, j).fixed;
  }
  for (size_t i = 0; i < count; i++) {
    const size_t j = gradyn_refined_new(finer, &gains->knot[i].at);
    rho[j] = gains->knot[i].value;
    vary[j] = true;
  }
}

/* Replaces the result by that of a finer search. Returns false if the old result remains. */
static bool take(refining *r, gradyn_status status, gradyn_evaluator *finer,
                 gradyn_search_result *newer)
{
  gradyn_search_result *result = r->result;
  if (status != GRADYN_OK || !isfinite(newer->objective)) {
    gradyn_termination_add(result, "knots", "a search with more knots did not succeed: %.200s",
                           newer->reason);
    if (status == GRADYN_INTERRUPTED)
      result->termination = GRADYN_TERMINATION_STOPPED;
    result->evaluations += newer->evaluations;
    gradyn_search_result_clear(newer);
    return false;
  }
  newer->initial_objective = r->initial;
  newer->evaluations += result->evaluations;
  newer->rejected += result->rejected;
  newer->probes += result->probes;
  newer->seconds += result->seconds;
  if (newer->resumed.status == GRADYN_OK)
    newer->resumed.status = result->resumed.status;
  newer->refined = finer;
  gradyn_search_result_clear(result); /* also frees the previous evaluator */
  *result = *newer;
  r->evaluator = finer;
  return true;
}

/* Runs another round with the first `count` knots. *gained: decrease of the objective; negative if there is
 * no new result. */
static gradyn_status add_knots(refining *r, const gradyn_gains *gains, size_t count, double *gained)
{
  gradyn_search_result newer;
  OWNED(gradyn_evaluator) *finer = NULL;
  const double before = r->result->objective;
  *gained = -1;
  r->evaluations = r->result->evaluations - r->result->probes;
  GRADYN_TRY(gradyn_refined_create(r->evaluator, gains->knot, count, &finer));
  const size_t p = gradyn_parameter_count(finer);
  FREED double *rho = calloc(p + 1, sizeof *rho);
  FREED bool *vary = calloc(p + 1, sizeof *vary);
  if (rho == NULL || vary == NULL)
    return GRADYN_NO_MEMORY;
  carry_over(r, finer, gains, count, rho, vary);
  const gradyn_status status = search_finer(r, finer, rho, vary, &newer);
  if (take(r, status, finer, &newer)) {
    r->rounds++;
    r->added += count;
    *gained = before - r->result->objective;
    finer = NULL; /* the result now owns the finer evaluator */
  }
  return status;
}

/* --- rounds ------------------------------------------------------------------------------------ */

/* Whether the result is an optimum, and evaluations and time remain for another round. */
static bool goes_on(const refining *r, gradyn_status status)
{
  const gradyn_search *search = r->search;
  const gradyn_search_result *result = r->result;
  return status == GRADYN_OK && r->rounds < search->refine_controls && result->rho != NULL &&
         isfinite(result->objective) &&
         result->evaluations - result->probes < search->max_evaluations &&
         (search->max_seconds <= 0 || result->seconds < search->max_seconds);
}

/* Runs a round with the knots that are worthwhile. Returns false if it was the last round. */
static bool refine_by(refining *r, gradyn_gains *gains, gradyn_status *status)
{
  const double least = enough * fabs(r->result->objective);
  const bool little = gains->total <= least;
  double gained, predicted = 0;
  if (little && !r->doubted) {
    gradyn_termination_add(r->result, "knots",
                           "with twice as many knots, the objective would decrease by %.2g",
                           gains->total);
    return false;
  }
  const size_t count = little || isnan(gains->total) ? gains->count : choose(gains);
  for (size_t j = 0; j < count; j++)
    predicted += gains->gain[j];
  const gradyn_status added = add_knots(r, gains, count, &gained);
  *status = gradyn_status_describe((int)added).kind == GRADYN_CLASS_FATAL ? added : *status;
  r->doubted = isnan(gains->total) || gained > agreement * predicted;
  return gained > least;
}

/* Predicts the gains of new knots, and runs a round. Returns false if it was the last round. */
static bool refine_once(refining *r, gradyn_status *status)
{
  gradyn_message message = {.text = ""};
  gradyn_gains gains;
  gradyn_search how = *r->search;
  const size_t p = gradyn_parameter_count(r->evaluator);
  bool *vary = calloc(p + 1, sizeof *vary);
  bool again = false;
  for (size_t i = 0; vary != NULL && i < p; i++)
    vary[i] = i >= p - r->added  ? true
              : how.vary != NULL ? how.vary[i]
                                 : !gradyn_parameter_at(r->evaluator, i).fixed;
  how.vary = vary;
  const gradyn_status found = gradyn_gains_find(r->evaluator, &how, r->result, &message, &gains);
  free(vary);
  if (found != GRADYN_OK) {
    gradyn_termination_add(r->result, "knots", "grids are not refined: %.200s", message.text);
    *status = gradyn_status_describe((int)found).kind == GRADYN_CLASS_FATAL ? found : *status;
  } else {
    again = refine_by(r, &gains, status);
    if (isnan(gains.total))
      r->unknown = message;
  }
  gradyn_gains_clear(&gains);
  return again;
}

gradyn_status gradyn_refine_run(gradyn_evaluator *evaluator, const gradyn_search *search,
                                gradyn_recollection how, gradyn_refine_search once,
                                gradyn_status status, gradyn_search_result *result)
{
  refining r = {.search = search,
                .how = how,
                .once = once,
                .evaluator = evaluator,
                .result = result,
                .initial = result->initial_objective};
  while (goes_on(&r, status) && refine_once(&r, &status))
    ;
  if (r.rounds > 0)
    gradyn_termination_add(result, "knots",
                           "%zu knots were added to signals in %d round%s, %ld evaluations in all",
                           r.added, r.rounds, r.rounds == 1 ? "" : "s", result->evaluations);
  if (r.rounds > 0 && *r.unknown.text != '\0')
    gradyn_termination_add(result, "knots",
                           "all intervals were divided, because gains are not known: %.200s",
                           r.unknown.text);
  return status;
}
