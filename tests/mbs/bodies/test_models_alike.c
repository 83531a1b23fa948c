/* A mechanism that is modelled in two ways has the same motion: in the plane and in space, a link as a rod
 * and as a body, a beam as two beams. Also masses of all elements add up. */

#include "tests/mbs/motion.h"
#include "tests/declare.h"

static const double g = 9.81;

/* Declares the body and everything attached to it, below a rod with its end P and its middle point. */
static gradyn_status hang(gradyn_model *model, int G, int P, int mid)
{
  gradyn_point_mass(model, "weight", mid, 0.7);
  int body = declare_body(model, "body", 2, 0.2, 1.3, -0.5);
  gradyn_pin(model, "pin", P, gradyn_body_point(model, body, "A", 0.8, -0.6));
  int B = gradyn_body_point(model, body, "B", 1.7, -0.2);
  gradyn_spring(model, &(gradyn_spring_spec){"spring", G, B, .k = 50, .c = 1, .free_length = 0.8});
  gradyn_dashpot(model, "dashpot", mid, B, 0.5);
  gradyn_gravity(model, 0, -g);
  gradyn_functional(model, &(gradyn_functional_spec){
                               "motion", gradyn_measure_point(model, "", B, 1, GRADYN_ALL_AXES),
                               .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* A double pendulum of a rod and a body, with a spring to the ground, a dashpot, and a mass on the rod. */
static gradyn_status plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", 0, 0), G = gradyn_ground_point(model, "G", 1, 1);
  int P = gradyn_point(model, "P", 0.8, -0.6);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", O, P, .length = 1, .mass = 1.5});
  int mid = gradyn_point_between(model, "mid", O, P, 0.6);
  return hang(model, G, P, mid);
}

/* The same mechanism in the plane x = z of space. */
static gradyn_status space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  double c = sqrt(0.5);
  int O = gradyn_ground_point_3d(model, "O", 0, 0, 0);
  int G = gradyn_ground_point_3d(model, "G", c, 1, c);
  int P = gradyn_point_3d(model, "P", 0.8 * c, -0.6, 0.8 * c);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", O, P, .length = 1, .mass = 1.5});
  int mid = gradyn_point_between(model, "mid", O, P, 0.6);
  gradyn_point_mass(model, "weight", mid, 0.7);
  /* 0.2 kg m^2 about the principal axis (-c, 0, c) */
  const gradyn_scalar J[6] = {0.175, 0.15, 0.175, 0, -0.025, 0};
  gradyn_body_spec spec = {.name = "body", .centre = {1.3 * c, -0.5, 1.3 * c}, .mass = 2};
  for (int k = 0; k < 6; k++)
    spec.inertia[k] = J[k];
  int body = gradyn_body_3d(model, &spec);
  gradyn_pin(model, "pin", P, gradyn_body_point_3d(model, body, "A", 0.8 * c, -0.6, 0.8 * c));
  int B = gradyn_body_point_3d(model, body, "B", 1.7 * c, -0.2, 1.7 * c);
  gradyn_spring(model, &(gradyn_spring_spec){"spring", G, B, .k = 50, .c = 1, .free_length = 0.8});
  gradyn_dashpot(model, "dashpot", mid, B, 0.5);
  gradyn_gravity_3d(model, 0, -g, 0);
  gradyn_functional(model, &(gradyn_functional_spec){
                               "motion", gradyn_measure_point(model, "", B, 1, GRADYN_ALL_AXES),
                               .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* The plane model with the rod as a body: the centre is at its middle, and its ends are points of the body.
 */
static gradyn_status as_bodies(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", 0, 0), G = gradyn_ground_point(model, "G", 1, 1);
  int bar = declare_body(model, "bar", 1.5, 1.5 / 12, 0.4, -0.3);
  gradyn_pin(model, "hinge", O, gradyn_body_point(model, bar, "near", 0, 0));
  int P = gradyn_body_point(model, bar, "P", 0.8, -0.6);
  int mid = gradyn_body_point(model, bar, "mid", 0.48, -0.36);
  return hang(model, G, P, mid);
}

static void compare(const char *method, double fine, double tolerance)
{
  static const gradyn_build_fn build[3] = {plane, space, as_bodies};
  double value[3][6], c = sqrt(0.5);
  for (int k = 0; k < 3; k++) {
    motion_local m;
    motion_run(&m, build[k], method, 1.5, fine);
    value[k][0] = motion_end(&m, "body.x") / (k == 1 ? c : 1);
    value[k][1] = motion_end(&m, "body.y");
    value[k][2] = motion_end(&m, "body.vy");
    value[k][3] = motion_end(&m, "pin.y.lambda");
    value[k][4] = motion_functional(&m, 0);
    value[k][5] = motion_functional(&m, 1);
    assert_close(motion_functional(&m, 2), 1.5 + 0.7 + 2, 1e-15, 0);
  }
  assert_close_array(value[1], value[0], 6, tolerance, tolerance);
  assert_close_array(value[2], value[0], 6, tolerance, tolerance);
}

/* For models with the same coordinates, the steps must be the same, too. */
TEST(test_alike)
{
  compare("idas", 1e-11, 1e-6);
  compare("ali3p", 5e-4, 1e-4);
}

/* Masses of all kinds: 2.5 + 3 + 0.4 + 0.6 kg, and a beam of length 2 m with 7800 1e-4 2 kg. */
static gradyn_status all_kinds(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point_3d(model, "O", 0, 0, 0);
  int P = gradyn_point_3d(model, "P", 0, 0, 1), Q = gradyn_point_3d(model, "Q", 2, 0, 1);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", O, P, 1, 2.5, true, 0.3, 0.5});
  int body = declare_body_3d(model, "body", 3, INERTIA(0.1, 0.2, 0.15, 0, 0.02, 0),
                             VECTOR(5, 5, 5));
  gradyn_point_mass(model, "on body", gradyn_body_point_3d(model, body, "A", 7, 8, 9), 0.4);
  gradyn_point_mass(model, "on rod", gradyn_point_between(model, "half", O, P, 0.5), 0.6);
  int beam = gradyn_beam(model, &(gradyn_beam_spec){.name = "beam",
                                                    .from = P,
                                                    .to = Q,
                                                    .elements = 3,
                                                    .section = {1e-4, 1e-9, 0.01},
                                                    .young = 1e9,
                                                    .density = 7800});
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"length", gradyn_measure_beam_length(model, "", beam),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(test_masses)
{
  motion_local m;
  motion_run(&m, all_kinds, "idas", 0.01, 1e-6);
  assert_close(motion_functional(&m, 0), 2.5 + 3 + 0.4 + 0.6 + 1.56, 1e-14, 0);
  assert_close(motion_functional(&m, 1), 2, 1e-15, 0);
}
