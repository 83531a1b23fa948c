/* Path constraints by exchange, a method of semi-infinite programming.
 *
 * A search enforces samples of a path constraint at time points. Then the whole run is checked for maxima
 * beyond the tolerance. Each maximum adds two samples: one stays at its time; the other moves with the
 * maximum, with the derivative at a fixed time (Danskin). The next search starts from the multipliers of
 * the last one. If a fixed sample is exceeded again, its bound is moved by the excess. */
#include "optim/rounds/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "optim/rounds/halving.h"
#include "optim/rounds/rounds.h"
#include "optim/rounds/rows.h"
#include "optim/rounds/violations.h"

/* Time in s to evaluate the best point, if a request or the time limit has ended the search. */
enum { TIME_FOR_VALUES = 5 };

/* The check reports violations above this part of the tolerance. Values that differ slightly from those of
 * the check then still satisfy the tolerance. */
static const double part_of_looks = 0.9;

typedef struct exchange {
  const gradyn_objective *objective;
  const gradyn_search *search;
  gradyn_search_result *result;
  gradyn_rounds rounds; /* runs the searches; their objective includes the samples */
  gradyn_rows rows;
  gradyn_limit_at *at;          /* [count], time points of the samples, for the objective */
  gradyn_functional_info *info; /* [functionals + count] */
  bool *used;                   /* [functionals + count] */
  gradyn_path_check seen;
  double t_end; /* end time of the last run that was checked, s */
  gradyn_halving halving;
  gradyn_message message;
} exchange;

/* --- objective of a round ------------------------------------------------------------------------ */

/* Fills the functionals of a round: those of the problem, then the samples. Bounds of path constraints are
 * monitored only, because samples enforce them. */
static void fill_info(exchange *x)
{
  const size_t f = x->objective->functional_count;
  for (size_t i = 0; i < f; i++) {
    x->info[i] = x->objective->functionals[i];
    x->used[i] = x->objective->used == NULL || x->objective->used[i];
    if (x->info[i].use != GRADYN_PATH_CONSTRAINT)
      continue;
    x->info[i].use = GRADYN_MONITORED;
    x->used[i] = false;
  }
  for (size_t i = 0; i < x->rows.count; i++) {
    x->info[f + i].bound = -x->rows.item[i].moved;
    x->used[f + i] = true;
  }
}

/* Reports a failure with the message of the objective. If memory is lacking, there may be no message. */
static gradyn_status tell(exchange *x, gradyn_status status)
{
  const gradyn_objective *inner = x->objective;
  const char *text = inner->message(inner->self);
  if (status == GRADYN_OK)
    return status;
  return gradyn_fail(&x->message, status, "%s",
                     *text != '\0' ? text : gradyn_status_describe((int)status).sentence);
}

/* Makes the objective enforce the samples from now on. */
static gradyn_status hold(exchange *x)
{
  const gradyn_objective *inner = x->objective;
  const size_t f = inner->functional_count, all = f + x->rows.count;
  free(x->at);
  free(x->info);
  free(x->used);
  x->at = calloc(x->rows.count + 1, sizeof *x->at);
  x->info = calloc(all + 1, sizeof *x->info);
  x->used = calloc(all + 1, sizeof *x->used);
  if (x->at == NULL || x->info == NULL || x->used == NULL)
    return gradyn_fail(&x->message, GRADYN_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < x->rows.count; i++)
    x->at[i] = x->rows.item[i].at;
  const gradyn_status status = inner->hold(inner->self, x->at, x->rows.count, x->info + f);
  GRADYN_TRY(tell(x, status));
  fill_info(x);
  x->rounds.objective.functionals = x->info;
  x->rounds.objective.functional_count = all;
  x->rounds.objective.used = x->used;
  return GRADYN_OK;
}

/* Makes the objective evaluate the problem without samples from now on. */
static gradyn_status let_go(exchange *x)
{
  const gradyn_objective *inner = x->objective;
  return tell(x, inner->hold(inner->self, NULL, 0, NULL));
}

/* --- samples ------------------------------------------------------------------------------------- */

/* Checks the run at rho, and discards the result of the last check. */
static gradyn_status look(exchange *x, const double rho[])
{
  const gradyn_objective *inner = x->objective;
  gradyn_path_check_clear(&x->seen);
  const gradyn_status status = inner->look(inner->self, rho, part_of_looks, &x->seen);
  x->t_end = status == GRADYN_OK ? x->seen.t_end : x->t_end;
  return tell(x, status);
}

