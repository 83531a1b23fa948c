/* A drift of the computed energy is reported with its size if no force changes the energy. Accurate motions,
 * and those with pushes, brakes or impacts, have no such warning. */
#include <math.h>
#include <string.h>

#include "tests/declare.h"
#include "tests/random.h"
#include "tests/runs.h"

enum { MODELS = 50, MOST_LINKS = 3 };

static const char drifts[] = "which should be constant, drifts by";

/* Writes the warnings of a simulation with a trajectory to text. */
/* Simulates; writes the warnings to text. Returns the step that the warning suggests; NAN: none. */
static double simulate(const run_setup *setup, char *text, size_t size)
{
  double rho[4];
  run_local *ev = run_open(setup);
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, run), ev);
  snprintf(text, size, "%s", gradyn_evaluator_warnings(ev));
  return run_warning(ev, GRADYN_WARNING_ENERGY_DRIFT).suggestion;
}

/* --- a body that tumbles -------------------------------------------------------------------------- */

/* A body that rotates nearly about its middle axis: it flips repeatedly, and 1/2 omega^T J omega is
 * constant. */
static gradyn_status build_tumbling(gradyn_model *m, const gradyn_scalar rho[])
{
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){
             .name = "t", .mass = 1, .inertia = {1.0, 2.0, 2.7}, .omega = {0.01, rho[0], 0}});
  (void)body;
  gradyn_gravity_3d(m, 0, 0, 0);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param speed[] = {{"speed", "rad/s", .init = 5, GRADYN_UNBOUNDED}};

static const struct {
  const char *method;
  double step; /* s; 0: by the error */
  bool told;
} rows[] = {{"explicit", 0, false}, {"radau", 0, false}, {"idas", 0, true}, {"ali3p", 5e-3, true}};

THOROUGH_TEST(a_tumbling_body)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "tumbling",      .params = speed,
                                  .param_count = 1,     .build = build_tumbling, .t_end = 100};
  char text[2048];
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    const double step = simulate(
        &(run_setup){.problem = &problem, .method = rows[k].method, .step = rows[k].step}, text,
        sizeof text);
    if ((strstr(text, drifts) != NULL) != rows[k].told)
      fail_msg("%s: \"%s\"", rows[k].method, text);
    if (rows[k].step == 0)
      continue;
    /* the suggested step suffices, and a longer step of the table does not */
    assert_true(step < rows[k].step);
    simulate(&(run_setup){.problem = &problem, .method = rows[k].method, .step = 0.8 * step}, text,
             sizeof text);
    assert_string_equal(text, "");
    simulate(&(run_setup){.problem = &problem, .method = rows[k].method, .step = 1.5 * step}, text,
             sizeof text);
    assert_says(text, drifts);
  }
}

/* --- healthy ones --------------------------------------------------------------------------------- */

static uint64_t seed;
static enum { FREE, DAMPED, PUSHED, STRUCK, KINDS } kind;

/* A plane chain of rods with springs, with random initial velocities. */
static void build_chain(gradyn_model *m, uint64_t *random)
{
  const int links = 1 + (int)(random_unit(random) * MOST_LINKS);
  const int ground = gradyn_ground_point(m, "ground", 0, 0);
  int last = ground;
  double x = 0, y = 0;
  char name[16];
  for (int i = 0; i < links; i++) {
    const double angle = random_range(random, -3, 3), length = random_range(random, 0.3, 1.5);
    x += length * cos(angle);
    y += length * sin(angle);
    snprintf(name, sizeof name, "p%d", i);
    const int point = gradyn_point(m, name, x, y);
    snprintf(name, sizeof name, "r%d", i);
    gradyn_rod(m, &(gradyn_rod_spec){name, last, point, .length = length,
                                     .mass = random_range(random, 0.3, 3)});
    last = point;
  }
  gradyn_gravity(m, 0, -random_range(random, 1, 10));
  const int hook = gradyn_ground_point(m, "hook", random_range(random, -2, 2), 2);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", hook, last, .k = random_range(random, 1, 60),
                                         .free_length = random_range(random, 0, 1)});
  if (kind == DAMPED)
    gradyn_dashpot(m, "dashpot", ground, last, 2);
  if (kind == PUSHED)
    gradyn_force(m, &(gradyn_force_spec){.name = "push", .point = last, .fx = 3});
  if (kind == STRUCK)
    gradyn_impact(m, &(gradyn_impact_spec){"floor", last, GRADYN_Y, .level = {.value = y - 0.3},
                                           .restitution = 0.5});
}

