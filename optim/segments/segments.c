/* Segments of a motion as one objective.
 *
 * Let x_k be the states at the start of segment k, and e_k those at its end. The search gets
 *     psi_i = sum over k of psi_ik(rho, x_k),    e_k(rho, x_k) - x_(k+1) = 0
 * with unknowns rho and x_2, ..., x_n; the start x_1 follows from rho. Each segment is a run of an
 * evaluator. For a mechanism, x_(k+1) is the result of the assembly from the unknowns there. */
#include "optim/segments/sparsity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "core/base/clock.h"
#include "dae/onestep/list.h"
#include "optim/segments/boundaries.h"
#include "optim/study/account.h"

/* --- Evaluation ----------------------------------------------------------------------------------- */

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  gradyn_segments *s = self;
  const size_t columns = gradyn_segments_columns(s), first = s->objective.functional_count;
  gradyn_message_clear(&s->message);
  gradyn_warnings_clear(&s->warnings);
  s->steps = 0;
  GRADYN_TRY(gradyn_segments_set_references(s, rho));
  GRADYN_TRY(gradyn_segments_run(s, rho, all, gradient != NULL));
  gradyn_segments_add_up(s, rho, psi, gradient);
  /* gradients that were not requested must not look like derivatives */
  for (size_t i = 0; i < s->f && gradient != NULL && !all; i++)
    for (size_t j = 0; j < columns && !s->used[i]; j++)
      gradient[i * columns + j] = NAN;
  gradyn_objective_fill_sides(s->held.at, s->held.count, first, &s->answers.entries, columns, psi,
                              gradient);
  return GRADYN_OK;
}

/* Sets the deadline of the whole motion and of all segments, also of those with samples. */
static void limit_parts(gradyn_segments *s, double until, bool after_request)
{
  gradyn_evaluator_limit(s->whole, until, after_request);
  for (size_t k = 0; k < s->count; k++) {
    gradyn_evaluator_limit(s->segment[k].evaluator, until, after_request);
    gradyn_evaluator_limit(gradyn_segments_part_in_use(s, k)->evaluator, until, after_request);
  }
}

static void limit(void *self, double until)
{
  limit_parts(self, until, false);
}

static gradyn_status values(void *self, double seconds, const double rho[], double psi[])
{
  gradyn_segments *s = self;
  const double until = s->whole->request.until;
  limit_parts(s, gradyn_seconds() + seconds, true);
  const gradyn_status status = evaluate(s, false, rho, psi, NULL);
  limit_parts(s, until, false);
  return status;
}

/* Largest distance of a state at the start of a segment from the end of the previous one, relative to the
 * largest such state. Continuity is enforced for the unknowns only. A mechanism can have another position
 * with the same unknowns. */
static const double same_branch = 1e-3;

/* Time of the blocks of general equations, divided by the time of the gradients of their segments. Counted
 * in evaluations of the equations, it is 0.5 to 5.8 in 17 problems with a segment per interval of the
 * controls; the median is 1.6. Measured times give 0.7 (van-der-pol), 1.5 (cart and pole in 200 segments),
 * 2.8 (hang-glider), 4.2 (goddard in 10). */
static const double price_of_equations = 2;

/* Returns the state at the start of segment k that is farthest from `end` [nz], the end of the previous
 * segment; nz: none is far away. The size of rates is at least that of positions divided by the time of the
 * motion. */
static size_t farthest(const gradyn_segments *s, size_t k, const double *end)
{
  const double *start = s->answers.psi + k * s->answers.height + s->f +
                        (k + 1 < s->count ? s->nz : 0);
  size_t most = s->nz;
  double worst = same_branch, size = 0;
  for (size_t half = 0; half < 2; half++) {
    const size_t first = half * s->nz / 2, behind = first + s->nz / 2;
    size /= s->whole->model->x[s->whole->model->t_end];
    for (size_t i = first; i < behind; i++)
      size = fmax(size, fabs(end[i]));
    for (size_t i = first; i < behind; i++)
      if (fabs(start[i] - end[i]) > worst * size) {
        worst = fabs(start[i] - end[i]) / size;
        most = i;
      }
  }
  return most;
}

