/* Saddle systems with M - E in place of M, and systems near dependence. */
#include "tests/core/linear/saddles.h"
#include "tests/support.h"

/* E of the position problem: factor times `values`, or its transpose. */
typedef struct bend {
  const double *values;
  double factor;
  bool transposed;
} bend;

/* b += factor E x */
static void add_bent(const saddle *s, const bend *E, double factor, const double *x, double *b)
{
  if (E->transposed)
    gradyn_pattern_multiply_transposed(&s->dyn, s->n, E->values, factor * E->factor, x, b);
  else
    gradyn_pattern_multiply(&s->dyn, s->n, E->values, factor * E->factor, x, b);
}

/* With M - E in place of M, E unsymmetric, and a part E e of the force: the solution must satisfy the
 * system, for all combinations of requested results. */
static void check_bent(saddle *s, const bend *E, bool rates, bool multipliers)
{
  const int n = s->n, m = s->m;
  double b[GRADYN_LANES][2 * MOST], e[GRADYN_LANES][MOST], x[GRADYN_LANES][2 * MOST],
      weighed[GRADYN_LANES][MOST], image[2 * MOST];
  gradyn_lanes *capacity = gradyn_lanes_create(6 * MOST), *right = capacity,
               *left = capacity + 2 * MOST, *shift = capacity + 4 * MOST,
               *mass = capacity + 5 * MOST;
  assert_non_null(capacity);
  assert_true(gradyn_schur_modify(&s->schur, E->values, E->factor, E->transposed));
  for (int l = 0; l < GRADYN_LANES; l++)
    for (int i = 0; i < n + m; i++) {
      b[l][i] = i < n || rates ? saddle_number(100 * l + i) : NAN;
      e[l][i % n] = saddle_number(200 * l + i);
    }
  gradyn_lanes_load(n + m, GRADYN_LANES, b[0], 2 * MOST, right);
  gradyn_lanes_load(n, GRADYN_LANES, e[0], MOST, shift);
  gradyn_schur_solve_modified(&s->schur, rates, multipliers, right, shift, left,
                              multipliers ? mass : NULL);
  gradyn_lanes_store(n + m, GRADYN_LANES, left, x[0], 2 * MOST);
  gradyn_lanes_store(n, GRADYN_LANES, mass, weighed[0], MOST);
  for (int l = 0; l < GRADYN_LANES; l++) {
    saddle_multiply(s, x[l], image);
    add_bent(s, E, -1, x[l], image);
    add_bent(s, E, -1, e[l], image);
    for (int i = multipliers ? 0 : n; i < n + m; i++)
      assert_close(image[i], i < n || rates ? b[l][i] : 0, 1e-12, 1e-12);
    memset(image, 0, sizeof image);
    gradyn_pattern_multiply(&s->dyn, n, s->M, 1, x[l], image);
    if (multipliers)
      for (int i = 0; i < n; i++)
        assert_close(weighed[l][i], image[i], 1e-12, 1e-13);
  }
  free(capacity);
}

/* Small and large E. If M - E is not positive on the null space of the constraints, the system is refused. */
TEST(curved_systems_are_solved)
{
  for (int k = 0; k < SADDLE_SIZES; k++) {
    saddle s;
    double values[MOST * MOST];
    open_saddle(&s, saddle_sizes[k][0], saddle_sizes[k][1]);
    gradyn_schur_invert(&s.schur);
    for (int i = 0; i < s.dyn.nnz; i++)
      values[i] = saddle_number(3 * i);
    for (int what = 0; what < 8; what++) {
      const bend small = {values, 1e-3, what & 1}, large = {s.M, -3, what & 1};
      check_bent(&s, &small, what & 2, what & 4);
      check_bent(&s, &large, what & 2, what & 4);
    }
    assert_int_equal(gradyn_schur_modify(&s.schur, s.M, 3, false), s.n == s.m);
    close_saddle(&s);
  }
}

/* For nearly dependent rows, given rates require large changes. These must not move free coordinates: t^T M
 * x = 0 for J t = 0, however small the remainder of the last row is. */
TEST(nearly_dependent_rows_do_not_move_free_coordinates)
{
  const int n = 6, m = 4;
  for (double rest = 1e-1; rest > 1e-5; rest /= 10) {
    saddle s;
    double image[MOST] = {0}, product = 0, size[2] = {0};
    gradyn_lanes capacity[4 * MOST], *f = capacity, *t = capacity + MOST, *x = capacity + 2 * MOST;
    open_saddle(&s, n, m);
    for (int k = s.jac.start[m - 1]; k < s.jac.nnz; k++) /* the last row is full */
      s.J[k] *= rest;
    for (int k = s.jac.start[0]; k < s.jac.start[1]; k++)
      s.J[s.jac.start[m - 1] + s.jac.col[k]] += s.J[k];
    assert_ok(gradyn_schur_factor(&s.schur, s.J), "");
    assert_true(s.schur.least_pivot < 10 * rest * rest);
    gradyn_schur_invert(&s.schur);
    for (int i = 0; i < n; i++)
      f[i] = (gradyn_lanes){saddle_number(40 + i)};
    gradyn_schur_apply(&s.schur, f, t);
    for (int i = 0; i < n; i++)
      x[i] = (gradyn_lanes){0};
    for (int i = 0; i < m; i++)
      f[i] = (gradyn_lanes){saddle_number(60 + i)};
    gradyn_schur_add_rates(&s.schur, f, x, NULL);
    for (int i = 0; i < n; i++)
      for (int k = s.dyn.start[i]; k < s.dyn.start[i + 1]; k++)
        image[i] += s.M[k] * x[s.dyn.col[k]][0];
    for (int i = 0; i < n; i++) {
      product += t[i][0] * image[i];
      size[0] += t[i][0] * t[i][0];
      size[1] += image[i] * image[i];
    }
    assert_close(product, 0, 0, 1e-14 / rest * sqrt(size[0] * size[1]));
    close_saddle(&s);
  }
}
