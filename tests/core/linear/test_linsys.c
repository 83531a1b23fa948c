/* Linear systems: every backend against residuals computed here, against each other, and with singular
 * systems. */
#include "tests/support.h"

#include "core/linear/linsys.h"

static const gradyn_backend backends[] = {GRADYN_BACKEND_DENSE, GRADYN_BACKEND_KLU};
enum { BACKENDS = 2, MAX_N = 120, MAX_ENTRIES = MAX_N * MAX_N, MAX_COUNT = 17 };

/* A random system as a list of entries. */
typedef struct example {
  int n, count;
  bool diagonal;
  int row[MAX_ENTRIES], col[MAX_ENTRIES];
  double value[MAX_ENTRIES];
} example;

/* Uniform in [-1, 1], the same on all machines. */
static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* Large entries next to the diagonal, so that every pivot except the last must come from another row. Other
 * entries with the given density, none on the diagonal. */
static example *new_example(int n, double density, unsigned seed)
{
  example *e = support_zeros(1, sizeof *e);
  e->n = n;
  e->diagonal = seed %
                2; /* a hint that pivots are on the diagonal must do no harm, even if it is wrong */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      int large = j == (i + 1) % n;
      if (!large && (i == j || 0.5 * (noise(&seed) + 1) >= density))
        continue;
      e->row[e->count] = i;
      e->col[e->count] = j;
      e->value[e->count++] = noise(&seed) + (large ? 3 : 0);
    }
  return e;
}

static gradyn_linsys *new_system(const example *e, gradyn_backend backend)
{
  LOCAL(gradyn_pattern) pattern;
  gradyn_linsys *system = NULL;
  assert_ok(gradyn_pattern_create(e->n, e->n, e->count, e->row, e->col, &pattern), NULL);
  assert_ok(gradyn_linsys_create(&pattern, e->diagonal, backend, &system), NULL);
  double *values = gradyn_linsys_values(system);
  for (int k = 0; k < e->count; k++)
    values[gradyn_pattern_find(&pattern, e->row[k], e->col[k])] = e->value[k];
  return system;
}

/* Largest |A x - b|, or |A^T x - b|. */
static double residual(const example *e, int transposed, const double *x, const double *b)
{
  double r[MAX_N], worst = 0;
  for (int i = 0; i < e->n; i++)
    r[i] = -b[i];
  for (int k = 0; k < e->count; k++) {
    if (transposed)
      r[e->col[k]] += e->value[k] * x[e->row[k]];
    else
      r[e->row[k]] += e->value[k] * x[e->col[k]];
  }
  for (int i = 0; i < e->n; i++)
    worst = fmax(worst, fabs(r[i]));
  return worst;
}

/* Solves for all numbers of right-hand sides; out [MAX_COUNT][n] gets the last solution. */
static void check_solutions(const example *e, gradyn_linsys *system, int transposed, double *out)
{
  static const int counts[] = {0, 1, 2, 3, 4, 5, 8, 9, 12, MAX_COUNT};
  double b[MAX_COUNT * MAX_N];
  unsigned seed = 7;

  for (int i = 0; i < MAX_COUNT * e->n; i++)
    b[i] = noise(&seed);
  for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
    memcpy(out, b, sizeof(double) * (size_t)(MAX_COUNT * e->n));
    if (transposed)
      gradyn_linsys_solve_transposed(system, out, counts[c]);
    else
      gradyn_linsys_solve(system, out, counts[c]);
    for (int k = 0; k < counts[c]; k++)
      assert_close(residual(e, transposed, out + k * e->n, b + k * e->n), 0, 0, 2e-12);
    assert_memory_equal(out + counts[c] * e->n, b + counts[c] * e->n,
                        sizeof(double) * (size_t)((MAX_COUNT - counts[c]) * e->n));
  }
}

