/* Rigid bodies in motion: Euler's equations of a free and of a heavy top, and the compound pendulum in
 * closed form. */

#include <complex.h>
#include <limits.h>

#include "tests/mbs/motion.h"
#include "tests/declare.h"

#define PI 3.14159265358979323846

/* --- tops ------------------------------------------------------------------------------------- */

/* A body about a fixed point (or its centre). R [3][3] rotates from the body to the ground. J w' = T - w x
 * J w in the body's frame, where T = arm x R^T weight. */
typedef struct top {
  double J[3][3], arm[3], weight[3];
} top;

enum { TOP = 12 }; /* R by rows, w */

static void cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Solves J x = b by Cramer's rule. */
static void solve(const double J[3][3], const double *b, double *x)
{
  double c[3], n[3];
  cross(J[1], J[2], c);
  double det = J[0][0] * c[0] + J[0][1] * c[1] + J[0][2] * c[2];
  for (int k = 0; k < 3; k++) { /* J is symmetric: its rows are its columns */
    cross(J[(k + 1) % 3], J[(k + 2) % 3], n);
    x[k] = (n[0] * b[0] + n[1] * b[1] + n[2] * b[2]) / det;
  }
}

static void rate(const top *t, const double *y, double *f)
{
  const double *w = y + 9;
  double L[3], gyro[3], down[3], torque[3], right[3];
  for (int i = 0; i < 3; i++) {
    L[i] = t->J[i][0] * w[0] + t->J[i][1] * w[1] + t->J[i][2] * w[2];
    down[i] = y[i] * t->weight[0] + y[3 + i] * t->weight[1] + y[6 + i] * t->weight[2];
    cross(y + 3 * i, w, f + 3 * i); /* R' = R [w]: each row r has the rate r x w */
  }
  cross(w, L, gyro);
  cross(t->arm, down, torque);
  for (int i = 0; i < 3; i++)
    right[i] = torque[i] - gyro[i];
  solve(t->J, right, f + 9);
}

static void march(const top *t, double t_end, int steps, double *y)
{
  double h = t_end / steps;
  for (int n = 0; n < steps; n++) {
    static const double node[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[TOP] = {0}, at[TOP], sum[TOP] = {0};
    for (int s = 0; s < 4; s++) {
      for (int i = 0; i < TOP; i++)
        at[i] = y[i] + node[s] * h * k[i];
      rate(t, at, k);
      for (int i = 0; i < TOP; i++)
        sum[i] += weight[s] * k[i];
    }
    for (int i = 0; i < TOP; i++)
      y[i] += h * sum[i] / 6;
  }
}

#define OF_BODY 0.11, 0.2, 0.14, 0.01, -0.02, 0.005
#define SPIN 0.3, 4.0, -0.2 /* near the unstable axis */

static gradyn_status free_top(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_body_3d(model, &(gradyn_body_spec){.name = "body",
                                            .centre = {1, 2, 3},
                                            .mass = 2,
                                            .inertia = {OF_BODY},
                                            .velocity = {0.5, -0.3, 0.2},
                                            .omega = {SPIN}});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* Base vectors and their rates at the end: e[i][order][axis]. */
static void base_vectors(const motion *m, double e[3][2][3])
{
  char name[32];
  for (int i = 0; i < 3; i++)
    for (int order = 0; order < 2; order++)
      for (int k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "body.e%d.%s%c", i + 1, order ? "v" : "", 'x' + k);
        e[i][order][k] = motion_end(m, name);
      }
}

/* Angular momentum sum_ij E_ij e_i x e_j' with E = (trace/2) 1 - J. */
static void momentum(double e[3][2][3], const double J[3][3], double *L)
{
  double half = (J[0][0] + J[1][1] + J[2][2]) / 2;
  for (int k = 0; k < 3; k++)
    L[k] = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double c[3];
      cross(e[i][0], e[j][1], c);
      for (int k = 0; k < 3; k++)
        L[k] += ((i == j ? half : 0) - J[i][j]) * c[k];
    }
}

static const double tensor[3][3] = {{0.11, 0.01, -0.02}, {0.01, 0.2, 0.005}, {-0.02, 0.005, 0.14}};

