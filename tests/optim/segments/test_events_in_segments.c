/* Events inside segments: values, and gradients through the segment boundaries, equal those of the
 * undivided run. A segment ends in the mode in which the next one begins. test_hard_cases.c has searches. */
#include "tests/optim/segments/chained.h"
#include "tests/declare.h"

/* A dumbbell falls, rotates and is pushed; its ends bounce off a floor. The end time is a parameter, and
 * its inclination has a path constraint. */
enum { HEIGHT, BOUNCE, MASS, T, U, KNOTS = 3, UNKNOWNS = U + KNOTS };
static const gradyn_param throwing[] = {
    {"height", "m", .init = 0.3, GRADYN_UNBOUNDED},
    {"restitution", "", .init = 0.8, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 0.7, GRADYN_UNBOUNDED},
    {"T", "s", .init = 1.05, .lower = 0.1, .upper = 9},
    {"u", "N", .init = 0.4, GRADYN_UNBOUNDED, .init_end = -1, .ramp = true, .count = KNOTS}};

FORMULA(lean, at->pos[4] * at->vel[3] + at->t * at->pos[5])

FORMULA(late_height, at->t * at->pos[5])

static gradyn_status throw(gradyn_model * model, const gradyn_scalar rho[])
{
  const int push = declare_signal(model, "push", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, rho + U);
  const int a = gradyn_point(model, "a", 0, rho[HEIGHT]),
            b = gradyn_point(model, "b", 0.5, rho[HEIGHT] + 0.3);
  gradyn_end_time(model, rho[T]);
  gradyn_initial_velocity(model, a, 0.2, 0);
  gradyn_point_mass(model, "a.mass", a, rho[MASS]);
  gradyn_point_mass(model, "b.mass", b, 0.4);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", a, b, .length = 0.6});
  gradyn_gravity(model, 0, -9.81);
  declare_push(model, "push", a, 1, 0, push);
  const int floor = gradyn_impact(
      model, &(gradyn_impact_spec){
                 .name = "floor_a", .point = a, .axis = GRADYN_Y, .restitution = rho[BOUNCE]});
  gradyn_impact(model,
                &(gradyn_impact_spec){
                    .name = "floor_b", .point = b, .axis = GRADYN_Y, .restitution = rho[BOUNCE]});
  gradyn_path_constraint(
      model, "lean",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "lean", .unit = "", .formula = lean, .hidden = true}),
      -1, 0.4, 1e-6, NULL);
  declare_functional(model, "x", gradyn_measure_point(model, "", a, 0, GRADYN_X), GRADYN_AT_END);
  declare_functional(model, "vy", gradyn_measure_point(model, "", b, 1, GRADYN_Y), GRADYN_AT_END);
  gradyn_minimise(model,
                  declare_functional(model, "turn", gradyn_measure_line_angle(model, "", a, b, 1),
                                     GRADYN_INTEGRAL),
                  1);
  declare_functional(model, "effort", gradyn_measure_signal(model, "", push),
                     GRADYN_SQUARE_INTEGRAL);
  /* at times, which parts share */
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){
                               .name = "early", .unit = "", .terminal = lean, .instant = 0.2});
  gradyn_custom_functional(model,
                           &(gradyn_custom_functional_spec){
                               .name = "late", .unit = "", .terminal = lean, .instant = 0.95});
  /* functionals at events, which are counted, and maxima */
  gradyn_event_impulse(model, "blow", floor, 2);
  gradyn_event_time(model, "time", GRADYN_ANY_EVENT, 3);
  declare_after_event(model, &(gradyn_custom_functional_spec){"after", "", .terminal = lean}, floor,
                      1);
  declare_maximum(model, &(gradyn_custom_functional_spec){"most", "", .integrand = late_height});
  return gradyn_build_status(model);
}

static const gradyn_problem dumbbell = PROBLEM("dumbbell", throw, throwing, .t_end = 1);

/* A pendulum with a spring that acts on its right side only: two modes. */
enum { STIFF, LENGTH, SWINGING, BOB = 3 }; /* the bob follows two ground points */
static const gradyn_param sprung[] = {{"k", "N/m", .init = 5, GRADYN_UNBOUNDED},
                                      {"l", "m", .init = 0.8, GRADYN_UNBOUNDED}};

FORMULA(aside, at->pos[2 * BOB])

