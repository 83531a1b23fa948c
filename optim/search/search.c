/* The search: start, solver runs, verification. The termination code of an optimiser is not trusted. If a
 * solver run stops away from a critical point, another one follows from the best point, with new scaling,
 * while this helps. */
#include "optim/search/search.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* MAX_PASSES: solver runs in a round. MAX_ROUNDS: rounds after probes that gained little, so that noise
 * cannot continue a search. MAX_PROBES: probes of a search. */
enum { MAX_PASSES = 8, MAX_ROUNDS = 2, MAX_PROBES = 50 };

/* --- Setting up ------------------------------------------------------------------------------- */

static gradyn_status check_search(gradyn_program *program, const gradyn_search *search)
{
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"ftol", search->ftol},
                 {"xtol", search->xtol},
                 {"optimality", search->optimality},
                 {"objective_scale", search->objective_scale},
                 {"max_seconds", search->max_seconds}};
  /* the condition is false for NAN */
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (!(numbers[i].value >= 0) || !isfinite(numbers[i].value))
      return gradyn_fail(&program->message, GRADYN_INVALID,
                         "%s is %g: it must be finite and not negative", numbers[i].name,
                         numbers[i].value);
  if (search->max_evaluations < 1)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "max_evaluations is %ld: it must be at least 1", search->max_evaluations);
  if (search->path_rounds < 0)
    return gradyn_fail(&program->message, GRADYN_INVALID,
                       "path_rounds is %ld: it must not be negative", search->path_rounds);
  return GRADYN_OK;
}

/* Reports an unknown algorithm, with the list of all algorithms. */
static gradyn_status unknown_algorithm(gradyn_program *program, const char *name)
{
  gradyn_fail(&program->message, GRADYN_INVALID, "there is no algorithm %s; choose one of:", name);
  /* the list is appended to the message */
  char *text = program->message.text;
  size_t used = strlen(text);
  for (const char *const *known = gradyn_algorithm_names(); *known != NULL; known++) {
    const size_t length = strlen(*known);
    if (used + length + 2 >= sizeof program->message.text)
      break;
    text[used++] = ' ';
    memcpy(text + used, *known, length + 1);
    used += length;
  }
  return GRADYN_INVALID;
}

/* Selects the algorithm: the requested one, or one that fits the program. It is wrapped if it does not
 * accept the constraints. */
static gradyn_status choose_algorithm(gradyn_run *run)
{
  gradyn_program *program = run->program;
  const char *name = run->search->algorithm, *other = NULL;
  /* each piece of a maximum, minus the slack variable, is an inequality constraint */
  const size_t rows = program->row_count + program->piece_count;
  const bool equalities = program->equality_count > 0,
             inequalities = rows > program->equality_count;
  if (name == NULL || strcmp(name, "auto") == 0)
    (void)gradyn_algorithm_choose(program->n, rows > 0, false, false, &name, &other);
  const gradyn_algorithm *requested = gradyn_algorithm_find(name);
  if (requested == NULL)
    return unknown_algorithm(program, name);
  run->name = requested->name;
  /* an algorithm that does not accept such constraints is wrapped, with a note */
  run->algorithm = gradyn_algorithm_for(requested, equalities, inequalities);
  if (run->algorithm != requested)
    gradyn_message_add(&program->notes, "%s does not accept %s; used: %s", requested->name,
                       equalities ? "equality constraints" : "constraints", run->algorithm->name);
  const gradyn_algorithm *then = run->search->then ? gradyn_algorithm_find(run->search->then)
                                                   : NULL;
  if (run->search->then != NULL && then == NULL)
    return unknown_algorithm(program, run->search->then);
  run->then = then != NULL ? gradyn_algorithm_for(then, equalities, inequalities) : NULL;
  const char *lacking = run->algorithm->driver->lacks(run->algorithm);
  if (lacking != NULL)
    return gradyn_fail(&program->message, GRADYN_INVALID, "there is no %s: %s",
                       run->algorithm->name, lacking);
  return GRADYN_OK;
}

/* Sets up program, algorithm and memory. */
static gradyn_status set_up(gradyn_run *run, const gradyn_objective *objective, const double rho0[])
{
  GRADYN_TRY(gradyn_program_create(objective, run->search, rho0, &run->program));
  GRADYN_TRY(check_search(run->program, run->search));
  GRADYN_TRY(choose_algorithm(run));
  if (!gradyn_trials_allocate(&run->trials, run->program, run->search) ||
      !gradyn_probe_allocate(&run->probe, &run->trials))
    return gradyn_fail(&run->program->message, GRADYN_NO_MEMORY, "out of memory");
  return GRADYN_OK;
}

