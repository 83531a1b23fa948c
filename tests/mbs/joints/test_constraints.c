/* Constraints, with every kind of time function or constant: their values at all three orders against
 * geometry written here, and every derivative against differences. */
#include <complex.h>

#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

enum { P = 1, Q, N = 4 }; /* the two moving points of all models; number of coordinates */

static const double place[N] = {0.4, 0.3, 1.5, -0.8}; /* x, y of P and of Q, m */
static const double ground_x = -0.6, ground_y = 0.5;  /* m */

static const gradyn_time_function harmonic = {.value = 1.1,
                                              .rate = 0.2,
                                              .acceleration = -0.3,
                                              .amplitude = 0.25,
                                              .frequency = 2.1,
                                              .phase = 0.4};

static double harmonic_value(double t)
{
  return 1.1 + 0.2 * t - 0.15 * t * t + 0.25 * sin(2.1 * t + 0.4);
}

static gradyn_time_function with_spline(gradyn_model *model)
{
  static const double knot[] = {0.1, -0.2, 0.3, 0.15, -0.1};
  gradyn_scalar knots[5];
  for (int i = 0; i < 5; i++)
    knots[i] = knot[i];
  gradyn_time_function law = {.value = 1.2};
  law.signal = declare_signal(model, "u", "m", GRADYN_CUBIC_SPLINE, 5, knots);
  return law;
}

static int declare_points(gradyn_model *model)
{
  gradyn_point(model, "P", 0, 0);
  gradyn_point(model, "Q", 1, 0);
  gradyn_point_mass(model, "mass P", P, 1);
  gradyn_point_mass(model, "mass Q", Q, 1);
  return gradyn_ground_point(model, "G", ground_x, ground_y);
}

/* Phi, Phi', Phi'' of row i at the bench's state. */
static double phi(bench *b, int order, int i)
{
  double value[8];
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  assert_ok(b->mech->ops->phi(b->mech, GRADYN_ASSEMBLY, order, &at, value), b->model->message.text);
  return value[i];
}

/* Phi and Phi' of all rows after a time s of a motion with constant acceleration. */
static void along(bench *b, const void *what, double s, double *f)
{
  const int *order = what;
  double y[BENCH_STATES];
  memcpy(y, b->y, sizeof y);
  for (int i = 0; i < N; i++) {
    y[i] += s * (b->y[N + i] + s * b->y[2 * N + i] / 2);
    y[N + i] += s * b->y[2 * N + i];
  }
  gradyn_mech_state at = bench_state(b, y, b->t + s);
  assert_ok(b->mech->ops->phi(b->mech, GRADYN_CONSTRAINT, *order, &at, f), b->model->message.text);
}

/* Checks that Phi' is the time derivative of Phi, and Phi'' that of Phi'. */
static void check_orders(bench *b)
{
  for (int order = 0; order < 2; order++) {
    double slope[BENCH_STATES];
    bench_difference(b, along, &order, b->mech->m, slope);
    for (int i = 0; i < b->mech->m; i++) {
      assert_close(phi(b, order + 1, i), slope[i], 1e-11, 1e-11);
      assert_true(fabs(slope[i]) > 1e-3);
    }
  }
}

/* --- rods and distances ----------------------------------------------------------------------- */

static gradyn_status distances(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_time_function spline = with_spline(model);
  int ground = declare_points(model);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", ground, P, .length = 1.3});
  gradyn_distance(model, "harmonic", P, Q, &harmonic);
  gradyn_distance(model, "spline", Q, ground, &spline);
  return gradyn_build_status(model);
}

TEST(test_distances)
{
  bench_local b;
  bench_open(&b, distances, place);
  double rod = hypot(place[0] - ground_x, place[1] - ground_y), L = 1.3;
  double driven = hypot(place[2] - place[0], place[3] - place[1]), s = harmonic_value(b.t);
  assert_close(phi(&b, 0, 0), (rod * rod / L - L) / 2, 1e-14, 0);
  assert_close(phi(&b, 0, 1), (driven * driven / s - s) / 2, 1e-14, 0);
  check_orders(&b);
  bench_check_residual(&b, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT | BENCH_R_TIME);
  bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X | BENCH_PHI_T);
}

