/* The robot arm: torques, forces and energies against the Newton-Euler equations from body to body, the two
 * poses of the hand, and gradients direct against adjoint and differences. */
#include "tests/adjoint/ali3p_models.h"

enum { JOINTS = 6, DIM = 3, PARAMETERS = 40, STEPS = 40 };
enum { HEIGHT, UPPER, FORE, DURATION, GEAR, STIFFNESS = 10, REST = 13, PATH = 16 };

static const run_setup setup = {
    .problem = &gradyn_problem_robot_arm, .method = "kinematic", .step = 1.0 / STEPS};

/* A design in which all parameters have an effect. */
static void some_design(double rho[PARAMETERS])
{
  static const double first[PATH] = {0.35, 0.5, 0.42, 1,  80, 120, 90,   60,
                                     50,   70,  30,   20, 5,  0.3, -0.6, 0.2};
  memcpy(rho, first, sizeof first);
  for (int i = PATH; i < PARAMETERS; i++)
    rho[i] = 0.3 * sin(2.7 * i);
}

/* --- Newton and Euler --------------------------------------------------------------------------- */

typedef struct link {
  int axis, along; /* axis of rotation and longitudinal axis among the body's directions */
  double mass, per_length;
  double rotor, friction, heat;
} link;
static const link links[JOINTS] = {{2, 2, 5, 20, 1e-4, 1e-4, 40}, {1, 0, 3, 7, 1e-4, 1e-4, 40},
                                   {1, 0, 3, 0, 1e-4, 1e-4, 40},  {0, 0, 1, 4, 1e-5, 2e-5, 300},
                                   {1, 0, 1, 0, 1e-5, 2e-5, 300}, {0, 0, 3.5, 0, 1e-5, 2e-5, 300}};

/* The arm at one time: q, q', q'' and position of each joint; directions, angular velocity and acceleration
 * of each body; force and torque of each joint on the next body. */
typedef struct instant {
  double q[DIM][JOINTS], length[JOINTS];
  double at[JOINTS + 1][DIM], acceleration[JOINTS + 1][DIM];
  double R[JOINTS + 1][DIM][DIM], omega[JOINTS + 1][DIM], alpha[JOINTS + 1][DIM];
  double force[JOINTS + 1][DIM], torque[JOINTS + 1][DIM];
} instant;

