/* Signals: values and derivatives, natural splines, sensitivities, clamping, arcs. */
#include "tests/support.h"

#include <complex.h>

#include "core/signals/signal.h"
#include "core/signals/spline.h"

enum {
  KNOTS = 6,
  T_START = 0,
  T_END = 1,
  KNOT = 2,
  CURVE = KNOT + KNOTS,
  TIME = CURVE + KNOTS,
  NX = TIME + KNOTS
};

static const double knots[KNOTS] = {0.7, -1.3, 2.1, 0.4, 0.9, -0.6};
static const double unequal[KNOTS] = {0.25, 0.4, 1.1, 1.25, 2.4, 2.75};

static void fill_curve(const double *times, double *x)
{
  gradyn_scalar t[KNOTS], u[KNOTS], c[KNOTS], work[KNOTS];
  for (int k = 0; k < KNOTS; k++) {
    t[k] = times ? times[k] : 0;
    u[k] = x[KNOT + k];
  }
  gradyn_spline_curve(KNOTS, times ? t : NULL, u, work, c);
  for (int k = 0; k < KNOTS; k++)
    x[CURVE + k] = creal(c[k]);
}

/* A signal from 0.25 s to 2.75 s: pieces of 0.5 s (linear, spline) or 5/12 s (constant). */
static gradyn_waveform make(gradyn_signal_kind kind, double x[NX])
{
  x[T_START] = 0.25;
  x[T_END] = 2.75;
  memcpy(x + KNOT, knots, sizeof knots);
  memcpy(x + TIME, unequal, sizeof unequal);
  fill_curve(NULL, x);
  return (gradyn_waveform){.kind = kind,
                           .count = KNOTS,
                           .stored = KNOTS,
                           .knot = KNOT,
                           .curve = CURVE,
                           .t_end = T_END,
                           .piece = -1};
}

/* The same signal with its knots at given times. */
static gradyn_waveform make_timed(gradyn_signal_kind kind, double x[NX])
{
  gradyn_waveform s = make(kind, x);
  s.timed = true;
  s.time = TIME;
  fill_curve(unequal, x);
  return s;
}

TEST(steps_and_ramps_have_their_values)
{
  double x[NX];
  gradyn_waveform constant = make(GRADYN_PIECEWISE_CONSTANT, x);
  gradyn_waveform linear = make(GRADYN_PIECEWISE_LINEAR, x);
  for (int k = 0; k < KNOTS; k++)
    for (double theta = 0.1; theta < 1; theta += 0.4) {
      double t = 0.25 + (k + theta) * 2.5 / KNOTS;
      assert_close(gradyn_signal_value(&constant, x, t, 0), knots[k], 0, 0);
      for (int order = 1; order < 4; order++)
        assert_close(gradyn_signal_value(&constant, x, t, order), 0, 0, 0);
    }
  for (int k = 0; k + 1 < KNOTS; k++)
    for (double theta = 0.1; theta < 1; theta += 0.4) {
      double t = 0.25 + (k + theta) * 0.5, rise = knots[k + 1] - knots[k];
      assert_close(gradyn_signal_value(&linear, x, t, 0), knots[k] + theta * rise, 1e-14, 1e-14);
      assert_close(gradyn_signal_value(&linear, x, t, 1), rise / 0.5, 1e-14, 0);
      assert_close(gradyn_signal_value(&linear, x, t, 2), 0, 0, 0);
      assert_close(gradyn_signal_value(&linear, x, t, 3), 0, 0, 0);
    }
  /* the end belongs to the last piece */
  assert_close(gradyn_signal_value(&constant, x, 2.75, 0), knots[KNOTS - 1], 0, 0);
  assert_close(gradyn_signal_value(&linear, x, 2.75, 0), knots[KNOTS - 1], 1e-14, 0);
  assert_close(gradyn_signal_value(&linear, x, 2.75, 1),
               (knots[KNOTS - 1] - knots[KNOTS - 2]) / 0.5, 1e-14, 0);
}

/* Solves A y = b by Gaussian elimination with partial pivoting; A [n][n]. */
static void solve_dense(int n, double *A, double *b)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
    for (int j = 0; j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[p * n + j];
      A[p * n + j] = swap;
    }
    double swap = b[k];
    b[k] = b[p];
    b[p] = swap;
    for (int i = k + 1; i < n; i++) {
      double l = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++)
        A[i * n + j] -= l * A[k * n + j];
      b[i] -= l * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++)
      b[k] -= A[k * n + j] * b[j];
    b[k] /= A[k * n + k];
  }
}

/* d^order/ds^order of s^power. */
static double power_derivative(double s, int power, int order)
{
  double factor = 1;
  for (int i = 0; i < order; i++)
    factor *= power - i;
  return power < order ? 0 : factor * pow(s, power - order);
}

