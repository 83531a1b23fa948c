/* A car with four double-wishbone suspensions on a rough road, Ebrahimi et al. (2018), section 6.3. 52
 * coordinates of joints and 8 coefficients of springs and dampers minimise the motion of the chassis'
 * centre, with a limit on the stress in all 16 beams.
 *
 * Our choice where the paper says nothing: the ball joints are above and below the wheel's centre, at the
 * heights of the joints on the chassis. The wishbones are therefore horizontal at the start. Beams turn
 * freely in these joints. Shock absorbers lead from the lower ball joint 0.35 m inwards (setting inset),
 * clear of the tyre. Free lengths are initial lengths, as in section 5.4. Only the height of a wheel is
 * driven. At the start the chassis is at rest, the wheels move upwards, and the wishbones rotate as rigid
 * bodies would. The chassis is a box of 2.2 x 1 x 0.5 m, a wheel a disc of 0.28 m radius and 0.19 m width.
 * Beams have their full elastic force, with a slight material damping. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { POINTS = 16, CORNERS = 4 };

/* Order of the parameters: X, Y, Z of points 1 to 16, then Z17 to Z20, k1 to k4, c1 to c4. */
enum { TOP = 3 * POINTS, STIFFNESS = TOP + CORNERS, DAMPING = STIFFNESS + CORNERS };

#define COORDINATE(name, value, least, most)                                                       \
  {                                                                                                \
    name, "m", .init = value, .lower = least, .upper = most                                        \
  }
