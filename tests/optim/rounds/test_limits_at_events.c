/* Path constraints that are first violated at an event, on either side of it, at a knot where the measure
 * jumps, and during a run whose end time is a parameter: closed forms by all methods. */
#include "tests/runs.h"
#include "tests/declare.h"

/* Searches for the best value of the first parameter; fixed steps have their own error. */
static void search_with(const gradyn_problem *problem, const char *method, int which, double best)
{
  double rho[8], step = problem->t_end / 600;
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(problem, .method = method, .rtol = 1e-10, .step = step,
                           .setting = "which", .value = which);
  gradyn_search search = run_search(ev);
  search.optimality = 1e-6;
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_true(result.violation <= 1);
  const bool adaptive = gradyn_evaluator_options(ev).rtol > 0;
  assert_close(result.rho[0], best, adaptive ? 1e-6 : 1e-3, 0);
}

static const gradyn_setting settings[] = {{"which", "side of the jump", 0, 0, 1}};

/* --- a ball that bounces ---------------------------------------------------------------------- */

static const gradyn_param ball_params[] = {
    {"height", "m", .init = 0.2, .lower = 0.05, .upper = 1},
};

/* The drop height is maximised under bounds on speeds: the speed is largest before the first bounce, the
 * upward velocity after it. */
static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  const int ball = gradyn_point(m, "ball", 0, rho[0]);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_impact(m, &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = 0.8});
  const int v = gradyn_measure_point(m, "v", ball, 1, GRADYN_Y);
  if (gradyn_setting_value(m, "which") == 0)
    gradyn_path_constraint(m, "speed", v, -3, HUGE_VAL, 1e-7, NULL);
  else
    gradyn_path_constraint(m, "speed", v, -HUGE_VAL, 2, 1e-7, NULL);
  gradyn_minimise(m, gradyn_design_functional(m, "height", "m", rho[0]), -1);
  return gradyn_build_status(m);
}

static const gradyn_problem ball = PROBLEM("ball", build_ball, ball_params, .t_end = 1,
                                           .settings = settings, .setting_count = 1);

TEST(speed_is_limited_on_both_sides_of_a_bounce)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    search_with(&ball, run_methods[k], 0, 3 * 3 / (2 * 9.81));
    search_with(&ball, run_methods[k], 1, 2.5 * 2.5 / (2 * 9.81));
  }
}

/* The constraint is evaluated at the bounce, whenever it happens. A larger height costs what the bound
 * permits, mu dv/dh = 1, if h is maximised; a velocity at a fixed time would not depend on h. */
TEST(costates_include_constraints_at_events)
{
  for (int which = 0; which < 2; which++) {
    double rho[1];
    LOCAL(gradyn_search_result) result;
    LOCAL(gradyn_costates) c;
    run_local *ev = run_with(&ball, .rtol = 1e-10, .setting = "which", .value = which);
    gradyn_search search = run_search(ev);
    run_initial(ev, rho);
    assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
    assert_run(gradyn_search_costates(ev, &search, &result, &c), ev);
    assert_close(c.t[0], 0, 0, 0);
    assert_close(fabs(c.costate[0]) + fabs(c.costate[1]), 1, 1e-6, 0);
  }
}

/* --- a throw that ends where it lands ---------------------------------------------------------- */

static const gradyn_param throw_params[] = {
    {"upwards", "m/s", .init = 1, .lower = 0.5, .upper = 10},
};

/* Maximises the distance below a ceiling, or with a slow landing. The run is as long as the flight. */
static gradyn_status build_throw(gradyn_model *m, const gradyn_scalar rho[])
{
  const int stone = gradyn_point(m, "stone", 0, 0.1);
  gradyn_point_mass(m, "stone", stone, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_initial_velocity(m, stone, 1, rho[0]);
  const int ground = gradyn_impact(
      m, &(gradyn_impact_spec){"ground", stone, GRADYN_Y, .restitution = 0.8});
  gradyn_terminate_at_event(m, ground, 1);
  if (gradyn_setting_value(m, "which") == 0)
    gradyn_path_constraint(m, "ceiling", gradyn_measure_point(m, "y", stone, 0, GRADYN_Y),
                           -HUGE_VAL, 1.1, 1e-7, NULL);
  else
    gradyn_path_constraint(m, "landing", gradyn_measure_point(m, "v", stone, 1, GRADYN_Y), -4,
                           HUGE_VAL, 1e-7, NULL);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"far", gradyn_measure_point(m, "", stone, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END}),
      -1);
  return gradyn_build_status(m);
}

