/* Tyres in motion: bouncing, braking and cornering against closed forms. */
#include <complex.h>

#include "tests/mbs/tyre_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

static const gradyn_scalar up[3] = {0, 0, 1};

/* --- what bounces ----------------------------------------------------------------------------------- */

enum { BODY = 2 };                                             /* kg */
static const double radius = 0.3, height = 0.296, fall = 0.02; /* m, m, m/s */

static gradyn_status build_bounce(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  const gradyn_scalar y[3] = {0, 1, 0};
  const int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "disc",
                                                         .centre = {0, 0, height},
                                                         .velocity = {0, 0, -fall},
                                                         .mass = BODY,
                                                         .inertia = {0.02, 0.04, 0.02}});
  const gradyn_tyre_spec spec = tyre_numbers(tyre_frame(m, "hub", body, 0, 0, height, y),
                                             tyre_frame(m, "road", GRADYN_GROUND, 0, 0, 0, up),
                                             radius);
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_tyre(m, &spec);
  for (int i = 1; i <= 4; i++)
    gradyn_functional(
        m, &(gradyn_functional_spec){gradyn_format_name(m, "height %d", i),
                                     gradyn_measure_point(m, gradyn_format_name(m, "z %d", i),
                                                          gradyn_body_centre(m, body), 0, GRADYN_Z),
                                     .reduction = (0.1 * i) != 0 ? GRADYN_AT_TIME : GRADYN_AT_END,
                                     .time = 0.1 * i});
  return gradyn_build_status(m);
}

/* m e'' + c e' + k e = m g, as long as the damper reduces the spring's force by less than half. */
TEST(a_disc_bounces_on_its_tyre)
{
  static const gradyn_problem bounce = {GRADYN_PROBLEM_SIZES, .name = "bounce",
                                        .build = build_bounce, .t_end = 0.4};
  const double rest = BODY * 9.81 / 6000, rate = 60 / (2. * BODY);
  const double omega = sqrt(6000. / BODY - rate * rate), e0 = radius - height - rest;
  double psi[4];
  run_local *ev = run_with(.problem = &bounce, .method = "explicit", .rtol = 1e-11);
  assert_true(fabs(e0) + fabs(fall + rate * e0) / omega < rest / 2);
  assert_run(gradyn_evaluator_simulate(ev, NULL, psi, NULL), ev);
  for (int i = 1; i <= 4; i++) {
    const double t = 0.1 * i;
    const double e = exp(-rate * t) *
                     (e0 * cos(omega * t) + (fall + rate * e0) / omega * sin(omega * t));
    assert_close(psi[i - 1], radius - rest - e, 1e-10, 0);
  }
}

/* --- what is carried -------------------------------------------------------------------------------- */

static const double speed = 5, arm = 2, askew = 0.06, loaded = 0.28,
                    slower = 4; /* m/s, m, rad, m, rad/s */

/* A carriage that moves along a line or a circle, and the wheel on it, whose axle is near y. */
static void add_bodies(gradyn_model *m, bool around, gradyn_scalar spin, const gradyn_scalar z[3],
                       int body[2])
{
  gradyn_body_spec spec = {.name = "carriage",
                           .centre = {around ? arm : 0, 0, loaded},
                           .velocity = {around ? 0 : speed, around ? speed : 0, 0},
                           .omega = {0, 0, around ? speed / arm : 0},
                           .mass = 3,
                           .inertia = {0.3, 0.3, 0.4}};
  body[0] = gradyn_body_3d(m, &spec);
  spec.name = "wheel";
  for (int i = 0; i < 2; i++) { /* 0.02 (1 + z z^T) */
    spec.omega[i] = spin * z[i];
    spec.inertia[i] = 0.02 * (1 + z[i] * z[i]);
  }
  spec.inertia[2] = 0.02;
  spec.inertia[3] = 0.02 * z[0] * z[1];
  body[1] = gradyn_body_3d(m, &spec);
}

/* The wheel is oblique to its path, at a constant height. Along a line its spin is driven, below that of
 * rolling; on a circle it is free. */
