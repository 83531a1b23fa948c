/* Users' functions: their list, comparison of later builds with the first one, stored arguments of calls,
 * and calls with given arguments.
 *
 * The arguments of a function are the entries of its gradyn_at in sequence. During a run, every stride-th
 * call is stored. When the storage is full, every second call is dropped and the stride doubles. The stored
 * calls are therefore spread over the whole run. */
#include "core/model/callback.h"

#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include <gradyn/forces.h>
#include <gradyn/model.h>
#include <gradyn/functionals.h>

/* Number of stored calls, for functions with few and with more than MANY arguments. */
enum { KEPT = 16, KEPT_OF_MANY = 6, MANY = 500 };

/* --- List of functions -------------------------------------------------------------------------- */

const char *gradyn_callback_name(const gradyn_callback *c, char *buffer, size_t size)
{
  static const char *const word[] = {
      [GRADYN_OF_FORCE] = "force",
      [GRADYN_OF_CONSTRAINT] = "constraint",
      [GRADYN_OF_ROLLING] = "constraint",
      [GRADYN_OF_EQUATIONS] = "residual of",
      [GRADYN_OF_INTEGRAND] = "integrand of",
      [GRADYN_OF_TERMINAL] = "terminal part of",
      [GRADYN_OF_GUARD] = "guard of",
      [GRADYN_OF_CONDITION] = "condition",
      [GRADYN_OF_RESET] = "formula of",
      [GRADYN_OF_MEASURE] = "formula of",
      [GRADYN_OF_CUSTOM] = "formula of",
  };
  snprintf(buffer, size, "%s %.60s", word[c->kind], c->name);
  return buffer;
}

/* Reports the first function that differs from the first build(). Later differences follow from the first
 * one and are not reported. */
static void compare(gradyn_model *model, const gradyn_callback *stored, const gradyn_callback *now)
{
  enum { TOLD = 60 }; /* characters of a name that messages print */
  const bool same = stored->kind == now->kind && strncmp(stored->name, now->name, TOLD) == 0;
  char name[2][100];
  /* the usual case, taken by every later build */
  if (same && stored->fn == now->fn && stored->user == now->user)
    return;
  gradyn_callback_name(stored, name[0], sizeof name[0]);
  gradyn_callback_name(now, name[1], sizeof name[1]);
  if (model->failed)
    return;
  if (!same)
    gradyn_build_error(model,
                       "build() declares the %s where it declared the %s before: the structure of "
                       "a model must not depend on design variables",
                       name[1], name[0]);
  else if (stored->fn != now->fn)
    gradyn_build_error(model,
                       "build() declares another function for the %s than in its first call; all "
                       "calls must declare the same function. Declare values that change as data",
                       name[0]);
  else if (stored->user != now->user)
    gradyn_build_error(model,
                       "build() declares for the %s the user pointer %p, but %p in its first call; "
                       "all calls must declare the same pointer. Declare values that "
                       "change as data",
                       name[0], now->user, stored->user);
}

int gradyn_model_callback(gradyn_model *model, const gradyn_callback *prototype)
{
  gradyn_model_declared *d = &model->declared;
  const int number = d->callback_cursor++;
  if (!prototype->name) /* a missing name is reported elsewhere */
    return -1;
  /* later builds declare the functions in the order of the first one */
  if (model->finalised) {
    if (number < d->callbacks)
      compare(model, &d->callback[number], prototype);
    return number;
  }
  /* a new entry, with its own copy of the name */
  gradyn_callback own = *prototype;
  own.model = model;
  own.wait = -1; /* storage is not allocated yet */
  own.name = gradyn_model_copy_name(model, prototype->name);
  if (!own.name) /* the name is compared and printed later, so it must not be NULL */
    return -1;
  if (gradyn_model_append(model, &d->callback, &d->callbacks, sizeof own, &own))
    return d->callbacks - 1;
  free(own.name);
  return -1;
}

void gradyn_callbacks_free(gradyn_model *model)
{
  for (int k = 0; k < model->declared.callbacks; k++) {
    gradyn_callback *c = &model->declared.callback[k];
    free(c->name);
    free(c->source);
    free(c->unused);
    free(c->seen);
  }
  free(model->declared.callback);
}

/* --- Arguments ---------------------------------------------------------------------------------- */

int gradyn_callback_index(const gradyn_callback *c, gradyn_seen array, int i)
{
  int position = 1 + i; /* after the time */
  for (int k = 0; k < (int)array; k++)
    position += c->spare[k] + c->size[k];
  return position + (array < GRADYN_SEEN ? c->spare[array] : 0);
}

