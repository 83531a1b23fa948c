/* Filters with other parts: load cases, a steady start, warnings of their runs. */
#include <math.h>

#include "tests/declare.h"
#include "tests/runs.h"

static const double times[] = {0.5, 1.2}, values[] = {0.7, 0.9};

/* --- general equations in the steady state of other values ---------------------------------------- */

static const double rate = 0.8, supply = 1.1, before = 0.3, sigma = 0.02, P0 = 0.04;

FORMULAS(fill, at->yp[0] + at->data[0] * at->y[0] - at->data[1])
FORMULA(content, at->y[0])

static gradyn_status build_tank(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_state(model, "x", "", gradyn_case_value(model, "start", 0.01));
  gradyn_equations(model, &(gradyn_equations_spec){
                              .residual = fill,
                              .data = (gradyn_datum[]){{"k", "1/s", rate}, {"s", "1/s", supply}},
                              .data_count = 2,
                              .before = &(gradyn_datum){"s", "1/s", before},
                              .before_count = 1});
  gradyn_start_in_equilibrium(model);
  declare_fit(
      model,
      gradyn_measure_custom(model, &(gradyn_custom_measure_spec){.name = "m", .formula = content}),
      &(gradyn_fit_spec){.times = times, .values = values, .count = 2, .sigma = sigma});
  return gradyn_build_status(model);
}

static const gradyn_problem tank = {GRADYN_PROBLEM_SIZES, .name = "tank", .build = build_tank,
                                    .t_end = 1.5};
static const char *const state[] = {"x"};

/* x = s/k + (x0 - s/k) exp(-k t), x0 = before/k. */
TEST(a_filter_starts_in_the_steady_state)
{
  static const char *const methods[] = {"explicit", "radau"};
  const gradyn_filter_spec spec = {.initial = {state, 1, &P0}};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    run_local *ev = run_with(&tank, .method = methods[i], .rtol = 1e-11, .atol = 1e-13);
    LOCAL(gradyn_filter) found = {0};
    double x = before / rate, P = P0, t = 0;
    assert_run(gradyn_filter_compute(ev, NULL, &spec, &found), ev);
    assert_int_equal(found.rows, 2);
    for (size_t k = 0; k < 2; k++) {
      const double e = exp(-rate * (times[k] - t));
      x = supply / rate + (x - supply / rate) * e;
      P *= e * e;
      t = times[k];
      assert_close(found.predicted[k], x, 1e-9, 0);
      assert_close(found.predicted_covariance[k], P, 1e-9, 0);
      const double gain = P / (P + sigma * sigma);
      x += gain * (values[k] - x);
      P *= 1 - gain;
      assert_close(found.estimate[k], x, 1e-9, 0);
      assert_close(found.covariance[k], P, 1e-9, 0);
    }
  }
}

/* --- load cases ----------------------------------------------------------------------------------- */

TEST(load_cases_are_refused_and_one_is_selected)
{
  static const char *const names[] = {"low", "high"}, *const columns[] = {"start"};
  static const double starts[] = {0.01, 0.02};
  static const gradyn_cases cases = {
      .names = names, .columns = columns, .values = starts, .count = 2, .column_count = 1};
  gradyn_problem problem = tank;
  problem.cases = &cases;
  const gradyn_filter_spec spec = {.initial = {state, 1, &P0}};
  LOCAL(gradyn_filter) found = {0};
  run_local *ev = run_with(&problem, .method = "explicit");
  assert_refused(gradyn_filter_compute(ev, NULL, &spec, &found), ev, GRADYN_UNSUPPORTED,
                 "problem tank has 2 cases, and this call works with one run");
  gradyn_options options = run_options(&problem);
  options.method = "explicit";
  options.only_case = "high";
  OWNED(gradyn_evaluator) *one = NULL;
  assert_int_equal(gradyn_evaluator_create(&problem, &options, NULL, 0, &one), GRADYN_OK);
  assert_run(gradyn_filter_compute(one, NULL, &spec, &found), one);
  assert_int_equal(found.rows, 2);
}

/* --- warnings ------------------------------------------------------------------------------------- */

static gradyn_status line(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  *value = of[1] - of[0];
  return GRADYN_OK;
}

/* A ball that bounces off a wall onto the line x = y, at which its energy grows. */
static gradyn_status build_slide(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int first = gradyn_mode(model, "first"), second = gradyn_mode(model, "second");
  const int ball = gradyn_point(model, "ball", -0.1, 0.5);
  gradyn_initial_velocity(model, ball, 0.2, -1);
  gradyn_point_mass(model, "ball", ball, 2);
  gradyn_constraint_set_modes(
      model,
      gradyn_custom_constraint(model,
                               &(gradyn_custom_constraint_spec){
                                   .name = "line", .points = &ball, .point_count = 1, .fn = line}),
      gradyn_modes_of(second));
  gradyn_event_set_modes(model,
                         gradyn_impact(model, &(gradyn_impact_spec){.name = "wall",
                                                                    .point = ball,
                                                                    .axis = GRADYN_Y,
                                                                    .restitution = 1,
                                                                    .mode = second}),
                         gradyn_modes_of(first));
  gradyn_fit(model, "x", gradyn_measure_point(model, "x", ball, 0, GRADYN_X),
             &(gradyn_fit_spec){.times = (double[]){0.3, 0.8},
                                .values = (double[]){-0.04, 0.3},
                                .count = 2,
                                .sigma = 0.5});
  return gradyn_build_status(model);
}

TEST(warnings_of_the_runs_are_those_of_the_evaluator)
{
  static const gradyn_problem slide = {GRADYN_PROBLEM_SIZES, .name = "slide", .build = build_slide,
                                       .t_end = 1};
  static const char *const states[] = {"ball.x"};
  static const double small = 1e-8;
  const gradyn_filter_spec spec = {.initial = {states, 1, &small}};
  run_local *ev = run_with(&slide, .method = "explicit");
  /* twice: warnings of the call before do not stay */
  for (int k = 0; k < 2; k++) {
    LOCAL(gradyn_filter) found = {0};
    assert_run(gradyn_filter_compute(ev, NULL, &spec, &found), ev);
    const gradyn_warning w = run_warning(ev, GRADYN_WARNING_IMPACT_ENERGY);
    assert_int_equal(w.code, GRADYN_WARNING_IMPACT_ENERGY);
    assert_string_equal(w.subject, "wall");
    assert_close(w.t, 0.5, 1e-6, 0);
    assert_int_equal(w.count, 1);
    assert_int_equal(gradyn_evaluator_statistics(ev).warnings, 1);
  }
}
