/* Evaluation of trial points. The first request for an objective, constraint or gradient at a point
 * evaluates all of them. */
#include "optim/search/trials.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/clock.h"
#include "optim/search/search.h"

enum { MAX_IDLE = 2000 };

bool gradyn_trials_allocate(gradyn_trials *trials, const gradyn_program *program,
                            const gradyn_search *search)
{
  memset(trials, 0, sizeof *trials);
  trials->program = program;
  trials->search = search;
  trials->allowed = search->max_evaluations;
  trials->started = gradyn_seconds();
  trials->curvature = search->hessian ? GRADYN_CURVATURE_TAKEN : GRADYN_CURVATURE_ESTIMATED;
  /* all allocations are attempted, so that clear() finds each array allocated or NULL */
  const bool judge = gradyn_optimality_allocate(&trials->judge, program);
  const bool last = gradyn_trial_allocate(&trials->last, program);
  const bool best = gradyn_trial_allocate(&trials->best, program);
  trials->judge.optimality = search->optimality;
  trials->scaling = gradyn_scaling_create(program);
  return judge && last && best && trials->scaling != NULL;
}

void gradyn_trials_clear(gradyn_trials *trials)
{
  gradyn_optimality_clear(&trials->judge);
  gradyn_trial_clear(&trials->last);
  gradyn_trial_clear(&trials->best);
  gradyn_scaling_free(trials->scaling);
  trials->scaling = NULL;
}

double gradyn_trials_seconds(const gradyn_trials *trials)
{
  return gradyn_seconds() - trials->started;
}

/* Whether `count` numbers are all finite. Only the exponents are tested, which is fast: gradients of many
 * constraints have many entries. */
static bool all_finite(const double *value, size_t count)
{
  const uint64_t exponent = (uint64_t)0x7ff << 52;
  uint64_t any = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &value[i], sizeof bits);
    any |= (uint64_t)((bits & exponent) == exponent);
  }
  return any == 0;
}

/* Rejects values that are not finite, and names the first one. */
static gradyn_status check_finite(gradyn_trials *trials, const gradyn_trial *point)
{
  const gradyn_objective *objective = trials->program->objective;
  for (size_t i = 0; i < objective->functional_count; i++) {
    if (!isfinite(point->psi[i]))
      return gradyn_fail(&trials->message, GRADYN_NON_FINITE, "functional %s is %g",
                         objective->functionals[i].name, point->psi[i]);
    /* gradients that are not used may be NAN */
    const gradyn_entry_row row = gradyn_objective_row(objective, i);
    const double *gradient = point->gradient + row.first;
    if ((objective->used && !objective->used[i]) || all_finite(gradient, row.count))
      continue;
    for (size_t k = 0; k < row.count; k++)
      if (!isfinite(gradient[k]))
        return gradyn_fail(&trials->message, GRADYN_NON_FINITE,
                           "the derivative of functional %s with respect to %s is %g",
                           objective->functionals[i].name,
                           objective->parameters[gradyn_entries_column(&row, k)].name, gradient[k]);
  }
  /* huge weights of finite functionals can give inf - inf */
  const double value = gradyn_program_value(trials->program, point->psi);
  if (!isfinite(value))
    return gradyn_fail(&trials->message, GRADYN_NON_FINITE, "the objective is %g", value);
  return GRADYN_OK;
}

/* Rejects a design that clearly violates a bound on a value that build() computes. The violation must
 * exceed a tenth of a unit step at the slope of the best point; short steps along a curved bound stay
 * below. A search that begins with a violation may reduce it. */
static gradyn_status check_numbers(gradyn_trials *trials, gradyn_trial *point)
{
  const double far = 0.1;
  const gradyn_program *program = trials->program;
  const gradyn_objective *objective = program->objective;
  if (!objective->numbers || !trials->best.filled)
    return GRADYN_OK;
  const gradyn_status status = objective->numbers(objective->self, point->rho, point->psi);
  if (status != GRADYN_OK)
    return gradyn_fail(&trials->message, status, "%s", objective->message(objective->self));
  for (size_t i = program->equality_count; i < program->row_count; i++) {
    const size_t f = program->rows[i].functional;
    const double slope = gradyn_scaling_row_slope(trials->scaling, program, i,
                                                  trials->best.gradient);
    /* violation of the bound, in its unit, here and at the best point */
    const double off = gradyn_program_row(program, i, point->psi);
    const double before = gradyn_program_row(program, i, trials->best.psi);
    if (isfinite(off) && off > far * slope && off > 2 * before)
      return gradyn_fail(&trials->message, GRADYN_INFEASIBLE,
                         "%s is %.6g, bound %.6g: a design beyond this bound is not simulated",
                         objective->functionals[f].name, point->psi[f], program->rows[i].bound);
  }
  return GRADYN_OK;
}

