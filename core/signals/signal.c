/* Signals: evaluation, and derivatives by knots and times.
 *
 * A signal is u = U(tau), tau = (t - t_start) pieces/(t_end - t_start), with knots at integer tau. On each
 * piece it is constant, linear or natural cubic. Second derivatives at the knots are data computed from the
 * knots (spline.c).
 *
 * With knots at given times, each piece has its own start and end, and the formula is the same. Second
 * derivatives are then by time and are multiplied by h^2, h = t_k+1 - t_k. Derivatives by knots, times and
 * t are those of this formula. Outside its ends a signal keeps the value at the end. */
#include "core/signals/signal.h"

#include <math.h>

/* AT_KNOT: a time closer to a knot than this, in pieces, counts as the time of the knot. ROUND_OFF: the
 * same for the middle of an arc, which may be as short as 1e-12 of a run; only round-off may move it to a
 * knot. */
#define AT_KNOT 1e-9
#define ROUND_OFF 1e-14

/* Position of a time in a signal: piece, local coordinate theta in [0, 1], and pieces per second. */
typedef struct location {
  int piece;
  double theta;   /* local coordinate */
  double rate;    /* 1/s */
  double span;    /* x[end] - x[start], s */
  int start, end; /* indices in x of the start and the end of this interval */
  double stretch; /* factor of second derivatives: h^2 if they are by time, else 1 */
  int powers;     /* power of h in stretch */
  bool outside;
} location;

/* Number of pieces. Constant pieces begin at each knot; other pieces lie between two knots. */
static int piece_count(const gradyn_waveform *s)
{
  return s->kind == GRADYN_PIECEWISE_CONSTANT ? s->count : s->count - 1;
}

/* The piece itself, or the nearest one whose knots are data. */
static int piece_within(const gradyn_waveform *s, int piece)
{
  const int last = s->first + s->stored - 1 - (s->kind != GRADYN_PIECEWISE_CONSTANT);
  return piece < s->first ? s->first : piece > last ? last : piece;
}

/* The integer nearest to tau, at which a knot may be. */
static double nearest_knot(double tau)
{
  return fabs(tau) < 1e9 ? (double)(int)(tau + copysign(0.5, tau)) : tau;
}

/* The piece of a signal with knots at given times. A jump belongs to the piece after it.
 *
 * For piecewise constant signals the piece is the number of jumps up to t, so jumps need not be ordered;
 * other knots are ordered. near: distance to a knot that counts as zero, in pieces. */
static int timed_piece(const gradyn_waveform *s, const double *time, double t, double near)
{
  int piece = s->first, beyond = s->first + s->stored - 1;
  if (s->kind == GRADYN_PIECEWISE_CONSTANT) {
    for (int k = 1; k < s->count; k++)
      piece += time[k] <= t;
    return piece;
  }
  while (beyond - piece > 1) {
    const int middle = (piece + beyond) / 2;
    if (t < time[middle] - near * (time[middle + 1] - time[middle]))
      beyond = middle;
    else
      piece = middle;
  }
  return piece;
}

/* Position of a time in a signal with knots at given times. */
static location locate_timed(const gradyn_waveform *s, const double *x, double t, double near)
{
  const double *time = x + s->time;
  location at = {.piece = s->piece, .span = 1, .stretch = 1, .outside = s->outside};
  if (s->piece < 0)
    at.piece = timed_piece(s, time, t, near);
  if (s->kind == GRADYN_PIECEWISE_CONSTANT)
    return at; /* values of a piecewise constant signal do not depend on the times of jumps */
  at.start = s->time + at.piece;
  at.end = at.start + 1;
  at.span = x[at.end] - x[at.start];
  at.rate = 1 / at.span;
  at.theta = (t - x[at.start]) * at.rate;
  at.stretch = at.span * at.span;
  at.powers = 2;
  if (s->piece < 0)
    at.outside = at.theta < -near || at.theta > 1 + near;
  if (at.outside)
    at.theta = at.theta < 0.5 ? 0 : 1;
  return at;
}

