/* Measures: their list, and their columns in trajectories, with the columns of signals and users'
 * functions. The file also declares functionals without a measure: numbers, the end time, states.
 *
 * A measure is an entry whose terminal part evaluates it. Each component of a vector is a separate entry. */
#include "core/model/measure.h"

#include <complex.h>
#include <stdio.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include <gradyn/functionals.h>

/* --- the list ----------------------------------------------------------------------------------- */

/* Checks the name of a measure. A measure with an empty name has no columns. */
static bool named(gradyn_model *model, const char *name)
{
  return (model && name && !*name) || gradyn_model_named(model, name, "a measure");
}

/* Name of component k of a vector, or of a number. No component has a name if the measure has none. */
static const char *component_name(const char *name, int components, int k, char *buffer,
                                  size_t size)
{
  if (components == 1 || !*name)
    return name;
  if (components <= 3)
    snprintf(buffer, size, "%s.%c", name, "xyz"[k]);
  else
    snprintf(buffer, size, "%s[%d]", name, k);
  return buffer;
}

int gradyn_model_measure(gradyn_model *model, const char *name, const char *unit, int components,
                         gradyn_functional_entry **out)
{
  *out = NULL;
  if (!named(model, name) || model->exhausted)
    return -1;
  const int number = model->cursor.measure;
  model->cursor.measure += components;
  for (int k = 0; k < components && !model->finalised; k++) {
    char buffer[256];
    const gradyn_functional_entry empty = {
        .callback = {-1, -1},
        .reduced = {.measure = number + k, .components = k == 0 ? components : 1, .scale = -1}};
    gradyn_functional_entry *s = gradyn_model_append(
        model, &model->declared.measure, &model->declared.measures, sizeof empty, &empty);
    if (!s)
      return -1;
    s->reduced.hidden = !*name;
    s->name = gradyn_model_copy_name(model,
                                     component_name(name, components, k, buffer, sizeof buffer));
    s->unit = gradyn_model_copy_name(model, unit);
  }
  if (!model->finalised && !model->exhausted)
    *out = &model->declared.measure[number];
  return number;
}

void gradyn_measure_spread(gradyn_model *model, const gradyn_functional_entry *first, int which)
{
  const int number = first->reduced.measure;
  for (int k = 1; k < first->reduced.components; k++) {
    gradyn_functional_entry own = *first, *s = &model->declared.measure[number + k];
    own.name = s->name;
    own.unit = s->unit;
    own.reduced = s->reduced;
    own.index[which] += k;
    *s = own;
  }
}

const gradyn_functional_entry *gradyn_find_measure(gradyn_model *model, const char *element,
                                                   int measure)
{
  /* entries declared without memory are incomplete */
  if (!model || model->exhausted)
    return NULL;
  /* ids that only a later build has are found by its counts */
  const int end = gradyn_declared(model->cursor.measure, model->declared.measures);
  if (model->finalised && measure >= end + gradyn_first_id(model))
    return NULL;
  const int k = gradyn_index(model, element, "measure", measure, model->cursor.measure);
  return k >= 0 && k < model->declared.measures ? &model->declared.measure[k] : NULL;
}

/* --- columns ------------------------------------------------------------------------------------ */

int gradyn_measure_columns(const gradyn_model *model)
{
  int count = 0;
  for (int k = 0; k < model->declared.measures; k++)
    count += !model->declared.measure[k].reduced.hidden;
  return count;
}

/* The measure in column i. */
static const gradyn_functional_entry *in_column(const gradyn_model *model, int i)
{
  int k = 0;
  for (; model->declared.measure[k].reduced.hidden || i > 0; k++)
    i -= !model->declared.measure[k].reduced.hidden;
  return &model->declared.measure[k];
}

const char *gradyn_measure_column_name(const gradyn_model *model, int i)
{
  return in_column(model, i)->name;
}

const char *gradyn_measure_column_unit(const gradyn_model *model, int i)
{
  return in_column(model, i)->unit;
}

