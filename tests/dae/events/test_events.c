/* Events whose sequence is not well defined: each run must have a defined result. A ball moves in a room
 * whose walls the test selects. */
#include "tests/runs.h"

enum { FLOOR = 1, CEILING = 2, WALL = 4, LAW = 8 /* LAW: a floor by a guard and a reset */ };

/* The walls of the room, and the initial state of the ball. */
static const struct capacity {
  int walls;
  double x, y, vx, vy, gravity, height, restitution;
} * capacity;

FORMULA(height, at->pos[3])
FORMULA(rebound, -at->data[0] * at->vel[3])

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int ball = gradyn_point(mbs, "ball", capacity->x, capacity->y);
  gradyn_initial_velocity(mbs, ball, capacity->vx, capacity->vy);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -capacity->gravity);
  if (capacity->walls & FLOOR)
    gradyn_impact(
        mbs, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, .restitution = capacity->restitution});
  if (capacity->walls & LAW)
    gradyn_event(mbs, &(gradyn_event_spec){
                          .name = "law",
                          .guard = {.terminal = height},
                          .set = &(gradyn_component){ball, GRADYN_Y},
                          .set_count = 1,
                          .reset = {.terminal = rebound,
                                    .data = &(gradyn_datum){"share", "", capacity->restitution},
                                    .data_count = 1}});
  if (capacity->walls & CEILING)
    gradyn_impact(mbs, &(gradyn_impact_spec){"ceiling", ball, GRADYN_Y,
                                             .level = {.value = capacity->height}, .below = true,
                                             .restitution = capacity->restitution});
  if (capacity->walls & WALL)
    gradyn_impact(
        mbs, &(gradyn_impact_spec){"wall", ball, GRADYN_X, .restitution = capacity->restitution});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

/* Methods, with the step of those with fixed steps. */
static const struct method {
  const char *name;
  double step;
} methods[] = {
    {"idas", 0}, {"ali3p", 0.01}, {"variational", 0.03}, {"explicit", 0}, {"explicit", 0.02}};

/* Simulates and checks the status, a part of the message and the number of events. */
static void expect_of(const struct method *method, double t_end, gradyn_status status,
                      const char *says, int events, double psi[2])
{
  static const double nothing;
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "room", .build = build,
                                  .t_end = t_end, .rtol = 1e-10};
  run_local *ev = run_with(&problem, .method = method->name, .step = method->step);
  assert_status(gradyn_evaluator_simulate(ev, &nothing, psi, NULL), status,
                gradyn_evaluator_message(ev));
  if (says && !strstr(gradyn_evaluator_message(ev), says))
    fail_msg("\"%s\" does not say \"%s\"", gradyn_evaluator_message(ev), says);
  if (events >= 0)
    assert_int_equal(gradyn_evaluator_statistics(ev).events, events);
  if (events >= 0 && status == GRADYN_OK) /* each event ends an arc */
    assert_int_equal(gradyn_evaluator_statistics(ev).arcs, events + 1);
}

static const double g = 9.81;

/* Simulates by all methods. psi is that of the last one; the others must agree to 1e-8. */
static void expect(const struct capacity *wanted, double t_end, gradyn_status status,
                   const char *says, int events, double psi[2])
{
  double first[2];
  capacity = wanted;
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    expect_of(&methods[k], t_end, status, says, events, psi);
    if (k > 0 && status == GRADYN_OK)
      assert_close_array(psi, first, 2, 1e-8, 1e-8);
    memcpy(first, psi, sizeof first);
  }
  capacity = NULL;
}

TEST(a_guard_that_is_not_reached_does_nothing)
{
  double psi[2];
  expect(&(struct capacity){FLOOR, 0, 5, 0, 0, g, 0, 0.5}, 1, GRADYN_OK, NULL, 0, psi);
  assert_close(psi[0], 5 - g / 2, 1e-9, 0);
}

/* The apex is so little above the ceiling that both roots are in one step. */
TEST(a_double_root_within_a_step_is_found)
{
  double v = 3, apex = v * v / (2 * g), over = 1e-4, psi[2];
  double t = (v - sqrt(2 * g * over)) / g, back = -0.5 * sqrt(2 * g * over), rest = 0.5 - t;
  expect(&(struct capacity){CEILING, 0, 0, 0, v, g, apex - over, 0.5}, 0.5, GRADYN_OK, NULL, 1,
         psi);
  assert_close(psi[0], apex - over + back * rest - g / 2 * rest * rest, 1e-8, 0);
}

TEST(a_motion_that_touches_the_wall_grazes)
{
  double v = 3, apex = v * v / (2 * g), psi[2];
  expect(&(struct capacity){CEILING, 0, 0, 0, v, g, apex - 1e-11, 0.5}, 0.5, GRADYN_EVENT, "grazes",
         -1, psi);
}

/* The message has the time sqrt(2 h/g) (1 + e)/(1 - e) at which the bounces accumulate, and a remedy. */
TEST(accumulating_bounces_are_reported)
{
  static const double restitution[] = {0.2, 0.5, 0.8}, nothing;
  for (size_t c = 0; c < 2 * GRADYN_COUNT(restitution) * GRADYN_COUNT(methods); c++) {
    const struct method *method = &methods[c / 2 / GRADYN_COUNT(restitution)];
    const double e = restitution[c / 2 % GRADYN_COUNT(restitution)],
                 end = sqrt(2 / g) * (1 + e) / (1 - e);
    const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "room", .build = build,
                                    .t_end = 5, .rtol = 1e-10};
    double psi[2], at = 0;
    capacity = &(struct capacity){c % 2 ? LAW : FLOOR, 0, 1, 0, 0, g, 0, e};
    run_local *ev = run_with(&problem, .method = method->name, .step = method->step);
    assert_refused(gradyn_evaluator_simulate(ev, &nothing, psi, NULL), ev, GRADYN_EVENT,
                   "Let slow impacts lead to a mode with the contact as a constraint");
    const char *told = strstr(gradyn_evaluator_message(ev), "they end at t = ");
    assert_non_null(told);
    assert_int_equal(sscanf(told, "they end at t = %lf", &at), 1);
    assert_close(at, end, 1e-7, 0);
    capacity = NULL;
  }
}

