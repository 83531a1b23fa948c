/* Tables for moving a plan by one segment, of length D. A knot at t takes the value of its signal at t + D;
 * boundary k takes the state at boundary k + 1, and multipliers and second derivatives move with their
 * variables and constraints. */
#include "optim/horizon/shift.h"

#include <math.h>
#include <string.h>

#include "adjoint/directions.h"
#include "adjoint/gradient/gradient.h"
#include "core/signals/signal.h"

/* Positions that differ by less than this are equal: as fractions of the horizon, or in distances of knots.
 */
static const double same = 1e-6;

/* --- Parameters ------------------------------------------------------------------------------- */

/* The parameters of the knots of a signal. */
typedef struct knots {
  const gradyn_waveform *signal;
  const gradyn_directions *d;
} knots;

/* Returns the parameter that is knot k; negative: no single parameter is. */
static int parameter_of(const knots *s, int k)
{
  return gradyn_directions_only(s->d, s->signal->knot + k);
}

/* Gives knot k the value that the signal has `apart` intervals later, interpolated between knots. */
static void move_knot(const gradyn_shift *shift, const knots *s, int k, double apart)
{
  const int last = s->signal->count - 1;
  const double at = fmin(k + apart, last), below = trunc(at + same);
  const double share = s->signal->kind == GRADYN_PIECEWISE_CONSTANT ? 0 : fmax(at - below, 0);
  const int own = parameter_of(s, k), from = parameter_of(s, (int)below),
            to = parameter_of(s, (int)fmin(below + 1, last));
  if (own < 0 || from < 0 || to < 0)
    return;
  shift->from[own] = (size_t)from;
  shift->to[own] = (size_t)to;
  shift->share[own] = share > same ? share : 0;
}

/* Number of intervals between knots that a segment covers; 0: knots are at given times. */
static double intervals(const gradyn_plan *plan, const gradyn_waveform *signal)
{
  const gradyn_model *model = plan->whole->model;
  const double each = gradyn_signal_knot_time(signal, model->x, 1) -
                      gradyn_signal_knot_time(signal, model->x, 0);
  return signal->timed || signal->count < 2
             ? 0
             : model->x[model->t_end] / ((double)plan->segments.count * each);
}

static gradyn_status move_parameters(gradyn_plan *plan, const gradyn_shift *shift)
{
  gradyn_evaluator *ev = plan->whole;
  const gradyn_model *model = ev->model;
  gradyn_directions d = {0};
  for (size_t j = 0; j < plan->segments.p; j++)
    shift->from[j] = shift->to[j] = j;
  gradyn_status status = gradyn_evaluator_load(ev, plan->rho);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_report(
        ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &d));
  for (int i = 0; i < model->signal_count && status == GRADYN_OK; i++) {
    const knots s = {&model->signal[i], &d};
    const double apart = intervals(plan, s.signal);
    for (int k = 0; apart > 0 && k < s.signal->count; k++)
      move_knot(shift, &s, k, apart);
  }
  gradyn_directions_clear(&d);
  return status == GRADYN_OK
             ? status
             : gradyn_fail(&plan->message, status, "%s", gradyn_evaluator_message(ev));
}

/* --- Variables, constraints, second derivatives ------------------------------------------------- */

/* Returns the parameter of the last plan that becomes parameter j. If j lies between two parameters, it is
 * the nearer one. */
static size_t source_of(const gradyn_plan *plan, const gradyn_shift *shift, size_t j)
{
  const gradyn_segments *s = &plan->segments;
  if (j < s->p)
    return shift->share[j] < 0.5 ? shift->from[j] : shift->to[j];
  const size_t later = j + s->states;
  return later < s->p + (s->count - 1) * s->states ? later : j;
}

static void move_variables(const gradyn_plan *plan, const gradyn_shift *shift)
{
  const gradyn_program *program = plan->program;
  for (size_t i = 0; i < program->n; i++) {
    const size_t source = program->position[source_of(plan, shift, program->varied[i])];
    shift->variable[i] = source < program->n ? source : i;
  }
}

/* Whether sample b is sample a, one segment later. */
static bool is_later(const gradyn_plan *plan, const gradyn_limit_at *a, const gradyn_limit_at *b)
{
  const gradyn_model *model = plan->whole->model;
  gradyn_limit_at moved = *a;
  moved.share = b->share;
  moved.knot = b->knot;
  if ((a->knot > 0) != (b->knot > 0) || !gradyn_limit_at_same(&moved, b))
    return false;
  if (a->knot == 0)
    return fabs(b->share - a->share - 1 / (double)plan->segments.count) < same;
  const gradyn_waveform *signal = &model->signal[gradyn_limit_of_signal(model, a->side)];
  return fabs(b->knot - a->knot - intervals(plan, signal)) < same;
}

/* Returns the functional of the last plan that becomes functional f. */
static size_t functional_of(const gradyn_plan *plan, size_t f)
{
  const gradyn_segments *s = &plan->segments;
  const size_t first = s->objective.functional_count;
  if (f < s->f)
    return f;
  if (f < first)
    return f + s->states < first ? f + s->states : f;
  for (size_t i = 0; i < s->held.count; i++)
    if (is_later(plan, &s->held.at[f - first], &s->held.at[i]))
      return first + i;
  return f;
}

