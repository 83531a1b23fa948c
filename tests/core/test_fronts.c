/* Tests of fronts: saddle matrices of random trees and loops of bodies against residuals, the order of their
 * elimination, and what is handed to KLU. */
#include "tests/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/linsys.h"
#include "core/order.h"

enum { MOST = 6000 };

/* Bodies of some coordinates each, with a dense mass matrix, tied to earlier ones by some constraints. */
typedef struct example {
  int n, m, count; /* coordinates, constraints, entries */
  int row[MOST], col[MOST];
  double value[MOST];
} example;

/* Uniform in [-1, 1], the same on all machines. */
static double noise(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

static int below(unsigned *seed, int most)
{
  return (int)((noise(seed) + 1) / 2 * most) % most;
}

static void add(example *e, int i, int j, double value)
{
  assert_true(e->count < MOST);
  e->row[e->count] = i;
  e->col[e->count] = j;
  e->value[e->count++] = value;
}

/* Constraint number m on two bodies of `each` coordinates; skew: its columns differ from its rows by that. */
static void tie(example *e, int n, int each, const int *body, double skew, unsigned *seed)
{
  const int row = n + e->m++;
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < each && body[b] >= 0; k++) {
      const double slope = noise(seed);
      add(e, row, each * body[b] + k, slope);
      add(e, each * body[b] + k, row, slope + skew * noise(seed));
    }
  add(e, row, row, 0);
}

/* Trees whose bodies hang on a random one of the last `near`, and `loops` more constraints. */
static example *new_example(int bodies, int each, int near, int loops, double skew, unsigned seed)
{
  example *e = calloc(1, sizeof *e);
  assert_non_null(e);
  e->n = bodies * each;
  for (int b = 0; b < bodies; b++) {
    const double mass = pow(10, noise(&seed));
    for (int i = 0; i < each; i++)
      for (int j = 0; j < each; j++)
        add(e, each * b + i, each * b + j, mass * (i == j ? 1 : 0.5 / each + skew * noise(&seed)));
    const int on[] = {b, b == 0 ? -1 : b - 1 - below(&seed, b < near ? b : near)};
    for (int k = 0; k < each - 1; k++)
      tie(e, e->n, each, on, skew, &seed);
  }
  for (int k = 0; k < loops; k++) {
    const int on[] = {below(&seed, bodies - 1), bodies - 1};
    if (on[0] != on[1])
      tie(e, e->n, each, on, skew, &seed);
  }
  return e;
}

static gradyn_linsys *new_system(const example *e, gradyn_backend backend, gradyn_pattern *pattern)
{
  const int size = e->n + e->m;
  gradyn_linsys *system = NULL;
  assert_ok(gradyn_pattern_create(size, size, e->count, e->row, e->col, pattern), NULL);
  assert_ok(gradyn_linsys_create(pattern, e->n, backend, &system), NULL);
  for (int k = 0; k < e->count; k++)
    gradyn_linsys_values(system)[gradyn_pattern_find(pattern, e->row[k], e->col[k])] = e->value[k];
  return system;
}

/* Largest |A x - b| or |A^T x - b|, over the largest |x|. */
static double residual(const gradyn_pattern *pattern, const double *values, bool transposed,
                       const double *x, const double *b)
{
  const int n = pattern->rows;
  double worst = 0, size = 0, *r = calloc((size_t)n, sizeof *r);
  assert_non_null(r);
  if (transposed)
    gradyn_pattern_multiply_transposed(pattern, n, values, 1, x, r);
  else
    gradyn_pattern_multiply(pattern, n, values, 1, x, r);
  for (int i = 0; i < n; i++) {
    worst = fmax(worst, fabs(r[i] - b[i]));
    size = fmax(size, fabs(x[i]));
  }
  free(r);
  return worst / size;
}

/* All counts of right-hand sides up to two packs of four. */
static void check_solutions(const gradyn_pattern *pattern, gradyn_linsys *system, unsigned seed)
{
  enum { COUNT = 8 };
  const size_t n = (size_t)pattern->rows;
  double *b = calloc(2 * COUNT * n, sizeof *b), *x = b + COUNT * n;
  assert_non_null(b);
  for (size_t i = 0; i < COUNT * n; i++)
    b[i] = noise(&seed);
  for (int way = 0; way < 2; way++)
    for (int count = 1; count <= COUNT; count++) {
      memcpy(x, b, COUNT * n * sizeof *x);
      if (way == 1)
        gradyn_linsys_solve_transposed(system, x, count);
      else
        gradyn_linsys_solve(system, x, count);
      for (int k = 0; k < count; k++)
        assert_true(residual(pattern, gradyn_linsys_values(system), way, x + (size_t)k * n,
                             b + (size_t)k * n) < 1e-11);
    }
  free(b);
}