/* --- Passes ----------------------------------------------------------------------------------- */

/* Numbers of the best point that a solver run should reduce. */
typedef struct standing {
  double violation, residual, merit;
} standing;

static standing standing_of(const gradyn_trials *trials)
{
  const gradyn_trial *best = &trials->best;
  return (standing){best->violation, best->residual, best->merit};
}

/* Whether a solver run has improved the best point sufficiently. */
static bool has_improved(const gradyn_run *run, standing before)
{
  const gradyn_trials *trials = &run->trials;
  const gradyn_trial *best = &trials->best;
  /* violation first: a reduction by a tenth is progress; a feasible best point remains feasible */
  if (before.violation > 1)
    return best->violation < 0.9 * before.violation;
  /* the residual must be halved, or the merit must decrease by more than round-off */
  const double gained = trials->judge.factor * fabs(run->initial_objective - best->objective);
  return best->residual < 0.5 * before.residual ||
         before.merit - best->merit > fmax(1e-9 * gained, 4 * DBL_EPSILON * fabs(best->merit));
}

/* Whether a solver run ended by the user's tolerance of changes, close enough to an optimum. */
static bool ended_as_asked(const gradyn_run *run)
{
  const gradyn_search *search = run->search;
  const gradyn_trial *best = &run->trials.best;
  /* with tighter tolerances, the user requests the optimum, not an early end */
  const double tight = 1e-8;
  const bool asked = (run->end == GRADYN_PASS_FTOL && search->ftol > tight) ||
                     (run->end == GRADYN_PASS_XTOL && search->xtol > tight);
  return asked && best->violation <= 1 && best->residual <= gradyn_termination_nearly(search);
}

/* Prepares another solver run. Returns false if it is not worthwhile. */
static bool prepare_next(gradyn_run *run, standing before, int *stale)
{
  gradyn_trials *trials = &run->trials;
  /* no run if the optimiser refused or had no memory, after enough runs, or if the user's criterion is
   * satisfied */
  if (run->end == GRADYN_PASS_INVALID || run->end == GRADYN_PASS_NO_MEMORY ||
      run->passes >= MAX_PASSES || ended_as_asked(run))
    return false;
  *stale = has_improved(run, before) ? 0 : *stale + 1;
  const bool nearly = trials->best.violation <= 1 &&
                      trials->best.residual <= gradyn_termination_nearly(run->search);
  /* near an optimum, one run without progress ends the search; elsewhere three runs do */
  if (*stale > (nearly ? 0 : 2) || (nearly && run->program->objective->sampling == GRADYN_BRIEF))
    return false;
  /* computed anew, because the slopes at the best point differ from those at the start */
  gradyn_trials_rescale(trials);
  /* after a run that failed, the first steps must differ: a smaller objective makes them shorter */
  if (!run->search->no_scaling)
    trials->scaling->objective = ldexp(trials->scaling->objective, -4 * *stale); /* 2^-4 for each */
  return true;
}

/* Continues with second derivatives, or without them if they have failed. */
static void change_curvature(gradyn_run *run)
{
  gradyn_trials *trials = &run->trials;
  gradyn_message *notes = &run->program->notes;
  const bool taken = trials->curvature == GRADYN_CURVATURE_TAKEN;
  const long n = gradyn_run_evaluations(run);
  gradyn_message_add(notes, "%s second derivatives after %ld evaluation%s%s%s",
                     taken ? "without" : "with", n, n == 1 ? "" : "s", taken ? ": " : "",
                     taken ? trials->message.text : "");
  trials->curvature = taken ? GRADYN_CURVATURE_LOST : GRADYN_CURVATURE_TAKEN;
  trials->changed = trials->evaluations;
  trials->halt = GRADYN_HALT_NONE;
  gradyn_trials_rescale(trials);
}

/* Repeats solver runs until they no longer help, or a limit is reached. */
static void run_passes(gradyn_run *run)
{
  gradyn_trials *trials = &run->trials;
  int stale = 0;
  bool ran = false;
  while (trials->halt == GRADYN_HALT_NONE) {
    const standing before = standing_of(trials);
    run->end = gradyn_solver_run_start(run->algorithm, trials, ran);
    ran = true;
    run->passes++;
    /* the scaling of this run was provisional: the run does not count as one without progress */
    if (trials->halt == GRADYN_HALT_RESCALE && run->passes < MAX_PASSES) {
      trials->halt = GRADYN_HALT_NONE;
      gradyn_trials_rescale(trials);
      continue;
    }
    if (trials->halt == GRADYN_HALT_CURVATURE) {
      change_curvature(run);
      continue;
    }
    /* the line search requests the same points again and again: this counts as its failure */
    if (trials->halt == GRADYN_HALT_IDLE)
      trials->halt = GRADYN_HALT_NONE;
    /* after any other halt, the condition of the loop ends it */
    if (trials->halt == GRADYN_HALT_NONE && !prepare_next(run, before, &stale))
      return;
  }
}

