/* A robot arm with six revolute joints carries an object between two poses of its hand in a given time,
 * from rest to rest, and another object back on the same path. The electric energy for the cycle is least.
 * Link lengths, gear ratios, counter-springs and the path are designed together.
 *
 * Drives prescribe the joint angles as functions of time; their torques are the multipliers. Each function
 * is a cycloid between the angles of both poses, which follow from the lengths in closed form. To it are
 * added cubic B-splines that vanish at both ends with their rates and accelerations. Every design therefore
 * starts and ends at rest in the given poses. */
#include <gradyn/gradyn.h>
#include <gradyn/tgmath.h>

enum { JOINTS = 6, SPRUNG = 3, SPLINES = 4, KNOTS = SPLINES + 4 };
/* GEAR, STIFFNESS, REST and PATH: parameters of the first joint */
enum { HEIGHT, UPPER, FORE, DURATION, GEAR, STIFFNESS, REST, PATH };

#define PATH_OF(joint)                                                                             \
  {                                                                                                \
    "path" #joint, "rad", .lower = -1.5, .upper = 1.5, .scale = 0.3, .role = GRADYN_CONTROL,       \
                          .count = SPLINES                                                         \
  }
static const gradyn_param params[] = {
    [HEIGHT] = {"height", "m", .init = 0.4, .lower = 0.3, .upper = 0.6},
    [UPPER] = {"upper", "m", .init = 0.45, .lower = 0.38, .upper = 0.6},
    [FORE] = {"fore", "m", .init = 0.45, .lower = 0.38, .upper = 0.6},
    [DURATION] = {"duration", "s", .init = 1, .lower = 0.7, .upper = 3, .role = GRADYN_TIME,
                  .fixed = true},
    [GEAR] = {"gear", "", .init = 100, .lower = 20, .upper = 200, .count = JOINTS},
    [STIFFNESS] = {"stiffness", "N m/rad", .lower = 0, .upper = 200, .scale = 20, .count = SPRUNG},
    [REST] = {"rest", "rad", .init = -2.5, .init_end = 2, .ramp = true, .lower = -3, .upper = 3,
              .scale = 0.5, .count = SPRUNG},
    PATH_OF(1),
    PATH_OF(2),
    PATH_OF(3),
    PATH_OF(4),
    PATH_OF(5),
    PATH_OF(6),
};

/* A joint of the arm, which is stretched along x when all angles are 0. First its axis, the axis from which
 * its angle is measured, and its limits, rad. Then the motor: rotor inertia, kg m^2, friction, N m s/rad,
 * heat per squared torque, W/(N m)^2, and peak torque, N m. Then its outer body: direction of its length,
 * mass, kg, and mass per length, kg/m. */
static const struct {
  gradyn_axis axis, side;
  double range, rotor, friction, heat, peak;
  const char *name;
  gradyn_axis along;
  double mass, per_length;
} joint[JOINTS] = {
    {GRADYN_Z, GRADYN_X, 2.9, 1e-4, 1e-4, 40, 0.8, "column", GRADYN_Z, 5, 20},
    {GRADYN_Y, GRADYN_Z, 2.2, 1e-4, 1e-4, 40, 0.8, "upper_arm", GRADYN_X, 3, 7},
    {GRADYN_Y, GRADYN_Z, 2.6, 1e-4, 1e-4, 40, 0.8, "elbow", GRADYN_X, 3, 0},
    {GRADYN_X, GRADYN_Y, 2.9, 1e-5, 2e-5, 300, 0.07, "forearm", GRADYN_X, 1, 4},
    {GRADYN_Y, GRADYN_Z, 2.1, 1e-5, 2e-5, 300, 0.07, "wrist", GRADYN_X, 1, 0},
    /* includes the object of 3 kg */
    {GRADYN_X, GRADYN_Y, 3.1, 1e-5, 2e-5, 300, 0.07, "hand", GRADYN_X, 3.5, 0},
};
static const int sprung[SPRUNG] = {1, 2, 4};
static const double hand_length = 0.2, radius = 0.06, clearance = 0.2; /* m */
static const double force_limit = 200;                                 /* N */

