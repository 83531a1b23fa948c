/* Models of general equations: declaration, operations of the model. */
#include "core/equations/equations.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/measure.h"

/* Owner of the data with values before the run. */
#define BEFORE "before"

/* --- Operations of the model ------------------------------------------------------------------ */

/* Sets the arrays that the residual reads. */
static gradyn_status size_callback(gradyn_equations_model *e)
{
  gradyn_model *model = e->model;
  const int size[GRADYN_SEEN] = {[GRADYN_SEES_Y] = e->count,
                                 [GRADYN_SEES_YP] = e->count,
                                 [GRADYN_SEES_U] = model->signal_count,
                                 [GRADYN_SEES_DATA] = e->data_count};
  const int spare[GRADYN_SEEN] = {[GRADYN_SEES_U] = gradyn_first_id(model)};
  GRADYN_TRY(gradyn_callback_size(model, e->callback, size, spare, e->count));
  const gradyn_callback *c = &model->declared.callback[e->callback];
  for (int i = 0; i < e->count; i++) /* algebraic unknowns have no rate */
    if (e->unknown[i].algebraic)
      c->source[gradyn_callback_index(c, GRADYN_SEES_YP, i)] = GRADYN_FROM_NOTHING;
  /* signals by their numbers, data by their indices in x */
  for (int k = 0; k < model->signal_count; k++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_U, k)] = GRADYN_FROM_SIGNAL - k;
  for (int k = 0; k < e->data_count; k++)
    c->source[gradyn_callback_index(c, GRADYN_SEES_DATA, k)] = e->datum + k;
  return GRADYN_OK;
}

/* Number of all unknowns, differential and algebraic. */
static int state_count(const gradyn_model *model)
{
  return ((const gradyn_equations_model *)model->impl)->count;
}

/* Source of an entry that functionals may read: they read states only. */
static int seen(const gradyn_model *model, gradyn_seen array, int i)
{
  if (i >= 0)
    return GRADYN_FROM_STATE;
  return array == GRADYN_SEES_Y ? state_count(model) : 0;
}

/* Finds the data and signals that have other values before the run, by the names of these values. */
static gradyn_status resolve_before(gradyn_equations_model *e)
{
  const gradyn_model *model = e->model;
  for (int k = 0; k < e->data_count; k++)
    e->data_before[k] = -1;
  for (int k = 0; k < model->signal_count; k++)
    e->signals_before[k] = -1;
  for (int i = 0; i < e->before_count; i++) {
    const char *name = model->entry[e->before_datum + i].name + strlen(BEFORE) + 1;
    int *found = NULL;
    for (int k = 0; k < e->data_count; k++)
      if (strcmp(model->entry[e->datum + k].name, name) == 0)
        found = &e->data_before[k];
    for (int k = 0; k < model->signal_count; k++)
      if (strcmp(model->signal[k].name, name) == 0)
        found = &e->signals_before[k];
    if (!found || *found >= 0)
      return gradyn_fail(
          &e->model->message, GRADYN_INVALID, "%s of the equations: '%.60s' %s", BEFORE, name,
          found ? "is named twice. Name it once"
                : "is neither a datum of the equations nor a signal. Name one of these");
    *found = e->before_datum + i;
  }
  return e->before_count == 0 || e->steady
             ? GRADYN_OK
             : gradyn_fail(&e->model->message, GRADYN_INVALID,
                           "%s of the equations: the run does not start in a steady state. Call "
                           "gradyn_start_in_equilibrium()",
                           BEFORE);
}

/* Hides measures that have the name of a state: a second column of this name is not needed. */
static void hide_states(gradyn_model *model)
{
  const gradyn_equations_model *e = model->impl;
  for (int k = 0; k < model->declared.measures; k++)
    for (int i = 0; i < e->count; i++)
      if (strcmp(model->declared.measure[k].name, e->unknown[i].name) == 0)
        model->declared.measure[k].reduced.hidden = true;
}

/* Allocates arrays of arguments and results. */
static gradyn_status finalise(gradyn_model *model)
{
  gradyn_equations_model *e = model->impl;
  if (!e->residual)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "%s declares states but no equations: call gradyn_equations()",
                       model->problem->name);
  size_t n = (size_t)e->count; /* all arrays are [count], except data */
  e->y = calloc(n, sizeof *e->y);
  e->yp = calloc(n, sizeof *e->yp);
  e->F = calloc(n, sizeof *e->F);
  e->data = calloc((size_t)e->data_count + 1, sizeof *e->data);
  e->column = calloc(n, sizeof *e->column);
  e->data_before = calloc((size_t)e->data_count + 1, sizeof *e->data_before);
  e->signals_before = calloc((size_t)model->signal_count + 1, sizeof *e->signals_before);
  if (!e->y || !e->yp || !e->F || !e->data || !e->column || !e->data_before || !e->signals_before)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states", e->count);
  GRADYN_TRY(resolve_before(e));
  hide_states(model);
  e->steady = e->steady && !model->span.free_start; /* segments start in given states */
  GRADYN_TRY(size_callback(e));
  /* set last: a model that could not be finalised has no equations to evaluate */
  model->equations = e;
  return GRADYN_OK;
}

