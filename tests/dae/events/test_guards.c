/* Guards by formulas, modes and maps in unusual cases, in every scheme: each run must have a defined
 * result. A ball falls; the test selects guard and effect. */
#include "tests/runs.h"
#include "tests/declare.h"

typedef enum reset { NOTHING, HOLD, HOLD_ALL, JUMP_UP, MISPLACE } reset;

/* The guard is value + slope t + by_height y + by_speed vy. */
static const struct setting {
  double value, slope, by_height, by_speed;
  gradyn_direction direction;
  double armed_from; /* s */
  reset reset;
} * now;

static const double g = 9.81;

static gradyn_status guard(const gradyn_at *at, gradyn_scalar *value)
{
  *value = now->value + now->slope * at->t + now->by_height * at->pos[1] +
           now->by_speed * at->vel[1];
  return GRADYN_OK;
}

FORMULA(late, at->t - now->armed_from)

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int free_fall = gradyn_mode(mbs, "free"), held = gradyn_mode(mbs, "held");
  int ball = gradyn_point(mbs, "ball", 0, 1);
  gradyn_initial_velocity(mbs, ball, 0.5, 0);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -g);
  const gradyn_component y = {ball, GRADYN_Y};
  const gradyn_map_term up[] = {{y, y, 1, false}, {y, {GRADYN_CONSTANT, GRADYN_X}, 0.5, false}};
  bool holds = now->reset == HOLD || now->reset == HOLD_ALL;
  gradyn_constraint_set_modes(
      mbs,
      gradyn_coordinate(mbs, "level", ball, GRADYN_Y,
                        &(gradyn_time_function){.value = now->reset == MISPLACE ? 7 : -now->value}),
      gradyn_modes_of(held));
  if (now->reset == HOLD_ALL)
    gradyn_constraint_set_modes(
        mbs,
        gradyn_coordinate(mbs, "place", ball, GRADYN_X,
                          &(gradyn_time_function){.value = 0.5 * sqrt(1.5 / g)}),
        gradyn_modes_of(held));
  gradyn_event_set_modes(
      mbs,
      gradyn_event(
          mbs,
          &(gradyn_event_spec){.name = "watched",
                               .guard = {.terminal = guard, .points = &ball, .point_count = 1},
                               .condition = {.terminal = now->armed_from > 0 ? late : NULL},
                               .direction = now->direction,
                               .map = up,
                               .map_count = now->reset == JUMP_UP ? 2 : 0,
                               .mode = holds || now->reset == MISPLACE ? held : GRADYN_SAME_MODE}),
      gradyn_modes_of(free_fall));
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step;
} methods[] = {
    {"idas", 0}, {"ali3p", 0.01}, {"variational", 0.03}, {"explicit", 0}, {"explicit", 0.02}};

/* A run that is refused by a simulation must also be refused by an adjoint gradient. */
static void refuse_gradient(gradyn_evaluator *ev, gradyn_status status, const char *says,
                            double psi[3])
{
  static const double nothing;
  FREED double *gradient = support_zeros(3 * gradyn_evaluator_model_info(ev).data,
                                         sizeof *gradient);
  assert_status(gradyn_evaluator_data_gradient(ev, &nothing, psi, gradient), status,
                gradyn_evaluator_message(ev));
  if (says && !strstr(gradyn_evaluator_message(ev), says))
    fail_msg("\"%s\" does not say \"%s\"", gradyn_evaluator_message(ev), says);
}

/* Simulates by all methods; psi is that of the last one. */
static void simulate(const gradyn_problem *problem, gradyn_status status, const char *says,
                     int events, double psi[3])
{
  static const double nothing;
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = run_with(problem, .method = methods[k].name, .step = methods[k].step);
    assert_status(gradyn_evaluator_simulate(ev, &nothing, psi, NULL), status,
                  gradyn_evaluator_message(ev));
    if (says && !strstr(gradyn_evaluator_message(ev), says))
      fail_msg("\"%s\" does not say \"%s\"", gradyn_evaluator_message(ev), says);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, events);
    if (status != GRADYN_OK)
      refuse_gradient(ev, status, says, psi);
  }
}

static void expect(const struct setting *wanted, double t_end, gradyn_status status,
                   const char *says, int events, double psi[3])
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "guards", .build = build,
                                  .t_end = t_end, .rtol = 1e-10};
  now = wanted;
  simulate(&problem, status, says, events, psi);
  now = NULL;
}

TEST(a_time_is_met_in_its_direction_only)
{
  double psi[3], fall = 1 - g / 2;
  const struct setting up = {-0.4, 1, 0, 0, GRADYN_RISING, 0, JUMP_UP},
                       down = {-0.4, 1, 0, 0, GRADYN_FALLING, 0, JUMP_UP},
                       either = {0.4, -1, 0, 0, GRADYN_EITHER, 0, JUMP_UP};
  expect(&up, 1, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[0], fall + 0.5, 1e-8, 1e-8);
  expect(&down, 1, GRADYN_OK, NULL, 0, psi);
  expect(&either, 1, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[0], fall + 0.5, 1e-8, 1e-8);
}

