/* Bounds of path constraints, from their sampled constraints. */
#include <string.h>

#include "optim/program/objective.h"

void gradyn_objective_fill_sides(const gradyn_limit_at at[], size_t count, size_t first,
                                 size_t parameters, double psi[], double gradient[])
{
  for (size_t side = 0; side < first && count > 0; side++) {
    size_t best = count;
    for (size_t i = 0; i < count; i++)
      if (at[i].side == side && (best == count || psi[first + i] > psi[first + best]))
        best = i;
    if (best == count)
      continue;
    psi[side] = psi[first + best];
    if (gradient != NULL)
      memcpy(gradient + side * parameters, gradient + (first + best) * parameters,
             parameters * sizeof *gradient);
  }
}
