/* Joint coordinates compared with natural ones. */
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"
#include "core/model/declare.h"

/* --- comparison ------------------------------------------------------------------------------------ */

enum { MOST = 24000, MOST_FUNCTIONALS = 32, MOST_PARAMETERS = 8 };

static size_t number_of(const gradyn_evaluator *ev, const char *name)
{
  const size_t count = gradyn_evaluator_model_info(ev).data;
  size_t i = 0;
  while (i < count && strcmp(gradyn_datum_at(ev, i).name, name) != 0)
    i++;
  if (i == count)
    fail_msg("there is no datum %s", name);
  return i;
}

/* Computes psi, and derivatives with respect to the data of `first` in its order; returns the number of
 * data. */
static size_t evaluate(gradyn_evaluator *ev, gradyn_evaluator *first, double *psi, double *slope)
{
  static double own[MOST], rho[256];
  const size_t nx = gradyn_evaluator_model_info(ev).data,
               count = gradyn_evaluator_model_info(first).data;
  const size_t functionals = gradyn_functional_count(ev);
  assert_true(functionals <= MOST_FUNCTIONALS && functionals * nx <= MOST);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, own), ev);
  for (size_t j = 0; j < count; j++) {
    const size_t i = number_of(ev, gradyn_datum_at(first, j).name);
    for (size_t f = 0; f < functionals; f++)
      slope[f * count + j] = own[f * nx + i];
  }
  return count;
}

void both_compare(const run_setup *setup, double rtol)
{
  both_compare_by(setup, NULL, rtol);
}

void both_compare_by(const run_setup *setup, bool (*counts)(const char *datum), double rtol)
{
  static double slope[2][MOST];
  double psi[2][MOST_FUNCTIONALS];
  gradyn_problem joint = *setup->problem;
  run_setup own = *setup, other;
  rtol = support_rtol(rtol);
  own.rtol = support_rtol(setup->rtol);
  joint.coordinates = "joint";
  other = own;
  other.problem = &joint;
  gradyn_evaluator *ev[2] = {ali3p_open(&own), ali3p_open(&other)};
  const size_t functionals = gradyn_functional_count(ev[0]);
  size_t count = 0;
  for (int k = 0; k < 2; k++)
    count = evaluate(ev[k], ev[0], psi[k], slope[k]);
  for (size_t f = 0; f < functionals; f++) {
    const char *name = gradyn_functional_at(ev[0], f).name;
    double size = 0;
    if (!(fabs(psi[1][f] - psi[0][f]) <= rtol * fabs(psi[0][f]) + 1e-3 * rtol))
      fail_msg("tree %d: %s is %.15g, not %.15g", setup->value, name, psi[1][f], psi[0][f]);
    for (size_t j = 0; j < count; j++)
      size = fmax(size, fabs(slope[0][f * count + j]));
    for (size_t j = 0; j < count; j++)
      if ((!counts || counts(gradyn_datum_at(ev[0], j).name)) &&
          !(fabs(slope[1][f * count + j] - slope[0][f * count + j]) <= rtol * (size + 1e-3)))
        fail_msg("tree %d: %s by %s is %.15g, not %.15g", setup->value, name,
                 gradyn_datum_at(ev[0], j).name, slope[1][f * count + j], slope[0][f * count + j]);
  }
  gradyn_evaluator_free(ev[0]);
  gradyn_evaluator_free(ev[1]);
}

void both_compare_parameters(const gradyn_problem *problem, run_setup setup, double rtol)
{
  gradyn_problem joint = *problem;
  joint.coordinates = "joint";
  double psi[2][MOST_FUNCTIONALS], gradient[2][MOST_FUNCTIONALS * MOST_PARAMETERS];
  const size_t p = problem->param_count;
  rtol = support_rtol(rtol);
  setup.rtol = support_rtol(setup.rtol);
  setup.problem = problem;
  run_local *ev = ali3p_open(&setup);
  const size_t functionals = gradyn_functional_count(ev);
  assert_true(functionals <= MOST_FUNCTIONALS && p <= MOST_PARAMETERS);
  ali3p_gradient(&setup, psi[0], gradient[0], NULL);
  setup.problem = &joint;
  ali3p_gradient(&setup, psi[1], gradient[1], NULL);
  assert_close_array(psi[1], psi[0], (int)functionals, rtol, 0);
  assert_close_rows(gradient[1], gradient[0], functionals, p, rtol);
}

