/* An arm and its events. Formulas find its points and coordinates in `built`, of the model in hand. */
#include "tests/mbs/tree/eventful.h"

#include <complex.h>

enum { SPEED, MASS, LEVEL, RESTITUTION };
static const gradyn_param params[] = {{"speed", "rad/s", .init = 0.8},
                                      {"mass", "kg", .init = 1.3},
                                      {"level", "m", .init = -0.3},
                                      {"restitution", "", .init = 0.6}};

typedef struct arm {
  int upper, lower, shoulder, elbow; /* bodies and joints */
  int angle, bend;                   /* coordinates */
  int tip, pivot;                    /* points */
} arm;

/* --- formulas: .user is an arm's point, coordinate or constraint ------------------------------------- */

static arm built; /* of the model in hand */
static int floor_row;

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[3 * built.tip + 2] - at->data[0];
  return GRADYN_OK;
}

/* A coordinate's rate and how fast the tip goes. */
static gradyn_status turn(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[3 * built.angle] + 0.3 * at->vel[3 * built.tip] - at->data[0];
  return GRADYN_OK;
}

/* What goes through the elbow, along z, and how the tip is accelerated. */
static gradyn_status strain(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->lam[floor_row] + 0.1 * at->acc[3 * built.tip + 2] - at->data[0];
  return GRADYN_OK;
}

static gradyn_status pressure(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->lam[floor_row];
  return GRADYN_OK;
}

static gradyn_status moves_down(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->vel[3 * built.tip + 2];
  return GRADYN_OK;
}

static gradyn_status kick(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->vel[3 * built.bend] + 0.2 * at->pos[3 * built.tip];
  return GRADYN_OK;
}

/* Two velocities at once, of both coordinates. */
static gradyn_status kick_both(const gradyn_at *at, gradyn_scalar *value)
{
  value[0] = 0.5 * at->vel[3 * built.angle] + 0.1 * at->vel[3 * built.tip + 2];
  value[1] = -at->data[0] * at->vel[3 * built.bend];
  return GRADYN_OK;
}

static gradyn_status kick_body(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->vel[3 * built.tip + 2];
  return GRADYN_OK;
}

static gradyn_status kinetic(const gradyn_at *at, gradyn_scalar *value)
{
  for (int k = 0; k < 3; k++)
    *value += at->vel[3 * built.tip + k] * at->vel[3 * built.tip + k];
  return GRADYN_OK;
}

/* The tip above a bowl: phi, phi', phi''. */
static gradyn_status bowl(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc;
  const gradyn_scalar c = at->data[1];
  *value = order == 0   ? r[2] - at->data[0] - c * (r[0] * r[0] + r[1] * r[1])
           : order == 1 ? v[2] - 2 * c * (r[0] * v[0] + r[1] * v[1])
                        : a[2] - 2 * c * (r[0] * a[0] + v[0] * v[0] + r[1] * a[1] + v[1] * v[1]);
  return GRADYN_OK;
}

/* --- kinds of events ------------------------------------------------------------------------------- */

static int bounce(gradyn_model *m, const gradyn_scalar rho[])
{
  return gradyn_bounce(m, &(gradyn_bounce_spec){.name = "hit",
                                                .point = built.tip,
                                                .axis = GRADYN_Z,
                                                .level = {.value = rho[LEVEL], .rate = 0.05},
                                                .restitution = rho[RESTITUTION]});
}

static int bounce_off_gap(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"bottom", "m", rho[LEVEL]}, {"bend", "1/m", 0.03}};
  return gradyn_bounce(
      m, &(gradyn_bounce_spec){.name = "hit",
                               .gap = &(gradyn_custom_constraint_spec){.points = &built.tip,
                                                                       .point_count = 1,
                                                                       .fn = bowl,
                                                                       .data = data,
                                                                       .data_count = 2},
                               .restitution = rho[RESTITUTION]});
}

/* Lands, slides, and lifts off; or stays where it has landed. */
static int land(gradyn_model *m, const gradyn_scalar rho[], bool wall, bool captured)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const int air = gradyn_mode(m, "air"), slides = gradyn_mode(m, "slides");
  gradyn_in_mode(m, slides);
  const gradyn_law law = {.value = captured ? 0 : rho[LEVEL]};
  floor_row = gradyn_coordinate(m, "floor", built.tip, GRADYN_Z, &law);
  if (captured)
    gradyn_capture_constraint(m, floor_row);
  gradyn_when(m,
              &(gradyn_when_spec){.name = "lifts", .guard = {.terminal = pressure}, .mode = air});
  gradyn_in_mode(m, air);
  const int event = wall ? gradyn_bounce(m, &(gradyn_bounce_spec){.name = "lands",
                                                                  .point = built.tip,
                                                                  .axis = GRADYN_Z,
                                                                  .level = {.value = rho[LEVEL]},
                                                                  .mode = slides})
                         : gradyn_when(m, &(gradyn_when_spec){.name = "lands",
                                                              .guard = {.terminal = height,
                                                                        .data = &level,
                                                                        .data_count = 1},
                                                              .mode = slides});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
  return event;
}

