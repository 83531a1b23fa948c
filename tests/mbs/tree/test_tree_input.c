/* Unusual declarations of trees: duplicate joints and drives, drives of all coordinates, initial conditions
 * beyond a driven joint, frames that are apart in the declared state. Also constraints that no coordinate
 * affects, models without coordinates, and impossible trees. */
#include "core/model/declare.h"
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"

enum {
  TWICE,
  STILL_ROW,
  DRIVEN_TWICE,
  ALL_DRIVEN,
  HELD_BEYOND,
  APART,
  STILL,
  UNDEFINED,
  NO_BODIES,
  NO_MASS,
  CASES
};

static const gradyn_param params[] = {{"tilt", "", .init = 0.2, GRADYN_UNBOUNDED},
                                      {"mass", "kg", .init = 1.5, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"case", "what is asked", .init = 0, 0, CASES - 1}};

static int body(gradyn_model *m, const char *name, double x, gradyn_scalar mass)
{
  return declare_body_3d(m, name, mass, INERTIA(0.1, 0.2, 0.25, 0.01), VECTOR(x, 0.1, 0.2));
}

static int joint(gradyn_model *m, const char *name, gradyn_joint_kind kind, const int of[2],
                 gradyn_scalar tilt)
{
  return gradyn_joint_between(m,
                              &(gradyn_joint_between_spec){.name = name,
                                                           .kind = kind,
                                                           .body_a = of[0],
                                                           .body_b = of[1],
                                                           .position = {of[0] < 0 ? 0 : 0.8, 0, 0},
                                                           .axis = {tilt, 1, 0},
                                                           .side = {0, 0, 1},
                                                           .axis_b = {1, -tilt, 0}});
}

/* A point of the first body on a plane that is oblique to the ground's axes. */
static void touch(gradyn_model *m, const int of[2])
{
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "plane",
                                                       .kind = GRADYN_POINT_ON_PLANE,
                                                       .body_a = of[0],
                                                       .body_b = of[1],
                                                       .position = {0.31, 0.22, 0.77},
                                                       .axis = {0.37, -0.7, 0.23},
                                                       .side = {1, 0.1, 0.2}});
}

/* A planar joint between frames whose declared positions and rates violate it. */
static void join_apart(gradyn_model *m, int to)
{
  const int a = gradyn_frame(
      m, &(gradyn_frame_spec){
             .name = "a", .body = GRADYN_GROUND, .axis = {0, 0, 1}, .side = {1, 0, 0}});
  const int b = gradyn_frame(m, &(gradyn_frame_spec){.name = "b",
                                                     .body = to,
                                                     .origin = {0.3, 0.1, 0.05},
                                                     .axis = {0.1, 0.5, 1},
                                                     .side = {1, 0.4, 0}});
  gradyn_joint(m, &(gradyn_joint_spec){.name = "plane", .kind = GRADYN_PLANAR, .a = a, .b = b});
}