gradyn_status gradyn_measure_outputs(gradyn_model *model, const gradyn_sample *at, double *out)
{
  for (int k = 0; k < model->declared.measures; k++) {
    const gradyn_functional_entry *s = &model->declared.measure[k];
    if (!s->reduced.hidden)
      GRADYN_TRY(s->terminal->value(model, s, at, out++));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_measure_column_gradient(gradyn_model *model, int i, const gradyn_sample *at,
                                             double weight, const gradyn_gradient_out *out)
{
  const gradyn_functional_entry *s = in_column(model, i);
  const gradyn_functional_ops *ops = s->reads.converting ? s->reads.converting : s->terminal;
  return ops->gradient(model, s, at, weight, out);
}

/* --- signals ------------------------------------------------------------------------------------ */

/* u(t). */
static gradyn_status signal_value(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  *value = gradyn_signal_value(&model->signal[f->index[0]], model->x, at->t, 0);
  return GRADYN_OK;
}

/* Adds the derivatives by the data of the signal (knots and their times), and by time. */
static gradyn_status signal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  const gradyn_waveform *s = &model->signal[f->index[0]];
  if (out->x_bar)
    gradyn_signal_transposed(s, model->x, at->t, 0, weight, out->x_bar);
  if (out->t_bar)
    *out->t_bar += weight * gradyn_signal_value(s, model->x, at->t, 1);
  return GRADYN_OK;
}

const gradyn_functional_ops gradyn_signal_ops = {signal_value, signal_gradient};

int gradyn_measure_signal(gradyn_model *model, const char *name, int signal)
{
  gradyn_functional_entry *s;
  if (!named(model, name))
    return 0;
  signal = gradyn_index(model, name, "signal", signal,
                        gradyn_declared(model->cursor.signal, model->signal_count));
  if (signal < 0)
    return 0;
  const char *unit = model->entry[gradyn_signal_datum(&model->signal[signal])].unit;
  const int number = gradyn_model_measure(model, name, unit, 1, &s);
  if (s) {
    s->terminal = &gradyn_signal_ops;
    s->index[0] = signal;
    s->data_only = true;
  }
  return gradyn_id(model, number);
}

/* --- functions of users ------------------------------------------------------------------------- */

int gradyn_measure_custom(gradyn_model *model, const gradyn_custom_measure_spec *spec)
{
  gradyn_functional_entry *s;
  if (!gradyn_model_given(model, spec, "gradyn_measure_custom()") ||
      !gradyn_model_named(model, spec->name, "a measure"))
    return 0;
  if (!spec->formula)
    gradyn_build_error(model, "measure %s has no formula", spec->name);
  const gradyn_custom_functional_spec formula = {
      .name = spec->name,
      .terminal = spec->formula,
      .data_count = spec->data_count,
      .user = spec->user,
      .points = spec->points,
      .point_count = spec->point_count,
      .needs_accelerations = spec->needs_accelerations,
      .needs_multipliers = spec->needs_multipliers,
      .positions_only = spec->positions_only,
      .reads = spec->reads,
      .read_count = spec->read_count,
  };
  const int datum = gradyn_model_user_data(model, spec->name, spec->data, spec->data_count);
  const int number = gradyn_model_measure(model, spec->name, spec->unit, 1, &s);
  gradyn_functional_take(model, s, &formula, GRADYN_OF_CUSTOM, -1, datum);
  if (s)
    s->reduced.hidden = spec->hidden;
  return gradyn_id(model, number);
}

/* --- the end time ------------------------------------------------------------------------------- */

/* The time at which the functional is evaluated. */
static gradyn_status final_time(gradyn_model *model, const gradyn_functional_entry *f,
                                const gradyn_sample *sample, double *value)
{
  (void)model;
  (void)f;
  *value = sample->t;
  return GRADYN_OK;
}

/* The derivative by the time of evaluation is 1. */
static gradyn_status final_time_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                         const gradyn_sample *sample, double weight,
                                         const gradyn_gradient_out *out)
{
  (void)model;
  (void)f;
  (void)sample;
  if (out->t_bar)
    *out->t_bar += weight;
  return GRADYN_OK;
}

