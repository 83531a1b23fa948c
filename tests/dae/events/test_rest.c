/* Guards that are zero and have no rate at the start of a mode. A ball lands on a level, is held and then
 * released, so that the guard of its landing is zero up to round-off. In all units and schemes, in direct
 * and adjoint runs, this is not a landing. A wall at that level is met only if the ball falls. */
#include "tests/runs.h"

static const double begin = 0.5, end = 0.56; /* s: time of the release, end of the run */

/* Lengths are in multiples of `unit`; a second mass pulls by a spring. */
typedef struct setting {
  double unit, level, stiffness, partner_height;
  gradyn_direction direction;
  bool wall;
} setting;

static setting now;

FORMULA(height, at->pos[1] - at->data[0])
FORMULA(late, at->t - begin)

static void add_mechanism(gradyn_model *mbs, int *ball)
{
  const double u = now.unit;
  *ball = gradyn_point(mbs, "ball", 0, u);
  int partner = gradyn_point(mbs, "partner", 0.4 * u, now.partner_height * u);
  gradyn_initial_velocity(mbs, *ball, 0.3 * u, -2 * u);
  gradyn_point_mass(mbs, "ball", *ball, 2);
  gradyn_point_mass(mbs, "partner", partner, 0.7);
  gradyn_gravity(mbs, 0, -9.81 * u);
  gradyn_spring(mbs, &(gradyn_spring_spec){"pull", *ball, partner, .k = now.stiffness, .c = 0.1,
                                           .free_length = 0.3 * u});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int fall = gradyn_mode(mbs, "fall"), held = gradyn_mode(mbs, "held"), ball;
  int gone = now.wall ? gradyn_mode(mbs, "gone") : fall;
  const gradyn_time_function level = {.value = now.level * now.unit};
  const gradyn_datum at = {"level", "m", now.level * now.unit};
  add_mechanism(mbs, &ball);
  gradyn_constraint_set_modes(mbs, gradyn_coordinate(mbs, "hold", ball, GRADYN_Y, &level),
                              gradyn_modes_of(held));
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "go",
                                                                .guard = {.terminal = late},
                                                                .direction = GRADYN_RISING,
                                                                .mode = gone}),
                         gradyn_modes_of(held));
  if (now.wall) {
    gradyn_event_set_modes(mbs,
                           gradyn_impact(mbs, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, level,
                                                                    .restitution = 0.5}),
                           gradyn_modes_of(gone));
  }
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "land",
                                                                .guard = {.terminal = height,
                                                                          .data = &at,
                                                                          .data_count = 1,
                                                                          .points = &ball,
                                                                          .point_count = 1},
                                                                .direction = now.direction,
                                                                .mode = held}),
                         gradyn_modes_of(fall));
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"vy",
                                                   gradyn_measure_point(mbs, "", ball, 1, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

enum { IDAS_FINE, IDAS_COARSE };

static const struct method {
  const char *name;
  double step, rtol;
} methods[] = {{"idas", 0, 1e-10},        {"idas", 0, 1e-6},      {"ali3p", 0.01, 0},
               {"variational", 0.007, 0}, {"explicit", 0, 1e-10}, {"explicit", 0, 1e-6}};

/* Computes values and gradients by one method and sensitivity. */
static gradyn_status run(const struct method *method, const char *sensitivity, double psi[2],
                         double **gradient, size_t *data, size_t *events)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "rest", .build = build,
                                  .t_end = end, .rtol = method->rtol};
  const double nothing = 0;
  run_local *ev = run_with(&problem, .method = method->name, .sensitivity = sensitivity,
                           .step = method->step);
  *data = gradyn_evaluator_model_info(ev).data;
  *gradient = calloc(2 * *data, sizeof(double));
  gradyn_status status = gradyn_evaluator_data_gradient(ev, &nothing, psi, *gradient);
  if (status != GRADYN_OK && !strstr(gradyn_evaluator_message(ev), "does not open"))
    fail_msg("%s", gradyn_evaluator_message(ev));
  *events = gradyn_evaluator_statistics(ev).events;
  return status;
}

/* All schemes, and idas with one of its tolerances, must end with this status, or with the same events and
 * gradients. */
static void expect(gradyn_status wanted, bool above, bool coarse, int row)
{
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    if (k == (coarse ? IDAS_FINE : IDAS_COARSE) || !support_takes((int)k / 2 + row, 3))
      continue;
    double psi[2], *gradient[2], close = methods[k].step > 0 ? 1e-9 : 1e4 * methods[k].rtol;
    size_t data, events;
    for (int way = 0; way < 2; way++) {
      assert_int_equal(
          run(&methods[k], way ? "adjoint" : "direct", psi, &gradient[way], &data, &events),
          wanted);
      if (wanted != GRADYN_OK)
        continue;
      if (events != 2)
        fail_msg("%s, unit %g m, level %g: %zu events", methods[k].name, now.unit, now.level,
                 events);
      assert_true((psi[0] > now.level * now.unit) == above);
    }
    for (size_t f = 0; f < 2 && wanted == GRADYN_OK; f++)
      for (size_t i = 0; i < data; i++) {
        double size = fmax(fabs(gradient[0][f * data + i]), 1e-3 * now.unit);
        assert_close(gradient[1][f * data + i], gradient[0][f * data + i], close, close * size);
      }
    free(gradient[0]);
    free(gradient[1]);
  }
}

static const double units[] = {1e-3, 1, 1e3};
static const double levels[] = {0.3, 0.1 + 0.2, 0.37, 1.0 / 3};

/* The ball falls after its release, or is lifted. */
TEST(a_guard_with_no_rate_does_not_fire_at_once)
{
  for (size_t i = 0; i < GRADYN_COUNT(units) * GRADYN_COUNT(levels); i++) {
    const size_t u = i / GRADYN_COUNT(levels), l = i % GRADYN_COUNT(levels);
    const bool lifted = (u + l) % 2;
    if (!support_takes((int)(u + u / 2 + l), 2))
      continue;
    now = (setting){.unit = units[u],
                    .level = levels[l],
                    .stiffness = lifted ? 90 : 3,
                    .partner_height = lifted ? 3.2 : 1.2,
                    .direction = (u + l / 2) % 2 ? GRADYN_EITHER : GRADYN_FALLING};
    expect(GRADYN_OK, lifted, l / 2, (int)i);
  }
}

TEST(a_wall_that_is_touched_must_be_left)
{
  for (size_t i = 0; i < GRADYN_COUNT(units); i++)
    for (int lifted = 0; lifted < 2; lifted++) {
      now = (setting){.unit = units[i],
                      .level = 0.3,
                      .stiffness = lifted ? 90 : 3,
                      .partner_height = lifted ? 3.2 : 1.2,
                      .direction = GRADYN_FALLING,
                      .wall = true};
      expect(lifted ? GRADYN_OK : GRADYN_EVENT, true, (i + (size_t)lifted) % 2, (int)i + lifted);
    }
}