/* Compares base vectors with the columns of R. */
static void compare_turn(double e[3][2][3], const double *y, double atol)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      assert_close(e[i][0][k], y[3 * k + i], 0, atol);
}

/* The same comparison for methods with fixed steps, extrapolated. */
static void compare_extrapolated(gradyn_build_fn build, double t_end, const double *y)
{
  static const char *const column[] = {"body.e1.x", "body.e2.x", "body.e3.y"};
  static const int place[] = {0, 1, 5}; /* in R, row by row */
  for (int k = 0; k < 3; k++) {
    assert_close(motion_extrapolated(build, "ali3p", t_end, 1e-3, column[k]), y[place[k]], 0, 1e-8);
    assert_close(motion_extrapolated(build, "variational", t_end, 1e-3, column[k]), y[place[k]], 0,
                 1e-8);
  }
}

TEST(test_free_top)
{
  const double t_end = 4, spin[3] = {SPIN}, v[3] = {0.5, -0.3, 0.2};
  top t = {.weight = {0}};
  double y[TOP] = {1, 0, 0, 0, 1, 0, 0, 0, 1, SPIN}, e[3][2][3], L[3], expected[3], energy = 0;
  memcpy(t.J, tensor, sizeof t.J);
  march(&t, t_end, 8000, y);
  motion m;
  motion_run(&m, free_top, "explicit", t_end, 1e-13);
  base_vectors(&m, e);
  compare_turn(e, y, 1e-10);
  motion_free(&m);
  motion_run(&m, free_top, "idas", t_end, 1e-12);
  base_vectors(&m, e);
  compare_turn(e, y, 1e-8);
  momentum(e, tensor, L);
  for (int i = 0; i < 3; i++) {
    expected[i] = tensor[i][0] * spin[0] + tensor[i][1] * spin[1] + tensor[i][2] * spin[2];
    energy += (spin[i] * expected[i] + 2 * v[i] * v[i]) / 2;
  }
  assert_close_array(L, expected, 3, 0, 1e-8);
  assert_close(motion_functional(&m, 0), energy, 1e-8, 0);
  assert_close(motion_end(&m, "body.x"), 1 + 0.5 * t_end, 1e-9, 0);
  assert_close(motion_end(&m, "body.z"), 3 + 0.2 * t_end, 1e-9, 0);
  motion_free(&m);
  compare_extrapolated(free_top, t_end, y);
}

/* The same body under gravity, held by a pin at one of its points. */
static gradyn_status heavy_top(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar r[3] = {0.1, 0.2, 0.3}, w[3] = {2, 1, -3};
  int O = gradyn_ground_point_3d(model, "O", 0, 0, 0);
  gradyn_body_spec spec = {.name = "body", .mass = 2, .inertia = {OF_BODY}};
  for (int k = 0; k < 3; k++) {
    spec.centre[k] = r[k];
    spec.omega[k] = w[k];
    spec.velocity[k] = w[(k + 1) % 3] * r[(k + 2) % 3] - w[(k + 2) % 3] * r[(k + 1) % 3];
  }
  int body = gradyn_body_3d(model, &spec);
  gradyn_pin(model, "pin", O, gradyn_body_point_3d(model, body, "A", 0, 0, 0));
  gradyn_gravity_3d(model, 0, 0, -9.81);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

THOROUGH_TEST(test_heavy_top)
{
  const double r[3] = {0.1, 0.2, 0.3}, square = 0.14;
  top t = {.weight = {0, 0, -2 * 9.81}};
  double y[TOP] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 1, -3}, e[3][2][3];
  memcpy(t.arm, r, sizeof t.arm);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) /* about the fixed point */
      t.J[i][k] = tensor[i][k] + 2 * ((i == k ? square : 0) - r[i] * r[k]);
  march(&t, 2, 8000, y);
  motion m;
  motion_run(&m, heavy_top, "explicit", 2, 1e-13);
  base_vectors(&m, e);
  compare_turn(e, y, 1e-10);
  motion_free(&m);
  motion_run(&m, heavy_top, "idas", 2, 1e-12);
  base_vectors(&m, e);
  compare_turn(e, y, 1e-8);
  motion_free(&m);
  compare_extrapolated(heavy_top, 2, y);
}

