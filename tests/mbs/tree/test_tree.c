/* Joint coordinates: an arm in space with a branch, on revolute, prismatic and fixed joints, some of which
 * have their second frame on the parent. The same model in natural coordinates must give the same
 * functionals and derivatives, with respect to parameters and to all data. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"
#include "core/model/declare.h"

enum { MASS, LENGTH, TILT, STIFFNESS, LOSS, SPEED, PARAMETERS };
enum { TRACK, SMOOTH, VELOCITY, ENERGY, ANGLE, FUNCTIONALS };

static const gradyn_param params[] = {
    {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    {"length", "m", .init = 0.4, GRADYN_UNBOUNDED},
    {"tilt", "", .init = 0.2, GRADYN_UNBOUNDED},
    {"stiffness", "N/m", .init = 15, GRADYN_UNBOUNDED},
    {"loss", "N m s", .init = 0.03, GRADYN_UNBOUNDED},
    {"speed", "rad/s", .init = 0.8, GRADYN_UNBOUNDED},
};

static int add_body(gradyn_model *m, const char *name, const gradyn_scalar rho[], double x,
                    double y, double z)
{
  return declare_body_3d(m, name, rho[MASS], INERTIA(0.02, 0.03, 0.04, 0.004, -0.003, 0.002),
                         VECTOR(x * rho[LENGTH], y, z));
}

static void hold_angle(gradyn_model *m, const char *name, int joint, gradyn_scalar rate,
                       const gradyn_scalar rho[])
{
  const int c = gradyn_joint_coordinate(m, joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(m, gradyn_format_name(m, "%s.start", name), c, 0.1, rate);
  gradyn_joint_spring(m, &(gradyn_joint_spring_spec){.name = gradyn_format_name(m, "%s.loss", name),
                                                     .coordinate = c,
                                                     .k = 0.5,
                                                     .c = rho[LOSS]});
}

/* Ground - hinge - upper - hinge - lower; and on `upper` a slider with a tool fixed to it. The frames of
 * the second branch are declared in the opposite order. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  int upper = add_body(m, "upper", rho, 0.5, 0, 0), lower = add_body(m, "lower", rho, 1.5, 0.05, 0);
  int slider = add_body(m, "slider", rho, 0.7, 0.2, 0.1),
      tool = add_body(m, "tool", rho, 0.7, 0.4, 0.1);
  int shoulder = declare_joint(m, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, upper,
                               VECTOR(0, 0.02, 0), VECTOR(rho[TILT], 1, 0.1));
  int elbow = gradyn_joint_between(m,
                                   &(gradyn_joint_between_spec){.name = "elbow",
                                                                .kind = GRADYN_REVOLUTE,
                                                                .body_a = lower,
                                                                .body_b = upper,
                                                                .position = {rho[LENGTH], 0, 0.03},
                                                                .axis = {0.1, rho[TILT], 1},
                                                                .side = {1, 0.2, 0}});
  int slide = gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "slide",
                                                                   .kind = GRADYN_PRISMATIC,
                                                                   .body_a = slider,
                                                                   .body_b = upper,
                                                                   .position = {0.2, 0.1, 0},
                                                                   .axis = {0.3, rho[TILT], 1},
                                                                   .side = {1, 0, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "weld",
                                                       .kind = GRADYN_FIXED,
                                                       .body_a = slider,
                                                       .body_b = tool,
                                                       .position = {0.3, 0.3, 0.1},
                                                       .axis = {0, 1, rho[TILT]},
                                                       .side = {1, 0, 0}});
  hold_angle(m, "shoulder", shoulder, rho[SPEED], rho);
  hold_angle(m, "elbow", elbow, -0.4, rho);
  int s = gradyn_joint_coordinate(m, slide, GRADYN_SLIDE);
  gradyn_fix_initial_joint(m, "slide.start", s, 0.02, 0.3);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){.name = "slide.spring", .coordinate = s, .k = 60, .c = 0.4});
  int tip = gradyn_body_point_3d(m, lower, "tip", 2 * rho[LENGTH], 0.1, 0),
      P = gradyn_body_point_3d(m, tool, "P", 0.2, 0.5, 0.1);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", tip, P, .k = rho[STIFFNESS], .c = 0.6,
                                         .free_length = 0.3});
  gradyn_gravity_3d(m, 0, 0.3, -9.81);
  gradyn_minimise(m,
                  declare_tracking(m, "track", gradyn_measure_point(m, "", tip, 0, GRADYN_ALL_AXES),
                                   0.3, 0.2, 0.1),
                  1);
  declare_functional(m, "smooth", gradyn_measure_point(m, "", P, 2, GRADYN_ALL_AXES),
                     GRADYN_SQUARE_INTEGRAL);
  declare_functional(m, "speed", gradyn_measure_point(m, "", tip, 1, GRADYN_Z), GRADYN_AT_END);
  declare_functional(m, "energy", gradyn_measure_energy(m, ""), GRADYN_AT_END);
  declare_functional(m, "end", gradyn_measure_point(m, "", P, 0, GRADYN_X), GRADYN_AT_END);
  return gradyn_build_status(m);
}

static const gradyn_problem natural = PROBLEM("natural", build, params, .t_end = 0.6,
                                              .step = 0.005);
static const gradyn_problem joint = PROBLEM("joint", build, params, .t_end = 0.6, .step = 0.005,
                                            .coordinates = "joint");

enum { NUMBERS = FUNCTIONALS * (1 + PARAMETERS) };

static void evaluate(run_setup setup, const gradyn_problem *problem, double out[NUMBERS])
{
  setup.problem = problem;
  ali3p_gradient(&setup, out, out + FUNCTIONALS, NULL);
}

static void compare(const double *actual, const double *expected, double rtol)
{
  for (int f = 0; f < FUNCTIONALS; f++) {
    const double *row = expected + FUNCTIONALS + f * PARAMETERS;
    double size = 0;
    assert_close(actual[f], expected[f], rtol, 0);
    for (int j = 0; j < PARAMETERS; j++)
      size = fmax(size, fabs(row[j]));
    assert_close_array(actual + FUNCTIONALS + f * PARAMETERS, row, PARAMETERS, 0, rtol * size);
  }
}

static const char *const ways[] = {"direct", "adjoint"};

TEST(explicit_agrees_with_natural_coordinates)
{
  double one[NUMBERS], other[NUMBERS];
  for (int k = 0; k < 2; k++) {
    const run_setup setup = {.method = "explicit", .sensitivity = ways[k], .rtol = 1e-12};
    evaluate(setup, &natural, one);
    evaluate(setup, &joint, other);
    compare(other, one, 1e-9);
  }
}

/* Three coordinates without constraints instead of 51 with 48 constraints. */
TEST(bodies_are_gone)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &joint});
  const gradyn_model_info info = gradyn_evaluator_model_info(ev);
  assert_int_equal(info.coordinates, 3);
  assert_int_equal(info.constraints, 0);
}

