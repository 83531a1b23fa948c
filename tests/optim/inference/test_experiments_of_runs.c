/* Optimal experiments by all methods, with load cases and delays, and with whole numbers of measurements. */
#include "problems/builtin.h"
#include "tests/optim/inference/certify.h"

#include "optim/inference/design.h"
#include "tests/declare.h"

FORMULA(height, at->y[0])

/* --- a parabola: all methods -------------------------------------------------------------------- */

enum { A, B, C };

/* y = a + b x + c x^2 with x = t - 1, as the motion of a ball; a time without a value is a candidate, too. */
static gradyn_status throw(gradyn_model * model, const gradyn_scalar rho[])
{
  static const double times[] = {0, 0.3, 2}, values[] = {1, NAN, 1.2};
  const int ball = gradyn_point(model, "ball", 0, rho[A] - rho[B] + rho[C]);
  gradyn_initial_velocity(model, ball, 1, rho[B] - 2 * rho[C]);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, 2 * rho[C]);
  declare_fit(model, gradyn_measure_point(model, "y", ball, 0, GRADYN_Y),
              &(gradyn_fit_spec){.times = times, .values = values, .count = 3, .sigma = 1});
  return gradyn_build_status(model);
}

static const gradyn_param of_parabola[] = {
    {"a", "m", .init = 1, .lower = -9, .upper = 9, .scale = 1},
    {"b", "m/s", .init = 0.5, .lower = -9, .upper = 9, .scale = 1},
    {"c", "m/s^2", .init = -4, .lower = -9, .upper = 9, .scale = 1}};
static const gradyn_problem parabola = PROBLEM("parabola", throw, of_parabola, .t_end = 2,
                                               .rtol = 1e-11, .atol = 1e-12, .step = 0.02);

/* On [-1, 1] the D-optimal weights are 1/3 at -1, 0, 1, the A-optimal ones 1/4, 1/2, 1/4 (Fedorov 1972). */
TEST(quadratic_regression_has_its_weights_by_all_methods_and_routes)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (int m = 0; m < 4 * RUN_METHODS; m++) {
    const gradyn_experiment_criterion criterion = m % 4 < 2 ? GRADYN_EXPERIMENT_D
                                                            : GRADYN_EXPERIMENT_A;
    const double outer = criterion == GRADYN_EXPERIMENT_D ? 1.0 / 3 : 0.25;
    run_local *ev = run_with(&parabola, .method = run_methods[m / 4], .sensitivity = routes[m % 2]);
    LOCAL(gradyn_experiment) out;
    certify_compute(ev, &(gradyn_experiment_spec){.criterion = criterion, .candidates = 8}, &out);
    assert_int_equal(out.supports, 3);
    for (size_t k = 0; k < 3; k++) {
      assert_close(out.support[k].time, (double)k, 0, 1e-7);
      assert_close(out.support[k].weight, k == 1 ? 1 - 2 * outer : outer, 0, 1e-7);
    }
    assert_true(out.gap < 1e-6);
    /* two data for three parameters */
    assert_close(out.data_efficiency, 0, 0, 0);
    assert_int_equal(out.data, 2);
  }
}

/* Weights if only given times are candidates, with and without the middle one: 0.3 s is x = -0.7. */
TEST(times_of_data_without_values_are_candidates)
{
  run_local *ev = run_with(&parabola, .method = "explicit");
  LOCAL(gradyn_experiment) out;
  certify_compute(ev, &(gradyn_experiment_spec){.fixed_times = true, .measurements = 7}, &out);
  assert_int_equal(out.supports, 3);
  for (size_t k = 0; k < 3; k++)
    assert_close(out.support[k].weight, 1.0 / 3, 1e-9, 0);
  assert_close(out.support[1].time, 0.3, 0, 0);
  assert_int_equal(out.support[0].number + out.support[1].number + out.support[2].number, 7);
}

/* --- load cases, delays, events ----------------------------------------------------------------- */

