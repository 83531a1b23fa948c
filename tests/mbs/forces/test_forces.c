/* Inertia and force elements: forces against potentials, powers and closed forms written here, and every
 * derivative against differences. */
#include <complex.h>

#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include <gradyn/mechanism.h>

enum { P = 1, Q, N = 4 }; /* the two moving points of all models; number of coordinates */

static const double place[N] = {0.4, 0.3, 1.5, -0.8}; /* x, y of P and of Q, m */

/* The signal u(t) = 2 + 1.5 t, for a run of 2 s. */
static int ramp(gradyn_model *model)
{
  const gradyn_scalar knots[] = {2, 5};
  return declare_signal(model, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, knots);
}

static double ramp_value(const bench *b)
{
  return 2 + 1.5 * b->t;
}

static void declare_points(gradyn_model *model)
{
  gradyn_point(model, "P", 0, 0);
  gradyn_point(model, "Q", 1, 0);
}

/* The generalised forces, which are -R of the force part. */
static void forces(bench *b, double f[N])
{
  gradyn_mech_state at = bench_state(b, b->y, b->t);
  assert_ok(b->mech->ops->residual(b->mech, GRADYN_FORCE, &at, f), b->model->message.text);
  for (int i = 0; i < N; i++)
    f[i] = -f[i];
}

/* M of the model, dense. */
static void mass_matrix(bench *b, double M[N][N])
{
  for (int j = 0; j < N; j++) {
    double y[BENCH_STATES] = {0}, r[N];
    y[2 * N + j] = 1;
    gradyn_mech_state at = bench_state(b, y, b->t);
    assert_ok(b->mech->ops->residual(b->mech, GRADYN_INERTIA, &at, r), b->model->message.text);
    for (int i = 0; i < N; i++)
      M[i][j] = r[i];
  }
}

/* --- inertia and gravity ---------------------------------------------------------------------- */

static const double length = 1.6, mass = 2.5, com = 0.7, inertia = 0.9, bob = 0.4;

static gradyn_status bar(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  declare_points(model);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", P, Q, length, mass, true, com, inertia});
  gradyn_point_mass(model, "bob", Q, bob);
  gradyn_gravity(model, 0.3, -9.81);
  return gradyn_build_status(model);
}

/* Kinetic energy of the rod as a rigid body: its centre is at the fraction com/length, and its angular
 * velocity is |relative velocity|/length. */
static double kinetic(const double v[N], double L, double m, double s, double J)
{
  double T = 0;
  for (int k = 0; k < 2; k++) {
    double centre = v[k] + (v[2 + k] - v[k]) * s / L, relative = (v[2 + k] - v[k]) / L;
    T += (m * centre * centre + J * relative * relative) / 2;
  }
  return T;
}

TEST(test_bar)
{
  bench_local b;
  double M[N][N], f[N], T = 0;
  bench_open(&b, bar, place);
  mass_matrix(&b, M);
  const double *v = b.y + N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      T += v[i] * M[i][j] * v[j] / 2;
  assert_close(T, kinetic(v, length, mass, com, inertia) + bob * (v[2] * v[2] + v[3] * v[3]) / 2,
               1e-14, 0);
  /* the weight acts at the centre of mass */
  forces(&b, f);
  assert_close(f[1], -9.81 * mass * (1 - com / length), 1e-14, 0);
  assert_close(f[3], -9.81 * (mass * com / length + bob), 1e-14, 0);
  assert_close(f[0] + f[2], 0.3 * (mass + bob), 1e-14, 0);
  bench_check_residual(&b, BENCH_M_INERTIA | BENCH_X_INERTIA | BENCH_X_FORCE | BENCH_K_CONSTRAINT |
                               BENCH_X_CONSTRAINT);
}

static gradyn_status uniform(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  declare_points(model);
  int ground = gradyn_ground_point(model, "G", 0.2, 1.1);
  gradyn_rod(model, &(gradyn_rod_spec){"hanging", ground, P, .mass = mass});
  gradyn_rod(model, &(gradyn_rod_spec){"uniform", P, Q, .length = length, .mass = mass});
  gradyn_gravity(model, 0, -9.81);
  return gradyn_build_status(model);
}

TEST(test_uniform_bars)
{
  bench_local b;
  double M[N][N], f[N];
  bench_open(&b, uniform, place);
  /* the masses of a uniform rod are m/3, m/6, m/3; the hanging rod adds m/3 at its moving end */
  mass_matrix(&b, M);
  for (int k = 0; k < 2; k++) {
    assert_close(M[k][k], 2 * mass / 3, 1e-14, 0);
    assert_close(M[k][2 + k], mass / 6, 1e-14, 0);
    assert_close(M[2 + k][2 + k], mass / 3, 1e-14, 0);
  }
  forces(&b, f);
  assert_close(f[1], -9.81 * mass, 1e-14, 0);
  assert_close(f[3], -9.81 * mass / 2, 1e-14, 0);
  /* the length of the rod is the distance of its declared points */
  assert_close(b.x[bench_datum(&b, "hanging.length")], hypot(0.2, 1.1), 1e-15, 0);
  bench_check_residual(&b, BENCH_M_INERTIA | BENCH_X_INERTIA | BENCH_X_FORCE | BENCH_K_CONSTRAINT |
                               BENCH_X_CONSTRAINT);
}

/* --- springs ---------------------------------------------------------------------------------- */

