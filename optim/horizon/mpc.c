/* Receding-horizon control: Newton's method from the plan of the last step. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optim/horizon/shift.h"
#include "optim/study/account.h"

/* Constants of Waechter and Biegler (2006). barrier: barrier parameter of the first plan; distance: of its
 * start from bounds. The parameter mu falls if the error is below near * mu. Its new value is the smaller
 * one of part * mu and mu^power. A step that aims at a smaller value must reach `decrease` times the
 * predicted change. Exponents of the test whether it does: of_slope, of_violations. Any other step must
 * reduce the value or the violations by `margin`. */
static const struct {
  double barrier, distance, near, part, power, decrease, of_slope, of_violations, margin;
} published = {0.1, 1e-2, 10, 0.2, 1.5, 1e-4, 2.3, 1.1, 1e-5};

/* Largest barrier parameter with which a later step begins, in the scaled problem. */
static const double later_barrier = 1e-5;
/* Smallest barrier parameter, relative to the required optimality. */
static const double last_barrier = 0.01;

enum {
  MOST_ITERATIONS = 200, /* iterations of a step that has to converge */
  MOST_CUTS = 12         /* halvings of a step */
};

/* Sum of violations at a point, and its value: the objective with the barrier terms. */
typedef struct gradyn_progress {
  double violations, value;
} gradyn_progress;

struct gradyn_mpc {
  gradyn_plan plan;
  gradyn_shift shift;
  gradyn_newton_point moved, from; /* the moved plan; the start of an iteration */
  double optimality;
  gradyn_progress filter[MOST_ITERATIONS]; /* [filtered], of the present barrier parameter */
  long filtered;
  bool begun;         /* true: an earlier step has left multipliers and second derivatives */
  gradyn_arena arena; /* memory of all arrays */
  const char **name;  /* [states] */
  double *states;     /* [segments][states] */
  gradyn_mpc_info info;
};

/* --- Iterations ------------------------------------------------------------------------------- */

/* Largest error of the conditions for the present barrier parameter. */
static double error_of(const gradyn_newton_errors *e)
{
  return fmax(fmax(e->dual, e->primal), e->barrier);
}

static void lower_barrier(gradyn_mpc *mpc)
{
  gradyn_newton *w = &mpc->plan.newton;
  const double least = last_barrier * mpc->optimality;
  gradyn_newton_errors e = gradyn_newton_measure(w);
  while (w->barrier > least && error_of(&e) <= published.near * w->barrier) {
    w->barrier = fmax(least, fmin(published.part * w->barrier, pow(w->barrier, published.power)));
    e = gradyn_newton_measure(w);
    mpc->filtered = 0;
  }
}

/* Stores the errors and the objective of the last evaluation in mpc->info. Returns whether the step may
 * end. */
static bool has_converged(gradyn_mpc *mpc)
{
  const gradyn_newton_errors e = gradyn_newton_measure(&mpc->plan.newton);
  mpc->info.residual = fmax(e.dual, e.complement);
  mpc->info.violation = mpc->plan.violation;
  mpc->info.objective = gradyn_program_value(mpc->plan.program, mpc->plan.psi);
  mpc->info.converged = mpc->info.residual <= mpc->optimality && mpc->plan.unmet <= 1;
  return mpc->info.converged;
}

/* Returns the violations and the value of the last evaluation. */
static gradyn_progress progress_of(const gradyn_newton *w)
{
  return (gradyn_progress){gradyn_newton_violations(w), gradyn_newton_value(w)};
}

/* Whether a point improves on all points of the filter. */
static bool passes(const gradyn_mpc *mpc, gradyn_progress p)
{
  for (long i = 0; i < mpc->filtered; i++)
    if (p.violations >= mpc->filter[i].violations && p.value >= mpc->filter[i].value)
      return false;
  return isfinite(p.value);
}

/* Whether `part` of a step from `from` is accepted; slope: derivative of the value along the step. If the
 * step does not aim at a smaller value, `from` enters the filter. */
static bool accepts(gradyn_mpc *mpc, gradyn_progress from, double slope, double part)
{
  const gradyn_progress to = progress_of(&mpc->plan.newton);
  const double slack = 10 * DBL_EPSILON * fabs(from.value);
  const bool serves = slope < 0 && part * pow(-slope, published.of_slope) >
                                       pow(from.violations, published.of_violations);
  if (!passes(mpc, to))
    return false;
  if (serves)
    return to.value <= from.value + published.decrease * part * slope + slack;
  if (to.violations > (1 - published.margin) * from.violations &&
      to.value > from.value - published.margin * from.violations)
    return false;
  mpc->filter[mpc->filtered++] = (gradyn_progress){(1 - published.margin) * from.violations,
                                                   from.value - published.margin * from.violations};
  return true;
}

