/* Termination report of a search: a termination, a status and a text. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/search/search.h"

double gradyn_termination_nearly(const gradyn_search *search)
{
  /* f - f* is proportional to g^2: a tolerance of f determines g to its square root */
  const double tolerance = fmax(search->optimality, fmax(search->ftol, search->xtol));
  return fmax(1e-4, sqrt(tolerance));
}

void gradyn_result_refuse(gradyn_search_result *result, const char *reason)
{
  /* unknown numbers are NAN; zeros would look like results */
  *result = (gradyn_search_result){.termination = GRADYN_TERMINATION_FAILED,
                                   .objective = NAN,
                                   .initial_objective = NAN,
                                   .violation = NAN,
                                   .projected_gradient = NAN};
  (void)snprintf(result->reason, sizeof result->reason, "%.*s", (int)sizeof result->reason - 1,
                 reason);
}

/* Copies the texts of a warning to one block, which begins with the subject. Returns false if memory is
 * lacking. */
static bool copy_texts(const gradyn_warning_entry *entry, gradyn_warning *to)
{
  const size_t subject = strlen(entry->subject) + 1, unit = strlen(entry->unit) + 1,
               text = strlen(entry->text) + 1;
  char *block = malloc(subject + unit + text);
  if (block == NULL)
    return false;
  *to = entry->is;
  to->subject = memcpy(block, entry->subject, subject);
  to->unit = memcpy(block + subject, entry->unit, unit);
  to->text = memcpy(block + subject + unit, entry->text, text);
  return true;
}

void gradyn_result_warn(gradyn_search_result *result, const gradyn_warning *given)
{
  gradyn_warning_entry entry;
  gradyn_warning copy,
      *grown = realloc(result->warnings, (result->warning_count + 1) * sizeof *grown);
  gradyn_warning_complete(&entry, given);
  result->warnings = grown != NULL ? grown : result->warnings;
  if (grown == NULL || !copy_texts(&entry, &copy)) {
    gradyn_termination_add(result, "warnings", "out of memory for a warning");
    return;
  }
  size_t i = result->warning_count++;
  for (; i > 0 && grown[i - 1].code > copy.code; i--)
    grown[i] = grown[i - 1];
  grown[i] = copy;
}

long gradyn_run_evaluations(const gradyn_run *run)
{
  return run->trials.evaluations + (run->trials.warm != NULL ? run->trials.warm->evaluations : 0);
}

/* Number of probes among the evaluations of the run. */
static long probes(const gradyn_run *run)
{
  return run->trials.probes + (run->trials.warm != NULL ? run->trials.warm->probes : 0);
}

static const char *plural(long n)
{
  return n == 1 ? "" : "s";
}

/* Reports the constraint that is violated most. */
static void say_violation(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_program *program = run->program;
  size_t worst = 0;
  /* the comparison is false for NAN */
  if (!(gradyn_program_violation(program, run->trials.best.psi, &worst) > 1))
    return;
  const gradyn_constraint *row = &program->rows[worst];
  gradyn_termination_add(
      result, "constraint", "%s is %.6g, bound %.6g, violated %.3g times its tolerance %.3g",
      program->objective->functionals[row->functional].name, run->trials.best.psi[row->functional],
      row->bound, run->trials.best.violation, row->tolerance);
}

/* Reports how far the best point is from an optimum. */
static void say_residual(const gradyn_run *run, gradyn_search_result *result)
{
  const double residual = run->trials.best.residual, optimality = run->search->optimality;
  gradyn_termination_add(result, "optimality", "projected gradient %.2g, limit %.2g (scaled)",
                         residual, optimality);
}

/* Whether equality constraint i is satisfied at the best point. */
static bool row_holds(const gradyn_run *run, size_t i)
{
  const gradyn_program *program = run->program;
  const double c = fabs(gradyn_program_row(program, i, run->trials.best.psi));
  return c <= program->rows[i].tolerance;
}

/* Reports the warnings of the best point. Its repetition was the last evaluation, unless the search was
 * stopped. */
