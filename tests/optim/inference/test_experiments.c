/* Optimal experiments: published designs, closed forms, and the equivalence theorem on fine grids. */
#include "tests/optim/inference/certify.h"

#include <complex.h>

#include "tests/declare.h"

/* --- Box and Lucas (1959): A -> B -> C, of which B is measured ---------------------------------- */

enum { GRID = 41 };
static double grid_times[GRID], grid_values[GRID];

static gradyn_status reaction(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0];
  F[1] = at->yp[1] - at->data[0] * at->y[0] + at->data[1] * at->y[1];
  return GRADYN_OK;
}

FORMULA(educt, at->y[0])
FORMULA(product, at->y[1])
FORMULA(clock_time, at->t)

/* Fit "fit" of B with four data among 41 times. Settings: sigma is estimated; a second fit of A; a fit that
 * no parameter affects. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const bool noise = gradyn_setting_value(model, "noise") > 0;
  gradyn_state(model, "A", "", 1);
  gradyn_state(model, "B", "", 0);
  declare_equations(model, reaction, (gradyn_datum[]){{"k1", "1/s", rho[0]}, {"k2", "1/s", rho[1]}},
                    2);
  const gradyn_measure_id b = gradyn_measure_custom(
                              model,
                              &(gradyn_custom_measure_spec){.name = "b", .formula = product}),
                          a = gradyn_measure_custom(
                              model, &(gradyn_custom_measure_spec){.name = "a", .formula = educt}),
                          clock = gradyn_measure_custom(
                              model, &(gradyn_custom_measure_spec){.name = "clock",
                                                                   .formula = clock_time});
  for (int k = 0; k < GRID; k++) {
    grid_times[k] = 0.5 * k;
    grid_values[k] = k % 10 == 1 ? 0.3 : NAN;
  }
  gradyn_fit_spec spec = {.times = grid_times,
                          .values = grid_values,
                          .count = GRID,
                          .sigma = noise ? cexp(rho[2]) : 0.1,
                          .likelihood = noise};
  declare_fit(model, b, &spec);
  spec.sigma = 0.3;
  spec.likelihood = false;
  if (gradyn_setting_value(model, "both") > 0)
    (void)gradyn_fit(model, "fit_a", a, &spec);
  static int calls;
  if (gradyn_setting_value(model, "counted") > 0)
    (void)gradyn_fit(model, gradyn_format_name(model, "fit %d", ++calls), a, &spec);
  if (gradyn_setting_value(model, "idle") > 0)
    (void)gradyn_fit(model, "idle", clock, &spec);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {
    {"k1", "1/s", .init = 0.7, .lower = 0.01, .upper = 10, .scale = 1},
    {"k2", "1/s", .init = 0.2, .lower = 0.01, .upper = 10, .scale = 1},
    {"ln_sigma", "", .init = -2, .lower = -9, .upper = 1, .scale = 1, .fixed = true}};
static const gradyn_param with_prior[] = {
    {"k1", "1/s", .init = 0.7, .lower = 0.01, .upper = 10, .scale = 1, .prior = 0.7,
     .prior_deviation = 0.05},
    {"k2", "1/s", .init = 0.2, .lower = 0.01, .upper = 10, .scale = 1},
    {"ln_sigma", "", .init = -2, .lower = -9, .upper = 1, .scale = 1, .fixed = true}};
static const gradyn_param logarithmic[] = {
    {"k1", "1/s", .init = 0.7, .lower = 0.01, .upper = 10, .logarithmic = true},
    {"k2", "1/s", .init = 0.2, .lower = 0.01, .upper = 10, .logarithmic = true},
    {"ln_sigma", "", .init = -2, .lower = -9, .upper = 1, .scale = 1, .fixed = true}};
static const gradyn_setting settings[] = {
    {"noise", "", 0, 0, 1}, {"both", "", 0, 0, 1}, {"idle", "", 0, 0, 1}, {"counted", "", 0, 0, 1}};
#define BOX_LUCAS(list)                                                                            \
  PROBLEM("box_lucas", build, list, .settings = settings, .setting_count = 4, .t_end = 20,         \
          .rtol = 1e-11, .atol = 1e-13)
static const gradyn_problem box_lucas = BOX_LUCAS(params), informed = BOX_LUCAS(with_prior),
                            in_logarithms = BOX_LUCAS(logarithmic);

static void reaction_row(int fit, double t, double j[])
{
  for (int i = 0; i < 2; i++) {
    const double complex k1 = 0.7 + (i == 0 ? 1e-40 * I : 0), k2 = 0.2 + (i == 1 ? 1e-40 * I : 0),
                         a = cexp(-k1 * t), b = k1 / (k1 - k2) * (cexp(-k2 * t) - a);
    j[i] = fit == 0 ? cimag(b) / 1e-40 / 0.1 : cimag(a) / 1e-40 / 0.3;
  }
}

static const certified reaction_alone = {.p = 2, .fits = 1, .row = reaction_row, .upper = {20, 20}},
                       reaction_both = {.p = 2, .fits = 2, .row = reaction_row, .upper = {20, 20}};

TEST(box_and_lucas_have_their_printed_times)
{
  static const char *const methods[] = {"explicit", "radau", "idas"}, *const routes[] = {"direct",
                                                                                         "adjoint"};
  static const size_t first[] = {0};
  for (int m = 0; m < 6; m++) {
    run_local *ev = run_with(&box_lucas, .method = methods[m / 2], .sensitivity = routes[m % 2]);
    LOCAL(gradyn_experiment) out;
    certify_compute(ev, &(gradyn_experiment_spec){.candidates = m < 3 ? 0 : 34}, &out);
    assert_int_equal(out.supports, 2);
    assert_close(out.support[0].time, 1.2295, 0, 5e-5);
    assert_close(out.support[1].time, 6.8577, 0, 5e-5);
    /* zeros of the derivatives of the closed form */
    assert_close(out.support[0].time, 1.229471398827, 0, 2e-8);
    assert_close(out.support[1].time, 6.857689054925, 0, 2e-8);
    assert_close(out.support[0].weight, 0.5, 0, 1e-9);
    assert_int_equal(out.candidates, m < 3 ? GRID : 34);
    assert_int_equal(out.data, 4);
    assert_int_equal(out.measurements, 4);
    assert_close(out.rounded_efficiency, 1, 1e-9, 0);
    assert_true(out.weighted);
    certify(&reaction_alone, first, GRADYN_EXPERIMENT_D, &out);
  }
}