static const gradyn_problem throw = PROBLEM("throw", build_throw, throw_params, .t_end = 5,
                                            .settings = settings, .setting_count = 1);

TEST(rows_after_the_end_of_a_run_are_at_its_end)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    search_with(&throw, run_methods[k], 0, sqrt(2 * 9.81));
    search_with(&throw, run_methods[k], 1, sqrt(4 * 4 - 2 * 9.81 * 0.1));
  }
}

/* --- a carriage whose force jumps ------------------------------------------------------------- */

static const gradyn_param carriage_params[] = {
    {"push", "N", .init = 0.5, .lower = 0.1, .upper = 5},
    {"brake", "N", .init = 0.6, .lower = 0.1, .upper = 5},
};

FORMULA(power, at->acc[2] * at->vel[2])

/* Pushed for one second and braked for another, as far as possible. The power jumps from push^2 to -push
 * brake in the middle. */
static gradyn_status build_carriage(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar forces[] = {rho[0], -rho[1]};
  const int u = declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 2, forces);
  const int p = gradyn_point(m, "p", 0, 0);
  const bool behind = gradyn_setting_value(m, "which") == 1;
  gradyn_point_mass(m, "p", p, 1);
  declare_push(m, "u", p, 1, 0, u);
  gradyn_path_constraint(
      m, "power",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"power", "W", .formula = power, .hidden = true}),
      behind ? -0.81 : -HUGE_VAL, 1, 1e-7, NULL);
  gradyn_constrain(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"v_end",
                                                     gradyn_measure_point(m, "", p, 1, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      0, 0, 1e-8);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"x_end",
                                                     gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      -1);
  return gradyn_build_status(m);
}

static const gradyn_problem carriage = PROBLEM("carriage", build_carriage, carriage_params,
                                               .t_end = 2, .settings = settings,
                                               .setting_count = 1);

TEST(power_is_limited_on_both_sides_of_a_knot)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    search_with(&carriage, run_methods[k], 0, 1);
    search_with(&carriage, run_methods[k], 1, 0.9);
  }
}

/* --- least time ------------------------------------------------------------------------------- */

static const gradyn_param dash_params[] = {
    {"duration", "s", .init = 3, .lower = 1, .upper = 5, .role = GRADYN_TIME},
    {"u", "N", .init = 0.1, .lower = -3, .upper = 3, .role = GRADYN_CONTROL, .count = 3},
};

/* 1 m from rest to rest in thirds of the time T, at most at 0.8 m/s: v T 2/3 = 1. */
static gradyn_status build_dash(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_end_time(m, rho[0]);
  const int u = declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 3, rho + 1);
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  declare_push(m, "u", p, 1, 0, u);
  const int v = gradyn_measure_point(m, "v", p, 1, GRADYN_X);
  gradyn_path_constraint(m, "speed", v, gradyn_setting_value(m, "which") == 0 ? -HUGE_VAL : -1, 0.8,
                         1e-7, NULL);
  gradyn_constrain(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"x_end",
                                                     gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      1, 1, 1e-8);
  gradyn_constrain(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"v_end",
                                                     gradyn_measure_point(m, "", p, 1, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      0, 0, 1e-8);
  gradyn_minimise(m, gradyn_end_time_functional(m, "time"), 1);
  return gradyn_build_status(m);
}

static const gradyn_problem dash = PROBLEM("dash", build_dash, dash_params, .t_end = 3,
                                           .settings = settings, .setting_count = 1);

THOROUGH_TEST(rows_go_with_an_end_that_is_designed)
{
  for (int k = 0; k < RUN_METHODS; k++)
    for (int which = 0; which < 2; which++)
      search_with(&dash, run_methods[k], which, 1.875);
}
