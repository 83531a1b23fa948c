/* Linearisation of models with first-order states: a wheel on a spring with a PID controller, whose
 * characteristic polynomial is known. Also derivatives of runs that start in its equilibrium, and modes
 * without a degree of freedom. */
#include <complex.h>

#include "tests/runs.h"
#include "tests/adjoint/grid_models.h"
#include "tests/declare.h"

/* J = 1 kg m^2. The gains are chosen so that the characteristic polynomial with a filter of 0.1 s is
 *   0.1 (s + 1) (s^2 + 2 s + 5) (s + 7.2), and without a filter (s + 1) (s^2 + 2 s + 5). */
static const double spring = 2, damper = 0.2, T = 0.1;
static const double kp[2] = {7 - 2, 3.18}, ki[2] = {5, 3.6}, kd[2] = {3 - 0.2, 2.142};

enum { TARGET, INTEGRAL, P };
static const gradyn_setting settings[] = {{"filtered", "", 0, 0, 1},
                                          {"starts", "in equilibrium", 0, 0, 1}};
static const gradyn_param params[] = {
    [TARGET] = {.name = "target", .init = 0.4}, [INTEGRAL] = {.name = "gain", .init = 1}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar none;
  const int filtered = gradyn_setting_value(model, "filtered");
  const int body = declare_body(model, "wheel", 1, 1, 0, 0);
  const int hinge = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, body, NULL,
                                  VECTOR(1, 0));
  const int angle = gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
  const int torque = declare_signal(model, "torque", "N m", GRADYN_PIECEWISE_CONSTANT, 1, &none);
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"spring", angle, .k = spring, .c = damper,
                                                         .signal = torque});
  gradyn_pid(model, &(gradyn_pid_spec){.name = "PID",
                                       .coordinate = angle,
                                       .kp = kp[filtered],
                                       .ki = ki[filtered] * rho[INTEGRAL],
                                       .kd = kd[filtered],
                                       .target = rho[TARGET],
                                       .filtered = filtered,
                                       .filter_time = T,
                                       .initial = 0.3,
                                       .initial_filter = -0.1});
  if (gradyn_setting_value(model, "starts"))
    gradyn_start_in_equilibrium(model);
  const int effort = gradyn_measure_effort(model, "u", "PID"),
            turn = gradyn_measure_joint(model, "angle", angle, 0);
  gradyn_functional(model, &(gradyn_functional_spec){"effort at the end", effort,
                                                     .reduction = GRADYN_AT_TIME, .time = 0.5});
  gradyn_functional(model, &(gradyn_functional_spec){"angle at the end", turn,
                                                     .reduction = GRADYN_AT_TIME, .time = 0.5});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("wheel", build, params, .settings = settings,
                                              .setting_count = 2, .t_end = 0.5, .rtol = 1e-10);

static gradyn_evaluator *open_wheel(int filtered, int starts, const char *method,
                                    const char *sensitivity)
{
  const gradyn_setting_choice choice[] = {{"filtered", filtered}, {"starts", starts}};
  return run_with(&problem, .method = method, .sensitivity = sensitivity, .settings = choice,
                  .setting_count = 2);
}

/* Expected A of (angle, rate, integral, filtered error), and B of the torque, (0, 1, 0, 0). */
static void expect(int filtered, double gain, const gradyn_linearisation *l)
{
  const int size = 3 + filtered;
  const double d = filtered ? kd[1] / T : 0, rate = filtered ? damper : damper + kd[0];
  const double A[4][4] = {{0, 1, 0, 0},
                          {-spring - kp[filtered] - d, -rate, ki[filtered] * gain, -d},
                          {-1, 0, 0, 0},
                          {-1 / T, 0, 0, -1 / T}};
  assert_int_equal(l->dof, 1);
  assert_int_equal(l->states, 1 + filtered);
  assert_int_equal(l->inputs, 1);
  for (int i = 0; i < size; i++) {
    assert_close_array(l->A + i * size, A[i], size, 1e-12, 1e-12);
    assert_close(l->B[i], i == 1, 1e-12, 1e-14);
  }
}

/* The integral of a state must add neither an eigenvalue 0 nor a degree of freedom. This is checked at the
 * start and at the equilibrium, where the error is zero and the integral term balances the spring. */
TEST(a_controller_has_the_eigenvalues_of_its_loop)
{
  static const double complex roots[4] = {-1, -1 + 2 * I, -1 - 2 * I, -7.2};
  for (int k = 0; k < 4; k++) {
    const int filtered = k % 2;
    const double rho[P] = {0.4, 1};
    run_local *ev = open_wheel(filtered, 0, "explicit", "adjoint");
    LOCAL(gradyn_linearisation) l;
    gradyn_stability stability;
    gradyn_dof freedom;
    OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
    double y[64];
    assert_run(k < 2 ? gradyn_equilibrium_compute(ev, rho, &stability, at, &l)
                     : gradyn_evaluator_linearise(ev, rho, k == 3, &l),
               ev);
    expect(filtered, 1, &l);
    for (int i = 0; i < 3 + filtered; i++) {
      assert_close(l.real[i], creal(roots[i]), 1e-9, 0);
      assert_close(l.imag[i], cimag(roots[i]), 1e-9, 1e-9);
    }
    assert_string_equal(gradyn_coordinate_at(ev, l.state[0]).name, "PID.error_integral");
    assert_run(gradyn_dof_compute(ev, rho, &freedom, NULL), ev);
    assert_int_equal(freedom.degrees, 1);
    assert_int_equal(freedom.at_start, 1);
    if (k < 2) {
      (void)gradyn_trajectory_step(at, 0, y);
      assert_int_equal(stability, GRADYN_STABLE);
      assert_close(y[l.coordinate[0]], 0.4, 1e-12, 0);
      assert_close(y[l.state[0]], spring * 0.4 / ki[filtered], 1e-12, 0);
      assert_close(y[l.state[filtered]], filtered ? 0 : spring * 0.4 / ki[0], 1e-12, 1e-12);
    }
  }
}

