/* Warnings about kinks and about events without effect: for each code one model that has the warning and
 * one that does not. */
#include "tests/runs.h"
#include "tests/declare.h"

static const gradyn_param params[] = {{"speed", "1/s", .init = 0.7, GRADYN_UNBOUNDED}};

/* y' = speed */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->data[0];
  return GRADYN_OK;
}

static gradyn_scalar distance(const gradyn_at *at)
{
  return at->y[0] - 0.3;
}

FORMULA(kinked, creal(distance(at)) < 0 ? -distance(at) : distance(at))
FORMULA(smooth, distance(at) * distance(at))
FORMULA(passes, -distance(at))

enum { KINKED, SMOOTH };

static gradyn_status build_integral(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"speed", "1/s", rho[0]}};
  gradyn_state(m, "y", "", 0);
  declare_equations(m, equations, data, 1);
  declare_integral(m, "area", "s", gradyn_setting_value(m, "form") == KINKED ? kinked : smooth);
  return gradyn_build_status(m);
}

TEST(a_kink_of_an_integrand_is_reported)
{
  static const gradyn_setting settings[] = {{"form", "", 0, 0, 1}};
  static const gradyn_problem problem = PROBLEM("integral", build_integral, params, .t_end = 1,
                                                .settings = settings, .setting_count = 1);
  const double rho = 0.7;
  for (int form = KINKED; form <= SMOOTH; form++) {
    double psi, gradient;
    run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-9, .setting = "form",
                             .value = form);
    assert_run(gradyn_evaluator_gradient(ev, &rho, &psi, &gradient), ev);
    const gradyn_warning w = run_warning(ev, GRADYN_WARNING_KINK);
    assert_int_equal(gradyn_evaluator_statistics(ev).warnings, form == KINKED);
    if (form == SMOOTH)
      continue;
    assert_says(w.subject, "area");
    assert_close(w.t, 0.3 / 0.7, 0.02, 0);
    assert_true(w.value > 0 && w.value < 1e-2 && w.limit < w.value);
  }
}

enum { IDLE, USED };

static gradyn_status build_event(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"speed", "1/s", rho[0]}};
  gradyn_state(m, "y", "", 0);
  declare_equations(m, equations, data, 1);
  const int event = gradyn_event(
      m, &(gradyn_event_spec){.name = "pass", .guard = {.terminal = passes}});
  if (gradyn_setting_value(m, "use") == USED)
    gradyn_terminate_at_event(m, event, 1);
  declare_end(m, "end", "", passes);
  return gradyn_build_status(m);
}

TEST(an_event_without_effect_is_reported)
{
  static const gradyn_setting settings[] = {{"use", "", 0, 0, 1}};
  static const gradyn_problem problem = PROBLEM("event", build_event, params, .t_end = 1,
                                                .settings = settings, .setting_count = 1);
  static const char *const methods[] = {"explicit", "radau"};
  const double rho = 0.7;
  for (int use = IDLE; use <= USED; use++)
    for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
      double psi, gradient;
      run_local *ev = run_with(&problem, .method = methods[k], .setting = "use", .value = use);
      for (int call = 0; call < 2; call++) {
        assert_run(call == 0 ? gradyn_evaluator_simulate(ev, &rho, &psi, NULL)
                             : gradyn_evaluator_gradient(ev, &rho, &psi, &gradient),
                   ev);
        const gradyn_warning w = run_warning(ev, GRADYN_WARNING_EVENT_HAS_NO_EFFECT);
        assert_int_equal(gradyn_evaluator_statistics(ev).warnings, use == IDLE);
        if (use == IDLE)
          assert_string_equal(w.subject, "pass");
      }
    }
}
