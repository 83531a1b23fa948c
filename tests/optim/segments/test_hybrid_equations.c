/* Events of general equations inside segments, with path constraints. Values, sampled constraints and
 * gradients through the segment boundaries equal those of the undivided run. Derivatives with respect to
 * all unknowns equal differences. */
#include "tests/adjoint/airy_ball.h"
#include "tests/optim/segments/chained.h"
#include "tests/declare.h"

/* The band is pulled. A user-defined reset of the floor reverses the ball and reduces the drag. Another
 * event, at a given velocity, reduces the drag, too. */
enum { H0, BAND, AIR0, SWING, T, U, KNOTS = 3, UNKNOWNS = U + KNOTS };
enum { OVER, UNDER, FUNCTIONALS = 9 };
static const gradyn_param params[] = {
    {"height", "m", .init = 1.1, GRADYN_UNBOUNDED},
    {"band", "1/s^2", .init = 3, GRADYN_UNBOUNDED},
    {"air", "1/s", .init = 0.1, GRADYN_UNBOUNDED},
    {"swing", "m", .init = 0.02, GRADYN_UNBOUNDED},
    {"T", "s", .init = 2, .lower = 0.1, .upper = 9},
    {"u", "m/s^2", .init = 0.4, GRADYN_UNBOUNDED, .init_end = -0.6, .ramp = true, .count = KNOTS}};

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_status status = airy_ball_rates(at, F);
  F[AIRY_SPEED] -= at->u[1];
  return status;
}

FORMULA(leaning, at->y[AIRY_HEIGHT] + 0.1 * at->y[AIRY_SPEED])

