/* The saddle matrix of constrained dynamics: its pattern, and maps that fill it.
 *
 * The matrix is [A, U^T; J, -D] with A in the pattern dyn, U and J in jac, and D diagonal. Filling copies
 * values through maps that are created once. `part` selects the entries of dyn that are used if A is M
 * alone, which is much sparser than K. */
#include "core/linear/saddle.h"

#include "core/base/message.h"

/* Lists the entries of all blocks in sequence: A, J1^T, J2, D. */
static void list_entries(const gradyn_pattern *dyn, const bool *part, const gradyn_pattern *jac,
                         int m, int row[], int col[])
{
  int n = dyn->rows, count = 0, nj = jac->start[m];

  for (int i = 0; i < n; i++)
    /* A by rows; an omitted entry is replaced by the diagonal one, so that positions stay the same */
    for (int k = dyn->start[i]; k < dyn->start[i + 1]; k++, count++) {
      row[count] = i;
      col[count] = part && !part[k] ? i : dyn->col[k];
    }
  for (int i = 0; i < m; i++)
    for (int k = jac->start[i]; k < jac->start[i + 1]; k++, count++) {
      /* J1 [m x n], whose transpose is the upper right block, and J2 of the same pattern in the lower left */
      row[count] = col[count + nj] = jac->col[k];
      col[count] = row[count + nj] = n + i;
    }
  count += nj; /* the loop above wrote two blocks at once */
  /* D is present even if zero, so that the system can be regularised with the same pattern */
  for (int i = 0; i < m; i++, count++)
    row[count] = col[count] = n + i;
}

/* Maps omitted entries of A to the extra entry after the values. */
static void leave_out(gradyn_saddle *saddle, const gradyn_pattern *pattern, const bool *part)
{
  for (int k = 0; k < saddle->dyn_nnz && part; k++)
    if (!part[k])
      saddle->dyn[k] = pattern->nnz;
}

/* Finds the positions of entries [first, first + count) of the lists in the whole pattern. */
static int *new_map(gradyn_arena *arena, const gradyn_pattern *pattern, int first, int count,
                    const int row[], const int col[])
{
  int *map = gradyn_arena_take(arena, (size_t)count, sizeof *map);

  for (int k = 0; map && k < count; k++)
    map[k] = gradyn_pattern_find(pattern, row[first + k], col[first + k]);
  return map;
}

/* Makes the maps: positions of A, U^T, J and D in the values of the whole matrix. */
static gradyn_status make_maps(gradyn_saddle *saddle, const gradyn_pattern *pattern,
                               const bool *part, const int row[], const int col[])
{
  int na = saddle->dyn_nnz, nj = saddle->jac_nnz;
  gradyn_arena *arena = &saddle->arena;

  /* A, J^T, J and the diagonal, in the order of list_entries() */
  saddle->dyn = new_map(arena, pattern, 0, na, row, col);
  saddle->upper = new_map(arena, pattern, na, nj, row, col);
  saddle->lower = new_map(arena, pattern, na + nj, nj, row, col);
  saddle->diagonal = new_map(arena, pattern, na + 2 * nj, saddle->m, row, col);
  GRADYN_TRY(gradyn_arena_status(arena));
  leave_out(saddle, pattern, part);
  return GRADYN_OK;
}

/* Makes one pattern that contains both triangles. Maps give the position of each entry of A, J1, J2 or D in
 * constant time. */
gradyn_status gradyn_saddle_lay_out(const gradyn_pattern *dyn, const bool *part,
                                    const gradyn_pattern *jac, int m, gradyn_saddle *out,
                                    gradyn_pattern *pattern)
{
  gradyn_arena lists = {0};

  *out = (gradyn_saddle){0};
  *pattern = (gradyn_pattern){0};
  /* J may have more rows than are active; its columns belong to A */
  if (dyn->rows != dyn->cols || jac->cols != dyn->cols || m < 0 || m > jac->rows)
    return GRADYN_INVALID;
  out->n = dyn->rows;
  out->m = m;
  out->dyn_nnz = dyn->nnz;
  out->jac_nnz = jac->start[m];

  int count = out->dyn_nnz + 2 * out->jac_nnz + m, size = out->n + m; /* A; J1^T and J2; D */
  int *row = gradyn_arena_take(&lists, (size_t)count, sizeof *row);
  int *col = gradyn_arena_take(&lists, (size_t)count, sizeof *col);
  gradyn_status status = gradyn_arena_status(&lists);
  if (!status) {
    list_entries(dyn, part, jac, m, row, col);
    status = gradyn_pattern_create(size, size, count, row, col, pattern);
  }
  if (!status)
    status = make_maps(out, pattern, part, row, col);
  gradyn_arena_clear(&lists);
  return status;
}

gradyn_status gradyn_saddle_create(const gradyn_pattern *dyn, const bool *part,
                                   const gradyn_pattern *jac, int m, gradyn_backend backend,
                                   gradyn_saddle *out)
{
  gradyn_pattern pattern;
  gradyn_status status = gradyn_saddle_lay_out(dyn, part, jac, m, out, &pattern);
  if (!status)
    /* without constraints no diagonal entry is zero */
    status = gradyn_linsys_create(&pattern, m == 0, backend, &out->system);
  gradyn_pattern_clear(&pattern);
  if (status)
    gradyn_saddle_clear(out);
  else
    out->values = gradyn_linsys_values(out->system);
  return status;
}

void gradyn_saddle_clear(gradyn_saddle *saddle)
{
  if (!saddle)
    return;
  gradyn_linsys_free(saddle->system);
  gradyn_arena_clear(&saddle->arena);
  *saddle = (gradyn_saddle){0};
}

/* Fills the values; only these change from step to step. */
void gradyn_saddle_fill(gradyn_saddle *saddle, const double *A, const double *upper,
                        const double *lower, double d)
{
  double *restrict values = saddle->values;

  for (int k = 0; k < saddle->dyn_nnz; k++)
    /* A, then J1^T and J2, then D = d I; each value is written once */
    values[saddle->dyn[k]] = A[k];
  for (int k = 0; k < saddle->jac_nnz; k++) {
    values[saddle->upper[k]] = upper[k];
    values[saddle->lower[k]] = lower[k];
  }
  for (int i = 0; i < saddle->m; i++)
    values[saddle->diagonal[i]] = d;
}

void gradyn_saddle_soften(gradyn_saddle *saddle, double share, const double *size)
{
  for (int i = 0; i < saddle->m; i++)
    /* size_i^2: the diagonal of J W^-1 J^T, see core/mech/size.h */
    saddle->values[saddle->diagonal[i]] = -share * size[i] * size[i];
}