void both_assert_left(const run_setup *setup, const char *name, const char *why)
{
  run_local *ev = ali3p_open(setup);
  gradyn_link_info link;
  int found = 0;
  for (size_t i = 0; gradyn_link_at(ev, i, &link); i++)
    if (link.reason) {
      assert_string_equal(link.joint, name);
      assert_string_equal(link.reason, why);
      found++;
    }
  assert_int_equal(found, 1);
}

void both_bend(const run_setup *setup, double bend, double rtol)
{
  double data[2][512], psi[2][MOST_FUNCTIONALS];
  gradyn_problem joint = *setup->problem;
  run_setup other = *setup;
  joint.coordinates = "joint";
  other.problem = &joint;
  gradyn_evaluator *ev[2] = {ali3p_open(setup), ali3p_open(&other)};
  size_t count[2];
  for (int k = 0; k < 2; k++) {
    count[k] = gradyn_evaluator_model_info(ev[k]).data;
    assert_true(count[k] <= 512);
    for (size_t j = 0; j < count[k]; j++)
      data[k][j] = gradyn_datum_at(ev[k], j).value;
  }
  for (size_t j = 0; j < count[0]; j++) {
    const char *name = gradyn_datum_at(ev[0], j).name;
    if (strstr(name, ".axis_"))
      data[0][j] += bend * sin(1 + (double)j);
    data[1][number_of(ev[1], name)] = data[0][j];
  }
  for (int k = 0; k < 2; k++)
    assert_run(gradyn_evaluator_simulate_data(ev[k], data[k], psi[k]), ev[k]);
  for (size_t f = 0; f < gradyn_functional_count(ev[0]); f++)
    if (!(fabs(psi[1][f] - psi[0][f]) <= rtol * (fabs(psi[0][f]) + 1e-3)))
      fail_msg("tree %d: %s is %.15g, not %.15g", setup->value, gradyn_functional_at(ev[0], f).name,
               psi[1][f], psi[0][f]);
  gradyn_evaluator_free(ev[0]);
  gradyn_evaluator_free(ev[1]);
}

/* --- bodies on joints of a kind -------------------------------------------------------------------- */

enum { BODIES = 3 };
static const gradyn_setting settings[] = {{"tree", "kind and shape", 0, 0, 4 * BOTH_RUBS}};
static const gradyn_param params[] = {{"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
                                      {"tilt", "", .init = 0.2, GRADYN_UNBOUNDED},
                                      {"stiffness", "N/m", .init = 10, GRADYN_UNBOUNDED}};

static int add_body(gradyn_model *m, int i, gradyn_scalar mass)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = gradyn_format_name(m, "body%d", i),
                                               .mass = mass,
                                               .centre = {0.4 * i + 0.3, 0.1 * i, 0.1},
                                               .velocity = {0.2, -0.1 * i, 0.3},
                                               .omega = {0.3, -0.2, 0.5 - i},
                                               .inertia = {0.2, 0.3, 0.4, 0.02, -0.03, 0.01}});
}

/* Declares the joint of body i; every other joint has frame a on the body. */
static int add_joint(gradyn_model *m, gradyn_joint_kind kind, gradyn_scalar tilt, int i, int parent,
                     int body)
{
  const double x = 0.4 * i, z = 0.05 * i;
  const bool turned = i % 2;
  return gradyn_joint_between(
      m, &(gradyn_joint_between_spec){.name = gradyn_format_name(m, "joint%d", i),
                                      .kind = kind,
                                      .body_a = turned ? body : parent,
                                      .body_b = turned ? parent : body,
                                      .position = {x, 0.1, z},
                                      .axis = {tilt, 1, -0.3 * i},
                                      .side = {1, 0.1, 0.2},
                                      .axis_b = {1, -tilt, 0},
                                      .pitch = 0.4});
}

