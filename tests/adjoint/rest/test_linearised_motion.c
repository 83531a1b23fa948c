/* Linearisation of a moving mechanism: a pendulum with air resistance and a push, at its start and at the
 * end of a run. The reference is the equation of its independent coordinate, differentiated by complex
 * step. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

static const double mass = 1.3, length = 0.9, drag = 0.4; /* kg, m, N s/m */

static gradyn_status air(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -drag * at->vel[k];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {1.1, 1.7};
  int hub = gradyn_ground_point(m, "hub", 0, 0);
  int bob = gradyn_point(m, "bob", length * sin(rho[0]), -length * cos(rho[0]));
  gradyn_rod(m, &(gradyn_rod_spec){"rod", hub, bob, .length = length});
  gradyn_point_mass(m, "mass", bob, mass);
  gradyn_gravity(m, 0, -9.81);
  gradyn_initial_velocity(m, bob, rho[1] * cos(rho[0]), rho[1] * sin(rho[0]));
  declare_force(m, "air", bob, air, NULL, 0);
  int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_CONSTANT, 2, knots);
  gradyn_force(m, &(gradyn_force_spec){"push", bob, 0.6, 0.8, u, 0});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", bob, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

/* Index of the independent coordinate, and the sign of the other one. */
static int own;
static double side;

/* Acceleration of r[own] as a function of p = (r[own], its rate, u), and the other coordinate. */
static void pendulum(const double complex p[], double complex result[])
{
  double complex r[2], v[2], F[2];
  r[own] = p[0];
  v[own] = p[1];
  r[!own] = side * csqrt(length * length - p[0] * p[0]);
  v[!own] = -p[0] * p[1] / r[!own];
  F[0] = 0.6 * p[2] - drag * v[0];
  F[1] = 0.8 * p[2] - drag * v[1] - 9.81 * mass;
  const double complex t[2] = {-r[1] / length, r[0] / length};
  const double complex square = (v[0] * v[0] + v[1] * v[1]) / (length * length);
  result[0] = (F[0] * t[0] + F[1] * t[1]) / mass * t[own] - r[own] * square;
  result[1] = r[!own];
}

static const gradyn_param params[] = {{"angle", "rad", .init = 0.7, GRADYN_UNBOUNDED},
                                      {"speed", "m/s", .init = 2.5, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = PROBLEM("pendulum", build, params, .t_end = 0.8,
                                              .method = "explicit", .rtol = 1e-12);

/* y = (x, y, vx, vy) there. */
static void check(gradyn_evaluator *ev, const gradyn_linearisation *l, const double y[], double u)
{
  double value[2], slope[2][3];
  assert_int_equal(l->n, 2);
  assert_int_equal(l->dof, 1);
  assert_int_equal(l->states, 0);
  assert_int_equal(l->inputs, 1);
  own = l->coordinate[0];
  assert_string_equal(gradyn_coordinate_at(ev, own).name, own ? "bob.y" : "bob.x");
  side = y[!own] < 0 ? -1 : 1;
  const double p[3] = {y[own], y[2 + own], u};
  support_complex_step(pendulum, p, 3, 2, value, slope[0]);
  assert_close(y[!own], value[1], 1e-12, 0);
  assert_close_array(l->A, ((double[]){0, 1, slope[0][0], slope[0][1]}), 4, 1e-9, 1e-12);
  assert_close_array(l->B, ((double[]){0, slope[0][2]}), 2, 1e-9, 1e-12);
  assert_close(l->Z[own], 1, 1e-14, 0);
  assert_close(l->Z[!own], slope[1][0], 1e-10, 0);
  /* eigenvalues are the roots of s^2 - A11 s - A10; mode shapes are along Z, divided by its largest entry */
  const double complex root = csqrt(slope[0][1] * slope[0][1] / 4 + slope[0][0]);
  const double most = fabs(slope[1][0]) > 1 ? slope[1][0] : 1;
  for (int k = 0; k < 2; k++) {
    const double complex s = l->real[k] + _Complex_I * l->imag[k], way = slope[0][1] / 2;
    assert_close(fmin(cabs(s - way - root), cabs(s - way + root)), 0, 0, 1e-8);
    assert_close(l->shape[4 * k + own], 1 / most, 1e-9, 0);
    assert_close(l->shape[4 * k + !own], slope[1][0] / most, 1e-9, 0);
    assert_close_array(l->shape + 4 * k + 2, ((double[]){0, 0}), 2, 0, 1e-9);
  }
  assert_true(hypot(l->real[0], l->imag[0]) <= hypot(l->real[1], l->imag[1]) * (1 + 1e-12));
}

TEST(a_moving_pendulum_is_linearised)
{
  static const double starts[][2] = {{0.7, 2.5}, {-0.4, 1}, {2.3, -3}, {1.4, 0.5}};
  for (size_t k = 0; k < GRADYN_COUNT(starts); k++)
    for (int at_end = 0; at_end < 2; at_end++) {
      LOCAL(gradyn_linearisation) l;
      double row[7]; /* q, v, a, the multiplier */
      OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
      run_local *ev = run_with(.problem = &problem);
      assert_run(gradyn_evaluator_simulate(ev, starts[k], NULL, run), ev);
      assert_int_equal(gradyn_trajectory_read(run).columns, GRADYN_COUNT(row));
      assert_run(gradyn_evaluator_linearise(ev, starts[k], at_end, &l), ev);
      assert_close(l.t, at_end ? 0.8 : 0, 1e-15, 0);
      gradyn_trajectory_step(run, at_end ? gradyn_trajectory_read(run).steps - 1 : 0, row);
      check(ev, &l, row, at_end ? 1.7 : 1.1);
    }
}