static void say_doubts(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  const gradyn_objective *objective = run->program->objective;
  if (!trials->best.filled || !trials->best.doubtful)
    return;
  if (gradyn_trials_broken_off(trials)) {
    gradyn_termination_add(result, "warnings", "this point has warnings: simulate it to see them");
    return;
  }
  /* the objective has the warnings of its last evaluation */
  const gradyn_warnings *warnings = objective->warnings(objective->self);
  for (size_t i = 0; i < warnings->count; i++) {
    const gradyn_warning w = gradyn_warnings_at(warnings, i);
    gradyn_result_warn(result, &w);
  }
}

/* Reports parameters at bounds, rejected points, and changes of the search. */
static void say_notes(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_program *program = run->program;
  const gradyn_trials *trials = &run->trials;
  size_t at_bounds = 0;
  /* counts parameters exactly at a bound: the program moves parameters there */
  for (size_t j = 0; trials->best.filled && j < program->n; j++) {
    const double x = gradyn_program_variable(program, j, trials->best.rho[program->varied[j]]);
    at_bounds += x <= program->lower[j] || x >= program->upper[j];
  }
  if (at_bounds > 0)
    gradyn_termination_add(result, "bounds", "%zu of %zu parameters are at bounds", at_bounds,
                           program->n);
  if (trials->rejected > 0 && trials->best.filled)
    gradyn_termination_add(result, "trial points", "%ld of %ld failed%s, the last one: %s",
                           trials->rejected, trials->evaluations,
                           4 * trials->rejected > trials->evaluations ? " (tighten bounds)" : "",
                           trials->message.text);
  /* omitted constraints either follow from the others or contradict them */
  for (size_t i = 0; trials->best.filled && i < program->equality_count; i++)
    if (trials->scaling->dropped[i])
      gradyn_termination_add(result, "constraint",
                             row_holds(run, i) ? "equality %s depends on others and was omitted"
                                               : "equality %s contradicts others at this point, "
                                                 "or has no gradient: start elsewhere",
                             program->objective->functionals[program->rows[i].functional].name);
  if (program->notes.text[0] != '\0')
    gradyn_termination_add(result, "search", "%s", program->notes.text);
}

/* Reports if round-off of the objective exceeds the differences that the search had to distinguish. */
static void say_hidden(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  const double value = trials->best.objective, roundoff = DBL_EPSILON * fabs(value);
  /* the limit is the change of the objective by a step of `optimality` units along the slope of the search */
  if (trials->best.violation <= 1 && roundoff > trials->judge.optimality / trials->judge.factor)
    gradyn_termination_add(
        result, "round-off",
        "the objective, %.6g, has a round-off of %.1g, which hides smaller changes. Subtract a "
        "constant from it",
        value, roundoff);
}

/* Reports if no constraint qualification is satisfied: then no multipliers make the end an optimum. */
static void say_unqualified(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trial *best = &run->trials.best;
  if (best->violation <= 1 && best->gap > run->trials.judge.optimality)
    gradyn_termination_add(
        result, "constraints",
        "gradients of active constraints are linearly dependent: their tolerances may "
        "change the objective by %.1g. Combine these constraints, or tighten their tolerances",
        best->gap / run->trials.judge.factor);
}

/* Sets the multiplier of the bound that balances r, the change of the Lagrangian by a step of one unit of
 * free parameter j. Removes the factor of the objective. */
static void set_bound(const gradyn_optimality *judge, size_t j, double r,
                      gradyn_search_result *result)
{
  const gradyn_program *program = judge->program;
  const double factor = judge->factor * program->unit[j];
  const bool low = r > 0 && judge->x[j] - judge->lower[j] <= r,
             high = r < 0 && judge->upper[j] - judge->x[j] <= -r;
  result->warm.lower_multiplier[program->varied[j]] = low ? r / factor : 0;
  result->warm.upper_multiplier[program->varied[j]] = high ? -r / factor : 0;
}

/* Copies the multipliers without the scales of the search. They are those of the last evaluation, which
 * repeated the best point. */
