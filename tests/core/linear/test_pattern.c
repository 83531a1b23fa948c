/* Sparsity patterns, and the saddle matrix built from them. */
#include "tests/support.h"

#include "core/linear/pattern.h"
#include "core/linear/saddle.h"

TEST(entries_are_sorted_and_merged)
{
  const int row[] = {3, 0, 3, 1, 0, 3, 0}, col[] = {2, 4, 0, 1, 0, 2, 4};
  const int start[] = {0, 2, 3, 3, 5}, sorted[] = {0, 4, 1, 0, 2};
  gradyn_pattern pattern;

  assert_ok(gradyn_pattern_create(4, 5, 7, row, col, &pattern), NULL);
  assert_int_equal(pattern.rows, 4);
  assert_int_equal(pattern.cols, 5);
  assert_int_equal(pattern.nnz, 5);
  assert_memory_equal(pattern.start, start, sizeof start);
  assert_memory_equal(pattern.col, sorted, sizeof sorted);
  assert_int_equal(gradyn_pattern_find(&pattern, 0, 4), 1);
  assert_int_equal(gradyn_pattern_find(&pattern, 3, 0), 3);
  assert_int_equal(gradyn_pattern_find(&pattern, 3, 1), -1);
  assert_int_equal(gradyn_pattern_find(&pattern, 2, 0), -1);
  assert_int_equal(gradyn_pattern_find(&pattern, 4, 0), -1);
  assert_int_equal(gradyn_pattern_find(&pattern, -1, 0), -1);
  gradyn_pattern_clear(&pattern);
  assert_null(pattern.col);
  gradyn_pattern_clear(NULL);
}

TEST(entries_outside_are_refused)
{
  const int good = 0, negative = -1, large = 2;
  LOCAL(gradyn_pattern) pattern;

  assert_int_equal(gradyn_pattern_create(2, 2, 1, &large, &good, &pattern), GRADYN_INVALID);
  assert_int_equal(gradyn_pattern_create(2, 2, 1, &good, &large, &pattern), GRADYN_INVALID);
  assert_int_equal(gradyn_pattern_create(2, 2, 1, &negative, &good, &pattern), GRADYN_INVALID);
  assert_int_equal(gradyn_pattern_create(2, 2, 1, &good, &negative, &pattern), GRADYN_INVALID);
  assert_int_equal(gradyn_pattern_create(-1, 2, 0, NULL, NULL, &pattern), GRADYN_INVALID);
  assert_null(pattern.start);

  /* a pattern may be empty */
  assert_ok(gradyn_pattern_create(0, 3, 0, NULL, NULL, &pattern), NULL);
  assert_int_equal(pattern.nnz, 0);
  assert_int_equal(gradyn_pattern_find(&pattern, 0, 0), -1);
}

/* Products against a dense matrix, with all rows and with the first few. */
TEST(products_equal_dense_ones)
{
  enum { ROWS = 4, COLS = 3, COUNT = 6 };
  const int row[COUNT] = {0, 0, 1, 3, 3, 2}, col[COUNT] = {1, 2, 0, 1, 0, 2};
  double dense[ROWS][COLS] = {{0}}, values[COUNT] = {0};
  const double x[ROWS] = {0.5, -2, 3, 7}, alpha = -0.25;
  LOCAL(gradyn_pattern) A;

  assert_ok(gradyn_pattern_create(ROWS, COLS, COUNT, row, col, &A), NULL);
  for (int k = 0; k < COUNT; k++)
    values[gradyn_pattern_find(&A, row[k], col[k])] = dense[row[k]][col[k]] = 1.5 + k;
  for (int rows = 0; rows <= ROWS; rows++) {
    double y[ROWS] = {1, 2, 3, 4}, z[COLS] = {5, 6, 7};
    double y_dense[ROWS] = {1, 2, 3, 4}, z_dense[COLS] = {5, 6, 7};
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < COLS; j++) {
        y_dense[i] += alpha * dense[i][j] * x[j];
        z_dense[j] += alpha * dense[i][j] * x[i];
      }
    gradyn_pattern_multiply(&A, rows, values, alpha, x, y);
    gradyn_pattern_multiply_transposed(&A, rows, values, alpha, x, z);
    assert_close_array(y, y_dense, ROWS, 1e-15, 0);
    assert_close_array(z, z_dense, COLS, 1e-15, 0);
  }
}

