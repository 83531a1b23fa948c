/* Roots of guards. A root is bracketed, its initial guess follows from the cubic of the step, and the
 * secant method locates it. The caller provides the guard function, exact or interpolated. */
#include "dae/events/locate.h"

#include <float.h>
#include <math.h>

#include "core/base/message.h"

enum { HALVINGS = 40, MOST_ITERATIONS = 200 };

/* Returns the cubic through values and rates at both ends, at share x of the step. */
static double cubic(const gradyn_guard_step *g, double x)
{
  /* r0 (1 - j) + r1 j + h r0' (x - 2 x^2 + x^3) + h r1' (x^3 - x^2), j = 3 x^2 - 2 x^3 */
  double x2 = x * x, x3 = x2 * x, jump = 3 * x2 - 2 * x3;
  return g->r[0] * (1 - jump) + g->r[1] * jump + g->h * g->rate[0] * (x - 2 * x2 + x3) +
         g->h * g->rate[1] * (x3 - x2);
}

/* Finds the share of the step at which the cubic has a minimum (bend 1) or a maximum (bend -1) inside the
 * step. Returns false if there is none. */
static bool turns(const gradyn_guard_step *g, int bend, double *x)
{
  /* coefficients of the derivative, a x^2 + b x + c */
  double d = g->r[1] - g->r[0], m0 = g->h * g->rate[0], m1 = g->h * g->rate[1];
  double a = 3 * (m0 + m1 - 2 * d), b = 2 * (3 * d - 2 * m0 - m1), c = m0;
  double root = b * b - 4 * a * c;
  if (!(root >= 0))
    return false;
  /* roots of the derivative without cancellation: q/a and c/q */
  double q = -(b + copysign(sqrt(root), b)) / 2;
  const double at[2] = {a != 0 ? q / a : -1, q != 0 ? c / q : -1};
  for (int k = 0; k < 2; k++)
    if (at[k] > 0 && at[k] < 1 && bend * (2 * a * at[k] + b) > 0) {
      *x = at[k];
      return true;
    }
  return false;
}

double gradyn_locate_least(const gradyn_guard_step *g)
{
  double x, scale = g->h * fmax(fabs(g->rate[0]), fabs(g->rate[1]));
  return turns(g, 1, &x) && scale > 0 ? fabs(cubic(g, x)) / scale : HUGE_VAL;
}

/* Returns the rate of the cubic at share x of the step. */
static double cubic_rate(const gradyn_guard_step *g, double x)
{
  double x2 = x * x, jump = 6 * (x - x2) / g->h;
  return (g->r[1] - g->r[0]) * jump + g->rate[0] * (1 - 4 * x + 3 * x2) +
         g->rate[1] * (3 * x2 - 2 * x);
}

/* Returns the root of the cubic in a bracket where it changes its sign; otherwise the midpoint of the
 * bracket. */
static double guess(const gradyn_guard_step *g, double a, double b)
{
  double low = a / g->h, high = b / g->h, x = (low + high) / 2;
  if (!(cubic(g, high) < 0))
    return (a + b) / 2;
  /* Newton's method; bisection for a step that leaves the bracket */
  for (int i = 0; i < 60; i++) {
    const double r = cubic(g, x), next = x - r / (cubic_rate(g, x) * g->h);
    *(r > 0 ? &low : &high) = x;
    const double to = next > low && next < high ? next : (low + high) / 2;
    if (fabs(to - x) <= DBL_EPSILON * high)
      break;
    x = to;
  }
  return x * g->h;
}

/* A bracket r(a) > 0 >= r(b), and the last two points evaluated. */
typedef struct bracket {
  double a, ra, b, rb;
  double last[2], r[2];
} bracket;

/* Takes a Newton step from c, where the guard is r. */
static double improve(double c, double r, double rate)
{
  return c - r / rate;
}

/* Returns the next point to evaluate: first the root of the cubic, then a Newton step with the rate of the
 * cubic, then secant steps. If such a point is outside the bracket, returns the midpoint instead. */
