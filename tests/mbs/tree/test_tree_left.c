/* Constraints that remain in joint coordinates in the plane: joints that users cut, and rods whose ends or
 * forces are used by other elements; and the texts with the reasons. */
#include "tests/mbs/tree/both.h"
#include "tests/mbs/tree/eventful.h"
#include "tests/declare.h"

static const gradyn_param params[] = {{"mass", "kg", .init = 1.5, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{.name = "case", .upper = 3}};

enum { HINGED, CUT, BETWEEN, READ };

/* A drag in proportion to the multiplier of the string. */
static gradyn_status tension(const gradyn_at *at, gradyn_scalar value[])
{
  value[1] = -0.1 * at->lam[0] * at->vel[1];
  return GRADYN_OK;
}

/* A string with a load, from a point between a rod and the ground, or from P. */
static void add_string(gradyn_model *m, int which, int bar, int P)
{
  const int R = gradyn_ground_point(m, "R", 1, 0.5), load = gradyn_point(m, "load", 0.9, -0.4);
  const int from = which == BETWEEN
                       ? gradyn_point_between(m, "between", gradyn_body_centre(m, bar), R, 0.4)
                       : P;
  gradyn_point_mass(m, "load", load, 0.6);
  gradyn_rod(m, &(gradyn_rod_spec){.name = "string", .from = from, .to = load, .mass = 0.2});
  if (which == READ)
    gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "rattle",
                                                       .points = &load,
                                                       .point_count = 1,
                                                       .fn = tension,
                                                       .reads = (const char *[]){"string"},
                                                       .read_count = 1});
}

/* Two rods in series, the first one on the ground. */
static gradyn_status swing(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "case");
  int before = GRADYN_GROUND, last = 0;
  for (int i = 0; i < 2; i++) {
    last = declare_body(m, gradyn_format_name(m, "bar%d", i), rho[0] + i, 0.1, 0.5 + i, 0.1 * i);
    gradyn_joint_between(m,
                         &(gradyn_joint_between_spec){.name = gradyn_format_name(m, "hinge%d", i),
                                                      .kind = GRADYN_REVOLUTE,
                                                      .body_a = before,
                                                      .body_b = last,
                                                      .position = {i, 0},
                                                      .cut = i == 1 && which == CUT});
    before = last;
  }
  const int P = gradyn_body_point(m, last, "P", 0.5, 0);
  if (which >= BETWEEN)
    add_string(m, which, last, P);
  gradyn_gravity(m, 0.1, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"track",
                                                 gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

#define PLANE(its_coordinates)                                                                     \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = "swing", .params = params, .param_count = 1,                     \
                          .settings = settings, .setting_count = 1, .build = swing, .t_end = 0.15, \
                          .coordinates = its_coordinates                                           \
  }
static const gradyn_problem adjoints = PLANE("natural"), bars_of_joints = PLANE("joint"),
                            any_bars = PLANE("auto");

TEST(joints_in_the_plane_are_cut_where_users_say)
{
  const run_setup setup = both_case(&adjoints, "case", CUT),
                  cut = both_case(&bars_of_joints, "case", CUT);
  both_compare(&setup, 1e-9);
  both_assert_left(&cut, "hinge1", "it is declared as a cut joint");
}

/* The constraint of the string remains if its end is a point between two parts, or if a force reads its
 * multiplier. */
TEST(rods_in_the_plane_may_stay)
{
  for (int which = BETWEEN; which <= READ; which++) {
    const run_setup setup = both_case(&adjoints, "case", which);
    both_compare(&setup, 1e-9);
  }
}

TEST(mechanisms_in_the_plane_stay_natural)
{
  double rho[1], psi[2];
  run_local *ev = run_with(&any_bars, .method = "explicit", .setting = "case", .value = HINGED);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_string_equal(gradyn_evaluator_model_info(ev).chosen, "natural");
}

TEST(joints_without_a_body_have_a_reason)
{
  static const struct {
    const gradyn_problem *problem;
    const char *setting;
    int which;
    const char *name, *why;
  } left[] = {{&eventful_flat_joint, "kind", EVENTFUL_RELEASE_JOINT, "hook",
               "it is not active in all modes"},
              {&eventful_flat_joint, "kind", EVENTFUL_SET_BODY, "elbow",
               "an event sets velocities of its bodies"},
              {&eventful_flat_joint, "kind", EVENTFUL_SET_TIP, "whip",
               "an event sets velocities of its bodies"},
              {&eventful_flat_joint, "kind", EVENTFUL_KEEP_TIP, "whip",
               "an event preserves velocities of its bodies"},
              {&eventful_flat_joint, "kind", EVENTFUL_OPEN_FLAT_LOOP, "coupler",
               "it is not active in all modes"},
              {&eventful_flat_joint, "kind", EVENTFUL_IN_FLAT_LOOP, "whip", "it closes a loop"},
              {&bars_of_joints, "case", BETWEEN, "string",
               "one of its ends is on a beam, or on several parts"},
              {&bars_of_joints, "case", READ, "string", "a force depends on its multipliers"}};
  for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
    const run_setup setup = both_case(left[k].problem, left[k].setting, left[k].which);
    both_assert_left(&setup, left[k].name, left[k].why);
  }
}