FORMULAS(rises, at->yp[0] - at->data[0])

/* y = a + b t, with a different a for each case. */
static gradyn_status rise(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double times[] = {0, 0.5, 1}, values[] = {NAN, NAN, NAN};
  gradyn_state(model, "y", "m", rho[A]);
  declare_equations(model, rises, &(gradyn_datum){"b", "m/s", rho[B]}, 1);
  declare_fit(
      model,
      gradyn_measure_custom(
          model, &(gradyn_custom_measure_spec){.name = "y", .unit = "m", .formula = height}),
      &(gradyn_fit_spec){.times = times,
                         .values = values,
                         .count = 3,
                         .sigma = gradyn_case_value(model, "sigma", 1)});
  return gradyn_build_status(model);
}

/* The slope is the first parameter of all cases. */
static void rise_row(int fit, double t, double j[])
{
  const double sigma = fit == 0 ? 0.5 : 2;
  j[0] = t / sigma;
  j[1] = fit == 0 ? 1 / sigma : 0;
  j[2] = fit == 1 ? 1 / sigma : 0;
}

TEST(load_cases_are_designed_together)
{
  static const gradyn_param of_lines[] = {
      {"a", "m", .init = 1, .lower = -9, .upper = 9, .scale = 1, .per_case = true},
      {"b", "m/s", .init = 0.5, .lower = -9, .upper = 9, .scale = 1}};
  static const char *const names[] = {"first", "second"}, *const columns[] = {"sigma"};
  static const double sigma[] = {0.5, 2};
  static const gradyn_cases cases = {
      .names = names, .columns = columns, .values = sigma, .count = 2, .column_count = 1};
  static const gradyn_problem lines = PROBLEM("lines", rise, of_lines, .cases = &cases, .t_end = 1,
                                              .rtol = 1e-10);
  static const certified known = {.p = 3, .fits = 2, .row = rise_row, .upper = {1, 1}};
  for (int k = 0; k < 2; k++) {
    const gradyn_experiment_criterion criterion = k == 0 ? GRADYN_EXPERIMENT_D
                                                         : GRADYN_EXPERIMENT_A;
    run_local *ev = run_with(&lines, .method = "explicit");
    LOCAL(gradyn_experiment) out;
    size_t first[2] = {0, 0};
    certify_compute(ev, &(gradyn_experiment_spec){.criterion = criterion}, &out);
    for (size_t i = 0; i < gradyn_functional_count(ev); i++)
      for (int fit = 0; fit < 2; fit++)
        if (strcmp(gradyn_functional_at(ev, i).name, fit == 0 ? "fit@first" : "fit@second") == 0)
          first[fit] = i;
    certify(&known, first, criterion, &out);
    assert_int_equal(out.candidates, 6);
  }
}

/* A ball with two sensors, one of which has a delay that is a parameter. */
static gradyn_status throw_late(gradyn_model *model, const gradyn_scalar rho[])
{
  const int ball = gradyn_point(model, "ball", 0, rho[A]);
  gradyn_initial_velocity(model, ball, 1, rho[B]);
  gradyn_point_mass(model, "ball", ball, 1);
  gradyn_gravity(model, 0, -9.81);
  const gradyn_measure_id y = gradyn_measure_point(model, "y", ball, 0, GRADYN_Y);
  const double time = 0.5, value = NAN;
  gradyn_fit_spec spec = {.times = &time, .values = &value, .count = 1, .sigma = 0.5};
  gradyn_minimise(model, gradyn_fit(model, "plain", y, &spec), 1);
  spec.sigma = 0.1;
  spec.delay = "delay";
  gradyn_minimise(model, gradyn_fit(model, "late", y, &spec), 1);
  return gradyn_build_status(model);
}

static void late_row(int fit, double t, double j[])
{
  const double s = fit == 0 ? t : t - 0.2, sigma = fit == 0 ? 0.5 : 0.1;
  j[0] = 1 / sigma;
  j[1] = s / sigma;
  j[2] = fit == 0 ? 0 : (9.81 * s - 3) / sigma;
}