/* The optimal times are next to one candidate or between two; of three candidates the last two are needed. */
TEST(few_candidates_move_to_the_same_times)
{
  static const size_t few[] = {3, 5, 6, 7, 8, 11};
  run_local *ev = run_with(&box_lucas, .method = "explicit");
  for (size_t k = 0; k < GRADYN_COUNT(few); k++) {
    LOCAL(gradyn_experiment) out;
    const gradyn_experiment_criterion criterion = k % 2 == 0 ? GRADYN_EXPERIMENT_D
                                                             : GRADYN_EXPERIMENT_A;
    certify_compute(ev, &(gradyn_experiment_spec){.criterion = criterion, .candidates = few[k]},
                    &out);
    assert_int_equal(out.supports, 2);
    certify(&reaction_alone, (const size_t[]){0}, criterion, &out);
  }
}

TEST(supports_of_two_sensors_have_certificates)
{
  static const gradyn_setting_choice both[] = {{"both", 1}, {"idle", 1}};
  for (int k = 0; k < 4; k++) {
    run_local *ev = run_with(&box_lucas, .method = "explicit", .settings = both,
                             .setting_count = 2);
    LOCAL(gradyn_experiment) out;
    const gradyn_experiment_criterion criterion = k % 2 == 0 ? GRADYN_EXPERIMENT_D
                                                             : GRADYN_EXPERIMENT_A;
    certify_compute(
        ev, &(gradyn_experiment_spec){.criterion = criterion, .candidates = k < 2 ? 0 : 12}, &out);
    /* the second fit begins after four residuals; a third fit, which no parameter affects, has no weight */
    certify(&reaction_both, (const size_t[]){0, 5}, criterion, &out);
    assert_int_equal(out.candidates, 3 * (k < 2 ? GRID : 12));
  }
}