/* A pose: the tip of the hand, m, and directions along the hand, to its side, and normal to both. */
typedef struct pose {
  double tip[3], axes[3][3];
} pose;
static const pose pick = {{0.6, -0.3, 0.1}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
static const pose place = {{0.1, 0.75, 0.55}, {{-0.6, 0.8, 0}, {-0.8, -0.6, 0}, {0, 0, 1}}};

/* The arm in its initial pose: joint angles; positions of the joints, then of the tip; directions of the
 * ground and of the bodies. */
typedef struct arm {
  gradyn_scalar angle[JOINTS], at[JOINTS + 1][3], axes[JOINTS + 1][3][3];
} arm;

/* --- poses ------------------------------------------------------------------------------------ */

/* Returns the angle of (x, y) from the x axis. It is analytic in both coordinates, as complex steps
 * require. */
static gradyn_scalar direction(gradyn_scalar y, gradyn_scalar x)
{
  double near = atan2(creal(y), creal(x)), c = cos(near), s = sin(near);
  return near + atan((y * c - x * s) / (x * c + y * s));
}

/* Rotates directions by an angle about one of them. */
static void turn(gradyn_scalar axes[3][3], int about, gradyn_scalar angle)
{
  /* u, v: the two other axes */
  int u = (about + 1) % 3, v = (about + 2) % 3;
  gradyn_scalar c = cos(angle), s = sin(angle);
  for (int k = 0; k < 3; k++) {
    gradyn_scalar first = axes[u][k];
    axes[u][k] = c * first + s * axes[v][k];
    axes[v][k] = c * axes[v][k] - s * first;
  }
}

/* Returns the scalar product a.b. It is analytic, as complex steps require. */
static gradyn_scalar dot(const gradyn_scalar *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes the joint angles in a pose, elbow up. The first three position the wrist, the others orient the
 * hand. */
static void solve(const pose *to, const gradyn_scalar rho[], gradyn_scalar q[JOINTS])
{
  gradyn_scalar R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, a = rho[UPPER], b = rho[FORE];
  double x = to->tip[0] - hand_length * to->axes[0][0];
  double y = to->tip[1] - hand_length * to->axes[0][1], r = hypot(x, y);
  gradyn_scalar z = to->tip[2] - hand_length * to->axes[0][2] - rho[HEIGHT];
  /* the triangle of shoulder, elbow and wrist gives the angle of the elbow */
  gradyn_scalar c = (r * r + z * z - a * a - b * b) / (2 * a * b), s = sqrt(1 - c * c);
  q[0] = atan2(y, x); /* turns the arm towards the wrist */
  q[1] = -direction(z, r) - direction(b * s, a + b * c);
  q[2] = direction(s, c);
  /* R: directions of the forearm */
  for (int i = 0; i < 3; i++)
    turn(R, (int)joint[i].axis, q[i]);
  /* directions of the hand in the frame of the forearm: first column (c5, s4 s5, -c4 s5), first row (c5, s5
   * s6, s5 c6) */
  gradyn_scalar s4 = dot(R[1], to->axes[0]), c4 = -dot(R[2], to->axes[0]);
  q[3] = direction(s4, c4);
  q[4] = direction(sqrt(s4 * s4 + c4 * c4), dot(R[0], to->axes[0]));
  q[5] = direction(dot(R[0], to->axes[1]), dot(R[0], to->axes[2]));
}

/* --- bodies and joints -------------------------------------------------------------------------- */

/* Requires |measure| <= allowed at all times. */
static void limit(gradyn_model *mbs, const char *name, int i, int measure, double allowed)
{
  gradyn_constrain(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, name, i + 1),
                                                       measure, .reduction = GRADYN_MAXIMUM,
                                                       .magnitude = true, .scale = allowed}),
      -INFINITY, 1, 1e-6);
}

