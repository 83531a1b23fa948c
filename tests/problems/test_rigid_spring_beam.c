/* The rigid rod with spring and beam, Ebrahimi et al. (2018), section 6.2: gradients, order, and the
 * optimum, which does not depend on the step. */
#include "tests/adjoint/ali3p_models.h"

enum { XD, YD, DISPLACEMENT = 0, LENGTH, B_X = 0, B_Y };

static const double start[2] = {0.3, -0.4}; /* of B, m */

static run_setup setup_of(double step, int linear)
{
  return (run_setup){.problem = &gradyn_problem_rigid_spring_beam,
                     .method = "variational",
                     .setting = "linear",
                     .value = linear,
                     .step = step};
}

/* --- gradients ---------------------------------------------------------------------------------------- */

/* To 1e-10 of the larger derivative. The smaller one is a difference of large numbers in this stiff beam,
 * where the last bit of a parameter changes a gradient by some 3e-11. */
TEST(direct_equals_adjoint)
{
  for (int linear = 0; linear < 2; linear++) {
    double gradient[2][4];
    for (int k = 0; k < 2; k++) {
      run_setup setup = setup_of(1e-3, linear);
      setup.sensitivity = k ? "adjoint" : "direct";
      ali3p_gradient(&setup, NULL, gradient[k], NULL);
    }
    for (int f = 0; f < 2; f++) {
      const double *g = gradient[0] + 2 * f;
      assert_close_array(gradient[1] + 2 * f, g, 2, 0, 1e-10 * fmax(fabs(g[0]), fabs(g[1])));
    }
    assert_memory_not_equal(gradient[0], gradient[1], sizeof gradient[0]);
  }
}

TEST(gradients_agree_with_differences)
{
  for (int linear = 0; linear < 2; linear++) {
    run_setup setup = setup_of(1e-3, linear);
    ali3p_compare_differences(&setup, 5e-3, 1e-7);
  }
}

/* --- order ---------------------------------------------------------------------------------------------- */

/* Position of B, force in the rod, the functional and its gradient. */
typedef struct outcome {
  double end[3], psi[2], gradient[4];
} outcome;

static void run(double step, outcome *o)
{
  double rho[2], row[64];
  run_setup setup = setup_of(step, 0);
  run_local *ev = ali3p_open(&setup);
  OWNED(gradyn_trajectory) *path = gradyn_trajectory_create();
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, path), ev);
  assert_in_range(gradyn_trajectory_read(path).columns, 3, 64);
  gradyn_trajectory_step(path, gradyn_trajectory_read(path).steps - 1, row);
  o->end[0] = row[B_X];
  o->end[1] = row[B_Y];
  o->end[2] = row[gradyn_trajectory_read(path).columns - 1];
  assert_run(gradyn_evaluator_gradient(ev, rho, o->psi, o->gradient), ev);
}

static double order_of(double a, double b, double c)
{
  return log2(fabs((a - b) / (b - c)));
}

/* The longitudinal vibrations of the beam are too fast for all of these steps, but the motion of the rod
 * converges. Its force is affected by them through the spring. */
THOROUGH_TEST(rod_is_of_second_order)
{
  outcome o[3];
  for (int k = 0; k < 3; k++)
    run(5e-4 / (1 << k), &o[k]);
  for (int i = 0; i < 3; i++)
    assert_close(order_of(o[0].end[i], o[1].end[i], o[2].end[i]), 2, 0, i < 2 ? 0.05 : 0.5);
  assert_close(order_of(o[0].psi[0], o[1].psi[0], o[2].psi[0]), 2, 0, 0.05);
  for (int j = 0; j < 2; j++)
    assert_close(order_of(o[0].gradient[j], o[1].gradient[j], o[2].gradient[j]), 2, 0, 0.05);
}

/* --- the optimum ---------------------------------------------------------------------------------------- */

static void optimise(gradyn_evaluator *ev, gradyn_search_result *found)
{
  double rho[2];
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  assert_ok(gradyn_optimise(ev, &search, rho, found), found->reason);
}

THOROUGH_TEST(optimum_does_not_depend_on_the_step)
{
  gradyn_search_result found[2];
  for (int k = 0; k < 2; k++) {
    run_setup setup = setup_of(1e-3 / (1 << k), 0);
    run_local *ev = ali3p_open(&setup);
    optimise(ev, &found[k]);
    assert_int_equal(found[k].termination, GRADYN_TERMINATION_OPTIMAL);
  }
  assert_close(found[0].rho[XD], found[1].rho[XD], 0, 2e-5);
  assert_close(found[0].rho[YD], found[1].rho[YD], 0, 1e-5);
  assert_close(found[0].objective, found[1].objective, 1e-4, 0);
  assert_close(found[0].psi[LENGTH], hypot(0.6 - found[0].rho[XD], -0.4 - found[0].rho[YD]), 1e-12,
               0);
  for (int k = 0; k < 2; k++)
    gradyn_search_result_clear(&found[k]);
}

/* No point near the optimum is better, by runs without gradients. */
TEST(optimum_is_a_minimum)
{
  LOCAL(gradyn_search_result) found;
  run_setup setup = setup_of(1e-3, 0);
  run_local *ev = ali3p_open(&setup);
  optimise(ev, &found);
  for (int k = 0; k < 12; k++) {
    double angle = k * acos(-1) / 6, psi[2];
    double rho[2] = {found.rho[XD] + 0.01 * cos(angle), found.rho[YD] + 0.01 * sin(angle)};
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_true(psi[DISPLACEMENT] > found.objective);
  }
}

/* Distance of B from its initial position at each step. */
static size_t displacements(gradyn_evaluator *ev, const double rho[2], double distance[],
                            size_t most)
{
  double row[64];
  OWNED(gradyn_trajectory) *path = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, path), ev);
  assert_string_equal(gradyn_trajectory_column(path, B_X).name, "B.x");
  size_t count = gradyn_trajectory_read(path).steps;
  assert_in_range(count, 2, most);
  for (size_t k = 0; k < count; k++) {
    gradyn_trajectory_step(path, k, row);
    distance[k] = hypot(row[B_X] - start[0], row[B_Y] - start[1]);
  }
  return count;
}

/* The displacement is smaller at every step after the start; the largest one is a seventh. */
THOROUGH_TEST(displacement_is_smaller_at_all_times)
{
  enum { MOST = 2001 };
  static double before[MOST], after[MOST];
  double rho[2], largest[2] = {0};
  LOCAL(gradyn_search_result) found;
  run_setup setup = setup_of(5e-4, 0);
  run_local *ev = ali3p_open(&setup);
  run_initial(ev, rho);
  optimise(ev, &found);
  size_t count = displacements(ev, rho, before, MOST);
  assert_int_equal(displacements(ev, found.rho, after, MOST), count);
  assert_close(before[0], 0, 0, 1e-15);
  for (size_t k = 1; k < count; k++) {
    if (!(after[k] < before[k]))
      fail_msg("at step %zu B is %g m from its start, it was %g m", k, after[k], before[k]);
    largest[0] = fmax(largest[0], before[k]);
    largest[1] = fmax(largest[1], after[k]);
  }
  assert_true(largest[1] < largest[0] / 7);
}
