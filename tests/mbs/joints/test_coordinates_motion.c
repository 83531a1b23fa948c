/* Joint coordinates in motion over many turns, by every method against closed forms. Declaring them does
 * not change the motion. */
#include "tests/mbs/motion.h"
#include "tests/declare.h"

/* A wheel of moment of inertia J on a shaft of the ground along the axis, with the inertia tensor of a
 * flywheel. */
static int wheel(gradyn_model *model, const char *name, double x, double J)
{
  int body = declare_body_3d(model, name, 3, INERTIA(0.6 * J, J, 0.7 * J), VECTOR(x, 0.2, 0.1));
  int hinge = declare_joint(model, gradyn_format_name(model, "%s.hinge", name), GRADYN_REVOLUTE,
                            GRADYN_GROUND, body, VECTOR(x, 0, 0.1), VECTOR(0, 1, 0));
  return gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
}

/* Moments of inertia in kg m^2, ratio of the gear, torque in N m, torsional spring and damper. */
static const double J1 = 0.2, J2 = 0.05, ratio = -2.5, torque = 1.5, stiffness = 3, damping = 0.08;

/* A constant torque drives one wheel, which drives another one through a gear; a third one oscillates. */
static gradyn_status wheels(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int first = wheel(model, "first", 0, J1), second = wheel(model, "second", 2, J2);
  int third = wheel(model, "third", 4, J1);
  gradyn_gear(model, "gear", first, second, ratio);
  gradyn_joint_spring(model,
                      &(gradyn_joint_spring_spec){"torque", .coordinate = first, .effort = torque});
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"swing", .coordinate = third,
                                                         .k = stiffness, .c = damping});
  gradyn_fix_initial_joint(model, "start", third, 0.5, 0);
  return gradyn_build_status(model);
}

/* Errors at the end: of the first two angles, of the first rate, and of the oscillation. */
enum { MISSES = 4 };

static void miss(const char *method, double t_end, double fine, double *out)
{
  double effective = J1 + ratio * ratio * J2, angle = torque * t_end * t_end / (2 * effective);
  double decay = damping / (2 * J1), w = sqrt(stiffness / J1 - decay * decay);
  double swing = 0.5 * exp(-decay * t_end) * (cos(w * t_end) + decay / w * sin(w * t_end));
  motion_local m;
  motion_run(&m, wheels, method, t_end, fine);
  out[0] = motion_end(&m, "first.hinge.angle") - angle; /* 23.4 rad */
  out[1] = motion_end(&m, "second.hinge.angle") - ratio * angle;
  out[2] = motion_end(&m, "first.hinge.angle.rate") - torque * t_end / effective;
  out[3] = motion_end(&m, "third.hinge.angle") - swing;
}

THOROUGH_TEST(wheels_turn)
{
  static const char *const adaptive[] = {"idas", "explicit"}, *const fixed[] = {"ali3p",
                                                                                "variational"};
  double out[MISSES], half[MISSES];
  for (size_t k = 0; k < GRADYN_COUNT(adaptive); k++) {
    miss(adaptive[k], 4, 2e-13, out);
    /* errors of 2e-9 relative to 23.4, 58.5 and 11.7; idas reaches 4e-10 to 2e-9 */
    assert_close(out[0], 0, 0, 5e-8);
    assert_close(out[1], 0, 0, 1.2e-7);
    assert_close(out[2], 0, 0, 2.4e-8);
    assert_close(out[3], 0, 0, 2e-9);
  }
  for (size_t k = 0; k < GRADYN_COUNT(fixed); k++) { /* of second order */
    miss(fixed[k], 4, 1e-3, out);
    miss(fixed[k], 4, 5e-4, half);
    for (int i = 0; i < MISSES; i++)
      assert_true(fabs(half[i]) < 0.26 * fabs(out[i]) + 1e-9);
  }
}

/* A nut of mass m and moment of inertia J on a vertical screw: (m + J/h^2) z'' = -m g with h = pitch/(2
 * pi). */
static const double nut_mass = 1.4, nut_moment = 0.02, pitch = 0.05;

static gradyn_status nut(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body_3d(model, "nut", nut_mass, INERTIA(0.015, 0.018, nut_moment),
                             VECTOR(0.1, 0, 0.2));
  gradyn_joint_between(model, &(gradyn_joint_between_spec){.name = "screw",
                                                           .kind = GRADYN_SCREW,
                                                           .body_a = GRADYN_GROUND,
                                                           .body_b = body,
                                                           .position = {0.1, 0, 0},
                                                           .axis = {0, 0, 1},
                                                           .pitch = pitch});
  gradyn_gravity_3d(model, 0.3, 0, -9.81);
  return gradyn_build_status(model);
}

