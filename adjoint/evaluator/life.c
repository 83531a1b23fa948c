/* The life of an evaluator, from a problem with options and settings to something that can be evaluated, and
 * how its failures are told. */
#include "adjoint/evaluator/evaluator.h"
#include "adjoint/evaluator/numbers.h"
#include "adjoint/evaluator/vouch.h"

#include <stdlib.h>

/* All arrays of an evaluator; a march and its sweeps have their own. */
static gradyn_status take_memory(gradyn_evaluator *ev)
{
  size_t p = ev->parameters.count, nx = (size_t)ev->model->nx;
  size_t nf = (size_t)ev->model->functional_count;
  ev->rho = gradyn_arena_take(&ev->arena, p + 1, sizeof *ev->rho);
  ev->x = gradyn_arena_numbers(&ev->arena, nx + 1);
  ev->active = gradyn_arena_take(&ev->arena, nx + 1, sizeof(bool));
  ev->x_bar = gradyn_arena_numbers(&ev->arena, nf * nx + 1);
  ev->public_data = gradyn_arena_take(&ev->arena, nx + 1, sizeof(int));
  ev->psi = gradyn_arena_numbers(&ev->arena, nf + 1);
  ev->repetition.moved = gradyn_arena_numbers(&ev->arena, p + 1);
  ev->sample = gradyn_arena_numbers(&ev->arena, nf + 1);
  if (gradyn_arena_status(&ev->arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu data", nx);
  for (int k = 0; k < ev->model->nx; k++)
    /* users see the data that they have given, not what follows from these */
    if (!ev->model->entry[k].derived && !ev->model->entry[k].hidden)
      ev->public_data[ev->public_count++] = k;
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_tell(gradyn_evaluator *ev, gradyn_status status)
{
  if (status == GRADYN_OK || ev->message.text[0] != '\0')
    return status;
  /* a status never goes out without a sentence */
  const char *said = ev->model ? ev->model->message.text : "";
  gradyn_message_add(&ev->message, "%s", *said ? said : gradyn_status_sentence((int)status));
  return status;
}

gradyn_status gradyn_evaluator_carry(gradyn_evaluator *ev, gradyn_status status)
{
  if (status != GRADYN_OK && ev->model)
    ev->message = ev->model->message;
  return gradyn_evaluator_tell(ev, status);
}

/* Builds at the initial parameters, then makes the method that is to run it. */
static gradyn_status create_model(gradyn_evaluator *ev)
{
  GRADYN_TRY(gradyn_evaluator_carry(ev, gradyn_evaluator_build(ev)));
  /* derivatives by complex step are none of differences' business */
  ev->model->declared.trusted = ev->route == GRADYN_BY_DIFFERENCES;
  /* from here on whatever marches asks the caller */
  ev->model->patience.cancel = ev->options.cancel;
  ev->model->patience.user = ev->options.cancel_user;
  /* mechanisms or general equations, events */
  GRADYN_TRY(gradyn_evaluator_carry(ev, gradyn_method_suits(ev->method, ev->model)));
  /* fixed steps: a thousandth of the run, here where t_end is known */
  if (ev->method->rtol == 0 && ev->options.step == 0)
    ev->options.step = ev->model->x[ev->model->t_end] / 1000;
  return gradyn_evaluator_carry(ev, gradyn_choice_create(ev));
}

/* From a problem to something that can be evaluated: options, parameters, model, method. */
gradyn_status gradyn_evaluator_create(const gradyn_problem *problem, const gradyn_options *options,
                                      const gradyn_setting_choice *settings, size_t setting_count,
                                      gradyn_evaluator **out)
{
  if (!out)
    return GRADYN_INVALID;
  gradyn_evaluator *ev = *out = calloc(1, sizeof *ev);
  if (!ev)
    return GRADYN_NO_MEMORY;
  ev->problem = problem;
  /* an evaluator in any case: it holds the message of a failure */
  GRADYN_TRY(gradyn_evaluator_inspect(ev));
  gradyn_options usual;
  gradyn_options_default(problem, &usual);
  GRADYN_TRY(gradyn_evaluator_keep_settings(ev, settings, setting_count));
  GRADYN_TRY(gradyn_evaluator_settle(ev, options ? options : &usual));
  GRADYN_TRY(gradyn_parameters_create(problem, ev->settings, ev->setting_count, &ev->message,
                                      &ev->parameters));
  GRADYN_TRY(create_model(ev));
  /* last, so that sample tells whether there is an evaluator: see ready() */
  return take_memory(ev);
}

gradyn_status gradyn_evaluator_alike(const gradyn_evaluator *other, const gradyn_options *options,
                                     gradyn_evaluator **out)
{
  if (!other) {
    if (out)
      *out = NULL;
    return GRADYN_INVALID;
  }
  const gradyn_status status = gradyn_evaluator_create(other->problem, options, other->settings,
                                                       other->setting_count, out);
  if (status == GRADYN_OK)
    gradyn_vouch_alike(other, *out);
  return status;
}

void gradyn_evaluator_free(gradyn_evaluator *ev)
{
  if (!ev)
    return;
  gradyn_choice_clear(ev);
  gradyn_model_free(ev->model);
  gradyn_parameters_clear(&ev->parameters);
  gradyn_directions_clear(&ev->by_rho);
  gradyn_directions_clear(&ev->by_datum);
  gradyn_arena_clear(&ev->arena);
  free(ev->repetition.numbers);
  free(ev->repetition.log);
  if (ev->own)
    ev->own->release(ev->own);
  free(ev);
}
