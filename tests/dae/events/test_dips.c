/* Guards that fall below zero and rise again within about one step, and guards that rise from below zero
 * and fall again. Their event happens once, when they fall, wherever this is in the steps. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { DEPTH, PLACE, PARAMETERS };
enum { BY_TIME, BY_PLACE, PEAK_BY_TIME, PEAK_BY_PLACE, GUARDS };

/* The guard (t - place)^2 - depth, or the same with x = t. */
static gradyn_status by_time(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar from = at->t - at->data[1];
  *value = from * from - at->data[0];
  return GRADYN_OK;
}

static gradyn_status by_place(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar from = at->pos[0] - at->data[1];
  *value = from * from - at->data[0];
  return GRADYN_OK;
}

/* The negative guard: it is positive between its roots only. */
static gradyn_status peak_by_time(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_status status = by_time(at, value);
  *value = -*value;
  return status;
}

static gradyn_status peak_by_place(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_status status = by_place(at, value);
  *value = -*value;
  return status;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const gradyn_functional_fn guards[GUARDS] = {by_time, by_place, peak_by_time,
                                                      peak_by_place};
  const int p = gradyn_point(m, "p", 0, 1);
  const gradyn_datum data[] = {{"depth", "", rho[DEPTH]}, {"place", "", rho[PLACE]}};
  /* the event halves the height, so that the rest of the run changes */
  const gradyn_map_term map[] = {{{p, GRADYN_Y}, {p, GRADYN_Y}, 0.5, false}};
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, 1, 0);
  gradyn_gravity(m, 0, -9.81);
  const int event = gradyn_event(
      m, &(gradyn_event_spec){.name = "dip",
                              .guard = {.terminal = guards[gradyn_setting_value(m, "guard")],
                                        .data = data,
                                        .data_count = 2,
                                        .points = &p,
                                        .point_count = 1},
                              .map = map,
                              .map_count = 1});
  gradyn_event_time(m, "fall", event, 1);
  gradyn_functional(m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", p, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param params[PARAMETERS] = {
    [DEPTH] = {"depth", "", .init = 1e-4, GRADYN_UNBOUNDED},
    [PLACE] = {"place", "", .init = 0.55, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"guard", "", 0, 0, GUARDS - 1}};
static const gradyn_problem problem = PROBLEM("dip", build, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1);

static int side; /* -1, 1: the guard falls before or after `place` */

/* Event at t = place -+ sqrt(depth); y(1) = (1 - g t^2/2)/2 - g t (1 - t)/2 - g (1 - t)^2/2. */
static void exact(const double _Complex rho[], double _Complex psi[])
{
  const double _Complex t = rho[PLACE] + side * sqrt(rho[DEPTH]), g = 9.81;
  psi[0] = t;
  psi[1] = (1 - g * t * t / 2) / 2 - g * t * (1 - t) / 2 - g * (1 - t) * (1 - t) / 2;
}

static void compare(const char *method, double step, int guard, double depth)
{
  const double rho[PARAMETERS] = {depth, 0.55};
  double psi[2], gradient[2 * PARAMETERS], value[2], slope[2 * PARAMETERS];
  side = guard < PEAK_BY_TIME ? -1 : 1;
  run_local *ev = run_with(&problem, .method = method, .step = step, .setting = "guard",
                           .value = guard);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  support_complex_step(exact, rho, PARAMETERS, 2, value, slope);
  assert_close_array(psi, value, 2, 1e-7, 0);
  assert_close_array(gradient, slope, 2 * PARAMETERS, 1e-5, 1e-6);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
}

TEST(dips_happen_once)
{
  static const double depths[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  /* s; for the dip between 0.54 s and 0.56 s, steps end at it, inside it and far from it */
  static const double steps[] = {0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1};
  for (int guard = 0; guard < GUARDS; guard++)
    for (size_t k = 0; k < GRADYN_COUNT(depths); k++) {
      compare("idas", 0, guard, depths[k]);
      compare("explicit", 0, guard, depths[k]);
      for (size_t i = 0; i < GRADYN_COUNT(steps); i++) {
        compare("explicit", steps[i], guard, depths[k]);
        compare("ali3p", steps[i], guard, depths[k]);
        compare("variational", steps[i], guard, depths[k]);
      }
    }
}

/* --- a top that an interpolant does not reach ----------------------------------------------------- */

static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -at->pos[k];
  return GRADYN_OK;
}

static gradyn_status below_top(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] - at->pos[0];
  return GRADYN_OK;
}

/* x = sin t, with an event at a height slightly below its maximum. */
static gradyn_status build_swing(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "p", 0, 0);
  const gradyn_datum height = {"height", "m", rho[0]};
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, 1, 0);
  declare_force(m, "pull", p, pull, NULL, 0);
  const gradyn_map_term map[] = {{{p, GRADYN_X}, {p, GRADYN_X}, 0.5, false}};
  const int event = gradyn_event(m, &(gradyn_event_spec){.name = "top",
                                                         .guard = {.terminal = below_top,
                                                                   .data = &height,
                                                                   .data_count = 1,
                                                                   .points = &p,
                                                                   .point_count = 1},
                                                         .map = map,
                                                         .map_count = 1});
  gradyn_event_time(m, "time", event, 1);
  return gradyn_build_status(m);
}

static const gradyn_param swing_params[] = {{"height", "m", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem swing = PROBLEM("swing", build_swing, swing_params, .t_end = 2.1,
                                            .step = 1.05);

/* The maximum is in the middle of the second of two steps, where interpolation of degree five has an error
 * of h^6/46080. If a guard is that close to zero, the search uses shorter steps. */
TEST(maxima_are_found_that_interpolants_miss)
{
  const double rho = 1 - 1e-5;
  double psi;
  run_local *ev = run_with(&swing, .method = "explicit", .step = 1.05);
  assert_run(gradyn_evaluator_simulate(ev, &rho, &psi, NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
  /* the error of steps of this length, divided by the velocity of 4e-3 */
  assert_close(psi, asin(rho), 0, 1e-4);
}
