/* The arm in space and its own kinds of events. */
#include "tests/mbs/tree/eventful.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { SPEED, MASS };

static int add_load(gradyn_model *m)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = "load",
                                               .mass = 0.4,
                                               .centre = {1.3, 0.2, 0.1},
                                               .omega = {0.4, -0.3, 0.5},
                                               .inertia = {0.01, 0.02, 0.02}});
}

/* A load on the lower body that an event releases. */
static int let_go(gradyn_model *m, const gradyn_scalar rho[], gradyn_joint_kind hook)
{
  const int load = add_load(m), held = eventful_held(m);
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "hook",
                                                       .kind = hook,
                                                       .body_a = eventful.lower,
                                                       .body_b = load,
                                                       .position = {1.2, 0.1, 0},
                                                       .axis = {0, 1, 0},
                                                       .axis_b = {1, 0, 0},
                                                       .modes = gradyn_modes_of(held)});
  const int event = eventful_let_go(m, rho, held);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "load.z",
                           gradyn_measure_point(m, "", gradyn_body_centre(m, load), 0, GRADYN_Z),
                           .reduction = GRADYN_AT_END});
  return event;
}

static int release(gradyn_model *m, const gradyn_scalar rho[])
{
  return let_go(m, rho, GRADYN_UNIVERSAL);
}

/* The load has its own coordinates throughout; at first constraints hold it. */
static int release_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  return let_go(m, rho, GRADYN_SPHERICAL);
}

/* The arm hits the wall while the load is on a spherical joint. */
static int bounce_on_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m);
  declare_joint(m, "hook", GRADYN_SPHERICAL, load, eventful.lower, VECTOR(1.2, 0.1, 0), NULL);
  return eventful_bounce(m, rho);
}

/* The load has no joint, is tied to the arm by a spring, and hits the bowl. */
static int bounce_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m), tip = eventful.tip;
  eventful.tip = gradyn_body_point_3d(m, load, "corner", 1.4, 0.2, 0);
  gradyn_spring(m, &(gradyn_spring_spec){"tie", tip, eventful.tip, .k = 20, .free_length = 0.2});
  return eventful_bounce_off_gap(m, rho);
}

/* An event sets the load's velocity, so that it keeps its natural coordinates; the ball on it is a link of
 * the tree. */
static int reset_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m);
  const int ball = declare_body_3d(m, "ball", 0.3, INERTIA(0.01, 0.02, 0.015),
                                   VECTOR(1.5, 0.3, 0.2));
  declare_joint(m, "hook", GRADYN_SPHERICAL, load, ball, VECTOR(1.4, 0.2, 0.1), NULL);
  eventful.tip = gradyn_body_point_3d(m, ball, "corner", 1.5, 0.2, 0);
  return eventful_reset(m, rho, eventful_kick,
                        &(gradyn_component){gradyn_body_centre(m, load), GRADYN_Z}, 1);
}

/* --- in a loop --------------------------------------------------------------------------------------- */

static int add_strut_part(gradyn_model *m, const char *name, double x, double y, double z)
{
  return declare_body_3d(m, name, 0.2, INERTIA(0.004, 0.005, 0.003), VECTOR(x, y, z));
}

/* A sliding strut from the ground to the tip, which does not restrict the arm's coordinates. The spherical
 * joint at the tip is active in one mode or in all. */
static void close_loop(gradyn_model *m, int mode)
{
  const int barrel = add_strut_part(m, "barrel", 0.98, 0.48, 0.5),
            piston = add_strut_part(m, "piston", 1.1, 0.25, 0.2);
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "gimbal",
                                                       .kind = GRADYN_UNIVERSAL,
                                                       .body_a = GRADYN_GROUND,
                                                       .body_b = barrel,
                                                       .position = {0.9, 0.6, 0.7},
                                                       .axis = {0, 1, 0},
                                                       .axis_b = {0.7, 0, 0.3}});
  declare_joint(m, "slot", GRADYN_PRISMATIC, barrel, piston, VECTOR(1, 0.4, 0.5),
                VECTOR(0.3, -0.5, -0.7));
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "ball",
                                                       .kind = GRADYN_SPHERICAL,
                                                       .body_a = piston,
                                                       .body_b = eventful.lower,
                                                       .position = {1.2, 0.1, 0},
                                                       .modes = gradyn_modes_of(mode)});
}

