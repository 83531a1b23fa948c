/* Signals of a model: declarations and values. Knots are data, so they can be optimised and have
 * derivatives. The formulas are in core/signals/signal.c. */
#include "core/model/added.h"
#include "core/model/declare.h"
#include "core/model/model.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

enum { NO_TIMES = -1 }; /* knots at equal distances */

/* Checks kind, count and knots. */
static void check_signal(gradyn_model *model, const gradyn_signal_spec *spec)
{
  /* kinds that are not constant interpolate between two knots */
  int least = spec->kind == GRADYN_PIECEWISE_CONSTANT || spec->kind == GRADYN_SWITCHED ? 1 : 2;
  if ((int)spec->kind < 0 || spec->kind > GRADYN_SWITCHED)
    gradyn_build_error(model, "signal %s is of kind %d, which does not exist", spec->name,
                       (int)spec->kind);
  else if (spec->count < least)
    gradyn_build_error(model, "signal %s has %d knots: it needs at least %d", spec->name,
                       spec->count, least);
  else if (!spec->knots)
    gradyn_build_error(model, "signal %s has no knot values", spec->name);
  else if (spec->kind == GRADYN_SWITCHED && !spec->times && spec->count > 1)
    gradyn_build_error(model, "signal %s has no times to switch at", spec->name);
  else if (spec->integer && spec->kind != GRADYN_PIECEWISE_CONSTANT)
    gradyn_build_error(model, "signal %s is integer: it must be piecewise constant", spec->name);
  else if (spec->one_of && !spec->integer)
    gradyn_build_error(model, "signal %s has .one_of: it must be integer, too", spec->name);
}

/* Signal `number` of the first build(), if it has `count` knots; otherwise NULL. */
static const gradyn_waveform *known_signal(const gradyn_model *model, int number, int count)
{
  const gradyn_waveform *known = number < model->signal_count ? &model->signal[number] : NULL;
  return known && known->count == count ? known : NULL;
}

/* Checks that times of knots increase, unless the signal is switched. Before its first time, a piecewise
 * constant signal has its first value. */
static void check_times(gradyn_model *model, const gradyn_signal_spec *spec)
{
  if (creal(spec->t_start) != 0 || creal(spec->t_end) != 0) {
    gradyn_build_error(
        model,
        "signal %s has .times; it must have neither .t_start nor .t_end, because it begins at the "
        "first of these times and ends at the last",
        spec->name);
    return;
  }
  for (int k = 0; k + 1 < spec->count && spec->kind != GRADYN_SWITCHED; k++)
    if (!(creal(spec->times[k + 1]) > creal(spec->times[k]))) {
      gradyn_build_error(
          model,
          "knot %d of signal %s is at %g s, and the next one at %g s: times of knots "
          "have to increase",
          k, spec->name, creal(spec->times[k]), creal(spec->times[k + 1]));
      return;
    }
}

/* Declares second derivatives of a spline as derived data. times NULL: knots at equal distances,
 * derivatives by the knot index. */
static int declare_curve(gradyn_model *model, const gradyn_signal_spec *spec,
                         const gradyn_scalar *times)
{
  int first = model->declared.cursor;
  gradyn_scalar *curve = malloc(2 * (size_t)spec->count * sizeof *curve);
  if (!curve) {
    gradyn_model_no_memory(model, spec->name);
    return first;
  }
  /* complex, so derivatives by knots are included */
  gradyn_spline_curve(spec->count, times, spec->knots, curve + spec->count, curve);
  for (int k = 0; k < spec->count; k++)
    gradyn_model_derived(model, spec->name, "curve", curve[k]);
  free(curve);
  return first;
}

/* Adds a signal to the model in the first build(). */
static void add_signal(gradyn_model *model, const gradyn_signal_spec *spec, gradyn_waveform s)
{
  if (model->finalised)
    return; /* later builds refresh knots only */
  s.name = gradyn_model_copy_name(model, spec->name);
  s.one_of = spec->one_of ? gradyn_model_copy_name(model, spec->one_of) : NULL;
  if (!gradyn_model_append(model, &model->signal, &model->signal_count, sizeof s, &s)) {
    free(s.name);
    free(s.one_of);
  }
}

/* Declares start and end of a signal with knots at equal distances. The end may be that of the run. */
static void declare_ends(gradyn_model *model, const gradyn_signal_spec *spec, gradyn_waveform *s)
{
  s->t_start = gradyn_model_datum(model, spec->name, "t_start", "s", spec->t_start);
  s->t_end = model->t_end;
  /* 0: it ends with the run; the end time is one datum for all signals */
  if (creal(spec->t_end) != 0)
    s->t_end = gradyn_model_datum(model, spec->name, "t_end", "s", spec->t_end);
  if (!(creal(model->value[s->t_end]) > creal(spec->t_start)))
    gradyn_build_error(model, "signal %s ends at %g s, which is not after its start at %g s",
                       spec->name, creal(model->value[s->t_end]), creal(spec->t_start));
}

