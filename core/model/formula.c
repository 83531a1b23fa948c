/* Users' formulas of a state, and their derivatives by complex step. A step in one argument gives the
 * derivatives of all results: df_k/dz = Im f_k(z + i h)/h. */
#include "core/model/measure.h"

#include <complex.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* Evaluation of a formula at a sample. */
typedef struct formula {
  gradyn_model *model;
  const gradyn_functional_entry *f;
  gradyn_functional_fn fn;
  const gradyn_sample *sample;
  gradyn_at at;
  int results;
  bool stepped;              /* an argument has a complex step */
  gradyn_scalar one, *value; /* [results] of the last call */
} formula;

/* List of the quantities that a formula reads; NULL: all quantities. */
static const gradyn_reads *reads_of(const gradyn_functional_entry *f)
{
  return f->reads.count > 0 ? &f->reads : NULL;
}

/* Fills the arguments of the callback: state, signals and the data of the formula. */
static void prepare(formula *c)
{
  gradyn_model *model = c->model;
  const gradyn_functional_entry *f = c->f;
  c->results = f->result ? f->results : 1;
  c->value = f->result ? f->result : &c->one;
  /* members that are not set here are zero */
  c->at = (gradyn_at){.t = c->sample->t,
                      .user = f->custom.user,
                      .u = model->signal_count > 0 ? model->scratch.u : NULL,
                      .signals = model->signal_count,
                      .data = f->custom.data_count > 0 ? model->scratch.data : NULL,
                      .data_count = f->custom.data_count,
                      .model = model};
  model->ops->fill(model, c->sample, reads_of(f), &c->at);
  if (model->signal_count > 0)
    gradyn_model_signals(model, c->sample->t, model->scratch.u);
  for (int k = 0; k < f->custom.data_count; k++)
    model->scratch.data[k] = model->x[f->datum + k];
}

/* A likely cause of a result that is not a number, for the message. */
static const char *guess(const gradyn_model *model, const gradyn_functional_entry *f)
{
  const int terminal = f->callback[1];
  if (f->reads.count > 0)
    return ": does it use points or states that it does not list?";
  return terminal >= 0 && model->declared.callback[terminal].kind == GRADYN_OF_RESET
             ? ": a reset has positions and velocities, or differential states only"
             : "";
}

/* Calls the user's function and checks its results. */
static gradyn_status call(formula *c)
{
  const gradyn_functional_entry *f = c->f;
  const double t = creal(c->at.t);
  for (int k = 0; k < c->results; k++)
    c->value[k] = 0;
  gradyn_callback_note(c->model, f->callback[c->fn == f->custom.terminal], &c->at);
  gradyn_status status = c->fn(&c->at, c->value);
  if (status != GRADYN_OK)
    return gradyn_callback_failed(c->model, status, "functional", f->name, t);
  for (int k = 0; k < c->results; k++)
    if (!gradyn_is_number(c->value[k], c->stepped))
      return gradyn_fail(
          &c->model->message, GRADYN_NON_FINITE, "functional %s is %s (%g) at t = %g s%s", f->name,
          gradyn_number_fault(c->value[k]), creal(c->value[k]), t, guess(c->model, f));
  return GRADYN_OK;
}

/* Calls the function with a complex step in *slot. slope(k) then returns the derivative of result k. */
static gradyn_status step(formula *c, gradyn_scalar *slot)
{
  const gradyn_scalar keep = *slot;
  *slot += GRADYN_COMPLEX_STEP * I;
  gradyn_status status = call(c);
  *slot = keep;
  return status;
}

static double slope(const formula *c, int k)
{
  return cimag(c->value[k]) / GRADYN_COMPLEX_STEP;
}

/* Adds the derivatives by states, and by other quantities that the callback reads. */
static gradyn_status differentiate_states(formula *c, double weight, const gradyn_gradient_out *out)
{
  gradyn_model *model = c->model;
  const gradyn_reads *r = &c->f->reads;
  /* y is (q, v), or the states of the equations */
  int states = r->count > 0 ? r->slots[0] : model->ops->state_count(model);
  /* y_bar += weight g_y, state by state */
  for (int k = 0; k < states && out->y_bar; k++) {
    int i = r->count > 0 ? r->slot[0][k] : k;
    GRADYN_TRY(step(c, model->ops->slot(model, reads_of(c->f), i)));
    for (int j = 0; j < c->results; j++)
      out[j].y_bar[i * out[j].stride] += weight * slope(c, j);
  }
  /* quantities that follow from states (accelerations, positions of attached points): the model propagates
   * their adjoints */
  for (int k = 0; r->count == 0 || k < r->slots[1]; k++) {
    int i = r->count > 0 ? r->slot[1][k] : k;
    gradyn_scalar *slot = model->ops->slot_other(model, reads_of(c->f), i);
    if (!slot)
      break;
    GRADYN_TRY(step(c, slot));
    for (int j = 0; j < c->results; j++)
      if (slope(c, j) != 0)
        model->ops->other_bar(model, i, weight * slope(c, j), &out[j], c->sample);
  }
  return GRADYN_OK;
}

/* Adds g_u u_x for knots and times of signals, and g_u u' for the time. */
static gradyn_status differentiate_signals(formula *c, double weight,
                                           const gradyn_gradient_out *out)
{
  gradyn_model *model = c->model;
  const double t = c->sample->t;
  for (int k = 0; k < model->signal_count; k++) {
    const gradyn_waveform *signal = &model->signal[k];
    GRADYN_TRY(step(c, &model->scratch.u[gradyn_id(model, k)]));
    for (int j = 0; j < c->results; j++) {
      const double bar = weight * slope(c, j);
      if (bar != 0 && out[j].x_bar)
        gradyn_signal_transposed(signal, model->x, t, 0, bar, out[j].x_bar);
      if (bar != 0 && out[j].t_bar)
        *out[j].t_bar += bar * gradyn_signal_value(signal, model->x, t, 1);
    }
  }
  return GRADYN_OK;
}

gradyn_status gradyn_formula_value(gradyn_model *model, const gradyn_functional_entry *f,
                                   gradyn_functional_fn fn, const gradyn_sample *sample,
                                   double value[])
{
  formula c = {.model = model, .f = f, .fn = fn, .sample = sample};
  prepare(&c);
  GRADYN_TRY(call(&c));
  for (int k = 0; k < c.results; k++)
    value[k] = creal(c.value[k]);
  return GRADYN_OK;
}

gradyn_status gradyn_formula_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                      gradyn_functional_fn fn, const gradyn_sample *sample,
                                      double weight, const gradyn_gradient_out out[])
{
  formula c = {.model = model, .f = f, .fn = fn, .sample = sample, .stepped = true};
  prepare(&c);
  GRADYN_TRY(differentiate_states(&c, weight, out));
  /* x_bar += weight g_d for the data d of the formula */
  for (int k = 0; out->x_bar && k < f->custom.data_count; k++) {
    GRADYN_TRY(step(&c, &model->scratch.data[k]));
    for (int j = 0; j < c.results; j++)
      out[j].x_bar[f->datum + k] += weight * slope(&c, j);
  }
  GRADYN_TRY(differentiate_signals(&c, weight, out));
  if (out->t_bar) {
    GRADYN_TRY(step(&c, &c.at.t));
    for (int j = 0; j < c.results; j++)
      *out[j].t_bar += weight * slope(&c, j);
  }
  return GRADYN_OK;
}
