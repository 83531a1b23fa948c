/* Warnings of fits whose data do not determine the free parameters. */
#include "tests/runs.h"

#include <math.h>

#include <gradyn/inspect.h>
#include <gradyn/optimise.h>

enum { START, RATE, OFFSET, IDLE, PARAMETERS };

/* Declarations in addition to the fit of y. */
typedef struct variant {
  int data; /* number of data of the fit of y + offset */
  /* a prior of `idle`, a term of the objective, an equality constraint, an inequality constraint */
  bool prior, term, equal, at_most;
  bool idle_fixed;
  double few;  /* number of data in the warning; 0: none */
  bool unseen; /* warning of `idle` */
} variant;

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0];
  F[1] = at->yp[1];
  return GRADYN_OK;
}

FORMULA(shifted, at->y[0] + at->data[0])
FORMULA(idle_state, at->y[1])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double times[] = {0, 0.3, 0.6, 0.8, 1}, values[] = {1.3, 1.1, 0.9, 0.75, 0.7},
                      guess[] = {2};
  const variant *v = gradyn_user(model);
  gradyn_state(model, "y", "m", rho[START]);
  gradyn_state(model, "z", "m", rho[IDLE]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = decay,
                                                   .data = &(gradyn_datum){"k", "1/s", rho[RATE]},
                                                   .data_count = 1});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "my",
                                           .unit = "m",
                                           .formula = shifted,
                                           .data = &(gradyn_datum){"offset", "m", rho[OFFSET]},
                                           .data_count = 1});
  const gradyn_measure_id z = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "mz", .unit = "m", .formula = idle_state});
  gradyn_minimise(model,
                  gradyn_fit(model, "fit", y,
                             &(gradyn_fit_spec){
                                 .times = times, .values = values, .count = v->data, .sigma = 0.1}),
                  1);
  if (v->prior)
    gradyn_minimise(
        model,
        gradyn_fit(model, "prior", z,
                   &(gradyn_fit_spec){.times = times, .values = guess, .count = 1, .sigma = 0.5}),
        1);
  const gradyn_scalar away = rho[IDLE] - 2;
  if (v->term)
    gradyn_minimise(model, gradyn_design_functional(model, "near", "", away * away), 1);
  if (v->equal)
    gradyn_constrain(model, gradyn_design_functional(model, "set", "m", rho[IDLE]), 2, 2, 1e-6);
  if (v->at_most)
    gradyn_constrain(model, gradyn_design_functional(model, "top", "m", rho[IDLE]), -INFINITY, 4,
                     1e-6);
  return gradyn_build_status(model);
}

static const gradyn_param params[PARAMETERS] = {
    [START] = {"start", "m", .init = 1, .lower = 0, .upper = 10},
    [RATE] = {"rate", "1/s", .init = 0.8, .lower = 0.1, .upper = 10},
    [OFFSET] = {"offset", "m", .init = 0.1, .lower = -1, .upper = 1},
    [IDLE] = {"idle", "m", .init = 3, .lower = -10, .upper = 10}};

static void check(const variant *v, size_t row, const char *sensitivity, const char *algorithm)
{
  const gradyn_problem problem = PROBLEM("fit_data", build, params, .t_end = 1, .rtol = 1e-9,
                                         .user = (void *)(size_t)v);
  run_local *ev = run_with(&problem, .method = "explicit", .step = -1, .sensitivity = sensitivity);
  gradyn_search search = run_search(ev);
  const bool vary[PARAMETERS] = {true, true, true, !v->idle_fixed};
  double rho[PARAMETERS];
  gradyn_search_result result;
  search.vary = vary;
  search.algorithm = algorithm;
  (void)run_initial(ev, rho);
  (void)gradyn_optimise(ev, &search, rho, &result);
  const gradyn_warning few = run_found(&result, GRADYN_WARNING_TOO_FEW_DATA),
                       unseen = run_found(&result, GRADYN_WARNING_PARAMETER_UNSEEN);
  if ((few.code != 0) != (v->few > 0) || (unseen.code != 0) != v->unseen)
    fail_msg("row %zu: '%s', '%s'", row, few.code ? few.text : "", unseen.code ? unseen.text : "");
  if (v->few > 0) {
    assert_true(few.value == v->few);
    assert_true(few.limit == PARAMETERS - v->idle_fixed);
  }
  if (v->unseen) {
    assert_string_equal(unseen.subject, "idle");
    assert_string_equal(unseen.unit, "m");
    assert_true(unseen.value == result.rho[IDLE]);
    assert_int_equal(unseen.count, 1);
  }
  gradyn_search_result_clear(&result);
}

TEST(data_that_do_not_determine_the_parameters_are_named)
{
  static const variant rows[] = {
      {.data = 5, .unseen = true},
      {.data = 5, .idle_fixed = true},
      {.data = 4, .unseen = true},
      {.data = 3, .few = 3, .unseen = true},
      {.data = 3, .idle_fixed = true},
      {.data = 2, .idle_fixed = true, .few = 2},
      {.data = 3, .prior = true},
      {.data = 2, .prior = true, .few = 3},
      {.data = 3, .term = true},
      {.data = 2, .term = true},
      {.data = 3, .equal = true},
      {.data = 2, .equal = true, .few = 2},
      {.data = 5, .at_most = true, .unseen = true},
  };
  static const char *const algorithms[] = {NULL, "slsqp"};
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++)
    for (int a = 0; a < 2; a++) {
      check(&rows[i], i, "direct", algorithms[a]);
      check(&rows[i], i, "adjoint", algorithms[a]);
    }
}

TEST(segments_with_fits_are_refused)
{
  static const variant v = {.data = 5};
  const gradyn_problem problem = PROBLEM("fit_data", build, params, .t_end = 1,
                                         .user = (void *)(size_t)&v);
  run_local *ev = run_with(&problem, .method = "explicit");
  gradyn_search search = run_search(ev);
  gradyn_search_result result;
  search.segments = 2;
  double rho[PARAMETERS];
  (void)run_initial(ev, rho);
  assert_int_equal(gradyn_optimise(ev, &search, rho, &result), GRADYN_UNSUPPORTED);
  assert_non_null(strstr(result.reason, "segments and fits to data cannot be combined"));
  gradyn_search_result_clear(&result);
}
