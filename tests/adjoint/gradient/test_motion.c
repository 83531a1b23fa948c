/* A trajectory can be evaluated at any time with the accuracy of the run, with any method and after other
 * runs. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <float.h>

enum { RATE, COLUMNS = 60, TIMES = 12 };
static const gradyn_param params[] = {[RATE] = {"rate", "m/s", .init = 1, .lower = -2, .upper = 2}};

FORMULA(product, at->of[0] * at->of[0] * at->of[1] + sin(3 * at->of[0]))
FORMULA(reaches, at->pos[2] - 0.2)
FORMULA(turns, -0.5 * at->vel[2])

/* A pendulum of 1 m with measures, driven by a signal with kinks; it is thrown back at x = 0.2. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int bob = gradyn_point(m, "bob", 0, -1), hinge = gradyn_ground_point(m, "hinge", 0, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"string", hinge, bob, .length = 1});
  gradyn_point_mass(m, "bob", bob, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_initial_velocity(m, bob, rho[RATE], 0);
  const int u = gradyn_signal(m, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, 3,
                                                       (gradyn_scalar[]){2, -1, 3}, .t_end = 1.5});
  gradyn_force(m, &(gradyn_force_spec){"push", bob, .fx = 1, .signal = u});
  gradyn_event(m, &(gradyn_event_spec){.name = "wall",
                                       .guard = {.terminal = reaches},
                                       .direction = GRADYN_RISING,
                                       .set = &(gradyn_component){bob, GRADYN_X},
                                       .set_count = 1,
                                       .reset = {.terminal = turns}});
  const int of[] = {gradyn_measure_point(m, "x", bob, 0, GRADYN_X),
                    gradyn_measure_point(m, "ax", bob, 2, GRADYN_X)};
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "spread",
             gradyn_measure_formula(
                 m, &(gradyn_measure_formula_spec){"mixed", "", product, of, .count = 2}),
             .reduction = GRADYN_INTEGRAL});
  return gradyn_build_status(m);
}

/* x'' = -x z with the algebraic z = 1 + x^2. */
FORMULAS(swing, at->yp[0] - at->y[1], at->yp[1] + at->y[0] * at->y[2],
         at->y[2] - 1 - at->y[0] * at->y[0])
FORMULA(last, at->y[0])

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "m", 0.5);
  gradyn_state(m, "v", "m/s", rho[RATE]);
  gradyn_algebraic_state(m, "z", "", 1.25);
  declare_equations(m, swing, NULL, 0);
  declare_end(m, "end", "m", last);
  return gradyn_build_status(m);
}

static const gradyn_problem problems[] = {PROBLEM("thrown", build, params, .t_end = 1.5),
                                          PROBLEM("swing", build_equations, params, .t_end = 1.5)};

/* Methods, and the accuracy of their rows. */
static const struct {
  const char *method;
  double step, tolerance;
} methods[] = {{"explicit", 0, 1e-7},
               {"radau", 0, 1e-6},
               {"idas", 0, 2e-5},
               {"ali3p", 5e-4, 2e-3},
               {"variational", 5e-4, 2e-3}};

/* Reference: the last state of a run that ends at t, which needs no interpolation. */
static void refer(const gradyn_problem *problem, double t, double row[COLUMNS])
{
  const double rho[] = {1};
  run_local *ev = run_with(problem, .method = "explicit", .rtol = 1e-12, .t_end = t);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  gradyn_trajectory_step(trajectory, gradyn_trajectory_read(trajectory).steps - 1, row);
}

/* Times between steps. */
static double time_of(int i)
{
  return 0.013 + 1.48 * i / TIMES;
}