/* Square of the clearance over the distance of (x, y) from the column. */
static gradyn_status closeness(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] * at->data[0] / (at->of[0] * at->of[0] + at->of[1] * at->of[1]);
  return GRADYN_OK;
}

/* Keeps the end of link i away from the column. */
static void keep_clear(gradyn_model *mbs, int i, int point)
{
  /* closeness() is 1 at the limit of the clearance */
  const gradyn_datum data = {"clearance", "m", clearance};
  /* x and y of the end, in the plane of the base */
  const int of[] = {
      gradyn_measure_point(mbs, gradyn_format_name(mbs, "end%d.x", i + 1), point, 0, GRADYN_X),
      gradyn_measure_point(mbs, gradyn_format_name(mbs, "end%d.y", i + 1), point, 0, GRADYN_Y)};
  limit(mbs, "clearance%d", i,
        gradyn_measure_formula(mbs, &(gradyn_measure_formula_spec){.name = gradyn_format_name(
                                                                       mbs, "closeness%d", i + 1),
                                                                   .formula = closeness,
                                                                   .of = of,
                                                                   .count = 2,
                                                                   .data = &data,
                                                                   .data_count = 1}),
        1);
}

/* Adds the outer body of joint i, a slender cylinder: J = across (1 - u u^T) + along u u^T. */
static void add_body(gradyn_model *mbs, arm *s, int i, gradyn_scalar length)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  gradyn_scalar *from = s->at[i], *to = s->at[i + 1], (*axes)[3] = s->axes[i + 1];
  /* directions of the previous body, rotated by the joint angle */
  for (int k = 0; k < 9; k++)
    axes[k / 3][k % 3] = s->axes[i][k / 3][k % 3];
  turn(axes, (int)joint[i].axis, s->angle[i]);
  const gradyn_scalar *u = axes[joint[i].along],
                      mass = joint[i].mass + joint[i].per_length * length;
  /* moments of inertia of a cylinder: m (3 r^2 + L^2)/12 and m r^2/2 */
  const gradyn_scalar across = mass * (3 * radius * radius + length * length) / 12;
  const gradyn_scalar along = mass * radius * radius / 2;
  gradyn_body_spec spec = {.name = joint[i].name, .mass = mass};
  for (int k = 0; k < 3; k++) {
    to[k] = from[k] + length * u[k];
    spec.centre[k] = (from[k] + to[k]) / 2;
  }
  /* xx, yy, zz, xy, xz, yz */
  for (int k = 0; k < 6; k++)
    spec.inertia[k] = (k < 3 ? across : 0) + (along - across) * u[row[k]] * u[column[k]];
  int body = gradyn_body_3d(mbs, &spec);
  int end = gradyn_body_point_3d(mbs, body, gradyn_format_name(mbs, "%s.end", joint[i].name), to[0],
                                 to[1], to[2]);
  gradyn_draw_trace(mbs, end);
  if (i == 3 || i == 5) /* i = 3: the wrist; i = 5: the tip of the hand */
    keep_clear(mbs, i, end);
}

/* Adds the revolute joint i between bodies i - 1 and i, which have the numbers of their joints. Its angle
 * is 0 in the stretched arm: the axes x of both frames then coincide. */
static int add_joint(gradyn_model *mbs, const arm *s, int i)
{
  gradyn_joint_spec spec = {.name = gradyn_format_name(mbs, "joint%d", i + 1),
                            .kind = GRADYN_REVOLUTE};
  for (int k = 0; k < 2; k++) {
    gradyn_frame_spec frame = {
        .name = gradyn_format_name(mbs, k ? "frame%d.b" : "frame%d.a", i + 1),
        .body = i + k == 0 ? GRADYN_GROUND : i + k}; /* bodies are numbered from 1 */
    for (int j = 0; j < 3; j++) {
      frame.origin[j] = s->at[i][j];
      frame.axis[j] = s->axes[i][joint[i].axis][j];
      frame.side[j] = s->axes[i + k][joint[i].side][j];
    }
    *(k ? &spec.b : &spec.a) = gradyn_frame(mbs, &frame);
  }
  return gradyn_joint(mbs, &spec);
}