/* Functionals at events, at given times, and maxima. */
static gradyn_status add_functionals(gradyn_model *model, int floor)
{
  const gradyn_custom_functional_spec taken = {"taken", "", .terminal = airy_ball_mixture};
  gradyn_path_constraint(
      model, "lean",
      gradyn_measure_custom(model,
                            &(gradyn_custom_measure_spec){
                                .name = "lean", .unit = "m", .formula = leaning, .hidden = true}),
      -0.2, 0.9, 1e-6, NULL);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"mixture", "",
                                                                   .terminal = airy_ball_mixture,
                                                                   .integrand = airy_ball_mixture});
  gradyn_custom_functional_spec spec = taken;
  spec.name = "before";
  declare_before_event(model, &spec, floor, 2);
  spec.name = "after";
  declare_after_event(model, &spec, GRADYN_ANY_EVENT, 3);
  gradyn_event_time(model, "time", floor, 3);
  gradyn_event_time(model, "first", floor, 1);
  spec.name = "late";
  spec.instant = 1.7;
  gradyn_custom_functional(model, &spec);
  gradyn_functional(model,
                    &(gradyn_functional_spec){
                        "highest",
                        gradyn_measure_custom(
                            model, &(gradyn_custom_measure_spec){"highest", "m", .formula = leaning,
                                                                 .hidden = true}),
                        .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(model);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar r[])
{
  gradyn_end_time(model, r[T]);
  declare_signal(model, "u", "m/s^2", GRADYN_PIECEWISE_CONSTANT, KNOTS, r + U);
  gradyn_algebraic_state(model, "drag", "m/s^2", 0);
  gradyn_state(model, "height", "m", r[H0]);
  const int air = gradyn_state(model, "air", "1/s", r[AIR0]),
            speed = gradyn_state(model, "speed", "m/s", 0);
  const gradyn_datum band = {"band", "1/s^2", r[BAND]}, most = {"most", "m/s^2", 0.5 + r[AIR0]},
                     swings = {"swing", "m", r[SWING]}, share = {"share", "", 0.8};
  declare_equations(model, rates, &band, 1);
  const gradyn_component both[] = {{speed, GRADYN_X}, {air, GRADYN_X}};
  const gradyn_map_term thinner = {both[1], both[1], 0.5, false};
  const int floor = gradyn_event(
      model, &(gradyn_event_spec){
                 .name = "floor",
                 .guard = {.terminal = airy_ball_gap, .data = &swings, .data_count = 1},
                 .set = both,
                 .set_count = 2,
                 .reset = {.terminal = airy_ball_rebound, .data = &share, .data_count = 1}});
  gradyn_event(model, &(gradyn_event_spec){
                          .name = "rushes",
                          .guard = {.terminal = airy_ball_rush, .data = &most, .data_count = 1},
                          .map = &thinner,
                          .map_count = 1});
  return add_functionals(model, floor);
}

static const gradyn_problem ball = PROBLEM("ball", build, params, .t_end = 2);

/* Finds the times of the events. */
static size_t find_events(double t[8])
{
  double rho[UNKNOWNS], psi[FUNCTIONALS];
  run_local *ev = run_with(.problem = &ball, .method = "explicit", .rtol = 1e-11);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  const size_t count = gradyn_evaluator_statistics(ev).events;
  assert_true(count >= 4 && count <= 8);
  for (size_t i = 0; i < count; i++)
    t[i] = gradyn_event_log_at(ev, i).t;
  return count;
}

THOROUGH_TEST(hybrid_equations_are_those_of_one_run)
{
  static const char *const methods[] = {"explicit", "radau"}, *const ways[] = {"adjoint", "direct"};
  gradyn_limit_at row[CHAINED_ROWS];
  for (int i = 0; i < 4; i++) {
    if (!support_takes(i, 3))
      continue;
    const run_setup setup = {
        .problem = &ball, .method = methods[i / 2], .sensitivity = ways[i % 2], .rtol = 1e-11};
    const size_t rows = chained_rows(&setup, i < 2 ? OVER : UNDER, row);
    chained_compare_held(&setup, &(gradyn_search){.segments = 3}, 3, row, rows);
    if (i > 0)
      continue;
    for (long count = 2; count <= 5; count++)
      if (support_takes((int)count, 3))
        chained_compare_held(&setup, &(gradyn_search){.segments = count}, 3, row, rows);
    chained_compare_held(&setup, &(gradyn_search){.segment_times = "events"}, 3, row, rows);
    chained_compare_for(&setup, &(gradyn_search){.segment_times = "knots"}, 3);
  }
}

/* Boundaries exactly at the times of events are moved away from them, which the text reports. */
TEST(boundaries_at_events_are_moved_and_reported)
{
  static const bool used[FUNCTIONALS] = {true};
  double t[8], rho[UNKNOWNS];
  char text[100];
  LOCAL(gradyn_segments) s;
  const size_t count = find_events(t);
  (void)snprintf(text, sizeof text, "%.15g,%.15g", t[0], t[count - 1]);
  const gradyn_search search = {.segment_times = text};
  const run_setup setup = {.problem = &ball, .method = "explicit", .rtol = 1e-11};
  chained_compare_for(&setup, &search, 3);
  run_local *ev = run_open(&setup);
  run_initial(ev, rho);
  assert_ok(gradyn_segments_create(ev, &search, used, rho, &s), s.message.text);
  assert_int_equal(s.count, 3);
  assert_says(s.moved.text, "segment 2 begins at t = ");
  assert_says(s.moved.text, "segment 3 begins at t = ");
  for (size_t k = 1; k < s.count; k++)
    for (size_t i = 0; i < count; i++)
      assert_true(fabs(2 * s.segment[k].from - t[i]) > 0.01);
}

TEST(derivatives_by_all_unknowns_are_those_of_differences)
{
  const run_setup setup = {.problem = &ball, .method = "explicit", .rtol = 1e-12};
  gradyn_limit_at row[CHAINED_ROWS];
  chained_differ(&setup, &(gradyn_search){.segments = 3}, row, chained_rows(&setup, OVER, row));
}

/* Without the second bounce, the third one would be a different event: the point is refused by name. */
TEST(occurrences_that_are_counted_keep_their_segments)
{
  static const bool used[FUNCTIONALS] = {true};
  double rho[UNKNOWNS], psi[64];
  LOCAL(gradyn_segments) s;
  run_local *ev = run_with(.problem = &ball, .method = "explicit", .rtol = 1e-9);
  run_initial(ev, rho);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = 3}, used, rho, &s),
            s.message.text);
  s.start[H0] = 9;
  assert_int_equal(s.objective.evaluate(&s, true, s.start, psi, NULL), GRADYN_EVENT);
  if (strstr(s.message.text, "segment 1") == NULL)
    fail_msg("'%s'", s.message.text);
}
