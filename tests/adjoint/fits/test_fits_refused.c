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
      {{.times = t, .values = y, .count = 100001}, "there are 100001 data"},
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

/* Times of data and the end of the run may be computed differently. A datum at the end must be accepted
 * although the last digits differ. */
TEST(the_end_of_the_run_is_met_up_to_round_off)
{
  static const gradyn_param params[] = {{"y0", "", .init = 1, GRADYN_UNBOUNDED}};
  static const double y[] = {3};
  static const struct {
    double part;
    gradyn_status status;
  } rows[] = {{1, GRADYN_OK},         {1 + 1e-15, GRADYN_OK},     {1 - 1e-15, GRADYN_OK},
              {1 + 1e-13, GRADYN_OK}, {1 + 1e-9, GRADYN_INVALID}, {2, GRADYN_INVALID}};
  static const char *const methods[] = {"explicit", "radau", "idas"};
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      const double end = 0.3, t[] = {end * rows[i].part};
      const gradyn_fit_spec spec = {.times = t, .values = y, .count = 1};
      const gradyn_problem problem = PROBLEM("at_end", build, params, .t_end = end,
                                             .user = (void *)(size_t)&spec);
      gradyn_evaluator *ev;
      const double rho[] = {1};
      double psi[2] = {0}, gradient[2] = {0};
      gradyn_status status = run_try(&ev, .problem = &problem, .method = methods[k]);
      if (status == GRADYN_OK)
        status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
      assert_int_equal(status, rows[i].status);
      if (status == GRADYN_OK) {
        assert_close(psi[1], -2, 1e-12, 0);
        assert_close(gradient[1], 1, 1e-9, 0);
      }
      gradyn_evaluator_free(ev);
    }
}