/* Prescribes an angle as a function of time. Returns the constraint, whose multiplier is the torque. */
static int add_drive(gradyn_model *mbs, int i, int angle, gradyn_scalar start, gradyn_scalar end,
                     const gradyn_scalar rho[])
{
  const gradyn_scalar *weight = gradyn_parameter_array(mbs, rho, PATH + i, NULL);
  const gradyn_scalar change = end - start, duration = rho[DURATION];
  const double circle = 6.283185307179586;
  gradyn_scalar knots[KNOTS] = {0};
  for (int k = 0; k < SPLINES; k++) /* the values of a B-spline at its knots are 1/6, 4/6, 1/6 */
    for (int j = 0; j < 3; j++)
      knots[k + 1 + j] += (j == 1 ? 4 : 1) * weight[k] / 6;
  /* value + rate t + amplitude sin(frequency t) is the cycloid from start to end */
  int path = gradyn_signal(mbs, &(gradyn_signal_spec){gradyn_format_name(mbs, "path%d", i + 1),
                                                      "rad", GRADYN_CUBIC_SPLINE, .count = KNOTS,
                                                      .knots = knots});
  return gradyn_drive_joint(mbs, gradyn_format_name(mbs, "drive%d", i + 1), angle,
                            &(gradyn_time_function){.value = start,
                                                    .rate = change / duration,
                                                    .amplitude = -change / circle,
                                                    .frequency = circle / duration,
                                                    .signal = path});
}

/* --- motors ----------------------------------------------------------------------------------- */

enum { RATIO, ROTOR, FRICTION, HEAT, NUMBERS };

/* Motor torque on the outward path, from of = {-tau, q', q''}: tau/n + J n q'' + d n q'. */
static gradyn_status motor_torque(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *of = at->of, *d = at->data;
  *value = -of[0] / d[RATIO] + d[RATIO] * (d[FRICTION] * of[1] + d[ROTOR] * of[2]);
  return GRADYN_OK;
}

/* Electric power, as the mean of the outward and the return path. On these, only the speed w = n q'
 * differs, by its sign. With m = m_c + d w outward and m_c - d w on the return, the mean of heat m^2 + m w
 * is heat (m_c^2 + (d w)^2) + d w^2. */
static gradyn_status mean_power(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *d = at->data, w = d[RATIO] * at->of[1], drag = d[FRICTION] * w;
  gradyn_scalar m;
  motor_torque(at, &m);
  m -= drag;
  *value = d[HEAT] * (m * m + drag * drag) + drag * w;
  return GRADYN_OK;
}

/* Declares a measure by a formula of the torque, rate and acceleration of joint i. */
static int add_formula(gradyn_model *mbs, const char *name, const char *unit, int i,
                       gradyn_measure_fn formula, const int of[3], gradyn_scalar ratio)
{
  /* data of the formula for joint i */
  const gradyn_datum data[NUMBERS] = {[RATIO] = {"ratio", "", ratio},
                                      [ROTOR] = {"rotor", "kg m^2", joint[i].rotor},
                                      [FRICTION] = {"friction", "N m s/rad", joint[i].friction},
                                      [HEAT] = {"heat", "W/(N m)^2", joint[i].heat}};
  return gradyn_measure_formula(
      mbs, &(gradyn_measure_formula_spec){.name = gradyn_format_name(mbs, name, i + 1),
                                          .unit = unit,
                                          .formula = formula,
                                          .of = of,
                                          .count = 3,
                                          .data = data,
                                          .data_count = NUMBERS});
}

