/* Sensitivities that do not exist are refused with the reason. After that, and after a call that was stopped,
 * the evaluator can be used as before. */
#include <complex.h>

#include "tests/adjoint/grid/flights_model.h"
#include "tests/runs.h"
#include "tests/declare.h"

extern const gradyn_problem gradyn_problem_bang_bang;

enum { ROOM = 4096 };
static double y[ROOM], dy[ROOM];

TEST(times_that_make_no_sense_are_refused)
{
  static const struct {
    double t[2];
    size_t times;
    const char *message;
  } refused[] = {{{0}, 0, "no time is given"},
                 {{-0.1}, 1, "t = -0.1 s: outside the run, which lasts from 0 to 1.6 s"},
                 {{0.5, 1.7}, 2, "t = 1.7 s: outside the run, which lasts from 0 to 1.6 s"},
                 {{NAN}, 1, "t = nan s"},
                 {{0.5, 0.5}, 2, "times must ascend"},
                 {{0.5, 0.4}, 2, "t = 0.4 s follow those at 0.5 s"}};
  const double rho[2] = {0.7, 0.9}, half = 0.5;
  run_local *ev = run_with(&gradyn_problem_bang_bang, .method = "explicit");
  for (size_t k = 0; k < GRADYN_COUNT(refused); k++)
    assert_refused(gradyn_sensitivities_compute(ev, rho, refused[k].t, refused[k].times, y, dy), ev,
                   GRADYN_INVALID, refused[k].message);
  assert_refused(gradyn_sensitivities_compute(ev, rho, NULL, 1, y, dy), ev, GRADYN_INVALID,
                 "no time is given");
  assert_int_equal(gradyn_sensitivities_compute(ev, NULL, &half, 1, y, dy), GRADYN_INVALID);
  assert_int_equal(gradyn_sensitivities_compute(ev, rho, &half, 1, y, NULL), GRADYN_INVALID);
  assert_int_equal(gradyn_sensitivities_compute(NULL, rho, &half, 1, y, dy), GRADYN_INVALID);
  assert_refused(gradyn_sensitivities_compute(ev, (const double[]){NAN, 1}, &half, 1, y, dy), ev,
                 GRADYN_INVALID, "it must be finite");
  assert_run(gradyn_sensitivities_compute(ev, rho, &half, 1, NULL, dy), ev);
}

static gradyn_status fall(gradyn_model *m, const gradyn_scalar rho[])
{
  const int bob = gradyn_point(m, "bob", 0, rho[0]);
  gradyn_point_mass(m, "bob", bob, 1);
  gradyn_gravity(m, 0, -9.81);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"height", "m", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem falling = PROBLEM("fall", fall, params, .t_end = 1);

/* A requested time may be inside a step of the given length: the states there must be accurate as well. */
TEST(fixed_steps_end_there)
{
  static const char *const methods[] = {"ali3p", "variational"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    const double rho = 1, times[2][4] = {{0, 0.1, 0.25, 1}, {0.1, 0.255, 0.3, 0.301}};
    run_local *ev = run_with(&falling, .method = methods[k], .step = 0.05);
    for (size_t i = 0; i < 8; i++) {
      const double *t = times[i / 4];
      assert_run(gradyn_sensitivities_compute(ev, &rho, t, 4, y, dy), ev);
      const size_t states = (size_t)gradyn_evaluator_model_info(ev).states, at = i % 4 * states;
      /* derivatives of x, y, and of their rates */
      assert_true(fabs(dy[at + 1] - 1) < 1e-12 && fabs(dy[at + 3]) < 1e-12);
      assert_close(y[at + 1], 1 - 9.81 / 2 * t[i % 4] * t[i % 4], 1e-12, 0);
    }
  }
}

TEST(runs_that_end_before_are_reported)
{
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p", "variational"};
  double rho[FLIGHTS_PARAMETERS];
  gradyn_setting setting;
  const gradyn_problem problem = flights_problem(FLIGHTS_ENDED, &setting);
  flights_place(FLIGHTS_ENDED, rho);
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    const double t[] = {0.5, 1.2};
    run_local *ev = run_with(&problem, .method = methods[k], .step = 0.02);
    assert_refused(gradyn_sensitivities_compute(ev, rho, t, 2, y, dy), ev, GRADYN_EVENT,
                   "s; no time may be later");
    assert_run(gradyn_sensitivities_compute(ev, rho, t, 1, y, dy), ev);
  }
}

/* Returns true at the n-th call, to stop the computation. */
static bool stop(void *user)
{
  long *left = user;
  return --*left < 0;
}

TEST(stopped_calls_leave_no_trace)
{
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p", "variational"};
  static double again[ROOM];
  const double rho[2] = {0.7, 0.9}, t[] = {0.3, 1};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    long left = 1 << 20;
    run_local *ev = run_with(&gradyn_problem_bang_bang, .method = methods[k], .cancel = stop,
                             .cancel_user = &left);
    double psi[8], gradient[16], before[16];
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, before), ev);
    assert_run(gradyn_sensitivities_compute(ev, rho, t, 2, y, dy), ev);
    left = 4;
    assert_refused(gradyn_sensitivities_compute(ev, rho, t, 2, y, again), ev, GRADYN_INTERRUPTED,
                   "stopped on request");
    left = 1 << 20;
    assert_run(gradyn_sensitivities_compute(ev, rho, t, 2, y, again), ev);
    assert_memory_equal(again, dy, 4 * (size_t)gradyn_evaluator_model_info(ev).states * sizeof *dy);
    /* times of an earlier request for sensitivities must not change later gradients */
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_memory_equal(gradient, before, 2 * gradyn_functional_count(ev) * sizeof *before);
  }
}

/* A force with a derivative lost in complex numbers: refused by name, as for a gradient. */
static gradyn_status blow(const gradyn_at *at, gradyn_scalar force[])
{
  force[1] = creal(at->pos[1]) * 0.5;
  return GRADYN_OK;
}

static gradyn_status lose(gradyn_model *m, const gradyn_scalar rho[])
{
  const int bob = gradyn_point(m, "bob", 0, rho[0]);
  gradyn_point_mass(m, "bob", bob, 1);
  declare_force(m, "wind", bob, blow, NULL, 0);
  return gradyn_build_status(m);
}

static const gradyn_problem losing = PROBLEM("lose", lose, params, .t_end = 1);

TEST(lost_derivatives_are_reported)
{
  const double rho = 1, t = 0.5;
  run_local *ev = run_with(&losing, .method = "explicit");
  assert_refused(gradyn_sensitivities_compute(ev, &rho, &t, 1, y, dy), ev, GRADYN_INVALID,
                 "force wind is not complex-differentiable");
}