gradyn_status gradyn_callback_size(gradyn_model *model, int number, const int size[GRADYN_SEEN],
                                   const int spare[GRADYN_SEEN], int results)
{
  gradyn_callback *c = &model->declared.callback[number];
  memcpy(c->size, size, sizeof c->size);
  for (int k = 0; k < GRADYN_SEEN; k++)
    c->spare[k] = size[k] > 0 ? spare[k] : 0;
  c->arguments = gradyn_callback_index(c, GRADYN_SEEN, 0);
  c->results = results;
  c->capacity = c->arguments > MANY ? KEPT_OF_MANY : KEPT;
  /* arguments depend on the state unless callers overwrite their sources */
  const size_t arguments = (size_t)c->arguments;
  c->source = malloc(arguments * sizeof *c->source);
  c->unused = calloc((size_t)results, sizeof *c->unused);
  c->seen = malloc((size_t)c->capacity * arguments * sizeof *c->seen);
  if (!c->source || !c->unused || !c->seen)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for the function %s",
                       c->name);
  gradyn_callback_forget(c);
  for (int i = 0; i < c->arguments; i++)
    c->source[i] = i > 0                          ? GRADYN_FROM_STATE
                   : c->kind == GRADYN_OF_MEASURE ? GRADYN_FROM_NOTHING /* a measure has no time */
                                                  : GRADYN_FROM_TIME;
  for (int k = 0; k < GRADYN_SEEN; k++)
    for (int i = 1; i <= c->spare[k]; i++)
      c->source[gradyn_callback_index(c, (gradyn_seen)k, -i)] = GRADYN_FROM_NOTHING;
  return GRADYN_OK;
}

/* Number of entries of an array that a functional reads: all entries of the model, or those of listed
 * points. */
static int seen_count(const gradyn_model *model, const gradyn_reads *r, gradyn_seen array)
{
  const bool listed = r->position && array <= GRADYN_SEES_ACC;
  return listed ? r->count * model->ops->looks->axes(model) : model->ops->seen(model, array, -1);
}

/* Sets the sources of the entries of an array that a functional reads. */
static void set_sources(const gradyn_model *model, const gradyn_reads *r, gradyn_seen array,
                        gradyn_callback *c)
{
  int *source = c->source + gradyn_callback_index(c, array, 0);
  if (!r->position || array > GRADYN_SEES_ACC) {
    for (int i = 0; i < c->size[array]; i++)
      source[i] = model->ops->seen(model, array, i);
    return;
  }
  const int axes = model->ops->looks->axes(model);
  for (int k = 0; k < r->count; k++)
    for (int i = 0; i < axes; i++)
      source[axes * r->position[k] + i] = model->ops->seen(model, array, axes * r->number[k] + i);
}

/* Completes the entry of a function of the state: a part of a functional, or the formula of an event. */
static gradyn_status finalise_whole(gradyn_model *model, int number,
                                    const gradyn_functional_entry *f)
{
  const int datum = f->datum, data_count = f->custom.data_count;
  int size[GRADYN_SEEN] = {[GRADYN_SEES_U] = model->signal_count, [GRADYN_SEES_DATA] = data_count};
  const int first = gradyn_first_id(model);
  int spare[GRADYN_SEEN] = {[GRADYN_SEES_LAM] = first, [GRADYN_SEES_U] = first};
  /* points, multipliers or states, depending on the kind of model; points by ids, unless listed */
  for (int k = 0; k < GRADYN_SEES_U; k++)
    size[k] = seen_count(model, &f->reads, (gradyn_seen)k);
  for (int k = 0; k <= GRADYN_SEES_ACC; k++)
    spare[k] = f->reads.position || size[k] == 0 ? 0 : first * model->ops->looks->axes(model);
  GRADYN_TRY(gradyn_callback_size(model, number, size, spare, f->result ? f->results : 1));
  gradyn_callback *c = &model->declared.callback[number];
  for (int k = 0; k < GRADYN_SEES_U; k++)
    set_sources(model, &f->reads, (gradyn_seen)k, c);
  /* signals by their numbers, data by their indices in x */
  for (int i = 0; i < model->signal_count; i++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_U, i)] = GRADYN_FROM_SIGNAL - i;
  for (int i = 0; i < data_count; i++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_DATA, i)] = datum + i;
  return GRADYN_OK;
}

/* Completes the entries of both parts of a functional, or of the formula of an event. f NULL: no
 * functional. */