static void copy_multipliers(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  const gradyn_optimality *judge = &trials->judge;
  const gradyn_program *program = run->program;
  const bool judged = run->verified == GRADYN_OK && !gradyn_trials_broken_off(trials) &&
                      run->end != GRADYN_PASS_NO_MEMORY;
  for (size_t i = 0; i < program->row_count; i++)
    result->multiplier[program->rows[i].functional] =
        judged ? judge->lam[i] * judge->row_factor[i] / judge->factor : NAN;
  double *r = judge->g; /* scratch memory: the gradient is computed again at the next point */
  for (size_t i = 0; i < judge->m && judged; i++)
    for (size_t e = program->entries.start[i]; e < program->entries.start[i + 1]; e++)
      r[program->entries.column[e]] += judge->A[e] * judge->lam[i];
  for (size_t j = 0; j < program->n; j++)
    set_bound(judge, j, judged ? r[j] : NAN, result);
  for (size_t j = 0; j < program->n && !judged; j++)
    result->warm.lower_multiplier[program->varied[j]] =
        result->warm.upper_multiplier[program->varied[j]] = NAN;
}

/* Copies the numbers of the best point. */
static void copy_numbers(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  const gradyn_trial *best = &trials->best;
  const gradyn_objective *objective = run->program->objective;
  const size_t p = objective->parameter_count, f = objective->functional_count;
  result->initial_objective = run->initial_objective;
  /* the factor of the optimality test can be stricter than the factor of the search */
  result->objective_scale = trials->judge.factor;
  result->evaluations = trials->evaluations;
  result->rejected = trials->rejected;
  result->probes = trials->probes;
  result->seconds = gradyn_trials_seconds(trials);
  result->objective = result->violation = result->projected_gradient = NAN;
  if (!best->filled)
    return;
  result->objective = best->objective;
  result->violation = best->violation;
  /* the conditions have no meaning if a constraint is violated */
  result->projected_gradient = best->violation > 1 ? NAN : best->residual;
  memcpy(result->rho, best->rho, p * sizeof *result->rho);
  memcpy(result->psi, best->psi, f * sizeof *result->psi);
  memcpy(result->gradient, best->gradient,
         gradyn_objective_entries(objective) * sizeof *result->gradient);
  gradyn_program_convert(run->program, best->rho, true, result->gradient);
  copy_multipliers(run, result);
}

/* Reports that the start failed, or that an evaluation failed fatally. */
static gradyn_status judge_failure(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  if (trials->halt == GRADYN_HALT_TIME) {
    result->termination = GRADYN_TERMINATION_TIME;
    gradyn_termination_append(result, "the time limit was reached before the start was evaluated");
    return GRADYN_STALLED;
  }
  /* a request to stop is no failure */
  result->termination = trials->status == GRADYN_INTERRUPTED ? GRADYN_TERMINATION_STOPPED
                                                             : GRADYN_TERMINATION_FAILED;
  if (!trials->best.filled)
    gradyn_termination_append(result, "the start point failed: %s", trials->message.text);
  else if (trials->halt == GRADYN_HALT_BROKEN)
    gradyn_termination_append(result, "evaluation %ld failed: %s", gradyn_run_evaluations(run),
                              trials->message.text);
  else
    gradyn_termination_append(result, "the best point could not be repeated: %s",
                              trials->message.text);
  return run->verified != GRADYN_OK ? run->verified : trials->status;
}

/* Reports a stop by a limit or on request. */
static gradyn_status judge_halted(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trial *best = &run->trials.best;
  const gradyn_search *search = run->search;
  /* a limit is no failure if the optimum was nearly reached */
  const bool nearly = best->residual <= gradyn_termination_nearly(search) &&
                      run->probed != GRADYN_PROBED_LOWER;
  gradyn_status status = nearly ? GRADYN_OK : GRADYN_STALLED;
  /* if a constraint is violated, the optimality conditions give no information */
  if (best->violation > 1)
    status = GRADYN_INFEASIBLE;
  const bool feasible = status != GRADYN_INFEASIBLE;
  const long evaluations = gradyn_run_evaluations(run);
  if (run->trials.halt == GRADYN_HALT_WATCH) {
    result->termination = GRADYN_TERMINATION_STOPPED;
    status = GRADYN_INTERRUPTED;
    gradyn_termination_append(result, "stopped on request after %ld evaluation%s", evaluations,
                              plural(evaluations));
  } else if (run->trials.halt == GRADYN_HALT_TIME) {
    result->termination = GRADYN_TERMINATION_TIME;
    gradyn_termination_append(result, "the time limit of %.3g s was reached", search->max_seconds);
  } else {
    result->termination = GRADYN_TERMINATION_EVALUATIONS;
    const gradyn_warm_start *warm = run->trials.warm;
    const long limit = search->max_evaluations +
                       (warm != NULL ? warm->evaluations - warm->probes : 0);
    gradyn_termination_append(result, "the limit of %ld evaluation%s was reached", limit,
                              plural(limit));
  }
  if (!feasible)
    gradyn_termination_append(result, ", no feasible point was found");
  else
    say_residual(run, result);
  return status;
}