/* The natural spline through knots at `times` from its definition. Each piece has four monomial
 * coefficients; it interpolates at both ends, first and second derivatives are continuous, and the
 * curvature vanishes at both ends. c [pieces][4], in time since the start of the piece. */
static void define_spline(const double *times, double *c)
{
  enum { PIECES = KNOTS - 1, N = 4 * PIECES };
  double A[N * N] = {0};
  int row = 0;
  memset(c, 0, N * sizeof *c);
  for (int k = 0; k < PIECES; k++)
    for (int end = 0; end < 2; end++, row++) {
      for (int i = 0; i < 4; i++)
        A[row * N + 4 * k + i] = power_derivative(end * (times[k + 1] - times[k]), i, 0);
      c[row] = knots[k + end];
    }
  for (int k = 0; k + 1 < PIECES; k++)
    for (int order = 1; order <= 2; order++, row++)
      for (int i = 0; i < 4; i++) {
        A[row * N + 4 * k + i] = power_derivative(times[k + 1] - times[k], i, order);
        A[row * N + 4 * (k + 1) + i] = -power_derivative(0, i, order);
      }
  for (int i = 0; i < 4; i++) {
    A[row * N + i] = power_derivative(0, i, 2);
    A[(row + 1) * N + N - 4 + i] = power_derivative(times[PIECES] - times[PIECES - 1], i, 2);
  }
  solve_dense(N, A, c);
}

TEST(spline_is_the_natural_one)
{
  for (int timed = 0; timed < 2; timed++) {
    double x[NX], c[4 * (KNOTS - 1)], times[KNOTS];
    gradyn_waveform s = timed ? make_timed(GRADYN_CUBIC_SPLINE, x) : make(GRADYN_CUBIC_SPLINE, x);
    for (int k = 0; k < KNOTS; k++)
      times[k] = timed ? unequal[k] : 0.25 + 0.5 * k;
    define_spline(times, c);
    for (int k = 0; k + 1 < KNOTS; k++)
      for (double theta = 0.05; theta < 1; theta += 0.3)
        for (int order = 0; order < 4; order++) {
          const double later = theta * (times[k + 1] - times[k]);
          double expected = 0;
          for (int i = 0; i < 4; i++)
            expected += c[4 * k + i] * power_derivative(later, i, order);
          assert_close(gradyn_signal_value(&s, x, times[k] + later, order), expected, 1e-12, 1e-12);
        }
    assert_close(x[CURVE], 0, 0, 0);
    assert_close(x[CURVE + KNOTS - 1], 0, 0, 0);
  }
}

/* Every derivative with respect to a datum against differences, around knots and far from them. The
 * curvatures of a spline are treated as independent data. */
static void check_sensitivities(gradyn_signal_kind kind, bool timed, double t, int order)
{
  double x[NX], x_bar[NX] = {0};
  gradyn_waveform s = timed ? make_timed(kind, x) : make(kind, x);
  gradyn_signal_transposed(&s, x, t, order, 2.5, x_bar);
  for (int i = 0; i < NX; i++) {
    double dx[NX] = {0}, h = 1e-5, keep = x[i], ends[2];
    dx[i] = 1;
    for (int side = 0; side < 2; side++) {
      x[i] = keep + (side ? h : -h);
      ends[side] = gradyn_signal_value(&s, x, t, order);
    }
    x[i] = keep;
    double difference = (ends[1] - ends[0]) / (2 * h);
    double tangent = gradyn_signal_tangent(&s, x, t, order, dx);
    assert_close(tangent, difference, 2e-7, 2e-7);
    assert_close(x_bar[i], 2.5 * tangent, 1e-15, 0);
  }
}

TEST(sensitivities_agree_with_differences)
{
  const double times[] = {-1.0, 0.3, 0.86, 1.31, 2.7, 3.5};
  for (int kind = GRADYN_PIECEWISE_CONSTANT; kind <= GRADYN_CUBIC_SPLINE; kind++)
    for (int order = 0; order < 3; order++)
      for (size_t i = 0; i < 2 * (sizeof times / sizeof *times); i++)
        check_sensitivities((gradyn_signal_kind)kind, i % 2, times[i / 2], order);
}

TEST(signals_keep_their_end_values)
{
  double x[NX];
  for (int k = 0; k < 2 * (GRADYN_CUBIC_SPLINE + 1); k++) {
    const gradyn_signal_kind kind = (gradyn_signal_kind)(k / 2);
    gradyn_waveform s = k % 2 ? make_timed(kind, x) : make(kind, x);
    assert_close(gradyn_signal_value(&s, x, -3, 0), knots[0], 1e-15, 0);
    assert_close(gradyn_signal_value(&s, x, 9, 0), knots[KNOTS - 1], 1e-15, 0);
    for (int order = 1; order < 4; order++) {
      assert_close(gradyn_signal_value(&s, x, -3, order), 0, 0, 0);
      assert_close(gradyn_signal_value(&s, x, 9, order), 0, 0, 0);
    }
  }
}