static int land_by_formula(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, false, false);
}

static int land_on_wall(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, true, false);
}

static int land_where_it_is(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, false, true);
}

/* A drag that begins when the guard says so. */
static int switch_at(gradyn_model *m, gradyn_functional_fn guard, gradyn_functional_fn armed,
                     gradyn_scalar value)
{
  const gradyn_datum at = {"at", "", value};
  const int before = gradyn_mode(m, "before"), behind = gradyn_mode(m, "behind");
  gradyn_in_mode(m, behind);
  gradyn_spring(m, &(gradyn_spring_spec){"band", built.pivot, built.tip, .k = 30, .c = 2,
                                         .free_length = 0.3});
  gradyn_in_mode(m, before);
  const int event = gradyn_when(
      m, &(gradyn_when_spec){.name = "switch",
                             .guard = {.terminal = guard, .data = &at, .data_count = 1},
                             .armed = {.terminal = armed},
                             .direction = GRADYN_EITHER,
                             .mode = behind});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
  return event;
}

static int switch_by_rates(gradyn_model *m, const gradyn_scalar rho[])
{
  return switch_at(m, turn, moves_down, 1.5 * rho[SPEED]);
}

static int switch_by_forces(gradyn_model *m, const gradyn_scalar rho[])
{
  return switch_at(m, strain, NULL, 10 * rho[MASS]);
}

static int reset(gradyn_model *m, const gradyn_scalar rho[], gradyn_functional_fn formula,
                 const gradyn_component *set, int count)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]}, share = {"share", "", rho[RESTITUTION]};
  return gradyn_reset(
      m, &(gradyn_reset_spec){.name = "set",
                              .guard = {.terminal = height, .data = &level, .data_count = 1},
                              .set = set,
                              .set_count = count,
                              .reset = {.terminal = formula, .data = &share, .data_count = 1}});
}

static int reset_rate(gradyn_model *m, const gradyn_scalar rho[])
{
  return reset(m, rho, kick, &(gradyn_component){built.bend, GRADYN_X}, 1);
}

static int reset_rates(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_component set[] = {{built.angle, GRADYN_X}, {built.bend, GRADYN_X}};
  return reset(m, rho, kick_both, set, 2);
}

static int reset_body(gradyn_model *m, const gradyn_scalar rho[])
{
  return reset(m, rho, kick_body, &(gradyn_component){gradyn_body_centre(m, built.lower), GRADYN_Z},
               1);
}

/* The elbow's angle goes on by a turn, and its spring with it. */
static int map_turn(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const gradyn_component bend = {built.bend, GRADYN_X};
  const gradyn_transfer map[] = {
      {.to = bend, .from = bend, .weight = 1},
      {.to = bend, .from = {GRADYN_CONSTANT, GRADYN_X}, .weight = 2 * 3.14159265358979323846}};
  return gradyn_when(
      m, &(gradyn_when_spec){.name = "turned",
                             .guard = {.terminal = height, .data = &level, .data_count = 1},
                             .map = map,
                             .map_count = 2});
}

static int add_load(gradyn_model *m)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = "load",
                                               .mass = 0.4,
                                               .centre = {1.3, 0.2, 0.1},
                                               .omega = {0.4, -0.3, 0.5},
                                               .inertia = {0.01, 0.02, 0.02}});
}

/* A load on the lower body that an event lets go. */
static int let_go(gradyn_model *m, const gradyn_scalar rho[], gradyn_joint_kind hook)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const int held = gradyn_mode(m, "held"), gone = gradyn_mode(m, "gone");
  const int load = add_load(m);
  gradyn_in_mode(m, held);
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "hook",
                                          .kind = hook,
                                          .body_a = built.lower,
                                          .body_b = load,
                                          .position = {1.2, 0.1, 0},
                                          .axis = {0, 1, 0},
                                          .axis_b = {1, 0, 0}});
  const int event = gradyn_when(
      m, &(gradyn_when_spec){.name = "lets go",
                             .guard = {.terminal = height, .data = &level, .data_count = 1},
                             .mode = gone});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
  gradyn_end_position(m, "load.z", gradyn_body_centre(m, load), GRADYN_Z);
  return event;
}

