/* Rounding of integer signals.
 *
 * A search takes the values of integer signals as real. This file rounds them on their grids by sum-up
 * rounding, writes them to the parameters that are knots, calls build() and checks that all knots of integer
 * signals have become the rounded values. Knots may thus follow from parameters, as the last weight
 * 1 - w_1 - w_2 of a set does. */
#include "optim/rounds/integers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "optim/program/program.h"
#include "optim/rounds/sum_up.h"
#include "optim/search/search.h"

/* Signals that are rounded together. */
typedef struct group {
  gradyn_evaluator *ev;
  gradyn_message *why;
  int *member; /* [grid.controls] numbers of signals, from 0 */
  gradyn_sum_up grid;
  double *length, *relaxed, *rounded, *e; /* see gradyn_sum_up */
} group;

/* Whether two signals have a common set. */
static bool together(const gradyn_waveform *a, const gradyn_waveform *b)
{
  return a->one_of && b->one_of && strcmp(a->one_of, b->one_of) == 0;
}

/* Allocates for the signals of a model. */
static gradyn_status take_memory(gradyn_arena *arena, const gradyn_model *model, group *g)
{
  size_t most = 1;
  for (int i = 0; i < model->signal_count; i++)
    most += (size_t)model->signal[i].count;
  const size_t signals = (size_t)model->signal_count;
  g->member = gradyn_arena_take(arena, signals + 1, sizeof *g->member);
  g->length = gradyn_arena_numbers(arena, most);
  g->relaxed = gradyn_arena_numbers(arena, most);
  g->rounded = gradyn_arena_numbers(arena, most);
  g->e = gradyn_arena_numbers(arena, signals + 1);
  g->grid.length = g->length;
  return gradyn_arena_status(arena);
}

/* Returns the time at which the value of knot k begins in the run, s. */
static double begin_of(const group *g, const gradyn_waveform *s, int k)
{
  const double end = gradyn_evaluator_model_info(g->ev).t_end;
  if (k == 0 || k == s->count)
    return k == 0 ? 0 : end;
  return fmin(fmax(gradyn_signal_knot_time(s, g->ev->model->x, k), 0), end);
}

/* Reads the grid and the values of the set of signal i. *first: i is the first signal of its set. */
static gradyn_status read_group(group *g, int i, bool *first)
{
  const gradyn_model *model = g->ev->model;
  const gradyn_waveform *s = &model->signal[i];
  const size_t n = (size_t)s->count;
  *first = true;
  g->grid.controls = 0;
  g->grid.intervals = n;
  for (size_t k = 0; k < n; k++)
    g->length[k] = begin_of(g, s, (int)k + 1) - begin_of(g, s, (int)k);
  for (int j = 0; j < model->signal_count; j++) {
    const gradyn_waveform *other = &model->signal[j];
    if (!other->integer || (j != i && !together(s, other)))
      continue;
    *first = *first && j >= i;
    for (int k = 0; k <= s->count; k++)
      if (other->count != s->count || begin_of(g, other, k) != begin_of(g, s, k))
        return gradyn_fail(g->why, GRADYN_INVALID,
                           "signals %s and %s of the set %s have different grids", s->name,
                           other->name, s->one_of);
    memcpy(g->relaxed + g->grid.controls * n, model->x + other->knot, n * sizeof *g->relaxed);
    g->member[g->grid.controls++] = j;
  }
  return GRADYN_OK;
}

/* Writes the rounded values of the group to the parameters that are its knots. */
static void write_group(const group *g, double rho[])
{
  for (size_t m = 0; m < g->grid.controls; m++)
    for (size_t k = 0; k < g->grid.intervals; k++) {
      const int datum = g->ev->model->signal[g->member[m]].knot + (int)k;
      const int j = gradyn_directions_only(&g->ev->by_rho, datum);
      if (j >= 0 && g->ev->model->x[datum] == g->ev->rho[j])
        rho[j] = g->rounded[m * g->grid.intervals + k];
    }
}

/* Rounds all groups to rho [parameters], with the largest ratio of deviation to bound. */
static gradyn_status round_groups(group *g, double rho[], gradyn_rounded *out)
{
  const gradyn_model *model = g->ev->model;
  for (int i = 0; i < model->signal_count; i++) {
    bool first;
    if (!model->signal[i].integer)
      continue;
    GRADYN_TRY(read_group(g, i, &first));
    if (!first)
      continue;
    const double deviation = gradyn_sum_up_round(&g->grid, g->relaxed, g->rounded, g->e),
                 bound = gradyn_sum_up_bound(&g->grid);
    write_group(g, rho);
    if (out->bound == 0 || deviation * out->bound > out->deviation * bound) {
      out->deviation = deviation;
      out->bound = bound;
      out->signal = (size_t)i;
    }
  }
  return GRADYN_OK;
}