bool gradyn_segments_differ(gradyn_segments *s, const double rho[], char text[], size_t size)
{
  double *end = gradyn_arena_numbers(&s->arena, s->nz);
  gradyn_message_clear(&s->message);
  if (gradyn_segments_set_references(s, rho) != GRADYN_OK)
    return false;
  for (size_t k = 0; end != NULL && gradyn_segments_assembled(s) && k < s->count; k++) {
    char name[64];
    const double *psi = s->answers.psi + k * s->answers.height + s->f,
                 *start = psi + (k + 1 < s->count ? s->nz : 0);
    if (gradyn_segments_run_part(s, k, rho, true, false) != GRADYN_OK)
      return false;
    const size_t i = k > 0 ? farthest(s, k, end) : s->nz;
    if (i < s->nz) {
      const gradyn_model *model = s->whole->model;
      model->ops->state_name(model, s->cut[k].slot[i], name, sizeof name);
      (void)snprintf(text, size,
                     "segment %zu begins in another branch than the previous segment ends in: %s "
                     "is %.6g instead of %.6g; start closer to the motion",
                     k + 1, name, start[i], end[i]);
      return true;
    }
    memcpy(end, psi, s->nz * sizeof *end);
  }
  return false;
}

/* Returns the message of the last evaluation. */
static const char *message(void *self)
{
  return ((const gradyn_segments *)self)->message.text;
}

static const gradyn_warnings *warnings(void *self)
{
  return &((const gradyn_segments *)self)->warnings;
}

static long steps(void *self)
{
  return ((const gradyn_segments *)self)->steps;
}

static void arrived(void *self, const double rho[])
{
  gradyn_segments *s = self;
  gradyn_iterates_arrive(&s->course, gradyn_segments_columns(s), rho);
}

/* --- The objective ------------------------------------------------------------------------------------- */

/* Creates the objective, after the states at the boundaries have been found. */
static gradyn_status describe(gradyn_segments *s, const bool used[])
{
  const size_t columns = gradyn_segments_columns(s), rows = s->f + (s->count - 1) * s->states;
  gradyn_arena *arena = &s->arena;
  s->parameters = gradyn_arena_take(arena, columns, sizeof *s->parameters);
  s->functionals = gradyn_arena_take(arena, rows, sizeof *s->functionals);
  bool *needed = gradyn_arena_take(arena, rows, sizeof *needed);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < s->p; i++)
    s->parameters[i] = gradyn_parameter_at(s->whole, i);
  for (size_t i = 0; i < s->f; i++)
    s->functionals[i] = gradyn_functional_at(s->whole, i);
  for (size_t i = 0; i < rows; i++)
    needed[i] = i >= s->f || used[i];
  s->objective = (gradyn_objective){.parameters = s->parameters,
                                    .functionals = s->functionals,
                                    .parameter_count = columns,
                                    .functional_count = rows,
                                    .entries = &s->answers.entries,
                                    .used = needed,
                                    .evaluate = evaluate,
                                    .message = message,
                                    .steps = steps,
                                    .warnings = warnings,
                                    .arrived = arrived,
                                    .limit = limit,
                                    .values = values,
                                    .describe = gradyn_segments_leave,
                                    .self = s};
  for (size_t i = 0; i < s->f; i++)
    if (s->functionals[i].use == GRADYN_PATH_CONSTRAINT) {
      s->objective.hold = gradyn_segments_hold;
      s->objective.look = gradyn_segments_look;
    }
  if (gradyn_segments_curves(s)) {
    s->objective.blocks.count = s->count;
    s->objective.blocks.price = s->whole->model->equations != NULL ? price_of_equations : 0;
    s->objective.curve = gradyn_segments_curve;
  }
  if (s->references > 0) {
    s->objective.strained = gradyn_segments_strained;
    s->objective.refer = gradyn_segments_refer;
  }
  GRADYN_TRY(gradyn_segments_find_reach(s));
  return gradyn_segments_describe(s);
}

/* --- Setting up --------------------------------------------------------------------------------------- */

/* Allocates the memory for each segment, and for all unknowns. */
static gradyn_status take_memory(gradyn_segments *s, const bool used[])
{
  gradyn_arena *arena = &s->arena;
  s->answered = gradyn_arena_take(arena, s->count, sizeof *s->answered);
  s->block = gradyn_arena_take(arena, s->count, sizeof *s->block);
  s->curved = gradyn_arena_take(arena, s->count, sizeof *s->curved);
  s->start = gradyn_arena_numbers(arena, gradyn_segments_columns(s));
  s->scratch = gradyn_arena_numbers(arena, s->nz + gradyn_segments_columns(s));
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  s->used = used;
  return gradyn_segments_reserve(s, 0, 0, arena);
}

