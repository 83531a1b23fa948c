/* Tests of the Schur complement for saddle systems against the saddle matrix itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/schur.h"
#include "tests/support.h"

enum { MOST = 32 };

/* A system with n coordinates and m constraints: M by entries, tridiagonal; rows of J with two entries
 * or, the last one, with all. */
typedef struct saddle {
  int n, m;
  gradyn_pattern dyn, jac;
  double M[MOST * MOST], J[MOST * MOST];
  gradyn_schur schur;
} saddle;

static double number(int i)
{
  return sin(1.7 * i + 0.3);
}

static void open_saddle(saddle *s, int n, int m)
{
  int row[MOST * MOST], col[MOST * MOST], count = 0;
  memset(s, 0, sizeof *s);
  s->n = n;
  s->m = m;
  for (int i = 0; i < n; i++)
    for (int j = i > 0 ? i - 1 : 0; j < n && j <= i + 1; j++) {
      row[count] = i;
      s->M[count] = i == j ? 3 + 0.1 * i : 0.7;
      col[count++] = j;
    }
  assert_ok(gradyn_pattern_create(n, n, count, row, col, &s->dyn), "");
  count = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      if (i == m - 1 || j == i || j == i + 1) {
        row[count] = i;
        s->J[count] = number(count);
        col[count++] = j;
      }
  assert_ok(gradyn_pattern_create(m, n, count, row, col, &s->jac), "");
  assert_ok(gradyn_schur_create(&s->dyn, &s->jac, m, &s->schur), "");
  assert_ok(gradyn_schur_mass(&s->schur, s->M), "");
  assert_ok(gradyn_schur_factor(&s->schur, s->J), "");
}

static void close_saddle(saddle *s)
{
  gradyn_schur_clear(&s->schur);
  gradyn_pattern_clear(&s->dyn);
  gradyn_pattern_clear(&s->jac);
}

/* b = [M J^T; J 0] x */
static void multiply(const saddle *s, const double *x, double *b)
{
  memset(b, 0, (size_t)(s->n + s->m) * sizeof(double));
  gradyn_pattern_multiply(&s->dyn, s->n, s->M, 1, x, b);
  gradyn_pattern_multiply_transposed(&s->jac, s->m, s->J, 1, x + s->n, b);
  gradyn_pattern_multiply(&s->jac, s->m, s->J, 1, x, b + s->n);
}

static void check(const double *actual, const double *expected, int count)
{
  for (int i = 0; i < count; i++)
    assert_close(actual[i], expected[i], 1e-12, 1e-13);
}

/* sizes with kernels of their own, and others */
static const int sizes[][2] = {{2, 1},  {4, 2},   {4, 3},  {6, 4},   {8, 7},  {3, 2},
                               {1, 1},  {5, 1},   {7, 4},  {9, 5},   {12, 6}, {14, 9},
                               {17, 8}, {21, 10}, {27, 4}, {30, 16}, {32, 9}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void solutions_satisfy_the_system(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    saddle s;
    double x[2 * MOST], b[2 * MOST], shifted[2 * MOST], e[MOST], image[MOST] = {0};
    int n = sizes[k][0], m = sizes[k][1];
    open_saddle(&s, n, m);
    for (int i = 0; i < n + m; i++)
      x[i] = number(31 + i);
    for (int i = 0; i < n; i++)
      e[i] = number(77 + i);
    multiply(&s, x, b);
    gradyn_pattern_multiply(&s.dyn, n, s.M, 1, e, image);
    for (int i = 0; i < n + m; i++)
      shifted[i] = b[i] - (i < n ? image[i] : 0);
    gradyn_schur_solve(&s.schur, b);
    check(b, x, n + m);
    gradyn_schur_solve_shifted(&s.schur, e, shifted);
    check(shifted, x, n + m);
    close_saddle(&s);
  }
}