/* A parallelogram: points 1 and 2 on equal cranks about (0, 0) and (W, 0), joined by a coupler, and a third
 * equal crank at the fraction F of the coupler. The constraint of the third crank depends on the others. */
typedef struct parallelogram {
  gradyn_pattern dyn,
      jac; /* dyn [4][4], jac [5][4]; row 4 of jac is outside of the saddle matrix */
  double mass[16], adjoints[20]; /* values of dyn and jac */
} parallelogram;

#define W 3.0
#define F 0.3

static void draw(parallelogram *p, double angle, double mass)
{
  static const int row[] = {0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4},
                   col[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0};
  const double c = cos(angle), s = sin(angle);
  const double adjoints[] = {c, s, c, s, -W, 0, W, 0, (1 - F) * c, (1 - F) * s, F * c, F * s, 1};
  int full_row[16], full_col[16];

  for (int k = 0; k < 16; k++) {
    full_row[k] = k / 4;
    full_col[k] = k % 4;
    p->mass[k] = k / 4 == k % 4 ? mass : (k / 4 + k % 4) % 2 ? 0 : mass / 6;
  }
  memcpy(p->adjoints, adjoints, sizeof adjoints);
  assert_ok(gradyn_pattern_create(4, 4, 16, full_row, full_col, &p->dyn), NULL);
  assert_ok(gradyn_pattern_create(5, 4, 13, row, col, &p->jac), NULL);
}

static void erase(parallelogram *p)
{
  gradyn_pattern_clear(&p->dyn);
  gradyn_pattern_clear(&p->jac);
}

/* A x = unit vectors gives the columns of the inverse, which are checked block by block. */
TEST(saddle_blocks_are_in_place)
{
  enum { N = 4, M = 3, SIZE = N + M };
  parallelogram p;
  gradyn_saddle saddle;
  double upper[20], dense[SIZE][SIZE] = {{0}}, x[SIZE * SIZE] = {0};

  draw(&p, 0.8, 2.0);
  assert_ok(gradyn_saddle_create(&p.dyn, NULL, &p.jac, M, GRADYN_BACKEND_AUTO, &saddle), NULL);
  assert_int_equal(saddle.dyn_nnz, 16);
  assert_int_equal(saddle.jac_nnz, 8);
  for (int k = 0; k < 20; k++)
    upper[k] = p.adjoints[k] + 0.1 * k; /* J1 differs from J2 */
  for (int i = 0; i < N; i++)
    for (int k = p.dyn.start[i]; k < p.dyn.start[i + 1]; k++)
      dense[i][p.dyn.col[k]] = p.mass[k];
  for (int i = 0; i < M; i++) {
    for (int k = p.jac.start[i]; k < p.jac.start[i + 1]; k++) {
      dense[p.jac.col[k]][N + i] = upper[k];
      dense[N + i][p.jac.col[k]] = p.adjoints[k];
    }
    dense[N + i][N + i] = -0.125;
  }

  gradyn_saddle_fill(&saddle, p.mass, upper, p.adjoints, -0.125);
  assert_ok(gradyn_linsys_factor(saddle.system), NULL);
  for (int i = 0; i < SIZE; i++)
    x[i * SIZE + i] = 1;
  gradyn_linsys_solve(saddle.system, x, SIZE);
  for (int c = 0; c < SIZE; c++)
    for (int i = 0; i < SIZE; i++) {
      double sum = 0;
      for (int j = 0; j < SIZE; j++)
        sum += dense[i][j] * x[c * SIZE + j];
      assert_close(sum, i == c, 0, 1e-13);
    }
  gradyn_saddle_clear(&saddle);
  erase(&p);
}

