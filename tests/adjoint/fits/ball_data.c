/* A ball that bounces, and measurements of its height. */
#include "tests/adjoint/fits/ball_data.h"

#include <complex.h>

#include "tests/declare.h"

const double ball_times[BALL_DATA] = {0, 0.1234, 0.3333, 0.3333, 0.5, 0.777, 0.9, 1};
const double ball_values[BALL_DATA] = {1.02, 0.9, 0.52, 0.49, 0.1, 0.4, 0.33, 0.2};

/* A force against the velocity. */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * at->vel[k];
  return GRADYN_OK;
}

FORMULA(shifted, at->of[0] + at->data[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int ball = gradyn_point(model, "ball", 0, rho[BALL_HEIGHT]);
  gradyn_initial_velocity(model, ball, 1, 0);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, -9.81);
  declare_force(model, "air", ball, drag, &(gradyn_datum){"drag", "N s/m", rho[BALL_DRAG]}, 1);
  gradyn_impact(
      model, &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = rho[BALL_RESTITUTION]});
  const gradyn_measure_id y = gradyn_measure_point(model, "y", ball, 0, GRADYN_Y);
  const gradyn_measure_id seen = gradyn_measure_formula(
      model,
      &(gradyn_measure_formula_spec){.name = "seen",
                                     .unit = "m",
                                     .formula = shifted,
                                     .of = &y,
                                     .count = 1,
                                     .data = &(gradyn_datum){"offset", "m", rho[BALL_OFFSET]},
                                     .data_count = 1});
  declare_fit(model, seen,
              &(gradyn_fit_spec){.times = ball_times,
                                 .values = ball_values,
                                 .count = BALL_DATA,
                                 .sigma = rho[BALL_SIGMA],
                                 .likelihood = gradyn_setting_value(model, "likelihood") > 0,
                                 .loss = (gradyn_loss)gradyn_setting_value(model, "loss")});
  return gradyn_build_status(model);
}

static const gradyn_param params[BALL_P] = {
    [BALL_HEIGHT] = {"height", "m", .init = 1.05, .lower = 0.5, .upper = 2},
    [BALL_RESTITUTION] = {"restitution", "", .init = 0.7, .lower = 0.1, .upper = 1},
    [BALL_DRAG] = {"drag", "N s/m", .init = 0.2, .lower = 0, .upper = 1},
    [BALL_OFFSET] = {"offset", "m", .init = 0.03, .lower = -1, .upper = 1},
    [BALL_SIGMA] = {"sigma", "m", .init = 0.05, .lower = 1e-3, .upper = 1}};
static const gradyn_setting settings[] = {{"loss", "", 0, 0, 2}, {"likelihood", "", 0, 0, 1}};
const gradyn_problem ball_data = PROBLEM("ball_data", build, params, .settings = settings,
                                         .setting_count = 2, .t_end = 1, .rtol = 1e-10,
                                         .step = 0.005);

gradyn_evaluator *ball_open(const char *method, const char *sensitivity, int loss, int likelihood)
{
  const gradyn_setting_choice choice[] = {{"loss", loss}, {"likelihood", likelihood}};
  return run_with(&ball_data, .method = method, .sensitivity = sensitivity, .settings = choice,
                  .setting_count = 2);
}