/* Position of a time. If an arc has fixed the piece, round-off cannot change it. near: distance to a knot
 * that counts as zero, in pieces. */
static location locate_near(const gradyn_waveform *s, const double *x, double t, double near)
{
  if (s->timed)
    return locate_timed(s, x, t, near);
  location at = {
      .piece = s->piece, .start = s->t_start, .end = s->t_end, .stretch = 1, .outside = s->outside};
  int pieces = piece_count(s);
  at.span = x[s->t_end] - x[s->t_start];
  at.rate = pieces / at.span;
  double tau = (t - x[s->t_start]) * at.rate;
  if (s->piece < 0) {
    /* a time at a knot belongs to the next piece, or at the end to the last piece; `near` absorbs
     * round-off */
    double nearest = nearest_knot(tau), side = fabs(tau - nearest) < near ? nearest : tau;
    at.piece = piece_within(s, side < 0 ? 0 : side >= pieces ? pieces - 1 : (int)side);
    at.outside = side < 0 || side > pieces;
  }
  at.theta = tau - at.piece;
  if (at.outside)
    at.theta = at.theta < 0.5 ? 0 : 1;
  return at;
}

/* Position of a time in a signal. A time that is closer to a knot than AT_KNOT counts as the time of the
 * knot. */
static location locate(const gradyn_waveform *s, const double *x, double t)
{
  return locate_near(s, x, t, AT_KNOT);
}

/* Computes the derivatives of the given order by theta of the four basis functions of a piece. They
 * multiply the two knots and the two second derivatives. */
static void basis(gradyn_signal_kind kind, double theta, int order, double w[4])
{
  /* p = 1 - theta and theta: weights of the two knots */
  double p = 1 - theta, sixth = 1.0 / 6;
  for (int i = 0; i < 4; i++)
    w[i] = 0;
  if (kind != GRADYN_CUBIC_SPLINE) {
    bool constant = kind == GRADYN_PIECEWISE_CONSTANT;
    w[0] = constant ? order == 0 : order == 0 ? p : order == 1 ? -1 : 0;
    w[1] = constant ? 0 : order == 0 ? theta : order == 1 ? 1 : 0;
    return;
  }
  switch (order) {
  case 0:
    w[0] = p;
    w[1] = theta;
    /* cubic spline: (1 - theta) u_k + theta u_k+1 and terms of the second derivatives c */
    w[2] = (p * p * p - p) * sixth;
    w[3] = (theta * theta * theta - theta) * sixth;
    break;
  /* first derivatives by theta */
  case 1:
    w[0] = -1;
    w[1] = 1;
    w[2] = (1 - 3 * p * p) * sixth;
    w[3] = (3 * theta * theta - 1) * sixth;
    break;
  /* second derivatives are linear between knots */
  case 2:
    w[2] = p;
    w[3] = theta;
    break;
  case 3:
    w[2] = -1;
    w[3] = 1;
    break;
  default:
    break;
  }
}

/* Contribution of second derivatives to U, with weights w. */
static double combine_curves(const gradyn_waveform *s, const double *x, const location *at,
                             const double w[4])
{
  if (s->kind != GRADYN_CUBIC_SPLINE)
    return 0;
  const double *curve = x + s->curve + at->piece;
  return at->stretch * (w[2] * curve[0] + w[3] * curve[1]);
}

/* U, or its derivative of the given order by theta. */
static double combine(const gradyn_waveform *s, const double *x, const location *at, int order)
{
  double w[4];
  if (at->outside && order > 0) /* outside its ends a signal is constant */
    return 0;
  basis(s->kind, at->theta, order, w);
  const double *knot = x + s->knot + at->piece;
  double u = w[0] * knot[0];
  if (s->kind != GRADYN_PIECEWISE_CONSTANT)
    u += w[1] * knot[1];
  return u + combine_curves(s, x, at, w);
}

/* The derivative of the given order by time: U^(order)(theta) rate^order. */
double gradyn_signal_value(const gradyn_waveform *s, const double *x, double t, int order)
{
  location at = locate(s, x, t);
  double u = combine(s, x, &at, order);
  for (int i = 0; i < order; i++)
    u *= at.rate;
  return u;
}