/* Finds the size of the largest knot, in later builds of the stored signal too. If the signal is delayed
 * from another one, of which only a part is stored, it takes the size from the other signal. */
static void find_most(gradyn_model *model, int number, const gradyn_signal_spec *spec,
                      const gradyn_waveform *other, gradyn_waveform *s)
{
  s->most = other && other->stored < other->count ? other->most : 0;
  for (int k = 0; k < spec->count; k++)
    s->most = fmax(s->most, fabs(creal(spec->knots[k])));
  if (model->finalised && number < model->signal_count)
    model->signal[number].most = s->most;
}

/* Declares a signal. times: number of its own times, which belong to its last knots; or NO_TIMES. other: the
 * signal from which it is delayed, or NULL. */
static int declare_signal(gradyn_model *model, const gradyn_signal_spec *spec, int times,
                          const gradyn_waveform *other)
{
  const int number = model->cursor.signal++;
  /* a later build finds the data at the indices of the first one */
  const gradyn_waveform *known = known_signal(model, number, spec->count);
  const gradyn_knot_window part = model->span.window ? model->span.window[number]
                                                     : (gradyn_knot_window){0, spec->count};
  gradyn_waveform s = {.kind = spec->kind,
                       .count = spec->count,
                       .first = part.first,
                       .stored = part.count,
                       .source = other ? other->source : number,
                       .integer = spec->integer,
                       .timed = times != NO_TIMES,
                       .switched = times == spec->count - 1,
                       .t_start = model->t_end,
                       .t_end = model->t_end,
                       .piece = -1};
  const int without = spec->count - times; /* knots without a time */
  if (s.timed) { /* a signal of which only a part is stored has as many times as knots */
    const gradyn_knot_window own = {part.first, part.count - without};
    s.time = gradyn_model_array(model, spec->name, "time", "s", own, spec->times,
                                known ? known->time + without : -1) -
             without;
  } else {
    declare_ends(model, spec, &s);
  }
  /* values of knots are data */
  s.knot = gradyn_model_array(model, spec->name, "knot", spec->unit, part, spec->knots,
                              known ? known->knot : -1);
  if (part.count < spec->count)
    find_most(model, number, spec, other, &s);
  if (spec->kind == GRADYN_CUBIC_SPLINE)
    /* derived data: gradients by knots include their effect on the curvature */
    s.curve = declare_curve(model, spec, s.timed ? spec->times : NULL);
  add_signal(model, spec, s);
  return number;
}

/* As declare_signal(), with the knots added by refinement. */
static int declare_refined(gradyn_model *model, const gradyn_signal_spec *spec, int more)
{
  const size_t count = (size_t)(spec->count + more);
  gradyn_scalar *capacity = malloc(2 * count * sizeof *capacity);
  if (!capacity) {
    gradyn_model_no_memory(model, spec->name);
    return -1;
  }
  gradyn_signal_spec whole = *spec;
  gradyn_added_merge(model, model->cursor.signal, spec, capacity, capacity + count);
  whole.count = (int)count;
  whole.knots = capacity;
  whole.times = capacity + count;
  const int number = declare_signal(model, &whole, whole.count, NULL);
  free(capacity);
  return number;
}

/* Declares a switched signal: each time is a datum, and the values are piecewise constant. */
static int declare_switched(gradyn_model *model, const gradyn_signal_spec *spec)
{
  gradyn_signal_spec same = *spec;
  same.kind = GRADYN_PIECEWISE_CONSTANT;
  return declare_signal(model, &same, spec->count - 1, NULL);
}

/* --- delayed signals ---------------------------------------------------------------------------- */

/* Declares u(t - delay), a signal with the same values at later times. Values and times are data of its
 * own, which build() computes from those of the other signal: derivatives by the delay and by the knots
 * follow. */
static int declare_delayed(gradyn_model *model, const char *name, int of, gradyn_scalar delay)
{
  const gradyn_waveform other = model->signal[of]; /* copies: the lists of the model may move */
  const int end = other.first + other.stored;
  gradyn_scalar *knots = calloc(2 * (size_t)other.count, sizeof *knots);
  if (!knots) {
    gradyn_model_no_memory(model, name);
    return 0;
  }
  gradyn_scalar *times = knots + other.count;
  for (int k = other.first; k < end; k++)
    knots[k] = model->value[other.knot + k];
  for (int k = other.first + other.switched; other.timed && k < end; k++)
    times[k] = model->value[other.time + k] + delay;
  gradyn_signal_spec same = {.name = name,
                             .unit = model->entry[other.knot + other.first].unit,
                             .kind = other.kind,
                             .count = other.count,
                             .knots = knots,
                             .times = times + other.switched};
  if (!other.timed) {
    const gradyn_scalar last = other.t_end == model->t_end ? gradyn_added_run_end(model)
                                                           : model->value[other.t_end];
    same.t_start = model->value[other.t_start] + delay;
    same.t_end = last + delay;
  }
  const int number = declare_signal(model, &same,
                                    other.timed ? other.count - other.switched : NO_TIMES, &other);
  free(knots);
  return number;
}