#define POINT(i, x, y, z, x0, y0, z0, x1, y1, z1)                                                  \
  COORDINATE("X" #i, x, x0, x1), COORDINATE("Y" #i, y, y0, y1), COORDINATE("Z" #i, z, z0, z1)

/* Ebrahimi et al. (2018), table 1: initial values, lower bounds, upper bounds. */
static const gradyn_param params[] = {
    /* front right */
    POINT(1, -1.27, 0.21, 0.15, -1.35, 0.1, 0.1, -1.1, 0.35, 0.3),
    POINT(2, -0.96, 0.21, 0.15, -1.1, 0.1, 0.1, -0.8, 0.35, 0.3),
    POINT(3, -1.27, 0.18, 0, -1.35, 0.1, -0.1, -1.1, 0.35, 0.1),
    POINT(4, -0.96, 0.18, 0, -1.1, 0.1, -0.1, -0.8, 0.35, 0.1),
    /* rear right */
    POINT(5, 0.21, 0.14, 0.25, 0.1, 0.1, 0.1, 0.35, 0.3, 0.3),
    POINT(6, 0.52, 0.14, 0.25, 0.4, 0.1, 0.1, 0.65, 0.3, 0.3),
    POINT(7, 0.21, 0.1, 0, 0.1, 0.1, -0.1, 0.35, 0.3, 0.1),
    POINT(8, 0.52, 0.1, 0, 0.4, 0.1, -0.1, 0.65, 0.3, 0.1),
    /* rear left */
    POINT(9, 0.21, -0.14, 0.25, 0.1, -0.3, 0.1, 0.35, -0.1, 0.3),
    POINT(10, 0.52, -0.14, 0.25, 0.4, -0.3, 0.1, 0.65, -0.1, 0.3),
    POINT(11, 0.21, -0.1, 0, 0.1, -0.3, -0.1, 0.35, -0.1, 0.1),
    POINT(12, 0.52, -0.1, 0, 0.4, -0.3, -0.1, 0.65, -0.1, 0.1),
    /* front left */
    POINT(13, -1.27, -0.21, 0.15, -1.35, -0.35, 0.1, -1.1, -0.1, 0.3),
    POINT(14, -0.96, -0.21, 0.15, -1.1, -0.35, 0.1, -0.8, -0.1, 0.3),
    POINT(15, -1.27, -0.18, 0, -1.35, -0.35, -0.1, -1.1, -0.1, 0.1),
    POINT(16, -0.96, -0.18, 0, -1.1, -0.35, -0.1, -0.8, -0.1, 0.1),
    COORDINATE("Z17", 0.3, 0.15, 0.6),
    COORDINATE("Z18", 0.4, 0.15, 0.6),
    COORDINATE("Z19", 0.4, 0.15, 0.6),
    COORDINATE("Z20", 0.3, 0.15, 0.6),
    {"k1", "N/m", .init = 10000, .lower = 100, .upper = 30000},
    {"k2", "N/m", .init = 10000, .lower = 100, .upper = 30000},
    {"k3", "N/m", .init = 10000, .lower = 100, .upper = 30000},
    {"k4", "N/m", .init = 10000, .lower = 100, .upper = 30000},
    {"c1", "N s/m", .init = 50, .lower = 20, .upper = 1000},
    {"c2", "N s/m", .init = 500, .lower = 20, .upper = 1000},
    {"c3", "N s/m", .init = 500, .lower = 20, .upper = 1000},
    {"c4", "N s/m", .init = 50, .lower = 20, .upper = 1000},
};

static const gradyn_setting settings[] = {
    {"elements", "elements of each beam", .init = 2, .lower = 1, .upper = 100},
    {"linear", "elastic force: 0 full strain and curvature, 1 linear", .init = 0, .upper = 1},
    {"inset", "mm from the middle of a wheel inwards to its shock absorber", .init = 350,
     .upper = 500},
    {"constraints", "1: stress and length of all beams limited, 0: not", .init = 1, .upper = 1},
};

/* A corner of the car: its wheel, and the motion of the road there (tables 2 and 3). */
typedef struct corner {
  const char *name;
  double wheel[3];  /* centre of mass, m */
  double half;      /* vertical distance of the ball joints from the wheel's centre, m */
  double amplitude; /* amplitude of the road, m */
  double frequency; /* rad/s */
} corner;

static const corner corners[CORNERS] = {
    {"front_right", {-1.110, 0.680, 0.075}, 0.075, 0.050, 6.28318530717958648},
    {"rear_right", {0.370, 0.560, 0.125}, 0.125, 0.075, 12.5663706143591730},
    {"rear_left", {0.370, -0.560, 0.125}, 0.125, 0.075, 12.5663706143591730},
    {"front_left", {-1.110, -0.680, 0.075}, 0.075, 0.050, 6.28318530717958648},
};

/* A wishbone at the start: its joints on the chassis, its ball joint, and its angular rate about the line
 * through the joints on the chassis. The ball joint moves upwards with the wheel; the chassis is at rest. */
typedef struct motion {
  const gradyn_scalar *place; /* [2][3], m */
  int first;                  /* index from 0 of the first joint on the chassis */
  gradyn_scalar joint[3];     /* m */
  gradyn_scalar velocity[3];  /* velocity of the ball joint, m/s */
  gradyn_scalar omega[3];     /* rad/s */
} motion;

/* Computes the initial rate of a wishbone whose ball joint moves upwards at the rate `climb`. */
static void turn(motion *w, double climb)
{
  gradyn_scalar line[3], arm[3];
  for (int k = 0; k < 3; k++) {
    line[k] = w->place[3 + k] - w->place[k]; /* line about which the wishbone turns */
    arm[k] = w->joint[k] - w->place[k];      /* vector from the first joint to the ball joint */
  }
  /* climb = (omega x arm)_z */
  gradyn_scalar rate = climb / (line[0] * arm[1] - line[1] * arm[0]);
  for (int k = 0; k < 3; k++) {
    int i = (k + 1) % 3, j = (k + 2) % 3;
    /* omega = rate line, v = omega x arm */
    w->omega[k] = rate * line[k];
    w->velocity[k] = rate * (line[i] * arm[j] - line[j] * arm[i]);
  }
}

/* Adds the functional of a beam: the smooth maximum of its stress over nodes, fibres and time. */
static void limit(gradyn_model *mbs, int beam, int number)
{
  if (!gradyn_setting_value(mbs, "constraints"))
    return;
  /* limit of 400 MPa */
  int stress = gradyn_functional(
      mbs, &(gradyn_functional_spec){
               gradyn_format_name(mbs, "stress%d", number),
               gradyn_measure_stress(mbs, "", beam, GRADYN_ALL_NODES, GRADYN_EITHER_FIBRE),
               .reduction = GRADYN_SMOOTH_MAXIMUM, .scale = 400e6, .sharpness = 50});
  gradyn_constrain(mbs, stress, -INFINITY, 1, 1e-3);
  int length = gradyn_functional(
      mbs, &(gradyn_functional_spec){gradyn_format_name(mbs, "length%d", number),
                                     gradyn_measure_beam_length(mbs, "", beam),
                                     .reduction = GRADYN_AT_END});
  /* requires a positive length */
  gradyn_constrain(mbs, length, 0.001, INFINITY, 1e-6);
}

/* Adds two beams from the chassis to a ball joint on the wheel, where they are welded together. */
static void wishbone(gradyn_model *mbs, int chassis, int ball, const motion *w)
{
  int beam[2];
  for (int i = 0; i < 2; i++) {
    /* the beams lead from two points of the chassis to the ball joint */
    const gradyn_scalar *p = w->place + 3 * i;
    int number = w->first + i + 1;
    int root = gradyn_body_point_3d(mbs, chassis, gradyn_format_name(mbs, "P%d", number), p[0],
                                    p[1], p[2]);
    gradyn_beam_spec spec = {.name = gradyn_format_name(mbs, "beam%d", number),
                             .from = root,
                             .to = ball,
                             .elements = gradyn_setting_value(mbs, "elements"),
                             .section = gradyn_section_tube(0.015, 0.010),
                             .young = 200e9,
                             .density = 7800,
                             .damping = 1e-4,
                             .linear = gradyn_setting_value(mbs, "linear")};
    for (int k = 0; k < 3; k++) /* initial angular rate of a rigid wishbone */
      spec.omega[k] = w->omega[k];
    beam[i] = gradyn_beam(mbs, &spec);
    limit(mbs, beam[i], number);
  }
  /* welds the beams at the ball joint */
  gradyn_weld_beams(mbs, gradyn_format_name(mbs, "weld%d", w->first / 2 + 1), beam[0],
                    GRADYN_BEAM_END, beam[1], GRADYN_BEAM_END);
}

/* Adds a spring, unstressed at the start, and a damper from the lower ball joint to the chassis. */
static void shock_absorber(gradyn_model *mbs, int chassis, int ball, int i,
                           const gradyn_scalar rho[])
{
  const corner *c = &corners[i];
  const double inset = copysign(1e-3 * gradyn_setting_value(mbs, "inset"), c->wheel[1]);
  /* the absorber is upright except for the inset */
  /* the free length is the distance at the start */
  const gradyn_scalar arm[2] = {inset, rho[TOP + i] - c->wheel[2] + c->half};
  int tower = gradyn_body_point_3d(mbs, chassis, gradyn_format_name(mbs, "tower_%s", c->name),
                                   c->wheel[0], c->wheel[1] - inset, rho[TOP + i]);
  gradyn_spring(mbs, &(gradyn_spring_spec){.name = gradyn_format_name(mbs, "spring_%s", c->name),
                                           .from = tower,
                                           .to = ball,
                                           .k = rho[STIFFNESS + i],
                                           .free_length = sqrt(arm[0] * arm[0] + arm[1] * arm[1])});
  gradyn_dashpot(mbs, gradyn_format_name(mbs, "damper_%s", c->name), tower, ball, rho[DAMPING + i]);
}

/* Adds a wheel that follows the road. Its initial velocities agree with those of its wishbones. */
static int road_wheel(gradyn_model *mbs, const corner *c, const motion *lower, const motion *upper)
{
  const double climb = c->amplitude * c->frequency; /* rate of the road A sin(omega t) at t = 0 */
  /* velocity: mean of both ball joints; angular rate: from their difference */
  gradyn_body_spec wheel = {
      .name = gradyn_format_name(mbs, "wheel_%s", c->name),
      .centre = {c->wheel[0], c->wheel[1], c->wheel[2]},
      .mass = 20,
      .inertia = {0.45, 0.78, 0.45},
      .velocity = {(upper->velocity[0] + lower->velocity[0]) / 2,
                   (upper->velocity[1] + lower->velocity[1]) / 2, climb},
      .omega = {(lower->velocity[1] - upper->velocity[1]) / (2 * c->half),
                (upper->velocity[0] - lower->velocity[0]) / (2 * c->half)},
  };
  int body = gradyn_body_3d(mbs, &wheel);
  gradyn_draw_cylinder(mbs, body, GRADYN_Y, 0.28, 0.19);
  gradyn_coordinate(
      mbs, gradyn_format_name(mbs, "road_%s", c->name), gradyn_body_centre(mbs, body), GRADYN_Z,
      &(gradyn_time_function){
          .value = c->wheel[2], .amplitude = c->amplitude, .frequency = c->frequency});
  return body;
}

/* Adds the wheel, both wishbones and the shock absorber of a corner. */
static void suspension(gradyn_model *mbs, int chassis, int i, const gradyn_scalar rho[])
{
  const corner *c = &corners[i];
  motion side[2];
  for (int upper = 0; upper < 2; upper++) {
    /* of the four points of a corner, the last two belong to the lower wishbone */
    int first = 4 * i + (upper ? 0 : 2);
    side[upper] = (motion){.place = rho + 3 * first, .first = first};
    for (int k = 0; k < 3; k++)
      side[upper].joint[k] = c->wheel[k] + (k < 2 ? 0 : upper ? c->half : -c->half);
    turn(&side[upper], c->amplitude * c->frequency);
  }
  /* the velocities of both ball joints determine the angular rate of the wheel */
  int wheel = road_wheel(mbs, c, &side[0], &side[1]), ball[2];
  for (int upper = 1; upper >= 0; upper--) {
    const gradyn_scalar *r = side[upper].joint;
    ball[upper] = gradyn_body_point_3d(
        mbs, wheel, gradyn_format_name(mbs, "%s_%s", upper ? "upper" : "lower", c->name), r[0],
        r[1], r[2]);
    wishbone(mbs, chassis, ball[upper], &side[upper]);
  }
  /* the absorber is fixed to the lower wishbone */
  shock_absorber(mbs, chassis, ball[0], i, rho);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  /* m, kg, kg m^2 */
  const gradyn_body_spec car = {.name = "chassis",
                                .centre = {0.243, 0, 0.365},
                                .mass = 300,
                                .inertia = {31.25, 127.25, 146.0}};
  int chassis = gradyn_body_3d(mbs, &car);
  gradyn_draw_box(mbs, chassis, 2.2, 1, 0.5);
  gradyn_draw_trace(mbs, gradyn_body_centre(mbs, chassis));
  /* the objective is the deviation of the chassis from its initial position */
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){
              "displacement",
              gradyn_measure_point(mbs, "", gradyn_body_centre(mbs, chassis), 0, GRADYN_ALL_AXES),
              .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.243, 0, 0.365}}),
      1);
  for (int i = 0; i < CORNERS; i++)
    suspension(mbs, chassis, i, rho);
  gradyn_gravity_3d(mbs, 0, 0, -9.81); /* gravity along -z */
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(double_wishbone, .summary = "Car with four flexible double-wishbone suspensions",
               .reference =
                   "Ebrahimi et al. (2018), section 6.3; inertia tensors, ball joints, mounting of "
                   "the shock absorbers, mesh and material damping are ours",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 3.0, .method = "variational", .step = 1e-3);
