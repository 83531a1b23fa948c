/* Friction in joints: its power against statics and the law, for every kind of joint; it never drives; a
 * block on an incline against its equation in one dimension. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mbs/motion.h"

enum { DIM = 3 };

static const double still = 0.25, kinetic = 0.15, transition = 0.02, viscous = 0.7, small = 0.05;
static const double pressure = 1.3, radius = 0.04, thrust = 0.06, length = 0.3, offset = -0.1,
                    width = 0.2;

/* Eq. (1). */
static double mu(double v)
{
  double s = v / transition, bump = s * s / 4 + 0.75;
  return kinetic * tanh(4 * s) + (still - kinetic) * s / (bump * bump);
}

/* --- power, from the forces of the joint ------------------------------------------------------ */

static const struct kind {
  gradyn_joint_kind kind;
  int dim;
  bool journal, collar, ends, sides;
} kinds[] = {{GRADYN_REVOLUTE, 3, true, true, true, false},
             {GRADYN_CYLINDRICAL, 3, true, false, true, false},
             {GRADYN_PRISMATIC, 3, false, false, true, true},
             {GRADYN_PLANAR, 3, false, false, false, false},
             {GRADYN_POINT_ON_PLANE, 3, false, false, false, false},
             {GRADYN_POINT_ON_LINE, 3, false, false, false, false},
             {GRADYN_REVOLUTE, 2, true, false, false, false},
             {GRADYN_PRISMATIC, 2, false, false, true, false},
             {GRADYN_POINT_ON_LINE, 2, false, false, false, false}};

static const struct kind *k; /* the one in hand */
static const double turn_rate = 0.8, slide_rate[2] = {0.05, -0.03};

static int declare_body(gradyn_model *model)
{
  gradyn_body_spec spec = {.name = "body", .mass = 1.7, .centre = {0.3, 0.1, -0.2}};
  static const double J[6] = {0.31, 0.42, 0.5, 0.02, -0.03, 0.04};
  for (int i = 0; i < 6; i++)
    spec.inertia[i] = J[i];
  if (k->dim == 3)
    return gradyn_body_3d(model, &spec);
  spec.centre[2] = 0;
  return gradyn_body(model, &spec);
}

/* Coordinates of its slips start with rates of their own. */
static void start(gradyn_model *model, int joint)
{
  const bool flat = k->kind == GRADYN_PLANAR || k->kind == GRADYN_POINT_ON_PLANE;
  const bool turns = k->kind == GRADYN_REVOLUTE || k->kind == GRADYN_CYLINDRICAL;
  for (int i = 0; i < 2 && flat; i++)
    gradyn_hold_joint(model, i ? "v.y" : "v.x",
                      gradyn_joint_slide_along(model, joint, (gradyn_axis)i), 0, slide_rate[i]);
  if (turns)
    gradyn_hold_joint(model, "turning", gradyn_joint_angle(model, joint), 0, turn_rate);
  if (!flat && k->kind != GRADYN_REVOLUTE)
    gradyn_hold_joint(model, "sliding", gradyn_joint_slide(model, joint), 0, slide_rate[0]);
}

static gradyn_status rubbing(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int joint = gradyn_joint_at(model, &(gradyn_place_spec){.name = "joint",
                                                          .kind = k->kind,
                                                          .body_a = GRADYN_GROUND,
                                                          .body_b = declare_body(model),
                                                          .axis = {0.48, -0.6, 0.64},
                                                          .side = {0, 0, 1}});
  start(model, joint);
  gradyn_joint_friction(model,
                        &(gradyn_joint_friction_spec){.name = "friction",
                                                      .joint = joint,
                                                      .still = still,
                                                      .kinetic = kinetic,
                                                      .transition = transition,
                                                      .viscous = viscous,
                                                      .smoothing = small,
                                                      .pressure = k->journal ? pressure : 0,
                                                      .radius = k->journal ? radius : 0,
                                                      .thrust_radius = k->collar ? thrust : 0,
                                                      .length = k->ends ? length : 0,
                                                      .offset = k->ends ? offset : 0,
                                                      .width = k->sides ? width : 0});
  if (k->dim == 3)
    gradyn_gravity_3d(model, 0.5, 2, -9.81);
  else
    gradyn_gravity(model, 0.5, -9.81);
  gradyn_measure_power(model, "P", "friction");
  static const char *const name[] = {"F.x", "F.y", "F.z", "T.x", "T.y", "T.z"};
  for (int i = 0; i < 6; i++)
    if (k->dim == 3 || i == 0 || i == 1 || i == 5)
      (i < 3 ? gradyn_measure_joint_force : gradyn_measure_joint_torque)(model, name[i], joint,
                                                                         (gradyn_axis)(i % 3));
  return gradyn_built(model);
}

static double column(const motion *m, const double *row, const char *name)
{
  for (size_t c = 0; c < gradyn_trajectory_columns(m->run); c++)
    if (strcmp(gradyn_trajectory_name(m->run, c), name) == 0)
      return row[c];
  return 0;
}

static double size_of(double x, double y)
{
  return sqrt(x * x + y * y + small * small);
}

static void cross(const double *a, const double *b, double *c)
{
  for (int i = 0; i < DIM; i++)
    c[i] = a[(i + 1) % DIM] * b[(i + 2) % DIM] - a[(i + 2) % DIM] * b[(i + 1) % DIM];
}