TEST(nut_falls)
{
  const double t_end = 3, h = pitch / (2 * acos(-1));
  double a = -nut_mass * 9.81 / (nut_mass + nut_moment / (h * h));
  motion_local m;
  motion_run(&m, nut, "idas", t_end, 1e-12);
  assert_close(motion_end(&m, "screw.slide"), a * t_end * t_end / 2, 1e-8, 0);
  assert_close(motion_end(&m, "screw.angle"), a * t_end * t_end / 2 / h, 1e-8, 0);
  assert_close(motion_end(&m, "nut.z"), 0.2 + a * t_end * t_end / 2, 0, 2e-9);
}

/* A driven wheel: the torque is J times the acceleration of the time function. */
static gradyn_status driven(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_drive_joint(
      model, "drive", wheel(model, "wheel", 0, J1),
      &(gradyn_time_function){.rate = 5, .acceleration = 2, .amplitude = 0.4, .frequency = 3});
  return gradyn_build_status(model);
}

/* Error of the drive's multiplier at the end, N m. */
static double drive_miss(const char *method, double fine)
{
  motion_local m;
  motion_run(&m, driven, method, 4, fine);
  assert_close(motion_end(&m, "wheel.hinge.angle"), 20 + 16 + 0.4 * sin(12), 1e-8, 0);
  return motion_end(&m, "drive.lambda") + J1 * (2 - 0.4 * 9 * sin(12));
}

TEST(drive_reports_its_torque)
{
  assert_close(drive_miss("idas", 1e-12), 0, 0, 2e-8);
  assert_close(drive_miss("explicit", 1e-12), 0, 0, 2e-8);
  /* the accelerations at ali3p's nodes satisfy the constraint exactly, and so do the multipliers */
  assert_close(drive_miss("ali3p", 1e-2), 0, 0, 1e-10);
}

/* A rod and a body that do not meet in the declared state, with or without a measuring coordinate. */
static bool measured;

static gradyn_status apart(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int P = gradyn_ground_point(model, "P", 0.1, 0.2), Q = gradyn_point(model, "Q", 1.1, 0.9);
  gradyn_initial_velocity(model, Q, 0.3, -0.8);
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .length = 1.1, .mass = 1});
  int body = gradyn_body(model, &(gradyn_body_spec){.name = "body",
                                                    .centre = {1.4, 0.5},
                                                    .mass = 2,
                                                    .inertia = {0, 0, 0.7},
                                                    .omega = {0, 0, 1.2}});
  int bar = gradyn_rod_frame(model, "bar", Q, P);
  int frame = declare_frame(model, "frame", body, VECTOR(1.3, 1.1), VECTOR(0.7, -0.6));
  int hinge = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "hinge", .kind = GRADYN_REVOLUTE, .a = bar, .b = frame});
  if (measured)
    gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
  return gradyn_build_status(model);
}

/* The coordinate shows the assembled state and exerts no force, although its initial guess is far away. */
TEST(coordinates_do_not_change_the_motion)
{
  static const char *const column[] = {"Q.x", "Q.vy", "body.x", "body.e1.y", "body.e1.vy"};
  double end[2][GRADYN_COUNT(column)], angle = 0;
  for (int k = 0; k < 2; k++) {
    motion_local m;
    measured = k;
    motion_run(&m, apart, "ali3p", 1e-9, 1e-9); /* the start */
    for (size_t i = 0; i < GRADYN_COUNT(column); i++)
      end[k][i] = motion_end(&m, column[i]);
    if (measured) {
      double u = motion_end(&m, "Q.x") - 0.1, v = motion_end(&m, "Q.y") - 0.2;
      double c = 0.7 * motion_end(&m, "body.e1.x") - 0.6 * motion_end(&m, "body.e2.x");
      double s = 0.7 * motion_end(&m, "body.e1.y") - 0.6 * motion_end(&m, "body.e2.y");
      angle = atan2(-u * s + v * c, -u * c - v * s) - motion_end(&m, "hinge.angle");
    }
  }
  assert_close_array(end[1], end[0], GRADYN_COUNT(column), 0, 1e-13);
  assert_close(angle, 0, 0, 1e-13);
}

/* In the plane a hinge needs no axis; its angle is measured from the initial position. */
static gradyn_status spun_wheel(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body(model, "wheel", 3, J1, 0, 0);
  int hinge = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, body, NULL, NULL);
  int tag = declare_body(model, "tag", 1, 0.01, 0.2, 0);
  declare_joint(model, "weld", GRADYN_FIXED, body, tag, VECTOR(0.1), NULL);
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){
                                 "torque",
                                 .coordinate = gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE),
                                 .effort = torque});
  return gradyn_build_status(model);
}

TEST(plane_hinge_needs_no_axis)
{
  const double J = J1 + 0.01 + 0.2 * 0.2; /* with the point mass, at a distance of 0.2 m */
  motion_local m;
  motion_run(&m, spun_wheel, "explicit", 3, 1e-11);
  assert_close(motion_end(&m, "hinge.angle"), torque * 9 / (2 * J), 1e-9, 0); /* 27 rad */
}