static int (*const kinds[EVENTFUL_IN_LOOP - EVENTFUL_SHARED])(gradyn_model *m,
                                                              const gradyn_scalar rho[]) = {
    release, release_ball, bounce_on_ball, bounce_afloat, reset_afloat};

/* --- the arm --------------------------------------------------------------------------------------- */

static int add_link(gradyn_model *m, const char *name, gradyn_scalar mass, double x)
{
  return declare_body_3d(m, name, mass, INERTIA(0.02, 0.03, 0.04, 0.004, 0, 0.002),
                         VECTOR(x, 0.05, 0));
}

static void rub(gradyn_model *m, const char *name, int joint)
{
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = name,
                                                         .joint = joint,
                                                         .still = 0.3,
                                                         .kinetic = 0.2,
                                                         .transition = 0.3,
                                                         .viscous = 0.1,
                                                         .smoothing = 0.5,
                                                         .radius = 0.05,
                                                         .length = 0.3,
                                                         .offset = -0.1});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int asked = gradyn_setting_value(m, "kind"), kind = asked % EVENTFUL_RUBS;
  eventful = (eventful_arm){.dim = 3, .up = 2, .strain = 10, .floor_row = 1, .close = close_loop};
  eventful.upper = add_link(m, "upper", 1.2, 0.3);
  eventful.lower = add_link(m, "lower", rho[MASS], 0.9);
  const int shoulder = declare_joint(m, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, eventful.upper,
                                     NULL, VECTOR(0.2, 1, 0.1));
  const int elbow = declare_joint(m, "elbow", GRADYN_REVOLUTE, eventful.lower, eventful.upper,
                                  VECTOR(0.6, 0, 0.03), VECTOR(0.1, 0.8, 1));
  eventful.angle = eventful_angle(m, shoulder, "shoulder", 0.1, rho[SPEED]);
  eventful.bend = eventful_angle(m, elbow, "elbow", -0.2, 0.3);
  eventful.kept[eventful.keeps++] = (gradyn_component){eventful.angle, GRADYN_X};
  eventful.tip = gradyn_body_point_3d(m, eventful.lower, "tip", 1.2, 0.1, 0);
  eventful.pivot = gradyn_ground_point_3d(m, "pivot", 0.2, 0.5, 0.6);
  gradyn_gravity_3d(m, 0, 0.3, -9.81);
  if (asked >= EVENTFUL_RUBS) {
    rub(m, "shoulder.friction", shoulder);
    rub(m, "elbow.friction", elbow);
  }
  const int event = kind < EVENTFUL_SHARED    ? eventful_add(m, rho, kind)
                    : kind < EVENTFUL_IN_LOOP ? kinds[kind - EVENTFUL_SHARED](m, rho)
                                              : eventful_in_loop(m, rho, kind - EVENTFUL_IN_LOOP);
  gradyn_minimise(
      m,
      gradyn_functional(m,
                        &(gradyn_functional_spec){
                            "track", gradyn_measure_point(m, "", eventful.tip, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 0.4, -0.2}}),
      1);
  eventful_see(m, event);
  return gradyn_build_status(m);
}

static const gradyn_setting settings[] = {
    {.name = "kind", .upper = EVENTFUL_RUBS + EVENTFUL_KINDS - 1}};

#define EVENTS(its_name, its_coordinates)                                                          \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = its_name, .params = eventful_params,                             \
                          .param_count = EVENTFUL_PARAMETERS, .build = build, .t_end = 0.34,       \
                          .step = 0.004, .settings = settings, .setting_count = 1,                 \
                          .coordinates = its_coordinates                                           \
  }
const gradyn_problem eventful_natural = EVENTS("natural", "natural"),
                     eventful_joint = EVENTS("joint", "joint");