/* Selects the method of the segments: that of the whole run. Fails if this method cannot run segments. */
static gradyn_status choose_method(gradyn_segments *s, gradyn_status ran, const char **method)
{
  const gradyn_evaluator *whole = s->whole;
  *method = gradyn_evaluator_statistics(whole).method;
  if (whole->method->among != NULL && ran != GRADYN_OK)
    *method = "explicit"; /* segments may succeed although the whole run fails */
  if (*method == NULL || strcmp(*method, "auto") == 0)
    *method = whole->options.method;
  if (gradyn_method_runs_segments(*method))
    return GRADYN_OK;
  return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                     "the method %s does not support segments: use explicit or radau", *method);
}

/* Whether a file or a warm start gives the states at the boundaries. */
static bool given(const gradyn_segments *s)
{
  return s->begun.states.rows > 0;
}

/* Whether declared guesses give the states at the boundaries. A warm start without such states comes from a
 * search without segments, whose motion the simulation repeats. */
static bool guessed(const gradyn_segments *s)
{
  return !given(s) && s->begun.warm == NULL && s->whole->model->declared.guesses > 0;
}

bool gradyn_segments_guessed(const gradyn_segments *s)
{
  return s->begun.warm == NULL && (given(s) || guessed(s) || s->begun.followed < s->count);
}

/* Returns the step of a motion that contains t, or begins there, as a fraction of the end time.
 *
 * The step is slightly too long, so that round-off does not make it shorter than its interval. 0: the
 * motion does not reach t. A segment begins with this step; without it, the segment would begin with
 * several short ones. */
static double step_at(const gradyn_model *model, const gradyn_trajectory *motion, double t)
{
  const double slack = 1e-9;
  const double *at = gradyn_trajectory_read(motion).times, t_end = model->x[model->t_end];
  size_t low = 0, high = gradyn_trajectory_read(motion).steps;
  while (low + 1 < high) {
    const size_t middle = (low + high) / 2;
    *(at[middle] <= t + slack * t_end ? &low : &high) = middle;
  }
  return high < gradyn_trajectory_read(motion).steps
             ? (1 + slack) * GRADYN_ONESTEP_PARTS * (at[high] - at[low]) / t_end
             : 0;
}

/* Selects the unknowns of all boundaries at the states of a motion or a file there. General equations have
 * the same unknowns everywhere. */
static gradyn_status choose_cuts(gradyn_segments *s, const gradyn_trajectory *motion)
{
  gradyn_model *model = s->whole->model;
  const size_t columns = gradyn_trajectory_read(motion).columns;
  double *states = gradyn_arena_numbers(&s->arena, s->count * columns);
  double *share = gradyn_arena_numbers(&s->arena, s->count);
  s->cut = gradyn_arena_take(&s->arena, s->count, sizeof *s->cut);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for %zu segments", s->count);
  for (size_t k = 0; k < s->count; k++)
    share[k] = s->segment[k].from;
  s->begun.followed = gradyn_states_follow(model, motion, share, s->count, states);
  const gradyn_status begun =
      given(s)     ? gradyn_states_sample(&s->begun.states, model, share, s->count, columns, states)
      : guessed(s) ? gradyn_states_guess(model, motion, s->begun.followed, share, s->count, states)
                   : GRADYN_OK;
  if (begun != GRADYN_OK)
    return gradyn_fail(&s->message, begun, "guess: cannot be used; %s", model->message.text);
  for (size_t k = 1; k < s->count; k++) {
    const double t = model->x[model->t_end] * share[k];
    gradyn_status status = gradyn_cut_create(model, t, &s->arena, &s->cut[k]);
    s->cut[k].step = step_at(model, motion, t);
    gradyn_segments_warm_reference(s, k, states + k * columns);
    if (status == GRADYN_OK)
      status = gradyn_cut_choose(model, states + k * columns, &s->cut[k]);
    if (status != GRADYN_OK)
      return gradyn_fail(&s->message, status, "%s", model->message.text);
    if (s->cut[k].size != s->cut[1].size)
      return gradyn_fail(&s->message, GRADYN_UNSUPPORTED,
                         "independent coordinates and rates at t = %g s: %zu, at earlier "
                         "boundaries %zu; segments need the same number",
                         t, s->cut[k].size, s->cut[1].size);
  }
  s->states = s->cut[1].size;
  s->nz = s->cut[1].nz;
  s->references = gradyn_segments_assembled(s) ? s->nz : 0;
  return GRADYN_OK;
}