int gradyn_delayed_signal(gradyn_model *model, const char *name, int signal, gradyn_scalar delay)
{
  if (!model || !gradyn_model_named(model, name, "a delayed signal") || model->failed)
    return 0;
  const int of = gradyn_index(model, name, "signal", signal, model->cursor.signal);
  if (of < 0)
    return 0;
  if (creal(delay) >= 0 && isfinite(creal(delay)))
    return gradyn_id(model, declare_delayed(model, name, of, delay));
  gradyn_build_error(model, "signal %s: the delay is %g s; it must be at least 0", name,
                     creal(delay));
  return 0;
}

/* Declares a signal, with knots at equal distances from t_start to t_end, which may be the end of the run,
 * or at given times. */
int gradyn_signal(gradyn_model *model, const gradyn_signal_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_signal()") ||
      !gradyn_model_named(model, spec->name, "a signal"))
    return 0;
  check_signal(model, spec);
  if (!model->failed && (spec->times || spec->kind == GRADYN_SWITCHED))
    check_times(model, spec);
  if (model->failed)
    return 0;
  if (spec->kind == GRADYN_SWITCHED)
    return gradyn_id(model, declare_switched(model, spec));
  size_t first;
  const int more = gradyn_added_count(model, model->cursor.signal, &first);
  return gradyn_id(
      model, more > 0 ? declare_refined(model, spec, more)
                      : declare_signal(model, spec, spec->times ? spec->count : NO_TIMES, NULL));
}

/* Computes u(t) of all signals. */
void gradyn_model_signals(const gradyn_model *model, double t, gradyn_scalar *u)
{
  for (int i = 0; i < model->signal_count; i++)
    u[gradyn_id(model, i)] = gradyn_signal_value(&model->signal[i], model->x, t, 0);
}

/* Computes spline curvatures from knots and times, all in model->value. */
static void derive_values(const gradyn_model *model, const gradyn_waveform *s)
{
  gradyn_scalar *value = model->value;
  gradyn_spline_curve(s->count, s->timed ? value + s->time : NULL, value + s->knot,
                      model->scratch.spline, value + s->curve);
}

void gradyn_model_derive_values(const gradyn_model *model)
{
  for (int i = 0; i < model->signal_count; i++)
    if (model->signal[i].kind == GRADYN_CUBIC_SPLINE)
      derive_values(model, &model->signal[i]);
}

/* Computes spline curvatures from the knots at x + i h dx, h = 1e-40, into model->value; dx NULL: from x. */
static void derive_curve(const gradyn_model *model, const gradyn_waveform *s, const double *x,
                         const double *dx)
{
  /* model->value is workspace between builds, with space for complex knots, times and curvatures */
  gradyn_scalar *value = model->value;
  const int first[2] = {s->knot, s->time};
  for (int row = 0; row < (s->timed ? 2 : 1); row++)
    for (int k = first[row]; k < first[row] + s->count; k++)
      value[k] = x[k] + (dx ? GRADYN_COMPLEX_STEP * dx[k] * I : 0);
  derive_values(model, s);
}

/* Recomputes spline curvatures, for runs with data that do not come from build(). */
void gradyn_model_derive(const gradyn_model *model, double *x)
{
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    if (s->kind != GRADYN_CUBIC_SPLINE)
      continue;
    derive_curve(model, s, x, NULL);
    for (int k = s->curve; k < s->curve + s->count; k++)
      x[k] = creal(model->value[k]);
  }
}

void gradyn_model_derive_along(const gradyn_model *model, double *dx)
{
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    if (s->kind != GRADYN_CUBIC_SPLINE)
      continue;
    derive_curve(model, s, model->x, dx);
    for (int k = s->curve; k < s->curve + s->count; k++)
      dx[k] = cimag(model->value[k]) / GRADYN_COMPLEX_STEP;
  }
}

void gradyn_model_derive_transposed(const gradyn_model *model, double *x_bar)
{
  const double *x = model->x;
  for (int i = 0; i < model->signal_count; i++) {
    const gradyn_waveform *s = &model->signal[i];
    if (s->kind != GRADYN_CUBIC_SPLINE)
      continue;
    const gradyn_spline spline = {s->count, s->timed ? x + s->time : NULL, x + s->knot,
                                  x + s->curve};
    gradyn_spline_transposed(&spline, (double *)model->scratch.spline, x_bar + s->curve,
                             s->timed ? x_bar + s->time : NULL, x_bar + s->knot);
  }
}