static const gradyn_functional_ops final_time_ops = {final_time, final_time_gradient};

/* Declares the end time, or the time of the event that ends the run, as a functional. */
int gradyn_end_time_functional(gradyn_model *model, const char *name)
{
  gradyn_functional_entry *f;
  int number = gradyn_model_functional(model, name, "s", &f);
  if (f) {
    f->terminal = &final_time_ops;
    /* the final time uses no states, whose adjoints are therefore zero */
    f->data_only = true;
  }
  return gradyn_id(model, number);
}

/* --- numbers and states ------------------------------------------------------------------------- */

/* A datum. */
static gradyn_status number_value(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  (void)at;
  *value = model->x[f->datum];
  return GRADYN_OK;
}

/* Adds the derivative by the datum, which is 1. */
static gradyn_status number_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  (void)model, (void)at;
  if (out->x_bar)
    out->x_bar[f->datum] += weight;
  return GRADYN_OK;
}

const gradyn_functional_ops gradyn_number_ops = {number_value, number_gradient};

/* Declares a number of build(), such as a mass or a cost, as a functional. Only its declaration determines
 * the derivative. */
int gradyn_design_functional(gradyn_model *model, const char *name, const char *unit,
                             gradyn_scalar value)
{
  gradyn_functional_entry *f;
  if (!gradyn_model_named(model, name, "a number"))
    return 0;
  int number = gradyn_model_functional(model, name, unit, &f);
  /* a datum of the model, so that gradients reach the parameters through x */
  int datum = gradyn_model_datum(model, name, "value", unit, value);
  if (f) {
    f->terminal = &gradyn_number_ops;
    f->datum = datum;
    f->data_only = true;
  }
  return gradyn_id(model, number);
}

/* A state. */
static gradyn_status state_value(gradyn_model *model, const gradyn_functional_entry *f,
                                 const gradyn_sample *at, double *value)
{
  (void)model;
  *value = at->y[f->index[0]];
  return GRADYN_OK;
}

/* Adds the derivative by the state, which is 1. */
static gradyn_status state_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                    const gradyn_sample *at, double weight,
                                    const gradyn_gradient_out *out)
{
  (void)model, (void)at;
  if (out->y_bar)
    out->y_bar[f->index[0] * out->stride] += weight;
  return GRADYN_OK;
}

static const gradyn_functional_ops state_ops = {state_value, state_gradient};

/* Declares the value of one state at the end as a functional. */
int gradyn_state_functional(gradyn_model *model, const char *name, int slot,
                            gradyn_functional_entry **out)
{
  int number = gradyn_model_functional(model, name, "", out);
  if (*out) {
    (*out)->terminal = &state_ops;
    (*out)->index[0] = slot;
    /* (q, v) only */
    (*out)->motion_only = true;
  }
  return number;
}

bool gradyn_functional_is_state(const gradyn_functional_entry *f)
{
  return f->terminal == &state_ops;
}

/* Whether a functional is a number of the design, possibly by a measure, relative to a target. */
bool gradyn_functional_is_number(const gradyn_model *model, const gradyn_functional_entry *f,
                                 double *value)
{
  const gradyn_reduced *r = &f->reduced;
  const bool itself = f->terminal == &gradyn_number_ops;
  if (!itself && (f->terminal != &gradyn_reduced_ops || f->maximum || f->along.of || r->magnitude ||
                  model->declared.measure[r->measure].terminal != &gradyn_number_ops))
    return false;
  *value = creal(model->value[itself ? f->datum : model->declared.measure[r->measure].datum]);
  if (!itself && r->targets > 0)
    *value -= creal(model->value[r->target]);
  if (!itself && r->scale >= 0)
    *value /= creal(model->value[r->scale]);
  return true;
}