static void add_cross(const double *a, const double *b, double factor, double *sum)
{
  for (int k = 0; k < DIM; k++)
    sum[k] += factor * (a[(k + 1) % DIM] * b[(k + 2) % DIM] - a[(k + 2) % DIM] * b[(k + 1) % DIM]);
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Acceleration at d from a point with the acceleration a: a + alpha x d + omega x (omega x d). */
static void accelerate(const instant *s, int body, const double *d, double *a)
{
  double swept[DIM] = {0};
  add_cross(s->omega[body], d, 1, swept);
  add_cross(s->alpha[body], d, 1, a);
  add_cross(s->omega[body], swept, 1, a);
}

/* Kinematics from the ground to the hand; gravity counts as an acceleration of the ground. */
static void go_out(instant *s)
{
  for (int k = 0; k < DIM; k++)
    s->R[0][k][k] = 1;
  s->acceleration[0][2] = 9.81;
  for (int i = 0; i < JOINTS; i++) {
    const double *n = s->R[i][links[i].axis], c = cos(s->q[0][i]), sn = sin(s->q[0][i]);
    const int u = (links[i].axis + 1) % DIM, v = (links[i].axis + 2) % DIM;
    double d[DIM];
    for (int k = 0; k < DIM; k++) {
      s->R[i + 1][links[i].axis][k] = n[k];
      s->R[i + 1][u][k] = c * s->R[i][u][k] + sn * s->R[i][v][k];
      s->R[i + 1][v][k] = c * s->R[i][v][k] - sn * s->R[i][u][k];
      s->omega[i + 1][k] = s->omega[i][k] + s->q[1][i] * n[k];
      s->alpha[i + 1][k] = s->alpha[i][k] + s->q[2][i] * n[k];
      s->acceleration[i + 1][k] = s->acceleration[i][k];
    }
    add_cross(s->omega[i], n, s->q[1][i], s->alpha[i + 1]);
    for (int k = 0; k < DIM; k++) {
      d[k] = s->length[i] * s->R[i + 1][links[i].along][k];
      s->at[i + 1][k] = s->at[i][k] + d[k];
    }
    accelerate(s, i + 1, d, s->acceleration[i + 1]);
  }
}

/* J w of a cylinder along u: across w + (along - across) u (u.w) */
static void times_inertia(const instant *s, int i, const double *w, double *Jw)
{
  const double *u = s->R[i + 1][links[i].along], L = s->length[i], r = 0.06;
  const double mass = links[i].mass + links[i].per_length * L;
  const double across = mass * (3 * r * r + L * L) / 12, along = mass * r * r / 2;
  for (int k = 0; k < DIM; k++)
    Jw[k] = across * w[k] + (along - across) * u[k] * dot(u, w);
}

/* Forces and torques from the hand to the ground. */
static void come_back(instant *s)
{
  for (int i = JOINTS - 1; i >= 0; i--) {
    const double mass = links[i].mass + links[i].per_length * s->length[i];
    double half[DIM], whole[DIM], inert[DIM], L[DIM], rate[DIM], *T = s->torque[i];
    memcpy(inert, s->acceleration[i], sizeof inert);
    for (int k = 0; k < DIM; k++) {
      whole[k] = s->at[i + 1][k] - s->at[i][k];
      half[k] = whole[k] / 2;
    }
    accelerate(s, i + 1, half, inert);
    times_inertia(s, i, s->omega[i + 1], L);
    times_inertia(s, i, s->alpha[i + 1], rate);
    for (int k = 0; k < DIM; k++) {
      inert[k] *= mass;
      s->force[i][k] = s->force[i + 1][k] + inert[k];
      T[k] = s->torque[i + 1][k] + rate[k];
    }
    add_cross(whole, s->force[i + 1], 1, T);
    add_cross(half, inert, 1, T);
    add_cross(s->omega[i + 1], L, 1, T);
  }
}

typedef struct run {
  double rho[PARAMETERS], psi[64];
  gradyn_evaluator *evaluator;
  gradyn_trajectory *motion;
  double row[1000];
} run;

static void open_run(run *r)
{
  some_design(r->rho);
  r->evaluator = ali3p_open(&setup);
  assert_int_equal(gradyn_parameter_count(r->evaluator), PARAMETERS);
  r->motion = gradyn_trajectory_create();
  assert_non_null(r->motion);
  assert_run(gradyn_evaluator_simulate(r->evaluator, r->rho, r->psi, r->motion), r->evaluator);
  assert_int_equal(gradyn_trajectory_read(r->motion).steps, STEPS + 1);
}

static void close_run(run *r)
{
  gradyn_trajectory_free(r->motion);
  gradyn_evaluator_free(r->evaluator);
}

/* A column at the node in r->row; the joint's number replaces %d in `format`. */
static double column(const run *r, const char *format, int joint)
{
  char name[64];
  snprintf(name, sizeof name, format, joint + 1);
  for (size_t c = 0; c < gradyn_trajectory_read(r->motion).columns; c++)
    if (strcmp(gradyn_trajectory_column(r->motion, c).name, name) == 0)
      return r->row[c];
  fail_msg("there is no column %s", name);
  return NAN;
}

static void read_instant(run *r, int node, instant *s)
{
  static const char *const name[DIM] = {"joint%d.angle", "joint%d.angle.rate",
                                        "joint%d.angle.acceleration"};
  const double length[JOINTS] = {r->rho[HEIGHT], r->rho[UPPER], 0, r->rho[FORE], 0, 0.2};
  *s = (instant){0};
  memcpy(s->length, length, sizeof length);
  assert_in_range(gradyn_trajectory_read(r->motion).columns, 1, GRADYN_COUNT(r->row));
  gradyn_trajectory_step(r->motion, (size_t)node, r->row);
  for (int i = 0; i < JOINTS; i++)
    for (int k = 0; k < DIM; k++)
      s->q[k][i] = column(r, name[k], i);
  go_out(s);
  come_back(s);
}

/* Torque of the drive of joint i: the torque of the joint about its axis, minus that of its spring. */
static double drive_torque(const run *r, const instant *s, int i)
{
  static const int spring_of[JOINTS] = {-1, 0, 1, -1, 2, -1};
  const int spring = spring_of[i];
  const double needed = dot(s->torque[i], s->R[i][links[i].axis]);
  return spring < 0 ? needed
                    : needed + r->rho[STIFFNESS + spring] * (s->q[0][i] - r->rho[REST + spring]);
}

/* Mean power of the motor of joint i for the motion and its reversal; *motor: its torque. */
static double power(const run *r, const instant *s, int i, double *motor)
{
  const double n = r->rho[GEAR + i], rate = s->q[1][i];
  *motor = drive_torque(r, s, i) / n + n * (links[i].rotor * s->q[2][i] + links[i].friction * rate);
  /* reversed motion: speed and friction torque have the opposite sign */
  const double speed = n * rate, back = *motor - 2 * links[i].friction * speed;
  return (links[i].heat * (*motor * *motor + back * back) + (*motor - back) * speed) / 2;
}

/* The multipliers, the measures of forces, and the energies, which are sums by the trapezoidal rule. */
TEST(torques_are_those_of_newton_and_euler)
{
  run r;
  instant s;
  double energy[JOINTS] = {0}, motor;
  open_run(&r);
  for (int node = 0; node <= STEPS; node++) {
    read_instant(&r, node, &s);
    for (int i = 0; i < JOINTS; i++) {
      const double share = node % STEPS == 0 ? 0.5 / STEPS : 1.0 / STEPS;
      energy[i] += share * power(&r, &s, i, &motor);
      assert_close(column(&r, "motor%d", i), motor, 1e-9, 1e-11);
      assert_close(-column(&r, "drive%d.torque", i), drive_torque(&r, &s, i), 1e-9, 1e-9);
    }
    for (int i = 1; i <= 2;
         i++) { /* shoulder and elbow: component of the force normal to the axis */
      const double *F = s.force[i], axial = dot(F, s.R[i][links[i].axis]);
      const double size = sqrt(dot(F, F) - axial * axial + 1) - 1;
      assert_close(column(&r, "force%d", i), size, 1e-9, 0);
    }
  }
  for (size_t f = 0; f < gradyn_functional_count(r.evaluator); f++) {
    const gradyn_functional_info info = gradyn_functional_at(r.evaluator, f);
    if (strcmp(info.unit, "J") == 0)
      assert_close(r.psi[f], energy[info.name[strlen("energy")] - '1'], 1e-9, 0);
  }
  close_run(&r);
}

/* For any design, the hand starts and ends at rest at the two given poses. */
TEST(the_hand_goes_from_pose_to_pose)
{
  static const double tip[2][DIM] = {{0.6, -0.3, 0.1}, {0.1, 0.75, 0.55}};
  static const double axes[2][DIM][DIM] = {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
                                           {{-0.6, 0.8, 0}, {-0.8, -0.6, 0}, {0, 0, 1}}};
  run r;
  instant s;
  open_run(&r);
  for (int end = 0; end < 2; end++) {
    read_instant(&r, end * STEPS, &s);
    for (int k = 0; k < DIM; k++) {
      assert_close(s.at[JOINTS][k], tip[end][k], 0, 1e-12);
      for (int j = 0; j < DIM; j++)
        assert_close(s.R[JOINTS][k][j], axes[end][k][j], 0, 1e-12);
    }
    for (int i = 0; i < JOINTS; i++)
      assert_close(s.q[1][i], 0, 0, 1e-12);
  }
  close_run(&r);
}

THOROUGH_TEST(direct_equals_adjoint)
{
  ali3p_compare_parameters(&setup, 1e-9);
}

TEST(gradients_equal_differences)
{
  run_setup coarse = setup;
  coarse.step = 0.125;
  ali3p_compare_differences(&coarse, 1e-3, 1e-7);
}
