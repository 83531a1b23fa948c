/* Values and gradients of bounds of path constraints, from their samples. */
#include "optim/program/objective.h"

/* Copies a row of gradients to another row, which has at least the entries of the first. */
static void copy_row(const gradyn_entry_row *from, const gradyn_entry_row *to, double gradient[])
{
  size_t next = 0;
  for (size_t k = 0; k < to->count; k++) {
    const bool has = next < from->count &&
                     gradyn_entries_column(from, next) == gradyn_entries_column(to, k);
    gradient[to->first + k] = has ? gradient[from->first + next] : 0;
    next += has;
  }
}

void gradyn_objective_fill_sides(const gradyn_limit_at at[], size_t count, size_t first,
                                 const gradyn_entries *entries, size_t parameters, double psi[],
                                 double gradient[])
{
  for (size_t side = 0; side < first && count > 0; side++) {
    size_t best = count;
    for (size_t i = 0; i < count; i++)
      if (at[i].side == side && (best == count || psi[first + i] > psi[first + best]))
        best = i;
    if (best == count)
      continue;
    psi[side] = psi[first + best];
    if (gradient == NULL)
      continue;
    const gradyn_entry_row from = gradyn_entries_row(entries, parameters, first + best),
                           to = gradyn_entries_row(entries, parameters, side);
    copy_row(&from, &to, gradient);
  }
}
