/* Samples of a trajectory between its steps: accelerations and multipliers satisfy the equations of motion
 * there, for every method and length of steps. */
#include "adjoint/evaluator/evaluator.h"
#include "core/model/event.h"
#include "problems/builtin.h"
#include "tests/runs.h"

enum { SAMPLES = 173, COLUMNS = 7 };

static const double mass = 0.7, length = 1.3, gravity = 9.81;

/* A mass on a massless rod. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(m, "O", 0, 0), P = gradyn_point(m, "P", length, 0);
  gradyn_rod(m, &(gradyn_rod_spec){.name = "bar", .from = O, .to = P, .length = length});
  gradyn_point_mass(m, "mass", P, mass);
  gradyn_gravity(m, 0, -rho[0]);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"gravity", "m/s^2", .init = 9.81, GRADYN_UNBOUNDED}};
static const gradyn_problem pendulum = PROBLEM("pendulum", build, params, .t_end = 1.7);

/* Simulates and requests this number of samples. */
static gradyn_trajectory *simulate(const char *method, size_t samples)
{
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  gradyn_evaluator *ev = run_with(&pendulum, .method = method, .step = 0.02);
  gradyn_trajectory_request(trajectory, samples);
  assert_run(gradyn_evaluator_simulate(ev, &gravity, NULL, trajectory), ev);
  assert_int_equal(gradyn_trajectory_read(trajectory).columns, COLUMNS);
  gradyn_evaluator_free(ev); /* the trajectory lives on */
  return trajectory;
}

/* Residuals of the tension m (v^2 - g y)/L of the rod, and of the accelerations by rod and gravity. */
static double residual(const double y[COLUMNS])
{
  double tension = mass * (y[2] * y[2] + y[3] * y[3] - gravity * y[1]) / length;
  double ax = -tension * y[0] / length / mass, ay = -tension * y[1] / length / mass - gravity;
  return fmax(fabs(y[6] - tension), fmax(fabs(y[4] - ax), fabs(y[5] - ay)));
}

static double worst_of(const gradyn_trajectory *trajectory)
{
  double worst = 0, y[COLUMNS];
  for (int i = 0; i < SAMPLES; i++) {
    double t = i + 1 == SAMPLES ? 1.7 : 1.7 * i / (SAMPLES - 1);
    gradyn_trajectory_sample(trajectory, t, y);
    worst = fmax(worst, residual(y));
  }
  return worst;
}

TEST(samples_satisfy_the_equations)
{
  static const char *const methods[] = {"ali3p", "variational", "idas"};
  for (int k = 0; k < 3; k++) {
    OWNED(gradyn_trajectory) *asked = simulate(methods[k], SAMPLES),
                             *not_asked = simulate(methods[k], 0);
    double y[COLUMNS], z[COLUMNS];
    /* the remaining error is that of q and v, which are interpolated */
    double worst = worst_of(asked), before = worst_of(not_asked);
    if (worst > 1e-4 || worst > 2e-3 * before)
      fail_msg("%s: off by %g, and by %g if interpolated", methods[k], worst, before);
    /* between the requested times, results are as without the request */
    gradyn_trajectory_sample(asked, 0.1234, y);
    gradyn_trajectory_sample(not_asked, 0.1234, z);
    assert_memory_equal(y, z, sizeof y);
    /* before its start and after its end, a run has its first and last state */
    for (int side = 0; side < 2; side++) {
      gradyn_trajectory_sample(asked, (side ? SAMPLES : -1) * 1.7 / (SAMPLES - 1), y);
      gradyn_trajectory_step(asked, side ? gradyn_trajectory_read(asked).steps - 1 : 0, z);
      assert_memory_equal(y, z, sizeof y);
    }
  }
}

/* At the time of an event, the sample is before or after it. */
static void check_follow(gradyn_model *model)
{
  const double t = model->log.record[0].t;
  for (int behind = 0; behind < 2; behind++) {
    gradyn_discrete_state_rewind(model);
    gradyn_discrete_state_follow(model, t, behind);
    assert_int_equal(model->discrete.passed, behind);
    assert_int_equal(model->discrete.mode, behind);
  }
}

/* A ball falls freely and then slides down a slope: each sample must have the acceleration of its mode. */
TEST(samples_have_their_mode)
{
  const gradyn_problem *slope = &gradyn_problem_ball_on_slope;
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    enum { PARAMETERS = 8, FUNCTIONALS = 4, LANDING = 2, AX = 7, AY, OUTPUTS = 16 };
    double rho[PARAMETERS], psi[FUNCTIONALS], y[OUTPUTS];
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    run_local *ev = run_with(slope, .method = run_methods[k], .step = k < 2 ? -1 : 0.01);
    for (size_t j = 0; j < slope->param_count; j++)
      rho[j] = slope->params[j].init;
    gradyn_trajectory_request(trajectory, SAMPLES);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
    assert_in_range(gradyn_trajectory_read(trajectory).columns, AY, OUTPUTS);
    double angle = rho[slope->param_count - 1];
    for (int i = 0; i < SAMPLES; i++) {
      double t = 1.0 * i / (SAMPLES - 1);
      gradyn_trajectory_sample(trajectory, t, y);
      bool slides = t > psi[LANDING];
      /* free: (0, -g); on the slope g sin(angle) along (cos(angle), -sin(angle)) */
      assert_close(y[AX], slides ? gravity * sin(angle) * cos(angle) : 0, 0, 1e-9);
      assert_close(y[AY], slides ? -gravity * sin(angle) * sin(angle) : -gravity, 0, 1e-9);
    }
    check_follow(ev->model);
  }
}
