/* Beams in motion: the natural frequency of a cantilever, a flight without forces, the energy balance of a
 * beam, and welds during a run. Under a constant load a damped beam comes to rest at the static deflection.
 */

#include "tests/mbs/motion.h"
#include "tests/declare.h"

#define PI 3.14159265358979323846

/* EI = 10 N m^2, rho A = 0.5 kg/m, L = 2 m. */
#define L 2.0
#define ROOT 1.87510406871196117 /* root of cosh x cos x = -1 */
static const double omega = ROOT * ROOT / (L * L) * 4.47213595499957939; /* sqrt(EI/(rho A)) */
static const double speed = 1e-3;                                        /* of the tip, m/s */

static int declare_beam(gradyn_model *model, int from, int to, int elements, double damping)
{
  return gradyn_beam(model, &(gradyn_beam_spec){.name = "beam",
                                                .from = from,
                                                .to = to,
                                                .elements = elements,
                                                .section = {0.01, 1e-5, 0.05},
                                                .young = 1e6,
                                                .density = 50,
                                                .damping = damping});
}

/* First mode of a cantilever, normalised to 1 at the tip, and its slope. */
static double mode(double x, bool slope)
{
  double b = ROOT / L, s = (cosh(ROOT) + cos(ROOT)) / (sinh(ROOT) + sin(ROOT));
  if (slope)
    return b * (sinh(b * x) + sin(b * x) - s * (cosh(b * x) - cos(b * x))) / 2;
  return (cosh(b * x) - cos(b * x) - s * (sinh(b * x) - sin(b * x))) / 2;
}

static gradyn_status first_mode(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  enum { ELEMENTS = 6 };
  int O = gradyn_ground_point(model, "O", 0, 0), T = gradyn_point(model, "T", L, 0);
  int beam = declare_beam(model, O, T, ELEMENTS, 0);
  gradyn_weld(model, "clamp", beam, 0, GRADYN_GROUND);
  for (int k = 1; k <= ELEMENTS; k++) {
    double x = L * k / ELEMENTS;
    gradyn_initial_velocity(model, gradyn_beam_node(model, beam, k), 0, speed * mode(x, false));
    gradyn_initial_velocity(model, gradyn_beam_slope(model, beam, k), 0, speed * mode(x, true));
  }
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(test_frequency)
{
  double T = 2 * PI / omega;
  motion_local m;
  motion_run(&m, first_mode, "idas", T, 1e-9);
  assert_close(motion_end(&m, "T.y"), 0, 0, 1e-4 * speed / omega);
  assert_close(motion_end(&m, "T.vy"), speed, 1e-4, 0);
  /* int mode^2 dx = L/4 for a mode of 1 at the tip */
  assert_close(motion_functional(&m, 0), 0.5 * 0.5 * speed * speed * L / 4, 1e-4, 0);
  motion_free(&m);
  motion_run(&m, first_mode, "ali3p", T / 4, T / 4000);
  assert_close(motion_end(&m, "T.y"), speed / omega, 1e-4, 0);
}

/* A free straight beam is thrown with a rotation about its middle, under gravity. The middle flies along a
 * parabola, and the ends rotate about it at a constant rate, since bending is not excited. */
static gradyn_status thrown(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const double v[3] = {1, 2, 0.5}, w[3] = {0, 0, 0.3};
  int A = gradyn_point_3d(model, "A", -L / 2, 0, 0), B = gradyn_point_3d(model, "B", L / 2, 0, 0);
  gradyn_initial_velocity_3d(model, A, v[0], v[1] - w[2] * L / 2, v[2]);
  gradyn_initial_velocity_3d(model, B, v[0], v[1] + w[2] * L / 2, v[2]);
  gradyn_beam_spec spec = {.name = "beam",
                           .from = A,
                           .to = B,
                           .elements = 2,
                           .section = {0.01, 1e-5, 0.05},
                           .young = 1e6,
                           .density = 50,
                           .velocity = {v[0], v[1] - w[2] * L / 2, v[2]},
                           .omega = {0, 0, w[2]}};
  gradyn_beam(model, &spec);
  gradyn_gravity_3d(model, 0, 0, -9.81);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(test_thrown)
{
  const double t = 1.5, mass = 0.5 * L, z = 0.5 * t - 9.81 * t * t / 2;
  motion_local m;
  motion_run(&m, thrown, "idas", t, 1e-9);
  assert_close(motion_end(&m, "beam.1.x"), t, 1e-6, 0);
  assert_close(motion_end(&m, "beam.1.y"), 2 * t, 1e-6, 0);
  assert_close(motion_end(&m, "beam.1.z"), z, 1e-6, 0);
  assert_close(motion_end(&m, "A.z"), z, 1e-6, 0);
  /* centrifugal stretch of about w^2 rho L^2/E = 2e-6 */
  assert_close(motion_end(&m, "B.x") - motion_end(&m, "A.x"), L * cos(0.3 * t), 2e-5, 0);
  assert_close(motion_end(&m, "B.y") - motion_end(&m, "A.y"), L * sin(0.3 * t), 2e-5, 0);
  double energy = mass * (1 + 4 + 0.25) / 2 + mass * L * L / 12 * 0.09 / 2;
  assert_close(motion_functional(&m, 0), energy, 1e-6, 0);
}

/* A tip load acts on a strongly damped cantilever that is welded to a body held by pins. */
static gradyn_status settling(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(model, "O", -1, 0), G = gradyn_ground_point(model, "G", -1, 1);
  int body = declare_body(model, "wall", 1, 0.1, -0.5, 0.3);
  gradyn_pin(model, "foot", O, gradyn_body_point(model, body, "A", -1, 0));
  gradyn_rod(model, &(gradyn_rod_spec){.name = "stay",
                                       .from = G,
                                       .to = gradyn_body_point(model, body, "B", 0, 1)});
  int T = gradyn_point(model, "T", L, 0);
  int beam = declare_beam(model, gradyn_body_point(model, body, "C", 0, 0), T, 2, 0.1);
  gradyn_weld(model, "weld", beam, 0, body);
  gradyn_force(model, &(gradyn_force_spec){.name = "load", .point = T, .fy = -1e-3});
  return gradyn_build_status(model);
}

TEST(test_settling)
{
  motion_local m;
  motion_run(&m, settling, "idas", 40, 1e-10);
  assert_close(motion_end(&m, "T.y"), -1e-3 * L * L * L / 30, 1e-6, 0);
  assert_close(motion_end(&m, "T.vy"), 0, 0, 1e-9);
  assert_close(motion_end(&m, "weld.n1.lambda"), -1e-3 * L, 1e-5, 0);
  /* moments about O: the stay, 1 m above, carries 3 times the load */
  assert_close(motion_end(&m, "stay.lambda"), 3e-3, 1e-5, 0);
  assert_close(motion_end(&m, "foot.y.lambda"), -1e-3, 1e-5, 0);
}