static void trees_and_loops_are_solved(void **state)
{
  (void)state;
  static const double skews[] = {0, 0.02};
  for (unsigned seed = 0; seed < 60; seed++) {
    const int each = 1 + (int)seed % 7, near = 1 + (int)seed % 3;
    example *e = new_example(4 + (int)seed % 11, each, near, (int)seed % 2, skews[seed / 2 % 2],
                             seed);
    gradyn_pattern pattern;
    gradyn_linsys *system = new_system(e, GRADYN_BACKEND_FRONTS, &pattern);
    assert_ok(gradyn_linsys_factor(system), NULL);
    check_solutions(&pattern, system, seed);
    /* a solve that follows another matrix is none the worse for it, to the last bit */
    double *x = calloc(2 * (size_t)pattern.rows, sizeof *x), *y = x + pattern.rows;
    assert_non_null(x);
    x[0] = y[0] = 1;
    gradyn_linsys_solve(system, x, 1);
    gradyn_linsys_values(system)[0] *= 3;
    assert_ok(gradyn_linsys_factor(system), NULL);
    gradyn_linsys_values(system)[0] = e->value[0];
    assert_ok(gradyn_linsys_factor(system), NULL);
    gradyn_linsys_solve(system, y, 1);
    assert_memory_equal(x, y, sizeof *x * (size_t)pattern.rows);
    free(x);
    gradyn_linsys_free(system);
    gradyn_pattern_clear(&pattern);
    free(e);
  }
}

/* The sign of the determinant is that of a dense factorisation: (-1)^m for a symmetric saddle matrix. */
static void signs_are_those_of_multipliers(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < 20; seed++) {
    example *e = new_example(5, 2 + (int)seed % 4, 2, (int)seed % 2, 0, seed);
    gradyn_pattern pattern;
    gradyn_linsys *system = new_system(e, GRADYN_BACKEND_FRONTS, &pattern);
    assert_ok(gradyn_linsys_factor(system), NULL);
    assert_int_equal(gradyn_linsys_sign(system), e->m % 2 ? -1 : 1);
    gradyn_linsys_free(system);
    gradyn_pattern_clear(&pattern);
    free(e);
  }
}

/* A permutation in which multipliers stand behind all coordinates that they meet. */
static void multipliers_come_behind_their_coordinates(void **state)
{
  (void)state;
  for (unsigned seed = 0; seed < 40; seed++) {
    example *e = new_example(3 + (int)seed % 12, 1 + (int)seed % 5, 1 + (int)seed % 4, 1, 0, seed);
    const int size = e->n + e->m;
    gradyn_pattern pattern;
    int *order = calloc(2 * (size_t)size, sizeof *order), *place = order + size;
    assert_non_null(order);
    assert_ok(gradyn_pattern_create(size, size, e->count, e->row, e->col, &pattern), NULL);
    assert_ok(gradyn_order_create(&pattern, e->n, order), NULL);
    memset(place, -1, (size_t)size * sizeof *place);
    for (int k = 0; k < size; k++) {
      assert_in_range(order[k], 0, size - 1);
      assert_int_equal(place[order[k]], -1);
      place[order[k]] = k;
    }
    for (int k = 0; k < e->count; k++)
      if (e->row[k] >= e->n && e->col[k] < e->n)
        assert_true(place[e->col[k]] < place[e->row[k]]);
    free(order);
    gradyn_pattern_clear(&pattern);
    free(e);
  }
}

/* Coordinates without mass, constraints that depend on each other, or nearly so, negative masses: the order
 * of the fronts has no pivots for them. What is regular is solved all the same, what is not is told. */
static void what_has_no_pivots_is_handed_over(void **state)
{
  (void)state;
  enum { MASSLESS, NEGATIVE, REPEATED, CLOSE, KINDS };
  for (int kind = 0; kind < KINDS; kind++)
    for (unsigned seed = 0; seed < 20; seed++) {
      example *e = new_example(8, 3, 2, 0, 0, seed);
      gradyn_pattern pattern;
      gradyn_linsys *system = new_system(e, GRADYN_BACKEND_FRONTS, &pattern);
      double *values = gradyn_linsys_values(system);
      const int *start = pattern.start, last = pattern.rows - 1;
      if (kind == MASSLESS || kind == NEGATIVE) /* of the first body */
        for (int i = 0; i < 3; i++)
          for (int k = start[i]; k < start[i + 1] && pattern.col[k] < 3; k++)
            values[k] *= kind == NEGATIVE ? -1 : i == 0 || pattern.col[k] == 0 ? 0 : 1;
      else /* both of the last body's, up to a share of the second */
        for (int k = start[last]; k < start[last + 1] - 1; k++) {
          const int other = k - start[last] + start[last - 1], i = pattern.col[k];
          values[k] = values[other] + (kind == CLOSE ? 1e-6 * values[k] : 0);
          values[gradyn_pattern_find(&pattern, i, last)] = values[k];
        }
      assert_int_equal(gradyn_linsys_factor(system),
                       kind == REPEATED ? GRADYN_SINGULAR : GRADYN_OK);
      if (kind != REPEATED)
        check_solutions(&pattern, system, seed);
      gradyn_linsys_free(system);
      gradyn_pattern_clear(&pattern);
      free(e);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees_and_loops_are_solved),
      cmocka_unit_test(signs_are_those_of_multipliers),
      cmocka_unit_test(multipliers_come_behind_their_coordinates),
      cmocka_unit_test(what_has_no_pivots_is_handed_over),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