/* Checks the knots that build() makes of rounded parameters. */
static gradyn_status check_signals(group *g)
{
  const gradyn_model *model = g->ev->model;
  for (int i = 0; i < model->signal_count; i++)
    for (int k = 0; k < model->signal[i].count && model->signal[i].integer; k++) {
      const double value = model->x[model->signal[i].knot + k];
      if (value != round(value))
        return gradyn_fail(g->why, GRADYN_INVALID,
                           "knot %d of signal %s is %.6g; it must be a parameter, or a whole "
                           "number if parameters are. Declare its parameter without a factor",
                           k, model->signal[i].name, value);
    }
  return GRADYN_OK;
}

/* Checks the bounds of parameters. */
static gradyn_status check_bounds(const group *g, const double rho[])
{
  for (size_t j = 0; j < gradyn_parameter_count(g->ev); j++) {
    const gradyn_parameter_info info = gradyn_parameter_at(g->ev, j);
    if (rho[j] != g->ev->rho[j] && (rho[j] < info.lower || rho[j] > info.upper))
      return gradyn_fail(g->why, GRADYN_INVALID,
                         "parameter %s is rounded to %g, its bounds are %g and %g; use whole "
                         "numbers as bounds",
                         info.name, rho[j], info.lower, info.upper);
  }
  return GRADYN_OK;
}

/* Rounds the point of the result. */
static gradyn_status round_point(group *g, gradyn_search_result *result)
{
  const size_t p = gradyn_parameter_count(g->ev);
  gradyn_rounded *out = &result->rounded;
  gradyn_message_clear(&g->ev->message);
  if (gradyn_evaluator_model_info(g->ev).cases > 0)
    return gradyn_fail(g->why, GRADYN_UNSUPPORTED,
                       "the problem has load cases; select one (--case NAME)");
  FREED double *rho = calloc(p + 1, sizeof *rho);
  if (rho == NULL)
    return GRADYN_NO_MEMORY;
  memcpy(rho, result->rho, p * sizeof *rho);
  GRADYN_TRY(gradyn_evaluator_load(g->ev, rho));
  GRADYN_TRY(gradyn_evaluator_report_model(
      g->ev,
      gradyn_directions_by_rho(g->ev->model, &g->ev->parameters, g->ev->rho, &g->ev->by_rho)));
  GRADYN_TRY(round_groups(g, rho, out));
  GRADYN_TRY(check_bounds(g, rho));
  GRADYN_TRY(gradyn_evaluator_load(g->ev, rho));
  GRADYN_TRY(check_signals(g));
  out->rho = rho;
  rho = NULL;
  return GRADYN_OK;
}

/* Simulates the rounded point. */
static gradyn_status simulate(const gradyn_evaluated *evaluated, const gradyn_search *search,
                              gradyn_rounded *out)
{
  const gradyn_objective *objective = &evaluated->objective;
  OWNED(gradyn_program) *program = NULL;
  FREED double *psi = calloc(objective->functional_count + 1, sizeof *psi);
  if (psi == NULL)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(gradyn_evaluator_simulate(evaluated->evaluator, out->rho, psi, NULL));
  GRADYN_TRY(gradyn_program_create(objective, search, out->rho, &program));
  out->objective = gradyn_program_value(program, psi);
  out->violation = gradyn_program_violation(program, psi, NULL);
  out->psi = psi;
  psi = NULL;
  return GRADYN_OK;
}

/* Adds a finding about the rounded point. */
static void report(const group *g, gradyn_search_result *result)
{
  const gradyn_rounded *r = &result->rounded;
  if (r->status != GRADYN_OK) {
    const char *why = *g->why->text != '\0' ? g->why->text : gradyn_evaluator_message(g->ev);
    gradyn_termination_add(result, "integers", "%s: %.300s",
                           r->rho == NULL ? "not rounded" : "rounded; the simulation fails", why);
    return;
  }
  gradyn_termination_add(result, "integers", "the objective is %.10g with rounded signals",
                         r->objective);
  if (r->violation > 1)
    gradyn_termination_append(result, "; constraints are violated by up to %.3g tolerances",
                              r->violation);
  gradyn_termination_append(
      result, "; the integral of the difference is at most %.4g (%s), the bound is %.4g",
      r->deviation, gradyn_signal_at(g->ev, r->signal).name, r->bound);
}

gradyn_status gradyn_integers_round(const gradyn_evaluated *evaluated, const gradyn_search *search,
                                    gradyn_search_result *result)
{
  const gradyn_model *model = evaluated->evaluator->model;
  gradyn_message why = {.text = ""};
  LOCAL(gradyn_arena) arena = {0};
  group g = {.ev = evaluated->evaluator, .why = &why};
  int integers = 0;
  for (int i = 0; i < model->signal_count; i++)
    integers += model->signal[i].integer;
  if (integers == 0 || result->rho == NULL || !isfinite(result->objective) ||
      result->termination == GRADYN_TERMINATION_STOPPED)
    return GRADYN_OK;
  gradyn_rounded *out = &result->rounded;
  out->objective = out->violation = NAN;
  out->status = take_memory(&arena, model, &g);
  if (out->status == GRADYN_OK)
    out->status = round_point(&g, result);
  if (out->status == GRADYN_OK)
    out->status = simulate(evaluated, search, out);
  report(&g, result);
  return out->status == GRADYN_NO_MEMORY ? GRADYN_NO_MEMORY : GRADYN_OK;
}
