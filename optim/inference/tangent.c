/* Null space of active constraints, by eigenvectors of the sum of a a^T over their gradients a. */
#include "optim/inference/tangent.h"

#include <math.h>
#include <string.h>

#include "core/linear/symmetric.h"

/* A direction satisfies all active constraints if its eigenvalue of the sum of a a^T is below this; a are
 * their gradients, of length one. Round-off is 1e-16. */
static const double satisfied = 1e-10;

/* A direction has no effect on the fit if its eigenvalue l is below this. If only the product of two
 * parameters matters, and residuals have rtol 1e-9, l is 1e-17. Round-off of M gives 1e-16. */
static const double no_effect = 1e-13;
/* A parameter is named with a direction if its part exceeds this share of the largest part. */
static const double small_part = 0.1;

/* A parameter is not at a bound if its distance from it is larger than this part of its range, or, without
 * a range, of its unit. Ipopt ends boehm-stat5 at 7e-6 from the upper bound of lg_k_imp_homo, since the
 * multiplier is 5e-5. */
static const double near = 1e-3;

/* Whether a parameter at this distance from a bound, with the slope g away from it, is at the bound. */
static bool is_at(double distance, double range, double g, double curvature)
{
  return distance <= near * (isfinite(range) ? range : 1) &&
         (distance <= 0 || (g > 0 && g >= curvature * distance));
}

void gradyn_sides_find(const gradyn_program *program, const gradyn_scores *scores, const double Z[],
                       size_t m, const double x[], gradyn_bound_side side[])
{
  const size_t n = program->n;
  for (size_t j = 0; j < n; j++) {
    const double range = program->upper[j] - program->lower[j], A = scores->A[j * n + j];
    double g = 0; /* component j of Z Z^T g */
    for (size_t k = 0; k < m; k++)
      for (size_t i = 0; i < n; i++)
        g += Z[j * n + k] * Z[i * n + k] * scores->g[i];
    side[j] = is_at(x[j] - program->lower[j], range, g, A)    ? -1
              : is_at(program->upper[j] - x[j], range, -g, A) ? 1
                                                              : 0;
  }
}

/* Adds a a^T to N, where a is the gradient of an active constraint by the parameters within their bounds,
 * scaled to length one. */
static void add_row(const gradyn_program *program, const gradyn_trial *point, size_t row,
                    const gradyn_bound_side side[], double a[], double N[])
{
  const size_t n = program->n;
  double length = 0;
  memset(a, 0, n * sizeof *a);
  gradyn_program_add_gradient(program, program->rows[row].functional, 1, point->gradient, a);
  for (size_t i = 0; i < n; i++) {
    a[i] = side[i] == 0 ? a[i] : 0;
    length += a[i] * a[i];
  }
  for (size_t i = 0; i < n && length > 0; i++)
    for (size_t j = 0; j < n; j++)
      N[i * n + j] += a[i] * a[j] / length;
}

gradyn_status gradyn_tangent_find(const gradyn_program *program, const gradyn_trial *point,
                                  const gradyn_bound_side side[], gradyn_arena *arena, double Z[],
                                  size_t *m)
{
  const size_t n = program->n;
  double *N = gradyn_arena_numbers(arena, n * n), *value = gradyn_arena_numbers(arena, 2 * n);
  double *work = gradyn_arena_numbers(arena, GRADYN_SYMMETRIC_WORK(n));
  GRADYN_TRY(gradyn_arena_status(arena));
  /* a parameter at a bound is an active row of its own */
  for (size_t i = 0; i < n; i++)
    N[i * n + i] = side[i] != 0;
  for (size_t row = 0; row < program->row_count; row++)
    if (row < program->equality_count ||
        gradyn_program_row(program, row, point->psi) >= -program->rows[row].tolerance)
      add_row(program, point, row, side, value + n, N);
  if (!gradyn_symmetric_eigen(n, N, value, work))
    return GRADYN_NOT_CONVERGED;
  for (*m = 0; *m < n && value[*m] <= satisfied; ++*m)
    for (size_t i = 0; i < n; i++)
      Z[i * n + *m] = N[*m * n + i];
  return GRADYN_OK;
}

bool gradyn_direction_vanishes(double l)
{
  return l <= no_effect;
}

bool gradyn_part_is_named(double part, double largest)
{
  return fabs(part) > small_part * largest;
}
