/* Vectors that join and leave a basis, checked by the conditions on its results. */
#include "tests/support.h"

#include "optim/program/basis.h"

enum { N = 24, MOST = 20 };

static double some(size_t i, size_t j)
{
  return fmod(4375.85453 * sin(12.9898 * (double)i + 78.233 * (double)j), 1);
}

/* Vector i; every fifth is a sum of the two before it. */
static void fill(size_t i, double v[N])
{
  for (size_t j = 0; j < N; j++)
    v[j] = i % 5 == 4 ? some(i - 1, j) - 2 * some(i - 2, j) : some(i, j);
}

/* The residual of a target must be orthogonal to all vectors. */
static void check(const gradyn_basis *basis, const size_t there[])
{
  double left[N], target[N], v[N], y[MOST];
  for (size_t j = 0; j < N; j++)
    left[j] = target[j] = cos((double)j);
  gradyn_basis_nearest(basis, target, y);
  for (size_t k = 0; k < basis->count; k++) {
    fill(there[k], v);
    for (size_t j = 0; j < N; j++)
      left[j] -= y[k] * v[j];
  }
  for (size_t k = 0; k < basis->count; k++) {
    double along = 0;
    fill(there[k], v);
    for (size_t j = 0; j < N; j++)
      along += v[j] * left[j];
    assert_close(along, 0, 0, 1e-12);
  }
}

TEST(sums_are_nearest_whoever_has_joined_and_left)
{
  LOCAL(gradyn_arena) arena = {0};
  gradyn_basis basis;
  size_t there[MOST];
  double v[N];
  gradyn_basis_create(&arena, MOST, N, &basis);
  assert_int_equal(gradyn_arena_status(&arena), GRADYN_OK);
  for (size_t i = 0; i < 400; i++) {
    const size_t leaves = basis.count > 0 ? (7 * i) % basis.count : 0;
    if (basis.count == MOST || (basis.count > 3 && i % 3 == 2)) {
      gradyn_basis_leave(&basis, leaves);
      memmove(there + leaves, there + leaves + 1, (basis.count - leaves) * sizeof *there);
    }
    fill(i, v);
    if (gradyn_basis_join(&basis, v, 1e-10))
      there[basis.count - 1] = i;
    check(&basis, there);
  }
}

TEST(redundant_rows_and_rows_beyond_the_capacity_are_left_out)
{
  LOCAL(gradyn_arena) arena = {0};
  gradyn_basis basis;
  double v[N];
  gradyn_basis_create(&arena, 3, N, &basis);
  assert_int_equal(gradyn_arena_status(&arena), GRADYN_OK);
  for (size_t i = 2; i < 6; i++) {
    fill(i, v);
    assert_int_equal(gradyn_basis_join(&basis, v, 1e-10), i != 4);
  }
  fill(6, v);
  assert_false(gradyn_basis_join(&basis, v, 1e-10));
  gradyn_basis_leave(&basis, 0);
  fill(4, v); /* 3 - 2 * 2, where vector 2 has left the basis */
  assert_true(gradyn_basis_join(&basis, v, 1e-10));
  v[0] = NAN;
  gradyn_basis_leave(&basis, 1);
  assert_false(gradyn_basis_join(&basis, v, 1e-10));
}
