/* Fits of many data: the work for each datum does not depend on their number. */
#include <math.h>
#include <stdlib.h>

#include "tests/runs.h"

enum { MOST = 100000 };

static const double end = 3; /* s */

static long calls; /* calls of the measure's formula */

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status level(const gradyn_at *at, gradyn_scalar *value)
{
  calls++;
  *value = at->y[0];
  return GRADYN_OK;
}

static double time_of(int k, int count)
{
  return end * (k + 0.5) / count;
}

static double datum_of(int k)
{
  return 0.1 * (k % 7);
}

/* y' = -rate y, y(0) = 1, with `count` data. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static double times[MOST], values[MOST];
  const int count = (int)gradyn_setting_value(model, "count");
  for (int k = 0; k < count; k++) {
    times[k] = time_of(k, count);
    values[k] = datum_of(k);
  }
  gradyn_state(model, "y", "", 1);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = decay,
                                            .data = (gradyn_datum[]){{"rate", "1/s", rho[0]}},
                                            .data_count = 1});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "level", .formula = level});
  gradyn_minimise(model,
                  gradyn_fit(model, "fit", y,
                             &(gradyn_fit_spec){.times = times, .values = values, .count = count}),
                  1);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"rate", "1/s", .init = 0.7, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"count", "number of data", 1000, 1, MOST}};
static const gradyn_problem many = PROBLEM("many", build, params, .settings = settings,
                                           .setting_count = 1, .t_end = end);

/* Counts calls of the formula in a run with derivatives and compares the results with closed forms. The run
 * has a step for each datum, one to the end, and a few short ones at the start. */
static long count_calls(const char *method, int count)
{
  run_local *ev = run_with(&many, .method = method, .sensitivity = "direct", .rtol = 1e-8,
                           .setting = "count", .value = count);
  double rho[1], *psi = calloc(2 * ((size_t)count + 1), sizeof *psi), *slope = psi + count + 1;
  assert_non_null(psi);
  (void)run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, slope), ev);
  calls = 0;
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, slope), ev);
  const long counted = calls;
  assert_in_range(gradyn_evaluator_statistics(ev).steps, count + 1, count + 10);
  double sum = 0, slopes = 0;
  for (int k = 0; k < count; k++) {
    const double t = time_of(k, count), y = exp(-rho[0] * t), r = y - datum_of(k);
    assert_close(psi[1 + k], r, 0, 1e-7);
    assert_close(slope[1 + k], -t * y, 0, 1e-7);
    sum += r * r / 2;
    slopes -= r * t * y;
  }
  assert_close(psi[0], sum, 1e-6, 0);
  assert_close(slope[0], slopes, 1e-6, 1e-7 * count);
  free(psi);
  return counted;
}

TEST(calls_for_each_datum_do_not_depend_on_their_number)
{
  static const char *const methods[] = {"explicit", "radau"};
  for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
    const long few = count_calls(methods[m], 1000);
    assert_true(few >= 1000);
    assert_int_equal(count_calls(methods[m], 4000), 4 * few);
  }
}

/* The largest interpolation error between the rows of a trajectory of y = exp(-rate t). */
static double between_rows(const gradyn_trajectory *trajectory, double rate)
{
  double worst = 0, y[2]; /* the state and the measure */
  for (double t = 0; t < end; t += 0.00137) {
    gradyn_trajectory_sample(trajectory, t, y);
    worst = fmax(worst, fabs(y[0] - exp(-rate * t)));
  }
  return worst;
}

/* A trajectory has one row for each step that ends at a datum. Steps in the middle of a run would be
 * divided into 8 rows. Interpolation between the rows is as accurate as without data. */
TEST(rows_of_trajectories_and_bands_are_few_for_each_datum)
{
  static const char *const methods[] = {"explicit", "radau"};
  enum { COUNT = 1000 };
  const gradyn_covariance_spec spec = {
      .name = (const char *const[]){"rate"}, .count = 1, .matrix = &(double){0.01}};
  for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
    run_local *ev = run_with(&many, .method = methods[m], .rtol = 1e-8);
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    double rho[1];
    gradyn_covariance bands;
    (void)run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
    assert_in_range(gradyn_trajectory_read(trajectory).steps, COUNT, 2 * COUNT + 200);
    assert_true(between_rows(trajectory, rho[0]) < 1e-8);
    assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, trajectory, &bands), ev);
    assert_in_range(bands.rows, COUNT, 4 * COUNT + 200);
    for (size_t k = 0; k < bands.rows; k++) { /* |dy/drate| sigma */
      const double t = bands.t[k], y = exp(-rho[0] * t);
      assert_close(gradyn_covariance_entry(&bands, k, 0, 0), 0.01 * t * t * y * y, 0, 1e-9);
    }
    gradyn_covariance_clear(&bands);
  }
}

/* The time limit of the test fails if the work in each step is in proportion to the number of data. */
THOROUGH_TEST(a_hundred_thousand_data_are_evaluated)
{
  assert_int_equal(count_calls("auto", MOST), MOST / 1000 * count_calls("auto", 1000));
}
