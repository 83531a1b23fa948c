/* Products of matrices in rows of whole lanes with lanes of numbers: what the inverse of a saddle system and
 * its use with a bent mass matrix share. */
#ifndef GRADYN_CORE_SCHUR_KERNELS_H
#define GRADYN_CORE_SCHUR_KERNELS_H

#include "core/linear/rows.h"

/* a.b */
GRADYN_KERNEL void gradyn_schur_dot(const int cols, const double *a, const gradyn_lanes *b,
                                    gradyn_lanes *out)
{
  gradyn_lanes sum = a[0] * b[0];
  for (int k = 1; k < cols; k++)
    sum += a[k] * b[k];
  *out = sum;
}

/* x = A b, A [rows][cols] with rows `stride` apart, two rows at a time. */
GRADYN_KERNEL void gradyn_schur_multiply(const int cols, const int stride, const int rows,
                                         const double *A, const gradyn_lanes *b, gradyn_lanes *x)
{
  /* two sums at a time do not wait for each other */
  int i = 0;
  for (; i + 2 <= rows; i += 2, A += 2 * stride) {
    gradyn_lanes p = A[0] * b[0], q = A[stride] * b[0];
    for (int k = 1; k < cols; k++) {
      p += A[k] * b[k];
      q += A[stride + k] * b[k];
    }
    x[i] = p;
    x[i + 1] = q;
  }
  if (i < rows)
    gradyn_schur_dot(cols, A, b, x + i);
}

/* The same for any number of columns, in pieces of fixed size. */
GRADYN_KERNEL void gradyn_schur_multiply_any(const int cols, const int stride, const int rows,
                                             const double *A, const gradyn_lanes *b,
                                             gradyn_lanes *x)
{
  for (int i = 0; i < rows; i++, A += stride - cols) {
    const gradyn_lanes *from = b;
    int left = cols;
    x[i] = (gradyn_lanes){0};
    for (; left >= 4; left -= 4, A += 4, from += 4) {
      gradyn_lanes part;
      gradyn_schur_dot(4, A, from, &part);
      x[i] += part;
    }
    for (; left > 0; left--, A++, from++)
      x[i] += *A * *from;
  }
}

/* x = A^T z (sign 0), or x += sign A^T z, for `size` neighbouring columns of A, whose sums stay in
 * registers. */
GRADYN_KERNEL void gradyn_schur_pull_piece(const int size, const int sign, const int stride,
                                           const int rows, const double *A, const gradyn_lanes *z,
                                           gradyn_lanes *x)
{
  gradyn_lanes sum[4];
  for (int c = 0; c < size; c++)
    sum[c] = sign == 0 ? (gradyn_lanes){0} : x[c];
  for (int j = 0; j < rows; j++, A += stride)
    for (int c = 0; c < size; c++)
      sum[c] += sign < 0 ? -(A[c] * z[j]) : A[c] * z[j];
  for (int c = 0; c < size; c++)
    x[c] = sum[c];
}

/* The same for all columns. */
GRADYN_KERNEL void gradyn_schur_pull_rows(const int n, const int sign, const int stride,
                                          const int rows, const gradyn_lanes *A,
                                          const gradyn_lanes *z, gradyn_lanes *x)
{
  const double *first = (const double *)A;
  int c = 0;
  for (; c + 4 <= n; c += 4)
    gradyn_schur_pull_piece(4, sign, stride, rows, first + c, z, x + c);
  for (; c + 2 <= n; c += 2)
    gradyn_schur_pull_piece(2, sign, stride, rows, first + c, z, x + c);
  if (c < n)
    gradyn_schur_pull_piece(1, sign, stride, rows, first + c, z, x + c);
}

/* x = A b by one of the two kernels: fixed, n is a constant. */
GRADYN_KERNEL void gradyn_schur_product(const bool fixed, const int n, const int stride,
                                        const int rows, const gradyn_lanes *A,
                                        const gradyn_lanes *b, gradyn_lanes *x)
{
  if (fixed)
    gradyn_schur_multiply(n, stride, rows, (const double *)A, b, x);
  else
    gradyn_schur_multiply_any(n, stride, rows, (const double *)A, b, x);
}

#endif
