/* Closed loops of joints against kinematics in closed form: a four-bar mechanism, and Bricard's with six
 * revolute joints, whose equations are redundant. */
#include "tests/mbs/motion.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { DIM = 3 };

/* --- four-bar --------------------------------------------------------------------------------- */

/* Lengths of ground, crank, coupler and rocker in m; drive in rad/s; initial angle of the crank in rad. */
static const double ground = 1.2, crank = 0.4, coupler = 1.1, rocker = 0.9, speed = 7, first = 0.5;

/* Direction of the rocker from (ground, 0) for a direction of the crank: the coupler's end is an
 * intersection of circles. */
static double rocker_angle(double theta)
{
  double x = ground - crank * cos(theta), y = -crank * sin(theta), d = hypot(x, y);
  double inner = acos((d * d + rocker * rocker - coupler * coupler) / (2 * d * rocker));
  return atan2(-y, -x) - inner;
}

static int bar(gradyn_model *model, const char *name, double x0, double y0, double x1, double y1)
{
  double length = hypot(x1 - x0, y1 - y0);
  return declare_body(model, name, 1, length * length / 12, (x0 + x1) / 2, (y0 + y1) / 2);
}

static int hinge(gradyn_model *model, const char *name, int a, int b, double x, double y)
{
  return declare_joint(model, name, GRADYN_REVOLUTE, a, b, VECTOR(x, y), VECTOR(1, 0));
}

static gradyn_status four_bar(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  double psi = rocker_angle(first), x1 = crank * cos(first), y1 = crank * sin(first);
  double x2 = ground + rocker * cos(psi), y2 = rocker * sin(psi);
  int a = bar(model, "crank", 0, 0, x1, y1), b = bar(model, "coupler", x1, y1, x2, y2);
  int c = bar(model, "rocker", ground, 0, x2, y2);
  int motor = hinge(model, "A", GRADYN_GROUND, a, 0, 0);
  hinge(model, "B", a, b, x1, y1);
  hinge(model, "C", c, b, x2, y2);
  int output = gradyn_joint_coordinate(model, hinge(model, "D", GRADYN_GROUND, c, ground, 0),
                                       GRADYN_ANGLE);
  gradyn_drive_joint(model, "drive", gradyn_joint_coordinate(model, motor, GRADYN_ANGLE),
                     &(gradyn_time_function){.rate = speed});
  gradyn_measure_joint(model, "swing rate", output, 1);
  gradyn_gravity(model, 0, -9.81);
  return gradyn_build_status(model);
}

TEST(four_bar_follows_its_kinematics)
{
  static const struct {
    const char *method;
    double fine;
  } runs[] = {{"idas", 1e-11}, {"explicit", 1e-11}, {"ali3p", 1e-3}, {"kinematic", 1e-3}};
  const double t_end = 2.3, h = 1e-3, last = first + speed * t_end; /* 2.6 turns */
  double rate = 0;
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}; /* eighth order */
  for (int k = 0; k < 4; k++)
    rate += weight[k] * speed / h *
            (rocker_angle(last + (k + 1) * h) - rocker_angle(last - (k + 1) * h));
  for (size_t k = 0; k < GRADYN_COUNT(runs); k++) {
    motion_local m;
    motion_run(&m, four_bar, runs[k].method, t_end, runs[k].fine);
    assert_close(motion_end(&m, "A.angle"), speed * t_end, 1e-8, 0);
    double swing = remainder(rocker_angle(last) - rocker_angle(first), 2 * acos(-1));
    assert_close(motion_end(&m, "D.angle"), swing, 0, 1e-8);
    assert_close(motion_end(&m, "swing rate"), rate, 0, 1e-7);
  }
}

/* --- Bricard's mechanism ---------------------------------------------------------------------- */

/* Five rods and the ground along edges of a cube of 1 m; each hinge is normal to both of its rods. */
enum { HINGES = 6 };
static const double corner[HINGES][DIM] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                           {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};

static gradyn_status bricard(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  static const char *const adjoints[] = {"1", "2", "3", "4", "5"};
  static const char *const hinges[] = {"A", "B", "C", "D", "E", "F"};
  int body[HINGES + 1];
  body[0] = body[HINGES] = GRADYN_GROUND;
  for (int i = 1; i < HINGES; i++) {
    gradyn_body_spec spec = {.name = adjoints[i - 1], .mass = 1};
    for (int k = 0; k < DIM; k++) {
      bool along = corner[i][k] != corner[i - 1][k];
      spec.centre[k] = (corner[i][k] + corner[i - 1][k]) / 2;
      spec.inertia[k] = along ? 1e-3 : 1.0 / 12;
    }
    body[i] = gradyn_body_3d(model, &spec);
  }
  for (int i = 0; i < HINGES; i++) {
    gradyn_joint_between_spec spec = {
        .name = hinges[i], .kind = GRADYN_REVOLUTE, .body_a = body[i], .body_b = body[i + 1]};
    const double *before = corner[(i + HINGES - 1) % HINGES], *after = corner[(i + 1) % HINGES];
    double u[DIM], w[DIM];
    for (int k = 0; k < DIM; k++) {
      spec.position[k] = corner[i][k];
      u[k] = corner[i][k] - before[k];
      w[k] = after[k] - corner[i][k];
    }
    for (int k = 0; k < DIM; k++) /* the axis, normal to this rod and to the next */
      spec.axis[k] = u[(k + 1) % DIM] * w[(k + 2) % DIM] - u[(k + 2) % DIM] * w[(k + 1) % DIM];
    gradyn_joint_coordinate(model, gradyn_joint_between(model, &spec), GRADYN_ANGLE);
  }
  gradyn_gravity_3d(model, 0, -9.81, 0);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* Angles are measured from right angles between the rods. Every other angle is the same. For neighbouring
 * angles u, w of the trihedral mechanism cos(u) + cos(w) + cos(u) cos(w) = 0, here with sines. The weights
 * are initially at y = 0, -1/2, -1, -1, -1/2. */
THOROUGH_TEST(bricard_closes)
{
  static const char *const column[] = {"A.angle", "B.angle", "C.angle",
                                       "D.angle", "E.angle", "F.angle"};
  static const char *const method[] = {"ali3p", "explicit"};
  for (size_t k = 0; k < GRADYN_COUNT(method); k++) {
    double angle[HINGES];
    motion_local m;
    motion_run(&m, bricard, method[k], 0.9, k ? 1e-11 : 1e-3);
    for (int i = 0; i < HINGES; i++)
      angle[i] = motion_end(&m, column[i]);
    assert_true(fabs(angle[0]) > 0.8 && fabs(angle[1]) > 0.4);
    for (int i = 2; i < HINGES; i++)
      assert_close(angle[i], angle[i - 2], 0, 1e-10);
    assert_close(sin(angle[0]) + sin(angle[1]), sin(angle[0]) * sin(angle[1]), 0, 1e-10);
    double energy = k ? motion_functional(&m, 0)
                      : motion_extrapolated(bricard, method[k], 0.9, 2e-3, NULL);
    assert_close(energy, -3 * 9.81, 0, 1e-8);
  }
}

/* Six equations are redundant: `idas` needs independent ones and refuses the model. */
TEST(idas_refuses_redundant_joints)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "bricard", .build = bricard,
                                  .t_end = 0.9};
  run_local *ev = run_with(&problem, .method = "idas");
  assert_status(gradyn_evaluator_simulate(ev, NULL, NULL, NULL), GRADYN_SINGULAR,
                gradyn_evaluator_message(ev));
}
