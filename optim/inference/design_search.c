/* Optimal weights and times of a design.
 *
 * Newton's method for the weights of the support and the times of its moving points. With D_u = dM/du and
 * D_uv = d^2M/(du dv), c = 1 and K = M^-1 for -ln det M, c = 2 and K = M^-1 C M^-1 for tr(C M^-1):
 *
 *   df/du = -tr(K D_u),  d^2f/(du dv) = c tr(K D_u M^-1 D_v) - tr(K D_uv).
 *
 * Between these searches, the candidate with the largest gain joins the support. */
#include <math.h>
#include <string.h>

#include "core/base/owned.h"
#include "core/base/message.h"
#include "core/linear/symmetric.h"
#include "optim/inference/design.h"

/* A direction does not change M if its eigenvalue of the Hessian is below this part of the largest one.
 * Such directions exist if there are more points than entries of M. Round-off is 1e-16. */
static const double no_change = 1e-12;
/* Newton's method ends if the predicted decrease of f is below this part of the mean gain. Weights are then
 * exact to about the root of this number. */
static const double small_decrease = 1e-19;
/* Multiple of the identity that is added to M at the start, so that M is regular. The mean of all
 * candidates is the identity. */
static const double regular = 1e-6;
enum { MOST_STEPS = 60, MOST_HALVINGS = 40, MOST_ROUNDS = 2000 };

typedef struct variable {
  size_t point;
  bool time; /* false: the weight */
} variable;

typedef struct newton {
  gradyn_design *d;
  variable *v;              /* [n] */
  size_t n, weights, most;  /* n variables: first `weights` weights, then times; most: largest n */
  double *g, *H, *step, *l; /* [n], [n][n], [n], [n] */
  double *X, *Y, *D;        /* [n][m][m] K D_u, M^-1 D_u; [m][m] */
  double *value, *slope, *curvature; /* [m] */
  double *before;                    /* [2 points] weights and times */
  double *work;
} newton;

/* --- derivatives ------------------------------------------------------------------------------ */

/* D = dM/du. */
static void differentiate(newton *s, const variable *u)
{
  const size_t m = s->d->m;
  const gradyn_design_point *p = &s->d->point[u->point];
  if (u->time)
    gradyn_design_interpolate(p, m, s->value, s->slope, s->curvature);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      s->D[i * m + j] = u->time ? p->w * (s->slope[i] * p->a[j] + p->a[i] * s->slope[j])
                                : p->a[i] * p->a[j] + (p->b ? p->b[i] * p->b[j] : 0);
}

/* tr(K D_uv). */
static double cross(newton *s, const variable *u, const variable *v)
{
  const size_t m = s->d->m;
  const gradyn_design_point *p = &s->d->point[u->point];
  if (u->point != v->point || !(u->time || v->time))
    return 0;
  gradyn_design_interpolate(p, m, s->value, s->slope, s->curvature);
  if (u->time != v->time)
    return 2 * gradyn_design_form(m, s->slope, s->d->K, p->a);
  return 2 * p->w *
         (gradyn_design_form(m, s->curvature, s->d->K, p->a) +
          gradyn_design_form(m, s->slope, s->d->K, s->slope));
}

/* out [m][m] = A B. */
static void multiply(size_t m, const double A[], const double B[], double out[])
{
  memset(out, 0, m * m * sizeof *out);
  for (size_t i = 0; i < m; i++)
    for (size_t k = 0; k < m; k++)
      for (size_t j = 0; j < m; j++)
        out[i * m + j] += A[i * m + k] * B[k * m + j];
}

/* tr(A B). */
static double trace(size_t m, const double A[], const double B[])
{
  double sum = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      sum += A[i * m + j] * B[j * m + i];
  return sum;
}

/* Fills gradient g and Hessian H of the criterion by all variables, weights and times. */
static void fill_derivatives(newton *s)
{
  const size_t m = s->d->m, n = s->n;
  const double c = s->d->C ? 2 : 1;
  for (size_t u = 0; u < n; u++) {
    differentiate(s, &s->v[u]);
    s->g[u] = -trace(m, s->d->K, s->D);
    multiply(m, s->d->K, s->D, s->X + u * m * m);
    multiply(m, s->d->inverse, s->D, s->Y + u * m * m);
  }
  for (size_t u = 0; u < n; u++)
    for (size_t v = 0; v <= u; v++)
      s->H[u * n + v] = s->H[v * n + u] = c * trace(m, s->X + u * m * m, s->Y + v * m * m) -
                                          cross(s, &s->v[u], &s->v[v]);
}