/* --- Probes ----------------------------------------------------------------------------------- */

/* Ends are probed if their distance from the start, in units, is above this. Bounds on both sides leave at
 * most eight units. */
static const double far_away = 1e3;

/* Whether the search has ended at its start, which is the optimum of the search that left the warm start.
 * That earlier search has probed this point. */
static bool is_known_optimum(const gradyn_run *run)
{
  const gradyn_trials *trials = &run->trials;
  const gradyn_warm_start *warm = trials->warm;
  return warm != NULL && trials->evaluations == 1 && trials->halt == GRADYN_HALT_OPTIMAL &&
         fabs(trials->best.objective - warm->optimum) <= run->search->ftol * fabs(warm->optimum);
}

/* Whether the end should be probed: a user could take it for an optimum, or the objective may have no
 * optimum. */
static bool worth_probing(const gradyn_run *run)
{
  const gradyn_trials *trials = &run->trials;
  if (!trials->best.filled || trials->best.violation > 1 || !isfinite(trials->best.residual) ||
      run->program->objective->sampling == GRADYN_BRIEF || is_known_optimum(run))
    return false;
  /* an end that is far from the start suggests that there is no minimum */
  const bool nearly = trials->best.residual <= gradyn_termination_nearly(run->search) ||
                      gradyn_probe_travel(&run->probe) > far_away;
  switch (trials->halt) {
  case GRADYN_HALT_NONE: /* the optimiser ended */
  case GRADYN_HALT_OPTIMAL:
    return run->end != GRADYN_PASS_INVALID && run->end != GRADYN_PASS_NO_MEMORY;
  case GRADYN_HALT_EVALUATIONS:
    return nearly;
  case GRADYN_HALT_TIME:
  case GRADYN_HALT_WATCH:
  case GRADYN_HALT_BROKEN:
  case GRADYN_HALT_RESCALE:
  case GRADYN_HALT_IDLE:
  case GRADYN_HALT_STRAINED:
  case GRADYN_HALT_SUFFICES:
  case GRADYN_HALT_CURVATURE:
    break;
  }
  return false;
}

/* Probes each end, and continues the search while the objective decreases. */
static void probe_and_search_on(gradyn_run *run)
{
  gradyn_trials *trials = &run->trials;
  int rounds = 0;
  for (int probes = 0; probes < MAX_PROBES && worth_probing(run); probes++) {
    const gradyn_halt halt = trials->halt;
    const double slope = gradyn_trials_slope(trials); /* slope at the point that is probed */
    run->objective_before = trials->best.objective;
    trials->halt = GRADYN_HALT_NONE;
    /* after a start without slope, smaller decreases count, but in a limited number of rounds */
    const bool doubtful = trials->scaling->provisional && rounds < MAX_ROUNDS;
    run->probed = gradyn_probe_end(&run->probe, run->initial_objective, doubtful);
    /* a decrease by this part of the total gain cannot be noise */
    const double fall = run->objective_before - trials->best.objective;
    const bool large = fall > 1e-3 * fabs(run->initial_objective - run->objective_before);
    for (size_t j = 0; j < run->program->n; j++)
      if (run->probe.wide[j] > 0)
        gradyn_program_set_unit(run->program, j, run->probe.wide[j]);
    if (run->probed == GRADYN_PROBED_LOWER)
      /* the slope is the scale if it has led to the lower point; otherwise the slope at the lower point
       * counts too */
      gradyn_trials_rebase(
          trials, large && run->probe.by_slope ? slope : fmax(slope, gradyn_trials_slope(trials)));
    if (trials->halt == GRADYN_HALT_NONE)
      trials->halt = halt;
    const bool stopped = trials->halt != GRADYN_HALT_NONE && trials->halt != GRADYN_HALT_OPTIMAL;
    if (run->probed != GRADYN_PROBED_LOWER || stopped || rounds >= MAX_ROUNDS)
      return;
    rounds += !large;
    /* starts another round of solver runs, from the lower point */
    run->passes = 0;
    trials->halt = GRADYN_HALT_NONE;
    run_passes(run);
  }
}

/* --- Another algorithm ------------------------------------------------------------------------ */

/* Evaluations after which the other algorithm takes over. Of 47 searches, none with constraints that ended
 * optimal needed more than 283. */