/* A guard of a velocity that does not jump: the event happens once. */
TEST(a_velocity_is_met_once)
{
  double psi[3];
  const struct setting speed = {3, 0, 0, 1, GRADYN_FALLING, 0, NOTHING};
  expect(&speed, 1, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[1], -g, 1e-8, 0);
}

/* If the condition is not satisfied, the guard passes zero without an event, and must return. The condition
 * is evaluated at the time of the crossing. */
TEST(an_event_that_is_not_armed_does_not_happen)
{
  double psi[3], half_way = sqrt(1 / g);
  for (double share = 1e-3; share < 0.5; share *= 10) {
    const struct setting before = {-0.5, 0, 1, 0, GRADYN_FALLING, (1 - share) * half_way, JUMP_UP},
                         behind = {-0.5, 0, 1, 0, GRADYN_FALLING, (1 + share) * half_way, JUMP_UP};
    expect(&before, 0.4, GRADYN_OK, NULL, 1, psi);
    expect(&behind, 1, GRADYN_OK, NULL, 0, psi);
  }
}

/* A map that sets a coordinate back makes its event happen repeatedly: after each half metre of the fall. */
TEST(a_guard_that_is_set_back_is_met_again)
{
  double psi[3];
  const struct setting lift = {-0.5, 0, 1, 0, GRADYN_FALLING, 0, JUMP_UP};
  expect(&lift, 1, GRADYN_OK, NULL, 9, psi);
  assert_close(psi[0], 1 - g / 2 + 9 * 0.5, 0, 1e-7);
  assert_close(psi[1], -g, 1e-8, 0);
}

TEST(a_guard_that_is_beyond_zero_at_the_start_waits)
{
  double psi[3];
  const struct setting beyond = {-2, 0, 1, 0, GRADYN_FALLING, 0, JUMP_UP},
                       at_once = {-1, 0, 1, 0, GRADYN_FALLING, 0, JUMP_UP};
  expect(&beyond, 1, GRADYN_OK, NULL, 0, psi);
  expect(&at_once, 1, GRADYN_OK, NULL, 0, psi);
}

/* At the final time, the state before the event counts. */
TEST(an_event_at_the_end_does_not_happen)
{
  double psi[3];
  const struct setting end = {-0.5, 1, 0, 0, GRADYN_RISING, 0, JUMP_UP};
  expect(&end, 0.5, GRADYN_OK, NULL, 0, psi);
  assert_close(psi[0], 1 - g / 8, 1e-8, 1e-8);
}

TEST(a_mode_may_have_no_degree_of_freedom)
{
  double psi[3], there = 0.5 * sqrt(1.5 / g);
  const struct setting level = {-0.25, 0, 1, 0, GRADYN_FALLING, 0, HOLD},
                       pin = {-0.25, 0, 1, 0, GRADYN_FALLING, 0, HOLD_ALL};
  expect(&level, 1, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[0], 0.25, 0, 1e-8);
  assert_close(psi[2], 0.5, 0, 1e-7);
  expect(&pin, 1, GRADYN_OK, NULL, 1, psi);
  assert_close(psi[0], 0.25, 0, 1e-8);
  assert_close(psi[2], there, 0, 1e-7);
}

TEST(constraints_violated_after_an_event_are_reported)
{
  double psi[3];
  const struct setting wrong = {-0.25, 0, 1, 0, GRADYN_FALLING, 0, MISPLACE};
  expect(&wrong, 1, GRADYN_EVENT, "constraint level is violated by", 0, psi);
}

FORMULA(push, -at->lam[1])

static double lift; /* N, force on a block of 1 kg from 0.4 s on */

static gradyn_status build_block(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int stands = gradyn_mode(mbs, "stands"), flies = gradyn_mode(mbs, "flies");
  int block = gradyn_point(mbs, "block", 0, 0);
  const gradyn_scalar levels[] = {0, lift}, on = 0.4;
  gradyn_point_mass(mbs, "block", block, 1);
  gradyn_gravity(mbs, 0, -g);
  gradyn_constraint_set_modes(
      mbs, gradyn_coordinate(mbs, "ground", block, GRADYN_Y, &(gradyn_time_function){.value = 0}),
      gradyn_modes_of(stands));
  int u = gradyn_signal(mbs,
                        &(gradyn_signal_spec){"u", "N", GRADYN_SWITCHED, 2, levels, .times = &on});
  declare_push(mbs, "up", block, 0, 1, u);
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "leaves",
                                                                .guard = {.terminal = push},
                                                                .direction = GRADYN_FALLING,
                                                                .mode = flies}),
                         gradyn_modes_of(stands));
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", block, 0, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

/* A force that begins with a jump either lifts a block off the ground at once or leaves it there. */
TEST(a_guard_that_jumps_with_a_signal_is_reported)
{
  double psi[3];
  const gradyn_problem block = {GRADYN_PROBLEM_SIZES, .name = "block", .build = build_block,
                                .t_end = 1};
  lift = 9;
  simulate(&block, GRADYN_OK, NULL, 0, psi);
  lift = 20;
  simulate(&block, GRADYN_EVENT, "leaves at t = 0.4 s: the guard jumps past zero", 0, psi);
}
