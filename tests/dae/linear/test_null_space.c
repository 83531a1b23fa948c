/* Null spaces. With nearly equal columns, A = [1, 1; 1, 1 + d] has the singular values 2 and d/2 to first
 * order in d, the second along (1, -1)/sqrt 2. */
#include <gradyn/problem.h>

#include "dae/linear/null_space.h"
#include "tests/support.h"

static const struct {
  double d;
  int dimension;
} columns[] = {{0, 1}, {4e-15, 1}, {4e-9, 0}, {1, 0}};

TEST(columns_are_the_same_but_for_round_off)
{
  for (size_t k = 0; k < GRADYN_COUNT(columns); k++) {
    double P[4];
    int dimension = -1;
    const double A[] = {1, 1, 1, 1 + columns[k].d};
    assert_ok(gradyn_null_projector(2, 2, A, P, &dimension), "no decomposition");
    assert_int_equal(dimension, columns[k].dimension);
    const double part = dimension / 2.0;
    assert_close_array(P, ((double[]){part, -part, -part, part}), 4, 0, 1e-14);
  }
}

/* A single column is its own null space if it is zero; otherwise there is none. */
TEST(a_column_alone)
{
  const double A[][2] = {{0, 0}, {3, 4}};
  for (int k = 0; k < 2; k++) {
    double P = -1;
    int dimension = -1;
    assert_ok(gradyn_null_projector(2, 1, A[k], &P, &dimension), "no decomposition");
    assert_int_equal(dimension, k == 0);
    assert_close(P, k == 0, 0, 1e-15);
  }
}