static const double k = 80, c = 3, free_length = 0.9, tension = 6;

static gradyn_status spring(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int u = ramp(model);
  declare_points(model);
  int ground = gradyn_ground_point(model, "G", -0.5, -0.4);
  gradyn_spring(model, &(gradyn_spring_spec){"between", P, Q, k, c, free_length, tension, u});
  gradyn_spring(model, &(gradyn_spring_spec){"to ground", ground, P, .k = k, .free_length = 1.3});
  return gradyn_build_status(model);
}

/* Potential of both springs and of the constant tension of the signal, and the damper's Rayleigh function. */
static double complex potential(const double complex q[N], const double complex v[N], double u)
{
  double complex x = q[2] - q[0], y = q[3] - q[1], gx = q[0] + 0.5, gy = q[1] + 0.4;
  double complex s = csqrt(x * x + y * y), g = csqrt(gx * gx + gy * gy);
  double complex rate = (x * (v[2] - v[0]) + y * (v[3] - v[1])) / s;
  return k * (s - free_length) * (s - free_length) / 2 + (tension + u) * s +
         k * (g - 1.3) * (g - 1.3) / 2 + c * rate * rate / 2;
}

TEST(test_spring)
{
  bench_local b;
  double f[N];
  bench_open(&b, spring, place);
  forces(&b, f);
  for (int i = 0; i < N; i++) {
    double complex q[N], v[N], still[N] = {0};
    for (int j = 0; j < N; j++) {
      q[j] = b.y[j];
      v[j] = b.y[N + j];
    }
    /* Q = -dV/dq - dD/dv */
    v[i] += 1e-40 * I;
    double damping = cimag(potential(q, v, ramp_value(&b))) / 1e-40;
    q[i] += 1e-40 * I;
    double elastic = cimag(potential(q, still, ramp_value(&b))) / 1e-40;
    assert_close(f[i], -elastic - damping, 1e-13, 1e-12);
  }
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE | BENCH_R_TIME);
}

/* --- applied forces --------------------------------------------------------------------------- */

static gradyn_status applied(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int u = ramp(model);
  declare_points(model);
  gradyn_force(model, &(gradyn_force_spec){"steady", P, .fx = 3, .fy = -2});
  declare_push(model, "driven", Q, 0.5, 1.5, u);
  gradyn_torque(model, &(gradyn_torque_spec){"motor", P, Q, 1.2, 0.7, u});
  gradyn_torque(model, &(gradyn_torque_spec){"brake", P, Q, .torque = -0.3, .c = 0.2});
  return gradyn_build_status(model);
}

/* The power of a torque is torque times angular velocity; its pair of forces is perpendicular to the line
 * and adds up to zero. */
TEST(test_applied)
{
  bench_local b;
  double f[N];
  bench_open(&b, applied, place);
  forces(&b, f);
  double u = ramp_value(&b), x = b.y[2] - b.y[0], y = b.y[3] - b.y[1];
  double vx = b.y[N + 2] - b.y[N], vy = b.y[N + 3] - b.y[N + 1], square = x * x + y * y;
  double omega = (x * vy - y * vx) / square, tau = 1.2 * u - 0.3 - 0.9 * omega;
  const double pair[2] = {-tau * y / square, tau * x / square};
  assert_close(f[0], 3 - pair[0], 1e-14, 0);
  assert_close(f[1], -2 - pair[1], 1e-14, 0);
  assert_close(f[2], 0.5 * u + pair[0], 1e-14, 0);
  assert_close(f[3], 1.5 * u + pair[1], 1e-14, 0);
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE | BENCH_R_TIME);
}

/* --- custom forces ---------------------------------------------------------------------------- */

/* Air drag on Q, and a force towards a ground point that increases with time and with the signal. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *v = at->vel, *d = at->data;
  gradyn_scalar speed = csqrt(v[0] * v[0] + v[1] * v[1] + 0.01);
  gradyn_scalar pull = d[1] * (at->t * at->t + at->u[1]);
  force[0] = -d[0] * speed * v[0] + pull * (at->pos[2] - at->pos[0]);
  force[1] = -d[0] * speed * v[1] + pull * (at->pos[3] - at->pos[1]);
  return GRADYN_OK;
}

static gradyn_status custom(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  ramp(model);
  declare_points(model);
  int ground = gradyn_ground_point(model, "G", -0.5, -0.4);
  gradyn_custom_force(model, &(gradyn_custom_force_spec){
                                 .name = "drag",
                                 .points = (int[]){Q, ground},
                                 .point_count = 2,
                                 .fn = drag,
                                 .data = (gradyn_datum[]){{"area", "", 0.6}, {"pull", "", 0.2}},
                                 .data_count = 2});
  return gradyn_build_status(model);
}

TEST(test_custom)
{
  bench_local b;
  double f[N];
  bench_open(&b, custom, place);
  forces(&b, f);
  const double *v = b.y + N + 2;
  double speed = sqrt(v[0] * v[0] + v[1] * v[1] + 0.01);
  double pull = 0.2 * (b.t * b.t + ramp_value(&b));
  assert_close(f[2], -0.6 * speed * v[0] + pull * (-0.5 - place[2]), 1e-14, 0);
  assert_close(f[3], -0.6 * speed * v[1] + pull * (-0.4 - place[3]), 1e-14, 0);
  assert_close(f[0], 0, 0, 0);
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE | BENCH_R_TIME);
}
