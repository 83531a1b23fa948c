/* Sparsity patterns, by rows. */
#ifndef GRADYN_CORE_PATTERN_H
#define GRADYN_CORE_PATTERN_H

#include <gradyn/base.h>

/* Pattern of a sparse matrix in compressed rows; columns ascend within a row. Rows, columns and entries are
 * indices from 0. */
typedef struct gradyn_pattern {
  int rows, cols, nnz;
  int *start; /* [rows + 1] */
  int *col;   /* [nnz] */
} gradyn_pattern;

/* Creates the pattern [rows][cols] of the entries (row[k], col[k]), k < count; repeated entries count once;
 * *out owns its arrays. Errors: GRADYN_INVALID, an entry lies outside the matrix; GRADYN_NO_MEMORY, without
 * a message. After a failure *out is empty. */
gradyn_status gradyn_pattern_create(int rows, int cols, int count, const int row[], const int col[],
                                    gradyn_pattern *out);

/* Creates the pattern of a full matrix [n][n]; *out owns its arrays. Error: GRADYN_NO_MEMORY; *out is then
 * empty. */
gradyn_status gradyn_pattern_fill(int n, gradyn_pattern *out);

/* Frees the arrays of a pattern, not the pattern itself; NULL: no effect. May be repeated. */
void gradyn_pattern_clear(gradyn_pattern *pattern);

/* Returns the index of entry (row, col) in col and in arrays of values; -1: it is not in the pattern. */
int gradyn_pattern_find(const gradyn_pattern *pattern, int row, int col);

/* Adds alpha A x over the first `rows` rows to y; values [nnz] of A, y [rows], x [cols]. */
void gradyn_pattern_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                             const double *x, double *y);

/* Adds alpha A^T x over the first `rows` rows to y; values [nnz] of A, y [cols], x [rows]. */
void gradyn_pattern_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                        double alpha, const double *x, double *y);

#endif