static int release(gradyn_model *m, const gradyn_scalar rho[])
{
  return let_go(m, rho, GRADYN_UNIVERSAL);
}

/* The load floats all the while, held by rows at first. */
static int release_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  return let_go(m, rho, GRADYN_SPHERICAL);
}

/* The arm hits the wall while the load hangs on a ball. */
static int bounce_on_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m);
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "hook",
                                          .kind = GRADYN_SPHERICAL,
                                          .body_a = load,
                                          .body_b = built.lower,
                                          .position = {1.2, 0.1, 0}});
  return bounce(m, rho);
}

/* The load floats, tied to the arm by a spring, and hits the bowl. */
static int bounce_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m), tip = built.tip;
  built.tip = gradyn_body_point_3d(m, load, "corner", 1.4, 0.2, 0);
  gradyn_spring(m, &(gradyn_spring_spec){"tie", tip, built.tip, .k = 20, .free_length = 0.2});
  return bounce_off_gap(m, rho);
}

/* Its velocity is set, so that it keeps its vectors; the ball on it is a link of the tree. */
static int reset_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m);
  const int ball = gradyn_body_3d(m, &(gradyn_body_spec){.name = "ball",
                                                         .mass = 0.3,
                                                         .centre = {1.5, 0.3, 0.2},
                                                         .inertia = {0.01, 0.02, 0.015}});
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "hook",
                                          .kind = GRADYN_SPHERICAL,
                                          .body_a = load,
                                          .body_b = ball,
                                          .position = {1.4, 0.2, 0.1}});
  built.tip = gradyn_body_point_3d(m, ball, "corner", 1.5, 0.2, 0);
  return reset(m, rho, kick_body, &(gradyn_component){gradyn_body_centre(m, load), GRADYN_Z}, 1);
}

static int end(gradyn_model *m, const gradyn_scalar rho[])
{
  const int event = reset_rate(m, rho);
  gradyn_end_at_event(m, event, 1);
  gradyn_final_time(m, "end");
  return event;
}

/* The shoulder's rate stays: no law of mechanics. */
static int bounce_kinematic(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_component kept = {built.angle, GRADYN_X};
  return gradyn_bounce(m, &(gradyn_bounce_spec){.name = "hit",
                                                .point = built.tip,
                                                .axis = GRADYN_Z,
                                                .level = {.value = rho[LEVEL]},
                                                .restitution = rho[RESTITUTION],
                                                .kept = &kept,
                                                .kept_count = 1});
}

/* --- in a loop --------------------------------------------------------------------------------------- */

static int add_strut_part(gradyn_model *m, const char *name, double x, double y, double z)
{
  return gradyn_body_3d(
      m, &(gradyn_body_spec){
             .name = name, .mass = 0.2, .centre = {x, y, z}, .inertia = {0.004, 0.005, 0.003}});
}

/* A strut that slides, from the ground to the tip, which leaves the arm's coordinates free. The ball at the
 * tip is there in one mode, or in all. */
static void close_loop(gradyn_model *m, int mode)
{
  const int barrel = add_strut_part(m, "barrel", 0.98, 0.48, 0.5),
            piston = add_strut_part(m, "piston", 1.1, 0.25, 0.2);
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "gimbal",
                                          .kind = GRADYN_UNIVERSAL,
                                          .body_a = GRADYN_GROUND,
                                          .body_b = barrel,
                                          .position = {0.9, 0.6, 0.7},
                                          .axis = {0, 1, 0},
                                          .axis_b = {0.7, 0, 0.3}});
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "slot",
                                          .kind = GRADYN_PRISMATIC,
                                          .body_a = barrel,
                                          .body_b = piston,
                                          .position = {1, 0.4, 0.5},
                                          .axis = {0.3, -0.5, -0.7}});
  gradyn_in_mode(m, mode);
  gradyn_joint_at(m, &(gradyn_place_spec){.name = "ball",
                                          .kind = GRADYN_SPHERICAL,
                                          .body_a = piston,
                                          .body_b = built.lower,
                                          .position = {1.2, 0.1, 0}});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
}

static int bounce_in_loop(gradyn_model *m, const gradyn_scalar rho[])
{
  close_loop(m, GRADYN_EVERY_MODE);
  return bounce(m, rho);
}

static int land_in_loop(gradyn_model *m, const gradyn_scalar rho[])
{
  close_loop(m, GRADYN_EVERY_MODE);
  return land(m, rho, true, false);
}

static int switch_in_loop(gradyn_model *m, const gradyn_scalar rho[])
{
  close_loop(m, GRADYN_EVERY_MODE);
  return switch_by_forces(m, rho);
}

