/* The bouncing five-bar linkage: its bounces, and its sensitivities by two methods and by differences. */
#include "tests/problems/run.h"

extern const gradyn_problem gradyn_problem_bouncing_five_bar;

enum { P = 3, F = 6, Y2, VY2 = 1, Z1, Z2 };

static const double rho[P] = {2.23606797749978969641, 2.06155281280883027491, 1};

static gradyn_evaluator *open_method(const char *method, int kinematic, const char *sensitivity,
                                     double rtol, double t_end)
{
  const gradyn_setting_choice choice = {"kinematic", kinematic};
  return run_with(&gradyn_problem_bouncing_five_bar, .method = method, .step = 2e-3,
                  .sensitivity = sensitivity, .rtol = rtol, .t_end = t_end, .settings = &choice,
                  .setting_count = 1);
}

static gradyn_evaluator *open_with(int kinematic, const char *sensitivity, double rtol)
{
  return open_method("idas", kinematic, sensitivity, rtol, 0);
}

TEST(it_bounces_nine_times)
{
  for (int kinematic = 0; kinematic < 2; kinematic++) {
    run_local *ev = open_with(kinematic, "adjoint", 1e-12);
    double slowest = HUGE_VAL;
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    assert_int_equal(gradyn_evaluator_statistics(ev).events, 9);
    for (size_t i = 0; i < 9; i++) {
      const gradyn_event_record e = gradyn_event_log_at(ev, i);
      slowest = fmin(slowest, -e.approach);
      assert_close(e.rebound, -e.approach, 1e-12, 0);
      assert_true(kinematic ? e.impulse == 0 : e.impulse > 0);
      if (!kinematic)                            /* an elastic impact keeps the energy */
        assert_close(e.energy_lost, 0, 0, 1e-9); /* velocities drift off the constraints */
    }
    if (kinematic) {
      assert_close(slowest, 1.52, 5e-3, 0);
      /* the kinematic impact increases the energy from 2.5852 J to 2.5865 J at the first bounce */
      assert_close(gradyn_event_log_at(ev, 0).energy_lost, 2.5852 - 2.5865, 0, 1e-4);
    }
  }
}

/* Derivatives with respect to all data, for both impact laws. */
THOROUGH_TEST(direct_and_adjoint_agree)
{
  for (size_t run = 0; run < 2 * GRADYN_COUNT(run_methods); run++) {
    if (!support_takes((int)run, 3))
      continue;
    const char *method = run_methods[run / 2];
    double rtol = run < 2 ? 1e-11 : 0, accuracy = run < 2 ? 1e-8 : 1e-10;
    gradyn_evaluator *ev[2] = {open_method(method, run % 2, "direct", rtol, 2.5),
                               open_method(method, run % 2, "adjoint", rtol, 2.5)};
    size_t data = gradyn_evaluator_model_info(ev[0]).data;
    double psi[F], *gradient[2];
    for (int way = 0; way < 2; way++) {
      gradient[way] = calloc(F * data, sizeof(double));
      assert_non_null(gradient[way]);
      assert_run(gradyn_evaluator_data_gradient(ev[way], rho, psi, gradient[way]), ev[way]);
      gradyn_evaluator_free(ev[way]);
    }
    for (int f = 0; f < F; f++) {
      const double largest = largest_of(gradient[0] + (size_t)f * data, data);
      assert_true(largest > 0);
      assert_close_array(gradient[1] + (size_t)f * data, gradient[0] + (size_t)f * data, data, 0,
                         accuracy * largest);
    }
    free(gradient[0]);
    free(gradient[1]);
  }
}

/* Richardson differences of whole runs, of order 6; and the value that distinguishes the two laws. */
THOROUGH_TEST(gradients_are_those_of_differences)
{
  static const double weight[] = {3.0 / 4, -3.0 / 20, 1.0 / 60}, by_L02[2] = {-5.48, -5.72};
  const double h = 1e-4;
  for (int kinematic = 0; kinematic < 2; kinematic++) {
    run_local *ev = open_with(kinematic, "adjoint", 1e-12);
    double psi[F], above[F], below[F], gradient[F * P];
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    assert_close(gradient[0 * P + 1], by_L02[kinematic], 0, 5e-3);
    for (int j = 0; j < P; j++) {
      double slope[F] = {0}, moved[P] = {rho[0], rho[1], rho[2]};
      for (int k = 1; k <= 3; k++) {
        moved[j] = rho[j] + k * h;
        assert_int_equal(gradyn_evaluator_simulate(ev, moved, above, NULL), GRADYN_OK);
        moved[j] = rho[j] - k * h;
        assert_int_equal(gradyn_evaluator_simulate(ev, moved, below, NULL), GRADYN_OK);
        for (int f = 0; f < F; f++)
          slope[f] += weight[k - 1] * (above[f] - below[f]) / h;
      }
      for (int f = 0; f < F; f++)
        assert_close(gradient[f * P + j], slope[f], 1e-6, 1e-7);
    }
  }
}
