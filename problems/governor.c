/* Centrifugal governor, Verulkar et al. (2023), section 4.2: flyweights on arms that hinge on a turning
 * pillar lift a collar against a spring. The torque on the pillar is proportional to the height of the
 * collar below a neutral one. Seven design parameters keep the speed of the pillar at 15 rad/s in spite of
 * friction in the hinges.
 *
 * Our choice where the paper says nothing: a steel pillar of 20 mm, aluminium arms of 6 mm, and a collar 20
 * mm high. The spring is relaxed where the torque vanishes. The governor starts at 10 rad/s with its collar
 * at rest there, and runs for 2 s. Hinges have 6 mm and are 10 mm long, with friction 0.3 and 0.2. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { TOP, BOTTOM, OVERHANG, OFFSET, COLLAR, HEIGHT, FLYWEIGHT };

/* Table 4 of the paper. */
static const gradyn_param params[] = {
    [TOP] = {"top_arm", "m", .init = 0.135, .lower = 0.1, .upper = 0.15},
    [BOTTOM] = {"bottom_arm", "m", .init = 0.08, .lower = 0.06, .upper = 0.1},
    [OVERHANG] = {"overhang", "", .init = 0.3, .lower = 0.2, .upper = 0.4},
    [OFFSET] = {"offset", "m", .init = 0.025, .lower = 0.02, .upper = 0.03},
    [COLLAR] = {"collar", "m", .init = 0.025, .lower = 0.02, .upper = 0.03},
    [HEIGHT] = {"height", "m", .init = 0.225, .lower = 0.2, .upper = 0.25},
    [FLYWEIGHT] = {"flyweight", "kg", .init = 0.03, .lower = 0.02, .upper = 0.04},
};

static const gradyn_setting settings[] = {
    {"friction", "1: in the hinges of the arms, 0: none", .init = 1, .upper = 1},
    {"settle", "1: the final speed is 15 rad/s exactly; 0: it is not prescribed", .init = 1,
     .upper = 1}};

static const double pi = 3.14159265358979323846, steel = 7850, aluminium = 2700; /* kg/m^3 */
static const double shaft = 0.01, arm_radius = 0.003, collar_height = 0.02;      /* m */
static const double neutral = 0.1, gain = 200, speed = 10; /* m, N m/m, rad/s */

/* Computes the position of the joint P between arm and link, from the hinge A, the joint C at the collar
 * and two lengths: P = A + along e + across n, with e from A to C. Returns across^2, m^2, which must be
 * positive. */
static gradyn_scalar find_joint(const gradyn_scalar A[2], const gradyn_scalar C[2],
                                gradyn_scalar upper, gradyn_scalar lower, gradyn_scalar P[2])
{
  /* intersects circles about A and C: along = (upper^2 - lower^2 + D^2)/(2 D) */
  gradyn_scalar x = C[0] - A[0], z = C[1] - A[1], D = sqrt(x * x + z * z);
  gradyn_scalar along = (upper * upper - lower * lower + D * D) / (2 * D);
  gradyn_scalar square = upper * upper - along * along;
  /* lengths that cannot be assembled still give a model; the constraint on `square` excludes them */
  gradyn_scalar across = sqrt(creal(square) > 1e-6 ? square : 1e-6);
  P[0] = A[0] + (along * x - across * z) / D;
  P[1] = A[1] + (along * z + across * x) / D;
  return square;
}

/* Adds a round rod of aluminium from A in the direction u = (x, z), in the plane y = 0. */
static int add_arm(gradyn_model *mbs, const char *name, const gradyn_scalar A[2],
                   const gradyn_scalar u[2], gradyn_scalar length)
{
  gradyn_scalar mass = aluminium * pi * arm_radius * arm_radius * length;
  /* J = across 1 + (axial - across) u u^T */
  gradyn_scalar across = mass * length * length / 12, axial = mass * arm_radius * arm_radius / 2;
  return gradyn_body_3d(
      mbs, &(gradyn_body_spec){.name = name,
                               .centre = {A[0] + u[0] * length / 2, 0, A[1] + u[1] * length / 2},
                               .mass = mass,
                               .inertia = {across + (axial - across) * u[0] * u[0], across,
                                           across + (axial - across) * u[1] * u[1], 0,
                                           (axial - across) * u[0] * u[1], 0}});
}

