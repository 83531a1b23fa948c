/* Cuts of loops, and joints that position no body: by the user's choice, by the number of coordinates of
 * joints, by needs of events. Each has a reason in its text, and the motion is that of natural coordinates.
 */
#include "tests/mbs/tree/both.h"
#include "tests/mbs/tree/eventful.h"
#include "tests/declare.h"

enum { LEFT_ALONE, CUT_CROSS, CUT_OPEN, CUT_ALL, MASSLESS, LOCKED, NO_AXIS, CASES };

static const gradyn_param params[] = {{"mass", "kg", .init = 1.5, GRADYN_UNBOUNDED},
                                      {"height", "m", .init = 0.9, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{.name = "case", .upper = CASES - 1}};

static int body(gradyn_model *m, const char *name, double x, gradyn_scalar z, gradyn_scalar mass)
{
  return declare_body_3d(m, name, mass, INERTIA(0.1 * mass, 0.2 * mass, 0.25 * mass, 0.01 * mass),
                         VECTOR(x, 0.1, z));
}

typedef struct place {
  const char *name;
  gradyn_joint_kind kind;
  int a, b;
  double x;
  gradyn_scalar z;
  bool cut;
} place;

static void join(gradyn_model *m, int which, const place *p)
{
  const bool none = which == NO_AXIS && p->kind == GRADYN_UNIVERSAL;
  const bool locked = which == LOCKED, plane = p->kind == GRADYN_PLANAR;
  gradyn_joint_between(m, &(gradyn_joint_between_spec){
                              .name = p->name,
                              .kind = p->kind,
                              .body_a = p->a,
                              .body_b = p->b,
                              .position = {p->x, 0, p->z},
                              .axis = {none ? 0 : 0.1, none ? 0 : 1, plane ? 0.7 : 0},
                              .side = {0, 0, 1},
                              .axis_b = {locked ? 0.1 : 1, locked ? 1 : -0.1, locked ? 0 : 0.3},
                              .cut = p->cut});
}

/* A loop of three bodies, of revolute, universal, planar and revolute joints: one degree of freedom. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "case");
  const bool open = which == CUT_OPEN;
  const int crank = body(m, "crank", 0, rho[1] / 2, rho[0]);
  const int bar = body(m, "bar", 0.5, rho[1], which == MASSLESS ? 0 : 1);
  const int rocker = body(m, "rocker", 1, rho[1] / 2, 1);
  const place joints[] = {
      {"root", GRADYN_REVOLUTE, GRADYN_GROUND, crank, 0, 0, which == CUT_ALL},
      {"cross", GRADYN_UNIVERSAL, crank, bar, 0, rho[1], which != LEFT_ALONE && which != LOCKED},
      {"plate", GRADYN_PLANAR, bar, rocker, 1, rho[1], which == CUT_ALL},
      {"other", GRADYN_REVOLUTE, GRADYN_GROUND, rocker, 1, 0, which == CUT_ALL}};
  for (int k = 0; k < 4 - open; k++)
    join(m, which, &joints[k]);
  gradyn_gravity_3d(m, 0.3, 0.1, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  const int P = gradyn_body_point_3d(m, bar, "P", 0.4, 0.2, 1);
  gradyn_functional(m, &(gradyn_functional_spec){"track",
                                                 gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

#define LOOP(its_coordinates)                                                                      \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = "loop", .params = params, .param_count = 2,                      \
                          .settings = settings, .setting_count = 1, .build = build, .t_end = 0.15, \
                          .coordinates = its_coordinates                                           \
  }
static const gradyn_problem loop = LOOP("natural"), loop_of_joints = LOOP("joint");

TEST(joints_that_position_no_body_have_a_reason)
{
  static const struct {
    const gradyn_problem *problem;
    const char *setting;
    int which;
    const char *joint, *why;
  } left[] = {
      {&loop_of_joints, "case", LEFT_ALONE, "plate", "it closes a loop"},
      {&loop_of_joints, "case", CUT_CROSS, "cross", "it is declared as a cut joint"},
      {&eventful_joint, "kind", EVENTFUL_RELEASE, "hook", "it is not active in all modes"},
      {&eventful_joint, "kind", EVENTFUL_RELEASE_BALL, "hook", "it is not active in all modes"},
      {&eventful_joint, "kind", EVENTFUL_SET_BODY, "elbow",
       "an event sets velocities of its bodies"}};
  for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
    const run_setup setup = both_case(left[k].problem, left[k].setting, left[k].which);
    both_assert_left(&setup, left[k].joint, left[k].why);
  }
}

/* Number of links that carry the load. */
static int links_of_load(int kind)
{
  const run_setup setup = both_case(&eventful_joint, "kind", kind);
  run_local *ev = ali3p_open(&setup);
  gradyn_link_info link;
  int found = 0;
  for (size_t i = 0; gradyn_link_at(ev, i, &link); i++)
    found += !link.reason && strcmp(link.body, "load") == 0;
  return found;
}

TEST(bodies_float_unless_events_know_their_vectors)
{
  assert_int_equal(links_of_load(EVENTFUL_AFLOAT), 1);
  assert_int_equal(links_of_load(EVENTFUL_RELEASE_BALL), 1);
  assert_int_equal(links_of_load(EVENTFUL_SET_AFLOAT), 0);
}

TEST(motions_do_not_depend_on_where_loops_are_cut)
{
  for (int which = LEFT_ALONE; which <= CUT_CROSS; which++) {
    const run_setup setup = both_case(&loop, "case", which);
    both_compare(&setup, 1e-8);
  }
}

TEST(impossible_models_are_named)
{
  static const struct {
    int which;
    const char *says;
  } refused[] = {{CUT_OPEN, "joint cross has .cut, but closes no loop"},
                 {CUT_ALL, "joint root has .cut, but closes no loop: no other joints connect the "
                           "ground and crank"},
                 {MASSLESS, "bar.mass is 0 kg"},
                 {LOCKED, "cross.angle: the direction of cross.b is along the axis of cross.a"},
                 {NO_AXIS, "cross.a has no axis"}};
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    assert_no_run(GRADYN_INVALID, refused[k].says, .problem = &loop_of_joints, .method = "explicit",
                  .setting = "case", .value = refused[k].which);
}

TEST(a_method_that_needs_a_constant_mass_refuses_others)
{
  assert_no_run(GRADYN_INVALID, "mass", .problem = &loop_of_joints, .method = "variational",
                .setting = "case", .value = LEFT_ALONE, .step = 0.01);
}

/* Models without a tree, and models that a method cannot run in joint coordinates, use natural ones. */
TEST(coordinates_are_chosen_by_counts)
{
  static const struct {
    int which;
    const char *method, *chosen;
  } rows[] = {{LEFT_ALONE, "explicit", "joint"}, {LEFT_ALONE, "variational", "natural"}};
  gradyn_problem any = loop;
  any.coordinates = "auto";
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    double rho[2], psi[2];
    run_local *ev = run_with(&any, .method = rows[k].method, .setting = "case",
                             .value = rows[k].which);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    assert_string_equal(gradyn_evaluator_model_info(ev).chosen, rows[k].chosen);
  }
}