/* A point on a wall has one free velocity; a second point adds two. */
static gradyn_status build_kept(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int count = gradyn_setting_value(mbs, "count") + (creal(rho[0]) > 0),
            ball = gradyn_point(mbs, "ball", 0, 0.1), other = gradyn_point(mbs, "other", 1, 0);
  const gradyn_component kept[] = {
      {ball, GRADYN_X}, {other, GRADYN_X}, {other, GRADYN_Y}, {ball, GRADYN_Y}};
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_point_mass(mbs, "other", other, 2);
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_impact(mbs, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, .restitution = 0.5,
                                           .preserved = kept, .preserved_count = count});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

TEST(as_many_velocities_are_preserved_as_are_free)
{
  static const gradyn_param more[] = {{"more", "", .init = 0, GRADYN_UNBOUNDED}};
  static const gradyn_setting count[] = {{"count", "preserved velocities", 3, 0, 4}};
  static const gradyn_problem problem = PROBLEM("kept", build_kept, more, .settings = count,
                                                .setting_count = 1, .t_end = 0.2);
  for (int k = 1; k <= 4; k++) {
    char says[64];
    double psi;
    run_local *ev = run_with(&problem, .setting = "count", .value = k, .method = "idas");
    const gradyn_status status = gradyn_evaluator_simulate(ev, &(double){0}, &psi, NULL);
    snprintf(says, sizeof says, "preserves %d velocities; the constraints and the wall leave 3", k);
    assert_status(status, k == 3 ? GRADYN_OK : GRADYN_INVALID, gradyn_evaluator_message(ev));
    if (k != 3)
      assert_says(gradyn_evaluator_message(ev), says);
    if (k < 4)
      assert_refused(gradyn_evaluator_simulate(ev, &(double){1}, &psi, NULL), ev, GRADYN_INVALID,
                     "floor preserves other velocities than in the first call of build()");
  }
}

TEST(walls_may_be_met_at_once)
{
  double psi[2];
  expect(&(struct capacity){FLOOR | WALL, 1, 1, -1, -1, 0, 0, 1}, 3, GRADYN_OK, NULL, 2, psi);
  assert_close(psi[0], 2, 1e-9, 0);
  assert_close(psi[1], 1, 1e-9, 0);
  /* at slightly different times, they are two events */
  expect(&(struct capacity){FLOOR | WALL, 1, 1.0001, -1, -1, 0, 0, 1}, 3, GRADYN_OK, NULL, 2, psi);
  assert_close(psi[1], 1, 1e-9, 0);
}

TEST(a_start_on_the_wall_must_leave_it)
{
  double psi[2], t_end = 1, land = 3 / g;
  const char *const closed = "closed at the start";
  expect(&(struct capacity){FLOOR, 0, 0, 0, 0, g, 0, 0.5}, t_end, GRADYN_EVENT, closed, 0, psi);
  expect(&(struct capacity){FLOOR, 0, 0, 0, -1, g, 0, 0.5}, t_end, GRADYN_EVENT, closed, 0, psi);
  expect(&(struct capacity){FLOOR, 0, -0.1, 0, 1, g, 0, 0.5}, t_end, GRADYN_EVENT, "negative", 0,
         psi);
  expect(&(struct capacity){FLOOR, 0, 0, 0, 1.5, g, 0, 0.5}, 0.4, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[1], 0.75 - g * (0.4 - land), 1e-9, 0);
}

/* A start at the origin up to round-off does not determine the size of the motion. */
TEST(a_start_near_the_origin_is_no_size)
{
  const double heights[] = {0, 6e-14, 1e-10, 1e-8};
  for (size_t i = 0; i < GRADYN_COUNT(heights); i++) {
    double psi[2];
    expect(&(struct capacity){FLOOR, 0, heights[i], 0, 1, g, 0, 0.5}, 0.35, GRADYN_OK, NULL, 2,
           psi);
    assert_close(psi[1], 0.25 - g * (0.35 - 3 / g), 0, 1e-6); /* it starts g y faster */
  }
}

/* At the final time, the state before the event counts. */
TEST(an_event_at_the_end_does_not_happen)
{
  double psi[2], t = sqrt(2 / g);
  expect(&(struct capacity){FLOOR, 0, 1, 0, 0, g, 0, 0.5}, t, GRADYN_OK, NULL, 0, psi);
  assert_close(psi[1], -g * t, 1e-9, 0);
  expect(&(struct capacity){FLOOR, 0, 1, 0, 0, g, 0, 0.5}, t * (1 + 1e-9), GRADYN_OK, NULL, 1, psi);
  assert_close(psi[1], g * t / 2, 1e-6, 0);
}

TEST(kinematics_refuses_events)
{
  static const struct capacity any = {FLOOR, 0, 1, 0, 0, 9.81, 0, 0.5};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "room", .build = build, .t_end = 1};
  capacity = &any;
  assert_no_run(GRADYN_UNSUPPORTED, "events (floor)", &problem, .method = "kinematic");
}