TEST(backends_solve_and_agree)
{
  static const int sizes[] = {1, 2, 3, 6, 10, 11, 17, 32, 65, MAX_N};
  static const double densities[] = {1, 0.3, 0.03};
  static double x[BACKENDS][MAX_COUNT * MAX_N];

  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (size_t d = 0; d < sizeof densities / sizeof densities[0]; d++) {
      /* the entries of each row add up to less than 2, so that the matrix is well conditioned */
      FREED example *e = new_example(sizes[s], densities[d], (unsigned)(10 * s + d));
      for (int k = 0; k < e->count; k++)
        if (fabs(e->value[k]) < 2)
          e->value[k] *= 1.0 / (1 + densities[d] * e->n);
      for (int transposed = 0; transposed < 2; transposed++)
        for (int k = 0; k < BACKENDS; k++) {
          OWNED(gradyn_linsys) *system = new_system(e, backends[k]);
          assert_int_equal(gradyn_linsys_backend(system), backends[k]);
          assert_ok(gradyn_linsys_factor(system), NULL);
          assert_int_equal(gradyn_linsys_singular_at(system), -1);
          check_solutions(e, system, transposed, x[k]);
          assert_close_array(x[k], x[0], e->n * MAX_COUNT, 1e-12, 1e-12);
        }
    }
}

/* D1 A D2 with scales over 24 decades must be as regular as A. */
TEST(bad_scaling_is_not_singular)
{
  for (int b = 0; b < BACKENDS; b++)
    for (unsigned seed = 0; seed < 50; seed++) {
      FREED example *e = new_example(14, 0.4, seed);
      for (int k = 0; k < e->count; k++)
        e->value[k] *= pow(10, (e->row[k] * 5) % 13 - 6) * pow(10, (e->col[k] * 7) % 13 - 6);
      OWNED(gradyn_linsys) *system = new_system(e, backends[b]);
      assert_ok(gradyn_linsys_factor(system), NULL);
    }
}

/* Makes the last column a combination of others, up to round-off. */
static void make_dependent(double *values, int n)
{
  for (int i = 0; i < n; i++)
    values[i * n + n - 1] = values[i * n] / 3 - 0.7 * values[i * n + 2];
}

TEST(dependent_columns_are_singular)
{
  enum { N = 12 };
  FREED example *e = new_example(N, 2, 0);
  for (int b = 0; b < BACKENDS; b++)
    for (unsigned seed = 0; seed < 20; seed++) {
      double rhs[N] = {1}, x[N] = {1};
      e->count = N * N; /* a full pattern, diagonal included */
      for (int k = 0; k < e->count; k++) {
        e->row[k] = k / N;
        e->col[k] = k % N;
        e->value[k] = noise(&seed);
      }
      OWNED(gradyn_linsys) *system = new_system(e, backends[b]);
      double *values = gradyn_linsys_values(system);
      assert_ok(gradyn_linsys_factor(system), NULL);
      assert_memory_equal(values, e->value, sizeof(double) * N * N);

      make_dependent(values, N);
      assert_int_equal(gradyn_linsys_factor(system), GRADYN_SINGULAR);
      assert_in_range(gradyn_linsys_singular_at(system), 0, N - 1);

      /* the next system is solved as if there had been no singular one */
      memcpy(values, e->value, sizeof(double) * N * N);
      assert_ok(gradyn_linsys_factor(system), NULL);
      assert_int_equal(gradyn_linsys_singular_at(system), -1);
      gradyn_linsys_solve(system, x, 1);
      assert_close(residual(e, 0, x, rhs), 0, 0, 1e-11);
      assert_int_equal(gradyn_linsys_factorisations(system), 3);
    }
}

TEST(non_finite_values_are_refused)
{
  for (int b = 0; b < BACKENDS; b++) {
    FREED example *e = new_example(9, 0.5, 3);
    OWNED(gradyn_linsys) *system = new_system(e, backends[b]);
    double *values = gradyn_linsys_values(system);
    for (int k = 0; k < e->count; k++) {
      double good = values[k], bad[] = {NAN, INFINITY, -INFINITY};
      values[k] = bad[k % 3];
      assert_int_equal(gradyn_linsys_factor(system), GRADYN_NON_FINITE);
      values[k] = good;
      assert_ok(gradyn_linsys_factor(system), NULL);
    }
  }
}

static void solve_copy(gradyn_linsys *system, const double *rhs, int n, double *x)
{
  assert_ok(gradyn_linsys_factor(system), NULL);
  memcpy(x, rhs, sizeof *x * (size_t)n);
  gradyn_linsys_solve(system, x, 1);
}