/* Simulates the whole motion at rho0, and prepares the segments from its results. */
static gradyn_status simulate(gradyn_segments *s, const gradyn_search *search, const double rho0[],
                              const char **method)
{
  OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
  if (motion == NULL)
    return gradyn_fail(&s->message, GRADYN_NO_MEMORY, "out of memory for a motion");
  const gradyn_status status = gradyn_evaluator_simulate(s->whole, rho0, NULL, motion);
  /* the run may fail early: general equations do not need the whole motion, and guesses can replace it */
  const bool lost = gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE;
  const bool led = !gradyn_segments_assembled(s) || given(s) || guessed(s);
  if (status != GRADYN_OK && (!led || lost || gradyn_trajectory_read(motion).steps == 0))
    return gradyn_fail(&s->message, status, "guess: its simulation failed; %s",
                       gradyn_evaluator_message(s->whole));
  GRADYN_TRY(choose_method(s, status, method));
  GRADYN_TRY(gradyn_segments_place(s, search));
  return choose_cuts(s, motion);
}

/* Sets the unknowns at the boundaries. For general equations, runs of the segments then replace them, one
 * after the other, as far as the simulated motion came. */
static gradyn_status guess(gradyn_segments *s, const double rho0[])
{
  bool follow = !gradyn_segments_assembled(s) && !given(s) && !guessed(s);
  memcpy(s->start, rho0, s->p * sizeof *rho0);
  for (size_t k = 1; k < s->count; k++) {
    memcpy(s->start + s->p + gradyn_segments_unknown(s, k), s->cut[k].w,
           s->states * sizeof *s->start);
    if (s->references > 0)
      memcpy(s->start + gradyn_segments_reference(s, k), s->cut[k].z,
             s->references * sizeof *s->start);
  }
  gradyn_segments_warm_unknowns(s);
  for (size_t k = 0; k + 1 < s->begun.followed && follow; k++) {
    const gradyn_status status = gradyn_segments_run_part(s, k, s->start, false, false);
    if (gradyn_status_describe((int)status).kind == GRADYN_CLASS_FATAL)
      return status;
    follow = status == GRADYN_OK;
    if (follow)
      memcpy(s->start + s->p + gradyn_segments_unknown(s, k + 1),
             s->answers.psi + k * s->answers.height + s->f, s->states * sizeof *s->start);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_segments_create(gradyn_evaluator *whole, const gradyn_search *search,
                                     const bool used[], const double rho0[], gradyn_segments *out)
{
  const char *method = NULL;
  gradyn_segments *s = out;
  *s = (gradyn_segments){
      .whole = whole, .p = gradyn_parameter_count(whole), .f = gradyn_functional_count(whole)};
  GRADYN_TRY(gradyn_segments_check(search, &s->message));
  GRADYN_TRY(gradyn_segment_suits(whole, &s->message));
  if (search->guess != NULL)
    GRADYN_TRY(
        gradyn_states_read(search->guess, whole->model, &s->arena, &s->begun.states, &s->message));
  if (search->warm_start != NULL)
    GRADYN_TRY(gradyn_segments_take_warm(s, search->warm_start));
  GRADYN_TRY(simulate(s, search, rho0, &method));
  s->method = method;
  GRADYN_TRY(gradyn_segments_find_acting(s, rho0));
  GRADYN_TRY(take_memory(s, used));
  for (size_t k = 0; k < s->count; k++) {
    s->segment[k].acting = &s->sparsity.acting[k];
    s->segment[k].common = &s->sparsity.common;
    s->segment[k].whole = whole;
    s->segment[k].start = k > 0 ? &s->cut[k] : NULL;
    s->segment[k].end = k + 1 < s->count ? &s->cut[k + 1] : NULL;
    GRADYN_TRY(gradyn_segment_create(k, method, &s->message, &s->segment[k]));
  }
  GRADYN_TRY(guess(s, rho0));
  GRADYN_TRY(describe(s, used));
  /* states from guesses may violate constraints: then references are moved */
  return s->references > 0 && gradyn_segments_strained(s, s->start)
             ? gradyn_segments_refer(s, s->start)
             : GRADYN_OK;
}

void gradyn_segments_clear(gradyn_segments *s)
{
  (void)gradyn_segments_hold(s, NULL, 0, NULL);
  for (size_t k = 0; k < s->count && s->segment != NULL; k++)
    gradyn_segment_clear(&s->segment[k]);
  for (size_t k = 0; k < s->count && s->curved != NULL; k++)
    gradyn_arena_clear(&s->curved[k]);
  gradyn_iterates_clear(&s->course);
  json_decref(s->begun.warm);
  free(s->begun.text);
  gradyn_common_clear(&s->sparsity.common);
  gradyn_arena_clear(&s->arena);
}
