/* Roots of guards: a bracket, then false position that halves where it stalls. */
#include "dae/locate.h"

#include <float.h>
#include <math.h>

enum { HALVINGS = 40, MOST_ITERATIONS = 200 };

/* The cubic through r and its rates at both ends, at share x of the step. */
static double cubic(const gradyn_guard_step *g, double x)
{
  double x2 = x * x, x3 = x2 * x, jump = 3 * x2 - 2 * x3;
  return g->r[0] * (1 - jump) + g->r[1] * jump + g->h * g->rate[0] * (x - 2 * x2 + x3) +
         g->h * g->rate[1] * (x3 - x2);
}

/* Share of the step where the cubic is least inside it; false: it has no least value there. */
static bool lowest(const gradyn_guard_step *g, double *x)
{
  /* derivative a x^2 + b x + c */
  double d = g->r[1] - g->r[0], m0 = g->h * g->rate[0], m1 = g->h * g->rate[1];
  double a = 3 * (m0 + m1 - 2 * d), b = 2 * (3 * d - 2 * m0 - m1), c = m0;
  double root = b * b - 4 * a * c;
  if (!(root >= 0))
    return false;
  double q = -(b + copysign(sqrt(root), b)) / 2;
  const double at[2] = {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
  for (int k = 0; k < 2; k++)
    if (at[k] > 0 && at[k] < 1 && 2 * a * at[k] + b > 0) { /* it grows again */
      *x = at[k];
      return true;
    }
  return false;
}

/* False position on a bracket r(a) > 0 >= r(b); the end that stays has its value halved. */
static gradyn_status narrow(gradyn_guard_fn value, void *user, double a, double ra, double b,
                            double rb, double *s)
{
  int side = 0;
  double best = b, least = fabs(rb);
  for (int i = 0; i < MOST_ITERATIONS && rb != 0 && b - a > 2 * DBL_EPSILON * fabs(b); i++) {
    double c = i % 4 == 3 ? (a + b) / 2 : (ra * b - rb * a) / (ra - rb), rc;
    if (!(c > a && c < b))
      c = (a + b) / 2;
    if (!(c > a && c < b))
      break;
    gradyn_status status = value(user, c, &rc);
    if (status != GRADYN_OK)
      return status;
    if (fabs(rc) < least) {
      best = c;
      least = fabs(rc);
    }
    if (rc > 0) {
      rb /= side == 1 ? 2 : 1;
      a = c;
      ra = rc;
      side = 1;
    } else {
      ra /= side == -1 ? 2 : 1;
      b = c;
      rb = rc;
      side = -1;
    }
    if (rc == 0)
      break;
  }
  *s = best;
  return GRADYN_OK;
}

/* A place before `end` where the guard is above zero, which it leaves; 0: none. */
static gradyn_status leave(gradyn_guard_fn value, void *user, double end, double *a, double *ra)
{
  double s = end;
  for (int i = 0; i < HALVINGS; i++) {
    s /= 2;
    gradyn_status status = value(user, s, ra);
    if (status != GRADYN_OK || *ra > 0) {
      *a = s;
      return status;
    }
  }
  *a = 0;
  return GRADYN_OK;
}

gradyn_status gradyn_locate(const gradyn_guard_step *g, gradyn_guard_fn value, void *user,
                            gradyn_found *found, double *s)
{
  double a = 0, ra = g->r[0], b = g->h, rb = g->r[1], x;
  *found = GRADYN_NO_ROOT;
  if (rb > 0) { /* down and up again? */
    if (!lowest(g, &x) || cubic(g, x) > 0)
      return GRADYN_OK;
    b = x * g->h;
    gradyn_status status = value(user, b, &rb);
    if (status != GRADYN_OK || rb > 0)
      return status;
  }
  if (g->leaving || !(ra > 0)) {
    gradyn_status status = leave(value, user, b, &a, &ra);
    if (status != GRADYN_OK)
      return status;
    if (a == 0) {
      *found = GRADYN_STAYS;
      return status;
    }
  }
  *found = GRADYN_ROOT;
  return narrow(value, user, a, ra, b, rb, s);
}