/* Shortens the step until it is accepted. */
static gradyn_status search_along(gradyn_mpc *mpc)
{
  gradyn_plan *plan = &mpc->plan;
  gradyn_newton *w = &plan->newton;
  const double slope = gradyn_newton_slope(w);
  const gradyn_progress from = progress_of(w);
  double part = w->longest;
  gradyn_newton_copy(w, &w->at, &mpc->from);
  for (int cut = 0; cut <= MOST_CUTS; cut++, part /= 2) {
    gradyn_newton_move(w, &mpc->from, part, w->longest_dual);
    const gradyn_status status = gradyn_plan_evaluate(plan);
    gradyn_newton_absorb(w);
    if (status == GRADYN_OK && accepts(mpc, from, slope, part))
      return GRADYN_OK;
    if (status != GRADYN_OK && gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE)
      return status;
  }
  return gradyn_fail(&plan->message, GRADYN_STALLED,
                     "no step along the search direction comes closer to the optimum");
}

/* Second derivatives of an earlier step are kept while each iteration reduces the error to this part or
 * less. */
static const double fast = 0.1;

/* Computes the direction of an iteration. *last: error at the iteration before. With 0, second derivatives
 * are computed anew: there is no iteration before, or no later one can correct old derivatives. */
static gradyn_status find_direction(gradyn_mpc *mpc, double *last)
{
  gradyn_plan *plan = &mpc->plan;
  const gradyn_newton_errors e = gradyn_newton_measure(&plan->newton);
  const double error = error_of(&e);
  if (!mpc->begun || !(error <= fast * *last))
    GRADYN_TRY(gradyn_plan_curve(plan));
  *last = error;
  const gradyn_status status = gradyn_newton_find(&plan->newton);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&plan->message, status,
                           "the linearised conditions of an optimum have no solution "
                           "near the plan");
}

/* Evaluates the moved plan and chooses the barrier parameter. In a later step the parameter is a part of
 * the error, so that a plan for nearly the same state begins near its optimum. */
static gradyn_status begin(gradyn_mpc *mpc)
{
  gradyn_plan *plan = &mpc->plan;
  gradyn_newton *w = &plan->newton;
  mpc->filtered = 0;
  w->barrier = published.barrier;
  if (!mpc->begun)
    gradyn_newton_push(w, published.distance);
  GRADYN_TRY(gradyn_plan_evaluate(plan));
  if (!mpc->begun)
    return gradyn_newton_begin(w);
  gradyn_newton_absorb(w);
  if (has_converged(mpc))
    return GRADYN_OK;
  const gradyn_newton_errors e = gradyn_newton_measure(w);
  const double error = fmax(fmax(e.dual, e.primal), e.complement);
  w->barrier = fmin(later_barrier, fmax(last_barrier * mpc->optimality, published.part * error));
  gradyn_newton_spread(w);
  return GRADYN_OK;
}

static gradyn_status iterate(gradyn_mpc *mpc, long iterations)
{
  gradyn_newton *w = &mpc->plan.newton;
  const long most = iterations > 0 ? iterations : MOST_ITERATIONS;
  double last = iterations == 1 ? 0 : HUGE_VAL;
  GRADYN_TRY(begin(mpc));
  while (!has_converged(mpc)) {
    if (mpc->info.iterations == most)
      return gradyn_fail(&mpc->plan.message, GRADYN_STALLED, "no convergence in %d iterations",
                         MOST_ITERATIONS);
    lower_barrier(mpc);
    GRADYN_TRY(find_direction(mpc, &last));
    mpc->info.iterations++;
    /* last permitted iteration: takes the step without an evaluation */
    if (mpc->info.iterations == iterations) {
      gradyn_newton_copy(w, &w->at, &mpc->from);
      gradyn_newton_move(w, &mpc->from, w->longest, w->longest_dual);
      return GRADYN_OK;
    }
    GRADYN_TRY(search_along(mpc));
  }
  return GRADYN_OK;
}

/* --- Steps ------------------------------------------------------------------------------------ */

/* Takes the measured state. A value outside its bounds is moved to the bound. */
static gradyn_status take_state(gradyn_mpc *mpc, const double state[])
{
  gradyn_plan *plan = &mpc->plan;
  for (size_t i = 0; i < mpc->info.state_count; i++)
    if (!isfinite(state[i]))
      return gradyn_fail(&plan->message, GRADYN_INVALID, "state %s: %g; must be finite",
                         mpc->name[i], state[i]);
  for (size_t i = 0; i < mpc->info.state_count; i++) {
    plan->measured[i] = fmin(fmax(state[i], plan->least[i]), plan->most[i]);
    const double moved = fabs(plan->measured[i] - state[i]);
    if (moved > mpc->info.moved) {
      mpc->info.moved = moved;
      mpc->info.moved_state = i;
      (void)gradyn_fail(&plan->message, GRADYN_OK, "state %s: measured %g; moved to its bound %g",
                        mpc->name[i], state[i], plan->measured[i]);
    }
  }
  return GRADYN_OK;
}

