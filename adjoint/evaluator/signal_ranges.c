/* Ranges of signals, also between their knots, and the bounds of the knots. */
#include "adjoint/evaluator/numbers.h"

#include <math.h>

/* Adds a time that may be an extremum. */
static void try_time(const gradyn_waveform *s, const double *x, double t,
                     gradyn_signal_range *range)
{
  const double value = gradyn_signal_value(s, x, t, 0);
  if (value < range->least) {
    range->least = value;
    range->t_least = t;
  }
  if (value > range->most) {
    range->most = value;
    range->t_most = t;
  }
}

/* Adds extrema of a cubic piece from t0 to t1, the roots of its derivative. */
static void try_piece(const gradyn_waveform *s, const double *x, double t0, double t1,
                      gradyn_signal_range *range)
{
  const double h = t1 - t0, m = (t0 + t1) / 2;
  /* u'(t) = u' + u'' d + u''' d^2/2 about the middle */
  const double slope = gradyn_signal_value(s, x, m, 1), curvature = gradyn_signal_value(s, x, m, 2),
               third = gradyn_signal_value(s, x, m, 3);
  const double root = curvature * curvature - 2 * third * slope;
  if (!(root >= 0))
    return;
  /* both roots are computed without cancellation */
  const double q = -(curvature + copysign(sqrt(root), curvature));
  const double d[2] = {third != 0 ? q / third : NAN, q != 0 ? 2 * slope / q : NAN};
  for (int i = 0; i < 2; i++)
    if (fabs(d[i]) < h / 2) /* false for NaN */
      try_time(s, x, m + d[i], range);
}

/* Returns the range of a signal. */
static gradyn_signal_range range_of(const gradyn_model *model, const gradyn_waveform *signal)
{
  gradyn_signal_range range = {
      .least = HUGE_VAL, .most = -HUGE_VAL, .lower = -HUGE_VAL, .upper = HUGE_VAL};
  const double *x = model->x;
  gradyn_waveform s = *signal; /* a copy: the model's signal keeps its piece */
  s.piece = -1;
  for (int k = 0; k < s.count; k++) {
    const double value = x[s.knot + k], t = gradyn_signal_knot_time(&s, x, k);
    if (value < range.least)
      range.least = value, range.t_least = t;
    if (value > range.most)
      range.most = value, range.t_most = t;
  }
  for (int k = 0; k + 1 < s.count && s.kind == GRADYN_CUBIC_SPLINE; k++)
    try_piece(&s, x, gradyn_signal_knot_time(&s, x, k), gradyn_signal_knot_time(&s, x, k + 1),
              &range);
  return range;
}

/* Finds the bounds of the knots, if each knot equals a parameter. */
static void find_bounds(const gradyn_evaluator *ev, const gradyn_waveform *s, const double *rho,
                        gradyn_signal_range *range)
{
  double lower = HUGE_VAL, upper = -HUGE_VAL;
  for (int k = 0; k < s->count; k++) {
    const int j = gradyn_directions_only(&ev->by_rho, s->knot + k);
    if (j < 0 || ev->model->x[s->knot + k] != rho[j])
      return;
    lower = fmin(lower, ev->parameters.info[j].lower);
    upper = fmax(upper, ev->parameters.info[j].upper);
  }
  range->lower = lower;
  range->upper = upper;
}

gradyn_signal_range gradyn_evaluator_signal_range(const gradyn_evaluator *ev, int i,
                                                  const double rho[])
{
  gradyn_signal_range range = range_of(ev->model, &ev->model->signal[i]);
  find_bounds(ev, &ev->model->signal[i], rho, &range);
  return range;
}
