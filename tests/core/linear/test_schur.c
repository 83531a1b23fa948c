/* The Schur complement for saddle systems against the saddle matrix. */
#include "tests/core/linear/saddles.h"
#include "tests/support.h"

static void check(const double *actual, const double *expected, int count)
{
  for (int i = 0; i < count; i++)
    assert_close(actual[i], expected[i], 1e-12, 1e-13);
}

TEST(solutions_satisfy_the_system)
{
  for (int k = 0; k < SADDLE_SIZES; k++) {
    saddle s;
    double x[2 * MOST], b[2 * MOST], shifted[2 * MOST], e[MOST], image[MOST] = {0};
    int n = saddle_sizes[k][0], m = saddle_sizes[k][1];
    open_saddle(&s, n, m);
    for (int i = 0; i < n + m; i++)
      x[i] = saddle_number(31 + i);
    for (int i = 0; i < n; i++)
      e[i] = saddle_number(77 + i);
    saddle_multiply(&s, x, b);
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

/* A projection is a solve without force, with the opposite sign. */
TEST(projections_agree_with_solves)
{
  for (int k = 0; k < SADDLE_SIZES; k++) {
    saddle s;
    double b[2 * MOST], mult[MOST], start[MOST], change[MOST], moved[MOST];
    int n = saddle_sizes[k][0], m = saddle_sizes[k][1];
    open_saddle(&s, n, m);
    for (int i = 0; i < n + m; i++)
      b[i] = i < n ? 0 : saddle_number(13 + i);
    memcpy(mult, b + n, (size_t)m * sizeof *b);
    for (int i = 0; i < n; i++)
      start[i] = saddle_number(50 + i);
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

/* Four or eight right-hand sides at once, with stored factors, give the results of single solves. Without
 * rates, their entries are not read. */
static void lanes_agree_with_solves_of(int k, int axes, int lanes, bool rates, bool minus)
{
  enum { COLUMNS = 2 * GRADYN_LANES };
  saddle s;
  double b[COLUMNS][2 * MOST], x[2 * MOST], capacity[MOST * 2 * MOST], other[MOST * MOST];
  const int n = saddle_sizes[k][0], m = saddle_sizes[k][1], columns = lanes * GRADYN_LANES;
  FREED gradyn_lanes *right = gradyn_lanes_create(4 * MOST), *left = gradyn_lanes_create(4 * MOST);
  assert_true(right && left);
  open_saddle_of_points(&s, n, m, axes);
  assert_int_equal(s.schur.axes, n > axes ? axes : s.schur.axes);
  assert_true(gradyn_schur_size(&s.schur) <= sizeof capacity / sizeof *capacity);
  gradyn_schur_save(&s.schur, capacity);
  for (int l = 0; l < columns; l++) {
    for (int i = 0; i < n + m; i++) {
      b[l][i] = i < n || rates ? saddle_number(100 * l + i) : 0;
      ((double *)right)[i * columns + l] = i < n || rates ? b[l][i] : NAN;
    }
    gradyn_schur_solve(&s.schur, b[l]);
  }
  for (int i = 0; i < s.jac.nnz; i++)
    other[i] = saddle_number(5 + 3 * i);
  assert_ok(gradyn_schur_factor(&s.schur, other), "");
  gradyn_schur_restore(&s.schur, capacity);
  gradyn_schur_solve_lanes(&s.schur, lanes, rates, minus, right, left);
  for (int l = 0; l < columns; l++) {
    for (int i = 0; i < n + m; i++)
      x[i] = (minus ? -1 : 1) * ((double *)left)[i * columns + l];
    check(x, b[l], n + m);
  }
  close_saddle(&s);
}

TEST(lanes_agree_with_solves)
{
  for (int k = 0; k < SADDLE_SIZES; k++)
    for (int axes = 1; axes <= 3; axes++)
      for (int way = 0; way < 8 && saddle_sizes[k][0] % axes == 0; way++)
        lanes_agree_with_solves_of(k, axes, 1 + way / 4, way % 2 == 1, way / 2 % 2 == 1);
}

/* The inverse, applied to four right-hand sides at once, gives the results of four solves. */
TEST(the_inverse_agrees_with_solves)
{
  for (int k = 0; k < SADDLE_SIZES; k++) {
    saddle s;
    double b[GRADYN_LANES][2 * MOST], x[GRADYN_LANES][2 * MOST];
    int n = saddle_sizes[k][0], m = saddle_sizes[k][1];
    FREED gradyn_lanes *right = gradyn_lanes_create(2 * MOST),
                       *left = gradyn_lanes_create(2 * MOST);
    assert_true(right && left);
    open_saddle(&s, n, m);
    for (int l = 0; l < GRADYN_LANES; l++)
      for (int i = 0; i < n + m; i++)
        b[l][i] = saddle_number(100 * l + i);
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
  }
}

TEST(dependent_rows_are_noticed)
{
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
