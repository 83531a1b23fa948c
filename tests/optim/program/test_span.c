/* The space spanned by rows of a sparse matrix, checked by the conditions on its results. */
#include "tests/support.h"

#include "optim/program/span.h"

RELEASE(gradyn_span)

enum { N = 160, MOST = 140 };

/* Bands, as the continuity conditions of segments have, plus columns with entries in all rows and rows with
 * entries in all columns. */
typedef struct shape {
  size_t rows, band;
  size_t full_columns, full_rows;
  size_t copies; /* rows that are sums of two others */
  size_t ignored;
} shape;

static double some(size_t i, size_t j)
{
  return fmod(4375.85453 * sin(12.9898 * (double)i + 78.233 * (double)j), 1);
}

static void fill(const shape *s, double *A)
{
  memset(A, 0, MOST * N * sizeof *A);
  for (size_t i = 0; i < s->rows; i++)
    for (size_t j = 0; j < N; j++) {
      const bool near = j >= i && j < i + s->band, full = j + s->full_columns >= N;
      A[i * N + j] = near || full || i < s->full_rows ? some(i, j) : 0;
    }
  for (size_t k = 0; k < s->copies; k++)
    for (size_t j = 0; j < N; j++)
      A[(s->rows + k) * N + j] = A[(3 * k + 1) * N + j] - 2 * A[(2 * k + 5) * N + j];
}

/* A_i v, divided by the lengths of both. */
static double along(const double *a, const bool *ignored, const double *v)
{
  double sum = 0, length = 0;
  for (size_t j = 0; j < N; j++) {
    sum += ignored[j] ? 0 : a[j] * v[j];
    length = hypot(length, ignored[j] ? 0 : a[j]);
  }
  return sum / length;
}

/* If only the dependent rows are requested, the result is the same. */
static void check_counted(gradyn_span_rows rows, const gradyn_span *span)
{
  rows.counted = true;
  OWNED(gradyn_span) *counted = gradyn_span_create(&rows);
  assert_non_null(counted);
  for (size_t i = 0; i < rows.count; i++)
    assert_int_equal(gradyn_span_depends(counted, i), gradyn_span_depends(span, i));
}

static void check(const shape *s)
{
  static double A[MOST * N];
  size_t row[MOST];
  bool ignored[N] = {false};
  double target[N], y[MOST], v[N], reached[N] = {0}, c[MOST];
  const size_t count = s->rows + s->copies;
  fill(s, A);
  for (size_t i = 0; i < count; i++) {
    row[i] = i;
    c[i] = 1 + (double)(i % 3);
  }
  for (size_t j = 0; j < N; j++) {
    ignored[j] = j % 11 < s->ignored;
    target[j] = v[j] = cos((double)j);
  }
  const gradyn_span_rows rows = {
      NULL, A, N, row, count, ignored, .least = GRADYN_SPAN_LEAST, .target = target};
  OWNED(gradyn_span) *span = gradyn_span_create(&rows);
  assert_non_null(span);
  check_counted(rows, span);
  size_t depending = 0;
  for (size_t i = 0; i < count; i++)
    depending += gradyn_span_depends(span, i);
  assert_int_equal(depending, s->copies);
  gradyn_span_project(span, v);
  gradyn_span_nearest(span, y);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < N; j++)
      target[j] -= ignored[j] ? 0 : y[i] * A[i * N + j];
  /* the residual of the nearest sum is the part outside of the space */
  for (size_t j = 0; j < N; j++)
    assert_close(ignored[j] ? 0 : target[j], v[j], 0, 1e-10);
  for (size_t i = 0; i < count; i++)
    assert_close(along(A + i * N, ignored, v), 0, 0, 1e-12);
  gradyn_span_reach(span, c, reached);
  for (size_t i = 0; i < count; i++) {
    double sum = 0;
    for (size_t j = 0; j < N; j++)
      sum += ignored[j] ? 0 : A[i * N + j] * reached[j];
    if (!gradyn_span_depends(span, i))
      assert_close(sum, c[i], 1e-8, 0);
  }
  /* the shortest solution has no part outside of the space */
  gradyn_span_project(span, reached);
  for (size_t j = 0; j < N; j++)
    assert_close(reached[j], 0, 0, 1e-8);
}

TEST(results_are_those_of_the_space)
{
  static const shape shapes[] = {
      {.rows = 5, .band = 3},
      {.rows = 120, .band = 9},
      {.rows = 105, .band = 40, .full_columns = 2, .ignored = 2},
      {.rows = 100, .band = 12, .full_rows = 3, .copies = 6},
      {.rows = 90, .band = 20, .full_columns = 1, .full_rows = 1, .copies = 9, .ignored = 1},
      {.rows = 110, .band = 10, .full_columns = 101, .full_rows = 2},
      {.rows = 110, .band = 10, .full_columns = 101, .full_rows = 2, .copies = 3},
      {.rows = 60, .band = N, .copies = 4}};
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    check(&shapes[k]);
}

TEST(rows_of_zeros_depend_on_all)
{
  const double A[2][2] = {{0, 0}, {0, 3}};
  const size_t row[2] = {0, 1};
  double v[2] = {1, 1};
  OWNED(gradyn_span) *span = gradyn_span_create(
      &(gradyn_span_rows){.A = *A, .n = 2, .row = row, .count = 2, .least = 1e-8});
  assert_true(gradyn_span_depends(span, 0));
  assert_false(gradyn_span_depends(span, 1));
  gradyn_span_project(span, v);
  assert_close(v[0], 1, 0, 0);
  assert_close(v[1], 0, 0, 1e-15);
}
