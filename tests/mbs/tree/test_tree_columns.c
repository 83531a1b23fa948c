/* Trajectories in joint coordinates have the columns of natural coordinates: positions and rates of
 * coordinates, vectors of bodies, measures, each with its unit and value. Rates and accelerations of vectors,
 * and multipliers of eliminated constraints, are missing. */
#include "tests/mbs/tree/both.h"

static gradyn_trajectory *run(const gradyn_problem *problem, int kind, int shape)
{
  double rho[8], psi[32];
  const run_setup setup = both_tree(problem, kind, shape);
  gradyn_trajectory *motion = gradyn_trajectory_create();
  run_local *ev = ali3p_open(&setup);
  assert_non_null(motion);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, motion), ev);
  return motion;
}

static double at_end(const gradyn_trajectory *motion, size_t column)
{
  const size_t row = gradyn_trajectory_read(motion).steps - 1;
  return gradyn_trajectory_read(motion).rows[row * gradyn_trajectory_read(motion).columns + column];
}

/* Checks that natural coordinates have each column, and returns the number of equal columns that both have.
 */
static size_t compare_columns(const gradyn_trajectory *one, const gradyn_trajectory *other)
{
  size_t same = 0;
  for (size_t i = 0; i < gradyn_trajectory_read(other).columns; i++)
    for (size_t j = 0; j < gradyn_trajectory_read(one).columns; j++)
      if (strcmp(gradyn_trajectory_column(other, i).name, gradyn_trajectory_column(one, j).name) ==
          0) {
        assert_string_equal(gradyn_trajectory_column(other, i).unit,
                            gradyn_trajectory_column(one, j).unit);
        assert_close(at_end(other, i), at_end(one, j), 1e-8, 1e-8);
        same++;
      }
  return same;
}

TEST(columns_are_those_in_natural_coordinates)
{
  for (int kind = 0; kind < BOTH_KINDS; kind++) {
    OWNED(gradyn_trajectory) *one = run(&both_natural, kind, BOTH_FREE),
                             *other = run(&both_joint, kind, BOTH_FREE);
    /* at least 12 numbers for each of three bodies */
    assert_true(compare_columns(one, other) >= 36);
  }
}
