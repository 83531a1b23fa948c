/* Signals of a model: declaring them, and their values. Knots are data, so that they may be optimised
 * and differentiated by; the formulas are in signal.c. */
#include "core/model/declare.h"
#include "core/model/model.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* Kind, count and knots. */
static void check_signal(gradyn_model *model, const gradyn_signal_spec *spec)
{
  /* a line needs two knots */
  int least = spec->kind == GRADYN_PIECEWISE_CONSTANT ? 1 : 2;
  if ((int)spec->kind < 0 || spec->kind > GRADYN_CUBIC_SPLINE)
    gradyn_build_error(model, "signal %s is of kind %d, which does not exist", spec->name,
                       (int)spec->kind);
  else if (spec->count < least)
    gradyn_build_error(model, "signal %s has %d knots: it needs at least %d", spec->name,
                       spec->count, least);
  else if (!spec->knots)
    gradyn_build_error(model, "signal %s has no knot values", spec->name);
}

/* Signal `number` as the first build() has declared it, if it has as many knots; NULL: there is none. */
static const gradyn_waveform *known_signal(const gradyn_model *model, int number, int count)
{
  const gradyn_waveform *known = number < model->signal_count ? &model->signal[number] : NULL;
  return known && known->count == count ? known : NULL;
}

/* Second derivatives of a spline as derived data. */
static int declare_curve(gradyn_model *model, const gradyn_signal_spec *spec)
{
  int first = model->declared.cursor;
  gradyn_scalar *curve = malloc((size_t)spec->count * sizeof *curve);
  if (!curve) {
    gradyn_model_no_memory(model, spec->name);
    return first;
  }
  /* linear in the knots: complex steps pass through */
  gradyn_spline_curve(spec->count, spec->knots, curve);
  for (int k = 0; k < spec->count; k++)
    gradyn_model_derived(model, spec->name, "curve", curve[k]);
  free(curve);
  return first;
}

/* Adds a signal to the model in the first build(). */
static void add_signal(gradyn_model *model, const char *name, gradyn_waveform s)
{
  if (model->sealed)
    return; /* later builds bring the knots only */
  s.name = gradyn_model_copy_name(model, name);
  gradyn_waveform *grown = gradyn_model_grow(model, model->signal, model->signal_count,
                                             sizeof *model->signal);
  if (!grown) {
    free(s.name);
    return;
  }
  model->signal = grown;
  model->signal[model->signal_count++] = s;
}

/* Knots at even distances from t_start to t_end, which may be the end of the run. */
int gradyn_signal(gradyn_model *model, const gradyn_signal_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_signal()") ||
      !gradyn_model_named(model, spec->name, "a signal"))
    return 0;
  check_signal(model, spec);
  if (model->failed)
    return 0;
  int number = model->cursor.signal++;
  /* a later build finds its data where the first has put them */
  const gradyn_waveform *known = known_signal(model, number, spec->count);
  gradyn_waveform s = {.kind = spec->kind, .count = spec->count, .piece = -1};
  s.t_start = gradyn_model_datum(model, spec->name, "t_start", "s", spec->t_start);
  s.t_end = model->t_end;
  /* 0: it ends with the run, whose end time is a datum of all signals */
  if (creal(spec->t_end) != 0)
    s.t_end = gradyn_model_datum(model, spec->name, "t_end", "s", spec->t_end);
  if (!(creal(model->value[s.t_end]) > creal(spec->t_start)))
    gradyn_build_error(model, "signal %s ends at %g s, which is not after its start at %g s",
                       spec->name, creal(model->value[s.t_end]), creal(spec->t_start));
  /* values of knots are data, too */
  s.knot = gradyn_model_row(model, spec->name, "knot", spec->unit, spec->count, spec->knots,
                            known ? known->knot : -1);
  if (spec->kind == GRADYN_CUBIC_SPLINE)
    /* derived: gradients by knots go through it */
    s.curve = declare_curve(model, spec);
  add_signal(model, spec->name, s);
  return number;
}

/* A piecewise constant signal that switches at times of its own: each of them is a datum. */
int gradyn_switched_signal(gradyn_model *model, const gradyn_switched_signal_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_switched_signal()") ||
      !gradyn_model_named(model, spec->name, "a signal"))
    return 0;
  /* levels one more than times between them */
  if (spec->count < 1)
    gradyn_build_error(model, "signal %s has %d levels: it needs at least 1", spec->name,
                       spec->count);
  else if (!spec->levels || (!spec->times && spec->count > 1))
    gradyn_build_error(model, "signal %s has no %s", spec->name,
                       spec->levels ? "times to switch at" : "levels");
  if (model->failed)
    return 0;
  int number = model->cursor.signal++;
  const gradyn_waveform *known = known_signal(model, number, spec->count);
  gradyn_waveform s = {.kind = GRADYN_PIECEWISE_CONSTANT,
                       .count = spec->count,
                       .timed = true,
                       .t_start = model->t_end,
                       .t_end = model->t_end,
                       .piece = -1};
  /* times before levels: both are rows of data */
  s.time = gradyn_model_row(model, spec->name, "time", "s", spec->count - 1, spec->times,
                            known ? known->time : -1);
  s.knot = gradyn_model_row(model, spec->name, "knot", spec->unit, spec->count, spec->levels,
                            known ? known->knot : -1);
  add_signal(model, spec->name, s);
  return number;
}

/* u(t) of all signals. */
void gradyn_model_signals(const gradyn_model *model, double t, gradyn_scalar *u)
{
  for (int i = 0; i < model->signal_count; i++)
    u[i] = gradyn_signal_value(&model->signal[i], model->x, t, 0);
}