/* The multiplier is the axial force, positive in tension: it pulls P towards G. */
TEST(test_sign_of_multiplier)
{
  bench_local b;
  double q[N], r[N], lam[3] = {7, 0, 0};
  memcpy(q, place, sizeof q);
  q[0] = ground_x + 1.3 * cos(0.6);
  q[1] = ground_y + 1.3 * sin(0.6);
  bench_open(&b, distances, q);
  gradyn_mech_state at = bench_state(&b, b.y, b.t);
  at.lam = lam;
  assert_ok(b.mech->ops->residual(b.mech, GRADYN_CONSTRAINT, &at, r), b.model->message.text);
  assert_close(-r[0], -7 * cos(0.6), 1e-14, 0);
  assert_close(-r[1], -7 * sin(0.6), 1e-14, 0);
}

/* --- coordinates and angles ------------------------------------------------------------------- */

static gradyn_status guides(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_time_function spline = with_spline(model);
  int ground = declare_points(model);
  gradyn_coordinate(model, "x", P, GRADYN_X, &harmonic);
  gradyn_coordinate(model, "y", Q, GRADYN_Y, &spline);
  gradyn_angle(model, "angle", P, Q, &harmonic);
  gradyn_angle(model, "spline angle", ground, P, &spline);
  return gradyn_build_status(model);
}

TEST(test_guides)
{
  bench_local b;
  /* a state near the prescribed angles, since the value of an angle constraint far from them is not
   * specified */
  double s = harmonic_value(0.7);
  const double q[N] = {0.1, 1.6, 0.1 + 1.4 * cos(s), 1.6 + 1.4 * sin(s)};
  bench_open(&b, guides, q);
  assert_close(phi(&b, 0, 0), 0.1 - s, 1e-14, 0);
  assert_close(phi(&b, 0, 2), 0, 0, 1e-14);
  check_orders(&b);
  bench_check_residual(&b, BENCH_X_CONSTRAINT | BENCH_R_TIME);
  bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X | BENCH_PHI_T);
}

/* --- held quantities -------------------------------------------------------------------------- */

static gradyn_status held(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  declare_points(model);
  gradyn_initial_velocity(model, P, 0.3, -0.2);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", P, Q, .length = 1.3});
  gradyn_fix_initial_coordinate(model, P, GRADYN_Y);
  gradyn_fix_initial_distance(model, "distance", P, Q, 1.4, 0.6);
  gradyn_fix_initial_angle(model, "angle", P, Q, -0.7, 0.8);
  return gradyn_build_status(model);
}

TEST(test_held)
{
  bench_local b;
  bench_open(&b, held, place);
  assert_int_equal(b.mech->m, 1);
  assert_int_equal(b.mech->held, 3);
  /* the fixed coordinate has the declared position and velocity of its point */
  assert_close(phi(&b, 0, 1), place[1] - 0, 1e-14, 0);
  assert_close(phi(&b, 1, 1), b.y[N + 1] + 0.2, 1e-14, 0);
  bench_check_residual(&b, BENCH_K_HELD | BENCH_X_HELD | BENCH_K_CONSTRAINT);
  bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X);
}

/* --- custom constraints ----------------------------------------------------------------------- */

/* phi = x_P y_Q - height sin(frequency t) + x_G y_P^2, and its time derivatives. */
static gradyn_status product(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc;
  gradyn_scalar h = at->data[0], w = at->data[1], wt = w * at->t, x_G = q[4];
  if (order == 0)
    *value = q[0] * q[3] - h * csin(wt) + x_G * q[1] * q[1];
  else if (order == 1)
    *value = v[0] * q[3] + q[0] * v[3] - h * w * ccos(wt) + 2 * x_G * q[1] * v[1];
  else
    *value = a[0] * q[3] + 2 * v[0] * v[3] + q[0] * a[3] + h * w * w * csin(wt) +
             2 * x_G * (v[1] * v[1] + q[1] * a[1]);
  return GRADYN_OK;
}

static gradyn_status custom(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int ground = declare_points(model);
  gradyn_custom_constraint(
      model, &(gradyn_custom_constraint_spec){
                 .name = "product",
                 .points = (int[]){P, Q, ground},
                 .point_count = 3,
                 .fn = product,
                 .data = (gradyn_datum[]){{"height", "m^2", 0.8}, {"frequency", "rad/s", 1.7}},
                 .data_count = 2});
  return gradyn_build_status(model);
}

TEST(test_custom)
{
  bench_local b;
  bench_open(&b, custom, place);
  assert_close(phi(&b, 0, 0), 0.4 * -0.8 - 0.8 * sin(1.7 * b.t) - 0.6 * 0.3 * 0.3, 1e-14, 0);
  check_orders(&b);
  bench_check_residual(&b, BENCH_K_CONSTRAINT | BENCH_X_CONSTRAINT);
  bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X | BENCH_PHI_T);
}