/* Adds samples for the largest violation of each interval. */
static gradyn_status add_seen(exchange *x)
{
  bool added = true;
  for (size_t i = 0; i < x->seen.count && added; i++)
    added = gradyn_rows_add_found(&x->rows, &x->seen.found[i].at, x->seen.found[i].excess);
  return added ? GRADYN_OK : gradyn_fail(&x->message, GRADYN_NO_MEMORY, "out of memory");
}

/* Removes a sample if its window is no longer a single arc of the run that was checked, because events have
 * appeared, vanished, or changed their order. Returns whether samples were removed. */
static bool drop_changed(exchange *x)
{
  const size_t count = x->rows.count;
  for (size_t i = count; i-- > 0;) {
    if (gradyn_rows_keeps_arc(&x->rows.item[i].at, &x->seen))
      continue;
    gradyn_rows_remove(&x->rows, i);
    gradyn_warm_start_remove(&x->rounds.warm, x->objective->functional_count + i);
  }
  return x->rows.count < count;
}

/* Adds the initial samples of every bound at equal distances, and samples of the violations of the start.
 * If the start is a guess whose segments do not join, these samples do not move with the maxima: moving
 * ones keep a search away from its optimum. The shuttle of bench/segments is not found with them. */
static gradyn_status first_rows(exchange *x, const double rho[])
{
  const gradyn_status looked = look(x, rho);
  x->rows.round = 1;
  if (gradyn_status_describe((int)looked).kind == GRADYN_CLASS_FATAL)
    return looked; /* the search reports any other failure */
  gradyn_message_clear(&x->message);
  bool added = gradyn_rows_add_given(&x->rows, x->rounds.given, x->objective);
  (void)drop_changed(x);
  for (size_t i = 0; i < x->seen.first_count && added; i++)
    added = gradyn_rows_add(&x->rows, &x->seen.first[i], 0);
  if (!added)
    return gradyn_fail(&x->message, GRADYN_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < x->seen.count && x->seen.guessed; i++)
    x->seen.found[i].at.from = x->seen.found[i].at.to = 0;
  return add_seen(x);
}

/* Whether sample i does not depend on a free parameter, according to its gradient. */
static bool is_fixed(const exchange *x, size_t i, const double gradient[])
{
  const gradyn_objective *inner = x->objective;
  const gradyn_entry_row row = gradyn_objective_row(inner, inner->functional_count + i);
  bool fixed = true;
  for (size_t k = 0; k < row.count; k++) {
    const size_t j = gradyn_entries_column(&row, k);
    const bool varied = x->search->vary != NULL ? x->search->vary[j] : !inner->parameters[j].fixed;
    fixed = fixed && (!varied || gradient[row.first + k] == 0);
  }
  return fixed;
}

/* Fails if the initial state exceeds a path constraint and no design can change this. */
static gradyn_status check_start(exchange *x, const double rho[])
{
  const gradyn_objective *inner = x->objective;
  const size_t f = inner->functional_count, all = f + x->rows.count;
  bool any = false;
  for (size_t i = 0; i < x->rows.count; i++)
    any = any || (x->rows.item[i].at.share == 0 && x->rows.item[i].at.which == 0);
  if (!any)
    return GRADYN_OK;
  GRADYN_TRY(hold(x));
  const size_t entries = gradyn_entries_count(inner->entries, inner->parameter_count, all);
  FREED double *psi = calloc(all + entries + 1, sizeof *psi);
  /* the search will report this failure */
  if (psi == NULL || inner->evaluate(inner->self, false, rho, psi, psi + all) != GRADYN_OK)
    return GRADYN_OK;
  for (size_t i = 0; i < x->rows.count; i++) {
    const gradyn_functional_info *side = &inner->functionals[x->rows.item[i].at.side];
    if (x->rows.item[i].at.share == 0 && is_fixed(x, i, psi + all))
      return gradyn_fail(&x->message, GRADYN_INFEASIBLE,
                         "path constraint %s at t = 0 s: %.6g %s for all values of the free "
                         "parameters; no design satisfies it. Relax it, or free a parameter",
                         side->name, psi[f + i], side->unit);
  }
  return GRADYN_OK;
}

