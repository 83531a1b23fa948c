/* Orthonormal basis Q of vectors Q R, which can join and leave.
 *
 * A vector joins by the method of Gram and Schmidt. The method is applied twice, so that the remainder is
 * orthogonal to the basis up to round-off. If a vector leaves, R gets entries below its diagonal. Rotations
 * of neighbouring rows of R, and of the basis vectors, remove them (Daniel, Gragg, Kaufman and Stewart
 * 1976). */
#include "optim/program/basis.h"

#include <math.h>
#include <string.h>

void gradyn_basis_create(gradyn_arena *arena, size_t most, size_t n, gradyn_basis *out)
{
  *out = (gradyn_basis){.most = most,
                        .n = n,
                        .Q = gradyn_arena_numbers(arena, most * n),
                        .R = gradyn_arena_numbers(arena, most * most),
                        .h = gradyn_arena_numbers(arena, most)};
}

static double dot(size_t n, const double a[], const double b[])
{
  double sum = 0;
  for (size_t j = 0; j < n; j++)
    sum += a[j] * b[j];
  return sum;
}

bool gradyn_basis_join(gradyn_basis *b, double v[], double least)
{
  if (b->count == b->most)
    return false;
  double *r = b->R + b->count * b->most, *q = b->Q + b->count * b->n;
  memset(r, 0, b->most * sizeof *r);
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < b->count; k++) {
      b->h[k] = dot(b->n, b->Q + k * b->n, v);
      r[k] += b->h[k];
    }
    for (size_t k = 0; k < b->count; k++)
      for (size_t j = 0; j < b->n; j++)
        v[j] -= b->h[k] * b->Q[k * b->n + j]; /* v = (1 - Q Q^T) v */
  }
  const double left = sqrt(dot(b->n, v, v));
  if (!(left > least))
    return false;
  for (size_t j = 0; j < b->n; j++)
    q[j] = v[j] / left;
  r[b->count++] = left;
  return true;
}

/* Rotates components k and k + 1 of the vectors of R with index >= from, and the basis vectors k and k +
 * 1. Component k + 1 of vector `from` becomes zero. */
static void rotate(gradyn_basis *b, size_t k, size_t from)
{
  const double *first = b->R + from * b->most;
  const double length = hypot(first[k], first[k + 1]);
  const double c = first[k] / length, s = first[k + 1] / length;
  double *q = b->Q + k * b->n, *p = q + b->n;
  for (size_t i = from; i < b->count; i++) {
    double *r = b->R + i * b->most, above = r[k];
    r[k] = c * above + s * r[k + 1];
    r[k + 1] = c * r[k + 1] - s * above;
  }
  for (size_t j = 0; j < b->n; j++) {
    const double above = q[j];
    q[j] = c * above + s * p[j];
    p[j] = c * p[j] - s * above;
  }
}

void gradyn_basis_leave(gradyn_basis *b, size_t k)
{
  b->count--;
  memmove(b->R + k * b->most, b->R + (k + 1) * b->most, (b->count - k) * b->most * sizeof *b->R);
  for (size_t i = k; i < b->count; i++)
    rotate(b, i, i);
}

void gradyn_basis_nearest(const gradyn_basis *b, const double target[], double y[])
{
  for (size_t k = 0; k < b->count; k++)
    y[k] = dot(b->n, b->Q + k * b->n, target);
  for (size_t k = b->count; k-- > 0;) { /* R y = Q^T target */
    const double *r = b->R + k * b->most;
    y[k] /= r[k];
    for (size_t i = 0; i < k; i++)
      y[i] -= r[i] * y[k];
  }
}
