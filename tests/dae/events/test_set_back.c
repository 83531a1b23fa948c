/* A map raises the value of a guard slightly, in all units and schemes. The guard is met again after the
 * time of a fall by this distance. If the map changes it by round-off only, the guard must first leave
 * zero. */
#include "tests/runs.h"

static const double height = 0.4, speed = 2; /* units, units/s */

typedef struct setting {
  double unit, lift; /* m; units */
} setting;

static setting now;

FORMULA(level, at->pos[1] - at->data[0])

/* A rod that moves parallel to itself, so that its constraint is corrected in each step. */
static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  const double u = now.unit;
  const gradyn_datum at = {"level", "m", 0.3 * u};
  int a = gradyn_point(mbs, "a", 0, 0.3 * u + height * u), b = gradyn_point(mbs, "b", 1.1 * u, u);
  const gradyn_component ya = {a, GRADYN_Y}, yb = {b, GRADYN_Y}, one = {GRADYN_CONSTANT, GRADYN_X};
  const gradyn_map_term lift[] = {{ya, ya, 1, false},
                                  {ya, one, now.lift * u, false},
                                  {yb, yb, 1, false},
                                  {yb, one, now.lift * u, false}};
  gradyn_initial_velocity(mbs, a, 0.3 * u, -speed * u);
  gradyn_initial_velocity(mbs, b, 0.3 * u, -speed * u);
  gradyn_rod(mbs, &(gradyn_rod_spec){"rod", a, b, .mass = 1.7});
  int down = gradyn_event(mbs, &(gradyn_event_spec){.name = "down",
                                                    .guard = {.terminal = level,
                                                              .data = &at,
                                                              .data_count = 1,
                                                              .points = &a,
                                                              .point_count = 1,
                                                              .positions_only = true},
                                                    .direction = GRADYN_FALLING,
                                                    .map = lift,
                                                    .map_count = GRADYN_COUNT(lift)});
  gradyn_terminate_at_event(mbs, down, 2);
  gradyn_event_time(mbs, "first", down, 1);
  gradyn_event_time(mbs, "second", down, 2);
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step, rtol;
} methods[] = {{"idas", 0, 1e-10},
               {"ali3p", 0.01, 0},
               {"variational", 0.007, 0},
               {"explicit", 0, 1e-10},
               {"explicit", 0.01, 0}};

/* Runs one method; t_end is so short that events at distances of 1e-8 s do not count as accumulating. */
static gradyn_status run(const struct method *method, double time[2])
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "set-back", .build = build,
                                  .t_end = 0.3, .rtol = method->rtol};
  const double nothing = 0;
  run_local *ev = run_with(&problem, .method = method->name, .step = method->step);
  gradyn_status status = gradyn_evaluator_simulate(ev, &nothing, time, NULL);
  if (status != GRADYN_OK && status != GRADYN_EVENT)
    fail_msg("%s, unit %g m, lift %g: %s", method->name, now.unit, now.lift,
             gradyn_evaluator_message(ev));
  return status;
}

static const double units[] = {1e-3, 1, 1e3};

TEST(lifted_points_fall_again)
{
  static const double lifts[] = {0.1, 1e-4, 1e-6, 5e-9};
  for (size_t i = 0; i < GRADYN_COUNT(units) * GRADYN_COUNT(lifts); i++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      double time[2];
      now = (setting){units[i / GRADYN_COUNT(lifts)], lifts[i % GRADYN_COUNT(lifts)]};
      gradyn_status status = run(&methods[k], time);
      if (status != GRADYN_OK)
        fail_msg("%s, unit %g m: lifted by %g and not met again", methods[k].name, now.unit,
                 now.lift);
      assert_close(time[0], height / speed, 1e-9, 0);
      /* the second event follows shortly after the first one, with the errors of the first */
      assert_close(time[1] - time[0], now.lift / speed, 1e-9, 1e-11);
    }
}

TEST(hardly_lifted_points_do_not_move)
{
  static const double lifts[] = {0, 1e-13};
  for (size_t i = 0; i < GRADYN_COUNT(units) * GRADYN_COUNT(lifts); i++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      double time[2];
      now = (setting){units[i / GRADYN_COUNT(lifts)], lifts[i % GRADYN_COUNT(lifts)]};
      assert_int_equal(run(&methods[k], time), GRADYN_EVENT); /* the second has not happened */
    }
}