static int open_loop(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const int held = gradyn_mode(m, "held"), gone = gradyn_mode(m, "gone");
  close_loop(m, held);
  gradyn_in_mode(m, held);
  const int event = gradyn_when(
      m, &(gradyn_when_spec){.name = "opens",
                             .guard = {.terminal = height, .data = &level, .data_count = 1},
                             .mode = gone});
  gradyn_in_mode(m, GRADYN_EVERY_MODE);
  return event;
}

static int (*const kinds[EVENTFUL_KINDS])(gradyn_model *m, const gradyn_scalar rho[]) = {
    bounce,           bounce_off_gap,
    land_by_formula,  land_on_wall,
    land_where_it_is, switch_by_rates,
    switch_by_forces, reset_rate,
    reset_rates,      reset_body,
    map_turn,         bounce_kinematic,
    release,          end,
    release_ball,     bounce_on_ball,
    bounce_afloat,    reset_afloat,
    bounce_in_loop,   open_loop,
    land_in_loop,     switch_in_loop};

/* --- the arm --------------------------------------------------------------------------------------- */

static int add_link(gradyn_model *m, const char *name, gradyn_scalar mass, double x)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = name,
                                               .mass = mass,
                                               .centre = {x, 0.05, 0},
                                               .inertia = {0.02, 0.03, 0.04, 0.004, 0, 0.002}});
}

static int add_angle(gradyn_model *m, int joint, const char *name, double start, gradyn_scalar rate)
{
  const int angle = gradyn_joint_angle(m, joint);
  gradyn_hold_joint(m, gradyn_name(m, "%s.start", name), angle, start, rate);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){
             .name = gradyn_name(m, "%s.spring", name), .coordinate = angle, .k = 4, .c = 0.2});
  return angle;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int kind = gradyn_setting_value(m, "kind");
  built.upper = add_link(m, "upper", 1.2, 0.3);
  built.lower = add_link(m, "lower", rho[MASS], 0.9);
  built.shoulder = gradyn_joint_at(m, &(gradyn_place_spec){.name = "shoulder",
                                                           .kind = GRADYN_REVOLUTE,
                                                           .body_a = GRADYN_GROUND,
                                                           .body_b = built.upper,
                                                           .axis = {0.2, 1, 0.1}});
  built.elbow = gradyn_joint_at(m, &(gradyn_place_spec){.name = "elbow",
                                                        .kind = GRADYN_REVOLUTE,
                                                        .body_a = built.lower,
                                                        .body_b = built.upper,
                                                        .position = {0.6, 0, 0.03},
                                                        .axis = {0.1, 0.8, 1}});
  built.angle = add_angle(m, built.shoulder, "shoulder", 0.1, rho[SPEED]);
  built.bend = add_angle(m, built.elbow, "elbow", -0.2, 0.3);
  built.tip = gradyn_body_point_3d(m, built.lower, "tip", 1.2, 0.1, 0);
  built.pivot = gradyn_ground_point_3d(m, "pivot", 0.2, 0.5, 0.6);
  floor_row = 0;
  gradyn_gravity_3d(m, 0, 0.3, -9.81);
  const int event = kinds[kind](m, rho);
  gradyn_minimise(m, gradyn_track_position_3d(m, "track", built.tip, 1, 0.4, -0.2));
  gradyn_event_time(m, "time", event, 1);
  gradyn_before_event(m, &(gradyn_custom_functional_spec){.name = "before", .terminal = kinetic},
                      event, 1);
  gradyn_after_event(
      m,
      &(gradyn_custom_functional_spec){
          .name = "after", .terminal = kinetic, .reads = &built.tip, .read_count = 1},
      event, 1);
  gradyn_event_impulse(m, "impulse", event, 1);
  gradyn_end_energy(m, "energy");
  gradyn_smooth_maximum(
      m, &(gradyn_custom_functional_spec){.name = "fastest", .integrand = kinetic}, 0.1);
  return gradyn_built(m);
}

static const gradyn_setting settings[] = {{.name = "kind", .upper = EVENTFUL_KINDS - 1}};

#define EVENTS(its_name, its_coordinates)                                                          \
  {                                                                                                \
    .name = its_name, .params = params, .param_count = EVENTFUL_PARAMETERS, .build = build,        \
    .t_end = 0.34, .step = 0.004, .settings = settings, .setting_count = 1,                        \
    .coordinates = its_coordinates                                                                 \
  }
const gradyn_problem eventful_natural = EVENTS("natural", NULL),
                     eventful_joint = EVENTS("joint", "joint");