/* Returns the text for the end of the last solver run. */
static const char *pass_words(gradyn_solver_run_end end)
{
  switch (end) {
  case GRADYN_PASS_FTOL:
    return "the objective no longer changes";
  case GRADYN_PASS_XTOL:
    return "the parameters no longer change";
  case GRADYN_PASS_CONVERGED:
    return "the algorithm found no further step";
  case GRADYN_PASS_ROUNDOFF:
    return "the algorithm is limited by round-off";
  case GRADYN_PASS_INVALID:
    return "the optimiser refused the problem";
  case GRADYN_PASS_NO_MEMORY:
    return "the optimiser ran out of memory";
  case GRADYN_PASS_FAILURE:
  case GRADYN_PASS_HALTED:
    break;
  }
  return "the line search finds no lower point";
}

/* Reports an objective without minimum: it decreases more and more, or forever. Also reports an objective
 * that still decreases after all rounds. */
static gradyn_status judge_falling(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_objective *objective = run->program->objective;
  const double now = run->trials.best.objective;
  const gradyn_parameter_info *info = &objective->parameters[run->probe.parameter];
  const double at = run->trials.best.rho[run->probe.parameter];
  if (run->probed == GRADYN_PROBED_INFIMUM) {
    result->termination = GRADYN_TERMINATION_UNBOUNDED;
    gradyn_termination_append(
        result,
        "the objective seems to have an infimum at infinity: from %.6g with %s at %.6g it still "
        "falls up to 1000 times as far. Set a bound on %s",
        now, info->name, at, info->name);
  } else if (run->probed == GRADYN_PROBED_UNBOUNDED) {
    result->termination = GRADYN_TERMINATION_UNBOUNDED;
    gradyn_termination_append(
        result,
        "the objective seems unbounded below: it falls further and further along longer steps, "
        "from %.6g to %.6g with %s at %.6g. Set a bound on %s%s",
        run->objective_before, now, info->name, at, info->name,
        run->program->n > 1 ? ", and on others that change as much" : "");
  } else {
    result->termination = GRADYN_TERMINATION_FAILED;
    gradyn_termination_append(
        result,
        "ended away from an optimum: near the last point the objective still fell, from %.9g to "
        "%.9g",
        run->objective_before, now);
  }
  return GRADYN_STALLED;
}

/* Reports an end that the optimiser chose. */
static gradyn_status judge_ended(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trial *best = &run->trials.best;
  /* the optimiser has found that it has converged */
  const bool small_change = run->end == GRADYN_PASS_FTOL || run->end == GRADYN_PASS_XTOL ||
                            run->end == GRADYN_PASS_CONVERGED;
  const bool starved = run->end == GRADYN_PASS_NO_MEMORY;
  /* tests violation first, then the distance from an optimum, then the reason of the optimiser */
  if (best->violation > 1) {
    /* without memory, the search has not shown that there is no feasible point */
    result->termination = starved ? GRADYN_TERMINATION_FAILED : GRADYN_TERMINATION_INFEASIBLE;
    const long evaluations = gradyn_run_evaluations(run);
    gradyn_termination_append(result, "no feasible point was found in %ld evaluation%s%s%s",
                              evaluations, plural(evaluations), starved ? ": " : "",
                              starved ? pass_words(run->end) : "");
    return starved ? GRADYN_NO_MEMORY : GRADYN_INFEASIBLE;
  }
  if (!starved && best->residual <= gradyn_termination_nearly(run->search)) {
    result->termination = small_change ? GRADYN_TERMINATION_CHANGE : GRADYN_TERMINATION_ROUNDOFF;
    gradyn_termination_append(result, "nearly optimal: %s", pass_words(run->end));
    say_residual(run, result);
    return GRADYN_OK;
  }
  result->termination = GRADYN_TERMINATION_FAILED;
  gradyn_termination_append(result, "ended away from an optimum: %s", pass_words(run->end));
  say_residual(run, result);
  if (run->search->no_scaling)
    gradyn_termination_add(result, "scaling",
                           "the search ran without scaling; repeat it with scaling");
  return starved ? GRADYN_NO_MEMORY : GRADYN_STALLED;
}

