/* Mechanisms with joints between frames in motion, by every method, against independent results. A double
 * pendulum about a skew axis is compared with its equations in two angles, the steady precession of a heavy
 * symmetric top with its closed form, and Bricard's mechanism with a closed motion. */
#include "tests/mbs/motion.h"
#include "tests/declare.h"

enum { DIM = 3 };

static const double gravity = 9.81;

static void cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < DIM; k++)
    c[k] = a[(k + 1) % DIM] * b[(k + 2) % DIM] - a[(k + 2) % DIM] * b[(k + 1) % DIM];
}

/* --- double pendulum -------------------------------------------------------------------------- */

/* Distances of the centres from the hinges above them, and of the second hinge from the first, in m; masses
 * in kg; initial angles in rad. */
static const double c1 = 0.3, c2 = 0.4, l = 0.7, m1 = 1.3, m2 = 0.8, start[2] = {0.9, -0.4};
static const double tensor[2][6] = {{0.11, 0.2, 0.14, 0.01, -0.02, 0.005},
                                    {0.05, 0.07, 0.06, 0, 0.01, 0.004}};
static const double axis[DIM] = {0.48, -0.6, 0.64}; /* of length 1 */

/* Directions in the plane of motion: downwards, and normal to that. Returns the gravity along `down`. */
static double plane_of_motion(double *down, double *across)
{
  double g = gravity * sqrt(1 - axis[2] * axis[2]);
  for (int k = 0; k < DIM; k++)
    down[k] = (axis[k] * axis[2] - (k == 2)) * gravity / g;
  cross(axis, down, across);
  return g;
}

static void point_at(double along, double angle, double *r)
{
  double down[DIM], across[DIM];
  plane_of_motion(down, across);
  for (int k = 0; k < DIM; k++)
    r[k] += along * (cos(angle) * down[k] + sin(angle) * across[k]);
}

static int pendulum(gradyn_model *model, const char *name, double mass, const double *J,
                    const double *at)
{
  gradyn_body_spec spec = {.name = name, .centre = {at[0], at[1], at[2]}, .mass = mass};
  for (int k = 0; k < 6; k++)
    spec.inertia[k] = J[k];
  return gradyn_body_3d(model, &spec);
}

static gradyn_status double_pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  double centre1[DIM] = {0}, hinge[DIM] = {0};
  point_at(c1, start[0], centre1);
  point_at(l, start[0], hinge);
  double centre2[DIM] = {hinge[0], hinge[1], hinge[2]};
  point_at(c2, start[1], centre2);
  int upper = pendulum(model, "upper", m1, tensor[0], centre1);
  int lower = pendulum(model, "lower", m2, tensor[1], centre2);
  declare_joint(model, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, upper, NULL,
                VECTOR(axis[0], axis[1], axis[2]));
  declare_joint(model, "elbow", GRADYN_REVOLUTE, upper, lower, VECTOR(hinge[0], hinge[1], hinge[2]),
                VECTOR(2 * axis[0], 2 * axis[1], 2 * axis[2]));
  gradyn_gravity_3d(model, 0, 0, -gravity);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* Moment about the axis. */
static double about_axis(const double *J)
{
  const double *n = axis;
  return J[0] * n[0] * n[0] + J[1] * n[1] * n[1] + J[2] * n[2] * n[2] +
         2 * (J[3] * n[0] * n[1] + J[4] * n[0] * n[2] + J[5] * n[1] * n[2]);
}

/* Equations for the angles and their rates y: M(delta) y'' = f. */
static void rate(const double *y, double *f)
{
  double down[DIM], across[DIM], g = plane_of_motion(down, across), delta = y[0] - y[1];
  double a = about_axis(tensor[0]) + m1 * c1 * c1 + m2 * l * l, b = m2 * l * c2 * cos(delta);
  double d = about_axis(tensor[1]) + m2 * c2 * c2, det = a * d - b * b;
  double p = -m2 * l * c2 * sin(delta) * y[3] * y[3] - (m1 * c1 + m2 * l) * g * sin(y[0]);
  double q = m2 * l * c2 * sin(delta) * y[2] * y[2] - m2 * c2 * g * sin(y[1]);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = (d * p - b * q) / det;
  f[3] = (a * q - b * p) / det;
}