/* Takes new values of parameters that are not varied. */
static gradyn_status take_given(gradyn_plan *plan, const double given[])
{
  gradyn_program *program = plan->program;
  for (size_t j = 0; given != NULL && j < plan->segments.p; j++)
    if (program->position[j] >= program->n && !isfinite(given[j]))
      return gradyn_fail(&plan->message, GRADYN_INVALID, "parameter %s: %g; must be finite",
                         program->objective->parameters[j].name, given[j]);
  for (size_t j = 0; given != NULL && j < plan->segments.p; j++)
    if (program->position[j] >= program->n)
      program->start[j] = given[j];
  return GRADYN_OK;
}

/* Fills the planned states. */
static void publish(gradyn_mpc *mpc)
{
  gradyn_plan *plan = &mpc->plan;
  const gradyn_segments *s = &plan->segments;
  gradyn_program_parameters(plan->program, plan->newton.at.x, plan->rho);
  memcpy(mpc->states, plan->measured, s->nz * sizeof *mpc->states);
  for (size_t k = 1; k < s->count; k++) {
    const gradyn_cut *cut = &s->cut[k];
    const double *w = plan->rho + s->p + gradyn_segments_unknown(s, k);
    double *z = mpc->states + k * s->nz;
    for (size_t i = 0; i < s->nz; i++) { /* z + L (w - w_0) */
      z[i] = cut->z[i];
      for (size_t j = 0; j < s->states; j++)
        z[i] += cut->L[i * s->states + j] * (w[j] - cut->w[j]);
    }
  }
}

/* Gives a failure without a message the general sentence of its status. */
static gradyn_status explain(gradyn_message *message, gradyn_status status)
{
  if (status == GRADYN_OK || message->text[0] != '\0')
    return status;
  return gradyn_fail(message, status, "%s", gradyn_status_describe((int)status).sentence);
}

/* Iterates until the plan converges. If this fails from the multipliers of the last step, new ones are found
 * at the moved plan. */
static gradyn_status converge(gradyn_mpc *mpc)
{
  const gradyn_status status = iterate(mpc, 0);
  const long iterations = mpc->info.iterations;
  if (!mpc->begun || gradyn_status_describe((int)status).kind != GRADYN_CLASS_RECOVERABLE)
    return status;
  gradyn_message_clear(&mpc->plan.message);
  gradyn_newton_copy(&mpc->plan.newton, &mpc->moved, &mpc->plan.newton.at);
  mpc->begun = false;
  mpc->info.iterations = 0;
  const gradyn_status again = iterate(mpc, 0);
  mpc->info.iterations += iterations;
  return again;
}

/* Names the path constraint that a plan violates most, unless the message has another finding. */
static void report_violation(gradyn_mpc *mpc)
{
  gradyn_plan *plan = &mpc->plan;
  const gradyn_segments *s = &plan->segments;
  const size_t first = s->objective.functional_count;
  if (!mpc->info.converged || mpc->info.violation <= 1 || mpc->info.moved > 0 ||
      plan->worst < first)
    return;
  const gradyn_limit_at *at = &s->held.at[plan->worst - first];
  const gradyn_functional_info *side = &s->functionals[at->side];
  const double t_end = plan->whole->model->x[plan->whole->model->t_end];
  (void)gradyn_fail(&plan->message, GRADYN_OK,
                    "path constraint %s at t = %.4g s of the plan: exceeded by %.3g %s; no plan "
                    "nearby satisfies it",
                    side->name, at->share * t_end, plan->psi[plan->worst], side->unit);
}

/* Plans from a measured state. */
static gradyn_status plan_again(gradyn_mpc *mpc, const double state[], const double given[],
                                long iterations)
{
  GRADYN_TRY(take_state(mpc, state));
  GRADYN_TRY(take_given(&mpc->plan, given));
  GRADYN_TRY(
      explain(&mpc->plan.message, iterations > 0 ? iterate(mpc, iterations) : converge(mpc)));
  report_violation(mpc);
  return GRADYN_OK;
}