/* Adds one side: an arm on the pillar with its flyweight, and the link to the collar. side: 1 or -1. */
static void add_side(gradyn_model *mbs, const gradyn_scalar rho[], const int body[2],
                     const gradyn_scalar P[2], int side)
{
  const char *end = side > 0 ? "right" : "left";
  const gradyn_scalar A[2] = {side * rho[OFFSET], rho[HEIGHT]};
  /* distance from the pillar at which the link is hinged to the arm */
  const gradyn_scalar reach = (1 - rho[OVERHANG]) * rho[TOP];
  const gradyn_scalar u[2] = {(side * P[0] - A[0]) / reach, (P[1] - A[1]) / reach};
  const char *name = gradyn_format_name(mbs, "%s_arm", end);
  /* the arm is a body; its tip and the joint of the link are points of it */
  int arm = add_arm(mbs, name, A, u, rho[TOP]);
  int tip = gradyn_body_point_3d(mbs, arm, gradyn_format_name(mbs, "%s_tip", end),
                                 A[0] + u[0] * rho[TOP], 0, A[1] + u[1] * rho[TOP]);
  int joint = gradyn_body_point_3d(mbs, arm, gradyn_format_name(mbs, "%s_joint", end), side * P[0],
                                   0, P[1]);
  int eye = gradyn_body_point_3d(mbs, body[1], gradyn_format_name(mbs, "%s_eye", end),
                                 side * rho[COLLAR], 0, neutral);
  gradyn_point_mass(mbs, gradyn_format_name(mbs, "%s_flyweight", end), tip, rho[FLYWEIGHT]);
  /* the link is slender and no body: its ends are points of the arm and of the collar */
  gradyn_rod(mbs, &(gradyn_rod_spec){
                      gradyn_format_name(mbs, "%s_link", end), joint, eye, .length = rho[BOTTOM],
                      .mass = aluminium * pi * arm_radius * arm_radius * rho[BOTTOM]});
  int hinge = gradyn_joint_between(
      mbs, &(gradyn_joint_between_spec){.name = gradyn_format_name(mbs, "%s_hinge", end),
                                        .kind = GRADYN_REVOLUTE,
                                        .body_a = body[0],
                                        .body_b = arm,
                                        .position = {A[0], 0, A[1]},
                                        .axis = {0, 1, 0}});
  /* the hinge is a journal bearing, whose pressure is a parabola along its length */
  if (gradyn_setting_value(mbs, "friction"))
    gradyn_joint_friction(
        mbs, &(gradyn_joint_friction_spec){.name = gradyn_format_name(mbs, "%s_friction", end),
                                           .joint = hinge,
                                           .still = 0.3,
                                           .kinetic = 0.2,
                                           .transition = 1e-3,
                                           .smoothing = 1e-3,
                                           .pressure = GRADYN_PARABOLIC_PRESSURE,
                                           .radius = 0.003,
                                           .length = 0.01,
                                           .offset = -0.005});
}

/* Adds a steel pillar on a bearing, and an aluminium collar that slides on it. Returns the angle of the
 * bearing, the height of the collar above its neutral one, and both bodies. */