/* At a knot the arc determines which side applies, however often this exact time is evaluated. */
TEST(arcs_give_one_sided_values)
{
  double x[NX];
  gradyn_waveform constant = make(GRADYN_PIECEWISE_CONSTANT, x);
  gradyn_waveform linear = make(GRADYN_PIECEWISE_LINEAR, x);
  assert_int_equal(gradyn_signal_break_count(&constant), KNOTS + 1);
  assert_int_equal(gradyn_signal_break_count(&linear), KNOTS);
  for (int k = 1; k + 1 < KNOTS; k++) {
    double t = gradyn_signal_break(&constant, x, k).t;
    gradyn_signal_enter(&constant, x, t - 0.1);
    assert_close(gradyn_signal_value(&constant, x, t, 0), knots[k - 1], 0, 0);
    gradyn_signal_enter(&constant, x, t + 0.1);
    assert_close(gradyn_signal_value(&constant, x, t, 0), knots[k], 0, 0);

    const gradyn_signal_break_at at = gradyn_signal_break(&linear, x, k);
    t = at.t;
    assert_close(t, 0.25 + 0.5 * k, 1e-15, 0);
    assert_close(at.fraction, k / 5.0, 1e-15, 0);
    gradyn_signal_enter(&linear, x, t - 0.1);
    assert_close(gradyn_signal_value(&linear, x, t, 1), (knots[k] - knots[k - 1]) / 0.5, 1e-13, 0);
    gradyn_signal_enter(&linear, x, t + 0.1);
    assert_close(gradyn_signal_value(&linear, x, t, 1), (knots[k + 1] - knots[k]) / 0.5, 1e-13, 0);
  }
}

TEST(knots_with_times_of_their_own_are_breaks_that_move_with_them)
{
  double x[NX];
  const struct {
    gradyn_signal_kind kind;
    gradyn_knots knots;
    int count, first, step;
  } wanted[] = {{GRADYN_PIECEWISE_CONSTANT, GRADYN_KINKS, KNOTS - 1, 1, 1},
                {GRADYN_PIECEWISE_CONSTANT, GRADYN_JUMPS, KNOTS - 1, 1, 1},
                {GRADYN_PIECEWISE_LINEAR, GRADYN_KINKS, KNOTS, 0, 1},
                {GRADYN_PIECEWISE_LINEAR, GRADYN_JUMPS, 0, 0, 1},
                {GRADYN_CUBIC_SPLINE, GRADYN_KINKS, 2, 0, KNOTS - 1},
                {GRADYN_CUBIC_SPLINE, GRADYN_ALL_KNOTS, KNOTS, 0, 1}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    gradyn_waveform s = make_timed(wanted[i].kind, x);
    s.knots = wanted[i].knots;
    assert_int_equal(gradyn_signal_break_count(&s), wanted[i].count);
    for (int k = 0; k < wanted[i].count; k++) {
      const gradyn_signal_break_at at = gradyn_signal_break(&s, x, k);
      const int knot = wanted[i].first + k * wanted[i].step;
      assert_close(at.t, unequal[knot], 0, 0);
      assert_int_equal(at.start, TIME + knot);
      assert_int_equal(at.end, -1);
      assert_close(at.fraction, 0, 0, 0);
    }
  }
}

/* Before the start a ramp is constant, up to and including its first knot; in the arc that begins there it
 * has its slope. The same holds at the end. */
TEST(arcs_hold_at_the_ends)
{
  double x[NX];
  for (int i = 0; i < 4; i++) {
    const gradyn_signal_kind kind = i / 2 ? GRADYN_CUBIC_SPLINE : GRADYN_PIECEWISE_LINEAR;
    gradyn_waveform s = i % 2 ? make_timed(kind, x) : make(kind, x);
    int last = gradyn_signal_break_count(&s) - 1;
    for (int end = 0; end < 2; end++) {
      double t = gradyn_signal_break(&s, x, end ? last : 0).t, out = end ? 0.1 : -0.1;
      gradyn_signal_enter(&s, x, t + out);
      assert_close(gradyn_signal_value(&s, x, t, 0), knots[end ? KNOTS - 1 : 0], 1e-14, 0);
      assert_close(gradyn_signal_value(&s, x, t, 1), 0, 0, 0);
      gradyn_signal_enter(&s, x, t - out);
      assert_close(gradyn_signal_value(&s, x, t, 0), knots[end ? KNOTS - 1 : 0], 1e-14, 1e-14);
      assert_true(fabs(gradyn_signal_value(&s, x, t, 1)) > 0.5);
    }
    gradyn_signal_enter(&s, x, NAN);
    assert_int_equal(s.piece, -1);
    assert_false(s.outside);
  }
}
