/* ALI3-P with redundant constraints: throughout the run, or at single positions. */
#include "tests/adjoint/ali3p_models.h"

enum { STATES = 200 };

typedef struct outcome {
  double energy; /* J, at the end */
  double fold;   /* largest deviation of the tips from a parallel motion, m */
  double height; /* final height of the tips, mean, m */
  gradyn_statistics statistics;
  long divided;
} outcome;

/* Initial energy: cranks and couplers of 1 m and 1 kg, tips at 1 m/s. */
static double start_energy(int loops)
{
  return 9.81 * (0.5 * (loops + 1) + loops) + (loops + 1) / 6.0 + 0.5 * loops;
}

static outcome run_four_bars(int loops, double step, double t_end)
{
  run_setup s = {.problem = &gradyn_problem_four_bar_chain,
                 .setting = "loops",
                 .value = loops,
                 .step = step,
                 .t_end = t_end};
  run_local *ev = ali3p_open(&s);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  double rho[3], psi[2], y[STATES];
  outcome o = {0};
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
  assert_in_range(gradyn_trajectory_read(trajectory).columns, 1, STATES);
  for (size_t k = 0; k < gradyn_trajectory_read(trajectory).steps; k++) {
    gradyn_trajectory_step(trajectory, k, y);
    for (int i = 1; i <= loops; i++)
      o.fold = fmax(o.fold, fabs(y[2 * i] - y[0] - i) + fabs(y[2 * i + 1] - y[1]));
  }
  o.energy = psi[1];
  for (int i = 0; i <= loops; i++)
    o.height += y[2 * i + 1] / (loops + 1);
  o.statistics = gradyn_evaluator_statistics(ev);
  o.divided = gradyn_evaluator_findings(ev).divided;
  return o;
}

/* Ten seconds with several revolutions, each through two singular positions. The energy is kept to second
 * order, and no loop folds into an antiparallelogram. */
TEST(singular_positions_are_passed)
{
  const int loops[] = {1, 2, 10};
  for (int k = 0; k < 3; k++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      outcome o = run_four_bars(loops[k], fine ? 2e-3 : 4e-3, 10);
      error[fine] = fabs(o.energy - start_energy(loops[k])) / start_energy(loops[k]);
      assert_true(o.fold < 1e-10);
      assert_true(o.statistics.drift_position < 1e-14);
      assert_true(o.statistics.drift_velocity < 1e-14);
    }
    assert_true(error[0] < 1e-4 && error[1] < 2e-5);
  }
}

/* Returns a step for which one step ends exactly, up to round-off, when all pivots are on a line. */
static double aimed_step(int loops, double step, int *steps)
{
  *steps = 1;
  while (run_four_bars(loops, step, *steps * step).height > 0)
    ++*steps;
  double low = 0.95 * step, high = step;
  assert_true(run_four_bars(loops, low, *steps * low).height > 0);
  for (int k = 0; k < 60; k++) {
    double middle = (low + high) / 2;
    if (run_four_bars(loops, middle, *steps * middle).height > 0)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Steps that would end on a singular position, or at any small distance from it. */
TEST(steps_that_aim_at_singular_positions_are_corrected)
{
  for (int loops = 1; loops <= 10; loops += 9) {
    int steps, mended = 0;
    double aimed = aimed_step(loops, 4e-3, &steps), energy = start_energy(loops);
    for (double off = 1e-16; off < 2e-3; off *= support_thorough() ? 10 : 1000)
      for (int sign = -1; sign <= 1; sign += 2) {
        double step = aimed * (1 + sign * off);
        outcome o = run_four_bars(loops, step, 4 * steps * step);
        assert_close(o.energy, energy, 1e-3, 0);
        assert_true(o.fold < 1e-9);
        assert_true(o.statistics.drift_velocity < 1e-14);
        mended += o.divided > 0;
      }
    assert_in_range(mended, support_thorough() ? 10 : 3, 25);
  }
}

/* If the end of the run is at the singular position, steps cannot avoid it. */
TEST(a_run_may_end_on_a_singular_position)
{
  int steps;
  double step = aimed_step(2, 2e-3, &steps);
  outcome o = run_four_bars(2, step, steps * step);
  assert_close(o.energy, start_energy(2), 1e-4, 0);
  assert_close(o.height, 0, 0, 1e-10);
  assert_true(o.fold < 1e-5);
  assert_int_equal(o.statistics.steps, steps);
}

TEST(a_redundant_rod_changes_nothing)
{
  double y[2][STATES], rho[4];
  for (int redundant = 0; redundant < 2; redundant++) {
    run_setup s = {.problem = &gradyn_problem_parallel_bars,
                   .setting = "redundant",
                   .value = redundant,
                   .step = 1e-3,
                   .t_end = 20};
    run_local *ev = ali3p_open(&s);
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    run_initial(ev, rho);
    assert_int_equal(gradyn_evaluator_model_info(ev).constraints, 5 + redundant);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
    gradyn_trajectory_step(trajectory, gradyn_trajectory_read(trajectory).steps - 1, y[redundant]);
    gradyn_statistics statistics = gradyn_evaluator_statistics(ev);
    assert_int_equal(gradyn_evaluator_findings(ev).divided, 0);
    assert_true(statistics.drift_position < 1e-14 && statistics.drift_velocity < 1e-14);
    assert_true(statistics.drift_acceleration < 1e-13);
  }
  assert_close_array(y[1], y[0], 18, 1e-9, 1e-10); /* positions, velocities, accelerations */
}
