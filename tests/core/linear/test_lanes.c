/* Products and copies of four vectors at once, against the products of one. */
#include "core/linear/lanes.h"
#include "tests/support.h"

enum { ROWS = 9, COLS = 11, SIZE = 12 };

static double number(int i)
{
  return sin(1.3 * i + 0.4);
}

/* Rows with runs of nonzeros of all lengths, from none to all, at various columns, and with gaps. */
static void open_pattern(gradyn_pattern *A, double *values)
{
  static const char *const rows[ROWS] = {
      "xx.........", "xx.........", "...xxxx....", "xxxxxx.....", ".x.xxxxx.xx",
      "...........", "x..x..x...x", "..xxx......", "xxxxxxxxxxx",
  };
  int row[ROWS * COLS], col[ROWS * COLS], count = 0;
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLS; j++)
      if (rows[i][j] == 'x') {
        row[count] = i;
        col[count] = j;
        values[count] = count % 5 ? number(count) : 0;
        count++;
      }
  assert_ok(gradyn_pattern_create(ROWS, COLS, count, row, col, A), "");
}

/* [GRADYN_LANES][SIZE] columns, and the same values as lanes [SIZE]. */
static gradyn_lanes *fill(double (*columns)[SIZE], int seed)
{
  gradyn_lanes *lanes = gradyn_lanes_create(SIZE);
  assert_non_null(lanes);
  for (int k = 0; k < GRADYN_LANES; k++)
    for (int i = 0; i < SIZE; i++)
      lanes[i][k] = columns[k][i] = number(seed + 50 * k + i);
  return lanes;
}

static void check(double (*columns)[SIZE], const gradyn_lanes *lanes)
{
  for (int k = 0; k < GRADYN_LANES; k++)
    for (int i = 0; i < SIZE; i++)
      assert_close(lanes[i][k], columns[k][i], 1e-14, 1e-14);
}

TEST(products_agree_with_single_ones)
{
  LOCAL(gradyn_pattern) A;
  double values[ROWS * COLS], x[GRADYN_LANES][SIZE], y[GRADYN_LANES][SIZE];
  open_pattern(&A, values);
  for (int rows = 0; rows <= ROWS; rows++) {
    FREED gradyn_lanes *from = fill(x, 3), *to = fill(y, 700);
    for (int k = 0; k < GRADYN_LANES; k++)
      gradyn_pattern_multiply(&A, rows, values, -0.7, x[k], y[k]);
    gradyn_lanes_multiply(&A, rows, values, -0.7, from, to);
    check(y, to);
    for (int k = 0; k < GRADYN_LANES; k++)
      gradyn_pattern_multiply_transposed(&A, rows, values, 1.9, x[k], y[k]);
    gradyn_lanes_multiply_transposed(&A, rows, values, 1.9, from, to);
    check(y, to);
  }
}

/* Lanes beyond the columns are zero, and nothing is written beyond the requested columns. */
TEST(copies_go_there_and_back)
{
  for (int columns = 1; columns <= GRADYN_LANES; columns++)
    for (int count = 0; count <= SIZE - 1; count++) {
      double from[GRADYN_LANES][SIZE], to[GRADYN_LANES][SIZE];
      FREED gradyn_lanes *other = fill(to, 9), *lanes = fill(from, 900);
      gradyn_lanes_load(count, columns, from[0], SIZE, other);
      for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < GRADYN_LANES; k++) {
          double loaded = k < columns ? from[k][i] : 0;
          assert_true(other[i][k] == (i < count ? loaded : to[k][i]));
        }
      gradyn_lanes_store(count, columns, lanes, to[0], SIZE);
      for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < GRADYN_LANES; k++)
          assert_true(to[k][i] == (i < count && k < columns ? from[k][i] : number(9 + 50 * k + i)));
    }
}

TEST(squares_are_summed_by_lane)
{
  double x[GRADYN_LANES][SIZE];
  gradyn_lanes *lanes = fill(x, 40), sum;
  for (int count = 0; count <= SIZE; count++) {
    gradyn_lanes_squares(count, lanes, &sum);
    for (int k = 0; k < GRADYN_LANES; k++) {
      double expected = 0;
      for (int i = 0; i < count; i++)
        expected += x[k][i] * x[k][i];
      assert_close(sum[k], expected, 1e-14, 0);
    }
  }
  free(lanes);
}

/* Sums of zero, one and more vectors, with numbers around the block size. */
TEST(sums_agree_with_single_ones)
{
  double column[3][GRADYN_LANES][SIZE], sum[GRADYN_LANES][SIZE];
  const double weight[3] = {0.7, -1.3, 1};
  const gradyn_lanes *x[3];
  gradyn_lanes *from[3];
  for (int k = 0; k < 3; k++)
    x[k] = from[k] = fill(column[k], 17 * k);
  for (int terms = 0; terms <= 3; terms++)
    for (int count = 0; count <= SIZE; count++) {
      FREED gradyn_lanes *to = fill(sum, 400);
      double numbers[SIZE];
      memcpy(numbers, sum[1], sizeof numbers);
      const double *second[3] = {column[0][1], column[1][1], column[2][1]};
      for (int l = 0; l < GRADYN_LANES; l++)
        for (int i = 0; i < count; i++)
          for (int k = 0; k < terms; k++)
            sum[l][i] += weight[k] * column[k][l][i];
      gradyn_lanes_add(terms, weight, x, count, to, to);
      check(sum, to);
      gradyn_numbers_add(terms, weight, second, count, numbers);
      for (int i = 0; i < SIZE; i++)
        assert_close(numbers[i], sum[1][i], 1e-14, 1e-14);
    }
  for (int k = 0; k < 3; k++)
    free(from[k]);
}