static void add_shaft(gradyn_model *mbs, const gradyn_scalar rho[], int body[2], int coordinate[2])
{
  /* masses: pi r^2 H rho of the pillar, pi (R^2 - r^2) h rho of the collar */
  const gradyn_scalar H = rho[HEIGHT], R = rho[COLLAR], r = shaft, h = collar_height;
  const gradyn_scalar post = steel * pi * r * r * H, ring = aluminium * pi * (R * R - r * r) * h;
  /* inertias: pillar about a diameter; collar about its axis and about a diameter */
  const gradyn_scalar tilt = post * H * H / 12, turn = ring * (R * R + r * r) / 2;
  const gradyn_scalar roll = turn / 2 + ring * h * h / 12;
  body[0] = gradyn_body_3d(mbs, &(gradyn_body_spec){.name = "pillar",
                                                    .centre = {0, 0, H / 2},
                                                    .mass = post,
                                                    .inertia = {tilt, tilt, post * r * r / 2}});
  body[1] = gradyn_body_3d(mbs, &(gradyn_body_spec){.name = "collar",
                                                    .centre = {0, 0, neutral},
                                                    .mass = ring,
                                                    .inertia = {roll, roll, turn}});
  /* k = 0: the pillar turns in the ground; k = 1: the collar slides along the pillar */
  for (int k = 0; k < 2; k++) {
    int joint = gradyn_joint_between(
        mbs, &(gradyn_joint_between_spec){.name = k ? "guide" : "bearing",
                                          .kind = k ? GRADYN_PRISMATIC : GRADYN_REVOLUTE,
                                          .body_a = k ? body[0] : GRADYN_GROUND,
                                          .body_b = body[k],
                                          .position = {0, 0, k * neutral},
                                          .axis = {0, 0, 1}});
    coordinate[k] = gradyn_joint_coordinate(mbs, joint, k ? GRADYN_SLIDE : GRADYN_ANGLE);
  }
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const gradyn_scalar A[2] = {rho[OFFSET], rho[HEIGHT]}, C[2] = {rho[COLLAR], neutral};
  /* the joint between arm and link follows from both lengths */
  gradyn_scalar P[2];
  gradyn_scalar square = find_joint(A, C, (1 - rho[OVERHANG]) * rho[TOP], rho[BOTTOM], P);
  int body[2], coordinate[2];
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  add_shaft(mbs, rho, body, coordinate);
  for (int side = 1; side >= -1; side -= 2)
    add_side(mbs, rho, body, P, side);
  const int angle = coordinate[0], lift = coordinate[1];
  gradyn_fix_initial_joint(mbs, "start", angle, 0, speed);
  gradyn_fix_initial_joint(mbs, "rest", lift, 0, 0);
  /* the spring is relaxed where the torque of the servo vanishes */
  gradyn_joint_spring(mbs, &(gradyn_joint_spring_spec){"spring", lift, .k = 1000, .c = 50});
  /* the torque is proportional to the height of the collar below that position */
  gradyn_feedback(mbs, &(gradyn_feedback_spec){"servo", angle, .of = &lift, .count = 1, /* (51) */
                                               .gain = (const gradyn_scalar[]){gain}});
  gradyn_measure_effort(mbs, "torque", "servo");
  int omega = gradyn_measure_joint(mbs, "omega", angle, 1);
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){"psi", omega, .reduction = GRADYN_SQUARE_INTEGRAL,
                                                  .target = {15}}),
      1); /* (52a) */
  int omega_end = gradyn_functional(
      mbs, &(gradyn_functional_spec){"omega_end", omega, .reduction = GRADYN_AT_END});
  /* requires the given speed at the end */
  if (gradyn_setting_value(mbs, "settle"))
    gradyn_constrain(mbs, omega_end, 15, 15, 1e-3);
  /* keeps P off the line from A to C, on which arm and link would be stretched */
  gradyn_constrain(mbs, gradyn_design_functional(mbs, "joint_beside_line", "m^2", square), 4e-4,
                   INFINITY, 1e-9);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(governor, .summary = "Centrifugal governor with friction in its hinges",
               .reference = "Verulkar et al. (2023), section 4.2", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 2.0);
