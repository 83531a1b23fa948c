/* Block systems of collocation: pattern, values and factors. */
#include "dae/radau/blocks.h"

#include <stdlib.h>

/* Returns whether entry k of block (i, j) is used: on the diagonal, all entries; otherwise those that
 * depend on z. */
static bool has(const gradyn_implicit *model, int i, int j, int k)
{
  return i == j || model->coupled[k];
}

gradyn_status gradyn_blocks_create(const gradyn_implicit *model, int count, gradyn_blocks *s)
{
  const gradyn_pattern *part = &model->pattern;
  const size_t all = (size_t)count * (size_t)count * (size_t)part->nnz + 1;
  LOCAL(gradyn_pattern) pattern = {0};
  *s = (gradyn_blocks){.model = model, .count = count};
  if (part->rows == 0)
    return gradyn_fail(&model->model->message, GRADYN_UNSUPPORTED,
                       "radau needs a state, and this model has none. Use explicit");
  FREED int *row = calloc(2 * all, sizeof *row);
  s->position = calloc(all, sizeof *s->position);
  if (!row || !s->position)
    return GRADYN_NO_MEMORY;
  int *col = row + all, entries = 0;
  for (int block = 0; block < count * count; block++)
    for (int r = 0; r < part->rows; r++)
      for (int k = part->start[r]; k < part->start[r + 1]; k++)
        if (has(model, block / count, block % count, k)) {
          row[entries] = block / count * part->rows + r;
          col[entries++] = block % count * part->rows + part->col[k];
        }
  const int size = count * part->rows;
  GRADYN_TRY(gradyn_pattern_create(size, size, entries, row, col, &pattern));
  for (int block = 0, e = 0; block < count * count; block++)
    for (int k = 0; k < part->nnz; k++) {
      const bool known = has(model, block / count, block % count, k);
      s->position[block * part->nnz + k] = known ? gradyn_pattern_find(&pattern, row[e], col[e])
                                                 : -1;
      e += known;
    }
  return gradyn_linsys_create(&pattern, false, GRADYN_BACKEND_AUTO, &s->system);
}

void gradyn_blocks_clear(gradyn_blocks *s)
{
  gradyn_linsys_free(s->system);
  free(s->position);
  *s = (gradyn_blocks){0};
}

gradyn_status gradyn_blocks_factor(gradyn_blocks *s, double t, double h, const double *A,
                                   const gradyn_implicit_slopes *const *at)
{
  const int nnz = s->model->pattern.nnz, count = s->count;
  double *values = gradyn_linsys_values(s->system);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const int *position = s->position + (i * count + j) * nnz;
      const double b = h * A[i * count + j];
      double square = 0; /* (B^2)_ij */
      for (int l = 0; l < count; l++)
        square += h * A[i * count + l] * (h * A[l * count + j]);
      for (int k = 0; k < nnz; k++)
        if (position[k] >= 0)
          values[position[k]] = (i == j ? at[i]->by_w[k] : 0) + b * at[i]->by_last[k] +
                                square * at[i]->by_first[k];
    }
  gradyn_message *message = &s->model->model->message;
  gradyn_status status = gradyn_linsys_factor(s->system);
  if (status == GRADYN_OK || gradyn_linsys_solver_failed(status, message))
    return status;
  const int unknown = gradyn_linsys_singular_at(s->system);
  return gradyn_fail(message, status, "the equations of a step are %s at t = %g s, near %s",
                     status == GRADYN_SINGULAR ? "singular" : "not finite", t,
                     unknown >= 0 ? s->model->ops->name(s->model, unknown % s->model->nw) : "?");
}
