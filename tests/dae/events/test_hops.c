/* Short hops: a ball that was held is thrown up slowly and lands 2 v/g later. The guard of its landing is
 * zero at the start of its mode. During the first, very short steps it stays at round-off, although it
 * rises. All schemes must find the landing at its time, in runs of all lengths, or report that they do not.
 */
#include "tests/runs.h"

static const double level = 0.7, gravity = 9.81; /* m, m/s^2 */

/* m/s, velocities of the throw: hops from visible ones to 5e-14 m. */
static const double speeds[] = {1e-1, 1e-4, 1e-5, 1e-6};

/* s, time of the release and end of the run; the sizes of rates differ by a factor of 3 between these runs.
 */
static const struct span {
  double begin, end;
} spans[] = {{0.02, 0.5}, {0.02, 0.07}, {0.02, 0.045}};

static struct span now;
static double speed;
static bool reads_landing;

FORMULA(height, at->pos[1] - at->data[0])
FORMULA(late, at->t - now.begin)

/* A bob on a spring with large accelerations, which make the first steps short. */
static void add_bob(gradyn_model *mbs)
{
  const int peg = gradyn_ground_point(mbs, "peg", 2, 0), bob = gradyn_point(mbs, "bob", 3, 0);
  gradyn_point_mass(mbs, "bob", bob, 1);
  gradyn_spring(mbs, &(gradyn_spring_spec){"pull", peg, bob, .k = 1e5, .free_length = 0.999});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int held = gradyn_mode(mbs, "held"), thrown = gradyn_mode(mbs, "thrown");
  const int ball = gradyn_point(mbs, "ball", 0, level);
  const gradyn_component x = {ball, GRADYN_X}, y = {ball, GRADYN_Y};
  /* vy+ = v vx, vx = 1 m/s; the position stays */
  const gradyn_map_term throw[] = {{y, y, 1, false}, {y, x, rho[0], false}, {y, x, -rho[0], true}};
  const gradyn_datum at = {"level", "m", level};
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_initial_velocity(mbs, ball, 1, 0);
  gradyn_gravity(mbs, 0, -gravity);
  add_bob(mbs);
  gradyn_constraint_set_modes(
      mbs, gradyn_coordinate(mbs, "hold", ball, GRADYN_Y, &(gradyn_time_function){.value = level}),
      gradyn_modes_of(held));
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "go",
                                                                .guard = {.terminal = late},
                                                                .direction = GRADYN_RISING,
                                                                .map = throw,
                                                                .map_count = GRADYN_COUNT(throw),
                                                                .mode = thrown}),
                         gradyn_modes_of(held));
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "land",
                                                                .guard = {.terminal = height,
                                                                          .data = &at,
                                                                          .data_count = 1,
                                                                          .points = &ball,
                                                                          .point_count = 1},
                                                                .mode = held}),
                         gradyn_modes_of(thrown));
  if (reads_landing)
    gradyn_event_time(mbs, "landing", GRADYN_ANY_EVENT, 2);
  else
    gradyn_functional(
        mbs, &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const struct method {
  const char *name;
  double step, rtol;
  double slowest; /* m/s, smallest velocity that the method distinguishes from zero */
} methods[] = {{"idas", 0, 1e-11, 0},        {"idas", 0, 1e-8, 1e-5},   {"ali3p", 0.01, 0, 0},
               {"variational", 0.007, 0, 0}, {"explicit", 0, 1e-11, 0}, {"radau", 0, 1e-9, 0}};

/* Checks tau = now.begin + 2 v/g and its derivative with respect to v. */
static void expect_landing(const struct method *method, const char *sensitivity)
{
  const gradyn_param params[] = {{.name = "speed", .unit = "m/s", .init = 1}};
  const gradyn_problem problem = PROBLEM("hops", build, params, .t_end = now.end,
                                         .rtol = method->rtol);
  double tau, slope;
  run_local *ev = run_with(&problem, .method = method->name, .sensitivity = sensitivity,
                           .step = method->step);
  gradyn_status status = gradyn_evaluator_gradient(ev, &speed, &tau, &slope);
  if (status != GRADYN_OK)
    fail_msg("%s, rtol %g, %g to %g s, %g m/s: %s", method->name, method->rtol, now.begin, now.end,
             speed, gradyn_evaluator_message(ev));
  /* the height is accurate to 1e-14 m, so the time is accurate to this divided by the velocity */
  const double off = 1e-14 / speed;
  assert_close(tau, now.begin + 2 * speed / gravity, 0, off);
  assert_close(slope, 2 / gravity, 0, off / speed);
}

THOROUGH_TEST(a_short_hop_ends_with_a_landing)
{
  reads_landing = true;
  for (size_t i = 0; i < GRADYN_COUNT(speeds) * GRADYN_COUNT(spans); i++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      now = spans[i / GRADYN_COUNT(speeds)];
      speed = speeds[i % GRADYN_COUNT(speeds)];
      if (speed < methods[k].slowest || !support_takes((int)(i + k), 4))
        continue;
      /* over all methods and velocities, both sensitivities are used */
      expect_landing(&methods[k], (i + i / GRADYN_COUNT(speeds) + k) % 2 ? "adjoint" : "direct");
    }
}

/* A hop of 5e-18 m, below the resolution of heights: there is no landing, and a warning unless a functional
 * reads the height. */
TEST(an_omitted_hop_is_reported)
{
  reads_landing = false;
  speed = 1e-8;
  for (size_t i = 0; i < GRADYN_COUNT(spans) * GRADYN_COUNT(methods); i++) {
    const struct method *method = &methods[i % GRADYN_COUNT(methods)];
    const gradyn_param params[] = {{.name = "speed", .unit = "m/s", .init = 1}};
    now = spans[i / GRADYN_COUNT(methods)];
    const gradyn_problem problem = PROBLEM("hops", build, params, .t_end = now.end,
                                           .rtol = method->rtol);
    if (speed < method->slowest)
      continue;
    run_local *ev = run_with(&problem, .method = method->name, .step = method->step);
    double y;
    assert_run(gradyn_evaluator_simulate(ev, &speed, &y, NULL), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
    assert_true(run_warning(ev, GRADYN_WARNING_UNRESOLVED_BOUNCE).count > 0);
  }
}