TEST(rows_between_steps_are_as_exact_as_steps)
{
  for (size_t p = 0; p < GRADYN_COUNT(problems); p++)
    for (size_t k = 0; k < (p == 0 ? GRADYN_COUNT(methods) : 3); k++) {
      const double rho[] = {1}, other[] = {-0.7};
      run_local *ev = run_with(&problems[p], .method = methods[k].method,
                               .step = methods[k].step > 0 ? methods[k].step : -1, .rtol = 1e-9);
      OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
      assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
      const size_t columns = gradyn_trajectory_read(trajectory).columns;
      assert_in_range(columns, 3, COLUMNS);
      double time[TIMES], row[TIMES][COLUMNS], again[TIMES][COLUMNS], expected[COLUMNS];
      double *found = &row[0][0], *later = &again[0][0], gradient[4];
      for (int i = 0; i < TIMES; i++)
        time[i] = time_of(i);
      assert_run(gradyn_trajectory_evaluate(ev, trajectory, TIMES, time, found), ev);
      for (int i = 0; i < TIMES; i++) {
        refer(&problems[p], time[i], expected);
        for (size_t c = 0; c < columns; c++)
          if (!(fabs(found[(size_t)i * columns + c] - expected[c]) <=
                methods[k].tolerance * (1 + fabs(expected[c]))))
            fail_msg("%s, %s at t = %g s: %s is %.12g, expected %.12g", problems[p].name,
                     methods[k].method, time[i], gradyn_trajectory_column(trajectory, c).name,
                     found[(size_t)i * columns + c], expected[c]);
      }
      /* evaluating the trajectory must not change other runs, nor be changed by them */
      double psi[4], same[4];
      assert_run(gradyn_evaluator_gradient(ev, other, NULL, gradient), ev);
      assert_run(gradyn_evaluator_simulate(ev, other, psi, NULL), ev);
      const size_t events = gradyn_evaluator_statistics(ev).events;
      const double x = gradyn_datum_at(ev, 0).value;
      assert_run(gradyn_trajectory_evaluate(ev, trajectory, TIMES, time, later), ev);
      assert_memory_equal(found, later, TIMES * columns * sizeof *found);
      assert_int_equal(gradyn_evaluator_statistics(ev).events, events);
      assert_true(gradyn_datum_at(ev, 0).value == x);
      assert_run(gradyn_evaluator_simulate(ev, other, same, NULL), ev);
      assert_memory_equal(psi, same, gradyn_functional_count(ev) * sizeof *psi);
    }
}

/* At the time of a row, the result is the row itself, after an event if there is one. Times that differ
 * from the ends by round-off give the ends. */
TEST(times_of_rows_and_ends)
{
  const double rho[] = {1};
  run_local *ev = run_with(&problems[0], .method = "explicit");
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  const size_t steps = gradyn_trajectory_read(trajectory).steps;
  const double *time = gradyn_trajectory_read(trajectory).times,
               *rows = gradyn_trajectory_read(trajectory).rows;
  const size_t columns = gradyn_trajectory_read(trajectory).columns;
  double row[COLUMNS];
  for (size_t k = 0; k < steps; k++) {
    if (k + 1 < steps && time[k + 1] == time[k])
      continue;
    assert_run(gradyn_trajectory_evaluate(ev, trajectory, 1, &time[k], row), ev);
    assert_memory_equal(row, rows + k * columns, columns * sizeof *row);
  }
  assert_true(gradyn_evaluator_statistics(ev).events > 0);
  const double end = time[steps - 1], beyond[] = {nextafter(end, 2), end * (1 + 3 * DBL_EPSILON)};
  for (size_t k = 0; k < 2; k++) {
    assert_run(gradyn_trajectory_evaluate(ev, trajectory, 1, &beyond[k], row), ev);
    assert_memory_equal(row, rows + (steps - 1) * columns, columns * sizeof *row);
  }
  const double outside[] = {end * (1 + 1e-14), -1e-9, 99, NAN, HUGE_VAL};
  for (size_t k = 0; k < GRADYN_COUNT(outside); k++)
    assert_refused(gradyn_trajectory_evaluate(ev, trajectory, 1, &outside[k], row), ev,
                   GRADYN_INVALID, "is outside the run, which lasts from 0 s to 1.5 s");
}

TEST(models_without_a_run_are_refused)
{
  const double t = 0.1, rho[] = {1};
  double row[COLUMNS];
  run_local *ev = run_with(&problems[0], .method = NULL),
            *other = run_with(&problems[0], .method = NULL);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_refused(gradyn_trajectory_evaluate(ev, trajectory, 1, &t, row), ev, GRADYN_INVALID,
                 "has no run of this evaluator");
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  assert_refused(gradyn_trajectory_evaluate(other, trajectory, 1, &t, row), other, GRADYN_INVALID,
                 "has no run of this evaluator");
  assert_refused(gradyn_trajectory_evaluate(ev, NULL, 1, &t, row), ev, GRADYN_INVALID, "is NULL");
  assert_refused(gradyn_trajectory_evaluate(ev, trajectory, 1, NULL, row), ev, GRADYN_INVALID,
                 "is NULL");
  assert_int_equal(gradyn_trajectory_evaluate(NULL, trajectory, 1, &t, row), GRADYN_INVALID);
  assert_run(gradyn_trajectory_evaluate(ev, trajectory, 0, NULL, NULL), ev);
  /* the message of the refused call has been cleared */
  assert_string_equal(gradyn_evaluator_message(ev), "");
}
