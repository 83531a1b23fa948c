/* An arm of seven bodies with revolute joints hangs from a ceiling. It moves a load between two points in a
 * given time, from rest to rest, with torques of least effort. The torques are bounded, and linear between
 * knots. A position of the hand determines three of the seven joints; the search chooses among the
 * remaining motions. */
#include <gradyn/gradyn.h>
#include <gradyn/tgmath.h>

/* LOAD: the first parameter; TORQUE: from here on, `knots` parameters for each joint */
enum { JOINTS = 7, LOAD = 0, TORQUE };

/* The initial guess is the torque that holds the arm at rest. */
#define TORQUE_OF(joint, limit, holding)                                                           \
  {                                                                                                \
    "torque" #joint, "N m", .init = (holding), .lower = -(limit), .upper = (limit),                \
                            .scale = 0.1 * (limit), .role = GRADYN_CONTROL, .count_from = "knots"  \
  }
static const gradyn_param params[] = {
    [LOAD] = {"load", "kg", .init = 2, .lower = 0, .upper = 10, .fixed = true},
    TORQUE_OF(1, 80, 0),
    TORQUE_OF(2, 80, 54.31914536),
    TORQUE_OF(3, 40, 2.962701449),
    TORQUE_OF(4, 40, 28.33433716),
    TORQUE_OF(5, 10, -0.1511378231),
    TORQUE_OF(6, 10, 5.127262252),
    TORQUE_OF(7, 1, 0),
};
static const gradyn_setting settings[] = {{"knots", "knots of each torque", 21, 2, 400}};

/* A joint of the arm, which is stretched downwards when all angles are 0: axis, initial angle in rad,
 * torque in N m whose square scales its effort, and friction in N m s/rad. Its outer body: length in m and
 * mass in kg. */
static const struct {
  gradyn_axis axis;
  double angle, torque, friction, length, mass;
} joint[JOINTS] = {
    {GRADYN_Z, 0.4, 80, 5, 0.15, 4},   {GRADYN_Y, 0.5, 80, 5, 0.25, 4},
    {GRADYN_Z, -0.3, 40, 3, 0.2, 3},   {GRADYN_Y, 0.8, 40, 3, 0.2, 3},
    {GRADYN_Z, 0.2, 10, 1, 0.2, 2},    {GRADYN_Y, 0.6, 10, 1, 0.1, 1.5},
    {GRADYN_Z, 0.1, 1, 0.2, 0.1, 0.5},
};
static const double radius = 0.06, load_radius = 0.1, target[3] = {-0.3, -0.6, -0.5}; /* m */

/* Initial position of the part of the arm that exists so far: its end, and directions of its last body. */
typedef struct arm {
  double at[3], axes[3][3]; /* columns */
} arm;

/* Rotates all directions about one of them. */
static void turn(arm *s, int about, double angle)
{
  const int u = (about + 1) % 3, v = (about + 2) % 3;
  for (int k = 0; k < 3; k++) {
    const double first = s->axes[k][u], second = s->axes[k][v];
    s->axes[k][u] = cos(angle) * first + sin(angle) * second;
    s->axes[k][v] = cos(angle) * second - sin(angle) * first;
  }
}

/* Adds a cylinder along -z from the end of the arm, with a ball at its far end. Its inertia is J = across
 * (1 - u u^T) + along u u^T. */
static int add_body(gradyn_model *mbs, arm *s, int i, gradyn_scalar load)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const double mass = joint[i].mass, length = joint[i].length, half = length / 2;
  const double across = mass * (3 * radius * radius + length * length) / 12;
  const gradyn_scalar ball = load * load_radius * load_radius * 2 / 5,
                      along = mass * radius * radius / 2 + ball;
  const gradyn_scalar all = mass + load, centre = (mass * half + load * length) / all;
  /* moment of inertia of cylinder and ball about their common centre */
  const gradyn_scalar apart = mass * (centre - half) * (centre - half) +
                              load * (length - centre) * (length - centre) + ball;
  gradyn_body_spec spec = {.name = gradyn_format_name(mbs, "link%d", i + 1), .mass = all};
  for (int k = 0; k < 3; k++)
    spec.centre[k] = s->at[k] - centre * s->axes[k][2];
  for (int k = 0; k < 6; k++) /* xx, yy, zz, xy, xz, yz */
    spec.inertia[k] = (k < 3 ? across + apart : 0) +
                      (along - across - apart) * s->axes[row[k]][2] * s->axes[column[k]][2];
  return gradyn_body_3d(mbs, &spec);
}