/* A redundant rod makes the matrix singular, unless a penalty is added to the diagonal. */
TEST(redundant_rod_is_found)
{
  for (int b = GRADYN_BACKEND_DENSE; b <= GRADYN_BACKEND_KLU; b++)
    for (int k = 0; k < 70; k++) {
      parallelogram p;
      gradyn_saddle saddle;
      draw(&p, 0.4 + 0.033 * k, pow(10, k % 7 - 3));
      assert_ok(gradyn_saddle_create(&p.dyn, NULL, &p.jac, 4, (gradyn_backend)b, &saddle), NULL);

      gradyn_saddle_fill(&saddle, p.mass, p.adjoints, p.adjoints, 0);
      assert_int_equal(gradyn_linsys_factor(saddle.system), GRADYN_SINGULAR);
      assert_in_range(gradyn_linsys_singular_at(saddle.system), 0, 7);
      gradyn_saddle_fill(&saddle, p.mass, p.adjoints, p.adjoints, -1e-9);
      assert_ok(gradyn_linsys_factor(saddle.system), NULL);
      gradyn_saddle_clear(&saddle);

      /* without the third crank, no constraint is redundant */
      assert_ok(gradyn_saddle_create(&p.dyn, NULL, &p.jac, 3, (gradyn_backend)b, &saddle), NULL);
      gradyn_saddle_fill(&saddle, p.mass, p.adjoints, p.adjoints, 0);
      assert_ok(gradyn_linsys_factor(saddle.system), NULL);
      gradyn_saddle_clear(&saddle);
      erase(&p);
    }
}

TEST(saddle_without_constraints_is_its_block)
{
  parallelogram p;
  gradyn_saddle saddle;
  double x[4] = {1, 2, 3, 4}, y[4] = {0};

  draw(&p, 1.0, 3.0);
  assert_ok(gradyn_saddle_create(&p.dyn, NULL, &p.jac, 0, GRADYN_BACKEND_AUTO, &saddle), NULL);
  gradyn_saddle_fill(&saddle, p.mass, NULL, NULL, 0);
  assert_ok(gradyn_linsys_factor(saddle.system), NULL);
  gradyn_linsys_solve(saddle.system, x, 1);
  gradyn_pattern_multiply(&p.dyn, 4, p.mass, 1, x, y);
  for (int i = 0; i < 4; i++)
    assert_close(y[i], i + 1, 1e-14, 0);
  gradyn_saddle_clear(&saddle);
  assert_int_equal(gradyn_saddle_create(&p.dyn, NULL, &p.jac, 6, GRADYN_BACKEND_AUTO, &saddle),
                   GRADYN_INVALID);
  gradyn_saddle_clear(&saddle);
  erase(&p);
}

/* Masses in a row with constraints x[i + 1] - x[i] = const. Under forces f all have the acceleration sum
 * f / sum m, and the multipliers are partial sums. */
TEST(long_train_moves_as_one)
{
  enum { N = 2000, M = N - 1 };
  FREED int *row = calloc(2 * N, sizeof *row), *col = calloc(2 * N, sizeof *col);
  FREED double *one = calloc(2 * N, sizeof *one), *x = calloc(N + M, sizeof *x);
  LOCAL(gradyn_pattern) dyn, jac;
  LOCAL(gradyn_saddle) saddle;

  assert_true(row && col && one && x);
  for (int i = 0; i < N; i++) {
    row[i] = col[i] = N - 1 - i;
    one[i] = 2;
  }
  assert_ok(gradyn_pattern_create(N, N, N, row, col, &dyn), NULL);
  for (int k = 0; k < 2 * M; k++) {
    row[k] = k / 2;
    col[k] = k / 2 + k % 2;
  }
  assert_ok(gradyn_pattern_create(M, N, 2 * M, row, col, &jac), NULL);
  assert_ok(gradyn_saddle_create(&dyn, NULL, &jac, M, GRADYN_BACKEND_AUTO, &saddle), NULL);
  for (int k = 0; k < 2 * M; k++)
    x[k] = k % 2 ? 1 : -1;
  gradyn_saddle_fill(&saddle, one, x, x, 0);
  assert_ok(gradyn_linsys_factor(saddle.system), NULL);
  memset(x, 0, sizeof *x * (N + M));
  x[0] = 2 *
         N; /* a force at one end: the acceleration is 1, and m a - lam[0] = f for the first mass */
  gradyn_linsys_solve(saddle.system, x, 1);
  for (int i = 0; i < N; i++)
    assert_close(x[i], 1, 1e-10, 0);
  for (int i = 0; i < M; i++)
    assert_close(x[N + i], -2.0 * (N - 1 - i), 1e-10, 0);
}