static gradyn_status carry(gradyn_model *m, bool around)
{
  const gradyn_scalar c = ccos(askew), s = csin(askew), x = around ? arm : 0;
  /* the forward direction z x k is (c, -s, 0) if the path is along x, and (s, c, 0) if it is along y */
  const gradyn_scalar axle[3] = {around ? -c : s, around ? s : c, 0};
  const gradyn_scalar spin = speed * c / loaded - slower;
  int body[2];
  add_bodies(m, around, spin, axle, body);
  const int way = declare_joint(m, "way", around ? GRADYN_REVOLUTE : GRADYN_PRISMATIC,
                                GRADYN_GROUND, body[0], NULL, VECTOR(!around, 0, around));
  gradyn_joint_between_spec joint = {.name = "axle",
                                     .kind = GRADYN_REVOLUTE,
                                     .body_a = body[0],
                                     .body_b = body[1],
                                     .position = {x, 0, loaded}};
  memcpy(joint.axis, axle, sizeof axle);
  const int turning = gradyn_joint_between(m, &joint);
  const int drive = gradyn_drive_joint(
      m, "drive",
      around ? gradyn_joint_coordinate(m, way, GRADYN_ANGLE)
             : gradyn_joint_coordinate(m, way, GRADYN_SLIDE),
      &(gradyn_time_function){.rate = around ? speed / arm : speed});
  if (!around)
    gradyn_drive_joint(m, "spin", gradyn_joint_coordinate(m, turning, GRADYN_ANGLE),
                       &(gradyn_time_function){.rate = spin});
  const gradyn_tyre_spec tyre = tyre_numbers(tyre_frame(m, "hub", body[1], x, 0, loaded, axle),
                                             tyre_frame(m, "road", GRADYN_GROUND, 0, 0, 0, up),
                                             radius);
  gradyn_tyre(m, &tyre);
  gradyn_functional(m, &(gradyn_functional_spec){"drive",
                                                 gradyn_measure_multiplier(m, "drive force", drive),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static gradyn_status build_line(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  return carry(m, false);
}

static gradyn_status build_circle(gradyn_model *m, const gradyn_scalar p[])
{
  (void)p;
  return carry(m, true);
}

/* Longitudinal and lateral slip at the end, and the multiplier of the drive. */
static void run_carried(gradyn_build_fn build, double t_end, double slip[2], double *drive)
{
  static const char *const names[2] = {"tyre.slip_ahead", "tyre.slip_aside"};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "carried", .build = build,
                                  .t_end = t_end};
  run_local *ev = run_with(.problem = &problem, .method = "explicit", .rtol = 1e-11);
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  double row[400];
  assert_run(gradyn_evaluator_simulate(ev, NULL, drive, run), ev);
  assert_true(gradyn_trajectory_read(run).columns <= GRADYN_COUNT(row));
  gradyn_trajectory_step(run, gradyn_trajectory_read(run).steps - 1, row);
  for (size_t i = 0; i < gradyn_trajectory_read(run).columns; i++)
    for (int k = 0; k < 2; k++)
      if (strcmp(gradyn_trajectory_column(run, i).name, names[k]) == 0)
        slip[k] = row[i];
}

/* Longitudinal and lateral force of given slips, under the load of the spring. */
static void expect_forces(const double y[2], double force[2])
{
  const double N = 6000 * (radius - loaded), x = y[0] / 0.15, z = y[1] / 0.2,
               square = x * x + z * z;
  const double share = N / pow(1 + square * square, 0.25);
  force[0] = -0.9 * share * x;
  force[1] = -0.8 * share * z;
}

/* The slip y = v/|V| (1 - exp(-|V| t/sigma)) depends on the distance travelled, not on the time that it
 * took. */
TEST(slips_begin_during_the_run)
{
  const double c = cos(askew), s = sin(askew);
  const double v[2] = {slower * loaded, speed * s};
  const double square = speed * speed * c * c + v[0] * v[0] + v[1] * v[1];
  const double V = square / sqrt(square + 1e-4), sigma[2] = {0.12, 0.2};
  static const double times[] = {0.01, 0.04, 0.1, 1.5}; /* braking steadily at last */
  for (size_t k = 0; k < GRADYN_COUNT(times); k++) {
    double slip[2], force[2], drive, y[2];
    run_carried(build_line, times[k], slip, &drive);
    for (int i = 0; i < 2; i++)
      y[i] = v[i] / V * (1 - exp(-V * times[k] / sigma[i]));
    assert_close_array(slip, y, 2, 1e-9, 0);
    expect_forces(y, force);
    assert_close(drive, c * force[0] + s * force[1], 1e-9, 0);
  }
}

/* The spin approaches that of a rolling wheel, and the lateral slip the sine of the angle. */
THOROUGH_TEST(a_wheel_corners_steadily)
{
  const double s = sin(askew), square = speed * speed, V = square / sqrt(square + 1e-4);
  double slip[2], force[2], drive;
  const double y[2] = {0, speed * s / V};
  run_carried(build_circle, 4, slip, &drive);
  assert_close_array(slip, y, 2, 1e-9, 1e-9);
  expect_forces(y, force);
  assert_close(drive, arm * s * force[1], 1e-8, 0);
}