gradyn_status gradyn_mpc_step(gradyn_mpc *mpc, const double state[], const double given[],
                              long shift, long iterations)
{
  if (mpc == NULL)
    return GRADYN_INVALID;
  gradyn_plan *plan = &mpc->plan;
  gradyn_newton *w = &plan->newton;
  gradyn_message_clear(&plan->message);
  if (state == NULL || shift < 0 || shift > (long)plan->segments.count || iterations < 0)
    return gradyn_fail(&plan->message, GRADYN_INVALID, "%s",
                       state == NULL    ? "the measured state is NULL"
                       : iterations < 0 ? "the number of iterations is negative"
                                        : "shift: must be from 0 to the number of segments");
  const gradyn_mpc_info before = mpc->info;
  mpc->info = (gradyn_mpc_info){.segments = before.segments,
                                .state_count = before.state_count,
                                .state = before.state,
                                .rho = before.rho,
                                .states = before.states,
                                .objective = NAN,
                                .violation = NAN,
                                .residual = NAN,
                                .message = before.message};
  plan->evaluations = plan->hessians = 0;
  for (long i = 0; i < shift; i++)
    gradyn_shift_move(&mpc->shift, plan);
  gradyn_newton_copy(w, &w->at, &mpc->moved);
  const gradyn_status status = plan_again(mpc, state, given, iterations);
  if (status == GRADYN_OK)
    mpc->begun = true;
  else
    gradyn_newton_copy(w, &mpc->moved, &w->at);
  publish(mpc);
  mpc->info.evaluations = plan->evaluations;
  mpc->info.hessians = plan->hessians;
  return status;
}

gradyn_mpc_info gradyn_mpc_read(const gradyn_mpc *mpc)
{
  return mpc != NULL ? mpc->info : (gradyn_mpc_info){0};
}

/* --- The object ------------------------------------------------------------------------------- */

static gradyn_status take_memory(gradyn_mpc *mpc)
{
  enum { LONGEST = 64 };
  gradyn_plan *plan = &mpc->plan;
  const gradyn_segments *s = &plan->segments;
  const gradyn_model *model = plan->whole->model;
  gradyn_arena *arena = &mpc->arena;
  const size_t n = plan->newton.shape.n, m = plan->newton.shape.m;
  mpc->moved = gradyn_newton_point_take(arena, n, m);
  mpc->from = gradyn_newton_point_take(arena, n, m);
  mpc->states = gradyn_arena_numbers(arena, s->count * s->nz);
  mpc->name = gradyn_arena_take(arena, s->nz, sizeof *mpc->name);
  char *text = gradyn_arena_take(arena, s->nz, LONGEST);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&plan->message, GRADYN_NO_MEMORY, "out of memory for a plan");
  for (size_t i = 0; i < s->nz; i++, text += LONGEST) {
    model->ops->state_name(model, s->cut[1].slot[i], text, LONGEST);
    mpc->name[i] = text;
  }
  mpc->info = (gradyn_mpc_info){.segments = s->count,
                                .state_count = s->nz,
                                .state = mpc->name,
                                .rho = plan->rho,
                                .states = mpc->states,
                                .objective = NAN,
                                .violation = NAN,
                                .residual = NAN,
                                .message = plan->message.text};
  publish(mpc);
  return GRADYN_OK;
}

static gradyn_status create(gradyn_mpc *mpc, gradyn_evaluator *evaluator,
                            const gradyn_search *search, const double rho0[])
{
  mpc->optimality = search->optimality;
  GRADYN_TRY(gradyn_plan_create(evaluator, search, rho0, &mpc->plan));
  GRADYN_TRY(gradyn_shift_create(&mpc->plan, &mpc->shift));
  return take_memory(mpc);
}

gradyn_status gradyn_mpc_create(gradyn_evaluator *evaluator, const gradyn_search *search,
                                const double rho0[], gradyn_mpc **out)
{
  if (out == NULL)
    return GRADYN_INVALID;
  *out = NULL;
  if (!gradyn_evaluator_created(evaluator))
    return GRADYN_INVALID;
  gradyn_evaluator_forget(evaluator);
  const char *fault = search != NULL ? gradyn_search_fault(search) : "the search is NULL";
  if (fault == NULL && rho0 == NULL)
    fault = "rho0 is NULL";
  if (fault == NULL && (search->segments < 2 || search->segment_times != NULL))
    fault = "receding horizon: needs at least 2 segments of equal length";
  if (fault == NULL && !(search->optimality > 0))
    fault = "receding horizon: the optimality must be positive";
  if (fault != NULL)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID, "%s", fault);
  gradyn_mpc *mpc = calloc(1, sizeof *mpc);
  if (mpc == NULL)
    return gradyn_fail(&evaluator->message, GRADYN_NO_MEMORY, "out of memory for a controller");
  const gradyn_status status = create(mpc, evaluator, search, rho0);
  if (explain(&mpc->plan.message, status) != GRADYN_OK) {
    const gradyn_message message = mpc->plan.message;
    gradyn_mpc_free(mpc);
    return gradyn_fail(&evaluator->message, status, "%s", message.text);
  }
  *out = mpc;
  return GRADYN_OK;
}

void gradyn_mpc_free(gradyn_mpc *mpc)
{
  if (mpc == NULL)
    return;
  gradyn_plan_clear(&mpc->plan);
  gradyn_shift_clear(&mpc->shift);
  gradyn_arena_clear(&mpc->arena);
  free(mpc);
}
