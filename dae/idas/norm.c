/* The norm of errors of steps.
 *
 * The norm of IDAS omits algebraic states, which follow from others. If the matrix of the rates is
 * singular, combinations of states are algebraic too, although no single state is. Of the errors e of the
 * states, only the part outside these combinations counts,
 *     |e| = min over a of |W (e - N a)|,
 * where W are the weights, and the columns of N are a basis of the combinations. This norm is at most |W
 * e|. Example: a voltage after a capacitor depends on rates of other states. Its changes with length and
 * order of a step are far larger than errors that propagate. With the norm of IDAS, steps would therefore
 * stay at first order.
 *
 * IDAS passes the vector of IDASetId() to the norm. Therefore it has further entries: id [n], 1 for
 * differential states; N [count][n]; work memory [count + 1][n]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/idas/idas.h"

/* v -= (b.v) b, |b| = 1. */
static void take_out(int n, const double *b, double *v)
{
  double product = 0;
  for (int i = 0; i < n; i++)
    product += b[i] * v[i];
  for (int i = 0; i < n; i++)
    v[i] -= product * b[i];
}

/* |v|. */
static double length(int n, const double *v)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i] * v[i];
  return sqrt(sum);
}

/* Norm that replaces N_VWrmsNormMask(). mask: the vector of IDASetId() with its further entries. */
static sunrealtype norm(N_Vector x, N_Vector weight, N_Vector mask)
{
  if (NV_LENGTH_S(mask) == NV_LENGTH_S(x))
    return N_VWrmsNormMask_Serial(x, weight, mask);
  const int n = (int)NV_LENGTH_S(x), count = (int)(NV_LENGTH_S(mask) / (2 * n)) - 1;
  const double *id = NV_DATA_S(mask), *N = id + n, *w = NV_DATA_S(weight);
  double *b = NV_DATA_S(mask) + (count + 1) * n, *first = b, *e = b + count * n;
  for (int i = 0; i < n; i++)
    e[i] = id[i] > 0 ? w[i] * NV_Ith_S(x, i) : 0;
  for (int k = 0; k < count; k++, N += n, b += n) {
    /* orthonormal basis of the columns of W N */
    for (int i = 0; i < n; i++)
      b[i] = w[i] * N[i];
    for (const double *before = first; before < b; before += n)
      take_out(n, before, b);
    const double size = length(n, b);
    for (int i = 0; i < n && size > 0; i++)
      b[i] /= size;
    take_out(n, b, e);
  }
  return length(n, e) / sqrt(n);
}

void gradyn_idas_norm_install(gradyn_idas *s)
{
  s->sun.y->ops->nvwrmsnormmask = norm;
}

/* Computes N with N N^T = P, by Cholesky factorisation of P with the largest pivots. Overwrites P [np][np].
 */
static void factorise(const gradyn_index1 *system, int n, double *P, double *N)
{
  const int np = system->np;
  for (int k = 0; k < system->combined; k++, N += n) {
    int most = 0;
    for (int d = 1; d < np; d++)
      if (P[d * np + d] > P[most * np + most])
        most = d;
    const double root = sqrt(P[most * np + most]);
    for (int d = 0; d < np && root > 0; d++)
      N[system->differential[d]] = P[d * np + most] / root;
    for (int d = 0; d < np; d++)
      for (int j = 0; j < np; j++)
        P[d * np + j] -= N[system->differential[d]] * N[system->differential[j]];
  }
}

/* Makes s->sun.id a vector of this size. */
static gradyn_status take_room(gradyn_idas *s, sunindextype size)
{
  if (NV_LENGTH_S(s->sun.id) == size)
    return GRADYN_OK;
  N_Vector id = N_VNew_Serial(size, s->sun.context);
  if (!id)
    return GRADYN_NO_MEMORY;
  N_VDestroy(s->sun.id);
  s->sun.id = id;
  return GRADYN_OK;
}

gradyn_status gradyn_idas_norm_begin(gradyn_idas *s)
{
  const gradyn_index1 *system = s->system;
  const int n = s->ny + 1, count = system->combined;
  const size_t square = (size_t)system->np * (size_t)system->np;
  double *P = calloc(square + 1, sizeof *P);
  if (!P || take_room(s, count > 0 ? (2 * count + 2) * n : n) != GRADYN_OK) {
    free(P);
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for %d states", s->ny);
  }
  N_VConst(0, s->sun.id);
  for (int i = 0; i < s->ny; i++)
    NV_Ith_S(s->sun.id, i) = system->id[i];
  NV_Ith_S(s->sun.id, s->ny) = 1; /* the step-size governor is differential */
  if (count > 0) {
    memcpy(P, system->projector, square * sizeof *P);
    factorise(system, n, P, NV_DATA_S(s->sun.id) + n);
  }
  free(P);
  return GRADYN_OK;
}
