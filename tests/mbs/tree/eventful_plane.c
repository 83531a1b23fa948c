/* The arm in the plane, two bodies and a rod, and its own kinds of events. */
#include "tests/mbs/tree/eventful.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { SPEED, MASS };

/* --- velocities of the rod's end ------------------------------------------------------------------- */

static int set_tip(gradyn_model *m, const gradyn_scalar rho[])
{
  return eventful_reset(m, rho, eventful_kick, &(gradyn_component){eventful.tip, GRADYN_Y}, 1);
}

static int keep_tip(gradyn_model *m, const gradyn_scalar rho[])
{
  eventful.kept[1] = (gradyn_component){eventful.tip, GRADYN_X};
  return eventful_keep(m, rho);
}

/* --- loads ----------------------------------------------------------------------------------------- */

static int add_load(gradyn_model *m)
{
  return gradyn_body(m, &(gradyn_body_spec){.name = "load",
                                            .mass = 0.4,
                                            .centre = {1.3, 0.2},
                                            .velocity = {0, -0.6},
                                            .omega = {0, 0, 0.5},
                                            .inertia = {0, 0, 0.02}});
}

static void hook(gradyn_model *m, int body_a, int body_b, gradyn_mode_id mode)
{
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "hook",
                                                       .kind = GRADYN_REVOLUTE,
                                                       .body_a = body_a,
                                                       .body_b = body_b,
                                                       .position = {1, 0.15},
                                                       .axis = {0.3, 1},
                                                       .modes = gradyn_modes_of(mode)});
}

static int release_joint(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m), held = eventful_held(m);
  hook(m, eventful.lower, load, held);
  return eventful_let_go(m, rho, held);
}

/* A load on a string. */
static int release_rod(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = gradyn_point(m, "load", 1.4, 0), held = eventful_held(m);
  gradyn_point_mass(m, "load", load, 0.4);
  gradyn_constraint_set_modes(
      m, gradyn_distance(m, "string", eventful.tip, load, &(gradyn_time_function){.value = 0.22}),
      gradyn_modes_of(held));
  const int event = eventful_let_go(m, rho, held);
  gradyn_functional(m, &(gradyn_functional_spec){"load.y",
                                                 gradyn_measure_point(m, "", load, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return event;
}

/* The load has no joint, is tied to the arm by a spring, and hits the bowl. */
static int bounce_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m), tip = eventful.tip;
  eventful.tip = gradyn_body_point(m, load, "corner", 1.4, 0.2);
  gradyn_spring(m, &(gradyn_spring_spec){"tie", tip, eventful.tip, .k = 20, .free_length = 0.2});
  return eventful_bounce_off_gap(m, rho);
}

/* An event sets the load's velocity, so that its centre keeps its own coordinates; another load is attached
 * to it. */
static int set_afloat(gradyn_model *m, const gradyn_scalar rho[])
{
  const int load = add_load(m);
  const int ball = declare_body(m, "ball", 0.3, 0.015, 1.5, 0.3);
  hook(m, load, ball, GRADYN_EVERY_MODE);
  eventful.tip = gradyn_body_point(m, ball, "corner", 1.5, 0.2);
  return eventful_reset(m, rho, eventful_kick,
                        &(gradyn_component){gradyn_body_centre(m, load), GRADYN_Y}, 1);
}

/* --- in a loop ------------------------------------------------------------------------------------- */

/* Two rods from the ground to the tip, which do not restrict the arm's coordinates; the second one is
 * active in one mode or in all. */
static void close_loop(gradyn_model *m, int mode)
{
  const int knee = gradyn_point(m, "knee", 1.6, 0.3);
  gradyn_rod(m,
             &(gradyn_rod_spec){.name = "crank", .from = eventful.pivot, .to = knee, .mass = 1.2});
  gradyn_constraint_set_modes(
      m,
      gradyn_rod(
          m, &(gradyn_rod_spec){.name = "coupler", .from = knee, .to = eventful.tip, .mass = 0.2}),
      gradyn_modes_of(mode));
}

static int (*const kinds[EVENTFUL_IN_FLAT_LOOP - EVENTFUL_SHARED])(gradyn_model *m,
                                                                   const gradyn_scalar rho[]) = {
    set_tip, keep_tip, release_joint, release_rod, bounce_afloat, set_afloat};

/* --- the arm --------------------------------------------------------------------------------------- */

static int add_link(gradyn_model *m, const char *name, gradyn_scalar mass, double x)
{
  return declare_body(m, name, mass, 0.04, x, 0.05);
}

/* A hinge on `body`, which carries frame a. */
static int add_hinge(gradyn_model *m, const char *name, int body, int on, double x, double y)
{
  return declare_joint(m, name, GRADYN_REVOLUTE, body, on, VECTOR(x, y), VECTOR(0.8, 0.3 + x));
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int kind = gradyn_setting_value(m, "kind");
  eventful = (eventful_arm){.dim = 2, .up = 1, .strain = -0.5, .close = close_loop};
  eventful.upper = add_link(m, "upper", 1.2, 0.3);
  eventful.lower = add_link(m, "lower", rho[MASS], 0.75);
  const int shoulder = add_hinge(m, "shoulder", eventful.upper, GRADYN_GROUND, 0, 0);
  const int elbow = add_hinge(m, "elbow", eventful.upper, eventful.lower, 0.6, 0.03);
  eventful.angle = eventful_angle(m, shoulder, "shoulder", 0.1, rho[SPEED]);
  eventful.bend = eventful_angle(m, elbow, "elbow", -0.2, 0.3);
  eventful.kept[eventful.keeps++] = (gradyn_component){eventful.angle, GRADYN_X};
  eventful.kept[eventful.keeps++] = (gradyn_component){eventful.bend, GRADYN_X};
  const int wrist = gradyn_body_point(m, eventful.lower, "wrist", 0.9, 0.1);
  eventful.tip = gradyn_point(m, "tip", 1.2, 0.1);
  gradyn_initial_velocity(m, eventful.tip, 0, -0.4);
  eventful.floor_row = gradyn_rod(
      m, &(gradyn_rod_spec){
             .name = "whip", .from = eventful.tip, .to = wrist, .length = 0.3, .mass = 1.2});
  eventful.pivot = gradyn_ground_point(m, "pivot", 1.1, 0.7);
  gradyn_gravity(m, 0.3, -9.81);
  const int event = kind < EVENTFUL_SHARED ? eventful_add(m, rho, kind)
                    : kind < EVENTFUL_IN_FLAT_LOOP
                        ? kinds[kind - EVENTFUL_SHARED](m, rho)
                        : eventful_in_loop(m, rho, kind - EVENTFUL_IN_FLAT_LOOP);
  gradyn_minimise(
      m,
      gradyn_functional(m,
                        &(gradyn_functional_spec){
                            "track", gradyn_measure_point(m, "", eventful.tip, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, -0.2}}),
      1);
  eventful_see(m, event);
  return gradyn_build_status(m);
}

static const gradyn_setting settings[] = {{.name = "kind", .upper = EVENTFUL_FLAT_KINDS - 1}};

#define EVENTS(its_name, its_coordinates)                                                          \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = its_name, .params = eventful_params,                             \
                          .param_count = EVENTFUL_PARAMETERS, .build = build, .t_end = 0.3,        \
                          .step = 0.004, .settings = settings, .setting_count = 1,                 \
                          .coordinates = its_coordinates                                           \
  }
const gradyn_problem eventful_flat_natural = EVENTS("natural", "natural"),
                     eventful_flat_joint = EVENTS("joint", "joint");