/* Declares the energy of the motor of joint i, and its limits. */
static void add_motor(gradyn_model *mbs, int i, int number, int angle, int drive,
                      gradyn_scalar ratio)
{
  /* torque of the drive, rate and acceleration of the joint */
  const int motion[] = {
      gradyn_measure_multiplier(mbs, gradyn_format_name(mbs, "drive%d.torque", i + 1), drive),
      gradyn_measure_joint(mbs, gradyn_format_name(mbs, "rate%d", i + 1), angle, 1),
      gradyn_measure_joint(mbs, gradyn_format_name(mbs, "acceleration%d", i + 1), angle, 2)};
  /* energy that the motor draws; weight 2, because power is the mean of two paths */
  const int power = add_formula(mbs, "power%d", "W", i, mean_power, motion, ratio);
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "energy%d", i + 1),
                                                       power, .reduction = GRADYN_INTEGRAL}),
      2);
  /* limits the torque to the peak of the motor, and the angle to the range of the joint */
  limit(mbs, "load%d", i, add_formula(mbs, "motor%d", "N m", i, motor_torque, motion, ratio),
        joint[i].peak);
  limit(mbs, "swing%d", i,
        gradyn_measure_joint(mbs, gradyn_format_name(mbs, "angle%d", i + 1), angle, 0),
        joint[i].range);
  if (i != 1 && i != 2) /* only shoulder and elbow have a limit of the force normal to their axes */
    return;
  /* forces normal to the arm, which load the bearing */
  const int force[] = {gradyn_measure_joint_force(mbs, gradyn_format_name(mbs, "force%d.x", i + 1),
                                                  number, GRADYN_X),
                       gradyn_measure_joint_force(mbs, gradyn_format_name(mbs, "force%d.y", i + 1),
                                                  number, GRADYN_Y)};
  limit(mbs, "bearing%d", i,
        gradyn_measure_magnitude(mbs, gradyn_format_name(mbs, "force%d", i + 1), force, 2, 1),
        force_limit);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* lengths of the links in order; 0: the axes of two joints intersect */
  const gradyn_scalar length[JOINTS] = {rho[HEIGHT], rho[UPPER], 0, rho[FORE], 0, hand_length};
  const gradyn_scalar *gear = gradyn_parameter_array(mbs, rho, GEAR, NULL);
  gradyn_scalar end[JOINTS];
  arm s = {.axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  int number[JOINTS], angle[JOINTS];
  gradyn_end_time(mbs, rho[DURATION]);
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  /* joint angles at both ends of the path follow from the given poses */
  solve(&pick, rho, s.angle);
  solve(&place, rho, end);
  /* adds the bodies in the initial pose */
  for (int i = 0; i < JOINTS; i++)
    add_body(mbs, &s, i, length[i]);
  /* adds the joints between consecutive bodies */
  for (int i = 0; i < JOINTS; i++) {
    number[i] = add_joint(mbs, &s, i);
    angle[i] = gradyn_joint_coordinate(mbs, number[i], GRADYN_ANGLE);
  }
  /* springs balance the weight of the arm */
  for (int k = 0; k < SPRUNG; k++)
    gradyn_joint_spring(
        mbs, &(gradyn_joint_spring_spec){gradyn_format_name(mbs, "spring%d", sprung[k] + 1),
                                         angle[sprung[k]],
                                         .k = gradyn_parameter_array(mbs, rho, STIFFNESS, NULL)[k],
                                         .free = gradyn_parameter_array(mbs, rho, REST, NULL)[k]});
  for (int i = 0; i < JOINTS; i++)
    add_motor(mbs, i, number[i], angle[i], add_drive(mbs, i, angle[i], s.angle[i], end[i], rho),
              gear[i]);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(robot_arm, .summary = "Robot arm with six joints: lengths, gears, springs, path",
               .params = params, .build = build, .method = "kinematic", .step = 0.04);
