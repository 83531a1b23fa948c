/* Sparsity patterns: creation from lists of entries, search, products.
 *
 * Patterns are stored by rows with ascending columns: start [rows + 1], col [nnz]. Entries may be given in
 * any order and more than once. Values are separate arrays in this order, often with one extra entry that
 * receives values outside the pattern. */
#include "core/linear/pattern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An index array of at least one element, so that NULL always means out of memory. */
static int *new_indices(int count)
{
  return calloc((size_t)count + 1, sizeof(int));
}

/* Sorts by counting, and is stable: order[] lists the indices in `from` by ascending key. next [keys + 1]
 * is workspace. */
static void sort_by_key(int count, int keys, const int key[], const int from[], int next[],
                        int order[])
{
  memset(next, 0, ((size_t)keys + 1) * sizeof *next);
  /* counts, then starts, then positions */
  for (int k = 0; k < count; k++)
    next[key[k] + 1]++;
  for (int i = 0; i < keys; i++)
    next[i + 1] += next[i];
  for (int k = 0; k < count; k++)
    order[next[key[from[k]]]++] = from[k];
}

/* Whether all entries lie inside the matrix. */
static bool entries_valid(int rows, int cols, int count, const int row[], const int col[])
{
  if (rows < 0 || cols < 0 || count < 0)
    return false;
  for (int k = 0; k < count; k++)
    if (row[k] < 0 || row[k] >= rows || col[k] < 0 || col[k] >= cols)
      return false;
  return true;
}

/* Copies entries, given by ascending row and column, without repetitions. */
static void compress(int count, const int order[], const int row[], const int col[],
                     gradyn_pattern *out)
{
  int nnz = 0, last = -1;

  for (int k = 0; k < count; k++) {
    int i = row[order[k]], j = col[order[k]];
    if (i == last && out->col[nnz - 1] == j) /* repetitions are adjacent */
      continue;
    out->col[nnz++] = j;
    out->start[i + 1] = nnz;
    last = i;
  }
  /* a row without entries starts where the row before it ends */
  for (int i = 0; i < out->rows; i++)
    if (out->start[i + 1] < out->start[i])
      out->start[i + 1] = out->start[i];
  out->nnz = nnz;
}

gradyn_status gradyn_pattern_create(int rows, int cols, int count, const int row[], const int col[],
                                    gradyn_pattern *out)
{
  gradyn_status status = GRADYN_NO_MEMORY;

  memset(out, 0, sizeof *out);
  if (!entries_valid(rows, cols, count, row, col))
    return GRADYN_INVALID;

  /* workspace and result, allocated together and freed at one point */
  int *list = new_indices(count);                     /* [count], indices as given */
  int *by_col = new_indices(count);                   /* [count], indices sorted by column */
  int *next = new_indices(rows > cols ? rows : cols); /* workspace of the sorting */
  out->rows = rows;
  out->cols = cols;
  out->start = new_indices(rows);
  out->col = new_indices(count);
  if (list && by_col && next && out->start && out->col) {
    /* a sort by column followed by a stable sort by row sorts by both in linear time */
    for (int k = 0; k < count; k++)
      list[k] = k;
    sort_by_key(count, cols, col, list, next, by_col);
    sort_by_key(count, rows, row, by_col, next, list);
    compress(count, list, row, col, out);
    status = GRADYN_OK;
  }

  free(list);
  free(by_col);
  free(next);
  if (status)
    gradyn_pattern_clear(out);
  return status;
}

gradyn_status gradyn_pattern_fill(int n, gradyn_pattern *out)
{
  *out = (gradyn_pattern){.rows = n, .cols = n, .nnz = n * n};
  out->start = new_indices(n + 1);
  out->col = new_indices(n * n);
  if (!out->start || !out->col) {
    gradyn_pattern_clear(out);
    return GRADYN_NO_MEMORY;
  }
  for (int k = 0; k < n * n; k++)
    out->col[k] = k % n;
  for (int i = 0; i <= n; i++)
    out->start[i] = i * n;
  return GRADYN_OK;
}

void gradyn_pattern_clear(gradyn_pattern *pattern)
{
  if (!pattern)
    return;
  free(pattern->start);
  free(pattern->col);
  memset(pattern, 0, sizeof *pattern);
}

/* Finds an entry by binary search in its row, whose columns ascend; -1: no such entry. */
int gradyn_pattern_find(const gradyn_pattern *pattern, int row, int col)
{
  if (row < 0 || row >= pattern->rows)
    return -1;

  int low = pattern->start[row], high = pattern->start[row + 1];
  /* the first column that is not smaller */
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (pattern->col[middle] < col)
      low = middle + 1;
    else
      high = middle;
  }
  return low < pattern->start[row + 1] && pattern->col[low] == col ? low : -1;
}

void gradyn_pattern_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                             const double *x, double *y)
{
  const int *start = A->start, *col = A->col;

  /* A may have more rows */
  for (int i = 0; i < rows; i++) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++)
      sum += values[k] * x[col[k]];
    y[i] += alpha * sum; /* y += alpha A x */
  }
}

void gradyn_pattern_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                        double alpha, const double *x, double *y)
{
  const int *start = A->start, *col = A->col;

  for (int i = 0; i < rows; i++) {
    double scaled = alpha * x[i];
    for (int k = start[i]; k < start[i + 1]; k++)
      y[col[k]] += values[k] * scaled; /* y += alpha A^T x */
  }
}
