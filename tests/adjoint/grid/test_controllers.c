/* Controllers and first-order states: all derivatives against differences, gradients direct against
 * adjoint, and refused declarations. */
#include <complex.h>

#include "tests/adjoint/checked.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/refusal.h"
#include "tests/declare.h"

enum { KP, KI, KD, FILTER, LIMIT, GAIN, LAG, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    {"kp", "", .init = 9, GRADYN_UNBOUNDED},    {"ki", "", .init = 4, GRADYN_UNBOUNDED},
    {"kd", "", .init = 1.5, GRADYN_UNBOUNDED},  {"filter", "", .init = 0.05, GRADYN_UNBOUNDED},
    {"limit", "", .init = 6, GRADYN_UNBOUNDED}, {"gain", "", .init = 3, GRADYN_UNBOUNDED},
    {"lag", "s", .init = 0.2, GRADYN_UNBOUNDED}};

/* A first-order lag of the second angle, z' = (angle - z)/lag, with a term that opposes its own rate. */
static gradyn_status lag(const gradyn_at *at, gradyn_scalar force[])
{
  const int dim = at->user ? 3 : 2;
  force[0] = (at->pos[dim] - at->vel[0]) / at->data[0];
  force[dim] = -0.1 * at->vel[0] * at->vel[dim];
  return GRADYN_OK;
}

static void control(gradyn_model *m, const gradyn_scalar rho[], const int angle[2], void *user)
{
  const gradyn_scalar knots[] = {0.3, 0.9, -0.4, 0.5};
  int wish = declare_signal(m, "wish", "rad", GRADYN_CUBIC_SPLINE, 4, knots);
  int z = gradyn_first_order_state(
      m, &(gradyn_first_order_state_spec){.name = "lagged", .unit = "rad", .initial = 0.1});
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "lag",
                                                     .points = (int[]){z, angle[1]},
                                                     .point_count = 2,
                                                     .fn = lag,
                                                     .data = &(gradyn_datum){"time", "s", rho[LAG]},
                                                     .data_count = 1,
                                                     .user = user});
  gradyn_pid(m, &(gradyn_pid_spec){"PID", angle[0], .kp = rho[KP], .ki = rho[KI], .kd = rho[KD],
                                   .target = 0.2, .signal = wish, .filtered = true,
                                   .filter_time = rho[FILTER], .limited = true, .limit = rho[LIMIT],
                                   .initial = 0.1, .initial_filter = 0.2});
  gradyn_pid(m, &(gradyn_pid_spec){"cross", angle[1], .measured = angle[0], .kp = 0.4, .ki = -0.2,
                                   .kd = 0.1, .target = -0.1});
  gradyn_feedback(
      m, &(gradyn_feedback_spec){"feedback", angle[1], .of = (int[]){z, angle[0], angle[1]},
                                 .count = 3, .gain = (gradyn_scalar[]){rho[GAIN], 0.3, 1.2},
                                 .rate_gain = (gradyn_scalar[]){0, 0.1, 0.4},
                                 .target = (gradyn_scalar[]){0.4, 0.1, -0.2}, .offset = 0.3,
                                 .signal = wish, .limited = true, .limit = 4});
  int u = gradyn_measure_effort(m, "u", "PID");
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"effort", u, .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"peak", gradyn_measure_effort(m, "u2", "feedback"),
                                                 .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                 .magnitude = true, .scale = 3, .sharpness = 5});
  gradyn_functional(m, &(gradyn_functional_spec){"work", gradyn_measure_power(m, "power", "PID"),
                                                 .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"lag tracks", gradyn_measure_state(m, "z", z, 0),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL,
                                                 .target = {0.3}});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"z at the end", gradyn_measure_state(m, "z'", z, 1),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"own work",
                                                 gradyn_measure_power(m, "own power", "lag"),
                                                 .reduction = GRADYN_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
}

static int arm(gradyn_model *m, const char *name, int before, double x)
{
  int body = declare_body(m, gradyn_format_name(m, "%s.bar", name), 1.2, 0.1, x, 0);
  int joint = declare_joint(m, name, GRADYN_REVOLUTE, before, body, VECTOR(x - 0.5, 0),
                            VECTOR(1, 0));
  gradyn_joint_coordinate(m, joint, GRADYN_ANGLE);
  return body;
}

static gradyn_status pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  int first = arm(m, "A", GRADYN_GROUND, 0.5);
  arm(m, "B", first, 1.5);
  const int angle[2] = {gradyn_joint_coordinate(m, 1, GRADYN_ANGLE),
                        gradyn_joint_coordinate(m, 2, GRADYN_ANGLE)};
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_joint(m, "A.start", angle[0], -1.2, 0);
  gradyn_fix_initial_joint(m, "B.start", angle[1], 0.4, 0.2);
  control(m, rho, angle, NULL);
  return gradyn_build_status(m);
}

static const gradyn_problem controlled = PROBLEM("controlled", pendulum, params, .t_end = 0.6,
                                                 .step = 5e-3);

