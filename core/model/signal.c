/* Signals: evaluation, derivatives with respect to knots and times, natural cubic splines.
 *
 * A signal is u = U(tau), tau = (t - t_start) pieces/(t_end - t_start), with knots at whole tau:
 * constant, linear or natural cubic on each piece, whose second derivatives at the knots are
 * data that follow from the knots by a tridiagonal system. Derivatives by knots, times and t are
 * those of this formula. Beyond its ends a signal keeps its last value. */
#include "core/model/signal.h"

#include <math.h>

/* Times nearer to a knot than this, in pieces, are at the knot; and the middle of an arc, which may be as
 * short as 1e-12 of a run, only if round-off has it there. */
#define AT_KNOT 1e-9
#define ROUND_OFF 1e-14

/* Where a time falls: coefficient k of the piece, its local coordinate theta in [0, 1], and the
 * number of pieces per second. */
typedef struct location {
  int piece;
  double theta; /* local coordinate */
  double rate;  /* 1/s */
  double span;  /* t_end - t_start, s */
  bool outside;
} location;

/* Constant pieces begin at each knot, others lie between two. */
static int piece_count(const gradyn_waveform *s)
{
  return s->kind == GRADYN_PIECEWISE_CONSTANT ? s->count : s->count - 1;
}

/* The whole number next to tau, wherever a knot may be. */
static double nearest_knot(double tau)
{
  return fabs(tau) < 1e9 ? (double)(int)(tau + copysign(0.5, tau)) : tau;
}

/* The piece of a signal with times of its own: as many of them have passed. */
static location locate_timed(const gradyn_waveform *s, const double *x, double t)
{
  location at = {.piece = s->piece, .span = 1};
  if (s->piece >= 0)
    return at; /* the arc in hand decides, also at its ends */
  at.piece = 0;
  for (int k = 0; k + 1 < s->count; k++)
    at.piece += x[s->time + k] <= t;
  return at; /* one-sided from above: a switch belongs to the piece behind it */
}

/* Piece and place in it; on the arc in hand, its own piece, whatever round-off says. near: of a knot, in
 * pieces. */
static location locate_near(const gradyn_waveform *s, const double *x, double t, double near)
{
  if (s->timed)
    return locate_timed(s, x, t);
  location at = {.piece = s->piece, .outside = s->outside};
  int pieces = piece_count(s);
  at.span = x[s->t_end] - x[s->t_start];
  at.rate = pieces / at.span;
  double tau = (t - x[s->t_start]) * at.rate;
  if (s->piece < 0) {
    /* a time at a knot belongs to the piece that follows it, at the end to the last one, whatever
     * round-off says */
    double nearest = nearest_knot(tau), side = fabs(tau - nearest) < near ? nearest : tau;
    at.piece = side < 0 ? 0 : side >= pieces ? pieces - 1 : (int)side;
    at.outside = side < 0 || side > pieces;
  }
  at.theta = tau - at.piece;
  if (at.outside)
    at.theta = at.theta < 0.5 ? 0 : 1;
  return at;
}

/* At any time. */
static location locate(const gradyn_waveform *s, const double *x, double t)
{
  return locate_near(s, x, t, AT_KNOT);
}

/* Derivative with respect to theta of the four basis functions that multiply the two knots and the
 * two second derivatives of a piece. */