static gradyn_status finalise_functional(gradyn_model *model, const gradyn_functional_entry *f)
{
  for (int k = 0; f && k < 2; k++)
    if (f->callback[k] >= 0)
      GRADYN_TRY(finalise_whole(model, f->callback[k], f));
  return GRADYN_OK;
}

void gradyn_callback_forget(gradyn_callback *c)
{
  c->count = 0;
  c->stride = 1;
  c->wait = c->seen ? 0 : -1;
}

void gradyn_callback_looked(gradyn_callback *c, int looked)
{
  c->looked = looked;
  c->wait = -1;
}

gradyn_status gradyn_callbacks_finalise(gradyn_model *model)
{
  for (int k = 0; k < model->declared.measures; k++)
    GRADYN_TRY(finalise_functional(model, &model->declared.measure[k]));
  for (int k = 0; k < model->functional_count; k++)
    GRADYN_TRY(finalise_functional(model, &model->functional[k]));
  for (int k = 0; k < model->event_count; k++) {
    GRADYN_TRY(finalise_functional(model, model->event[k].guard));
    GRADYN_TRY(finalise_functional(model, model->event[k].reset));
  }
  /* finalising the model called some functions with arguments that do not occur in runs */
  for (int k = 0; k < model->declared.callbacks; k++)
    gradyn_callback_forget(&model->declared.callback[k]);
  return GRADYN_OK;
}

/* Number of entries of an array, with the spare ones. */
static int length_of(const gradyn_callback *c, int array)
{
  return c->spare[array] + c->size[array];
}

/* Array that contains an argument; *place receives the index in this array. */
static int array_of(const gradyn_callback *c, int argument, int *position)
{
  int array = 0;
  for (*position = argument - 1; array < GRADYN_SEEN - 1 && *position >= length_of(c, array);
       array++)
    *position -= length_of(c, array);
  return array;
}

const char *gradyn_callback_argument(const gradyn_callback *c, int argument, char *buffer,
                                     size_t size)
{
  static const char *const name[GRADYN_SEEN] = {"pos", "vel", "acc", "lam", "y", "yp", "u", "data"};
  /* as in the source of the function */
  int position, array = array_of(c, argument, &position);
  if (argument == 0)
    snprintf(buffer, size, "at->t");
  else if (c->kind == GRADYN_OF_MEASURE && array == GRADYN_SEES_Y)
    snprintf(buffer, size, "at->of[%d]", position);
  else
    snprintf(buffer, size, "at->%s[%d]", name[array], position);
  return buffer;
}

const char *gradyn_callback_result(const gradyn_callback *c, int result, char *buffer, size_t size)
{
  if (c->kind == GRADYN_OF_FORCE || c->kind == GRADYN_OF_EQUATIONS)
    snprintf(buffer, size, "%s[%d]", c->kind == GRADYN_OF_FORCE ? "force" : "F", result);
  else if (c->kind == GRADYN_OF_CONSTRAINT || c->kind == GRADYN_OF_ROLLING)
    snprintf(buffer, size, "its value of order %d", result);
  else if (c->kind == GRADYN_OF_RESET)
    snprintf(buffer, size, "value[%d]", result);
  else
    snprintf(buffer, size, "its value");
  return buffer;
}

/* --- Calls -------------------------------------------------------------------------------------- */

gradyn_status gradyn_callback_error(const gradyn_at *at, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  if (at && at->model)
    gradyn_message_vadd(&at->model->scratch.said, format ? format : "", args);
  va_end(args);
  return GRADYN_CALLBACK;
}

gradyn_status gradyn_callback_failed(gradyn_model *model, gradyn_status status, const char *what,
                                     const char *name, double t)
{
  const char *said = model->scratch.said.text;
  return gradyn_fail(&model->message, status, "%s %s failed at t = %g s%s%s", what, name, t,
                     *said ? ": " : "", said);
}

/* Halves the stored calls to make room for one more. */
static void thin_out(gradyn_callback *c)
{
  /* entries 0, 2, 4, ... stay: their distance is the new stride */
  const size_t size = (size_t)c->arguments;
  c->count = (c->count + 1) / 2;
  for (int k = 1; k < c->count; k++)
    memcpy(c->seen + (size_t)k * size, c->seen + (size_t)(2 * k) * size, size * sizeof *c->seen);
  c->stride *= 2;
}