/* Adds joint i and its outer body, at the initial angle. Returns the coordinate of the angle. */
static int add_link(gradyn_model *mbs, arm *s, int i, int *body, gradyn_scalar load)
{
  const int before = *body, axis = (int)joint[i].axis, side = (axis + 1) % 3;
  gradyn_joint_spec spec = {.name = gradyn_format_name(mbs, "joint%d", i + 1),
                            .kind = GRADYN_REVOLUTE};
  gradyn_frame_spec a = {.name = gradyn_format_name(mbs, "frame%d.a", i + 1), .body = before};
  for (int k = 0; k < 3; k++) {
    a.origin[k] = s->at[k];
    a.axis[k] = s->axes[k][axis];
    a.side[k] = s->axes[k][side];
  }
  turn(s, axis, joint[i].angle);
  *body = add_body(mbs, s, i, load);
  gradyn_frame_spec b = a;
  b.name = gradyn_format_name(mbs, "frame%d.b", i + 1);
  b.body = *body;
  for (int k = 0; k < 3; k++) {
    b.side[k] = s->axes[k][side];
    s->at[k] -= joint[i].length * s->axes[k][2];
  }
  spec.a = gradyn_frame(mbs, &a);
  spec.b = gradyn_frame(mbs, &b);
  return gradyn_joint_coordinate(mbs, gradyn_joint(mbs, &spec), GRADYN_ANGLE);
}

/* Adds the motor of joint i and its effort, and requires that the joint ends at rest. */
static void add_motor(gradyn_model *mbs, int i, int angle, const gradyn_scalar rho[])
{
  const int torque = gradyn_signal(
      mbs,
      &(gradyn_signal_spec){gradyn_format_name(mbs, "torque%d", i + 1), "N m",
                            GRADYN_PIECEWISE_LINEAR, .count = gradyn_setting_value(mbs, "knots"),
                            .knots = gradyn_parameter_array(mbs, rho, TORQUE + i, NULL)});
  gradyn_fix_initial_joint(mbs, gradyn_format_name(mbs, "start%d", i + 1), angle, joint[i].angle,
                           0);
  gradyn_joint_spring(mbs,
                      &(gradyn_joint_spring_spec){.name = gradyn_format_name(mbs, "motor%d", i + 1),
                                                  .coordinate = angle,
                                                  .c = joint[i].friction,
                                                  .signal = torque});
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "effort%d", i + 1),
                                                       gradyn_measure_signal(mbs, "", torque),
                                                       .reduction = GRADYN_SQUARE_INTEGRAL}),
      1 / (joint[i].torque * joint[i].torque));
  const int rate = gradyn_measure_joint(mbs, gradyn_format_name(mbs, "rate%d", i + 1), angle, 1);
  gradyn_constrain(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "rest%d", i + 1),
                                                       rate, .reduction = GRADYN_AT_END}),
      0, 0, 1e-7);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  static const char *const end[3] = {"x_end", "y_end", "z_end"};
  arm s = {.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  int body = GRADYN_GROUND;
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  for (int i = 0; i < JOINTS; i++)
    add_motor(mbs, i, add_link(mbs, &s, i, &body, i == JOINTS - 1 ? rho[LOAD] : 0), rho);
  const int hand = gradyn_body_point_3d(mbs, body, "hand", s.at[0], s.at[1], s.at[2]);
  gradyn_draw_trace(mbs, hand);
  for (int k = 0; k < 3; k++) {
    const int at = gradyn_measure_point(mbs, gradyn_format_name(mbs, "hand%d", k + 1), hand, 0,
                                        (gradyn_axis)k);
    gradyn_constrain(
        mbs,
        gradyn_functional(mbs, &(gradyn_functional_spec){end[k], at, .reduction = GRADYN_AT_END}),
        target[k], target[k], 1e-7);
  }
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(arm_7, .summary = "Arm of seven joints that carries a load with least effort",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .method = "explicit", .coordinates = "joint", .t_end = 1.5,
               .rtol = 1e-8);