/* Rows 2k and 2k + 1 form [d 3; 3 d], weakly coupled. With d = 9 pivots are on the diagonal. With 0.2 the
 * old pivots are usable but not the best, with 0 unusable, with 1e-13 inaccurate. */
TEST(earlier_systems_leave_no_trace)
{
  enum { N = 40 };
  static const double diagonal[] = {9, 0.2, 9, 0, 9, 1e-13};
  double rhs[N], x[N], y[N];

  for (int b = 0; b < BACKENDS; b++) {
    FREED example *e = support_zeros(1, sizeof *e);
    e->n = N;
    for (int i = 0; i < N; i++) {
      const int cols[] = {i, i ^ 1, (i + 7) % N};
      for (int k = 0; k < 3; k++, e->count++) {
        e->row[e->count] = i;
        e->col[e->count] = cols[k];
        e->value[e->count] = k == 1 ? 3 : 0.1 + 0.01 * i;
      }
      rhs[i] = 1 + i;
    }
    OWNED(gradyn_linsys) *used = new_system(e, backends[b]);
    for (size_t round = 0; round < sizeof diagonal / sizeof diagonal[0]; round++) {
      for (int i = 0; i < N; i++)
        e->value[3 * i] = diagonal[round];
      OWNED(gradyn_linsys) *fresh = new_system(e, backends[b]);
      memcpy(gradyn_linsys_values(used), gradyn_linsys_values(fresh),
             sizeof(double) * (size_t)e->count);
      solve_copy(used, rhs, N, x);
      assert_close(residual(e, 0, x, rhs), 0, 0, 1e-12);
      solve_copy(fresh, rhs, N, y);
      assert_close_array(x, y, N, 1e-12, 1e-12);

      /* after a reset the results agree to the last bit */
      gradyn_linsys_reset(used);
      solve_copy(used, rhs, N, x);
      assert_memory_equal(x, y, sizeof x);
    }
  }
}

/* The scale of rows may change between factorisations, even to numbers near the smallest one. */
TEST(rows_change_their_scale)
{
  enum { N = 40 };
  for (int b = 0; b < BACKENDS; b++)
    for (int most = 8; most <= 300; most += 292) {
      double rhs[N], x[N], y[N];
      FREED example *e = new_example(N, 0.1, 5);
      OWNED(gradyn_linsys) *system = new_system(e, backends[b]);
      for (int i = 0; i < N; i++)
        rhs[i] = 1 + 0.1 * i;
      solve_copy(system, rhs, N, x);
      for (int k = 0; k < e->count; k++)
        e->value[k] *= pow(10, -most * (e->row[k] * 5 % 17) / 16.0);
      OWNED(gradyn_linsys) *scaled = new_system(e, backends[b]);
      memcpy(gradyn_linsys_values(system), gradyn_linsys_values(scaled),
             sizeof(double) * (size_t)e->count);
      for (int i = 0; i < N; i++)
        rhs[i] *= pow(10, -most * (i * 5 % 17) / 16.0);
      solve_copy(system, rhs, N, y);
      assert_close_array(y, x, N, 1e-11, 1e-11);
    }
}

/* A system without rows, as of a mechanism that cannot move. */
TEST(systems_without_rows_have_nothing_to_solve)
{
  LOCAL(gradyn_pattern) none;
  OWNED(gradyn_linsys) *system = NULL;
  double b[1] = {2};
  assert_int_equal(gradyn_pattern_fill(0, &none), GRADYN_OK);
  assert_int_equal(gradyn_linsys_create(&none, true, GRADYN_BACKEND_AUTO, &system), GRADYN_OK);
  assert_int_equal(gradyn_linsys_factor(system), GRADYN_OK);
  gradyn_lanes lanes[1] = {{3}};
  gradyn_linsys_solve(system, b, 1);
  gradyn_linsys_solve_transposed(system, b, 1);
  gradyn_linsys_solve_lanes(system, false, 1, lanes);
  assert_close(b[0], 2, 0, 0);
  assert_close(lanes[0][0], 3, 0, 0);
}
