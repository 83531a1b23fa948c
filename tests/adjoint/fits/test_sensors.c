/* Sensors with a scale, an offset and a delay, against the closed form of a bouncing ball. */
#include "tests/runs.h"

#include <complex.h>

#include "tests/declare.h"
#include <gradyn/optimise.h>

enum { HEIGHT, RESTITUTION, SCALE, NEAR_OFFSET, FAR_OFFSET, LATE, P };
enum { DATA = 5, FITS = 3, F = FITS * (DATA + 1) };

static const double g = 9.81, sigma = 0.05;
/* times of data before and after the impact: with a delay of 0.1 s, and without a delay */
static const double late[DATA] = {0.15, 0.3, 0.5, 0.77, 1.1}, early[DATA] = {0, 0.2, 0.4, 0.9, 1};
static double values[FITS][DATA];

/* Fits `near` and `far` share a delay. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int ball = gradyn_point(model, "ball", 0, rho[HEIGHT]);
  gradyn_initial_velocity(model, ball, 1, 0);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, -g);
  gradyn_impact(model,
                &(gradyn_impact_spec){"ground", ball, GRADYN_Y, .restitution = rho[RESTITUTION]});
  const gradyn_measure_id y = gradyn_measure_point(model, "y", ball, 0, GRADYN_Y);
  gradyn_fit_spec near = {.times = late, .values = values[0], .count = DATA, .sigma = sigma},
                  far = near, plain = near;
  near.scale = "scale";
  near.offset = "sensors[0]";
  near.delay = "delay";
  far.delay = "delay";
  far.offset = "sensors[1]";
  plain.times = early;
  plain.values = values[1];
  far.values = values[2];
  gradyn_minimise(model, gradyn_fit(model, "near", y, &near), 1);
  gradyn_minimise(model, gradyn_fit(model, "plain", y, &plain), 1);
  gradyn_minimise(model, gradyn_fit(model, "far", y, &far), 1);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {
    {"height", "m", .init = 1, .lower = 0.5, .upper = 2},
    {"restitution", "", .init = 0.7, .lower = 0.1, .upper = 1},
    {"scale", "", .init = 1.3, .lower = 0.5, .upper = 4},
    {"sensors", "m", .init = 0.2, .lower = -1, .upper = 1, .count = 2},
    {"delay", "s", .init = 0.1, .lower = 0.06, .upper = 0.14}};
static const gradyn_problem sensors = PROBLEM("sensors", build, params, .t_end = 1.05,
                                              .rtol = 1e-11, .atol = 1e-12, .step = 0.005);

static double complex height(const double complex rho[], double complex t)
{
  const double complex fall = csqrt(2 * rho[HEIGHT] / g), s = t - fall;
  return creal(s) < 0 ? rho[HEIGHT] - g * t * t / 2
                      : rho[RESTITUTION] * g * fall * s - g * s * s / 2;
}

/* Residual k among all residuals, in closed form. */
static double complex closed(const double complex rho[], int fit, int k)
{
  const double complex m = height(rho, fit == 1 ? early[k] : late[k] - rho[LATE]);
  return (fit == 0   ? rho[SCALE] * m + rho[NEAR_OFFSET] - values[fit][k]
          : fit == 1 ? m - values[fit][k]
                     : m + rho[FAR_OFFSET] - values[fit][k]) /
         sigma;
}

static void compare(gradyn_evaluator *ev, const double rho[P], double rtol)
{
  double psi[F], gradient[F][P];
  assert_int_equal(gradyn_functional_count(ev), F);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  for (int fit = 0; fit < FITS; fit++) {
    double sum = 0;
    for (int k = 0; k < DATA; k++) {
      const int f = fit * (DATA + 1) + 1 + k;
      double complex at[P];
      for (int j = 0; j < P; j++)
        at[j] = rho[j];
      assert_close(psi[f], creal(closed(at, fit, k)), rtol, rtol);
      for (int j = 0; j < P; j++) {
        at[j] = rho[j] + 1e-40 * I;
        assert_close(gradient[f][j], cimag(closed(at, fit, k)) / 1e-40, rtol, 10 * rtol);
        at[j] = rho[j];
      }
      sum += psi[f] * psi[f] / 2;
    }
    assert_close(psi[fit * (DATA + 1)], sum, 1e-13, 0);
  }
}

/* Fixed steps integrate a parabola exactly, so the only error is that of the impact's time. */
TEST(all_methods_and_routes_have_the_closed_form)
{
  static const char *const routes[] = {"direct", "adjoint"};
  static const double some[FITS][DATA] = {
      {2.1, 1.7, 0.3, 1.2, 1.4}, {0.9, 0.7, 0.3, 0.5, 0.4}, {1.1, 0.7, 0.2, 0.2, 0.4}};
  memcpy(values, some, sizeof values);
  for (int m = 0; m < 2 * RUN_METHODS; m++) {
    run_local *ev = run_with(&sensors, .method = run_methods[m / 2], .sensitivity = routes[m % 2]);
    double rho[P] = {1, 0.7, 1.3, 0.2, 0.2, 0.1};
    compare(ev, rho, 1e-7);
    rho[LATE] = 0.0873;
    compare(ev, rho, 1e-7);
    const gradyn_functional_info info = gradyn_functional_at(ev, 1);
    assert_close(info.time, late[0], 0, 0);
    assert_close(info.scale, 1.3, 0, 0);
    assert_close(info.offset, 0.2, 0, 0);
    assert_close(info.delay, 0.0873, 0, 0);
    assert_close(gradyn_functional_at(ev, F - 1).scale, 1, 0, 0);
  }
}

