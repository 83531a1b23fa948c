/* Optimal experiments of motions that are not smooth: sensitivities that jump at an impact, and a force that
 * jumps without being declared. */
#include "tests/optim/inference/certify.h"

#include <complex.h>

#include "tests/declare.h"

enum { A, B };

/* A ball that bounces; errors of the sensor grow with time. */
static gradyn_status bounce(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double times[] = {0, 1.1}, values[] = {NAN, NAN}, deviations[] = {1, 3};
  const int ball = gradyn_point(model, "ball", 0, rho[A]);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, -9.81);
  gradyn_impact(model,
                &(gradyn_impact_spec){
                    .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = rho[B]});
  declare_fit(
      model, gradyn_measure_point(model, "y", ball, 0, GRADYN_Y),
      &(gradyn_fit_spec){
          .times = times, .values = values, .deviations = deviations, .count = 2, .sigma = 0.1});
  return gradyn_build_status(model);
}

/* With the impact at T = sqrt(2 h/g): y = h - g t^2/2, then y = e g T u - g u^2/2, u = t - T. */
static void bounce_row(int fit, double t, double j[])
{
  (void)fit;
  const double g = 9.81, h = 1.2, e = 0.7, T = sqrt(2 * h / g), u = t - T,
               sigma = 0.1 * (1 + 2 * t / 1.1);
  /* dT/dh = 1/(g T); the derivative by h jumps from 1 to -e */
  j[0] = (u < 0 ? 1 : e * u / T - e + u / T) / sigma;
  j[1] = (u < 0 ? 0 : g * T * u) / sigma;
}

TEST(sensitivities_that_jump_at_an_event_are_designed_by_all_methods)
{
  static const gradyn_param of_ball[] = {
      {"height", "m", .init = 1.2, .lower = 0.1, .upper = 9, .scale = 1},
      {"restitution", "", .init = 0.7, .lower = 0, .upper = 1, .scale = 1}};
  static const gradyn_problem ball = PROBLEM("bounce", bounce, of_ball, .t_end = 1.1, .rtol = 1e-11,
                                             .atol = 1e-12, .step = 0.01);
  static const certified known = {.p = 2, .fits = 1, .row = bounce_row, .upper = {1.1}};
  for (int m = 0; m < 2 * RUN_METHODS; m++) {
    const gradyn_experiment_criterion criterion = m % 2 == 0 ? GRADYN_EXPERIMENT_D
                                                             : GRADYN_EXPERIMENT_A;
    run_local *ev = run_with(&ball, .method = run_methods[m / 2]);
    LOCAL(gradyn_experiment) out;
    certify_compute(ev, &(gradyn_experiment_spec){.criterion = criterion, .candidates = 15}, &out);
    certify(&known, (const size_t[]){0}, criterion, &out);
    assert_int_equal(out.supports, 2);
  }
}

/* A force that jumps at y = 1.4, which nothing declares: the run of the candidates reports it. */
FORMULAS(kick, 0, creal(at->pos[1]) > 1.4 ? -1 : 0)

static gradyn_status kicked(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double times[] = {0, 0.5, 1}, values[] = {NAN, NAN, NAN};
  const int ball = gradyn_point(model, "ball", 0, rho[A]);
  gradyn_initial_velocity(model, ball, 0, rho[B]);
  gradyn_point_mass(model, "ball", ball, 1);
  declare_force(model, "kick", ball, kick, NULL, 0);
  declare_fit(model, gradyn_measure_point(model, "y", ball, 0, GRADYN_Y),
              &(gradyn_fit_spec){.times = times, .values = values, .count = 3, .sigma = 0.1});
  return gradyn_build_status(model);
}

TEST(warnings_of_the_last_run_are_those_of_the_evaluator)
{
  static const gradyn_param of_ball[] = {
      {"height", "m", .init = 1.2, .lower = 0.1, .upper = 9, .scale = 1},
      {"speed", "m/s", .init = 0.7, .lower = 0, .upper = 1, .scale = 1}};
  static const gradyn_problem ball = PROBLEM("kicked", kicked, of_ball, .t_end = 1);
  run_local *ev = run_with(&ball, .method = "explicit", .sensitivity = "direct");
  LOCAL(gradyn_experiment) out;
  certify_compute(ev, &(gradyn_experiment_spec){.fixed_times = true}, &out);
  const gradyn_warning w = run_warning(ev, GRADYN_WARNING_UNDECLARED_DISCONTINUITY);
  assert_int_equal(w.code, GRADYN_WARNING_UNDECLARED_DISCONTINUITY);
  assert_close(w.t, 0.2 / 0.7, 0, 1e-3);
}