TEST(priors_count_once_by_the_number_of_measurements)
{
  run_local *ev = run_with(&informed, .method = "explicit");
  for (size_t n = 2; n < 2000; n = 30 * n) {
    certified known = reaction_alone;
    known.prior[0] = 1 / (0.05 * 0.05) / (double)n;
    LOCAL(gradyn_experiment) out;
    certify_compute(ev, &(gradyn_experiment_spec){.measurements = n}, &out);
    certify(&known, (const size_t[]){0}, GRADYN_EXPERIMENT_D, &out);
    assert_int_equal(out.measurements, n);
  }
}

/* With the parameter ln k, the volume of the region is multiplied by a constant. */
TEST(logarithms_have_the_same_times_and_relative_deviations)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit"),
            *other = run_with(&in_logarithms, .method = "explicit");
  LOCAL(gradyn_experiment) a;
  LOCAL(gradyn_experiment) b;
  certify_compute(ev, &(gradyn_experiment_spec){0}, &a);
  certify_compute(other, &(gradyn_experiment_spec){0}, &b);
  for (size_t k = 0; k < 2; k++) {
    assert_close(a.support[k].time, b.support[k].time, 1e-8, 0);
    assert_close(a.deviation[k], b.deviation[k], 1e-7, 0);
  }
  assert_close(a.criterion, b.criterion, 1e-8, 0);
}

/* Each datum adds 2 l' l'^T, so that ln sigma has the standard deviation 1/sqrt(2 N). */
TEST(an_estimated_sigma_has_its_information)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit", .setting = "noise", .value = 1);
  LOCAL(gradyn_experiment) out;
  double rho[3];
  gradyn_search search = run_search(ev);
  const bool vary[] = {true, true, true};
  search.vary = vary;
  (void)run_initial(ev, rho);
  assert_run(gradyn_experiment_compute(ev, &search, &(gradyn_experiment_spec){.measurements = 50},
                                       rho, &out),
             ev);
  assert_int_equal(out.directions, 0);
  assert_close(out.support[0].time, 1.2294713986, 0, 1e-6);
  assert_close(out.deviation[2], 1 / sqrt(100), 1e-9, 0);
  assert_close(out.data_deviation[2], 1 / sqrt(8), 1e-9, 0);
  assert_true(out.gap < 1e-6);
}

/* --- undetermined parameters -------------------------------------------------------------------- */

TEST(a_parameter_that_no_measure_shows_is_named)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit");
  const bool vary[] = {true, true, true};
  gradyn_search search = run_search(ev);
  double rho[3];
  LOCAL(gradyn_experiment) out;
  search.vary = vary;
  (void)run_initial(ev, rho);
  assert_run(gradyn_experiment_compute(ev, &search, &(gradyn_experiment_spec){0}, rho, &out), ev);
  assert_int_equal(out.directions, 1);
  assert_true(out.direction[0].change[2] != 0 && out.direction[0].change[0] == 0 &&
              out.direction[0].change[1] == 0);
  assert_true(isnan(out.deviation[2]) && isnan(out.criterion) && isinf(out.direction[0].deviation));
  assert_close(out.support[0].time, 1.2294713986, 0, 1e-6);
  assert_close(out.support[1].time, 6.8576890549, 0, 1e-6);
  assert_true(out.deviation[0] > 0 && out.gap < 1e-6);
}