/* A projection is a solution without force, with the other sign. */
static void projections_agree_with_solves(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    saddle s;
    double b[2 * MOST], mult[MOST], start[MOST], change[MOST], moved[MOST];
    int n = sizes[k][0], m = sizes[k][1];
    open_saddle(&s, n, m);
    for (int i = 0; i < n + m; i++)
      b[i] = i < n ? 0 : number(13 + i);
    memcpy(mult, b + n, (size_t)m * sizeof *b);
    for (int i = 0; i < n; i++)
      start[i] = number(50 + i);
    gradyn_schur_solve(&s.schur, b);
    gradyn_schur_project(&s.schur, start, mult, change, moved);
    for (int i = 0; i < n; i++) {
      assert_close(change[i], -b[i], 1e-12, 1e-13);
      assert_close(moved[i], start[i] - b[i], 1e-12, 1e-13);
    }
    for (int i = 0; i < m; i++)
      assert_close(mult[i], -b[n + i], 1e-12, 1e-13);
    close_saddle(&s);
  }
}

/* Four right-hand sides side by side, with saved factors, give what four solves give; without rates, what
 * stands in their place is not looked at. */
static void lanes_agree_with_solves(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    saddle s;
    double b[GRADYN_LANES][2 * MOST], x[GRADYN_LANES][2 * MOST], room[MOST * 2 * MOST],
        other[MOST * MOST];
    int n = sizes[k][0], m = sizes[k][1];
    gradyn_lanes *right = gradyn_lanes_create(2 * MOST), *left = gradyn_lanes_create(2 * MOST);
    assert_true(right && left);
    for (int rates = 0; rates < 2; rates++) {
      open_saddle(&s, n, m);
      assert_true(gradyn_schur_size(&s.schur) <= sizeof room / sizeof *room);
      gradyn_schur_save(&s.schur, room);
      for (int l = 0; l < GRADYN_LANES; l++)
        for (int i = 0; i < n + m; i++)
          b[l][i] = i < n || rates ? number(100 * l + i) : NAN;
      gradyn_lanes_load(n + m, GRADYN_LANES, b[0], 2 * MOST, right);
      for (int l = 0; l < GRADYN_LANES; l++) {
        for (int i = n; i < n + m && !rates; i++)
          b[l][i] = 0;
        gradyn_schur_solve(&s.schur, b[l]);
      }
      for (int i = 0; i < s.jac.nnz; i++)
        other[i] = number(5 + 3 * i);
      assert_ok(gradyn_schur_factor(&s.schur, other), "");
      gradyn_schur_restore(&s.schur, room);
      gradyn_schur_solve_lanes(&s.schur, rates, right, left);
      gradyn_lanes_store(n + m, GRADYN_LANES, left, x[0], 2 * MOST);
      for (int l = 0; l < GRADYN_LANES; l++)
        check(x[l], b[l], n + m);
      close_saddle(&s);
    }
    free(right);
    free(left);
  }
}

/* The inverse, applied to four right-hand sides at once, gives what four solves give. */
static void the_inverse_agrees_with_solves(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    saddle s;
    double b[GRADYN_LANES][2 * MOST], x[GRADYN_LANES][2 * MOST];
    int n = sizes[k][0], m = sizes[k][1];
    gradyn_lanes *right = gradyn_lanes_create(2 * MOST), *left = gradyn_lanes_create(2 * MOST);
    assert_true(right && left);
    open_saddle(&s, n, m);
    for (int l = 0; l < GRADYN_LANES; l++)
      for (int i = 0; i < n + m; i++)
        b[l][i] = number(100 * l + i);
    gradyn_lanes_load(n + m, GRADYN_LANES, b[0], 2 * MOST, right);
    gradyn_schur_invert(&s.schur);
    gradyn_schur_apply_both(&s.schur, right, left);
    gradyn_schur_add_rates(&s.schur, right + n, left, left + n);
    gradyn_lanes_store(n + m, GRADYN_LANES, left, x[0], 2 * MOST);
    for (int l = 0; l < GRADYN_LANES; l++) {
      gradyn_schur_solve(&s.schur, b[l]);
      check(x[l], b[l], n + m);
    }
    close_saddle(&s);
    free(right);
    free(left);
  }
}