void gradyn_callback_keep(gradyn_callback *c, const gradyn_at *at)
{
  const gradyn_scalar *const array[GRADYN_SEEN] = {
      at->pos, at->vel, at->acc, at->lam, at->of ? at->of : at->y, at->yp, at->u, at->data};
  if (c->count == c->capacity)
    thin_out(c);
  c->wait = c->stride - 1;
  /* real parts only: calls with a complex step are stored like others */
  double *out = c->seen + (size_t)c->count++ * (size_t)c->arguments;
  *out++ = c->kind == GRADYN_OF_MEASURE ? 0 : creal(at->t);
  /* arrays that this call does not have are stored as zero */
  for (int k = 0; k < GRADYN_SEEN; k++)
    for (int i = 0; i < length_of(c, k); i++)
      *out++ = array[k] ? creal(array[k][i]) : 0;
}

/* Calls a constraint function in each of its orders. */
static gradyn_status call_constraint(const gradyn_callback *c, const gradyn_at *at,
                                     gradyn_scalar *result)
{
  for (int order = c->kind == GRADYN_OF_ROLLING; order < 3; order++)
    GRADYN_TRY(((gradyn_constraint_fn)c->fn)(at, order, &result[order]));
  return GRADYN_OK;
}

gradyn_status gradyn_callback_call(const gradyn_callback *c, const gradyn_scalar *argument,
                                   gradyn_scalar *result)
{
  /* the arrays follow each other in `argument`, after the time */
  const gradyn_scalar *array[GRADYN_SEEN];
  for (int k = 0; k < GRADYN_SEEN; k++)
    array[k] = c->size[k] > 0 ? argument + gradyn_callback_index(c, (gradyn_seen)k, 0) - c->spare[k]
                              : NULL;
  const bool measure = c->kind == GRADYN_OF_MEASURE;
  const gradyn_drawing_ops *looks = c->model->ops->looks;
  const int axes = looks ? looks->axes(c->model) : 0;
  const gradyn_at at = {.t = measure ? (double)NAN : argument[0],
                        .pos = array[GRADYN_SEES_POS],
                        .vel = array[GRADYN_SEES_VEL],
                        .acc = array[GRADYN_SEES_ACC],
                        .lam = array[GRADYN_SEES_LAM],
                        .y = measure ? NULL : array[GRADYN_SEES_Y],
                        .yp = array[GRADYN_SEES_YP],
                        .u = array[GRADYN_SEES_U],
                        .data = array[GRADYN_SEES_DATA],
                        .of = measure ? array[GRADYN_SEES_Y] : NULL,
                        .points = axes > 0 ? c->size[GRADYN_SEES_POS] / axes : 0,
                        .axes = c->size[GRADYN_SEES_POS] > 0 ? axes : 0,
                        .constraints = c->size[GRADYN_SEES_LAM],
                        .states = measure ? 0 : c->size[GRADYN_SEES_Y],
                        .signals = c->size[GRADYN_SEES_U],
                        .data_count = c->size[GRADYN_SEES_DATA],
                        .measures = measure ? c->size[GRADYN_SEES_Y] : 0,
                        .first_point = c->spare[GRADYN_SEES_POS] > 0,
                        .first_constraint = c->spare[GRADYN_SEES_LAM],
                        .user = c->user,
                        .model = c->model};
  /* a function may leave results unset; these are zero */
  for (int i = 0; i < c->results; i++)
    result[i] = 0;
  /* cast back to the type that the user gave */
  if (c->kind == GRADYN_OF_FORCE)
    GRADYN_TRY(((gradyn_force_fn)c->fn)(&at, result));
  else if (c->kind == GRADYN_OF_CONSTRAINT || c->kind == GRADYN_OF_ROLLING)
    GRADYN_TRY(call_constraint(c, &at, result));
  else if (c->kind == GRADYN_OF_EQUATIONS)
    GRADYN_TRY(((gradyn_residual_fn)c->fn)(&at, result));
  else if (measure)
    GRADYN_TRY(((gradyn_measure_fn)c->fn)(&at, result));
  else
    GRADYN_TRY(((gradyn_functional_fn)c->fn)(&at, result));
  /* not a valid number, for example the root of a negative number: an error as in a run */
  for (int i = 0; i < c->results; i++)
    if (c->unused[i])
      result[i] = 0;
    else if (!gradyn_is_number(result[i], true))
      return GRADYN_NON_FINITE;
  return GRADYN_OK;
}

const char *gradyn_number_fault(gradyn_scalar value)
{
  if (!isfinite(creal(value)) || !isfinite(cimag(value)))
    return "not finite";
  return fabs(cimag(value)) <= 1e-9 * fabs(creal(value))
             ? "not exactly real. Powers of negative numbers by cpow() have this effect; use "
               "pow()"
             : "not real. Roots, powers and logarithms of negative numbers are not real";
}
