/* Path constraints: their sides and their sampled constraints.
 *
 * A side is the functional m(t) - upper(x) or lower(x) - m(t), maximised over the run. A sampled
 * constraint is the same expression at one time, t = share t_end. Both evaluate m by a custom functional
 * or a measure. */
#include "core/model/limit.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include "core/model/same_time.h"

/* Fraction of the tolerance of a path constraint that its sampled constraints may use. The rest is for the
 * violation between samples. */
static const double part_of_rows = 0.5;

/* sign (m - bound). */
static gradyn_status excess(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double *value)
{
  GRADYN_TRY(f->along.of->value(model, f, at, value));
  *value = f->along.sign * (*value - model->x[f->along.bound]);
  return GRADYN_OK;
}

/* Derivatives of m, and -1 by the bound, times sign. */
static gradyn_status excess_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  const double slope = f->along.sign * weight;
  if (out->x_bar)
    out->x_bar[f->along.bound] -= slope;
  return f->along.of->gradient(model, f, at, slope, out);
}

static const gradyn_functional_ops excess_ops = {excess, excess_gradient};

/* --- Declaration ------------------------------------------------------------------------------ */

/* Invalid numbers of a path constraint are build errors. */
static void check(gradyn_model *model, const gradyn_limit_spec *l)
{
  const double lower = creal(l->lower), upper = creal(l->upper);
  if (isnan(lower) || isnan(upper))
    gradyn_build_error(model, "limit %s: its %s bound is not a number", l->name,
                       isnan(lower) ? "lower" : "upper");
  else if (lower == -HUGE_VAL && upper == HUGE_VAL)
    gradyn_build_error(model, "limit %s has neither a lower nor an upper bound: give one", l->name);
  else if (!(lower <= upper) || lower == HUGE_VAL || upper == -HUGE_VAL)
    gradyn_build_error(model, "limit %s: its lower bound %g lies above its upper bound %g", l->name,
                       lower, upper);
  if (!(l->tolerance > 0) || !isfinite(l->tolerance))
    gradyn_build_error(model,
                       "limit %s: its tolerance is %g %s: it must be positive, what may be "
                       "exceeded unnoticed",
                       l->name, l->tolerance, l->unit);
}

gradyn_limit_sides gradyn_limit_declare(gradyn_model *model, const gradyn_limit_spec *l)
{
  static const char *const ending[] = {"over", "under"}, *const bound[] = {"upper", "lower"};
  const gradyn_scalar value[] = {l->upper, l->lower};
  gradyn_limit_sides sides = {.number = {-1, -1}};
  check(model, l);
  for (int i = 0; i < 2; i++) {
    if (isinf(creal(value[i])))
      continue;
    const int datum = gradyn_model_datum(model, l->name, bound[i], l->unit, value[i]);
    const char *name = gradyn_format_name(model, "%s.%s", l->name, ending[i]);
    gradyn_functional_entry *f;
    sides.number[i] = gradyn_model_functional(model, name, l->unit, &f);
    sides.own[i] = f;
    if (!f)
      continue;
    f->along = (gradyn_along){.bound = datum, .sign = i == 0 ? 1 : -1};
    f->along.second = i == 1 && sides.own[0] != NULL;
    f->maximum = true;
    f->use = GRADYN_PATH_CONSTRAINT;
    f->tolerance = l->tolerance;
    /* the second side may move the array, so the pointer to the first one is set again */
    if (i == 1 && sides.own[0])
      sides.own[0] = &model->functional[sides.number[0]];
  }
  return sides;
}

void gradyn_limit_bound(gradyn_functional_entry *side)
{
  side->along.of = side->terminal;
  side->terminal = &excess_ops;
}

int gradyn_limit(gradyn_model *model, const gradyn_custom_functional_spec *g, gradyn_scalar lower,
                 gradyn_scalar upper, double tolerance)
{
  if (!gradyn_model_given(model, g, "gradyn_limit()") ||
      !gradyn_model_named(model, g->name, "a limit"))
    return 0;
  if (g->terminal || !g->integrand || g->instant != 0) {
    gradyn_build_error(model, "limit %s: give .integrand, and neither .terminal nor .instant",
                       g->name);
    return 0;
  }
  const int datum = gradyn_model_user_data(model, g->name, g->data, g->data_count);
  const gradyn_limit_sides sides = gradyn_limit_declare(
      model, &(gradyn_limit_spec){g->name, g->unit ? g->unit : "", lower, upper, tolerance});
  gradyn_custom_functional_spec at = *g;
  at.terminal = g->integrand;
  at.integrand = NULL;
  for (int i = 0; i < 2; i++) {
    if (sides.number[i] < 0)
      continue;
    gradyn_functional_take(model, sides.own[i], &at, sides.number[i], datum);
    if (sides.own[i])
      gradyn_limit_bound(sides.own[i]);
  }
  return gradyn_limit_number(&sides);
}

/* --- Signals ---------------------------------------------------------------------------------- */

enum { SIGNAL }; /* index of the signal's number in gradyn_functional_entry.index */

/* u(t). */
static gradyn_status signal_value(gradyn_model *model, const gradyn_functional_entry *f,
                                  const gradyn_sample *at, double *value)
{
  *value = gradyn_signal_value(&model->signal[f->index[SIGNAL]], model->x, at->t, 0);
  return GRADYN_OK;
}

