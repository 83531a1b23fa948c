/* Predefined functionals: control effort, end time, numbers, states. Each is a table of a value and a
 * gradient, as for custom functionals. Integration methods and reverse sweeps therefore do not distinguish
 * them. */
#include <complex.h>
#include <stdio.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* u^2. */
static gradyn_status effort(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *sample, double *value)
{
  double u = gradyn_signal_value(&model->signal[f->index[0]], model->x, sample->t, 0);
  *value = u * u;
  return GRADYN_OK;
}

/* 2 u u_x, and 2 u u' for the time. */
static gradyn_status effort_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *sample, double weight,
                                     const gradyn_gradient_out *out)
{
  const gradyn_waveform *s = &model->signal[f->index[0]];
  double u = gradyn_signal_value(s, model->x, sample->t, 0);
  if (out->x_bar)
    /* u_x: by knots, and by the times of knots */
    gradyn_signal_transposed(s, model->x, sample->t, 0, 2 * u * weight, out->x_bar);
  if (out->t_bar)
    *out->t_bar += 2 * u * weight * gradyn_signal_value(s, model->x, sample->t, 1);
  return GRADYN_OK;
}

static const gradyn_functional_ops effort_ops = {effort, effort_gradient};

/* "N^2 s" or "(N m)^2 s". */
static void square_unit(const char *unit, char *buffer, size_t size)
{
  bool compound = strpbrk(unit, " /^*") != NULL;
  snprintf(buffer, size, compound ? "(%s)^2 s" : "%s^2 s", unit);
}

/* Control effort, the integral of u^2 dt. */
int gradyn_effort(gradyn_model *model, const char *name, int signal)
{
  gradyn_functional_entry *f;
  char unit[64] = "s";
  if (!gradyn_model_named(model, name, "an effort"))
    return 0;
  if (signal < 0 || signal >= model->cursor.signal)
    gradyn_build_error(model, "effort %s: signal %d has not been declared", name, signal);
  /* the functional copies the unit, so a local buffer is sufficient */
  else if (!model->failed && *model->entry[gradyn_signal_datum(&model->signal[signal])].unit)
    /* unit of u^2 dt; for a signal without a unit it is s */
    square_unit(model->entry[gradyn_signal_datum(&model->signal[signal])].unit, unit, sizeof unit);
  int number = gradyn_model_functional(model, name, unit, &f);
  if (f) {
    f->index[0] = signal;
    f->integrand = &effort_ops;
    f->data_only = true;
  }
  return number;
}

/* The time at which the functional is evaluated. */
static gradyn_status final_time(gradyn_model *model, const gradyn_functional_entry *f,
                                const gradyn_sample *sample, double *value)
{
  (void)model;
  (void)f;
  *value = sample->t;
  return GRADYN_OK;
}

/* The derivative by this time is 1. */
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

/* The end time, or the time of the event that ends the run. */
int gradyn_final_time(gradyn_model *model, const char *name)
{
  gradyn_functional_entry *f;
  int number = gradyn_model_functional(model, name, "s", &f);
  if (f) {
    f->terminal = &final_time_ops;
    /* no states: its adjoints are zero */
    f->data_only = true;
  }
  return number;
}

/* A datum. */
static gradyn_status number_value(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  (void)at;
  *value = model->x[f->datum];
  return GRADYN_OK;
}

/* Derivative 1 by this datum. */
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

/* A number of build(), such as a mass or a cost. Only its declaration determines the derivative. */
int gradyn_number(gradyn_model *model, const char *name, const char *unit, gradyn_scalar value)
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
  return number;
}

/* A state. */
static gradyn_status state_value(gradyn_model *model, const gradyn_functional_entry *f,
                                 const gradyn_sample *at, double *value)
{
  (void)model;
  *value = at->y[f->index[0]];
  return GRADYN_OK;
}

/* Derivative 1 by this state. */
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

/* The value of one state at the end. */
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

bool gradyn_functional_is_number(const gradyn_functional_entry *f)
{
  return f->terminal == &gradyn_number_ops;
}