/* Multiplier-dependent friction needs factors of the whole matrix, in both coordinates. */
TEST(problems_run_in_the_cheaper_coordinates)
{
  static const struct {
    const gradyn_problem *problem;
    const char *chosen;
  } rows[] = {{&gradyn_problem_governor, "joint"}, {&gradyn_problem_five_bar, "natural"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    gradyn_problem any = *rows[k].problem;
    any.coordinates = "auto";
    run_local *ev = run_with(&any, .method = "explicit");
    assert_string_equal(gradyn_evaluator_model_info(ev).chosen, rows[k].chosen);
  }
}

/* Estimated operations: 2000 for each of seven links of an arm; 5000 for each of a loop's three links, and
 * m^3/3 for the m remaining constraints. */
TEST(links_count_more_where_rows_are_left)
{
  static const struct {
    const gradyn_problem *problem;
    double links;
  } rows[] = {{&gradyn_problem_arm_7, 7 * 2000}, {&loop, 3 * 5000}};
  for (size_t k = 0; k < GRADYN_COUNT(rows); k++) {
    gradyn_problem any = *rows[k].problem;
    any.coordinates = "auto";
    run_local *ev = run_with(&any, .method = "explicit");
    const gradyn_model_info info = gradyn_evaluator_model_info(ev);
    const double m = info.constraints;
    assert_string_equal(info.chosen, "joint");
    assert_true((m > 0) == (k > 0));
    assert_close(info.operations[1], rows[k].links + m * m * m / 3, 1e-12, 0);
  }
}

/* A pendulum on a joint that carries no body. */
static gradyn_status hang(gradyn_model *m, const gradyn_scalar rho[])
{
  const int pendulum = body(m, "pendulum", 0.5, 0, rho[0]);
  join(m, LEFT_ALONE, &(place){"pin", GRADYN_POINT_ON_LINE, GRADYN_GROUND, pendulum, 0, 0, false});
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

TEST(models_without_a_tree_stay_natural)
{
  static const gradyn_problem pendulum = {
      GRADYN_PROBLEM_SIZES, .name = "pendulum", .params = params,     .param_count = 1,
      .build = hang,        .t_end = 0.1,       .coordinates = "auto"};
  run_local *ev = run_with(&pendulum, .method = "explicit");
  assert_string_equal(gradyn_evaluator_model_info(ev).chosen, "natural");
}
