/* Multipliers of joints that joint coordinates eliminate: they equal those of natural coordinates, by all
 * methods that support them. */
#include "tests/mbs/tree/both.h"

enum { SAMPLES = 5, CHAIN = BOTH_SHAPES * GRADYN_REVOLUTE + BOTH_CHAIN };

/* Forces in the bearings of shoulder and elbow, and path constraints on them. */
THOROUGH_TEST(bearing_forces_of_a_robot_are_the_same)
{
  both_compare(&(run_setup){.problem = &gradyn_problem_robot_arm,
                            .method = "kinematic",
                            .sensitivity = "adjoint"},
               1e-9);
}

THOROUGH_TEST(idas_finds_the_same)
{
  for (int k = 0; k < 2; k++)
    both_compare(&(run_setup){.problem = &both_natural,
                              .setting = "tree",
                              .value = CHAIN,
                              .method = "idas",
                              .sensitivity = k ? "direct" : "adjoint",
                              .rtol = 1e-9,
                              .t_end = 0.02},
                 1e-6);
}

/* Columns of measures at five times of a run. */
static size_t look(const gradyn_problem *problem, double *out, size_t most)
{
  run_local *ev = ali3p_open(&(run_setup){
      .problem = problem, .setting = "tree", .value = CHAIN, .method = "explicit", .rtol = 1e-11});
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  double psi[32], rho[3], row[256];
  size_t found = 0;
  run_initial(ev, rho);
  gradyn_trajectory_request(trajectory, SAMPLES);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
  assert_true(gradyn_trajectory_read(trajectory).columns < 256);
  for (int k = 0; k < SAMPLES; k++) {
    gradyn_trajectory_sample(trajectory, 0.06 * k / (SAMPLES - 1), row);
    for (size_t i = 0; i < gradyn_trajectory_read(trajectory).columns; i++) {
      const char *name = gradyn_trajectory_column(trajectory, i).name;
      if (strncmp(name, "first.", 6) == 0 || strncmp(name, "last.", 5) == 0)
        out[found++] = row[i];
      assert_true(found < most);
    }
  }
  return found;
}

TEST(columns_of_measures_are_the_same)
{
  double column[2][256];
  const size_t count = look(&both_natural, column[0], 256);
  assert_int_equal(count, 12 * SAMPLES);
  assert_int_equal(look(&both_joint, column[1], 256), count);
  assert_close_array(column[1], column[0], (int)count, 1e-8, 1e-8);
}

/* ALI3-P against differences with the same steps; its accelerations are not those of the equations of
 * motion. */
TEST(ali3p_has_derivatives_of_its_own)
{
  const run_setup setup = {
      .problem = &both_joint, .setting = "tree", .value = CHAIN, .step = 2e-3, .t_end = 0.02};
  ali3p_compare_data(&setup, NULL, 1e-10);
  ali3p_compare_differences(&setup, 4e-3, 1e-7);
}

TEST(explicit_agrees_with_differences)
{
  ali3p_compare_differences(&(run_setup){.problem = &both_joint,
                                         .setting = "tree",
                                         .value = BOTH_SHAPES * GRADYN_PRISMATIC + BOTH_CLOSED,
                                         .method = "explicit",
                                         .step = 0.01},
                            4e-3, 1e-7);
}