/* Has nothing to compute: no quantity is constant during a run. */
static gradyn_status load(gradyn_model *model)
{
  (void)model;
  return GRADYN_OK;
}

static void restart(gradyn_model *model)
{
  gradyn_equations_model *e = model->impl;
  /* each build() declares states from the first one */
  e->cursor = 0;
}

static void state_name(const gradyn_model *model, int i, char *buffer, size_t size)
{
  const gradyn_equations_model *e = model->impl;
  snprintf(buffer, size, "%s", e->unknown[i].name);
}

static const char *state_unit(const gradyn_model *model, int i)
{
  return ((const gradyn_equations_model *)model->impl)->unknown[i].unit;
}

/* Fills the arguments of a functional, which are complex for its derivatives. States that are read but not
 * listed are NaN, so the error is detected. */
static void fill(gradyn_model *model, const gradyn_sample *sample, const gradyn_reads *reads,
                 gradyn_at *at)
{
  gradyn_equations_model *e = model->impl;
  for (int i = 0; i < e->count; i++)
    e->y[i] = reads ? (double)NAN : sample->y[i];
  for (int k = 0; reads && k < reads->count; k++)
    e->y[reads->number[k]] = sample->y[reads->number[k]];
  at->y = e->y;
  at->states = e->count;
}

/* Address of state i among the arguments of a functional. */
static gradyn_scalar *slot(gradyn_model *model, const gradyn_reads *reads, int i)
{
  (void)reads; /* states keep their numbers */
  return &((gradyn_equations_model *)model->impl)->y[i];
}

static gradyn_scalar *slot_other(gradyn_model *model, const gradyn_reads *reads, int i)
{
  (void)model;
  (void)reads;
  (void)i;
  return NULL; /* general equations have no other quantities */
}

/* Whether the list of a functional contains state i. */
static bool is_read(const gradyn_model *model, const gradyn_reads *reads, int i, bool other)
{
  (void)model;
  return !other && gradyn_reads_has(reads, i);
}

/* Frees the equations, also of a partially created model. */
static void free_equations(void *impl)
{
  gradyn_equations_model *e = impl;
  for (int i = 0; i < e->count; i++) {
    free(e->unknown[i].name);
    free(e->unknown[i].unit);
  }
  free(e->unknown);
  free(e->atol);
  free(e->size);
  free(e->y);
  free(e->yp);
  free(e->F);
  free(e->data);
  free(e->data_before);
  free(e->signals_before);
  free(e->column);
  free(e);
}

/* Lists all equations as one element. */
static void list_elements(const gradyn_model *model, gradyn_element_fn visit, void *user)
{
  const gradyn_equations_model *e = model->impl;
  visit(&(gradyn_element_info){"equations", model->problem->name, NULL, 0, (size_t)e->datum,
                               (size_t)e->data_count, 0, 0},
        user);
}

static const gradyn_model_ops equations_ops = {.kind = GRADYN_MODEL_DAE,
                                               .restart = restart,
                                               .finalise = finalise,
                                               .load = load,
                                               .state_count = state_count,
                                               .state_name = state_name,
                                               .state_unit = state_unit,
                                               .output_count = gradyn_measure_columns,
                                               .output_name = gradyn_measure_column_name,
                                               .output_unit = gradyn_measure_column_unit,
                                               .outputs = gradyn_measure_outputs,
                                               .fill = fill,
                                               .elements = list_elements,
                                               .slot = slot,
                                               .slot_other = slot_other,
                                               .readable = state_count,
                                               .is_read = is_read,
                                               .seen = seen,
                                               .free = free_equations};

/* --- Declarations ----------------------------------------------------------------------------- */

/* The equations of a model, created by the first declaration. NULL: the model is a mechanism, which is a
 * build error, or out of memory. */
static gradyn_equations_model *equations_of(gradyn_model *model)
{
  if (!model)
    return NULL;
  if (model->ops == &equations_ops)
    return model->impl;
  if (model->ops) {
    gradyn_build_error(model, "points and states are mixed: a model is either a mechanism or "
                              "general equations");
    return NULL;
  }
  gradyn_equations_model *e = calloc(1, sizeof *e);
  if (!e) {
    gradyn_model_no_memory(model, "equations");
    return NULL;
  }
  e->model = model;
  model->impl = e;
  model->ops = &equations_ops;
  return e;
}

