/* Steps that are too long for the slope of a friction law. A drawer, pulled at a lever arm, starts at rest,
 * on the steepest part of Brown and McPhee's law, and leaves it within a few steps. The motion is right,
 * but the steps damp a disturbance of the initial velocity by a wrong factor. If this changes a gradient,
 * direct and adjoint sweeps warn with the remaining part; otherwise there is no warning. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { ARM, SPEED };

static const gradyn_param params[] = {{"arm", "m", .init = 0.15, GRADYN_UNBOUNDED},
                                      {"speed", "m/s", .init = 0, GRADYN_UNBOUNDED}};

static bool alone; /* the arm is the only parameter */

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int body = gradyn_body(
      m, &(gradyn_body_spec){.name = "drawer", .mass = 1, .inertia = {[2] = 0.01}});
  const int joint = declare_joint(m, "guide", GRADYN_PRISMATIC, GRADYN_GROUND, body, NULL,
                                  VECTOR(1, 0));
  const int x = gradyn_joint_coordinate(m, joint, GRADYN_SLIDE);
  gradyn_fix_initial_joint(m, "start", x, 0, alone ? 0 : rho[SPEED]);
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.name = "rub",
                                                         .joint = joint,
                                                         .still = 0.3,
                                                         .kinetic = 0.3,
                                                         .transition = 0.01,
                                                         .smoothing = 1e-3,
                                                         .length = 0.1,
                                                         .offset = -0.05});
  gradyn_force(m, &(gradyn_force_spec){.name = "pull",
                                       .point = gradyn_body_point(m, body, "handle", 0, rho[ARM]),
                                       .fx = 5});
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_joint(m, "way", x, 0),
                                                     .reduction = GRADYN_AT_END}),
      1);
  return gradyn_build_status(m);
}

/* The derivative of the displacement with respect to the last of `count` parameters. */
static double slope_by(const char *method, const char *sensitivity, double step, int count,
                       gradyn_finding *left, char warnings[512])
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,         .name = "drawer", .params = params,
                                  .param_count = (size_t)count, .build = build,   .t_end = 1};
  const double rho[] = {params[ARM].init, params[SPEED].init};
  double psi, slope[2];
  alone = count == 1;
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity, .step = step,
                           .rtol = 1e-9);
  assert_run(gradyn_evaluator_gradient(ev, rho, &psi, slope), ev);
  const gradyn_warning warning = run_warning(ev, GRADYN_WARNING_SLIP_EXIT);
  *left = (gradyn_finding){warning.code ? warning.value : 0, warning.t, warning.suggestion, NULL};
  (void)strncpy(warnings, gradyn_evaluator_warnings(ev), 511);
  return slope[count - 1];
}

static const char *const sensitivities[] = {"adjoint", "direct"};

/* The decay rate is 4 mu N/(m v_t) = 1800/s; the steps are 0.2 to 3.6 times its inverse. */
TEST(what_is_left_is_told)
{
  static const struct {
    double step;
    bool told;
  } cases[] = {{1e-4, false}, {2e-4, false}, {5e-4, false}, {1e-3, true}, {2e-3, true}};
  gradyn_finding left;
  char warnings[512] = "";
  const double right = slope_by("explicit", "adjoint", 0, 2, &left, warnings);
  for (size_t k = 0; k < 2 * GRADYN_COUNT(cases); k++) {
    const double step = cases[k / 2].step;
    if (!support_takes((int)(k + k / 2), 2))
      continue;
    const double slope = slope_by("ali3p", sensitivities[k % 2], step, 2, &left, warnings);
    const char *says = "too long for derivatives where the slip of rub leaves";
    if (cases[k / 2].told != (strstr(warnings, says) != NULL))
      fail_msg("steps of %g s, by %s: %g for %g, \"%s\"", step, sensitivities[k % 2], slope, right,
               warnings);
    if (!cases[k / 2].told) {
      assert_close(slope, right, 0.1, 0);
      continue;
    }
    /* the reported error agrees with the actual one, and the suggested step suffices */
    assert_true(fabs(slope / right - 1) > 0.1);
    assert_close(left.size, slope / right, 0.03, 0);
    assert_close(slope_by("ali3p", "adjoint", left.step, 2, &left, warnings), right, 0.1, 0);
    assert_close(left.size, 0, 0, 0);
  }
}

/* The derivative with respect to the lever arm does not depend on the damped disturbance: it is right and
 * has no warning. */
TEST(what_does_not_reach_a_gradient_is_not)
{
  gradyn_finding left;
  char warnings[512] = "";
  const double right = slope_by("explicit", "adjoint", 0, 1, &left, warnings);
  for (int k = 0; k < 2; k++) {
    assert_close(slope_by("ali3p", sensitivities[k], 1e-3, 1, &left, warnings), right, 1e-3, 0);
    assert_string_equal(warnings, "");
  }
}