/* Evaluates a point at point->rho. On failure the message of the trials states the reason. */
static gradyn_status evaluate(gradyn_trials *trials, gradyn_trial *point, bool all)
{
  const gradyn_objective *objective = trials->program->objective;
  const double started = gradyn_seconds();
  /* unknown until the evaluation has ended */
  trials->seconds = 0.0;
  point->filled = true;
  point->objective = point->violation = point->residual = point->merit = NAN;
  /* checks values of build() first, because they need no run */
  point->status = check_numbers(trials, point);
  if (point->status != GRADYN_OK) {
    trials->status = point->status;
    return point->status;
  }
  if (objective->limit != NULL && trials->search->max_seconds > 0)
    objective->limit(objective->self, trials->started + trials->search->max_seconds);
  point->status = objective->evaluate(objective->self, all, point->rho, point->psi,
                                      point->gradient);
  trials->seconds = gradyn_seconds() - started;
  /* evaluations from a journal have their own times */
  /* the search continues at the time that it had reached when this evaluation was recorded */
  if (objective->spent != NULL) {
    const gradyn_spent spent = objective->spent(objective->self);
    trials->seconds = spent.evaluation;
    trials->started = gradyn_seconds() - spent.search;
  }
  if (point->status != GRADYN_OK)
    gradyn_fail(&trials->message, point->status, "%s", objective->message(objective->self));
  else
    point->status = check_finite(trials, point);
  if (point->status == GRADYN_OK)
    gradyn_program_convert(trials->program, point->rho, false, point->gradient);
  if (point->status != GRADYN_OK)
    trials->status = point->status;
  /* a warning makes a point doubtful, but does not reject it */
  point->doubtful = objective->warnings != NULL && objective->warnings(objective->self)->count > 0;
  return point->status;
}

/* Whether a point has exactly these parameters. */
static bool same_rho(const gradyn_trials *trials, const gradyn_trial *point, const double rho[])
{
  const size_t p = trials->program->objective->parameter_count;
  return point->filled && memcmp(point->rho, rho, p * sizeof *rho) == 0;
}

bool gradyn_trials_late(const gradyn_trials *trials)
{
  const double allowed = trials->search->max_seconds;
  return allowed > 0 && gradyn_trials_seconds(trials) >= allowed;
}

bool gradyn_trials_broken_off(const gradyn_trials *trials)
{
  return trials->halt == GRADYN_HALT_WATCH || trials->halt == GRADYN_HALT_TIME ||
         trials->halt == GRADYN_HALT_BROKEN;
}

/* Whether limits prevent another evaluation. A request that is refused does not count. */
static bool limits_reached(gradyn_trials *trials)
{
  const bool stuck = trials->barren > 0 && trials->evaluations - trials->best_at >= trials->barren;
  if (trials->halt == GRADYN_HALT_NONE &&
      (stuck || trials->evaluations - trials->probes >= trials->allowed))
    trials->halt = GRADYN_HALT_EVALUATIONS;
  /* the first evaluation is always completed */
  if (trials->halt == GRADYN_HALT_NONE && trials->evaluations > 0 && gradyn_trials_late(trials))
    trials->halt = GRADYN_HALT_TIME;
  return trials->halt != GRADYN_HALT_NONE;
}

/* Reports the newest point to the callback. Returns false if the callback ends the search. */
static bool watch(gradyn_trials *trials, const gradyn_trial *point, bool best)
{
  const gradyn_search *search = trials->search;
  const gradyn_objective *objective = trials->program->objective;
  const gradyn_iteration iteration = {
      .evaluation = trials->evaluations,
      .status = point->status,
      .message = point->status == GRADYN_OK ? "" : trials->message.text,
      .rho = point->rho,
      .psi = point->psi,
      .objective = point->objective,
      .violation = point->violation,
      .projected_gradient = point->residual,
      .steps = objective->steps != NULL ? objective->steps(objective->self) : 0,
      .seconds = trials->seconds,
      .best = best};
  return search->on_iteration == NULL || search->on_iteration(&iteration, search->user);
}