/* --- pendulum --------------------------------------------------------------------------------- */

/* A plate of 2 kg and 0.1 kg m^2 is suspended at a point 0.5 m from its centre and starts at 2 rad. */
static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  double x = 0.5 * sin(2.0), y = -0.5 * cos(2.0);
  int O = gradyn_ground_point(model, "O", 0, 0);
  int body = declare_body(model, "plate", 2, 0.1, x, y);
  gradyn_pin(model, "pin", O, gradyn_body_point(model, body, "A", 0, 0));
  gradyn_gravity(model, 0, -9.81);
  return gradyn_build_status(model);
}

/* Period 4 sqrt(J/(m g d)) K(sin(amplitude/2)), by the arithmetic-geometric mean. */
static double period(double J, double mgd, double amplitude)
{
  double a = 1, b = cos(amplitude / 2);
  for (int k = 0; k < 8; k++) {
    double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * PI * sqrt(J / mgd) / a;
}

TEST(test_pendulum)
{
  double T = period(0.1 + 2 * 0.25, 2 * 9.81 * 0.5, 2.0);
  motion_local m;
  motion_run(&m, pendulum, "idas", T, 1e-11);
  assert_close(motion_end(&m, "plate.x"), 0.5 * sin(2.0), 0, 1e-8);
  assert_close(motion_end(&m, "plate.e1.x"), 1, 0, 1e-8);
  assert_close(motion_end(&m, "plate.vx"), 0, 0, 1e-6);
  motion_free(&m);
  /* at its lowest position, the plate has rotated by 2 rad clockwise */
  motion_run(&m, pendulum, "idas", T / 4, 1e-11);
  assert_close(motion_end(&m, "plate.x"), 0, 0, 1e-8);
  assert_close(motion_end(&m, "plate.y"), -0.5, 0, 1e-8);
  assert_close(motion_end(&m, "plate.e1.x"), cos(2.0), 0, 1e-8);
  assert_close(motion_end(&m, "plate.e1.y"), -sin(2.0), 0, 1e-8);
  /* energy: m v^2/2 + I w^2/2 = m g d (1 - cos 2); force of the pin: m g + m d w^2 */
  double w2 = 2 * 2 * 9.81 * 0.5 * (1 - cos(2.0)) / 0.6;
  assert_close(motion_end(&m, "plate.vx"), -0.5 * sqrt(w2), 1e-8, 0);
  assert_close(motion_end(&m, "pin.y.lambda"), -2 * (9.81 + 0.5 * w2), 1e-7, 0);
}

/* --- as functions see them ------------------------------------------------------------------------ */

TEST(a_body_that_is_not_listed_is_no_number)
{
  enum { AXES = 2, BODY = 3 };
  const gradyn_scalar pos[AXES * BODY] = {1, 2, 0, 1, -1, 0}, local[3] = {0.5, 0, 0};
  const gradyn_at at = {.pos = pos, .points = BODY, .axes = AXES}, none = {.points = 0};
  const struct {
    const gradyn_at *at;
    int first, order;
    bool there;
  } row[] = {{&at, 0, 0, true},        {&at, 1, 0, false},  {&at, -1, 0, false},
             {&at, INT_MAX, 0, false}, {&at, 0, 1, false},  {&at, 0, 3, false},
             {&at, 0, INT_MIN, false}, {&none, 0, 0, false}};
  for (size_t k = 0; k < GRADYN_COUNT(row); k++) {
    gradyn_scalar r[3], omega[3], force[AXES * BODY] = {0};
    gradyn_body_motion(row[k].at, row[k].first, local, row[k].order, r);
    gradyn_body_turn(row[k].at, row[k].first, row[k].order, omega);
    assert_true(isnan(creal(omega[2])));
    assert_true(isnan(creal(r[0])) == !row[k].there);
    gradyn_body_load(row[k].at, row[k].first, local, local, NULL, force);
    assert_true(isnan(creal(force[0])) == (row[k].at != &at || row[k].first != 0));
  }
}
