/* Natural cubic splines. With h_k = t_k+1 - t_k (1 if knots are numbered) and s_k = (u_k+1 - u_k)/h_k,
 *
 *   h_k-1 c_k-1 + 2 (h_k-1 + h_k) c_k + h_k c_k+1 = 6 (s_k - s_k-1),   c = 0 at both ends,
 *
 * is a symmetric tridiagonal system A c = r. The adjoint system is A w = c_bar with w = 0 at both ends. The
 * adjoints of u and h are then the derivatives of w^T (r - A c). */
#include "core/signals/spline.h"

/* Length of the interval after knot k. */
static gradyn_scalar step_of(const gradyn_scalar *times, int k)
{
  return times ? times[k + 1] - times[k] : 1;
}

/* Computes c by Gaussian elimination: work[k] is the superdiagonal over the pivot. Complex, so that complex
 * steps give derivatives. */
void gradyn_spline_curve(int count, const gradyn_scalar *times, const gradyn_scalar *u,
                         gradyn_scalar *work, gradyn_scalar *c)
{
  c[0] = c[count - 1] = 0;
  work[0] = 0;
  for (int k = 1; k < count - 1; k++) {
    const gradyn_scalar before = step_of(times, k - 1), behind = step_of(times, k);
    const gradyn_scalar pivot = 2 * (before + behind) - before * work[k - 1];
    const gradyn_scalar r = 6 * ((u[k + 1] - u[k]) / behind - (u[k] - u[k - 1]) / before);
    work[k] = behind / pivot;
    c[k] = (r - before * c[k - 1]) / pivot;
  }
  for (int k = count - 3; k >= 1; k--)
    c[k] -= work[k] * c[k + 1];
}

static double length_of(const gradyn_spline *s, int k)
{
  return s->times ? s->times[k + 1] - s->times[k] : 1;
}

/* Solves A w = b in place. */
static void solve(const gradyn_spline *s, double *work, double *b)
{
  const int count = s->count;
  b[0] = b[count - 1] = 0;
  work[0] = 0;
  for (int k = 1; k < count - 1; k++) {
    const double before = length_of(s, k - 1), behind = length_of(s, k);
    const double pivot = 2 * (before + behind) - before * work[k - 1];
    work[k] = behind / pivot;
    b[k] = (b[k] - before * b[k - 1]) / pivot;
  }
  for (int k = count - 3; k >= 1; k--)
    b[k] -= work[k] * b[k + 1];
}

void gradyn_spline_transposed(const gradyn_spline *s, double *work, double *w, double *times_bar,
                              double *knots_bar)
{
  const double *c = s->curve;
  solve(s, work, w);
  for (int k = 0; k < s->count - 1; k++) {
    const double h = length_of(s, k), slope = (s->knots[k + 1] - s->knots[k]) / h;
    const double s_bar = 6 * (w[k] - w[k + 1]);
    knots_bar[k] -= s_bar / h;
    knots_bar[k + 1] += s_bar / h;
    if (!times_bar)
      continue;
    const double h_bar = -w[k] * (2 * c[k] + c[k + 1]) - w[k + 1] * (c[k] + 2 * c[k + 1]) -
                         s_bar * slope / h;
    times_bar[k] -= h_bar;
    times_bar[k + 1] += h_bar;
  }
}