/* Subtracts the mean over the weights from x, whose entries are `stride` apart. Steps along x then keep the
 * sum of the weights. */
static void project(const newton *s, double x[], size_t stride)
{
  double mean = 0;
  for (size_t u = 0; u < s->weights; u++)
    mean += x[u * stride] / (double)s->weights;
  for (size_t u = 0; u < s->weights; u++)
    x[u * stride] -= mean;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* Chooses the variables: the weights of the support, and the times that can decrease f within their bounds.
 */
static void choose_variables(newton *s)
{
  const gradyn_design *d = s->d;
  s->n = 0;
  for (size_t i = 0; i < d->count; i++)
    if (d->point[i].w > 0 && s->n < s->most / 2)
      s->v[s->n++] = (variable){i, false};
  s->weights = s->n;
  for (size_t i = 0; i < d->count; i++) {
    const gradyn_design_point *p = &d->point[i];
    if (!(p->w > 0) || !p->node || s->n == s->most)
      continue;
    gradyn_design_interpolate(p, d->m, s->value, s->slope, s->curvature);
    const double g = -gradyn_design_form(d->m, s->slope, d->K, p->a);
    if ((g < 0 && p->s < p->upper) || (g > 0 && p->s > p->lower))
      s->v[s->n++] = (variable){i, true};
  }
}

/* Fills the step and the predicted change of f. Eigenvalues of the Hessian are replaced by their absolute
 * values, so that f decreases also along directions of negative curvature. */
static bool find_step(newton *s, double *change)
{
  choose_variables(s);
  fill_derivatives(s);
  project(s, s->g, 1);
  for (size_t u = 0; u < s->n; u++)
    project(s, s->H + u, s->n);
  for (size_t u = 0; u < s->n; u++)
    project(s, s->H + u * s->n, 1);
  if (!gradyn_symmetric_eigen(s->n, s->H, s->l, s->work))
    return false;
  const double largest = fmax(fabs(s->l[0]), fabs(s->l[s->n - 1]));
  memset(s->step, 0, s->n * sizeof *s->step);
  *change = 0;
  for (size_t k = 0; k < s->n; k++) {
    const double *q = s->H + k * s->n;
    double along = 0;
    for (size_t u = 0; u < s->n; u++)
      along += q[u] * s->g[u];
    if (fabs(s->l[k]) <= no_change * largest)
      continue;
    *change -= along * along / fabs(s->l[k]);
    for (size_t u = 0; u < s->n; u++)
      s->step[u] -= q[u] * along / fabs(s->l[k]);
  }
  return true;
}

/* Sets the variables to their values before the step plus `part` of the step. */
static void go(newton *s, double part)
{
  for (size_t u = 0; u < s->n; u++) {
    gradyn_design_point *p = &s->d->point[s->v[u].point];
    const double *before = s->before + 2 * s->v[u].point;
    if (s->v[u].time) {
      p->s = fmin(fmax(before[1] + part * s->step[u], p->lower), p->upper);
      gradyn_design_interpolate(p, s->d->m, p->a, s->slope, s->curvature);
    } else {
      p->w = before[0] + part * s->step[u];
      if (p->w < 1e-15)
        p->w = 0;
    }
  }
}

/* Largest part of the step, at most 1, with weights that are not negative. */
static double largest_part(const newton *s)
{
  double part = 1;
  for (size_t u = 0; u < s->weights; u++)
    if (s->step[u] < 0)
      part = fmin(part, -s->d->point[s->v[u].point].w / s->step[u]);
  return part;
}

/* A step of Newton's method. Returns whether f may decrease further. */
static bool advance(newton *s)
{
  gradyn_design *d = s->d;
  double change, f = d->f;
  const double scale = gradyn_design_mean(d);
  if (!find_step(s, &change) || -change <= small_decrease * scale)
    return false;
  for (size_t i = 0; i < d->count; i++) {
    s->before[2 * i] = d->point[i].w;
    s->before[2 * i + 1] = d->point[i].s;
  }
  double part = largest_part(s);
  for (int k = 0; k < MOST_HALVINGS; k++, part /= 2) {
    go(s, part);
    /* near the minimum, round-off hides the decrease */
    if (gradyn_design_evaluate(d) && d->f <= f + 1e-14 * scale)
      return true;
  }
  go(s, 0);
  (void)gradyn_design_evaluate(d);
  return false;
}

/* --- weights ---------------------------------------------------------------------------------- */

static size_t largest_gain(const gradyn_design *d)
{
  size_t found = 0;
  double most = -1;
  for (size_t i = 0; i < d->count; i++) {
    const double gain = gradyn_design_gain(d, &d->point[i]);
    found = gain > most ? i : found;
    most = fmax(gain, most);
  }
  return found;
}

/* Starts with m points. Each is the candidate that adds most to ln det M. */
static bool start(newton *s)
{
  gradyn_design *d = s->d, first = *d;
  const size_t m = d->m;
  memcpy(s->D, d->prior, m * m * sizeof *s->D);
  for (size_t i = 0; i < m; i++)
    s->D[i * m + i] += regular;
  first.prior = s->D;
  first.C = NULL;
  for (size_t i = 0; i < d->count; i++)
    d->point[i].w = 0;
  for (size_t k = 0; k < m && gradyn_design_evaluate(&first); k++)
    d->point[largest_gain(&first)].w += 1 / (double)m;
  return gradyn_design_evaluate(d);
}

/* Moves a part of all weights to point i. The part is the best one of 1/2, 1/4, ... */
static bool exchange(newton *s, size_t i)
{
  gradyn_design *d = s->d;
  double f = d->f, best = 0;
  for (size_t k = 0; k < d->count; k++)
    s->before[2 * k] = d->point[k].w;
  double part = 0.5;
  for (int tried = 0; tried <= MOST_HALVINGS; tried++, part /= 2) {
    for (size_t k = 0; k < d->count; k++)
      d->point[k].w = (1 - part) * s->before[2 * k] + (k == i ? part : 0);
    if (!gradyn_design_evaluate(d) || d->f >= f) {
      if (best > 0)
        break;
      continue;
    }
    f = d->f;
    best = part;
  }
  for (size_t k = 0; k < d->count; k++)
    d->point[k].w = (1 - best) * s->before[2 * k] + (k == i ? best : 0);
  return gradyn_design_evaluate(d) && best > 0;
}

/* Optimises the weights by Newton's method. The candidate with the largest gain then takes weight from the
 * others, and the method is repeated until no gain exceeds the mean. */
static gradyn_status weigh(newton *s)
{
  gradyn_design *d = s->d;
  if (!start(s))
    return GRADYN_NOT_CONVERGED;
  for (int round = 0; round < MOST_ROUNDS; round++) {
    for (int k = 0; k < MOST_STEPS && advance(s); k++)
      continue;
    const size_t i = largest_gain(d);
    if (!exchange(s, i))
      return GRADYN_OK;
  }
  return GRADYN_OK;
}

static gradyn_status move(newton *s)
{
  if (!gradyn_design_evaluate(s->d))
    return GRADYN_NOT_CONVERGED;
  for (int k = 0; k < MOST_STEPS && advance(s); k++)
    continue;
  return GRADYN_OK;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* An optimum needs at most m (m + 1)/2 weights. Allocates for twice as many, and for a time with each. */
static gradyn_status allocate(newton *s, gradyn_arena *arena)
{
  const size_t m = s->d->m, count = s->d->count, most = m * (m + 1) + 2,
               n = 2 * (count < most ? count : most);
  s->most = n;
  s->v = gradyn_arena_take(arena, n, sizeof *s->v);
  s->g = gradyn_arena_numbers(arena, n);
  s->H = gradyn_arena_numbers(arena, n * n);
  s->step = gradyn_arena_numbers(arena, n);
  s->l = gradyn_arena_numbers(arena, n);
  s->X = gradyn_arena_numbers(arena, n * m * m);
  s->Y = gradyn_arena_numbers(arena, n * m * m);
  s->D = gradyn_arena_numbers(arena, m * m);
  s->value = gradyn_arena_numbers(arena, m);
  s->slope = gradyn_arena_numbers(arena, m);
  s->curvature = gradyn_arena_numbers(arena, m);
  s->before = gradyn_arena_numbers(arena, 2 * count);
  s->work = gradyn_arena_numbers(arena, GRADYN_SYMMETRIC_WORK(n));
  return gradyn_arena_status(arena);
}

static gradyn_status call(gradyn_design *design, gradyn_status (*function)(newton *s))
{
  LOCAL(gradyn_arena) arena = {0};
  newton s = {.d = design};
  GRADYN_TRY(allocate(&s, &arena));
  return function(&s);
}

gradyn_status gradyn_design_weigh(gradyn_design *design)
{
  return call(design, weigh);
}

gradyn_status gradyn_design_move(gradyn_design *design)
{
  return call(design, move);
}
