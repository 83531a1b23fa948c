/* Friction in joints: every derivative of all laws and kinds of joints against an independent result. */
#include "tests/adjoint/checked.h"
#include "tests/adjoint/joint_friction_models.h"
#include "tests/declare.h"
#include "tests/runs.h"

/* Checks a model with one friction law: all derivatives are right, and the number of reported kinks is as
 * expected. */
static void expect(const gradyn_problem *problem, int law, double t_end, int kinks)
{
  run_setup setup = {.problem = problem, .setting = "law", .value = law, .t_end = t_end};
  checked out;
  run_local *ev = ali3p_open(&setup);
  checked_run(ev, kinks > 0, &out);
  assert_int_equal(out.kinks, kinks);
  assert_int_equal(out.wrong, kinks);
}

TEST(checks_pass)
{
  for (int law = 0; law < 3; law++)
    expect(&joint_friction_block, law, 0, 0);
  if (support_thorough())
    expect(&joint_friction_space, GRADYN_BROWN_MCPHEE, 0.06, 0); /* joints and bristles below */
}

/* Gonthier's law switches its time constant at rest. The acceleration of the dwell state therefore has
 * different derivatives for larger and smaller initial values. The check reports only this kink, although
 * other switches are near. */
TEST(rest_is_a_kink_of_gonthiers_law)
{
  if (!support_thorough())
    skip();
  expect(&joint_friction_space, GRADYN_GONTHIER, 0.1, 1);
}

/* A block at rest on a runner. Far beyond the transition velocity the acceleration is constant, but at rest
 * it has a slope, as short differences show. */
static gradyn_status build_runner(gradyn_model *m, const gradyn_scalar rho[])
{
  const int block = gradyn_body(m, &(gradyn_body_spec){.name = "block",
                                                       .centre = {0, 1},
                                                       .mass = 1,
                                                       .inertia = {0, 0, .1},
                                                       .velocity = {rho[0], 0}});
  const int run = gradyn_joint(
      m, &(gradyn_joint_spec){
             .name = "run",
             .kind = GRADYN_PRISMATIC,
             .a = declare_frame(m, "ground", GRADYN_GROUND, VECTOR(0, 1, 0), VECTOR(1, 0, 0)),
             .b = declare_frame(m, "frame", block, VECTOR(0, 1, 0), VECTOR(1, 0, 0))});
  const gradyn_friction_law law = (gradyn_friction_law)gradyn_setting_value(m, "law");
  const bool bristles = law != GRADYN_BROWN_MCPHEE;
  gradyn_joint_friction(m,
                        &(gradyn_joint_friction_spec){.name = "rub",
                                                      .joint = run,
                                                      .law = law,
                                                      .still = 0.4,
                                                      .kinetic = 0.3,
                                                      .transition = 1e-3,
                                                      .smoothing = 1e-3,
                                                      .stiffness = bristles ? 1e4 : 0,
                                                      .damping = bristles ? 30 : 0,
                                                      .dwell = law == GRADYN_GONTHIER ? 0.3 : 0});
  gradyn_gravity(m, 0, -9.81);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

THOROUGH_TEST(rest_is_no_fault_of_derivatives)
{
  static const gradyn_param params[] = {{"v", "m/s", .init = 0, .lower = -1, .upper = 1}};
  static const gradyn_setting settings[] = {{"law", "of friction", GRADYN_LUGRE, 0, 2}};
  static const gradyn_problem runner = PROBLEM("runner", build_runner, params, .t_end = 0.1,
                                               .settings = settings, .setting_count = 1);
  for (size_t k = 0; k < 3 * (RUN_ADAPTIVE + 1); k++) { /* and ali3p */
    if (!support_takes((int)(k + k / 3), 3))
      continue;
    const bool fixed = k / 3 >= RUN_ADAPTIVE;
    checked out;
    run_local *ev = run_with(&runner, .method = run_methods[k / 3], .step = fixed ? 1e-3 : -1,
                             .setting = "law", .value = (int)(k % 3));
    print_message("%s, law %d\n", run_methods[k / 3], (int)(k % 3));
    const int kinks = k % 3 == GRADYN_GONTHIER; /* as above */
    checked_run(ev, kinks > 0, &out);
    assert_int_equal(out.kinks, kinks);
    assert_int_equal(out.left, 0);
    assert_int_equal(out.wrong, kinks);
  }
}
