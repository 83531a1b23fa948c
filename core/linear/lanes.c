/* Sparse products with four vectors at once.
 *
 * Columns of the coordinates of a point, and of neighbouring points, are adjacent in a row. Products
 * process such runs in pieces of fixed size, whose loops compilers unroll. If registers are narrower than
 * lanes, compilers keep loop variables in memory. */
#include "core/linear/lanes.h"

#include <stdbool.h>
#include <string.h>

gradyn_lanes *gradyn_lanes_create(size_t count)
{
  /* one more, so that the size is never zero */
  size_t size = (count + 1) * sizeof(gradyn_lanes);
  gradyn_lanes *lanes = aligned_alloc(sizeof(gradyn_lanes), size);
  if (lanes)
    memset(lanes, 0, size);
  return lanes;
}

void gradyn_lanes_clear(int count, gradyn_lanes *x)
{
  memset(x, 0, (size_t)count * sizeof *x);
}

/* --- Copies ------------------------------------------------------------------------------------- */

/* Calls a kernel with a constant number of columns, so that the compiler removes the others. */
#define BY_COLUMNS(columns, kernel, ...)                                                           \
  switch (columns) {                                                                               \
  case 1:                                                                                          \
    kernel(1, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  case 2:                                                                                          \
    kernel(2, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  case 3:                                                                                          \
    kernel(3, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  default:                                                                                         \
    kernel(4, __VA_ARGS__);                                                                        \
    break;                                                                                         \
  }

GRADYN_KERNEL void load_kernel(const int columns, int count, const double *restrict from,
                               ptrdiff_t stride, gradyn_lanes *restrict to)
{
  /* missing columns alias the one before; they are not read */
  const double *a = from, *b = a + (columns > 1) * stride, *c = b + (columns > 2) * stride,
               *d = c + (columns > 3) * stride;
  for (int i = 0; i < count; i++)
    to[i] = (gradyn_lanes){a[i], columns > 1 ? b[i] : 0, columns > 2 ? c[i] : 0,
                           columns > 3 ? d[i] : 0};
}

GRADYN_KERNEL void store_kernel(const int columns, int count, const gradyn_lanes *restrict from,
                                double *restrict to, ptrdiff_t stride)
{
  /* missing columns alias the one before: addresses need no branch */
  double *a = to, *b = a + (columns > 1) * stride, *c = b + (columns > 2) * stride,
         *d = c + (columns > 3) * stride;
  for (int i = 0; i < count; i++) {
    const gradyn_lanes x = from[i];
    a[i] = x[0];
    if (columns > 1)
      b[i] = x[1];
    if (columns > 2)
      c[i] = x[2];
    if (columns > 3)
      d[i] = x[3];
  }
}

GRADYN_WIDE static void load_lanes(int count, int columns, const double *restrict from, int stride,
                                   gradyn_lanes *restrict to)
{
  BY_COLUMNS(columns, load_kernel, count, from, stride, to);
}

GRADYN_WIDE static void store_lanes(int count, int columns, const gradyn_lanes *from, double *to,
                                    int stride)
{
  BY_COLUMNS(columns, store_kernel, count, from, to, stride);
}

GRADYN_WIDE static void part_packs(int count, const gradyn_lanes *both, gradyn_lanes *first,
                                   gradyn_lanes *second)
{
  for (int i = 0; i < count; i++) {
    first[i] = both[2 * i];
    second[i] = both[2 * i + 1];
  }
}

GRADYN_WIDE static void join_packs(int count, const gradyn_lanes *first, const gradyn_lanes *second,
                                   gradyn_lanes *both)
{
  for (int i = 0; i < count; i++) {
    both[2 * i] = first[i];
    both[2 * i + 1] = second[i];
  }
}

/* --- Products ----------------------------------------------------------------------------------- */

/* Whether `count` ascending columns from col[0] are adjacent. */
GRADYN_KERNEL bool follow(const int *col, int count)
{
  return col[count - 1] - col[0] == count - 1;
}

/* y += a f, for entries of `lanes` lanes. */
GRADYN_KERNEL void add_kernel(const int size, const int lanes, const double *a,
                              const gradyn_lanes *f, gradyn_lanes *y)
{
  for (int c = 0; c < size; c++)
    for (int h = 0; h < lanes; h++)
      y[c * lanes + h] += a[c] * f[h];
}

/* y += alpha A^T x for lanes, row by row: adjacent columns are contiguous vectors in memory. */
GRADYN_KERNEL void transposed_kernel(const int lanes, const gradyn_pattern *A, int rows,
                                     const double *values, double alpha, const gradyn_lanes *x,
                                     gradyn_lanes *y)
{
  /* col and values advance along the rows, in pieces of 4, 2 and 1 adjacent columns */
  const int *row = A->start, *col = A->col;
  for (const gradyn_lanes *last = x + rows * lanes; x < last; x += lanes, row++) {
    gradyn_lanes f[2]; /* A^T x adds row i times x_i */
    for (int h = 0; h < lanes; h++)
      f[h] = alpha * x[h];
    int left = row[1] - row[0];
    for (; left >= 4 && follow(col, 4); left -= 4, col += 4, values += 4)
      add_kernel(4, lanes, values, f, y + *col * lanes);
    for (; left >= 2 && follow(col, 2); left -= 2, col += 2, values += 2)
      add_kernel(2, lanes, values, f, y + *col * lanes);
    for (; left > 0; left--, col++, values++)
      add_kernel(1, lanes, values, f, y + *col * lanes);
  }
}

GRADYN_WIDE static void add_transposed_product(int lanes, const gradyn_pattern *A, int rows,
                                               const double *values, double alpha,
                                               const gradyn_lanes *x, gradyn_lanes *y)
{
  if (lanes == 1)
    transposed_kernel(1, A, rows, values, alpha, x, y);
  else
    transposed_kernel(2, A, rows, values, alpha, x, y);
}

/* y += alpha a.x, for entries of `lanes` lanes. */
GRADYN_KERNEL void dot_kernel(const int size, const int lanes, double alpha, const double *a,
                              const gradyn_lanes *x, gradyn_lanes *y)
{
  for (int h = 0; h < lanes; h++) {
    gradyn_lanes sum = a[0] * x[h];
    for (int c = 1; c < size; c++)
      sum += a[c] * x[c * lanes + h];
    y[h] += alpha * sum;
  }
}

/* y += alpha A x for lanes. */
GRADYN_KERNEL void product_kernel(const int lanes, const gradyn_pattern *A, int rows,
                                  const double *values, double alpha, const gradyn_lanes *x,
                                  gradyn_lanes *y)
{
  const int *row = A->start, *col = A->col;
  /* pieces as in transposed_kernel(); each adds its part of the row's product to y */
  for (const gradyn_lanes *last = y + rows * lanes; y < last; y += lanes, row++) {
    int left = row[1] - row[0];
    for (; left >= 4 && follow(col, 4); left -= 4, col += 4, values += 4)
      dot_kernel(4, lanes, alpha, values, x + *col * lanes, y);
    for (; left >= 2 && follow(col, 2); left -= 2, col += 2, values += 2)
      dot_kernel(2, lanes, alpha, values, x + *col * lanes, y);
    for (; left > 0; left--, col++, values++)
      dot_kernel(1, lanes, alpha, values, x + *col * lanes, y);
  }
}

GRADYN_WIDE static void add_product(int lanes, const gradyn_pattern *A, int rows,
                                    const double *values, double alpha, const gradyn_lanes *x,
                                    gradyn_lanes *y)
{
  if (lanes == 1)
    product_kernel(1, A, rows, values, alpha, x, y);
  else
    product_kernel(2, A, rows, values, alpha, x, y);
}

/* Adds the squares of `size` entries to *sum. Partial sums are added in memory, as in the products. */
GRADYN_KERNEL void squares_kernel(const int size, const gradyn_lanes *x, gradyn_lanes *sum)
{
  gradyn_lanes part = x[0] * x[0];
  for (int c = 1; c < size; c++)
    part += x[c] * x[c];
  *sum += part;
}

GRADYN_WIDE static void sum_squares(int count, const gradyn_lanes *x, gradyn_lanes *sum)
{
  *sum = (gradyn_lanes){0};
  for (; count >= 4; count -= 4, x += 4)
    squares_kernel(4, x, sum);
  for (; count > 0; count--, x++)
    squares_kernel(1, x, sum);
}

/* --- Sums --------------------------------------------------------------------------------------- */

/* Four numbers at any address. */
typedef double quadruple __attribute__((vector_size(32), aligned(8), may_alias));

/* y = from + sum of weight_k x_k for `size` entries from `first` onwards. */
GRADYN_KERNEL void sum_kernel(const int size, int first, int terms, const double *weight,
                              const gradyn_lanes *const *x, const gradyn_lanes *from,
                              gradyn_lanes *y)
{
  gradyn_lanes sum[8]; /* in registers over all terms: y is written once */
  for (int c = 0; c < size; c++)
    sum[c] = from[first + c];
  for (int k = 0; k < terms; k++)
    for (int c = 0; c < size; c++)
      sum[c] += weight[k] * x[k][first + c];
  for (int c = 0; c < size; c++)
    y[first + c] = sum[c];
}

GRADYN_WIDE static void sum_lanes(int terms, const double *weight, const gradyn_lanes *const *x,
                                  int count, const gradyn_lanes *from, gradyn_lanes *y)
{
  int i = 0;
  for (; i + 8 <= count; i += 8)
    sum_kernel(8, i, terms, weight, x, from, y);
  for (; i + 4 <= count; i += 4)
    sum_kernel(4, i, terms, weight, x, from, y);
  for (; i < count; i++)
    sum_kernel(1, i, terms, weight, x, from, y);
}

/* y += sum_k weight_k x_k, four numbers at a time, for stages of an explicit method. */
GRADYN_WIDE static void sum_numbers(int terms, const double *weight, const double *const *x,
                                    int count, double *y)
{
  int i = 0;
  for (; i + 4 <= count; i += 4) {
    quadruple sum = *(const quadruple *)(y + i);
    for (int k = 0; k < terms; k++)
      sum += weight[k] * *(const quadruple *)(x[k] + i);
    *(quadruple *)(y + i) = sum;
  }
  for (; i < count; i++)
    for (int k = 0; k < terms; k++)
      y[i] += weight[k] * x[k][i];
}

/* --- Interface ---------------------------------------------------------------------------------- */

void gradyn_lanes_load(int count, int columns, const double *from, int stride, gradyn_lanes *to)
{
  load_lanes(count, columns, from, stride, to);
}

void gradyn_lanes_store(int count, int columns, const gradyn_lanes *from, double *to, int stride)
{
  store_lanes(count, columns, from, to, stride);
}

void gradyn_lanes_split(int count, const gradyn_lanes *both, gradyn_lanes *first,
                        gradyn_lanes *second)
{
  part_packs(count, both, first, second);
}

void gradyn_lanes_join(int count, const gradyn_lanes *first, const gradyn_lanes *second,
                       gradyn_lanes *both)
{
  join_packs(count, first, second, both);
}

void gradyn_lane_get(const gradyn_lanes *packs, int count, int j, double *column)
{
  const double *lane = gradyn_lane(packs, count, j);
  for (int i = 0; i < count; i++)
    column[i] = lane[i * GRADYN_LANES];
}

void gradyn_lane_put(const double *column, int count, int j, gradyn_lanes *packs)
{
  double *lane = gradyn_lane(packs, count, j);
  for (int i = 0; i < count; i++)
    lane[i * GRADYN_LANES] = column[i];
}

void gradyn_lanes_multiply_transposed(const gradyn_pattern *A, int rows, const double *values,
                                      double alpha, const gradyn_lanes *x, gradyn_lanes *y)
{
  add_transposed_product(1, A, rows, values, alpha, x, y);
}

void gradyn_lanes_multiply(const gradyn_pattern *A, int rows, const double *values, double alpha,
                           const gradyn_lanes *x, gradyn_lanes *y)
{
  add_product(1, A, rows, values, alpha, x, y);
}

void gradyn_lanes_subtract(int lanes, bool transposed, const gradyn_pattern *A, int rows,
                           const double *values, const gradyn_lanes *x, gradyn_lanes *y)
{
  if (transposed)
    add_transposed_product(lanes, A, rows, values, -1, x, y);
  else
    add_product(lanes, A, rows, values, -1, x, y);
}

void gradyn_lanes_squares(int count, const gradyn_lanes *x, gradyn_lanes *out)
{
  sum_squares(count, x, out);
}

void gradyn_lanes_add(int terms, const double *weight, const gradyn_lanes *const *x, int count,
                      const gradyn_lanes *from, gradyn_lanes *y)
{
  sum_lanes(terms, weight, x, count, from, y);
}

void gradyn_numbers_add(int terms, const double *weight, const double *const *x, int count,
                        double *y)
{
  sum_numbers(terms, weight, x, count, y);
}

const char *gradyn_lanes_registers(void)
{
#if defined GRADYN_TWICE
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? "256-bit" : "baseline";
#else
  return "as compiled";
#endif
}