/* Index of a datum, whose position among the others depends on the coordinates. */
static size_t datum_called(const gradyn_evaluator *ev, const char *name)
{
  for (size_t i = 0; i < gradyn_evaluator_model_info(ev).data; i++)
    if (strcmp(gradyn_datum_at(ev, i).name, name) == 0)
      return i;
  fail_msg("there is no datum %s", name);
  return 0;
}

TEST(every_datum_has_its_effect_of_natural_coordinates)
{
  enum { MOST = 400 };
  static double one[FUNCTIONALS * MOST], other[FUNCTIONALS * MOST];
  size_t count[2];
  const gradyn_problem *const problem[] = {&natural, &joint};
  gradyn_evaluator *ev[2];
  for (int k = 0; k < 2; k++) {
    double rho[PARAMETERS], psi[FUNCTIONALS], *out = k ? other : one;
    ev[k] = ali3p_open(&(run_setup){
        .problem = problem[k], .method = "explicit", .sensitivity = "adjoint", .rtol = 1e-12});
    run_initial(ev[k], rho);
    count[k] = gradyn_evaluator_model_info(ev[k]).data;
    assert_true(FUNCTIONALS * count[k] < FUNCTIONALS * MOST);
    assert_ok(gradyn_evaluator_data_gradient(ev[k], rho, psi, out),
              gradyn_evaluator_message(ev[k]));
  }
  assert_int_equal(count[0], count[1]);
  for (int f = 0; f < FUNCTIONALS; f++) {
    const double size = largest_of(one + (size_t)f * count[0], count[0]);
    for (size_t j = 0; j < count[0]; j++) {
      const size_t i = datum_called(ev[1], gradyn_datum_at(ev[0], j).name);
      const double a = one[(size_t)f * count[0] + j], b = other[(size_t)f * count[0] + i];
      if (fabs(a - b) > 1e-9 * size)
        fail_msg("functional %d by %s: %.15g in natural coordinates, %.15g in joint ones", f,
                 gradyn_datum_at(ev[0], j).name, a, b);
    }
  }
  gradyn_evaluator_free(ev[0]);
  gradyn_evaluator_free(ev[1]);
}

TEST(direct_equals_adjoint_by_all_data)
{
  ali3p_compare_data(&(run_setup){.problem = &joint, .method = "explicit", .rtol = 1e-9}, NULL,
                     1e-10);
}

TEST(derivatives_agree_with_differences)
{
  ali3p_compare_differences(&(run_setup){.problem = &joint, .method = "explicit", .step = 0.01},
                            4e-3, 1e-7);
}

/* With directions that are neither unit vectors nor orthogonal, joints must be those of their constraints
 * in natural coordinates. */
TEST(directions_need_not_be_orthonormal)
{
  double data[2][400], psi[2][FUNCTIONALS], rho[PARAMETERS];
  const gradyn_problem *const problem[] = {&natural, &joint};
  gradyn_evaluator *ev[2];
  for (int k = 0; k < 2; k++) {
    ev[k] = ali3p_open(
        &(run_setup){.problem = problem[k], .method = "explicit", .rtol = 1e-12, .t_end = 0.2});
    run_initial(ev[k], rho);
    assert_true(gradyn_evaluator_model_info(ev[k]).data < 400);
  }
  for (size_t j = 0; j < gradyn_evaluator_model_info(ev[0]).data; j++) {
    const gradyn_datum_info datum = gradyn_datum_at(ev[0], j);
    const size_t i = datum_called(ev[1], datum.name);
    data[0][j] = data[1][i] = datum.value +
                              (strstr(datum.name, ".axis_") ? 0.03 * sin(1 + (double)j) : 0);
  }
  for (int k = 0; k < 2; k++)
    assert_ok(gradyn_evaluator_simulate_data(ev[k], data[k], psi[k]),
              gradyn_evaluator_message(ev[k]));
  assert_close_array(psi[1], psi[0], FUNCTIONALS, 1e-8, 0);
  gradyn_evaluator_free(ev[0]);
  gradyn_evaluator_free(ev[1]);
}
