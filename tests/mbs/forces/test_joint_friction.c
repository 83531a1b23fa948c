/* Compares the power and effort of friction in joints with statics and the laws, for every kind of joint and
 * every law. Friction never adds energy. A block on an incline is compared with its equation in one
 * dimension. */
#include "tests/mbs/motion.h"
#include "tests/mbs/forces/rubbing.h"
#include "tests/declare.h"
#include "dae/trajectory.h"

enum { DIM = 3 };

/* Transition velocity of the tested bodies, m/s. */
static const double transition = 0.02;

static const rubbing_kind *k; /* the present kind and law */
static gradyn_friction_law law;

/* Coefficient for the speed v >= 0: eq. (1), and for bristle laws the value at the start, with unbent
 * bristles after a long rest. */
static double mu(double v)
{
  const rubbing_numbers *n = &rubbing;
  const double s = v / transition, bump = s * s / 4 + 0.75, stick = exp(-s * s);
  if (law == GRADYN_LUGRE) /* z' = v */
    return n->damping * stick * v;
  if (law == GRADYN_GONTHIER) {
    double rate = stick * v + (1 - stick) * n->kinetic * s / hypot(s, 1e-3) / n->damping;
    return fmin(n->damping * rate, n->still);
  }
  return n->kinetic * tanh(4 * s) + (n->still - n->kinetic) * s / (bump * bump);
}

/* --- power, from the forces of the joint ------------------------------------------------------ */

static double column(const motion *m, const double *row, const char *name)
{
  for (size_t c = 0; c < gradyn_trajectory_read(m->run).columns; c++)
    if (strcmp(gradyn_trajectory_column(m->run, c).name, name) == 0)
      return row[c];
  return 0;
}

static double size_of(double x, double y)
{
  return sqrt(x * x + y * y + rubbing.smoothing * rubbing.smoothing);
}

static void cross(const double *a, const double *b, double *c)
{
  for (int i = 0; i < DIM; i++)
    c[i] = a[(i + 1) % DIM] * b[(i + 2) % DIM] - a[(i + 2) % DIM] * b[(i + 1) % DIM];
}

/* The joint carries F in N, and T about the origin in N m, by forces at two ends on its axis (z; in the
 * plane x). */
static void carry(const double *F, const double *T, double F1[DIM], double F2[DIM])
{
  double axis[DIM] = {k->dim == 2, 0, k->dim == 3}, about[DIM], length_scale[DIM], moment[DIM];
  for (int i = 0; i < DIM; i++)
    length_scale[i] = rubbing.offset * axis[i];
  cross(length_scale, F, moment);
  for (int i = 0; i < DIM; i++)
    about[i] = (T[i] - moment[i]) / rubbing.length; /* = axis x F2 */
  cross(about, axis, F2);
  for (int i = 0; i < DIM; i++)
    F1[i] = F[i] - F2[i];
}

/* Normal force if the joint carries F and T; *thrust: that of the collar of a revolute joint. */
static double load(const double *F, const double *T, double *thrust)
{
  const int x = k->dim == 3 ? 0 : 1, y = k->dim == 3 ? 1 : 2; /* across the axis */
  double F1[DIM], F2[DIM];
  carry(F, T, F1, F2);
  *thrust = k->collar ? size_of(F[2], 0) : 0;
  if (k->journal && k->dim == 2)
    return rubbing.pressure * size_of(F[0], F[1]);
  if (k->journal)
    return rubbing.pressure * (size_of(F1[0], F1[1]) + size_of(F2[0], F2[1]));
  if (k->kind == GRADYN_PRISMATIC)
    return size_of(F1[x], 0) + size_of(F2[x], 0) +
           (k->sides ? size_of(F1[y], 0) + size_of(F2[y], 0) + size_of(T[2] / rubbing.width, 0)
                     : 0);
  if (k->kind == GRADYN_POINT_ON_LINE)
    return k->dim == 3 ? size_of(F[0], F[1]) : size_of(F[1], 0);
  return size_of(F[2], 0);
}

/* Slip velocity at the start, m/s; *first: its part by the coordinate of the effort; *lever: 1, or the
 * radius of that coordinate. */
static double slip_speed(double *first, double *length_scale)
{
  const double turn = rubbing.radius * rubbing.turn, *slide = rubbing.slide;
  *length_scale = k->kind == GRADYN_REVOLUTE ? rubbing.radius : 1;
  *first = k->kind == GRADYN_REVOLUTE ? turn : slide[0];
  if (k->kind == GRADYN_CYLINDRICAL)
    return hypot(slide[0], turn);
  if (k->kind == GRADYN_PLANAR || k->kind == GRADYN_POINT_ON_PLANE)
    return hypot(slide[0], slide[1]);
  return *first;
}

/* Power in W, and effort on the first coordinate: -(mu N + c v) along the slip. Collars slip at their own
 * radius; with bristles, at that of the journal. */
static void expect(const double *F, const double *T, double *power, double *effort)
{
  double first, length_scale, thrust, N = load(F, T, &thrust),
                                      v = slip_speed(&first, &length_scale);
  const double radius = rubbing.thrust_radius, w = radius * rubbing.turn;
  const double share = law == GRADYN_BROWN_MCPHEE ? mu(w) : mu(v);
  const double force = mu(v) * N + rubbing.viscous * v, torque = radius * share * thrust;
  *power = -force * v - torque * rubbing.turn;
  *effort = -length_scale * force * first / v - torque;
}

/* For all kinds and laws: the power at the start. For the law without bristles also the sign of the power
 * during the run, since bristles may return stored energy. */