/* Derivatives by the data of the signal, and by time. */
static gradyn_status signal_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  const gradyn_waveform *s = &model->signal[f->index[SIGNAL]];
  if (out->x_bar)
    gradyn_signal_transposed(s, model->x, at->t, 0, weight, out->x_bar);
  if (out->t_bar)
    *out->t_bar += weight * gradyn_signal_value(s, model->x, at->t, 1);
  return GRADYN_OK;
}

static const gradyn_functional_ops signal_ops = {signal_value, signal_gradient};

int gradyn_limit_signal(gradyn_model *model, const char *name, int signal, gradyn_scalar lower,
                        gradyn_scalar upper, double tolerance)
{
  if (!gradyn_model_named(model, name, "a limit"))
    return 0;
  if (signal < 0 || signal >= model->cursor.signal || signal >= model->signal_count) {
    gradyn_build_error(model, "limit %s: signal %d has not been declared", name, signal);
    return 0;
  }
  const gradyn_limit_sides sides = gradyn_limit_declare(
      model,
      &(gradyn_limit_spec){name, model->entry[gradyn_signal_datum(&model->signal[signal])].unit,
                           lower, upper, tolerance});
  for (int i = 0; i < 2; i++) {
    gradyn_functional_entry *f = sides.own[i];
    if (!f)
      continue;
    f->index[SIGNAL] = signal;
    f->data_only = true;
    f->terminal = &signal_ops;
    gradyn_limit_bound(f);
  }
  return gradyn_limit_number(&sides);
}

int gradyn_limit_of_signal(const gradyn_model *model, size_t side)
{
  const gradyn_functional_entry *f = &model->functional[side];
  return f->along.of == &signal_ops ? f->index[SIGNAL] : -1;
}

int gradyn_limit_knots(const gradyn_model *model, size_t side)
{
  const int signal = gradyn_limit_of_signal(model, side);
  return signal >= 0 ? model->signal[signal].count : 0;
}

/* --- Sampled constraints ---------------------------------------------------------------------- */

bool gradyn_limit_at_same(const gradyn_limit_at *a, const gradyn_limit_at *b)
{
  return a->side == b->side && a->share == b->share && a->event == b->event &&
         a->which == b->which && a->behind == b->behind && a->knot == b->knot;
}

/* Name of a sampled constraint, for messages. */
static const char *row_name(gradyn_model *model, const gradyn_limit_at *at)
{
  const char *side = model->functional[at->side].name;
  if (at->knot > 0)
    return gradyn_format_name(model, "%s at knot %d", side, at->knot - 1);
  if (at->which > 0)
    return gradyn_format_name(model, "%s %s %s %d", side, at->behind ? "behind" : "before",
                              model->event[at->event].name, at->which);
  /* a boundary between segments has a sampled constraint on each side */
  return gradyn_format_name(model, "%s %s %.9g of the run", side, at->behind ? "behind" : "at",
                            at->share);
}

void gradyn_limit_declare_row(gradyn_model *model, const gradyn_limit_at *at)
{
  gradyn_functional_entry *f;
  if (at->side >= (size_t)model->functional_count)
    return;
  gradyn_model_functional(model, row_name(model, at), model->functional[at->side].unit, &f);
  if (!f)
    return;
  const gradyn_functional_entry *side = &model->functional[at->side];
  gradyn_functional_entry row = *side;
  row.name = f->name;
  row.unit = f->unit;
  row.maximum = false;
  row.use = GRADYN_AT_MOST;
  row.tolerance = part_of_rows * side->tolerance;
  row.along.share = at->which > 0 ? 0 : at->share;
  row.from_start = at->which == 0 && at->share == 0;
  row.event = at->event;
  row.which = at->which;
  row.side = at->behind ? GRADYN_AFTER : GRADYN_BEFORE;
  if (at->knot > 0) { /* value of a knot: a datum, at no time */
    row.along.of = &gradyn_number_ops;
    row.along.share = 0;
    row.from_start = false;
    row.datum = model->signal[row.index[SIGNAL]].knot + at->knot - 1;
  }
  /* the copy needs its own list, because each functional frees its list */
  row.reads.number = NULL;
  if (side->reads.count > 0) {
    row.reads.number = calloc((size_t)side->reads.count, sizeof(int));
    if (row.reads.number)
      memcpy(row.reads.number, side->reads.number, (size_t)side->reads.count * sizeof(int));
    else
      gradyn_model_no_memory(model, row.name);
  }
  *f = row;
}

void gradyn_limits_mute(gradyn_model *model)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (f->use != GRADYN_PATH_CONSTRAINT)
      continue;
    f->terminal = NULL;
    f->maximum = false;
    f->data_only = true;
  }
}

void gradyn_maximum_forget(gradyn_functional_entry *f)
{
  f->instant = 0;
  f->which = 0;
  f->from_start = false;
  f->ride = (gradyn_ride){.start = -1, .end = -1};
}

void gradyn_functionals_place(gradyn_model *model)
{
  const double end = model->span.to > 0 ? model->span.to : 1;
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    /* a functional at the end has time 0 */
    if (f->along.share > 0)
      f->instant = f->along.share < end ? f->along.share * model->x[model->t_end] : 0;
    if (f->maximum)
      gradyn_maximum_forget(f);
  }
}

void gradyn_limits_end(gradyn_model *model, double t)
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    if (f->along.share > 0 && !gradyn_model_later(model, t, f->instant))
      f->instant = 0;
  }
}
