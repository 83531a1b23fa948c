/* Inverted pendulum on a plate, Verulkar et al. (2023), section 4.1. A plate slides on the ground without
 * rotation, with friction, and carries a bar on a spherical joint. Two PID controllers push the plate along
 * x and y to keep the bar's centre above that of the plate.
 *
 * Our choice where the paper says nothing: a plate of 1.5 kg, and a bar of 1 m and 0.5 kg. The bar starts
 * at rest, with its centre 0.12 and 0.08 m off the vertical. The run takes 2 s; gravity is 9.81 m/s^2. With
 * these data friction is 6 N, "less than 10 % of the maximum actuator force" in the paper. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { KP, KI, KD };
/* numbers of points: the centres of the bodies, in the order of their declaration */
enum { PLATE = 1, BAR = 5 };

static const gradyn_param params[] = {
    [KP] = {"Kp", "N/m", .init = 750, .lower = 100, .upper = 2000, .scale = 300,
            .role = GRADYN_CONTROL},
    [KI] = {"Ki", "N/(m s)", .init = 200, .lower = 0, .upper = 2000, .scale = 300,
            .role = GRADYN_CONTROL},
    [KD] = {"Kd", "N s/m", .init = 10, .lower = 0, .upper = 500, .scale = 50,
            .role = GRADYN_CONTROL},
};

static const gradyn_setting settings[] = {
    {"friction", "0: none, 1: Brown and McPhee [0.4, 0.3], 2: Gonthier [0.5, 0.4]", .init = 1,
     .upper = 2}};

/* 1e5 (e_x^2 + e_y^2) */
static gradyn_status square_of_error(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar x = at->pos[3 * BAR] - at->pos[3 * PLATE];
  gradyn_scalar y = at->pos[3 * BAR + 1] - at->pos[3 * PLATE + 1];
  *value = at->data[0] * (x * x + y * y);
  return GRADYN_OK;
}

/* Adds the friction between plate and floor, by the law that the setting selects. */
static void rub(gradyn_model *mbs, int floor)
{
  const int kind = gradyn_setting_value(mbs, "friction");
  /* the paper gives different coefficients for the two laws */
  const gradyn_joint_friction_spec smooth = {.name = "friction",
                                             .joint = floor,
                                             .still = 0.4,
                                             .kinetic = 0.3,
                                             .transition = 1e-2,
                                             .smoothing = 1e-3};
  /* the law of Gonthier: bristles with a dwell time */
  const gradyn_joint_friction_spec bristles = {.name = "friction",
                                               .joint = floor,
                                               .law = GRADYN_GONTHIER,
                                               .still = 0.5,
                                               .kinetic = 0.4,
                                               .transition = 1e-2,
                                               .smoothing = 1e-3,
                                               .stiffness = 1e3,
                                               .damping = 3,
                                               .dwell = 0.1};
  if (kind > 0)
    gradyn_joint_friction(mbs, kind == 1 ? &smooth : &bristles);
}

/* Adds a controller, equation (49) or (50): the error e is the offset of the bar's centre from that of the
 * plate. A positive u pushes forwards. */
static void control(gradyn_model *mbs, const gradyn_scalar rho[], const char *name, int pushed,
                    int error)
{
  /* u = Kp e + Ki int e + Kd e'. The gains change their sign, because gradyn_pid() takes target - measured
   * as the error */
  gradyn_pid(mbs, &(gradyn_pid_spec){.name = name,
                                     .coordinate = pushed,
                                     .measured = error,
                                     .kp = -rho[KP],
                                     .ki = -rho[KI],
                                     .kd = -rho[KD]});
  int u = gradyn_measure_effort(mbs, gradyn_format_name(mbs, "%s.effort", name), name);
  /* the integral of u^2 is part of the cost */
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "%s.square", name),
                                                       u, .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* the bar leans by 17 degrees at the start */
  const double lean[3] = {0.12, 0.08, sqrt(0.25 - 0.12 * 0.12 - 0.08 * 0.08)};
  /* moments of inertia of the bar, normal to its axis and about it */
  const double mass = 0.5, across = mass / 12, along = 1e-4;
  gradyn_body_spec bar = {.name = "bar", .mass = mass};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  /* I = m l^2/12 (1 - u u^T) + along u u^T, where u is the direction of the bar */
  for (int k = 0; k < 3; k++)
    bar.centre[k] = lean[k];
  for (int k = 0; k < 6; k++) /* lean/0.5 is the direction of the bar */
    bar.inertia[k] = (k < 3 ? across : 0) + (along - across) * 4 * lean[row[k]] * lean[column[k]];
  /* the plate is added first, because square_of_error() requires this order of points */
  int plate = gradyn_body_3d(
      mbs, &(gradyn_body_spec){.name = "plate", .mass = 1.5, .inertia = {0.01, 0.01, 0.02}});
  int pole = gradyn_body_3d(mbs, &bar);
  /* the joint permits slides along x and y, and a rotation about z */
  int floor = gradyn_joint_between(mbs, &(gradyn_joint_between_spec){.name = "floor",
                                                                     .kind = GRADYN_PLANAR,
                                                                     .body_a = GRADYN_GROUND,
                                                                     .body_b = plate,
                                                                     .axis = {0, 0, 1},
                                                                     .side = {1, 0, 0}});
  /* the bar stands on the centre of the plate */
  gradyn_joint_between(
      mbs, &(gradyn_joint_between_spec){
               .name = "ball", .kind = GRADYN_SPHERICAL, .body_a = plate, .body_b = pole});
  /* the rotation of the plate is prescribed as 0 */
  gradyn_drive_joint(mbs, "straight", gradyn_joint_coordinate(mbs, floor, GRADYN_ANGLE), NULL);
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  rub(mbs, floor);
  int centre = gradyn_frame(mbs, &(gradyn_frame_spec){.name = "centre",
                                                      .body = pole,
                                                      .origin = {lean[0], lean[1], lean[2]},
                                                      .axis = {0, 0, 1}});
  for (int k = 0; k < 2; k++) {
    /* error along x (k = 0) or y: the offset of the bar's centre in a frame of the plate */
    int from = gradyn_frame(
        mbs,
        &(gradyn_frame_spec){.name = k ? "from_y" : "from_x", .body = plate, .axis = {!k, k, 0}});
    int error = gradyn_frame_coordinate(mbs, k ? "error_y" : "error_x", from, centre, GRADYN_SLIDE);
    /* 1e5 times the integral of e^2 is part of the cost */
    gradyn_minimise(
        mbs,
        gradyn_functional(
            mbs, &(gradyn_functional_spec){k ? "miss_y" : "miss_x",
                                           gradyn_measure_joint(mbs, k ? "e_y" : "e_x", error, 0),
                                           .reduction = GRADYN_SQUARE_INTEGRAL}),
        1e5);
    control(mbs, rho, k ? "u_y" : "u_x",
            gradyn_joint_coordinate(mbs, floor, k ? GRADYN_SLIDE_Y : GRADYN_SLIDE_X), error);
  }
  /* so is the error at the end */
  int last = gradyn_custom_functional(
      mbs, &(gradyn_custom_functional_spec){"end", "", .terminal = square_of_error,
                                            .data = &(gradyn_datum){"weight", "1/m^2", 1e5},
                                            .data_count = 1});
  gradyn_minimise(mbs, last, 1); /* (48) */
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(inverted_pendulum,
               .summary = "Inverted pendulum on a plate with friction, PID gains",
               .reference = "Verulkar et al. (2023), section 4.1", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 2.0);
