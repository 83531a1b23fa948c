/* The norm that errors of steps are tested in. IDAS leaves out algebraic states, which follow from others.
 *
 * Where rates enter with a singular matrix, combinations of states are algebraic as well, and no state is by
 * itself. Of errors e of the states, only what no such combination explains has to be small,
 *     |e| = min over a of |W (e - N a)|,   W the weights, columns of N a basis of these combinations,
 * which is never more than |W e|. Voltages behind a capacitor are, for instance, as rough as rates of others:
 * they change with the length and the order of a step far more than errors that go on, and IDAS would fall to
 * steps of the first order that it never leaves again.
 *
 * N stands in the vector that tells which states are differential, behind these, as IDAS hands this vector to
 * the norm: id [n], N [count][n], room [count + 1][n]. */
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

/* In the place of N_VWrmsNormMask(). */
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
    /* W N, one column normal to those before */
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

/* N N^T = P, by the Cholesky factors of P with the largest pivots; P [np][np] is overwritten. */
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

/* Room for id, or for what the norm needs as well. */
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
  NV_Ith_S(s->sun.id, s->ny) = 1; /* the metronome is differential */
  if (count > 0) {
    memcpy(P, system->projector, square * sizeof *P);
    factorise(system, n, P, NV_DATA_S(s->sun.id) + n);
  }
  free(P);
  return GRADYN_OK;
}
