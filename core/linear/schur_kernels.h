/* Products of matrices in rows of whole lanes with lanes of numbers. They are used for the inverse of a
 * saddle system and for systems with a modified mass matrix. */
#ifndef GRADYN_CORE_SCHUR_KERNELS_H
#define GRADYN_CORE_SCHUR_KERNELS_H

#include "core/linear/rows.h"

/* Sets *out to the product of a [cols], numbers, and b [cols], lanes. */
GRADYN_KERNEL void gradyn_schur_dot(const int cols, const double *a, const gradyn_lanes *b,
                                    gradyn_lanes *out)
{
  gradyn_lanes sum = a[0] * b[0];
  for (int k = 1; k < cols; k++)
    sum += a[k] * b[k];
  *out = sum;
}

/* Sets x [rows] to A b, b [cols], A [rows][cols] with rows `stride` numbers apart; entries of b and x have
 * `lanes` lanes. Two independent sums run in parallel: those of two rows, or of both lanes of a row. */
GRADYN_KERNEL void gradyn_schur_multiply_lanes(const int lanes, const int cols, const int stride,
                                               const int rows, const double *A,
                                               const gradyn_lanes *b, gradyn_lanes *x)
{
  const int down = lanes == 1 ? stride : 0, aside = lanes == 1 ? 0 : 1;
  int i = 0;
  for (; i + 2 <= lanes * rows; i += 2, A += lanes == 1 ? 2 * stride : stride) {
    gradyn_lanes p = A[0] * b[0], q = A[down] * b[aside];
    int k = 1;
    for (; k + 4 <= cols; k += 4) /* long rows in pieces of fixed size */
      for (int j = k; j < k + 4; j++) {
        p += A[j] * b[lanes * j];
        q += A[down + j] * b[lanes * j + aside];
      }
    for (; k < cols; k++) {
      p += A[k] * b[lanes * k];
      q += A[down + k] * b[lanes * k + aside];
    }
    x[i] = p;
    x[i + 1] = q;
  }
  if (i < lanes * rows)
    gradyn_schur_dot(cols, A, b, x + i);
}

/* Sets x [rows] to A b, b [cols], A [rows][cols] with rows `stride` numbers apart. */
GRADYN_KERNEL void gradyn_schur_multiply(const int cols, const int stride, const int rows,
                                         const double *A, const gradyn_lanes *b, gradyn_lanes *x)
{
  gradyn_schur_multiply_lanes(1, cols, stride, rows, A, b, x);
}

/* Sets x [size] to A^T z (sign 0), or to share x + sign A^T z. A has `size` adjacent columns and `rows`
 * rows, z [rows]; rows are `stride` numbers apart; sums are in registers. Entries of z and x have `lanes`
 * lanes. */
GRADYN_KERNEL void gradyn_schur_pull_piece(const int size, const int lanes, const double share,
                                           const int sign, const int stride, const int rows,
                                           const double *A, const gradyn_lanes *z, gradyn_lanes *x)
{
  gradyn_lanes sum[8];
  for (int c = 0; c < size * lanes; c++)
    sum[c] = sign == 0 ? (gradyn_lanes){0} : share * x[c];
  for (int j = 0; j < rows; j++, A += stride, z += lanes)
    for (int c = 0; c < size; c++)
      for (int h = 0; h < lanes; h++)
        sum[c * lanes + h] += sign < 0 ? -(A[c] * z[h]) : A[c] * z[h];
  for (int c = 0; c < size * lanes; c++)
    x[c] = sum[c];
}

/* Sets x [n] = A^T z (sign 0), or to share x + sign A^T z, for A [rows][n], rows `stride` lanes apart, and
 * z [rows]. Entries of z and x have `lanes` lanes. */
GRADYN_KERNEL void gradyn_schur_pull_lanes(const int lanes, const int n, const double share,
                                           const int sign, const int stride, const int rows,
                                           const gradyn_lanes *A, const gradyn_lanes *z,
                                           gradyn_lanes *x)
{
  const double *first = (const double *)A;
  int c = 0;
  for (; c + 4 <= n; c += 4)
    gradyn_schur_pull_piece(4, lanes, share, sign, stride, rows, first + c, z, x + c * lanes);
  for (; c + 2 <= n; c += 2)
    gradyn_schur_pull_piece(2, lanes, share, sign, stride, rows, first + c, z, x + c * lanes);
  if (c < n)
    gradyn_schur_pull_piece(1, lanes, share, sign, stride, rows, first + c, z, x + c * lanes);
}

/* Sets x [n] = A^T z (sign 0), or to x + sign A^T z, for A [rows][n], rows `stride` lanes apart, and z
 * [rows]. Entries have one lane. */
GRADYN_KERNEL void gradyn_schur_pull_rows(const int n, const int sign, const int stride,
                                          const int rows, const gradyn_lanes *A,
                                          const gradyn_lanes *z, gradyn_lanes *x)
{
  gradyn_schur_pull_lanes(1, n, 1, sign, stride, rows, A, z, x);
}

#endif