/* Whether the gradient at the best point gives a scale that was not known before.
 *
 * If the slope at the start is less than the round-off of the slope here, it was round-off as well. An
 * example is the effort (u - u_0)^2 at u = u_0. */
static bool wants_rescale(gradyn_trials *trials)
{
  gradyn_scaling *scaling = trials->scaling;
  const gradyn_search *search = trials->search;
  const double slope = gradyn_scaling_slope(scaling, trials->program, trials->best.gradient);
  if (DBL_EPSILON * slope * scaling->objective > 1 && search->objective_scale == 0 &&
      !search->no_scaling)
    scaling->provisional = true;
  if (!scaling->provisional) /* no new scale is needed, because the start had a slope */
    return false;
  /* a slope well above the floor is real */
  return slope > 10 * gradyn_scaling_floor(trials->program, trials->best.psi) && slope > 0;
}

/* Whether the best point is optimal in the scale at this point.
 *
 * The start gives the slope S_0 of the objective there. If the objective has decreased by decades, a
 * residual r can be small compared with S_0 and large compared with the remainder. The remainder is the
 * larger of |f| and the length of its gradient, which constraints may balance. With curvatures from S_0
 * down to S_0/kappa per unit squared, r indicates a possible decrease of at most kappa r^2 / (2 S_0). The
 * condition
 *   r <= optimality S,  S = sqrt(S_0 max(|f|, |g|)) if that is less than S_0,
 * bounds it by kappa/2 optimality^2 of the remainder. S is at least optimality S_0, because gradients
 * have no more digits. If an objective decreases to zero, nothing remains. Therefore S_0 is used if |f|
 * <= optimality r: steps of `optimality` units would then use up the whole objective. */
static bool optimal_here(gradyn_trials *trials)
{
  gradyn_optimality *judge = &trials->judge;
  gradyn_trial *best = &trials->best;
  if (!gradyn_optimality_reached(judge, best) || trials->search->no_scaling || best->residual == 0)
    return gradyn_optimality_reached(judge, best);
  const double f = fabs(best->objective), r = best->residual / judge->factor;
  if (f <= judge->optimality * r)
    return true;
  const double g = gradyn_scaling_slope(trials->scaling, trials->program, best->gradient);
  /* part of the slope S_0 that remains: sqrt(max(|f|, |g|) / S_0) */
  const double left = fmax(sqrt(fmax(f, g) / trials->slope), judge->optimality);
  const double factor = 1 / gradyn_power_of_two(trials->slope * fmin(1, left));
  /* the test can only become stricter */
  if (factor > judge->factor) {
    judge->factor = factor;
    gradyn_optimality_evaluate(judge, best);
  }
  return gradyn_optimality_reached(judge, best);
}

/* Returns the reason to halt after the newest point. best: the newest point is the best one. */
static gradyn_halt judge_halt(gradyn_trials *trials, bool best, bool go_on)
{
  if (trials->starved)
    return GRADYN_HALT_BROKEN;
  /* after a fatal status the evaluator must not be called again */
  const gradyn_trial *newest = best ? &trials->best : &trials->last;
  if (go_on && newest->status == GRADYN_INTERRUPTED && gradyn_trials_late(trials))
    return GRADYN_HALT_TIME;
  if (!go_on || newest->status == GRADYN_INTERRUPTED)
    return GRADYN_HALT_WATCH;
  if (gradyn_status_describe((int)newest->status).kind == GRADYN_CLASS_FATAL)
    return GRADYN_HALT_BROKEN;
  if (best && wants_rescale(trials))
    return GRADYN_HALT_RESCALE;
  if (best && optimal_here(trials))
    return GRADYN_HALT_OPTIMAL;
  return GRADYN_HALT_NONE;
}

void gradyn_trials_out_of_memory(gradyn_trials *trials)
{
  trials->starved = true;
  trials->halt = GRADYN_HALT_BROKEN;
  trials->status = gradyn_fail(&trials->message, GRADYN_NO_MEMORY, "out of memory");
}

