/* Steps of ali3p that are too long for friction. A step may pass over the transition velocity, and then a
 * contact that should stick slides although every step is solved. A warning suggests a shorter step, which
 * must suffice. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

enum { STILL, KINETIC, TRANSITION, SPEED, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {
    {"still", "", .init = 0.45, GRADYN_UNBOUNDED},
    {"kinetic", "", .init = 0.3, GRADYN_UNBOUNDED},
    {"transition", "m/s", .init = 1e-2, GRADYN_UNBOUNDED},
    {"speed", "m/s", .init = 0.5, GRADYN_UNBOUNDED}};

static int add_friction(gradyn_model *m, int joint, const gradyn_scalar rho[])
{
  return gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = "rub",
                                                                .joint = joint,
                                                                .still = rho[STILL],
                                                                .kinetic = rho[KINETIC],
                                                                .transition = rho[TRANSITION],
                                                                .smoothing = 1e-3});
}

/* A block slides up an incline of slope 0.365, which is between the two friction coefficients. It must stop
 * and stay. */
static gradyn_status build_incline(gradyn_model *m, const gradyn_scalar rho[])
{
  int body = declare_body(m, "block", 2, 0.03, 0, 0.12);
  int guide = declare_joint(m, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL, VECTOR(1, 0));
  int slide = gradyn_joint_coordinate(m, guide, GRADYN_SLIDE);
  gradyn_gravity(m, -9.81 * sin(0.35), -9.81 * cos(0.35));
  gradyn_fix_initial_joint(m, "start", slide, 0, rho[SPEED]);
  add_friction(m, guide, rho);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"end", gradyn_measure_joint(m, "s", slide, 0),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem incline = PROBLEM("incline", build_incline, params, .t_end = 0.5,
                                              .step = 1e-3);

/* In space: a block thrown up and sideways on a gentle slope. Its slip velocity is a vector whose direction
 * changes. */
static gradyn_status build_slope(gradyn_model *m, const gradyn_scalar rho[])
{
  int body = declare_body_3d(m, "block", 2, INERTIA(0.03, 0.03, 0.03), VECTOR(0, 0, 0.12));
  int floor = gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "floor",
                                                                   .kind = GRADYN_PLANAR,
                                                                   .body_a = GRADYN_GROUND,
                                                                   .body_b = body,
                                                                   .axis = {0, 0, 1},
                                                                   .side = {1, 0, 0}});
  int x = gradyn_joint_coordinate(m, floor, GRADYN_SLIDE_X);
  int y = gradyn_joint_coordinate(m, floor, GRADYN_SLIDE_Y);
  gradyn_gravity_3d(m, -9.81 * sin(0.1), 0, -9.81 * cos(0.1));
  gradyn_fix_initial_joint(m, "up", x, 0, rho[SPEED]);
  gradyn_fix_initial_joint(m, "aside", y, 0, rho[SPEED] / 2);
  add_friction(m, floor, rho);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"end", gradyn_measure_joint(m, "s", x, 0),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem slope = PROBLEM("slope", build_slope, params, .t_end = 0.5,
                                            .step = 1e-3);

/* Returns the position at the end; stores the warning about the steps. */
static double run(const gradyn_problem *problem, const char *integrator, double transition,
                  double step, gradyn_finding *told)
{
  double rho[PARAMETERS], psi;
  run_local *ev = ali3p_open(
      &(run_setup){.problem = problem, .step = step, .integrator = integrator});
  run_initial(ev, rho);
  rho[TRANSITION] = transition;
  assert_run(gradyn_evaluator_simulate(ev, rho, &psi, NULL), ev);
  *told = gradyn_evaluator_findings(ev).slip_jump;
  const gradyn_warning warning = run_warning(ev, GRADYN_WARNING_SLIP_JUMP);
  assert_int_equal(warning.code != 0, told->size > 2);
  if (warning.code != 0) {
    assert_string_equal(warning.subject, "rub");
    assert_true(warning.value == told->size && warning.suggestion == told->step);
    assert_says(warning.text, "the steps are too long for rub: at t = ");
    assert_says(warning.text, "Sticking may be missed. Use steps of ");
  }
  return psi;
}

TEST(steps_over_friction_are_reported)
{
  static const gradyn_problem *const problems[] = {&incline, &slope};
  static const char *const integrators[] = {"trapezoidal", "generalised-alpha"};
  for (int k = 0; k < 8; k++) {
    const gradyn_problem *problem = problems[k & 1];
    const char *integrator = integrators[k >> 1 & 1];
    const double transition = k & 4 ? 1e-3 : 1e-2;
    gradyn_finding told;
    /* steps of v_t/(10 m/s^2) are short enough for the decelerations of 4 to 8 m/s^2 */
    const double end = run(problem, integrator, transition, transition / 10, &told);
    assert_true(told.size > 0.3 && told.size < 1);
    /* steps ten times as long cause a warning, and the suggested step suffices */
    run(problem, integrator, transition, transition, &told);
    assert_true(told.size > 2);
    const double better = run(problem, integrator, transition, told.step, &told);
    assert_true(told.size > 0.3 && told.size < 2);
    assert_close(better, end, 3e-4, 0);
  }
}

/* With these steps the block, which should stick, slides back past its starting point. */
TEST(they_are_wrong)
{
  gradyn_finding told;
  assert_close(run(&incline, NULL, 1e-2, 1e-4, &told), 0.01878, 1e-3, 0);
  assert_true(run(&incline, NULL, 1e-2, 1e-2, &told) < -0.03);
  assert_close(run(&incline, NULL, 1e-3, 1e-4, &told), 0.02024, 1e-3, 0);
  assert_true(run(&incline, NULL, 1e-3, 5e-3, &told) < -0.03);
}

/* If Newton's method fails in the end, the message gives the same reason. */
TEST(failures_give_reasons)
{
  double rho[PARAMETERS], psi;
  run_local *ev = ali3p_open(&(run_setup){.problem = &slope,
                                          .integrator = "generalised-alpha",
                                          .integrator_parameter = 1e-300, /* 0: the usual one */
                                          .step = 2e-2});
  run_initial(ev, rho);
  gradyn_status status = gradyn_evaluator_simulate(ev, rho, &psi, NULL);
  const char *text = gradyn_evaluator_message(ev);
  assert_status(status, GRADYN_STEP_LIMIT, text);
  assert_says(text, "or the force rub depends on multipliers and is not smooth, or locks");
  assert_says(text, "the steps are too long for rub: at t = ");
  assert_says(text, "Sticking may be missed. Use steps of ");
}

/* No warning: a driven block that starts to slip, and one that never stops slipping, do not pass over the
 * transition velocity. */
TEST(others_are_not_reported)
{
  double rho[PARAMETERS] = {0.1, 0.05, 1e-3, 0}, psi;
  run_local *ev = ali3p_open(&(run_setup){.problem = &incline, .step = 1e-2});
  assert_run(gradyn_evaluator_simulate(ev, rho, &psi, NULL), ev);
  assert_true(psi < -0.1);
  assert_true(gradyn_evaluator_findings(ev).slip_jump.size == 0);
  assert_string_equal(gradyn_evaluator_warnings(ev), "");
}