static void move_rows(const gradyn_plan *plan, const gradyn_shift *shift)
{
  const gradyn_constraint *rows = plan->program->rows;
  for (size_t k = 0; k < plan->rows; k++) {
    const size_t source = functional_of(plan, rows[plan->row[k]].functional);
    shift->row[k] = k;
    for (size_t i = 0; i < plan->rows; i++)
      if (rows[plan->row[i]].functional == source)
        shift->row[k] = i;
  }
}

static void move_entries(const gradyn_plan *plan, const gradyn_shift *shift)
{
  const gradyn_hessian *h = &plan->hessian;
  for (size_t e = 0; e < h->count; e++) {
    const size_t a = shift->variable[h->row[e]], b = shift->variable[h->column[e]];
    shift->entry[e] = e;
    for (size_t i = 0; i < h->count; i++)
      if (h->row[i] == (a > b ? a : b) && h->column[i] == (a > b ? b : a))
        shift->entry[e] = i;
  }
}

gradyn_status gradyn_shift_create(gradyn_plan *plan, gradyn_shift *out)
{
  *out = (gradyn_shift){0};
  gradyn_arena *arena = &out->arena;
  const size_t p = plan->segments.p, n = plan->program->n, m = plan->rows,
               entries = plan->hessian.count;
  out->from = gradyn_arena_take(arena, p, sizeof *out->from);
  out->to = gradyn_arena_take(arena, p, sizeof *out->to);
  out->share = gradyn_arena_numbers(arena, p);
  out->variable = gradyn_arena_take(arena, n, sizeof *out->variable);
  out->row = gradyn_arena_take(arena, m, sizeof *out->row);
  out->entry = gradyn_arena_take(arena, entries, sizeof *out->entry);
  out->point = gradyn_newton_point_take(arena, n, m);
  out->rho = gradyn_arena_numbers(arena, plan->objective.parameter_count);
  out->H = gradyn_arena_numbers(arena, entries);
  if (gradyn_arena_status(arena) != GRADYN_OK)
    return gradyn_fail(&plan->message, GRADYN_NO_MEMORY, "out of memory for a plan");
  GRADYN_TRY(move_parameters(plan, out));
  move_variables(plan, out);
  move_rows(plan, out);
  move_entries(plan, out);
  return GRADYN_OK;
}

void gradyn_shift_clear(gradyn_shift *shift)
{
  gradyn_arena_clear(&shift->arena);
}

/* --- Moving ----------------------------------------------------------------------------------- */

/* Moves parameters and states at boundaries, from plan->rho to shift->rho. */
static void move_values(const gradyn_shift *shift, const gradyn_plan *plan)
{
  const gradyn_segments *s = &plan->segments;
  const double *rho = plan->rho;
  for (size_t j = 0; j < plan->objective.parameter_count; j++)
    shift->rho[j] = j < s->p ? (1 - shift->share[j]) * rho[shift->from[j]] +
                                   shift->share[j] * rho[shift->to[j]]
                             : rho[source_of(plan, shift, j)];
}

/* Replaces the state at the last boundary by the end of a run of the segment before. */
static bool run_to_last(const gradyn_shift *shift, gradyn_plan *plan)
{
  gradyn_segments *s = &plan->segments;
  const size_t k = s->count - 1;
  const double *end = s->answers.psi + (k - 1) * s->answers.height + s->f;
  if (gradyn_segments_run_part(s, k - 1, shift->rho, true, false) != GRADYN_OK)
    return false;
  for (size_t i = 0; i < s->states; i++)
    shift->rho[s->p + gradyn_segments_unknown(s, k) + i] = end[s->cut[k].at[i]];
  return true;
}

bool gradyn_shift_move(const gradyn_shift *shift, gradyn_plan *plan)
{
  const gradyn_program *program = plan->program;
  gradyn_newton *w = &plan->newton;
  gradyn_program_parameters(program, w->at.x, plan->rho);
  move_values(shift, plan);
  const bool ran = run_to_last(shift, plan);
  gradyn_newton_copy(w, &w->at, (gradyn_newton_point *)&shift->point);
  for (size_t j = 0; j < program->n; j++) {
    w->at.x[j] = gradyn_program_variable(program, j, shift->rho[program->varied[j]]);
    w->at.lower[j] = shift->point.lower[shift->variable[j]];
    w->at.upper[j] = shift->point.upper[shift->variable[j]];
  }
  for (size_t k = 0; k < plan->rows; k++) {
    w->at.lam[k] = shift->point.lam[shift->row[k]];
    w->at.s[k] = shift->point.s[shift->row[k]];
    w->at.e[k] = shift->point.e[shift->row[k]];
  }
  memcpy(shift->H, w->H, plan->hessian.count * sizeof *w->H);
  for (size_t e = 0; e < plan->hessian.count; e++)
    w->H[e] = shift->H[shift->entry[e]];
  return ran;
}
