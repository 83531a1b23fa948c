/* Users' formulas of a state, and their derivatives by complex step: a step in one argument gives those of
 * all results by it, df_k/dz = Im f_k(z + i h)/h. */
#include "core/model/formula.h"

#include <complex.h>

#include "core/model/declare.h"
#include "core/model/model.h"

/* A formula at a sample. */
typedef struct formula {
  gradyn_model *model;
  const gradyn_functional_entry *f;
  gradyn_functional_fn fn;
  const gradyn_sample *sample;
  gradyn_at at;
  int results;
  bool stepped;              /* calls have a complex step in an argument */
  gradyn_scalar one, *value; /* [results] of the last call */
} formula;

/* NULL: it reads everything. */
static const gradyn_reads *reads_of(const gradyn_functional_entry *f)
{
  return f->reads.count > 0 ? &f->reads : NULL;
}

/* Fills what the callback sees: state, signals and the formula's own data. */
static void prepare(formula *c)
{
  gradyn_model *model = c->model;
  const gradyn_functional_entry *f = c->f;
  c->results = f->result ? f->results : 1;
  c->value = f->result ? f->result : &c->one;
  /* what it does not read stays zero */
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

/* What may be behind a result that is no number. */
static const char *guess(const gradyn_model *model, const gradyn_functional_entry *f)
{
  const int terminal = f->callback[1];
  if (f->reads.count > 0)
    return ": does it read what it does not list?";
  return terminal >= 0 && model->declared.callback[terminal].kind == GRADYN_OF_RESET
             ? ": a reset sees positions and velocities, or differential states"
             : "";
}

/* The user's function, with its failures named. */
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

/* A step in *slot, behind which slope() tells the derivatives by it. */
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

/* By the states, and other quantities, that the callback can see, or says that it reads. */
static gradyn_status differentiate_states(formula *c, double weight, const gradyn_gradient_out *out)
{
  gradyn_model *model = c->model;
  const gradyn_reads *r = &c->f->reads;
  /* y is (q, v) or the states of the equations */
  int states = r->count > 0 ? r->slots[0] : model->ops->state_count(model);
  /* y_bar += weight g_y, one state after the other */
  for (int k = 0; k < states && out->y_bar; k++) {
    int i = r->count > 0 ? r->slot[0][k] : k;
    GRADYN_TRY(step(c, model->ops->slot(model, reads_of(c->f), i)));
    for (int j = 0; j < c->results; j++)
      out[j].y_bar[i * out[j].stride] += weight * slope(c, j);
  }
  /* what follows from states (accelerations, places of attached points): the model hands bars on */
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

/* g_u u_x for knots and times of signals, g_u u' for the time. */
static gradyn_status differentiate_signals(formula *c, double weight,
                                           const gradyn_gradient_out *out)
{
  gradyn_model *model = c->model;
  const double t = c->sample->t;
  for (int k = 0; k < model->signal_count; k++) {
    const gradyn_waveform *signal = &model->signal[k];
    GRADYN_TRY(step(c, &model->scratch.u[k]));
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
  /* x_bar += weight g_d for its own data */
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