static void march(double t_end, int steps, double *y)
{
  static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double h = t_end / steps;
  for (int n = 0; n < steps; n++) {
    double k[4] = {0}, at[4], sum[4] = {0};
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < 4; i++)
        at[i] = y[i] + node[s] * h * k[i];
      rate(at, k);
      for (int i = 0; i < 4; i++)
        sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < 4; i++)
      y[i] += h * sum[i] / 6;
  }
}

/* Tolerances and steps with which all methods agree with closed forms; results of fixed steps are
 * extrapolated. */
static const struct {
  const char *method;
  double fine;
} runs[] = {{"idas", 1e-11}, {"explicit", 1e-11}, {"ali3p", 5e-4}, {"variational", 1e-3}};

/* Final value of a column in run i. */
static double end_of(size_t i, gradyn_build_fn build, double t_end, const char *column)
{
  motion m;
  if (i > 1)
    return motion_extrapolated(build, runs[i].method, t_end, runs[i].fine, column);
  motion_run(&m, build, runs[i].method, t_end, runs[i].fine);
  const double value = motion_end(&m, column);
  motion_free(&m);
  return value;
}

THOROUGH_TEST(double_pendulum_moves_as_in_angles)
{
  const double t_end = 1.5;
  double y[4] = {start[0], start[1]}, expected[DIM] = {0};
  march(t_end, 20000, y);
  point_at(l, y[0], expected);
  point_at(c2, y[1], expected);
  static const char *const column[DIM] = {"lower.x", "lower.y", "lower.z"};
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++)
    for (int k = 0; k < DIM; k++)
      assert_close(end_of(i, double_pendulum, t_end, column[k]), expected[k], 0, 1e-8);
}

/* --- heavy symmetric top ---------------------------------------------------------------------- */

/* Nutation angle in rad and rate of precession in rad/s; moments of inertia about the fixed point, across
 * and along the axis of the top, in kg m^2. */
static const double nutation = 0.6, precession = 1.7, across_top = 0.35, along_top = 0.12,
                    arm = 0.5, top_mass = 0.9;

/* Steady precession W: (I3 s - I1 W cos) W = m g r, with the spin s = w3 about the top's axis. */
static gradyn_status top(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  double s = sin(nutation), c = cos(nutation), a[DIM] = {s, 0, c};
  double spin = (top_mass * gravity * arm / precession + across_top * precession * c) / along_top;
  double J = across_top - top_mass * arm * arm; /* about the centre */
  /* omega = w3 a + (W z - W c a) */
  double along = spin - precession * c, omega[DIM] = {along * a[0], 0, along * a[2] + precession};
  gradyn_body_spec spec = {.name = "top",
                           .centre = {arm * a[0], 0, arm * a[2]},
                           .mass = top_mass,
                           .inertia = {J + (along_top - J) * a[0] * a[0], J,
                                       J + (along_top - J) * a[2] * a[2], 0,
                                       (along_top - J) * a[0] * a[2], 0},
                           .velocity = {0, omega[2] * arm * a[0] - omega[0] * arm * a[2], 0},
                           .omega = {omega[0], omega[1], omega[2]}};
  int body = gradyn_body_3d(model, &spec);
  declare_joint(model, "foot", GRADYN_SPHERICAL, GRADYN_GROUND, body, NULL, NULL);
  gradyn_gravity_3d(model, 0, 0, -gravity);
  return gradyn_build_status(model);
}

TEST(top_precesses)
{
  const double t_end = 2, r = arm * sin(nutation);
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++) {
    assert_close(end_of(i, top, t_end, "top.x"), r * cos(precession * t_end), 0, 1e-8);
    assert_close(end_of(i, top, t_end, "top.y"), r * sin(precession * t_end), 0, 1e-8);
    assert_close(end_of(i, top, t_end, "top.z"), arm * cos(nutation), 0, 1e-8);
  }
}