/* A spinning body in space on a spherical joint. */
static void build_top(gradyn_model *m, uint64_t *random)
{
  const double a = random_range(random, 0.2, 1), b = random_range(random, 0.2, 1);
  const int body = gradyn_body_3d(
      m, &(gradyn_body_spec){.name = "top",
                             .centre = {0.3, 0, random_range(random, -1, 1)},
                             .mass = random_range(random, 0.5, 3),
                             .inertia = {a, b, random_range(random, fabs(a - b), a + b)},
                             .omega = {random_range(random, -3, 3), 2, 1}});
  (void)declare_joint(m, "pivot", GRADYN_SPHERICAL, GRADYN_GROUND, body, NULL, VECTOR(0, 0, 1));
  gradyn_gravity_3d(m, 0, 0, -random_range(random, 1, 10));
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  uint64_t random = seed + 17;
  (void)rho;
  if (seed % 2 && kind == FREE)
    build_top(m, &random);
  else
    build_chain(m, &random);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "drawn", .params = speed,
                                       .param_count = 1,     .build = build,  .t_end = 3};

THOROUGH_TEST(healthy_ones_are_left_alone)
{
  static const char *const methods[] = {"explicit", "radau"};
  char text[2048];
  kind = FREE;
  for (seed = 0; seed < MODELS; seed++)
    for (int k = 0; k < 2; k++) {
      simulate(&(run_setup){.problem = &problem, .method = methods[k]}, text, sizeof text);
      if (strstr(text, drifts))
        fail_msg("model %d, %s: %s", (int)seed, methods[k], text);
    }
}

/* Motions whose energy changes by forces or events: they have no such warning. */
TEST(unprotected_ones_are_reported_too)
{
  char text[2048];
  for (kind = DAMPED; kind < KINDS; kind++)
    for (seed = 0; seed < 8; seed += 2) {
      simulate(&(run_setup){.problem = &problem, .method = "explicit"}, text, sizeof text);
      if (strstr(text, drifts))
        fail_msg("kind %d, model %d: %s", (int)kind, (int)seed, text);
    }
}

/* --- without a scale of their own ----------------------------------------------------------------- */

/* A ball that is thrown up or lies on the ground, with or without gravity. */
static double height, speed_up, gravity; /* m, m/s, m/s^2 */

static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  const int ball = gradyn_point(m, "ball", 0, height);
  (void)rho;
  gradyn_initial_velocity(m, ball, 0, speed_up);
  gradyn_point_mass(m, "mass", ball, 2);
  gradyn_gravity(m, 0, -gravity);
  gradyn_functional(m,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* At rest there is no kinetic energy. High above zero, the round-off of the potential energy exceeds a
 * thousand tolerances of the kinetic energy; neither case may have a warning. */
TEST(models_without_kinetic_energy_have_no_drift)
{
  static const double rows_of[][3] = {{0, 0, 0}, {1e9, 1e-3, 0}, {1e9, 1e-3, 1e-6}, {1e9, 0, 1e-9}};
  const gradyn_problem ball = {GRADYN_PROBLEM_SIZES, .name = "ball",      .params = speed,
                               .param_count = 1,     .build = build_ball, .t_end = 3};
  char text[2048];
  for (size_t k = 0; k < GRADYN_COUNT(rows_of) * 2; k++) {
    height = rows_of[k / 2][0], speed_up = rows_of[k / 2][1], gravity = rows_of[k / 2][2];
    simulate(&(run_setup){.problem = &ball,
                          .method = k % 2 ? "ali3p" : "explicit",
                          .step = k % 2 ? 1e-2 : 0},
             text, sizeof text);
    if (strstr(text, drifts))
      fail_msg("height %g m, speed %g m/s: %s", height, speed_up, text);
  }
}
