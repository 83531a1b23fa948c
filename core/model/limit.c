/* Path constraints: their sides and their sampled constraints.
 *
 * A side is the functional m(t) - upper(x) or lower(x) - m(t), maximised over the run. A sampled constraint
 * is the same expression at one time, t = share t_end. Sides and sampled constraints evaluate m by a custom
 * functional or a measure. */
#include "core/model/limit.h"

#include <complex.h>
#include <math.h>

#include "core/model/declare.h"
#include "core/model/model.h"
#include "core/model/same_time.h"

/* Fraction of the tolerance of a path constraint that its sampled constraints may use. The rest is for the
 * violation between samples. */
static const double part_of_rows = 0.5;

/* Computes the value of a side or of a sampled constraint: sign (m - bound). */
static gradyn_status excess(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double *value)
{
  GRADYN_TRY(f->along.of->value(model, f, at, value));
  *value = f->along.sign * (*value - model->x[f->along.bound]);
  return GRADYN_OK;
}

/* Adds the derivatives of sign (m - bound): those of m, and -1 by the bound. */
static gradyn_status excess_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                     const gradyn_sample *at, double weight,
                                     const gradyn_gradient_out *out)
{
  const double slope = f->along.sign * weight;
  if (out->x_bar)
    out->x_bar[f->along.bound] -= slope;
  return f->along.of->gradient(model, f, at, slope, out);
}

/* Largest number of points of a grid. */
enum { MOST_POINTS = 1000 };

static const gradyn_functional_ops excess_ops = {excess, excess_gradient};

/* --- Declaration ------------------------------------------------------------------------------ */

/* Checks the numbers of a path constraint; invalid ones are build errors. */
static void check(gradyn_model *model, const char *name, double lower, double upper,
                  double tolerance, const char *unit)
{
  if (isnan(lower) || isnan(upper))
    gradyn_build_error(model, "path constraint %s: its %s bound is not a number", name,
                       isnan(lower) ? "lower" : "upper");
  else if (lower == -HUGE_VAL && upper == HUGE_VAL)
    gradyn_build_error(model, "path constraint %s has neither a lower nor an upper bound: give one",
                       name);
  else if (!(lower <= upper) || lower == HUGE_VAL || upper == -HUGE_VAL)
    gradyn_build_error(model,
                       "path constraint %s: its lower bound %g lies above its upper bound %g", name,
                       lower, upper);
  if (!(tolerance > 0) || !isfinite(tolerance))
    gradyn_build_error(
        model,
        "path constraint %s: its tolerance, the largest accepted violation, is %g %s: it must be "
        "positive",
        name, tolerance, unit);
}

/* Declares a side of a path constraint; returns its number. sign 1: the upper side. */
static int declare_side(gradyn_model *model, const char *name, const gradyn_functional_entry *s,
                        gradyn_scalar bound, double sign, double tolerance,
                        const gradyn_path_constraint_spec *spec)
{
  gradyn_functional_entry *f;
  const int datum = gradyn_model_datum(model, name, sign > 0 ? "upper" : "lower", s->unit, bound);
  const char *full = gradyn_format_name(model, sign > 0 ? "%s.over" : "%s.under", name);
  const int number = gradyn_model_functional(model, full, s->unit, &f);
  if (!f)
    return number;
  gradyn_reduce_value(f, s, spec->magnitude);
  f->along = (gradyn_along){.of = f->terminal, .bound = datum, .sign = sign, .grid = spec->grid};
  f->terminal = &excess_ops;
  f->maximum = true;
  f->use = GRADYN_PATH_CONSTRAINT;
  f->tolerance = tolerance;
  return number;
}

int gradyn_path_constraint(gradyn_model *model, const char *name, int measure, gradyn_scalar lower,
                           gradyn_scalar upper, double tolerance,
                           const gradyn_path_constraint_spec *spec)
{
  if (!gradyn_model_named(model, name, "a path constraint"))
    return 0;
  const gradyn_functional_entry *s = gradyn_find_measure(model, name, measure);
  const gradyn_path_constraint_spec how = spec ? *spec : (gradyn_path_constraint_spec){0};
  if (!s)
    return 0;
  if (s->reduced.components > (how.magnitude ? 3 : 1)) {
    gradyn_build_error(
        model,
        "path constraint %s: its measure has %d components; one is needed. Set .magnitude for "
        "a vector of up to 3, or use one component",
        name, s->reduced.components);
    return 0;
  }
  check(model, name, creal(lower), creal(upper), tolerance, s->unit);
  if (how.grid < 0 || how.grid > MOST_POINTS)
    gradyn_build_error(model, "path constraint %s: its grid has %d points; give 0 to %d", name,
                       how.grid, MOST_POINTS);
  int over = -1, under = -1;
  if (!isinf(creal(upper)))
    over = declare_side(model, name, s, upper, 1, tolerance, &how);
  if (!isinf(creal(lower)))
    under = declare_side(model, name, s, lower, -1, tolerance, &how);
  if (over >= 0 && under > over && under < model->functional_count)
    model->functional[under].along.second = true;
  return gradyn_id(model, over >= 0 ? over : under);
}