enum { FIRST_EVALUATIONS = 500 };

/* Evaluations without a better point after which the other algorithm takes over. In 17 searches by ipopt
 * that ended optimal, the largest number is 80; Zermelo's problem had 490. */
enum { BARREN_EVALUATIONS = 160 };

static bool has_evaluations(const gradyn_run *run)
{
  return run->trials.evaluations - run->trials.probes < run->search->max_evaluations;
}

static void share_evaluations(gradyn_run *run)
{
  const long all = run->search->max_evaluations;
  run->trials.allowed = run->then != NULL && all > FIRST_EVALUATIONS ? FIRST_EVALUATIONS : all;
  run->trials.barren = run->then != NULL ? BARREN_EVALUATIONS : 0;
}

/* Returns whether an algorithm can improve a nearly optimal point. ipopt found two optima near which lbfgs
 * had ended. slsqp after ipopt took 960 evaluations instead of 137, without gain. */
static bool sharpens(const gradyn_algorithm *algorithm)
{
  return algorithm->driver == &gradyn_ipopt_driver;
}

static bool is_nearly_optimal(const gradyn_run *run)
{
  const gradyn_trial *best = &run->trials.best;
  return best->violation <= 1 && best->residual <= gradyn_termination_nearly(run->search);
}

/* Whether the search ended without an optimum for a reason that another algorithm may not have. An end by a
 * tolerance of the user, or by a stop, does not count. */
static bool is_open(const gradyn_run *run)
{
  return run->trials.best.filled && run->trials.halt == GRADYN_HALT_NONE && !ended_as_asked(run) &&
         run->end != GRADYN_PASS_NO_MEMORY && run->probed != GRADYN_PROBED_UNBOUNDED &&
         run->probed != GRADYN_PROBED_INFIMUM;
}

/* Whether the other algorithm continues. A nearly optimal end counts as optimal if the other algorithm
 * cannot improve it. shared: the evaluations of the first algorithm are used up. */
static bool ends_short(const gradyn_run *run, bool shared)
{
  return is_open(run) && (!is_nearly_optimal(run) || shared || sharpens(run->then));
}

/* Runs the solver and the probes from the best point. */
static void search_from_best(gradyn_run *run)
{
  run->passes = 0;
  gradyn_trials_rescale(&run->trials);
  run_passes(run);
  probe_and_search_on(run);
}

/* Lets the first algorithm continue again, while it finds better points. */
static void return_to(gradyn_run *run, const gradyn_algorithm *first, const char *name)
{
  gradyn_trials *trials = &run->trials;
  gradyn_message_add(&run->program->notes, "by %s again after %ld evaluations", name,
                     gradyn_run_evaluations(run));
  run->algorithm = first;
  run->name = name;
  trials->barren = BARREN_EVALUATIONS;
  search_from_best(run);
  if (trials->halt == GRADYN_HALT_EVALUATIONS && has_evaluations(run))
    trials->halt = GRADYN_HALT_NONE; /* the halt was caused by `barren` */
}

/* Continues with the other algorithm if the first one ended without an optimum or has used up its part of
 * the evaluations. If the other one ends nearly optimal, ipopt continues once more: it needs 14
 * evaluations for Zermelo's problem, which it had left without a feasible point before slsqp. */
static void continue_search(gradyn_run *run)
{
  gradyn_trials *trials = &run->trials;
  const gradyn_algorithm *first = run->algorithm;
  const char *name = run->name;
  const bool shared = run->then != NULL && trials->halt == GRADYN_HALT_EVALUATIONS &&
                      has_evaluations(run);
  trials->allowed = run->search->max_evaluations;
  trials->barren = 0;
  if (shared)
    trials->halt = GRADYN_HALT_NONE;
  if (run->then != NULL && ends_short(run, shared) && run->then->driver->lacks(run->then) == NULL) {
    gradyn_message_add(&run->program->notes,
                       "by %s after %ld evaluations, because %s ended before an optimum",
                       run->then->name, gradyn_run_evaluations(run), run->algorithm->name);
    run->algorithm = run->then;
    run->name = gradyn_algorithm_find(run->search->then)->name;
    search_from_best(run);
    if (is_open(run) && is_nearly_optimal(run) && sharpens(first))
      return_to(run, first, name);
  } else if (shared) {
    search_from_best(run);
  }
}

/* --- The complete search ------------------------------------------------------------------------- */

/* Allocates the arrays of the result, and fills the numbers that are known before the first
 * evaluation. */