/* Selects the scaling with the values and gradients of a point. */
static void choose_scaling(gradyn_trials *trials, const gradyn_trial *point)
{
  /* the scale is unknown so far, or provisional: the optimality test must use the new one */
  const bool first = !trials->best.filled || trials->scaling->provisional;
  if (gradyn_scaling_choose(trials->scaling, trials->program, point->psi, point->gradient,
                            trials->search->no_scaling) != GRADYN_OK) {
    gradyn_trials_out_of_memory(trials);
    return;
  }
  if (!first) {
    /* after the first scaling, a vanishing slope means an optimum, not a start without slope */
    trials->scaling->provisional = false;
    return;
  }
  /* near an optimum, the scale of an earlier search is better than the one that the gradient gives */
  const gradyn_search *search = trials->search;
  if (search->objective_scale > 0 && !search->no_scaling) {
    trials->scaling->objective = gradyn_power_of_two(search->objective_scale);
    trials->scaling->provisional = false;
  }
  trials->judge.factor = trials->scaling->objective;
  trials->slope = 1 / trials->scaling->objective; /* S_0 of optimal_here() */
}

void gradyn_trials_rescale(gradyn_trials *trials)
{
  choose_scaling(trials, &trials->best);
  gradyn_optimality_evaluate(&trials->judge, &trials->best);
  if (trials->halt == GRADYN_HALT_NONE && optimal_here(trials))
    trials->halt = GRADYN_HALT_OPTIMAL;
}

double gradyn_trials_slope(const gradyn_trials *trials)
{
  return gradyn_scaling_slope(trials->scaling, trials->program, trials->best.gradient);
}

void gradyn_trials_rebase(gradyn_trials *trials, double slope)
{
  /* a probe has confirmed that these slopes are not round-off */
  trials->scaling->seen = true;
  choose_scaling(trials, &trials->best);
  if (slope > 0 && slope < trials->slope && !trials->search->no_scaling) {
    trials->slope = slope;
    trials->judge.factor = 1 / gradyn_power_of_two(slope);
  }
  gradyn_optimality_evaluate(&trials->judge, &trials->best);
}

/* Evaluates rho as the newest point, `last`. The caller exchanges it with `best` if it is better. */
static gradyn_trial *evaluate_next(gradyn_trials *trials, const double rho[])
{
  gradyn_trial *point = &trials->last;
  memcpy(point->rho, rho, trials->program->objective->parameter_count * sizeof *rho);
  evaluate(trials, point, false);
  trials->evaluations++;
  trials->idle = 0;
  if (point->status == GRADYN_OK) {
    if (!trials->best.filled)
      choose_scaling(trials, point);
    gradyn_optimality_evaluate(&trials->judge, point);
  } else if (point->status != GRADYN_INTERRUPTED) {
    trials->rejected++; /* an interrupted evaluation did not fail */
  }
  return point;
}

const gradyn_trial *gradyn_trials_at(gradyn_trials *trials, const double rho[])
{
  /* objective and constraints request the same point one after the other */
  if (same_rho(trials, &trials->best, rho) || same_rho(trials, &trials->last, rho)) {
    if (++trials->idle > MAX_IDLE && trials->halt == GRADYN_HALT_NONE)
      trials->halt = GRADYN_HALT_IDLE;
    const bool best = same_rho(trials, &trials->best, rho);
    const gradyn_trial *known = best ? &trials->best : &trials->last;
    return known->status == GRADYN_OK ? known : NULL;
  }
  if (limits_reached(trials))
    return NULL;

  gradyn_trial *point = evaluate_next(trials, rho);
  const bool best = point->status == GRADYN_OK &&
                    gradyn_optimality_better(&trials->judge, point, &trials->best);
  const bool go_on = watch(trials, point, best);
  if (best) {
    gradyn_trial_swap(&trials->last, &trials->best);
    point = &trials->best;
    trials->best_at = trials->evaluations;
  }
  /* tested after the callback, which may have requested an end */
  trials->halt = judge_halt(trials, best, go_on);
  return point->status == GRADYN_OK ? point : NULL;
}

/* Whether the best point is nearly optimal and suffices for the objective. This is asked once, for a point
 * that has remained the best for as many evaluations as it took to find it. */