/* --- rounds ----------------------------------------------------------------------------------- */

/* Whether the run at the end of a round can be checked. */
static bool worth_a_look(const gradyn_search_result *result, gradyn_status status)
{
  return gradyn_status_describe((int)status).kind != GRADYN_CLASS_FATAL && result->rho != NULL &&
         isfinite(result->objective) && result->termination != GRADYN_TERMINATION_STOPPED &&
         result->termination != GRADYN_TERMINATION_TIME;
}

/* Notes the largest violation of this round, in tolerances. */
static void note_violation(exchange *x)
{
  double largest = 0;
  for (const gradyn_limit_found *f = x->seen.found; f < x->seen.found + x->seen.count; f++)
    largest = fmax(largest, f->excess / x->objective->functionals[f->at.side].tolerance);
  gradyn_halving_note(&x->halving, largest);
}

/* Whether the run at rho, near the optimum of a round, exceeds path constraints. If so, the round ends
 * early, because the optimum with its samples is not that of the problem. */
static bool is_exceeded(void *user, const double rho[])
{
  exchange *x = user;
  const bool looked = look(x, rho) == GRADYN_OK;
  gradyn_message_clear(&x->message);
  return looked && x->seen.count > 0;
}

/* Whether another round should follow. */
static bool goes_on(const exchange *x)
{
  const gradyn_termination ending = x->result->termination;
  const bool may = gradyn_halving_continues(&x->halving, x->search->path_rounds, x->rows.round);
  return x->seen.count > 0 && may && gradyn_rounds_left(&x->rounds) > 0 &&
         ending != GRADYN_TERMINATION_EVALUATIONS && ending != GRADYN_TERMINATION_INFEASIBLE;
}

/* Whether all path constraints are satisfied after a brief search, whose end was not examined. Then another
 * search examines it. */
static bool comes_to_the_end(exchange *x)
{
  const gradyn_termination ending = x->result->termination;
  const bool left = x->rounds.objective.sampling == GRADYN_BRIEF && x->seen.count == 0 &&
                    gradyn_rounds_left(&x->rounds) > 0 &&
                    (ending == GRADYN_TERMINATION_OPTIMAL || ending == GRADYN_TERMINATION_CHANGE ||
                     ending == GRADYN_TERMINATION_ROUNDOFF);
  if (left)
    x->rounds.objective.sampling = GRADYN_SAMPLED;
  return left;
}

/* --- the end ---------------------------------------------------------------------------------- */

/* Subject of the termination of the search itself, for the enforced points only. */
static const char enforced_alone[] = "enforced points";

/* Reports which bounds are exceeded, by how much, and when. */
static gradyn_status judge_seen(exchange *x, gradyn_status status)
{
  gradyn_search_result *result = x->result,
                       said = {.reason = "path constraints are violated during the run"};
  gradyn_violations_report(&x->seen, x->objective, &said);
  gradyn_termination_add(&said, "path constraints", "enforced at %zu time points in %d round%s%s",
                         x->rows.count, x->rows.round, x->rows.round == 1 ? "" : "s",
                         gradyn_halving_advice(&x->halving, x->search->path_rounds, x->rows.round));
  gradyn_termination_precede(result, said.reason, enforced_alone);
  if (status == GRADYN_OK || status == GRADYN_STALLED) {
    result->termination = GRADYN_TERMINATION_INFEASIBLE;
    status = GRADYN_INFEASIBLE;
  }
  return status;
}

/* Reports that the result satisfies the constraints with samples, but violates one without them. */
static gradyn_status judge_values(gradyn_search_result *result)
{
  char text[160];
  (void)snprintf(
      text, sizeof text,
      "without sampled constraints, the run violates a constraint by %.3g times its tolerance: "
      "tighten --rtol, or relax this tolerance",
      result->violation);
  gradyn_termination_precede(result, text, enforced_alone);
  result->termination = GRADYN_TERMINATION_INFEASIBLE;
  return GRADYN_INFEASIBLE;
}