static double next_place(const gradyn_guard_step *g, const bracket *s, int i)
{
  /* every eighth point is the midpoint, so that the bracket always shrinks */
  double c = i == 0 ? guess(g, s->a, s->b)
             : i == 1
                 ? improve(s->last[1], s->r[1], cubic_rate(g, s->last[1] / g->h))
                 : improve(s->last[1], s->r[1], (s->r[1] - s->r[0]) / (s->last[1] - s->last[0]));
  return c > s->a && c < s->b && i % 8 < 7 ? c : (s->a + s->b) / 2;
}

/* Finds the root between a, where the guard is positive, and b, where it is not. */
static gradyn_status narrow(const gradyn_guard_step *g, gradyn_guard_fn value, void *user,
                            bracket *s, double *root)
{
  double least = fabs(s->rb);
  /* the secant method starts with both ends */
  s->last[0] = s->a;
  s->r[0] = s->ra;
  s->last[1] = *root = s->b;
  s->r[1] = s->rb;
  for (int i = 0; i < MOST_ITERATIONS && least > 0; i++) {
    double c = next_place(g, s, i), rc;
    /* closer to each other than two distinguishable times */
    bool settled = fabs(c - *root) <= DBL_EPSILON * (g->t + 2 * g->h);
    if (!(c > s->a && c < s->b) || (i > 0 && settled))
      break;
    GRADYN_TRY(value(user, c, &rc));
    /* c replaces the end with the same sign: r(a) > 0 >= r(b) */
    *(rc > 0 ? &s->a : &s->b) = c;
    *(rc > 0 ? &s->ra : &s->rb) = rc;
    s->last[0] = s->last[1];
    s->r[0] = s->r[1];
    s->last[1] = c;
    s->r[1] = rc;
    /* no improvement, because round-off is reached */
    if (fabs(rc) >= least && i > 4 && i % 8 < 7)
      break;
    if (fabs(rc) < least) {
      least = fabs(rc);
      *root = c;
    }
  }
  return GRADYN_OK;
}

/* For a guard that is zero at the start: finds a point before `end` at which it is positive. Sets *a to
 * this point, or to 0 if there is none, and *ra to the guard there. */
static gradyn_status leave(gradyn_guard_fn value, void *user, double end, double *a, double *ra)
{
  double s = end;
  for (int i = 0; i < HALVINGS; i++) {
    /* the guard must rise before it can fall again: a point of the rise is found by halving */
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
  /* the guard is still falling: becoming positive inside the step is no event */
  if (g->below && !(g->rate[0] > 0))
    return GRADYN_OK;
  if (g->below && !(rb > 0)) { /* below zero at both ends: it may rise above zero and fall again */
    if (!turns(g, -1, &x) || !(cubic(g, x) > g->zero))
      return GRADYN_OK;
    a = x * g->h;
    gradyn_status status = value(user, a, &ra);
    if (status != GRADYN_OK || !(ra > g->zero))
      return status;
  } else if (rb > 0) { /* positive at both ends: it may fall below zero and rise again */
    if (!turns(g, 1, &x) || cubic(g, x) > 0)
      return GRADYN_OK;
    b = x * g->h;
    gradyn_status status = value(user, b, &rb);
    if (status != GRADYN_OK || rb > 0)
      return status;
  }
  /* the guard is not positive at the start: the bracket must begin where it is positive */
  if (g->leaving || !(ra > 0)) {
    GRADYN_TRY(leave(value, user, b, &a, &ra));
    if (a == 0) {
      /* the guard rises, but within this step it cannot be distinguished from zero */
      const bool rises = g->leaving && g->rate[0] > 0 && g->rate[1] > 0;
      *found = rises ? GRADYN_NO_ROOT : GRADYN_STAYS;
      return GRADYN_OK;
    }
  }
  *found = GRADYN_ROOT;
  bracket within = {.a = a, .ra = ra, .b = b, .rb = rb};
  return narrow(g, value, user, &within, s);
}