/* A prismatic coordinate and an angle in space. */
static gradyn_status space(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  static const double values[PARAMETERS] = {2, 0.4, 0.5, 0.3, 1.4, 0.7, 0.4};
  gradyn_scalar own[PARAMETERS];
  for (int k = 0; k < PARAMETERS; k++)
    own[k] = values[k];
  int body = declare_body_3d(m, "body", 1.2, INERTIA(0.3, 0.4, 0.5, 0.01), NULL);
  int joint = declare_joint(m, "joint", GRADYN_CYLINDRICAL, GRADYN_GROUND, body,
                            VECTOR(0.1, 0.2, 0), VECTOR(0.3, 0.4, 0.8));
  control(m, own,
          (int[]){gradyn_joint_coordinate(m, joint, GRADYN_SLIDE),
                  gradyn_joint_coordinate(m, joint, GRADYN_ANGLE)},
          m);
  return gradyn_build_status(m);
}

TEST(derivatives_are_right)
{
  bench_local b;
  bench_open(&b, space, NULL);
  bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_M_INERTIA | BENCH_X_FORCE |
                               BENCH_R_TIME);
  for (int i = 0; i < b.model->functional_count - 1; i++)
    assert_true(bench_check_functional(&b, i) & 1);
}

TEST(check_passes)
{
  run_setup setup = {.problem = &controlled};
  checked out;
  run_local *ev = ali3p_open(&setup);
  checked_run(ev, false, &out);
}

THOROUGH_TEST(direct_equals_adjoint)
{
  const struct {
    run_setup setup;
    double rtol;
  } runs[] = {
      {{.problem = &controlled}, 1e-10},
      {{.problem = &controlled, .integrator = "generalised-alpha", .integrator_parameter = 0.8},
       1e-10},
      {{.problem = &controlled, .penalty = 1e9, .projection_penalty = 1e5}, 1e-10},
      {{.problem = &controlled, .method = "variational"}, 1e-10},
      {{.problem = &controlled, .method = "explicit", .step = 5e-3}, 1e-10},
      {{.problem = &controlled, .method = "radau", .step = 5e-3}, 1e-10},
      {{.problem = &controlled, .method = "idas", .rtol = 1e-11}, 1e-8}};
  for (size_t k = 0; k < GRADYN_COUNT(runs) - !support_thorough(); k++) /* idas takes seconds */
    ali3p_compare_data(&runs[k].setup, NULL, runs[k].rtol);
}

TEST(differences_agree)
{
  static const char *const methods[] = {"ali3p", "variational", "explicit"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_setup setup = {.problem = &controlled, .method = methods[k], .step = 5e-3};
    ali3p_compare_differences(&setup, 1e-3, 1e-8);
  }
}

/* --- refused ------------------------------------------------------------------------------------ */

static void gain_is_no_number(gradyn_model *model)
{
  gradyn_pid(model, &(gradyn_pid_spec){"PID", refusal_hinge_angle(model), .kp = NAN});
}

/* A gain with an imaginary part, as complex arithmetic may produce unnoticed. */
static void gain_is_a_root(gradyn_model *model)
{
  gradyn_pid(model, &(gradyn_pid_spec){"PID", refusal_hinge_angle(model), .kp = csqrt(-4)});
}

static void no_filter_time(gradyn_model *model)
{
  gradyn_pid(model, &(gradyn_pid_spec){"PID", refusal_hinge_angle(model), .filtered = true});
}

static void negative_limit(gradyn_model *model)
{
  gradyn_pid(model,
             &(gradyn_pid_spec){"PID", refusal_hinge_angle(model), .limited = true, .limit = -2});
}

static void acts_on_a_point(gradyn_model *model)
{
  gradyn_pid(model, &(gradyn_pid_spec){"PID", REFUSAL_P, .kp = 1});
}

static void acts_on_a_state(gradyn_model *model)
{
  int z = gradyn_first_order_state(model, &(gradyn_first_order_state_spec){.name = "z"});
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"spring", z, .k = 1});
}

static void feeds_nothing_back(gradyn_model *model)
{
  gradyn_feedback(model, &(gradyn_feedback_spec){"K", refusal_hinge_angle(model), .count = 2});
}

static void measures_no_force(gradyn_model *model)
{
  gradyn_measure_effort(model, "u", "motor");
}

TEST(wrong_controllers_are_refused)
{
  static const refusal refusals[] = {
      {gain_is_no_number, "PID.kp is nan"},
      {gain_is_a_root, "PID.kp is 0+2i: it must be real. Is it a root, power or logarithm"},
      {no_filter_time, "PID.filter_time is 0 s: it must be positive"},
      {negative_limit, "PID.limit is -2 N m: it must be positive"},
      {acts_on_a_point, "PID: P is a point: a joint coordinate is needed"},
      {acts_on_a_state, "spring: z is a first-order state: a joint coordinate is needed"},
      {feeds_nothing_back, "K feeds back 2 coordinates and states: 1 to 7"},
      {measures_no_force, "u: no forces are called motor"}};
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
}