gradyn_status gradyn_termination_fill(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_trials *trials = &run->trials;
  gradyn_status status = GRADYN_OK;
  copy_numbers(run, result);
  result->reason[0] = '\0';
  /* failures first, then optimality, even if a limit was reached at the same time */
  if (!trials->best.filled || trials->halt == GRADYN_HALT_BROKEN || run->verified != GRADYN_OK) {
    status = judge_failure(run, result);
  } else if (run->probed == GRADYN_PROBED_UNBOUNDED || run->probed == GRADYN_PROBED_INFIMUM ||
             (run->probed == GRADYN_PROBED_LOWER && trials->halt == GRADYN_HALT_OPTIMAL)) {
    status = judge_falling(run, result);
  } else if (gradyn_optimality_reached(&trials->judge, &trials->best) &&
             run->probed != GRADYN_PROBED_LOWER && !gradyn_trials_broken_off(trials)) {
    result->termination = GRADYN_TERMINATION_OPTIMAL;
    const long evaluations = gradyn_run_evaluations(run) - probes(run);
    gradyn_termination_append(
        result, "optimal after %ld evaluation%s: projected gradient %.2g <= %.2g (scaled)",
        evaluations, plural(evaluations), trials->best.residual, run->search->optimality);
  } else if (trials->halt == GRADYN_HALT_WATCH || trials->halt == GRADYN_HALT_TIME ||
             trials->halt == GRADYN_HALT_EVALUATIONS) {
    status = judge_halted(run, result);
  } else {
    status = judge_ended(run, result);
  }
  /* findings for any termination */
  if (trials->best.filled)
    say_violation(run, result);
  if (trials->best.filled && result->termination != GRADYN_TERMINATION_OPTIMAL &&
      result->termination != GRADYN_TERMINATION_UNBOUNDED) {
    say_hidden(run, result);
    say_unqualified(run, result);
  }
  say_doubts(run, result);
  say_notes(run, result);
  gradyn_fit_data_check(run, result);
  return status;
}

const char *gradyn_termination_name(gradyn_termination ending)
{
  switch (ending) {
  case GRADYN_TERMINATION_OPTIMAL:
    return "optimal";
  case GRADYN_TERMINATION_CHANGE:
    return "nearly optimal";
  case GRADYN_TERMINATION_ROUNDOFF:
    return "round-off limited";
  case GRADYN_TERMINATION_EVALUATIONS:
    return "evaluation limit";
  case GRADYN_TERMINATION_TIME:
    return "time limit";
  case GRADYN_TERMINATION_STOPPED:
    return "stopped";
  case GRADYN_TERMINATION_INFEASIBLE:
    return "infeasible";
  case GRADYN_TERMINATION_FAILED:
    return "failed";
  case GRADYN_TERMINATION_UNBOUNDED:
    return "unbounded";
  }
  return "unknown";
}

void gradyn_search_result_clear(gradyn_search_result *result)
{
  if (result == NULL)
    return;
  free(result->rho);
  free(result->psi);
  free(result->gradient);
  free(result->parameter_scale);
  gradyn_evaluator_free(result->refined);
  free(result->multiplier);
  free(result->warm.lower_multiplier);
  free(result->warm.upper_multiplier);
  free(result->warm.text);
  for (size_t i = 0; i < result->warning_count; i++)
    free((void *)(uintptr_t)result->warnings[i]
             .subject); /* the block that has all texts of the warning */
  free(result->warnings);
  free(result->extreme);
  free(result->path_points);
  free(result->discretisation.psi);
  free(result->rounded.rho);
  free(result->rounded.psi);
  gradyn_trajectory_free(result->segment_motion);
  free(result->iterates.iteration);
  free(result->iterates.rho);
  memset(result, 0, sizeof *result);
}
