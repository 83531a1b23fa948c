/* With the mean information T of all candidates and the priors, T over the roots of its diagonal D has
 * eigenvalues l and vectors q, which do not depend on units. Direction k is D^-1/2 q_k/sqrt(l_k). */
#include "optim/inference/information.h"

#include <math.h>

#include "core/linear/symmetric.h"
#include "optim/inference/tangent.h"

/* Candidates determine a parameter if its part in each direction without effect is at most this. Parts are
 * exact to the root of round-off. */
static const double no_part = 1e-6;

static void add_square(size_t n, double factor, const double a[], double T[])
{
  for (size_t i = 0; i < n * n && a; i++)
    T[i] += factor * a[i / n] * a[i % n];
}

/* Fills T, divided by the roots of its diagonal, and these roots. */
static void fill_mean(const gradyn_candidate_set *set, double N, double T[], double root[])
{
  const size_t n = set->n;
  for (size_t i = 0; i < n * n; i++)
    T[i] = set->prior[i] / N;
  for (size_t k = 0; k < set->count; k++) {
    add_square(n, 1 / (double)set->count, set->at[k].a, T);
    add_square(n, 1 / (double)set->count, set->at[k].b, T);
  }
  for (size_t i = 0; i < n; i++)
    root[i] = T[i * n + i] > 0 ? sqrt(T[i * n + i]) : 1;
  for (size_t i = 0; i < n * n; i++)
    T[i] /= root[i / n] * root[i % n];
}

/* Adds a direction q without effect to the result. */
static void add_unknown(const gradyn_candidate_set *set, const double q[], const double root[],
                        bool known[], gradyn_experiment *out)
{
  gradyn_undetermined *d = &out->direction[out->directions++];
  double largest = 0;
  for (size_t i = 0; i < set->n; i++)
    largest = fmax(largest, fabs(q[i]));
  d->deviation = HUGE_VAL;
  for (size_t i = 0; i < set->n; i++) {
    known[i] = known[i] && fabs(q[i]) <= no_part;
    if (gradyn_part_is_named(q[i], largest))
      d->change[set->varied[i]] = q[i] / root[i] * set->step[i];
  }
}

/* Transforms the prior and C to the new coordinates. */
static void fill_matrices(const gradyn_candidate_set *set, gradyn_information *s)
{
  const size_t n = s->n, m = s->m;
  for (size_t k = 0; k < m; k++)
    for (size_t h = 0; h < m; h++)
      for (size_t i = 0; i < n; i++) {
        if (s->known[i])
          s->C[k * m + h] += s->V[k * n + i] * s->V[h * n + i];
        for (size_t j = 0; j < n; j++)
          s->prior[k * m + h] += s->V[k * n + i] * set->prior[i * n + j] * s->V[h * n + j];
      }
}

gradyn_status gradyn_information_find(const gradyn_candidate_set *set, double N,
                                      gradyn_arena *arena, gradyn_information *s,
                                      gradyn_experiment *out)
{
  const size_t n = set->n;
  double *q = gradyn_arena_numbers(arena, n * n), *l = gradyn_arena_numbers(arena, n),
         *root = gradyn_arena_numbers(arena, n),
         *work = gradyn_arena_numbers(arena, GRADYN_SYMMETRIC_WORK(n));
  *s = (gradyn_information){.n = n,
                            .V = gradyn_arena_numbers(arena, n * n),
                            .prior = gradyn_arena_numbers(arena, n * n),
                            .C = gradyn_arena_numbers(arena, n * n),
                            .known = gradyn_arena_take(arena, n, sizeof *s->known)};
  GRADYN_TRY(gradyn_arena_status(arena));
  fill_mean(set, N, q, root);
  if (!gradyn_symmetric_eigen(n, q, l, work))
    return GRADYN_NOT_CONVERGED;
  for (size_t i = 0; i < n; i++) {
    s->known[i] = true;
    s->log_det += 2 * log(root[i]);
  }
  for (size_t k = 0; k < n; k++) {
    if (gradyn_direction_vanishes(l[k])) {
      add_unknown(set, q + k * n, root, s->known, out);
      continue;
    }
    for (size_t i = 0; i < n; i++)
      s->V[s->m * n + i] = q[k * n + i] / (root[i] * sqrt(l[k]));
    s->m++;
    s->log_det += log(l[k]);
  }
  fill_matrices(set, s);
  return GRADYN_OK;
}

double *gradyn_information_turn(const gradyn_information *s, const double a[], gradyn_arena *arena)
{
  double *y = a ? gradyn_arena_numbers(arena, s->m) : NULL;
  for (size_t k = 0; k < s->m && y; k++)
    for (size_t i = 0; i < s->n; i++)
      y[k] += s->V[k * s->n + i] * a[i];
  return y;
}