TEST(power_is_that_of_the_law)
{
  static const char *const name[2][DIM] = {{"F.x", "F.y", "F.z"}, {"T.x", "T.y", "T.z"}};
  for (int i = 0; i < RUBBING_KINDS * 3; i++) {
    motion_local m;
    double F[2][DIM], power, effort, least = 0;
    k = &rubbing_kinds[i / 3];
    law = (gradyn_friction_law)(i % 3);
    rubbing_choose(k, law, transition);
    motion_run(&m, rubbing_build, "idas", law == GRADYN_BROWN_MCPHEE ? 0.8 : 1e-3, 1e-8);
    FREED double *row = calloc(gradyn_trajectory_read(m.run).columns, sizeof *row);
    for (size_t step = 0; step < gradyn_trajectory_read(m.run).steps; step++) {
      gradyn_trajectory_step(m.run, step, row);
      least = fmin(least, column(&m, row, "P"));
      assert_true(column(&m, row, "P") <= 0);
    }
    assert_true(least < -1e-3);
    gradyn_trajectory_step(m.run, 0, row);
    for (int c = 0; c < 2 * DIM; c++)
      F[c / DIM][c % DIM] = column(&m, row, name[c / DIM][c % DIM]);
    expect(F[0], F[1], &power, &effort);
    assert_close(column(&m, row, "P"), power, 1e-9, 0);
    assert_close(column(&m, row, "E"), effort, 1e-9, 0);
  }
}

/* --- a block on an incline --------------------------------------------------------------------- */

/* The centre of mass is above the guide, so that the loads of its ends depend on the acceleration. */
static const double length = 0.3, offset = -0.1, small = 0.05;
static const double mass = 2, slope = 0.35, height = 0.12, spring = 60, free_length = -0.1,
                    speed = 1.1;
static const double adhesion = 0.45;
static double slip; /* transition velocity, m/s */

static gradyn_status block(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = declare_body(model, "block", mass, 0.03, 0, height);
  int guide = declare_joint(model, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL,
                            VECTOR(1, 0));
  int slide = gradyn_joint_coordinate(model, guide, GRADYN_SLIDE);
  gradyn_gravity(model, -9.81 * sin(slope), -9.81 * cos(slope));
  gradyn_fix_initial_joint(model, "start", slide, 0, speed);
  gradyn_joint_spring(
      model, &(gradyn_joint_spring_spec){"spring", slide, .k = spring, .free = free_length});
  gradyn_joint_friction(model, &(gradyn_joint_friction_spec){.name = "friction",
                                                             .joint = guide,
                                                             .still = adhesion,
                                                             .kinetic = 0.3,
                                                             .transition = slip,
                                                             .smoothing = small,
                                                             .length = length,
                                                             .offset = offset});
  return gradyn_build_status(model);
}

/* m s'' = -m g sin - k (s - s0) - mu N, by Newton's method. N follows from F_y = m g cos and T = -height m
 * (s'' + g sin). */
static double block_acceleration(double s, double v)
{
  double q = v / slip, bump = q * q / 4 + 0.75, a = 0;
  double coefficient = 0.3 * tanh(4 * q) + (adhesion - 0.3) * q / (bump * bump);
  for (int i = 0; i < 50; i++) {
    double F = mass * 9.81 * cos(slope), T = -height * mass * (a + 9.81 * sin(slope));
    double F2 = (T - offset * F) / length, F1 = F - F2, slope_2 = -height * mass / length;
    double N = size_of(F1, 0) + size_of(F2, 0);
    double N_a = slope_2 * (F2 / size_of(F2, 0) - F1 / size_of(F1, 0));
    double left = mass * (a + 9.81 * sin(slope)) + spring * (s - free_length) + coefficient * N;
    a -= left / (mass + coefficient * N_a);
  }
  return a;
}

static void block_reference(double t_end, int steps, double y[2])
{
  static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  const double h = t_end / steps;
  y[0] = 0;
  y[1] = speed;
  for (int step = 0; step < steps; step++) {
    double rate[4][2];
    for (int stage = 0; stage < 4; stage++) {
      const double *last = stage > 0 ? rate[stage - 1] : y;
      double s = y[0] + (stage > 0 ? at[stage] * h * last[0] : 0);
      rate[stage][0] = y[1] + (stage > 0 ? at[stage] * h * last[1] : 0);
      rate[stage][1] = block_acceleration(s, rate[stage][0]);
    }
    for (int stage = 0; stage < 4; stage++)
      for (int i = 0; i < 2; i++)
        y[i] += h / 6 * weight[stage] * rate[stage][i];
  }
}

/* The block slides up, reverses, slides back and sticks, that is it creeps. */
THOROUGH_TEST(block_moves_by_its_equation)
{
  const double t_end = 1;
  for (int i = 0; i < 2; i++) {
    double expected[2], coarse[2];
    motion m;
    slip = i ? 1e-3 : 1e-2;
    block_reference(t_end, i ? 100000 : 20000, expected);
    block_reference(t_end, i ? 80000 : 16000, coarse);
    assert_close_array(coarse, expected, 2, 0, 1e-10); /* the reference has converged */
    assert_true(fabs(expected[1]) < slip);             /* it sticks */
    motion_run(&m, block, "idas", t_end, 1e-11);
    const double end[2] = {motion_end(&m, "guide.slide"), motion_end(&m, "guide.slide.rate")};
    assert_close_array(end, expected, 2, 0, 1e-8);
    motion_free(&m);
    if (i == 0)
      assert_close(motion_extrapolated(block, "ali3p", t_end, 2e-4, "guide.slide"), expected[0], 0,
                   1e-8);
  }
}