TEST(a_delay_is_designed_by_all_methods)
{
  static const gradyn_param of_ball[] = {
      {"height", "m", .init = 1, .lower = -9, .upper = 9, .scale = 1},
      {"speed", "m/s", .init = 3, .lower = -9, .upper = 9, .scale = 1},
      {"delay", "s", .init = 0.2, .lower = 0, .upper = 1, .scale = 1}};
  static const gradyn_problem ball = PROBLEM("late", throw_late, of_ball, .t_end = 1, .rtol = 1e-11,
                                             .atol = 1e-12, .step = 0.01);
  enum { N = 15 };
  static const certified known = {.p = 3,
                                  .fits = 2,
                                  .row = late_row,
                                  .lower = {0, 0.2 + 1.0 / (N + 1)},
                                  .upper = {1, 1.2 - 1.0 / (N + 1)}};
  for (int m = 0; m < 2 * RUN_METHODS; m++) {
    const gradyn_experiment_criterion criterion = m % 2 == 0 ? GRADYN_EXPERIMENT_D
                                                             : GRADYN_EXPERIMENT_A;
    run_local *ev = run_with(&ball, .method = run_methods[m / 2]);
    LOCAL(gradyn_experiment) out;
    certify_compute(ev, &(gradyn_experiment_spec){.criterion = criterion, .candidates = N}, &out);
    certify(&known, (const size_t[]){0, 1}, criterion, &out);
  }
}

/* --- whole numbers ------------------------------------------------------------------------------ */

/* Between 10 candidates of five sensors, the first moves leave a gap of 0.027. */
TEST(candidates_that_gain_beside_moved_points_join)
{
  double criterion[2];
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(&gradyn_problem_alpha_pinene, .method = "explicit");
    LOCAL(gradyn_experiment) out;
    certify_compute(
        ev,
        &(gradyn_experiment_spec){.criterion = GRADYN_EXPERIMENT_A, .candidates = k == 0 ? 10 : 41},
        &out);
    assert_true(out.gap < 1e-7);
    criterion[k] = out.criterion;
  }
  assert_close(criterion[0], criterion[1], 1e-7, 0);
}

/* One candidate is the only one that shows the second number; its row is by far the longest. */
TEST(weights_start_where_all_is_determined)
{
  enum { COUNT = 1000 };
  static double common[] = {1, 0}, rare[] = {0, 31.6};
  static const double none[4];
  static gradyn_design_point point[COUNT];
  LOCAL(gradyn_arena) arena = {0};
  gradyn_design design = {.count = COUNT, .point = point, .prior = none};
  for (int k = 0; k < COUNT; k++)
    point[k].a = k == 700 ? rare : common;
  gradyn_design_create(&design, 2, &arena);
  assert_int_equal(gradyn_design_weigh(&design), GRADYN_OK);
  assert_close(point[700].w, 0.5, 0, 1e-9);
}

/* An efficient rounding maximises the smallest n_i/w_i (Pukelsheim and Rieder 1992). */
TEST(whole_numbers_lose_least)
{
  gradyn_design_point point[] = {{.w = 0.52}, {.w = 0}, {.w = 0.29}, {.w = 0.19}};
  const gradyn_design design = {.count = 4, .point = point};
  for (size_t n = 3; n < 40; n++) {
    size_t number[4];
    double best = 0;
    gradyn_design_round(&design, n, number);
    assert_int_equal(number[0] + number[2] + number[3], n);
    assert_int_equal(number[1], 0);
    for (size_t a = 0; a <= n; a++)
      for (size_t b = 0; a + b <= n; b++)
        best = fmax(best,
                    fmin(fmin((double)a / 0.52, (double)b / 0.29), (double)(n - a - b) / 0.19));
    assert_close(
        fmin(fmin((double)number[0] / 0.52, (double)number[2] / 0.29), (double)number[3] / 0.19),
        best, 1e-12, 0);
  }
}