/* Data are computed from known parameters, and the search finds these. No datum passes the impact during
 * the search. */
TEST(a_search_finds_the_sensor)
{
  static const double truth[P] = {1, 0.7, 1.3, 0.2, -0.1, 0.1};
  double complex at[P];
  for (int j = 0; j < P; j++)
    at[j] = truth[j];
  memset(values, 0, sizeof values);
  for (int fit = 0; fit < FITS; fit++)
    for (int k = 0; k < DATA; k++)
      values[fit][k] = sigma * creal(closed(at, fit, k));
  run_local *ev = run_with(&sensors, .method = "explicit");
  const double start[P] = {0.99, 0.72, 1.2, 0.25, -0.05, 0.09};
  gradyn_search search = run_search(ev);
  search.optimality = 1e-9;
  LOCAL(gradyn_search_result) result;
  assert_ok(gradyn_optimise(ev, &search, start, &result), result.reason);
  assert_string_equal(result.algorithm, "ipopt");
  assert_close_array(result.rho, truth, P, 1e-6, 0);
  assert_true(result.evaluations < 20);
}

/* --- refusals --------------------------------------------------------------------------------- */

FORMULAS(grows, at->yp[0] - at->data[0])
FORMULA(state, at->y[0])

typedef struct refusal {
  const char *scale, *delay;
  double time,
      other; /* s, time of a datum, and of a datum of the sensor with the other delay; 0: none */
  double first, second;
  gradyn_status status;
  const char *says;
} refusal;

static gradyn_status build_refused(gradyn_model *model, const gradyn_scalar rho[])
{
  const refusal *row = gradyn_user(model);
  gradyn_state(model, "y", "", 0);
  declare_equations(model, grows, &(gradyn_datum){"rate", "", rho[0]}, 1);
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "m", .formula = state});
  (void)gradyn_fit(model, "fit", y,
                   &(gradyn_fit_spec){.times = &row->time,
                                      .values = &row->time,
                                      .count = 1,
                                      .scale = row->scale,
                                      .delay = row->delay});
  if (row->other > 0)
    (void)gradyn_fit(
        model, "other", y,
        &(gradyn_fit_spec){
            .times = &row->other, .values = &row->time, .count = 1, .delay = "second"});
  return gradyn_build_status(model);
}

TEST(wrong_sensors_are_refused_by_name)
{
  static const gradyn_param list[] = {{"rate", "", .init = 1, .lower = 0.1, .upper = 2},
                                      {"first", "s", .init = 0.1, .lower = -2, .upper = 2},
                                      {"second", "s", .init = 0.2, .lower = -2, .upper = 2},
                                      {"row", "", .init = 1, .lower = 0, .upper = 2, .count = 2}};
  const refusal rows[] = {
      {"gain", NULL, 0.5, 0, 0, 0, GRADYN_INVALID, "there is no parameter gain for its scale"},
      {"row", NULL, 0.5, 0, 0, 0, GRADYN_INVALID, "there is no parameter row for its scale"},
      {"row[2]", NULL, 0.5, 0, 0, 0, GRADYN_INVALID, "no parameter row[2] for its scale"},
      {"rate[0]", NULL, 0.5, 0, 0, 0, GRADYN_INVALID, "no parameter rate[0] for its scale"},
      {NULL, "late", 0.5, 0, 0, 0, GRADYN_INVALID, "there is no parameter late for its delay"},
      {NULL, "first", 0.3, 0, 0.3, 0, GRADYN_INVALID, "it must be after the start of the run"},
      {NULL, "first", 0.3, 0, 0.4, 0, GRADYN_INVALID,
       "the time of datum fit[0] is 0.3 s minus a delay of 0.4 s"},
      {NULL, "first", 0.9, 0, -0.2, 0, GRADYN_INVALID, "the run ends at 1 s"},
      {NULL, "first", 0.9, 0, -0.1, 0, GRADYN_INVALID,
       "a delay of -0.1 s moves a datum to t = 1 s"},
      {NULL, "first", 0.5, 0.6, 0.1, 0.2, GRADYN_INVALID, "Start with another delay"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    const gradyn_problem problem = PROBLEM("refused", build_refused, list, .t_end = 1,
                                           .user = (void *)(size_t)&rows[i]);
    gradyn_evaluator *ev;
    const double rho[] = {1, rows[i].first, rows[i].second, 1, 1};
    double psi[4];
    gradyn_status status = run_try(&ev, .problem = &problem);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    assert_int_equal(status, rows[i].status);
    if (!strstr(gradyn_evaluator_message(ev), rows[i].says))
      fail_msg("row %zu: '%s' lacks '%s'", i, gradyn_evaluator_message(ev), rows[i].says);
    gradyn_evaluator_free(ev);
  }
}

/* At the time of the impact, the derivative with respect to the delay differs between both sides. */
TEST(a_delay_that_meets_an_impact_is_refused)
{
  for (int m = 0; m < RUN_METHODS; m++) {
    run_local *ev = run_with(&sensors, .method = run_methods[m]);
    double rho[P], psi[F];
    (void)run_initial(ev, rho);
    rho[HEIGHT] = g * 0.4 * 0.4 / 2;
    rho[LATE] = 0.5 - 0.4;
    assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_EVENT,
                   "where a delay of 0.1 s moves a datum");
  }
}
