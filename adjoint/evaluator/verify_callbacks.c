/* Verification of derivatives of users' functions other than build().
 *
 * A model differentiates functions by complex step, which is wrong if a function is not
 * complex-differentiable. Therefore each function is compared once with real numbers (complex_loss.h), at
 * arguments of its calls in the run: at rest, where most runs begin, many derivatives are zero. Only
 * arguments that derivatives use are checked: states, data that change, and the time if the time of an event
 * or boundary changes. */
#include "adjoint/evaluator/verify_callbacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adjoint/evaluator/cases.h"
#include "core/linear/arena.h"

/* Returns whether a time changes with the data: the end, an event, a time of a signal. */
static bool time_moves(const gradyn_model *model, const bool *active)
{
  if (!active || active[model->t_end] || model->event_count > 0)
    return true;
  for (int k = 0; k < model->signal_count; k++)
    if (gradyn_signal_moves(&model->signal[k], active))
      return true;
  return false;
}

/* Returns whether derivatives by this argument are used. */
static bool is_used(const gradyn_model *model, int source, const bool *active, bool time)
{
  if (source >= 0)
    return !active || active[source];
  if (source <= GRADYN_FROM_SIGNAL)
    return time || gradyn_signal_active(&model->signal[GRADYN_FROM_SIGNAL - source], active);
  return source == GRADYN_FROM_STATE || (source == GRADYN_FROM_TIME && time);
}

/* Returns the number of arguments by which derivatives are used. */
static int count_used(const gradyn_model *model, const gradyn_callback *c, const bool *active)
{
  /* other arguments need not be complex-differentiable */
  const bool time = time_moves(model, active);
  int used = 0;
  for (int i = 0; i < c->arguments; i++)
    used += is_used(model, c->source[i], active, time);
  return used;
}

/* Sets the largest value of every argument in all calls. A component that is always zero gets the largest
 * value of its vector or, if that is zero too, 1. */
static void find_largest(const gradyn_callback *c, double *most)
{
  /* max over calls of |z_i| */
  for (int i = 0; i < c->arguments; i++) {
    most[i] = 0;
    for (int k = 0; k < c->count; k++)
      most[i] = fmax(most[i], fabs(c->seen[(size_t)k * (size_t)c->arguments + (size_t)i]));
  }
  for (int array = 0; array < GRADYN_SEEN; array++) {
    /* a component that stays zero may change as its neighbours do */
    const int first = gradyn_callback_index(c, (gradyn_seen)array, 0);
    const bool alike = array <= GRADYN_SEES_ACC; /* components with the same unit */
    double largest = 0;
    for (int i = 0; i < c->size[array] && alike; i++)
      largest = fmax(largest, most[first + i]);
    for (int i = 0; i < c->size[array]; i++)
      if (most[first + i] == 0)
        most[first + i] = largest > 0 ? largest : 1;
  }
  if (most[0] == 0)
    most[0] = 1;
}

/* Calls a user's function for gradyn_checked_function. */
static gradyn_status call_function(void *self, const gradyn_scalar *argument, gradyn_scalar *result)
{
  return gradyn_callback_call(self, argument, result);
}

gradyn_status gradyn_callback_check(gradyn_model *model, const gradyn_callback *c,
                                    const bool *active, gradyn_complex_loss *out, double *t)
{
  const bool time = time_moves(model, active);
  LOCAL(gradyn_arena) arena = {0};
  OWNED(gradyn_complex_loss_workspace) *capacity = NULL;
  double *most = gradyn_arena_numbers(&arena, (size_t)c->arguments);
  double *size = gradyn_arena_numbers(&arena, (size_t)c->arguments);
  *out = (gradyn_complex_loss){.found = false};
  if (gradyn_arena_status(&arena) != GRADYN_OK ||
      gradyn_complex_loss_workspace_create(c->arguments, c->results, &capacity) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d arguments",
                       c->arguments);
  const gradyn_checked_function f = {call_function, (void *)c, c->arguments, c->results,
                                     NULL,          NULL,      NULL};
  gradyn_complex_loss lost;
  double worst = 0;
  find_largest(c, most);
  for (int k = 0; k < c->count; k++) {
    const double *at = c->seen + (size_t)k * (size_t)c->arguments;
    for (int i = 0; i < c->arguments; i++)
      /* arguments that are not read remain NAN */
      size[i] = is_used(model, c->source[i], active, time) && !isnan(at[i])
                    ? fmax(fabs(at[i]), 1e-3 * most[i])
                    : 0;
    const gradyn_status fatal = gradyn_complex_loss_check(capacity, &f, at, size, &lost);
    if (fatal != GRADYN_OK) {
      /* the user's status, with the name of the function as in a run */
      char name[100];
      return gradyn_fail(&model->message, fatal, "%s ended with: %s",
                         gradyn_callback_name(c, name, sizeof name),
                         gradyn_status_describe((int)fatal).sentence);
    }
    /* keep the call with the largest error */
    const double gap = !lost.found ? 0 : lost.isolated ? HUGE_VAL : fabs(lost.real - lost.stepped);
    if (gap > worst) {
      worst = gap;
      *out = lost;
      *t = at[0];
    }
    if (worst == 0)
      out->error = fmax(out->error, lost.error);
  }
  return GRADYN_OK;
}