/* b = [M - E, J^T; J, 0] x for lane l, E = factor times entries of M's pattern, or the transpose. */
static void multiply_bent(const saddle *s, const gradyn_schur_bend *E, const double *x, double *b)
{
  multiply(s, x, b);
  if (E->transposed)
    gradyn_pattern_multiply_transposed(&s->dyn, s->n, E->values, -E->factor, x, b);
  else
    gradyn_pattern_multiply(&s->dyn, s->n, E->values, -E->factor, x, b);
}

/* With M - E in the place of M, E unsymmetric: what is solved for comes back, with all that may be
 * asked for. */
static void check_bent(const saddle *s, const gradyn_schur_bend *E, bool rates, bool multipliers)
{
  const int n = s->n, m = s->m;
  double x[GRADYN_LANES][2 * MOST], b[2 * MOST], found[GRADYN_LANES][2 * MOST];
  gradyn_lanes *room = gradyn_lanes_create(7 * MOST), *right = room, *left = room + 2 * MOST;
  assert_non_null(room);
  for (int l = 0; l < GRADYN_LANES; l++) {
    for (int i = 0; i < n + m; i++)
      x[l][i] = number(100 * l + i);
    multiply_bent(s, E, x[l], b);
    if (!rates)
      memset(b + n, 0, (size_t)m * sizeof *b);
    for (int i = 0; i < n + m; i++)
      right[i][l] = b[i];
  }
  assert_true(
      gradyn_schur_solve_bent(&s->schur, E, rates, multipliers, right, left, left + 2 * MOST));
  gradyn_lanes_store(n + m, GRADYN_LANES, left, found[0], 2 * MOST);
  for (int l = 0; l < GRADYN_LANES; l++) {
    if (rates)
      check(found[l], x[l], multipliers ? n + m : n);
    if (!multipliers)
      continue;
    multiply_bent(s, E, found[l], b); /* without rates: does it satisfy the system? */
    for (int i = 0; i < n + m; i++)
      assert_close(b[i], right[i][l], 1e-12, 1e-12);
  }
  free(room);
}

static void bent_systems_are_solved(void **state)
{
  (void)state;
  for (int k = 0; k < SIZES; k++) {
    saddle s;
    double values[MOST * MOST], full[MOST * MOST];
    gradyn_lanes room[6 * MOST];
    open_saddle(&s, sizes[k][0], sizes[k][1]);
    gradyn_schur_invert(&s.schur);
    for (int i = 0; i < s.dyn.nnz; i++)
      values[i] = number(3 * i);
    for (int what = 0; what < 8; what++) {
      gradyn_schur_bend E = {
          .pattern = &s.dyn, .values = values, .factor = 1e-3, .transposed = what & 1};
      gradyn_schur_spread(&s.schur, values, E.factor, E.transposed, full);
      E.full = gradyn_schur_small(&s.schur) ? full : NULL;
      check_bent(&s, &E, what & 2, what & 4);
    }
    memset(room, 0, sizeof room);
    for (int i = 0; i < s.n; i++)
      room[i] = (gradyn_lanes){1, number(i), 2, 3};
    const gradyn_schur_bend large = {.pattern = &s.dyn, .values = s.M, .factor = -3};
    assert_int_equal(
        gradyn_schur_solve_bent(&s.schur, &large, false, true, room, room + MOST, room + 3 * MOST),
        s.n == s.m);
    close_saddle(&s);
  }
}

static void dependent_rows_are_noticed(void **state)
{
  (void)state;
  saddle s;
  open_saddle(&s, 6, 2);
  for (int i = 0; i < s.jac.nnz; i++)
    s.J[i] = 0;
  s.J[0] = s.J[1] = 1;
  s.J[2] = s.J[3] = -2;
  assert_status(gradyn_schur_factor(&s.schur, s.J), GRADYN_SINGULAR, "");
  s.J[0] = NAN;
  assert_status(gradyn_schur_factor(&s.schur, s.J), GRADYN_NON_FINITE, "");
  close_saddle(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_satisfy_the_system),
      cmocka_unit_test(projections_agree_with_solves),
      cmocka_unit_test(lanes_agree_with_solves),
      cmocka_unit_test(the_inverse_agrees_with_solves),
      cmocka_unit_test(bent_systems_are_solved),
      cmocka_unit_test(dependent_rows_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