static gradyn_status build_point(gradyn_model *m, gradyn_scalar mass)
{
  const int P = gradyn_point_3d(m, "P", 1, 0, 0);
  gradyn_point_mass(m, "mass", P, mass);
  gradyn_minimise(m,
                  declare_functional(m, "track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                     GRADYN_SQUARE_INTEGRAL),
                  1);
  return gradyn_build_status(m);
}

/* In the plane; the mass of a rod may be zero if other elements give its ends a mass. */
static gradyn_status build_rod(gradyn_model *m)
{
  const int root = gradyn_ground_point(m, "root", 0, 0), tip = gradyn_point(m, "tip", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", root, tip, .mass = 0});
  gradyn_minimise(m, declare_functional(m, "energy", gradyn_measure_energy(m, ""), GRADYN_AT_END),
                  1);
  return gradyn_build_status(m);
}

static void drive(gradyn_model *m, const char *name, int hinge)
{
  gradyn_drive_joint(m, name, gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE),
                     &(gradyn_time_function){.rate = 1});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "case");
  if (which == NO_BODIES)
    return build_point(m, rho[1]);
  if (which == NO_MASS)
    return build_rod(m);
  const int first = body(m, "first", 0.5, rho[1]), last = body(m, "last", 1, 1);
  const int inner[] = {GRADYN_GROUND, first}, outer[] = {first, last};
  const bool still = which == STILL || which == STILL_ROW;
  const gradyn_joint_kind kind = still ? GRADYN_FIXED : GRADYN_REVOLUTE;
  int hinge = 0;
  if (which == APART)
    join_apart(m, first);
  else if (which == UNDEFINED)
    gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "cross",
                                                         .kind = GRADYN_UNIVERSAL,
                                                         .body_a = GRADYN_GROUND,
                                                         .body_b = first,
                                                         .axis = {0, 0, 1},
                                                         .axis_b = {0, 0, 1}});
  else
    hinge = joint(m, "hinge", kind, inner, rho[0]);
  if (which == TWICE)
    joint(m, "again", GRADYN_REVOLUTE, inner, rho[0]);
  for (int k = 0; k < 2 && which == DRIVEN_TWICE; k++)
    drive(m, gradyn_format_name(m, "drive%d", k), hinge);
  const int beyond = joint(m, "outer", which == STILL ? kind : GRADYN_CYLINDRICAL, outer, 0.3);
  if (which == ALL_DRIVEN) {
    drive(m, "first.angle", hinge);
    gradyn_drive_joint(m, "outer.angle", gradyn_joint_coordinate(m, beyond, GRADYN_ANGLE),
                       &(gradyn_time_function){.value = rho[0], .rate = -2});
    gradyn_drive_joint(m, "outer.slide", gradyn_joint_coordinate(m, beyond, GRADYN_SLIDE),
                       &(gradyn_time_function){.rate = 0.5});
  }
  if (which == STILL_ROW)
    touch(m, inner);
  if (which == HELD_BEYOND) {
    drive(m, "drive", hinge);
    gradyn_fix_initial_joint(m, "start", gradyn_joint_coordinate(m, beyond, GRADYN_SLIDE), 0.1,
                             0.4);
  }
  gradyn_gravity_3d(m, 0.3, 0.1, -9.81);
  const int P = gradyn_body_point_3d(m, last, "P", 1.2, 0.1, 0);
  gradyn_minimise(m,
                  declare_functional(m, "track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                     GRADYN_SQUARE_INTEGRAL),
                  1);
  declare_functional(m, "speed", gradyn_measure_point(m, "", P, 1, GRADYN_Z), GRADYN_AT_END);
  return gradyn_build_status(m);
}

#define ASKED(its_coordinates)                                                                     \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = "asked", .params = params, .param_count = 2,                     \
                          .settings = settings, .setting_count = 1, .build = build, .t_end = 0.1,  \
                          .coordinates = its_coordinates                                           \
  }

static const gradyn_problem asked = ASKED("natural"), asked_of_joints = ASKED("joint");

TEST(what_natural_coordinates_do_is_done)
{
  for (int which = DRIVEN_TWICE; which <= STILL; which++) {
    const run_setup setup = both_case(&asked, "case", which);
    both_compare(&setup, 1e-8);
  }
}

/* The same by radau: its derivatives with respect to states must not disturb the factors computed next. */
TEST(radau_does_the_same)
{
  run_setup setup = both_case(&asked, "case", HELD_BEYOND);
  setup.method = "radau";
  setup.rtol = 1e-10;
  both_compare(&setup, 1e-7);
}

/* Two equal hinges between two bodies, or two equal constraints on fixed parts: derivatives with respect to
 * the data of one of them do not exist. */
TEST(what_is_tied_twice_is_tied)
{
  for (int which = TWICE; which <= STILL_ROW; which++) {
    const run_setup setup = both_case(&asked, "case", which);
    both_bend(&setup, 0, 1e-9);
  }
}

TEST(impossible_models_are_named)
{
  static const struct {
    int which;
    gradyn_status status;
    const char *says;
  } refused[] = {{UNDEFINED, GRADYN_INVALID, "cross.angle"},
                 {NO_BODIES, GRADYN_UNSUPPORTED, "need a body"}};
  for (size_t i = 0; i < GRADYN_COUNT(refused); i++)
    assert_no_run(refused[i].status, refused[i].says, .problem = &asked_of_joints,
                  .method = "explicit", .setting = "case", .value = refused[i].which);
}

TEST(a_rod_that_nothing_resists_is_named)
{
  double rho[2], psi[1];
  run_local *ev = run_with(&asked_of_joints, .method = "explicit", .setting = "case",
                           .value = NO_MASS);
  run_initial(ev, rho);
  assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_SINGULAR,
                 "near rod.angle: is there a point without mass");
}

/* radau has its own matrices, and must report states without rates, too. */
TEST(radau_names_states_without_rates)
{
  double rho[2], psi[2], slope[4];
  run_local *ev = run_with(&asked_of_joints, .method = "radau", .setting = "case", .value = STILL);
  run_initial(ev, rho);
  assert_refused(gradyn_evaluator_gradient(ev, rho, psi, slope), ev, GRADYN_UNSUPPORTED,
                 "this model has none");
}