/* Computes psi, the gradient and the numbers that follow from them, by an evaluation without samples. */
static gradyn_status evaluate_end(exchange *x)
{
  gradyn_search_result *result = x->result;
  const gradyn_objective *inner = x->objective;
  OWNED(gradyn_program) *program = NULL;
  gradyn_status status = inner->evaluate(inner->self, true, result->rho, result->psi,
                                         result->gradient);
  if (status != GRADYN_OK)
    return gradyn_fail(&x->message, status, "the best point could not be repeated: %s",
                       inner->message(inner->self));
  status = gradyn_program_create(inner, x->search, result->rho, &program);
  if (status != GRADYN_OK)
    return gradyn_fail(&x->message, status, "%s",
                       program != NULL && *program->message.text ? program->message.text
                                                                 : "out of memory");
  result->objective = gradyn_program_value(program, result->psi);
  result->violation = gradyn_program_violation(program, result->psi, NULL);
  if (result->violation > 1)
    result->projected_gradient = NAN;
  return GRADYN_OK;
}

/* Sets the termination of a search that a request or the time limit has ended before its run was checked. */
static gradyn_status interrupt(exchange *x)
{
  gradyn_search_result *result = x->result;
  const bool late = x->rounds.until > 0 && gradyn_seconds() >= x->rounds.until;
  gradyn_message_clear(&x->message);
  result->termination = late ? GRADYN_TERMINATION_TIME : GRADYN_TERMINATION_STOPPED;
  if (late)
    gradyn_termination_add(result, "time", "the limit of %.3g s was reached",
                           x->search->max_seconds);
  else
    gradyn_termination_add(result, "search", "stopped on request");
  return late ? GRADYN_STALLED : GRADYN_INTERRUPTED;
}

/* Sets path constraints and violations to NAN: they are not known between samples. */
static void forget_sides(exchange *x)
{
  gradyn_search_result *result = x->result;
  for (size_t f = 0; f < x->objective->functional_count; f++)
    if (x->objective->functionals[f].use == GRADYN_PATH_CONSTRAINT) {
      result->psi[f] = NAN;
      const gradyn_entry_row row = gradyn_objective_row(x->objective, f);
      for (size_t k = 0; k < row.count; k++)
        result->gradient[row.first + k] = NAN;
    }
  result->violation = result->violation > 1 ? result->violation : NAN;
}

/* Evaluates the whole run after a search was stopped, because psi of its best point comes from the samples.
 * After a failure of the search, nothing is evaluated. */
static gradyn_status break_off(exchange *x, gradyn_status status)
{
  gradyn_search_result *result = x->result;
  const gradyn_objective *inner = x->objective;
  const bool ended = result->termination == GRADYN_TERMINATION_STOPPED ||
                     result->termination == GRADYN_TERMINATION_TIME;
  forget_sides(x);
  GRADYN_TRY(let_go(x));
  FREED double *psi = calloc(inner->functional_count + 1, sizeof *psi);
  OWNED(gradyn_program) *program = NULL;
  const gradyn_status laid = gradyn_program_create(inner, x->search, result->rho, &program);
  if (psi == NULL || laid == GRADYN_NO_MEMORY)
    return gradyn_fail(&x->message, GRADYN_NO_MEMORY, "out of memory");
  if (!ended || laid != GRADYN_OK || inner->values == NULL ||
      inner->values(inner->self, TIME_FOR_VALUES, result->rho, psi) != GRADYN_OK) {
    gradyn_result_warn(result, GRADYN_WARNING(PATH_UNCHECKED, .value = (double)x->rows.count));
    return status;
  }
  memcpy(result->psi, psi, inner->functional_count * sizeof *psi);
  result->violation = gradyn_program_violation(program, psi, NULL);
  if (!(result->violation > 1))
    return status;
  result->projected_gradient = NAN;
  gradyn_termination_add(
      result, "path constraint",
      "between the time points a constraint is violated %.3g times its tolerance",
      result->violation);
  return status == GRADYN_INTERRUPTED ? status : GRADYN_INFEASIBLE;
}

/* Completes the result after the last round. */
static gradyn_status conclude(exchange *x, gradyn_status status)
{
  gradyn_search_result *result = x->result;
  gradyn_rounds_count(&x->rounds);
  if (result->rho == NULL || !isfinite(result->objective))
    return status;
  result->rounds = x->rows.round;
  if (!gradyn_rows_leave(&x->rows, &x->seen, x->t_end, x->objective->functional_count, result))
    return gradyn_fail(&x->message, GRADYN_NO_MEMORY, "out of memory");
  if (!worth_a_look(result, status))
    return break_off(x, status);
  const gradyn_status evaluated = evaluate_end(x);
  if (evaluated == GRADYN_INTERRUPTED)
    return break_off(x, interrupt(x));
  GRADYN_TRY(evaluated);
  if (x->seen.count > 0)
    return judge_seen(x, status);
  if (result->violation > 1 && status == GRADYN_OK)
    return judge_values(result);
  gradyn_termination_add(result, "path constraints",
                         "satisfied throughout the run: enforced at %zu time points in %d "
                         "round%s",
                         x->rows.count, x->rows.round, x->rows.round == 1 ? "" : "s");
  return status;
}