static gradyn_status swing(gradyn_model *model, const gradyn_scalar rho[])
{
  const int left = gradyn_mode(model, "left"), right = gradyn_mode(model, "right");
  const int pin = gradyn_ground_point(model, "pin", 0, 0),
            wall = gradyn_ground_point(model, "wall", 1, -1),
            bob = gradyn_point(model, "bob", -0.3, -1);
  gradyn_point_mass(model, "bob.mass", bob, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pin, bob, .length = rho[LENGTH]});
  gradyn_gravity(model, 0, -9.81);
  gradyn_event_set_modes(model,
                         gradyn_event(model, &(gradyn_event_spec){.name = "comes",
                                                                  .guard = {.terminal = aside},
                                                                  .direction = GRADYN_RISING,
                                                                  .mode = right}),
                         gradyn_modes_of(left));
  gradyn_force_set_modes(
      model,
      gradyn_spring(model,
                    &(gradyn_spring_spec){"spring", wall, bob, .k = rho[STIFF], .free_length = 1}),
      gradyn_modes_of(right));
  gradyn_event_set_modes(
      model,
      gradyn_event(
          model, &(gradyn_event_spec){.name = "goes", .guard = {.terminal = aside}, .mode = left}),
      gradyn_modes_of(right));
  declare_functional(model, "x", gradyn_measure_point(model, "", bob, 0, GRADYN_X), GRADYN_AT_END);
  gradyn_minimise(model,
                  declare_functional(model, "rate",
                                     gradyn_measure_line_angle(model, "", pin, bob, 1),
                                     GRADYN_AT_END),
                  1);
  declare_functional(model, "turn", gradyn_measure_line_angle(model, "", pin, bob, 1),
                     GRADYN_INTEGRAL);
  declare_functional(model, "mean", gradyn_measure_point(model, "aside", bob, 0, GRADYN_X),
                     GRADYN_MEAN_SQUARE);
  return gradyn_build_status(model);
}

static const gradyn_problem pendulum = PROBLEM("pendulum", swing, sprung, .t_end = 4);

TEST(bouncing_motions_are_those_of_one_run)
{
  const run_setup setup = {.problem = &dumbbell, .method = "explicit", .rtol = 1e-11};
  run_local *ev = run_open(&setup);
  double rho[UNKNOWNS], psi[16];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_true(ev->model->log.count >= 4);
  for (long count = 3; count <= 5; count += support_thorough() ? 2 : 4)
    chained_compare(&setup, count, 6);
  chained_compare(&(run_setup){.problem = &dumbbell, .method = "radau", .rtol = 1e-11}, 4, 6);
  chained_compare(
      &(run_setup){
          .problem = &dumbbell, .method = "explicit", .sensitivity = "direct", .rtol = 1e-11},
      4, 6);
  /* each event in a segment of its own */
  chained_compare_for(&setup, &(gradyn_search){.segment_times = "events"}, 6);
}

TEST(rows_at_events_and_beside_them_are_those_of_one_run)
{
  static const char *const methods[] = {"explicit", "explicit", "radau"}, *const ways[] = {
                                                                              "adjoint", "direct",
                                                                              "adjoint"};
  gradyn_limit_at row[CHAINED_ROWS];
  for (int i = 0; i < 3; i++) {
    const run_setup setup = {
        .problem = &dumbbell, .method = methods[i], .sensitivity = ways[i], .rtol = 1e-11};
    const size_t rows = chained_rows(&setup, (size_t)i % 2, row);
    chained_compare_held(&setup, &(gradyn_search){.segments = 4}, 6, row, rows);
    if (i == 0)
      chained_compare_held(&setup, &(gradyn_search){.segment_times = "events"}, 6, row, rows);
  }
}

TEST(derivatives_by_all_unknowns_are_those_of_differences)
{
  const run_setup setup = {.problem = &dumbbell, .method = "explicit", .rtol = 1e-12};
  gradyn_limit_at row[CHAINED_ROWS];
  chained_differ(&setup, &(gradyn_search){.segments = 3}, row, chained_rows(&setup, 0, row));
}

TEST(modes_are_those_of_one_run)
{
  const run_setup setup = {.problem = &pendulum, .method = "explicit", .rtol = 1e-11};
  run_local *ev = run_open(&setup);
  double rho[SWINGING], psi[16];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_true(ev->model->log.count >= 3);
  for (long count = 2; count <= 5; count += 3)
    chained_compare(&setup, count, 2);
  chained_compare_for(&setup, &(gradyn_search){.segment_times = "events"}, 2);
}

/* A boundary state of the pendulum in a mode that differs from the mode of the motion there. */
TEST(modes_that_do_not_meet_are_reported)
{
  static const bool used[] = {true, true, true, true};
  double rho[SWINGING], psi[32];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &pendulum, .method = "explicit", .rtol = 1e-9);
  run_initial(ev, rho);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 3}, used, rho, &s),
            s.message.text);
  s.cut[2].mode = 1 - s.cut[2].mode;
  assert_int_equal(s.objective.evaluate(&s, true, s.start, psi, NULL), GRADYN_EVENT);
  if (strstr(s.message.text, "segment 2 ends in mode") == NULL)
    fail_msg("'%s'", s.message.text);
}
