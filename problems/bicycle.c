/* The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (2007): rear frame with a rigid rider,
 * front fork with handlebar, and two wheels that roll without slipping, hands off. Its 25 parameters are
 * those of table 1 of the paper. There x points forward and z down; here z points up. Therefore y and z,
 * and products of inertia with one of them, change their signs. With tyres instead, the numbers of Lopez
 * Varela's thesis (2022), table 7.24, are used. */
#include <gradyn/gradyn.h>
#include <tgmath.h>

enum { SPEED, LEAN_RATE, PUSH, WHEEL_BASE, TRAIL, TILT, GIVE };

static const gradyn_param params[] = {
    [SPEED] = {"speed", "m/s", .init = 4.6, .lower = 0, .upper = 12, .fixed = true},
    [LEAN_RATE] = {"lean_rate", "rad/s", .init = 0, .lower = -1, .upper = 1, .fixed = true},
    [PUSH] = {"push", "N", .init = 200, .lower = -300, .upper = 300, .fixed = true},
    [WHEEL_BASE] = {"wheel_base", "m", .init = 1.02, .lower = 0.8, .upper = 1.3, .fixed = true},
    [TRAIL] = {"trail", "m", .init = 0.08, .lower = 0, .upper = 0.2},
    [TILT] = {"steer_tilt", "rad", .init = 0.31415926535897932385, .lower = 0, .upper = 0.6},
    [GIVE] = {"give", "", .init = 1, .lower = 1e-6, .upper = 2, .fixed = true,
              .count_from = "tyres"},
};

static const gradyn_setting settings[] = {
    {"tyres", "whether wheels have tyres that deflect and slip, or roll", 0, 0, 1},
};

enum { REAR_WHEEL, REAR_FRAME, FRONT_FRAME, FRONT_WHEEL, BODIES };

/* Table 1: mass, kg; moments of inertia xx, yy, zz, xz about the centre of mass, kg m^2. */
static const struct {
  const char *name;
  double mass, inertia[4];
} part[BODIES] = {{"rear_wheel", 2, {0.0603, 0.12, 0.0603, 0}},
                  {"rear_frame", 85, {9.2, 11, 2.8, -2.4}},
                  {"front_frame", 4, {0.05892, 0.06, 0.00708, 0.00756}},
                  {"front_wheel", 3, {0.1405, 0.28, 0.1405, 0}}};
static const double rear_radius = 0.3, front_radius = 0.35, pivot = 0.7; /* m */
/* Centres of mass of all bodies except the front wheel: x and z, m. */
static const double place[FRONT_WHEEL][2] = {{0, 0.3}, {0.3, 0.9}, {0.9, 0.7}};
static const double gravity = 9.81; /* m/s^2 */

/* Adds a body at (x, 0, z). It moves forward, turns about y, and leans with all other bodies about the line
 * of contact on the ground. */
static int add_body(gradyn_model *mbs, int which, gradyn_scalar x, gradyn_scalar z,
                    gradyn_scalar turning, const gradyn_scalar rho[])
{
  const double *J = part[which].inertia;
  return gradyn_body_3d(mbs, &(gradyn_body_spec){.name = part[which].name,
                                                 .centre = {x, 0, z},
                                                 .mass = part[which].mass,
                                                 .inertia = {J[0], J[1], J[2], 0, J[3], 0},
                                                 .velocity = {rho[SPEED], -rho[LEAN_RATE] * z, 0},
                                                 .omega = {rho[LEAN_RATE], turning, 0}});
}

/* Data of a wheel: name, bodies of its hub, frame of the road, position, vertical load in N, and compliance
 * of its tyre. give NULL: it has no tyre. */
typedef struct wheel {
  const char *name;
  int frame, body, ground;
  gradyn_scalar x;
  double radius;
  gradyn_scalar load;
  const gradyn_scalar *give;
} wheel;

/* Adds a tyre whose radius is right under its load, so that the bicycle stands as high as on rigid rolling
 * discs. All compliances are proportional to `give`. Relaxation lengths are our choice, since the table has
 * none. */
static void add_tyre(gradyn_model *mbs, const wheel *w, const char *name, int disc)
{
  const gradyn_scalar give = *w->give, stiffness = 6000 / give;
  gradyn_tyre(mbs, &(gradyn_tyre_spec){.name = name,
                                       .wheel = disc,
                                       .ground = w->ground,
                                       .radius = w->radius + w->load / stiffness,
                                       .stiffness = stiffness,
                                       .damping = 100,
                                       .rebound = 80,
                                       .critical = {0.15 * give, 0.15 * give},
                                       .friction = {1, 1},
                                       .relaxation = {0.1 * give, 0.1 * give},
                                       .smoothing = 5,
                                       .slow = 0.01});
}

/* Adds a hub that turns about y, and its wheel on the ground. */
static void add_wheel(gradyn_model *mbs, const wheel *w)
{
  gradyn_joint_between(
      mbs, &(gradyn_joint_between_spec){.name = gradyn_format_name(mbs, "%s_hub", w->name),
                                        .kind = GRADYN_REVOLUTE,
                                        .body_a = w->frame,
                                        .body_b = w->body,
                                        .position = {w->x, 0, w->radius},
                                        .axis = {0, 1, 0}});
  const int disc = gradyn_frame(
      mbs, &(gradyn_frame_spec){.name = gradyn_format_name(mbs, "%s_disc", w->name),
                                .body = w->body,
                                .origin = {w->x, 0, w->radius},
                                .axis = {0, 1, 0}});
  const char *tyre = gradyn_format_name(mbs, "%s_tyre", w->name);
  if (w->give)
    add_tyre(mbs, w, tyre, disc);
  else
    gradyn_wheel(mbs, &(gradyn_wheel_spec){tyre, disc, w->ground, w->radius});
}