/* Derivatives by data. At most six data determine u at t: two knots, two second derivatives, start and end.
 */
int gradyn_signal_slopes(const gradyn_waveform *s, const double *x, double t, int order,
                         int index[GRADYN_SIGNAL_DATA], double slope[GRADYN_SIGNAL_DATA])
{
  /* before its start and after its end a signal is constant */
  location at = locate(s, x, t);
  if (at.outside && order > 0)
    return 0;
  double w[4], scale = 1;
  /* d^k/dt^k = rate^k d^k/dtau^k */
  for (int i = 0; i < order; i++)
    scale *= at.rate;
  basis(s->kind, at.theta, order, w);
  /* two knots, two second derivatives, start and end */
  int data[GRADYN_SIGNAL_DATA] = {s->knot + at.piece,
                                  s->knot + at.piece + 1,
                                  s->curve + at.piece,
                                  s->curve + at.piece + 1,
                                  at.start,
                                  at.end};
  const double curved = scale * at.stretch;
  double by[GRADYN_SIGNAL_DATA] = {w[0] * scale, w[1] * scale, w[2] * curved, w[3] * curved, 0, 0};

  /* value = U(tau) rate^order, tau = (t - x[start]) rate, rate = pieces/(x[end] - x[start]); U has terms
   * with the square of this span */
  if (!at.outside) {
    double U = combine(s, x, &at, order), U_tau = combine(s, x, &at, order + 1);
    double share = 1 / at.span, tau_start = at.rate * (t - x[at.end]) * share;
    double tau_end = -at.rate * (t - x[at.start]) * share;
    double stretched = order * U - at.powers * combine_curves(s, x, &at, w);
    by[4] = scale * (U_tau * tau_start + stretched * share);
    by[5] = scale * (U_tau * tau_end - stretched * share);
  }
  /* zeros are omitted, because callers only sum over the entries */
  int count = 0;
  for (int i = 0; i < GRADYN_SIGNAL_DATA; i++) {
    if (by[i] == 0)
      continue;
    index[count] = data[i];
    slope[count++] = by[i];
  }
  return count;
}

/* x_bar += weight u_x. */
void gradyn_signal_transposed(const gradyn_waveform *s, const double *x, double t, int order,
                              double weight, double *x_bar)
{
  int index[GRADYN_SIGNAL_DATA];
  double slope[GRADYN_SIGNAL_DATA];
  int count = gradyn_signal_slopes(s, x, t, order, index, slope);
  for (int i = 0; i < count; i++)
    x_bar[index[i]] += weight * slope[i];
}

/* u_x dx. */
double gradyn_signal_tangent(const gradyn_waveform *s, const double *x, double t, int order,
                             const double *dx)
{
  int index[GRADYN_SIGNAL_DATA];
  double slope[GRADYN_SIGNAL_DATA], product = 0;
  int count = gradyn_signal_slopes(s, x, t, order, index, slope);
  for (int i = 0; i < count; i++)
    product += slope[i] * dx[index[i]];
  return product;
}

/* Position of a time in pieces, between 0 and their number. */
static double pieces_until(const gradyn_waveform *s, const double *x, double t)
{
  const location at = locate_near(s, x, t, 0);
  return at.piece + fmin(fmax(at.theta, 0), 1);
}

gradyn_knot_window gradyn_signal_window(const gradyn_waveform *signal, const double *x, double from,
                                        double to)
{
  gradyn_waveform s = *signal; /* a copy: the model's signal keeps its piece */
  s.piece = -1;
  const int pieces = piece_count(&s);
  const double slack = ROUND_OFF * pieces;
  int first = (int)(pieces_until(&s, x, from) + slack);
  int last = (int)ceil(pieces_until(&s, x, to) - slack) - 1;
  first = first >= pieces ? pieces - 1 : first;
  last = last < first ? first : last;
  const int knots = s.kind != GRADYN_PIECEWISE_CONSTANT;
  return (gradyn_knot_window){first, last - first + 1 + knots};
}