/* Two ends on the joint's axis (z, in the plane x) carry F, N, and T about the origin, N m. */
static void carry(const double *F, const double *T, double F1[DIM], double F2[DIM])
{
  double axis[DIM] = {k->dim == 2, 0, k->dim == 3}, about[DIM], lever[DIM], moment[DIM];
  for (int i = 0; i < DIM; i++)
    lever[i] = offset * axis[i];
  cross(lever, F, moment);
  for (int i = 0; i < DIM; i++)
    about[i] = (T[i] - moment[i]) / length; /* = axis x F2 */
  cross(about, axis, F2);
  for (int i = 0; i < DIM; i++)
    F1[i] = F[i] - F2[i];
}

/* What the power must be for the forces and torques that the joint carries. */
static double expected_power(const double *F, const double *T)
{
  const double v_turn = radius * turn_rate, v_flat = hypot(slide_rate[0], slide_rate[1]);
  double F1[DIM], F2[DIM], v = slide_rate[0], N;
  carry(F, T, F1, F2);
  const int x = k->dim == 3 ? 0 : 1, y = k->dim == 3 ? 1 : 2; /* across the axis */
  switch (k->kind) {
  case GRADYN_REVOLUTE:
    if (k->dim == 2)
      return -pressure * size_of(F[0], F[1]) * mu(v_turn) * v_turn - viscous * v_turn * v_turn;
    N = pressure * (size_of(F1[0], F1[1]) + size_of(F2[0], F2[1]));
    return -N * mu(v_turn) * v_turn - viscous * v_turn * v_turn -
           size_of(F[2], 0) * mu(thrust * turn_rate) * thrust * turn_rate;
  case GRADYN_CYLINDRICAL:
    v = hypot(v, v_turn);
    N = pressure * (size_of(F1[0], F1[1]) + size_of(F2[0], F2[1]));
    break;
  case GRADYN_PRISMATIC:
    N = size_of(F1[x], 0) + size_of(F2[x], 0);
    if (k->dim == 3)
      N += size_of(F1[y], 0) + size_of(F2[y], 0) + size_of(T[2] / width, 0);
    break;
  case GRADYN_POINT_ON_LINE:
    N = k->dim == 3 ? size_of(F[0], F[1]) : size_of(F[1], 0);
    break;
  default:
    v = v_flat;
    N = size_of(F[2], 0);
  }
  return -N * mu(v) * fabs(v) * (v > 0 ? 1 : -1) - viscous * v * v;
}

static void power_is_that_of_the_law(void **state)
{
  (void)state;
  static const char *const name[2][DIM] = {{"F.x", "F.y", "F.z"}, {"T.x", "T.y", "T.z"}};
  for (size_t i = 0; i < GRADYN_COUNT(kinds); i++) {
    motion m;
    double F[2][DIM], power = 0, largest = 0;
    k = &kinds[i];
    motion_run(&m, rubbing, "idas", 0.8, 1e-8);
    double *row = calloc(gradyn_trajectory_columns(m.run), sizeof *row);
    for (size_t step = 0; step < gradyn_trajectory_steps(m.run); step++) {
      gradyn_trajectory_step(m.run, step, row);
      power = column(&m, row, "P");
      largest = fmin(largest, power);
      assert_true(power <= 0);
      if (step > 0)
        continue;
      for (int c = 0; c < 2 * DIM; c++)
        F[c / DIM][c % DIM] = column(&m, row, name[c / DIM][c % DIM]);
      assert_close(power, expected_power(F[0], F[1]), 1e-9, 0);
    }
    assert_true(largest < -1e-3);
    free(row);
    motion_free(&m);
  }
}

/* --- a block on an incline --------------------------------------------------------------------- */

/* Its centre is above its guide, so that the loads of its ends depend on how it is accelerated. */
static const double mass = 2, slope = 0.35, height = 0.12, spring = 60, free_length = -0.1,
                    speed = 1.1;
static const double adhesion = 0.45;
static double slip; /* transition velocity, m/s */

static gradyn_status block(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body = gradyn_body(
      model, &(gradyn_body_spec){
                 .name = "block", .centre = {0, height}, .mass = mass, .inertia = {0, 0, 0.03}});
  int guide = gradyn_joint_at(model, &(gradyn_place_spec){.name = "guide",
                                                          .kind = GRADYN_PRISMATIC,
                                                          .body_a = GRADYN_GROUND,
                                                          .body_b = body,
                                                          .axis = {1, 0}});
  int slide = gradyn_joint_slide(model, guide);
  gradyn_gravity(model, -9.81 * sin(slope), -9.81 * cos(slope));
  gradyn_hold_joint(model, "start", slide, 0, speed);
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
  return gradyn_built(model);
}

/* m s'' = -m g sin - k (s - s0) - mu N, where N follows from F_y = m g cos and T = -height m (s'' + g sin):
 * by Newton's method. */
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

/* It slides up, turns, slides back and sticks, which is to creep. */
static void block_moves_as_its_equation_tells(void **state)
{
  (void)state;
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
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_is_that_of_the_law),
      cmocka_unit_test(block_moves_as_its_equation_tells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
