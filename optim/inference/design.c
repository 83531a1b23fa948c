/* Criterion of a design, gains of points, polynomials of moving points, rounding to whole measurements. */
#include "optim/inference/design.h"

#include <math.h>
#include <string.h>

#include "core/linear/symmetric.h"

/* M is singular if its smallest eigenvalue is below this part of the largest one. The coordinates are such
 * that the mean of all candidates is the identity; round-off is 1e-16. */
static const double singular = 1e-14;

void gradyn_design_create(gradyn_design *design, size_t m, gradyn_arena *arena)
{
  design->m = m;
  design->inverse = gradyn_arena_numbers(arena, m * m);
  design->K = gradyn_arena_numbers(arena, m * m);
  design->work = gradyn_arena_numbers(arena, m * m + m + GRADYN_SYMMETRIC_WORK(m));
}

/* --- criterion -------------------------------------------------------------------------------- */

double gradyn_design_form(size_t m, const double x[], const double A[], const double y[])
{
  double sum = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      sum += x[i] * A[i * m + j] * y[j];
  return sum;
}

static void fill_information(const gradyn_design *d, double M[])
{
  const size_t m = d->m;
  memcpy(M, d->prior, m * m * sizeof *M);
  for (size_t k = 0; k < d->count; k++) {
    const gradyn_design_point *p = &d->point[k];
    for (size_t i = 0; i < m * m && p->w > 0; i++)
      M[i] += p->w * (p->a[i / m] * p->a[i % m] + (p->b ? p->b[i / m] * p->b[i % m] : 0));
  }
}

/* K = M^-1 C M^-1, f = tr(C M^-1). */
static void sum_variances(gradyn_design *d, double product[])
{
  const size_t m = d->m;
  memset(product, 0, m * m * sizeof *product);
  memset(d->K, 0, m * m * sizeof *d->K);
  d->f = 0;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++) {
      d->f += d->C[i * m + j] * d->inverse[j * m + i];
      for (size_t k = 0; k < m; k++)
        product[i * m + j] += d->inverse[i * m + k] * d->C[k * m + j];
    }
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      for (size_t k = 0; k < m; k++)
        d->K[i * m + j] += product[i * m + k] * d->inverse[k * m + j];
}

bool gradyn_design_evaluate(gradyn_design *d)
{
  const size_t m = d->m;
  double *q = d->work, *l = q + m * m;
  fill_information(d, q);
  if (!gradyn_symmetric_eigen(m, q, l, l + m) || !(l[0] > singular * l[m - 1]))
    return false;
  memset(d->inverse, 0, m * m * sizeof *d->inverse);
  d->f = 0;
  for (size_t k = 0; k < m; k++) {
    d->f -= log(l[k]);
    for (size_t i = 0; i < m * m; i++)
      d->inverse[i] += q[k * m + i / m] * q[k * m + i % m] / l[k];
  }
  if (d->C)
    sum_variances(d, q);
  else
    memcpy(d->K, d->inverse, m * m * sizeof *d->K);
  return isfinite(d->f);
}

double gradyn_design_gain(const gradyn_design *d, const gradyn_design_point *p)
{
  return gradyn_design_form(d->m, p->a, d->K, p->a) +
         (p->b ? gradyn_design_form(d->m, p->b, d->K, p->b) : 0);
}

double gradyn_design_mean(const gradyn_design *d)
{
  double sum = 0;
  for (size_t k = 0; k < d->count; k++)
    if (d->point[k].w > 0)
      sum += d->point[k].w * gradyn_design_gain(d, &d->point[k]);
  return sum;
}

/* --- moving points ---------------------------------------------------------------------------- */

/* Newton's interpolation with divided differences c: p = c_4, then p = p (s - s_k) + c_k, and the
 * derivatives of p likewise. */
void gradyn_design_interpolate(const gradyn_design_point *point, size_t m, double value[],
                               double slope[], double curvature[])
{
  enum { N = GRADYN_DESIGN_NODES };
  for (size_t i = 0; i < m; i++) {
    double c[N], p, first = 0, second = 0;
    for (size_t k = 0; k < N; k++)
      c[k] = point->node[k * m + i];
    for (size_t order = 1; order < N; order++)
      for (size_t k = N - 1; k >= order; k--)
        c[k] = (c[k] - c[k - 1]) / (double)order;
    p = c[N - 1];
    for (size_t k = N - 1; k-- > 0;) {
      const double x = point->s - ((double)k - 2);
      second = second * x + 2 * first;
      first = first * x + p;
      p = p * x + c[k];
    }
    value[i] = p;
    slope[i] = first;
    curvature[i] = second;
  }
}

/* --- whole measurements ----------------------------------------------------------------------- */

/* Returns the point whose number n of repetitions is changed next; w is its optimal weight. With `most`, it
 * has the largest (n - 1)/w; otherwise the smallest n/w. */
static size_t worst(const gradyn_design *d, const size_t times[], bool most)
{
  size_t found = d->count;
  double ratio = 0;
  for (size_t k = 0; k < d->count; k++) {
    const double w = d->point[k].w, own = most ? ((double)times[k] - 1) / w : -(double)times[k] / w;
    if (w > 0 && (found == d->count || own > ratio)) {
      found = k;
      ratio = own;
    }
  }
  return found;
}

void gradyn_design_round(const gradyn_design *d, size_t n, size_t times[])
{
  size_t support = 0, sum = 0;
  for (size_t k = 0; k < d->count; k++)
    support += d->point[k].w > 0;
  for (size_t k = 0; k < d->count; k++) {
    const double share = ((double)n - (double)support / 2) * d->point[k].w;
    times[k] = d->point[k].w > 0 ? (size_t)ceil(share) : 0;
    sum += times[k];
  }
  for (; sum > n; sum--)
    times[worst(d, times, true)]--;
  for (; sum < n; sum++)
    times[worst(d, times, false)]++;
}