/* A spring on a coordinate, and its initial value; loops keep their declared initial state. */
static void hold(gradyn_model *m, int coordinate, int i, const char *what, double start)
{
  const bool free = gradyn_setting_value(m, "tree") % BOTH_SHAPES == BOTH_CLOSED;
  if (!free)
    gradyn_fix_initial_joint(m, gradyn_format_name(m, "start%d.%s", i, what), coordinate, start,
                             0.7 - 0.4 * i);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){.name = gradyn_format_name(m, "spring%d.%s", i, what),
                                     .coordinate = coordinate,
                                     .k = 8,
                                     .c = 0.2});
}

static void hold_joint(gradyn_model *m, gradyn_joint_kind kind, int joint, int i)
{
  const bool turns = kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL ||
                     kind == GRADYN_SCREW || kind == GRADYN_UNIVERSAL;
  const bool slides = kind == GRADYN_PRISMATIC || kind == GRADYN_CYLINDRICAL ||
                      kind == GRADYN_POINT_ON_LINE;
  if (turns || kind == GRADYN_PLANAR)
    hold(m, gradyn_joint_coordinate(m, joint, GRADYN_ANGLE), i, "angle", 0.3);
  if (slides)
    hold(m, gradyn_joint_coordinate(m, joint, GRADYN_SLIDE), i, "slide", 0.1);
  for (int k = 0; k < 2 && (kind == GRADYN_PLANAR || kind == GRADYN_POINT_ON_PLANE); k++)
    hold(m, gradyn_joint_coordinate(m, joint, k ? GRADYN_SLIDE_Y : GRADYN_SLIDE_X), i,
         k ? "y" : "x", 0.1 * k - 0.05);
}

/* Functionals of the forces in the first and the last joint. */
static void see_joint(gradyn_model *m, gradyn_joint_kind kind, int joint, const char *name)
{
  for (int k = 0; k < 3 && kind != GRADYN_CONSTANT_LENGTH; k++) {
    char axis = (char)('x' + k);
    gradyn_functional(m,
                      &(gradyn_functional_spec){
                          gradyn_format_name(m, "%s.force.%c", name, axis),
                          gradyn_measure_joint_force(m, gradyn_format_name(m, "%s.F%c", name, axis),
                                                     joint, (gradyn_axis)k),
                          .reduction = GRADYN_MEAN_SQUARE});
    gradyn_functional(
        m, &(gradyn_functional_spec){
               gradyn_format_name(m, "%s.torque.%c", name, axis),
               gradyn_measure_joint_torque(m, gradyn_format_name(m, "%s.T%c", name, axis), joint,
                                           (gradyn_axis)k),
               .reduction = GRADYN_AT_END});
  }
}

/* Friction in the joint of body i, and the power that it dissipates. */
static void rub(gradyn_model *m, gradyn_joint_kind kind, gradyn_scalar still, int i, int joint)
{
  const bool turns = kind == GRADYN_REVOLUTE || kind == GRADYN_CYLINDRICAL;
  const bool ends = turns || kind == GRADYN_PRISMATIC;
  const gradyn_friction_law law =
      (gradyn_friction_law)(gradyn_setting_value(m, "tree") / BOTH_RUBS - 1);
  const bool bristles = law != GRADYN_BROWN_MCPHEE;
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = gradyn_format_name(m, "rub%d", i),
                                                         .joint = joint,
                                                         .law = law,
                                                         .stiffness = bristles ? 50 : 0,
                                                         .damping = bristles ? 5 : 0,
                                                         .dwell = law == GRADYN_GONTHIER ? 0.4 : 0,
                                                         .still = 0.2 * still,
                                                         .kinetic = 0.1,
                                                         .transition = 0.3,
                                                         .viscous = 0.1,
                                                         .smoothing = 0.5,
                                                         .radius = turns ? 0.05 : 0,
                                                         .length = ends ? 0.3 : 0,
                                                         .offset = ends ? -0.1 : 0});
}