/* Measurements at a single time cannot determine two parameters: of the two candidates, one is at the
 * start, where nothing depends on the parameters. */
TEST(too_few_candidates_leave_a_direction)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit");
  LOCAL(gradyn_experiment) out;
  certify_compute(ev, &(gradyn_experiment_spec){.candidates = 2, .fixed_times = true}, &out);
  double j[2];
  reaction_row(0, 20, j);
  assert_int_equal(out.supports, 1);
  assert_close(out.support[0].time, 20, 0, 0);
  assert_int_equal(out.directions, 1);
  const double *change = out.direction[0].change;
  assert_close(change[0] * j[0], -change[1] * j[1], 1e-6, 0);
  assert_true(isnan(out.deviation[0]) && isnan(out.deviation[1]));
}

/* --- data and input ----------------------------------------------------------------------------- */

TEST(the_present_data_have_the_deviations_of_the_inference)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit");
  gradyn_search search = run_search(ev);
  LOCAL(gradyn_experiment) out;
  LOCAL(gradyn_inference) inference;
  double rho[3];
  (void)run_initial(ev, rho);
  certify_compute(ev, &(gradyn_experiment_spec){0}, &out);
  assert_run(gradyn_inference_compute(ev, &search, rho, &inference), ev);
  for (size_t i = 0; i < 2; i++)
    assert_close(out.data_deviation[i], inference.deviation[i], 1e-7, 0);
  /* the same number of measurements at the support points: the volume of the region is smaller by the
   * efficiency */
  const double *V = inference.covariance, *d = out.deviation;
  assert_true(d[0] < out.data_deviation[0] && d[1] < out.data_deviation[1]);
  assert_close(out.data_efficiency, sqrt(exp(-out.criterion) / 16 / (V[0] * V[4] - V[1] * V[3])),
               1e-6, 0);
}

TEST(bad_input_is_refused)
{
  run_local *ev = run_with(&box_lucas, .method = "explicit");
  gradyn_search search = run_search(ev);
  gradyn_experiment out;
  double rho[3];
  const bool none[] = {false, false, false}, last[] = {false, false, true};
  (void)run_initial(ev, rho);
#define REFUSED(says, ...)                                                                         \
  assert_refused(                                                                                  \
      gradyn_experiment_compute(ev, &search, &(gradyn_experiment_spec){__VA_ARGS__}, rho, &out),   \
      ev, GRADYN_INVALID, says);                                                                   \
  gradyn_experiment_clear(&out)
  REFUSED("no criterion 7", .criterion = (gradyn_experiment_criterion)7);
  REFUSED("1 candidates of each fit; give 2 to 100000", .candidates = 1);
  REFUSED("1 measurements; the optimal weights are at 2 times", .measurements = 1);
  search.vary = last;
  REFUSED("no candidate determines a parameter that is free", 0);
  search.vary = none;
  REFUSED("no parameter", 0);
  search.vary = NULL;
  assert_refused(gradyn_experiment_compute(ev, &search, NULL, rho, &out), ev, GRADYN_INVALID,
                 "spec");
  assert_refused(gradyn_experiment_compute(ev, NULL, &(gradyn_experiment_spec){0}, rho, &out), ev,
                 GRADYN_INVALID, "search");
  assert_int_equal(gradyn_experiment_compute(ev, &search, &(gradyn_experiment_spec){0}, rho, NULL),
                   GRADYN_INVALID);
  gradyn_experiment_clear(NULL);
  run_local *counted = run_with(&box_lucas, .method = "explicit", .setting = "counted", .value = 1);
  assert_refused(
      gradyn_experiment_compute(counted, &search, &(gradyn_experiment_spec){0}, rho, &out), counted,
      GRADYN_INVALID, "Names must not depend on earlier calls");
  gradyn_experiment_clear(&out);
}