/* Declares a state, differential or algebraic. */
static int declare(gradyn_model *model, const char *name, const char *unit,
                   const gradyn_unknown *prototype)
{
  gradyn_equations_model *e = equations_of(model);
  if (!e)
    return 0;
  const int id = gradyn_id(model, e->cursor++);
  /* later builds refresh numbers only; the structure is that of the first build() */
  if (model->finalised)
    return id;
  gradyn_unknown *own = gradyn_model_append(model, &e->unknown, &e->count, sizeof *own, prototype);
  if (!own)
    return 0;
  own->name = gradyn_model_copy_name(model, name);
  own->unit = gradyn_model_copy_name(model, unit);
  return id;
}

/* Declares a differential state. It has a rate, which the equations may use. Its initial value is fixed. */
int gradyn_state(gradyn_model *model, const char *name, const char *unit, gradyn_scalar initial)
{
  gradyn_unknown state = {.algebraic = false};
  if (!gradyn_model_named(model, name, "a state"))
    return 0;
  /* the initial value is a datum, so derivatives by it exist */
  state.datum = gradyn_model_datum(model, name, "initial", unit ? unit : "", initial);
  return declare(model, name, unit, &state);
}

/* Declares an algebraic unknown, which has no rate. The guess is the initial value of Newton's method. */
int gradyn_algebraic_state(gradyn_model *model, const char *name, const char *unit, double guess)
{
  const gradyn_unknown state = {.algebraic = true, .guess = guess};
  if (!gradyn_model_named(model, name, "an algebraic state"))
    return 0;
  if (!isfinite(guess))
    gradyn_build_error(model, "the guess of %s is %g: it must be finite", name, guess);
  return declare(model, name, unit, &state);
}

int gradyn_equations_find_state(gradyn_model *model, const char *name, int id)
{
  const gradyn_equations_model *e = model->impl;
  const int state = gradyn_index(model, name, "state", id, e->count);
  if (state >= 0 && e->unknown[state].algebraic) {
    gradyn_build_error(model, "%s names %s, which is algebraic; it must be a differential state",
                       name, e->unknown[state].name);
    return -1;
  }
  return state;
}

/* Copies positive numbers for all states. or_none: a state may also have the value zero, which stands for
 * no number. Returns NULL if `given` is NULL. */
static double *copy_by_state(const gradyn_equations_model *e, const double *given, const char *what,
                             bool or_none)
{
  if (!given)
    return NULL;
  double *kept = malloc(((size_t)e->count + 1) * sizeof *kept);
  if (!kept)
    gradyn_model_no_memory(e->model, what);
  for (int i = 0; kept && i < e->count; i++) {
    /* all faults are reported, not only the first */
    kept[i] = given[i];
    if (!(kept[i] > 0 || (or_none && kept[i] == 0)) || !isfinite(kept[i]))
      gradyn_build_error(e->model, "the %s of %s is %g: it must be finite and positive%s", what,
                         e->unknown[i].name, kept[i], or_none ? ", or 0 to be found" : "");
  }
  return kept;
}

void gradyn_equations(gradyn_model *model, const gradyn_equations_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_equations()"))
    return;
  gradyn_equations_model *e = equations_of(model);
  if (!e)
    return;
  /* every build() declares the data, because their values change */
  int datum = gradyn_model_user_data(model, NULL, spec->data, spec->data_count);
  int before = gradyn_model_user_data(model, BEFORE, spec->before, spec->before_count);
  const int callback = gradyn_model_callback(
      model, &(gradyn_callback){.kind = GRADYN_OF_EQUATIONS,
                                .name = (char *)model->problem->name,
                                .fn = (void (*)(void))spec->residual,
                                .user = spec->user,
                                .functional = -1});
  if (model->finalised)
    return;
  /* structure: the first build() only */
  if (e->residual)
    gradyn_build_error(model, "gradyn_equations() is called twice");
  if (!spec->residual)
    gradyn_build_error(model, "the equations have no residual function");
  e->residual = spec->residual;
  e->datum = datum;
  e->data_count = spec->data_count;
  e->before_datum = before;
  e->before_count = spec->before_count;
  e->user = spec->user;
  e->callback = callback;
  e->atol = copy_by_state(e, spec->atol, "absolute tolerance", false);
  e->size = copy_by_state(e, spec->size, "natural size", true);
}

void gradyn_equations_start_steady(gradyn_model *model)
{
  gradyn_equations_model *e = equations_of(model);
  if (e && !model->finalised)
    e->steady = true;
}