/* Time points closer than this part of the run are the same. */
static const double same_share = 1e-6;

bool gradyn_limit_same_share(double a, double b)
{
  return fabs(a - b) < same_share;
}

int gradyn_limit_of_signal(const gradyn_model *model, size_t side)
{
  const gradyn_functional_entry *f = &model->functional[side];
  if (!f->along.of || f->reduced.magnitude)
    return -1;
  const gradyn_functional_entry *s = &model->declared.measure[f->reduced.measure];
  return s->terminal == &gradyn_signal_ops ? s->index[0] : -1;
}

int gradyn_limit_grid(const gradyn_model *model, size_t side, int otherwise)
{
  const int grid = model->functional[side].along.grid;
  return grid > 0 ? grid : otherwise;
}

int gradyn_limit_knots(const gradyn_model *model, size_t side)
{
  const int signal = gradyn_limit_of_signal(model, side);
  return signal >= 0 ? model->signal[signal].count : 0;
}

/* --- Sampled constraints ---------------------------------------------------------------------- */

bool gradyn_limit_same_event(gradyn_occurrence a, gradyn_occurrence b)
{
  return a.which == b.which && (a.which == 0 || a.event == b.event);
}

bool gradyn_limit_at_same(const gradyn_limit_at *a, const gradyn_limit_at *b)
{
  return a->side == b->side && a->share == b->share && a->event == b->event &&
         a->which == b->which && a->behind == b->behind && a->knot == b->knot &&
         a->from == b->from && a->to == b->to && gradyn_limit_same_event(a->after, b->after) &&
         gradyn_limit_same_event(a->before, b->before);
}

/* Name of a window, for messages. */
static const char *window_name(gradyn_model *model, const char *side, const gradyn_limit_at *at)
{
  const gradyn_occurrence *end[] = {&at->after, &at->before};
  const char *name = gradyn_format_name(model, "%s between %.9g and %.9g of the run", side,
                                        at->from, at->to);
  for (int k = 0; k < 2; k++)
    if (end[k]->which > 0)
      name = gradyn_format_name(model, "%s, %s %s %d", name, k == 0 ? "after" : "before",
                                model->event[end[k]->event].name, end[k]->which);
  return name;
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
  if (at->to > 0)
    return window_name(model, side, at);
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
  row.maximum = at->to > 0;
  row.use = GRADYN_AT_MOST;
  row.tolerance = part_of_rows * side->tolerance;
  row.along.share = at->which > 0 || row.maximum ? 0 : at->share;
  row.along.from = at->from;
  row.along.to = at->to;
  row.along.after = at->after;
  row.along.before = at->before;
  row.along.second =
      false; /* the entry before it is another sampled constraint, not the upper bound */
  row.from_start = at->which == 0 && at->share == 0 && !row.maximum;
  row.event = at->event;
  row.which = at->which;
  row.side = at->behind ? GRADYN_AFTER : GRADYN_BEFORE;
  if (at->knot > 0) { /* value of a knot: a datum, at no time */
    row.along.of = &gradyn_number_ops;
    row.along.share = 0;
    row.from_start = false;
    row.datum = model->signal[gradyn_limit_of_signal(model, at->side)].knot + at->knot - 1;
  }
  *f = row;
}

void gradyn_limits_disable(gradyn_model *model)
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

void gradyn_limit_narrow(gradyn_occurrence after, gradyn_occurrence before,
                         gradyn_occurrence happened, double t, double *from, double *to)
{
  const bool inside = happened.which > 0 && t > *from && t < *to;
  if (inside && gradyn_limit_same_event(after, happened))
    *from = t;
  else if (inside && gradyn_limit_same_event(before, happened))
    *to = t;
}

void gradyn_functional_window(const gradyn_model *model, const gradyn_functional_entry *f,
                              double *from, double *to)
{
  const double t_end = model->x[model->t_end];
  *from = f->along.to > 0 ? f->along.from * t_end : -HUGE_VAL;
  *to = f->along.to > 0 ? f->along.to * t_end : HUGE_VAL;
  for (int i = 0; i < model->log.count && f->along.to > 0; i++) {
    const gradyn_event_record *record = &model->log.record[i];
    gradyn_limit_narrow(f->along.after, f->along.before,
                        (gradyn_occurrence){record->event, record->occurrence}, record->t, from,
                        to);
  }
}

void gradyn_maximum_forget(gradyn_functional_entry *f)
{
  f->instant = 0;
  f->which = 0;
  f->from_start = false;
  f->ride = (gradyn_ride){.start = -1, .end = -1};
}

void gradyn_sampled_times_update(gradyn_model *model)
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