/* Fails with the name of the wrong derivative. */
static gradyn_status tell(gradyn_evaluator *ev, const gradyn_callback *c,
                          const gradyn_complex_loss *lost, double t)
{
  /* with the names that the function's author uses */
  char name[100], argument[40], result[40], time[40] = "", fault[300];
  if (c->kind != GRADYN_OF_MEASURE) /* it has no time as argument */
    snprintf(time, sizeof time, " at t = %.4g s", t);
  return gradyn_fail(&ev->message, GRADYN_INVALID,
                     "%s is not complex-differentiable: the derivative of %s by %s%s %s",
                     gradyn_callback_name(c, name, sizeof name),
                     gradyn_callback_result(c, lost->result, result, sizeof result),
                     gradyn_callback_argument(c, lost->argument, argument, sizeof argument), time,
                     gradyn_complex_loss_sentence(lost, fault, sizeof fault));
}

/* Returns whether a function has been called and its derivatives are used. */
static bool matters(const gradyn_model *model, const gradyn_callback *c)
{
  return c->count > 0 && !(c->functional >= 0 && model->functional[c->functional].skipped);
}

gradyn_status gradyn_verify_callbacks_functions(gradyn_evaluator *ev, const bool *active)
{
  gradyn_model *model = ev->model;
  if (model->declared.trusted)
    return GRADYN_OK;
  for (int k = 0; k < model->declared.callbacks; k++) {
    gradyn_callback *c = &model->declared.callback[k];
    if (!matters(model, c))
      continue;
    /* checked again if derivatives use more arguments than before */
    const int looked = 1 + count_used(model, c, active);
    if (looked <= c->looked)
      continue;
    /* verified once; an error is reported until it is corrected */
    gradyn_complex_loss lost;
    double t = 0;
    GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_callback_check(model, c, active, &lost, &t)));
    if (lost.found)
      return tell(ev, c, &lost, t);
    gradyn_callback_looked(c, looked);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_verify_callbacks_analysis(gradyn_evaluator *ev, gradyn_status status)
{
  const gradyn_model *model = ev->model;
  const gradyn_directions *d = &ev->by_rho;
  if (status != GRADYN_OK)
    return status;
  /* data of the present columns, and signals, which are inputs */
  memset(ev->active, 0, (size_t)model->nx * sizeof *ev->active);
  for (int k = 0; d->start && k < d->start[d->count]; k++)
    ev->active[d->index[k]] = true;
  for (int k = 0; k < model->signal_count; k++)
    ev->active[gradyn_signal_datum(&model->signal[k])] = true;
  return gradyn_verify_callbacks_functions(ev, ev->active);
}

void gradyn_verify_callbacks_alike(const gradyn_evaluator *from, gradyn_evaluator *to)
{
  if (!from->model || !to->model)
    return;
  for (size_t k = 0; k < gradyn_case_count(from); k++)
    gradyn_verify_callbacks_alike(gradyn_case_at(from, k).evaluator,
                                  gradyn_case_at(to, k).evaluator);
  const gradyn_model_declared *had = &from->model->declared;
  gradyn_model_declared *has = &to->model->declared;
  has->looked = has->looked || had->looked;
  has->trusted = has->trusted || had->trusted;
  for (int k = 0; k < had->callbacks && k < has->callbacks; k++)
    if (had->callback[k].looked > 0 && has->callback[k].fn == had->callback[k].fn)
      gradyn_callback_looked(&has->callback[k], had->callback[k].looked);
}