/* Whether the breaks of a signal are jumps between its pieces, so that its ends are no breaks. */
static bool breaks_inside(const gradyn_waveform *s)
{
  return s->knots == GRADYN_JUMPS || (s->timed && s->kind == GRADYN_PIECEWISE_CONSTANT);
}

/* Breaks are jumps and kinks of a signal or of its derivatives, at which arcs may have to end. Number of
 * breaks; breaks at knots that are not among the data count, too. */
static int all_breaks(const gradyn_waveform *s)
{
  if (breaks_inside(s))
    return s->kind == GRADYN_PIECEWISE_CONSTANT ? s->count - 1 : 0;
  return s->kind == GRADYN_CUBIC_SPLINE && s->knots == GRADYN_KINKS ? 2 : piece_count(s) + 1;
}

int gradyn_signal_break_count(const gradyn_waveform *s)
{
  if (s->stored == s->count)
    return all_breaks(s);
  const bool constant = s->kind == GRADYN_PIECEWISE_CONSTANT;
  if (breaks_inside(s)) /* between the pieces; a continuous signal does not jump */
    return constant ? s->stored - 1 : 0;
  return s->stored + constant;
}

/* Break k is at t_start + k/n (t_end - t_start), and moves with t_start and t_end, or it is at a given
 * time. */
gradyn_signal_break_at gradyn_signal_break(const gradyn_waveform *s, const double *x, int k)
{
  const bool inside = breaks_inside(s);
  const int pieces = inside ? piece_count(s) : all_breaks(s) - 1;
  k += s->first;
  if (s->timed) {
    const int knot = inside ? k + 1 : k * (s->count - 1) / pieces;
    return (gradyn_signal_break_at){x[s->time + knot], 0, s->time + knot, -1};
  }
  double fraction = (double)(inside ? k + 1 : k) / pieces;
  return (gradyn_signal_break_at){x[s->t_start] + fraction * (x[s->t_end] - x[s->t_start]),
                                  fraction, s->t_start, s->t_end};
}

/* Sets dx of a signal whose values all rise by 1. */
void gradyn_signal_raise(const gradyn_waveform *signal, double *dx)
{
  for (int i = signal->first; i < signal->first + signal->stored; i++)
    dx[signal->knot + i] = 1;
}

double gradyn_signal_knot_time(const gradyn_waveform *s, const double *x, int k)
{
  if (s->timed)
    return s->kind == GRADYN_PIECEWISE_CONSTANT && k == 0 ? 0 : x[s->time + k];
  const int pieces = piece_count(s);
  return x[s->t_start] + (double)k / (pieces > 0 ? pieces : 1) * (x[s->t_end] - x[s->t_start]);
}

bool gradyn_signal_moves(const gradyn_waveform *s, const bool *active)
{
  if (!s->timed)
    return active[s->t_start] || active[s->t_end];
  for (int k = s->first + (s->kind == GRADYN_PIECEWISE_CONSTANT); k < s->first + s->stored; k++)
    if (active[s->time + k])
      return true;
  return false;
}

bool gradyn_signal_active(const gradyn_waveform *s, const bool *active)
{
  if (!(s->timed && s->kind == GRADYN_PIECEWISE_CONSTANT) && gradyn_signal_moves(s, active))
    return true;
  for (int k = s->first; k < s->first + s->stored; k++)
    if (active[s->knot + k] || (s->kind == GRADYN_CUBIC_SPLINE && active[s->curve + k]))
      return true;
  return false;
}

void gradyn_signal_enter(gradyn_waveform *s, const double *x, double t)
{
  s->piece = -1;
  s->outside = false;
  if (isnan(t))
    return;
  location at = locate_near(s, x, t, ROUND_OFF * piece_count(s));
  /* a continuous signal selects its piece by time, unless arcs end at its knots */
  bool fixed = s->kind == GRADYN_PIECEWISE_CONSTANT || s->knots == GRADYN_ALL_KNOTS ||
               (s->knots == GRADYN_KINKS && (s->kind == GRADYN_PIECEWISE_LINEAR || at.outside));
  if (fixed) {
    s->piece = at.piece;
    s->outside = at.outside;
  }
}