static bool is_rubbed(gradyn_joint_kind kind)
{
  return kind == GRADYN_REVOLUTE || kind == GRADYN_PRISMATIC || kind == GRADYN_CYLINDRICAL ||
         kind == GRADYN_PLANAR;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const bool rubs = gradyn_setting_value(m, "tree") >= BOTH_RUBS;
  const int tree = gradyn_setting_value(m, "tree") % BOTH_RUBS, shape = tree % BOTH_SHAPES;
  const gradyn_joint_kind kind = (gradyn_joint_kind)(tree / BOTH_SHAPES);
  const int bodies = shape == BOTH_ALONE ? 1 : BODIES, first = shape == BOTH_FREE;
  const bool branches = shape == BOTH_BRANCH || shape == BOTH_FREE;
  int body[BODIES], joint[BODIES];
  for (int i = 0; i < bodies; i++)
    body[i] = add_body(m, i, rho[0] + i);
  for (int i = first; i < bodies; i++) {
    const int before = i == 0 ? GRADYN_GROUND : body[branches ? 0 : i - 1];
    const bool turns = kind == GRADYN_FIXED ? i == first
                                            : kind == GRADYN_SPHERICAL && rubs && i != 1;
    const gradyn_joint_kind own = turns ? GRADYN_REVOLUTE : kind;
    joint[i] = add_joint(m, own, rho[1], i, before, body[i]);
    hold_joint(m, own, joint[i], i);
    if (rubs && is_rubbed(own))
      rub(m, own, rho[0], i, joint[i]);
  }
  const int P = gradyn_body_point_3d(m, body[bodies - 1], "P", 1, 0.5, -0.4);
  const int Q = gradyn_body_point_3d(m, body[0], "Q", 0.5, -0.2, 0.3);
  if (shape == BOTH_CLOSED)
    declare_joint(m, "plane", GRADYN_POINT_ON_PLANE, GRADYN_GROUND, body[bodies - 1],
                  VECTOR(1, 0.5, -0.4), VECTOR(0.3, -0.2, 1));
  const int R = gradyn_ground_point_3d(m, "R", 0.2, 1, -1);
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = rho[2], .c = 0.5, .free_length = 0.4});
  gradyn_spring(m, &(gradyn_spring_spec){"near", Q, R, .k = 30, .c = 0.5, .free_length = 0.4});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL,
                                       .target = {0.3, 0.2, 0.1}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", Q, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  see_joint(m, kind, joint[first], "first");
  if (bodies > 1)
    see_joint(m, kind, joint[bodies - 1], "last");
  return gradyn_build_status(m);
}

#define TREE(its_name, its_coordinates)                                                            \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = its_name, .params = params, .param_count = 3,                    \
                          .settings = settings, .setting_count = 1, .build = build, .t_end = 0.06, \
                          .coordinates = its_coordinates                                           \
  }

const gradyn_problem both_natural = TREE("natural", "natural");
const gradyn_problem both_joint = TREE("joint", "joint");

/* --- all kinds -------------------------------------------------------------------------------------- */

const struct both_kind both_kinds[BOTH_KINDS] = {
    {GRADYN_FIXED, 1}, {GRADYN_REVOLUTE, 3},  {GRADYN_PRISMATIC, 3}, {GRADYN_CYLINDRICAL, 6},
    {GRADYN_SCREW, 6}, {GRADYN_UNIVERSAL, 6}, {GRADYN_PLANAR, 9},    {GRADYN_SPHERICAL, 12}};

run_setup both_case(const gradyn_problem *problem, const char *setting, int value)
{
  return (run_setup){.problem = problem,
                     .setting = setting,
                     .value = value,
                     .method = "explicit",
                     .sensitivity = "adjoint",
                     .rtol = 1e-11};
}

run_setup both_tree(const gradyn_problem *problem, int i, int shape)
{
  return both_case(problem, "tree", BOTH_SHAPES * (int)both_kinds[i].kind + shape);
}

void both_compare_kinds(int shape)
{
  for (int i = 0; i < BOTH_KINDS; i++) {
    const run_setup setup = both_tree(&both_natural, i, shape);
    if (shape != BOTH_CLOSED || both_kinds[i].coordinates > 1) /* or nothing would move */
      both_compare(&setup, 1e-9);
  }
}