/* Runs rounds until no path constraint is exceeded. */
static gradyn_status run_rounds(exchange *x, const double rho0[], double rho[])
{
  const size_t p = x->objective->parameter_count;
  GRADYN_TRY(let_go(x));
  GRADYN_TRY(first_rows(x, rho0));
  GRADYN_TRY(check_start(x, rho0));
  memcpy(rho, rho0, p * sizeof *rho);
  x->rounds.objective.sampling = GRADYN_BRIEF;
  for (;;) {
    GRADYN_TRY(hold(x));
    GRADYN_TRY(gradyn_rounds_warm(&x->rounds, &x->rows));
    const gradyn_status status = gradyn_rounds_search(&x->rounds, rho);
    if (!worth_a_look(x->result, status))
      return conclude(x, status);
    memcpy(rho, x->result->rho, p * sizeof *rho);
    GRADYN_TRY(let_go(x));
    const gradyn_status looked = look(x, rho);
    if (looked == GRADYN_INTERRUPTED)
      return conclude(x, interrupt(x));
    GRADYN_TRY(looked);
    if (x->seen.count == 0 && gradyn_rounds_left(&x->rounds) > 0 && drop_changed(x))
      continue; /* the round is repeated */
    if (comes_to_the_end(x))
      continue;
    note_violation(x);
    if (!goes_on(x))
      return conclude(x, status);
    x->rows.round++;
    (void)drop_changed(x);
    GRADYN_TRY(add_seen(x));
  }
}

/* Moves the start into its bounds, as the search does. */
static void move_into_bounds(const gradyn_objective *objective, const double rho0[], double rho[])
{
  for (size_t i = 0; i < objective->parameter_count; i++)
    rho[i] = fmin(fmax(rho0[i], objective->parameters[i].lower), objective->parameters[i].upper);
}

gradyn_status gradyn_exchange_run(const gradyn_objective *objective, const gradyn_search *search,
                                  const double rho0[], gradyn_earlier earlier,
                                  gradyn_search_result *result)
{
  if (objective->hold == NULL || objective->look == NULL)
    return gradyn_rounds_run(objective, search, rho0, earlier, result);
  exchange x = {.objective = objective, .search = search, .result = result, .t_end = NAN};
  const size_t p = objective->parameter_count;
  double *start = calloc(2 * p + 1, sizeof *start);
  *result = (gradyn_search_result){
      .objective = NAN, .initial_objective = NAN, .violation = NAN, .projected_gradient = NAN};
  gradyn_status status = GRADYN_NO_MEMORY;
  gradyn_rounds_begin(objective, search, result, &x.rounds);
  x.rounds.earlier = earlier;
  x.rounds.suffices = is_exceeded;
  x.rounds.user = &x;
  if (start != NULL) {
    move_into_bounds(objective, rho0, start);
    status = run_rounds(&x, start, start + p);
  }
  (void)objective->hold(objective->self, NULL, 0, NULL);
  status = gradyn_rounds_leave(&x.rounds, &x.rows, status);
  if (status != GRADYN_OK && (*x.message.text || *result->reason == '\0')) {
    result->termination = status == GRADYN_INTERRUPTED  ? GRADYN_TERMINATION_STOPPED
                          : status == GRADYN_INFEASIBLE ? GRADYN_TERMINATION_INFEASIBLE
                                                        : GRADYN_TERMINATION_FAILED;
    result->reason[0] = '\0';
    gradyn_termination_append(result, "%s", *x.message.text ? x.message.text : "out of memory");
  }
  free(start);
  gradyn_rounds_clear(&x.rounds);
  free(x.rows.item);
  free(x.at);
  free(x.info);
  free(x.used);
  gradyn_path_check_clear(&x.seen);
  return status;
}