/* Returns the vertical load of the front wheel at rest, N; *all: load of both wheels, N. */
static gradyn_scalar find_load(gradyn_scalar wheel_base, double *all)
{
  double moment = 0, mass = 0;
  for (int i = 0; i < FRONT_WHEEL; i++) {
    moment += part[i].mass * place[i][0];
    mass += part[i].mass;
  }
  *all = gravity * (mass + part[FRONT_WHEEL].mass);
  return gravity * (moment / wheel_base + part[FRONT_WHEEL].mass);
}

/* Adds a lateral force on the rear frame: zero until 0.2 s, then a pulse of 0.2 s. */
static void add_push(gradyn_model *mbs, int at, gradyn_scalar most)
{
  const gradyn_scalar knots[] = {0, 0, most, 0}, times[] = {0, 0.2, 0.3, 0.4};
  const int push = gradyn_signal(mbs, &(gradyn_signal_spec){.name = "push",
                                                            .unit = "N",
                                                            .kind = GRADYN_PIECEWISE_LINEAR,
                                                            .count = GRADYN_COUNT(knots),
                                                            .knots = knots,
                                                            .times = times});
  gradyn_force(mbs, &(gradyn_force_spec){.name = "aside", .point = at, .fy = 1, .signal = push});
}

/* Sine of the lean angle, as the height difference between two points 1 m apart. */
static gradyn_status higher(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->of[0] - at->of[1];
  return GRADYN_OK;
}

static int measure_lean(gradyn_model *mbs, int frame)
{
  const int left = gradyn_body_point_3d(mbs, frame, "left", 0.3, 1, 0.9);
  const int of[] = {
      gradyn_measure_point(mbs, "height_left", left, 0, GRADYN_Z),
      gradyn_measure_point(mbs, "height", gradyn_body_centre(mbs, frame), 0, GRADYN_Z)};
  return gradyn_measure_formula(
      mbs, &(gradyn_measure_formula_spec){.name = "lean", .formula = higher, .of = of, .count = 2});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const gradyn_scalar w = rho[WHEEL_BASE], s = sin(rho[TILT]), c = cos(rho[TILT]);
  const gradyn_scalar v = rho[SPEED];
  const gradyn_scalar *give = gradyn_setting_value(mbs, "tyres")
                                  ? gradyn_parameter_array(mbs, rho, GIVE, NULL)
                                  : NULL;
  double all;
  const gradyn_scalar load = find_load(w, &all);
  int body[BODIES];
  gradyn_gravity_3d(mbs, 0, 0, -gravity);
  for (int i = 0; i < FRONT_WHEEL; i++)
    body[i] = add_body(mbs, i, place[i][0], place[i][1], i == REAR_WHEEL ? v / rear_radius : 0,
                       rho);
  body[FRONT_WHEEL] = add_body(mbs, FRONT_WHEEL, w, front_radius, v / front_radius, rho);
  const int ground = gradyn_frame(
      mbs, &(gradyn_frame_spec){
               .name = "road", .body = GRADYN_GROUND, .axis = {0, 0, 1}, .side = {1, 0, 0}});
  /* the steering axis points up and back; it meets the ground ahead of the contact point by the trail */
  const int head = gradyn_joint_between(
      mbs, &(gradyn_joint_between_spec){.name = "head",
                                        .kind = GRADYN_REVOLUTE,
                                        .body_a = body[REAR_FRAME],
                                        .body_b = body[FRONT_FRAME],
                                        .position = {w + rho[TRAIL] - pivot * s / c, 0, pivot},
                                        .axis = {-s, 0, c},
                                        .side = {c, 0, s}});
  const int steer = gradyn_joint_coordinate(mbs, head, GRADYN_ANGLE);
  add_wheel(mbs, &(wheel){"rear", body[REAR_FRAME], body[REAR_WHEEL], ground, 0, rear_radius,
                          all - load, give});
  add_wheel(mbs, &(wheel){"front", body[FRONT_FRAME], body[FRONT_WHEEL], ground, w, front_radius,
                          load, give});
  gradyn_draw_cylinder(mbs, body[REAR_WHEEL], GRADYN_Y, rear_radius, 0.03);
  gradyn_draw_cylinder(mbs, body[FRONT_WHEEL], GRADYN_Y, front_radius, 0.03);
  gradyn_draw_box(mbs, body[REAR_FRAME], 0.3, 0.2, 1);
  gradyn_draw_box(mbs, body[FRONT_FRAME], 0.05, 0.5, 0.7);
  add_push(mbs, gradyn_body_centre(mbs, body[REAR_FRAME]), rho[PUSH]);
  const int lean = measure_lean(mbs, body[REAR_FRAME]);
  const int steering = gradyn_measure_joint(mbs, "steering", steer, 0);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs, &(gradyn_functional_spec){"leaned", lean, .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"steered", steering, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){"energy", gradyn_measure_energy(mbs, ""),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(bicycle, .summary = "Benchmark bicycle on two wheels that roll, hands off",
               .reference = "Meijaard, Papadopoulos, Ruina and Schwab (2007)", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 5.0, .method = "explicit", .rtol = 1e-9);