static bool suffices(gradyn_trials *trials)
{
  const gradyn_objective *objective = trials->program->objective;
  const gradyn_trial *best = &trials->best;
  if (objective->suffices == NULL || !best->filled || best->violation > 1 ||
      !(best->residual <= gradyn_termination_nearly(trials->search)) ||
      trials->evaluations < 2 * trials->best_at || trials->asked == trials->best_at)
    return false;
  trials->asked = trials->best_at;
  return objective->suffices(objective->self, best->rho);
}

void gradyn_trials_arrive(gradyn_trials *trials, const double rho[])
{
  const gradyn_objective *objective = trials->program->objective;
  const bool best = same_rho(trials, &trials->best, rho);
  if (objective->arrived != NULL)
    objective->arrived(objective->self, rho);
  if (trials->halt == GRADYN_HALT_NONE && suffices(trials))
    trials->halt = GRADYN_HALT_SUFFICES;
  if (objective->strained == NULL || trials->halt != GRADYN_HALT_NONE ||
      !(best || (same_rho(trials, &trials->last, rho) && trials->last.status == GRADYN_OK)) ||
      !objective->strained(objective->self, rho))
    return;
  if (!best)
    gradyn_trial_swap(&trials->last, &trials->best);
  trials->halt = GRADYN_HALT_STRAINED;
}

const gradyn_trial *gradyn_trials_probe(gradyn_trials *trials, const double rho[], double below,
                                        bool *lower)
{
  *lower = false;
  /* the limit of evaluations applies to the optimiser only, the time limit to all */
  if (gradyn_trials_late(trials))
    trials->halt = GRADYN_HALT_TIME;
  if (gradyn_trials_broken_off(trials))
    return NULL;
  gradyn_trial *point = evaluate_next(trials, rho);
  trials->probes++;
  /* must be lower than `below`, and lower than the best point of an earlier probe */
  *lower = point->status == GRADYN_OK && point->violation <= 1 && point->objective < below;
  if (*lower)
    *lower = point->objective < trials->best.objective;
  const bool go_on = watch(trials, point, *lower);
  const gradyn_halt halt = judge_halt(trials, false, go_on);
  if (halt != GRADYN_HALT_NONE)
    trials->halt = halt;
  if (*lower) {
    gradyn_trial_swap(&trials->last, &trials->best);
    trials->best_at = trials->evaluations;
    point = &trials->best;
  }
  return point->status == GRADYN_OK ? point : NULL;
}

/* Whether two evaluations of the same point agree to round-off. */
static gradyn_status compare(gradyn_trials *trials, const gradyn_trial *again)
{
  const gradyn_objective *objective = trials->program->objective;
  const gradyn_trial *best = &trials->best;
  for (size_t i = 0; i < objective->functional_count; i++) {
    const double size = fmax(fabs(best->psi[i]), fabs(again->psi[i]));
    /* a change of the order of summation would change the value by less */
    if (fabs(best->psi[i] - again->psi[i]) > 1e-9 * size)
      return gradyn_fail(&trials->message, GRADYN_STALLED,
                         "functional %s: %.12g, then %.12g at the same parameters; it must depend "
                         "on the parameters alone",
                         objective->functionals[i].name, best->psi[i], again->psi[i]);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_trials_verify(gradyn_trials *trials)
{
  gradyn_trial *again = &trials->last;
  const size_t p = trials->program->objective->parameter_count;
  memcpy(again->rho, trials->best.rho, p * sizeof *again->rho);
  GRADYN_TRY(evaluate(trials, again, true)); /* with all gradients, for the result */
  gradyn_status status = compare(trials, again);
  /* An evaluation with all gradients may run at tighter tolerances. Its values then differ from those that
   * the search compared. In this case the evaluation of the search is repeated: it must give the same
   * values, which are kept. The recheck measures their distance from more accurate values. */
  if (status != GRADYN_OK && trials->program->objective->used != NULL) {
    status = evaluate(trials, again, false);
    if (status == GRADYN_OK)
      status = compare(trials, again);
    GRADYN_TRY(evaluate(trials, again, true));
    const size_t f = trials->program->objective->functional_count;
    memcpy(again->psi, trials->best.psi, f * sizeof *again->psi);
  }
  gradyn_optimality_evaluate(&trials->judge, again);
  /* the user gets the gradients of the repetition: it has all of them, at the requested tolerance */
  gradyn_trial_swap(again, &trials->best);
  return status;
}
