/* The mechanism's own factors along its tree, from the leaves to the root, and the loop constraints. With
 * M = L D L^T, the first half of a solve is w = L^-1 b. Then the multipliers follow from
 *
 *   S lam = J M^-1 b - g,   S = J M^-1 J^T,
 *
 * and the second half is y = M^-1 (b - J^T lam). */
#include "dae/linear/dependent.h"
#include "dae/linear/factors_kinds.h"

#include <string.h>

/* Returns the matrix of the loop constraints, which is stored after the mechanism's factors. */
static double *complement_of(const gradyn_factors *s)
{
  return s->own + s->mech->factors.numbers;
}

static gradyn_status factor(gradyn_factors *s, double share)
{
  gradyn_status status = s->mech->ops->factor(s->mech, s->parts.at, s->own, complement_of(s),
                                              &s->weak);
  int row = 0;
  if (status != GRADYN_OK)
    return status;
  status = gradyn_complement_factor(s->mech->factors.rows, share, complement_of(s), &s->least,
                                    &row);
  if (s->mech->factors.rows > 0)
    s->weak = s->n + row;
  return status;
}

gradyn_status gradyn_factors_own(gradyn_factors *s)
{
  return factor(s, 0);
}

gradyn_status gradyn_factors_own_softened(gradyn_factors *s)
{
  return factor(s, gradyn_tiny_share);
}

static void solve_pack(gradyn_factors *s, gradyn_lanes *x, gradyn_lanes *work)
{
  s->mech->ops->enter(s->mech, s->own, x);
  gradyn_complement_solve(s->mech->factors.rows, complement_of(s), x + s->n, work, !s->open);
  s->mech->ops->leave(s->mech, s->own, x);
}

/* Solves for four right-hand sides at a time. S is symmetric, so `transposed` has no effect. */
void gradyn_factors_own_solve(gradyn_factors *s, bool transposed, double *b, int count)
{
  const int size = s->n + s->m;
  (void)transposed;
  for (int k = 0; k < count; k += GRADYN_LANES, b += GRADYN_LANES * size) {
    const int columns = count - k < GRADYN_LANES ? count - k : GRADYN_LANES;
    gradyn_lanes_load(size, columns, b, size, s->packs);
    solve_pack(s, s->packs, s->packs + size);
    gradyn_lanes_store(size, columns, s->packs, b, size);
  }
}

/* x = S^-1 (R; Phi). */
void gradyn_factors_own_correct(gradyn_factors *s, const double *a, double *b)
{
  (void)a; /* unused: b contains M a already */
  gradyn_factors_own_solve(s, false, b, 1);
}

void gradyn_factors_own_lanes(gradyn_factors *s, unsigned what, int columns, const gradyn_lanes *b,
                              gradyn_lanes *x)
{
  const int size = s->n + s->m, rows = what & GRADYN_SOLVE_RATES ? size : s->n;
  (void)columns; /* all columns are in one group of lanes */
  memcpy(x, b, (size_t)rows * sizeof *x);
  memset(x + rows, 0, (size_t)(size - rows) * sizeof *x);
  solve_pack(s, x, s->packs);
  for (int i = 0; i < size && what & GRADYN_SOLVE_MINUS; i++)
    x[i] = -x[i];
}

/* Decides whether loop constraints are dependent, by the smallest pivot. */
bool gradyn_factors_own_dependent(gradyn_factors *s)
{
  return s->kind == GRADYN_FACTORS_TREE && gradyn_dependent_pivot(s->least);
}