/* With an integral gain of the wrong sign the equilibrium is unstable, although the stiffness is positive.
 * With an integral gain of 0, the equilibrium must not include the integral state. */
TEST(a_wrong_sign_is_unstable)
{
  const double rho[2][P] = {{0.4, -1}, {0.4, 0}};
  gradyn_stability stability;
  gradyn_linearisation l;
  run_local *ev = open_wheel(0, 0, "explicit", "adjoint");
  assert_run(gradyn_equilibrium_compute(ev, rho[0], &stability, NULL, &l), ev);
  assert_int_equal(stability, GRADYN_UNSTABLE);
  assert_true(l.stiffness > 0 && l.real[0] > 0);
  expect(0, -1, &l);
  gradyn_linearisation_clear(&l);
  assert_true(gradyn_equilibrium_compute(ev, rho[1], &stability, NULL, NULL) != GRADYN_OK);
  assert_true(strlen(gradyn_evaluator_message(ev)) > 0);
}

/* A run that starts in equilibrium stays there: the controller's torque equals the spring's, and the angle
 * is the target. */
TEST(runs_start_in_it_with_derivatives)
{
  static const char *const ways[] = {"direct", "adjoint"};
  const double rho[P] = {0.4, 1.3};
  for (int k = 0; k < 16; k++) {
    double psi[2], gradient[2 * P];
    run_local *ev = open_wheel(k / 8, 1, run_methods[k / 2 % 4], ways[k % 2]);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close(psi[0], spring * rho[TARGET], 1e-8, 0);
    assert_close(psi[1], rho[TARGET], 1e-8, 0);
    const double expected[2 * P] = {spring, 0, 1, 0};
    assert_close_array(gradient, expected, 2 * P, 1e-7, 1e-7);
  }
}

/* A ball on a slope has one degree of freedom in the mode with the constraint, and two in the mode without
 * it. This must hold for either choice of the nominal mode. */
TEST(modes_need_no_degree_of_freedom)
{
  static const struct {
    int nominal, freedom;
  } cases[] = {{GRID_LIFT_OFF, 1}, {GRID_LANDING, 2}, {GRID_SWING, 2}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    LOCAL(gradyn_linearisation) l;
    gradyn_dof freedom;
    const double *start = grid_cases[cases[k].nominal].start;
    run_local *ev = run_with(&grid_problem, .setting = "case", .value = cases[k].nominal);
    assert_run(gradyn_evaluator_linearise(ev, start, false, &l), ev);
    assert_int_equal(l.dof, cases[k].freedom);
    assert_int_equal(l.states, 0);
    assert_run(gradyn_dof_compute(ev, start, &freedom, NULL), ev);
    assert_int_equal(freedom.degrees, cases[k].freedom);
    assert_int_equal(freedom.at_start, cases[k].freedom);
  }
}

/* In a mode that is followed by another one, the equilibrium is computed without the later event. No force
 * acts along the slope. */
TEST(a_mode_has_its_equilibrium)
{
  const gradyn_setting_choice choice = {"case", GRID_LIFT_OFF};
  const double *start = grid_cases[GRID_LIFT_OFF].start;
  LOCAL(gradyn_linearisation) l;
  gradyn_stability stability;
  OWNED(gradyn_trajectory) *at = gradyn_trajectory_create();
  run_local *ev = run_with(&grid_problem, .settings = &choice, .setting_count = 1);
  assert_run(gradyn_equilibrium_compute(ev, start, &stability, at, &l), ev);
  assert_int_equal(stability, GRADYN_STABLE);
  assert_int_equal(l.dof, 1);
  double y[32];
  double complex z[GRID_STATES] = {0}, zp[GRID_STATES], none[GRID_INPUTS] = {0};
  assert_true(gradyn_trajectory_read(at).columns <= 32);
  (void)gradyn_trajectory_step(at, 0, y);
  for (size_t k = 0; k < gradyn_trajectory_read(at).columns; k++)
    for (int i = 0; i < 2; i++)
      if (strcmp(gradyn_trajectory_column(at, k).name, i ? "ball.y" : "ball.x") == 0)
        z[i] = y[k];
  grid_rates(GRID_FREE, 0, z, none, zp);
  double along[GRID_STATES][GRID_STATES], state[GRID_STATES] = {0};
  (void)grid_tangents(GRID_SLOPE, state, along);
  assert_close(creal(zp[2]) * along[0][0] + creal(zp[3]) * along[0][1], 0, 0, 1e-9);
  assert_close(creal(grid_guard_value(GRID_TOUCHES, 0, z)), 0, 0, 1e-12);
}
