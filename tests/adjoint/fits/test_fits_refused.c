/* Fits that are refused by name. */
#include "tests/runs.h"

#include <math.h>

FORMULAS(still, at->yp[0])
FORMULA(state, at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = still});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "m", .formula = state});
  (void)gradyn_fit(model, "fit", y, gradyn_user(model));
  return gradyn_build_status(model);
}

typedef struct refusal {
  gradyn_fit_spec spec;
  const char *says;
} refusal;

TEST(wrong_members_are_refused)
{
  static const gradyn_param params[] = {{"y0", "", .init = 1, GRADYN_UNBOUNDED}};
  static const double t[] = {0.1, 0.2}, down[] = {0.2, 0.1}, none[] = {(double)NAN, 1},
                      y[] = {1, 2}, infinite[] = {1, HUGE_VAL}, zero[] = {1, 0}, late[] = {0, 3};
  const refusal rows[] = {
      {{.count = 2}, "give times and values, or a file"},
      {{.times = t, .values = y, .count = 2, .file = "x"}, "give times and values, or a file"},
      {{.times = t, .values = y, .count = -1}, "there are -1 data"},
      {{.times = t, .values = y, .count = 10001}, "there are 10001 data"},
      {{.times = t, .values = y, .count = 2, .sigma = -1}, "sigma is -1"},
      {{.times = t, .values = y, .count = 2, .likelihood = true}, "a likelihood needs sigma"},
      {{.times = t, .values = y, .count = 2, .sigma = 1, .likelihood = true, .loss = 1},
       "a likelihood needs sigma and GRADYN_LOSS_SQUARE"},
      {{.times = t, .values = y, .count = 2, .loss = 3}, "there is no loss 3"},
      {{.times = t, .values = y, .count = 2, .threshold = 1}, "the threshold is 1"},
      {{.times = down, .values = y, .count = 2}, "datum 1: the time is 0.1 s"},
      {{.times = none, .values = y, .count = 2}, "datum 0 is 1 at t = nan s"},
      {{.times = t, .values = infinite, .count = 2}, "datum 1 is inf"},
      {{.times = t, .values = y, .deviations = zero, .count = 2}, "datum 1: the deviation is 0"},
      {{.times = late, .values = y, .count = 2}, "the run ends at 1 s"},
      {{.file = "/nowhere/data.csv"}, "/nowhere/data.csv"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    const gradyn_problem problem = PROBLEM("refused", build, params, .t_end = 1,
                                           .user = (void *)(size_t)&rows[i].spec);
    gradyn_evaluator *ev;
    const double rho[] = {1};
    double psi[4];
    gradyn_status status = run_try(&ev, .problem = &problem);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    assert_int_equal(status, GRADYN_INVALID);
    if (!strstr(gradyn_evaluator_message(ev), rows[i].says))
      fail_msg("row %zu: '%s' lacks '%s'", i, gradyn_evaluator_message(ev), rows[i].says);
    gradyn_evaluator_free(ev);
  }
}