static bool prepare_result(const gradyn_run *run, gradyn_search_result *result)
{
  const gradyn_program *program = run->program;
  const size_t p = program->objective->parameter_count, f = program->objective->functional_count;
  const size_t entries = gradyn_objective_entries(program->objective);
  result->rho = calloc(p + 1, sizeof *result->rho);
  result->psi = calloc(f + 1, sizeof *result->psi);
  result->gradient = calloc(entries + 1, sizeof *result->gradient);
  result->parameter_scale = calloc(p + 1, sizeof *result->parameter_scale);
  result->multiplier = calloc(f + 1, sizeof *result->multiplier);
  result->warm.lower_multiplier = calloc(p + 1, sizeof *result->warm.lower_multiplier);
  result->warm.upper_multiplier = calloc(p + 1, sizeof *result->warm.upper_multiplier);
  if (result->multiplier == NULL || result->warm.lower_multiplier == NULL ||
      result->warm.upper_multiplier == NULL || result->rho == NULL || result->psi == NULL ||
      result->gradient == NULL || result->parameter_scale == NULL)
    return false;
  memcpy(result->rho, program->start, p * sizeof *result->rho);
  /* NAN until an evaluation fills them */
  for (size_t i = 0; i < f; i++)
    result->psi[i] = NAN;
  for (size_t i = 0; i < entries; i++)
    result->gradient[i] = NAN;
  return true;
}

/* Runs the whole search: start, solver runs, verification, termination report. */
static gradyn_status search(gradyn_run *run, gradyn_search_result *result)
{
  gradyn_trials *trials = &run->trials;
  const gradyn_objective *objective = run->program->objective;
  if (objective->begins != NULL)
    objective->begins(objective->self, run->program->start, run->search->optimality);
  /* the start is evaluated here: if this fails, the search cannot begin */
  const gradyn_trial *start = gradyn_trials_at(trials, run->program->start);
  if (start != NULL) {
    run->initial_objective = start->objective;
    share_evaluations(run);
    run_passes(run);
    probe_and_search_on(run);
    continue_search(run);
  }
  /* After a request to stop or a fatal failure, another evaluation could fail and replace the reason: it is
   * omitted. */
  const bool may_verify = trials->best.filled && !gradyn_trials_broken_off(trials) &&
                          trials->halt != GRADYN_HALT_STRAINED && run->end != GRADYN_PASS_NO_MEMORY;
  if (may_verify)
    run->verified = gradyn_trials_verify(trials);
  if (run->verified == GRADYN_INTERRUPTED && gradyn_trials_late(trials)) {
    run->verified = GRADYN_OK;
    trials->halt = GRADYN_HALT_TIME;
  }
  result->algorithm = run->name;
  const double *rho = trials->best.filled ? trials->best.rho : run->program->start;
  const size_t *free_one = run->program->varied; /* 0 if a parameter is not free */
  for (size_t j = 0; j < run->program->n; j++)
    result->parameter_scale[free_one[j]] = gradyn_program_step(run->program, j, rho[free_one[j]]);
  return gradyn_termination_fill(run, result);
}

void gradyn_search_follow(const gradyn_search_result *last, gradyn_search *how)
{
  if (!how->then || !last->algorithm || strcmp(how->then, last->algorithm) != 0)
    return;
  how->algorithm = how->then;
  how->then = NULL;
}

gradyn_status gradyn_search_run(const gradyn_objective *objective, const gradyn_search *how,
                                const double rho0[], gradyn_search_result *result)
{
  return gradyn_search_run_warm(objective, how, rho0, NULL, result);
}

gradyn_status gradyn_search_run_warm(const gradyn_objective *objective, const gradyn_search *how,
                                     const double rho0[], gradyn_warm_start *warm,
                                     gradyn_search_result *result)
{
  gradyn_run run = {.search = how, .initial_objective = NAN};
  memset(result, 0, sizeof *result);
  gradyn_status status = set_up(&run, objective, rho0);
  const bool reserved = warm == NULL || gradyn_warm_start_resize(warm, objective->functional_count,
                                                                 objective->parameter_count);
  run.trials.warm = warm;
  if (status == GRADYN_OK && (!reserved || !prepare_result(&run, result)))
    status = gradyn_fail(&run.program->message, GRADYN_NO_MEMORY, "out of memory");
  /* if the set-up has failed, the result has a message instead of a termination report */
  if (status == GRADYN_OK) {
    status = search(&run, result);
  } else {
    gradyn_search_result_clear(result);
    gradyn_result_refuse(result, run.program != NULL && *run.program->message.text != '\0'
                                     ? run.program->message.text
                                     : "out of memory");
  }
  gradyn_probe_clear(&run.probe);
  gradyn_trials_clear(&run.trials);
  gradyn_program_free(run.program);
  return status;
}