static void basis(gradyn_signal_kind kind, double theta, int order, double w[4])
{
  /* p = 1 - theta, theta: shares of both knots */
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
    /* cubic spline: (1 - theta) u_k + theta u_k+1 and curvatures c */
    w[2] = (p * p * p - p) * sixth;
    w[3] = (theta * theta * theta - theta) * sixth;
    break;
  /* derivatives by theta */
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

/* U, or its derivative of some order by theta. */
static double combine(const gradyn_waveform *s, const double *x, const location *at, int order)
{
  double w[4];
  if (at->outside && order > 0) /* beyond its ends a signal keeps its last value */
    return 0;
  basis(s->kind, at->theta, order, w);
  const double *knot = x + s->knot + at->piece;
  double u = w[0] * knot[0];
  if (s->kind != GRADYN_PIECEWISE_CONSTANT)
    u += w[1] * knot[1];
  if (s->kind == GRADYN_CUBIC_SPLINE)
    u += w[2] * x[s->curve + at->piece] + w[3] * x[s->curve + at->piece + 1];
  return u;
}

/* The order-th derivative by time: U^(order)(theta) rate^order. */
double gradyn_signal_value(const gradyn_waveform *s, const double *x, double t, int order)
{
  location at = locate(s, x, t);
  double u = combine(s, x, &at, order);
  for (int i = 0; i < order; i++)
    u *= at.rate;
  return u;
}

/* All data that u depends on at t, at most six: two knots, two curvatures, start and end. */
int gradyn_signal_slopes(const gradyn_waveform *s, const double *x, double t, int order,
                         int index[GRADYN_SIGNAL_DATA], double slope[GRADYN_SIGNAL_DATA])
{
  /* before its start and behind its end a signal is constant */
  location at = locate(s, x, t);
  if (at.outside && order > 0)
    return 0;
  double w[4], scale = 1;
  /* d^k/dt^k = rate^k d^k/dtau^k */
  for (int i = 0; i < order; i++)
    scale *= at.rate;
  basis(s->kind, at.theta, order, w);
  /* what the value depends on: two knots, two curvatures, both ends */
  int data[GRADYN_SIGNAL_DATA] = {s->knot + at.piece,  s->knot + at.piece + 1,
                                  s->curve + at.piece, s->curve + at.piece + 1,
                                  s->t_start,          s->t_end};
  double by[GRADYN_SIGNAL_DATA] = {w[0] * scale, w[1] * scale, w[2] * scale, w[3] * scale, 0, 0};

  /* value = U(tau) rate^order with tau = (t - t_start) rate, rate = pieces / (t_end - t_start) */
  if (!at.outside) {
    double U = combine(s, x, &at, order), U_tau = combine(s, x, &at, order + 1);
    double share = 1 / at.span, tau_start = at.rate * (t - x[s->t_end]) * share;
    double tau_end = -at.rate * (t - x[s->t_start]) * share;
    by[4] = scale * (U_tau * tau_start + order * U * share);
    by[5] = scale * (U_tau * tau_end - order * U * share);
  }
  /* zeros are left out: gradients are sums over few data */
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

/* Whether its breaks are jumps, those between pieces. */
static bool breaks_inside(const gradyn_waveform *s)
{
  return s->timed || s->knots == GRADYN_JUMPS;
}

/* Jumps and bends of a signal or of its derivatives, at which arcs may have to end. */
int gradyn_signal_break_count(const gradyn_waveform *s)
{
  if (breaks_inside(s))
    return s->kind == GRADYN_PIECEWISE_CONSTANT ? s->count - 1 : 0;
  return s->kind == GRADYN_CUBIC_SPLINE && s->knots == GRADYN_KINKS ? 2 : piece_count(s) + 1;
}

/* Boundary k stands at t_start + k/n (t_end - t_start), and moves with both. */
gradyn_signal_break_at gradyn_signal_break(const gradyn_waveform *s, const double *x, int k)
{
  /* switches have times of their own */
  if (s->timed)
    return (gradyn_signal_break_at){x[s->time + k], 0, s->time + k, -1};
  bool inside = breaks_inside(s);
  int pieces = inside ? piece_count(s) : gradyn_signal_break_count(s) - 1;
  double fraction = (double)(inside ? k + 1 : k) / pieces;
  return (gradyn_signal_break_at){x[s->t_start] + fraction * (x[s->t_end] - x[s->t_start]),
                                  fraction, s->t_start, s->t_end};
}

/* dx of a signal raised as a whole by 1. */
void gradyn_signal_raise(const gradyn_waveform *signal, double *dx)
{
  for (int i = 0; i < signal->count; i++)
    dx[signal->knot + i] = 1;
}

/* Whether any datum that the signal depends on varies. */
bool gradyn_signal_active(const gradyn_waveform *s, const bool *active)
{
  if (!s->timed && (active[s->t_start] || active[s->t_end]))
    return true;
  for (int k = 0; k < s->count; k++)
    if (active[s->knot + k] || (s->kind == GRADYN_CUBIC_SPLINE && active[s->curve + k]))
      return true;
  return false;
}

/* Fixes the piece in force on an arc, for one-sided values at its ends; NaN: by time again. */
void gradyn_signal_enter(gradyn_waveform *s, const double *x, double t)
{
  s->piece = -1;
  s->outside = false;
  if (isnan(t))
    return;
  location at = locate_near(s, x, t, ROUND_OFF * piece_count(s));
  /* what is continuous keeps choosing its piece by time, unless arcs end at its knots */
  bool fixed = s->kind == GRADYN_PIECEWISE_CONSTANT || s->knots == GRADYN_ALL_KNOTS ||
               (s->knots == GRADYN_KINKS && (s->kind == GRADYN_PIECEWISE_LINEAR || at.outside));
  if (fixed) {
    s->piece = at.piece;
    s->outside = at.outside;
  }
}

/* Natural spline: c[k-1] + 4 c[k] + c[k+1] = 6 (u[k-1] - 2 u[k] + u[k+1]), c = 0 at both ends.
 * Superdiagonal over pivot of row k in Gaussian elimination, the solution of
 * ratio_k = 1 / (4 - ratio_{k-1}) in closed form: no storage, and the same forwards and backwards. */
static double spline_ratio(int k)
{
  const double e = 0.26794919243112270647; /* 2 - sqrt(3) */
  if (k > 20)
    return e; /* to the last bit */
  double e2k = pow(e, 2.0 * k);
  return e * (1 - e2k) / (1 - e2k * e * e);
}

/* Natural spline, c_k-1 + 4 c_k + c_k+1 = 6 (u_k-1 - 2 u_k + u_k+1): elimination and
 * substitution. */
void gradyn_spline_curve(int count, const gradyn_scalar *u, gradyn_scalar *c)
{
  c[0] = c[count - 1] = 0;
  for (int k = 1; k < count - 1; k++)
    c[k] = (6 * (u[k - 1] - 2 * u[k] + u[k + 1]) - c[k - 1]) * spline_ratio(k);
  for (int k = count - 3; k >= 1; k--)
    c[k] -= spline_ratio(k) * c[k + 1];
}

void gradyn_spline_curve_transposed(int count, double *b, double *knots_bar)
{
  /* the matrix is symmetric: solve with curve_bar as right-hand side, then apply the stencil */
  b[0] = b[count - 1] = 0;
  /* forward elimination, then back substitution */
  for (int k = 1; k < count - 1; k++)
    b[k] = (b[k] - b[k - 1]) * spline_ratio(k);
  for (int k = count - 3; k >= 1; k--)
    b[k] -= spline_ratio(k) * b[k + 1];
  /* rows (1, -2, 1) times 6 */
  for (int k = 1; k < count - 1; k++) {
    knots_bar[k - 1] += 6 * b[k];
    knots_bar[k] -= 12 * b[k];
    knots_bar[k + 1] += 6 * b[k];
  }
}
