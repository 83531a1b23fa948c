/* Tests of sweeps: their points, and the result of each. */
#include "tests/adjoint/spring_and_wall.h"
#include "tests/optim/journalled.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

#include <gradyn/model.h>
#include <gradyn/evaluate.h>
#include <gradyn/study.h>

enum { SLOPE, START, IDLE, PARAMETERS, FUNCTIONALS = 2 };
static const gradyn_param params[] = {{"slope", "1/s", .init = 1, GRADYN_UNBOUNDED},
                                      {"start", "", .init = 2, GRADYN_UNBOUNDED},
                                      {"idle", "", .init = 7, GRADYN_UNBOUNDED}};
static const double rho0[PARAMETERS] = {1, 2, 7};
static const double t_end = 1.5;

/* y' = slope; slopes above 3 cannot be simulated. */
static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->data[0];
  return creal(at->data[0]) > 3 ? GRADYN_CALLBACK : GRADYN_OK;
}

FORMULA(at_end, at->y[0])

/* The second functional is three times the first one. */
FORMULA(thrice, 3 * at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum slope = {"slope", "1/s", rho[SLOPE]};
  gradyn_state(model, "y", "", rho[START]);
  declare_equations(model, residual, &slope, 1);
  gradyn_minimise(model, declare_end(model, "end", "", at_end), 1);
  declare_end(model, "thrice", "", thrice);
  return gradyn_build_status(model);
}

static const gradyn_problem line = PROBLEM("line", build, params, .t_end = t_end);

static gradyn_status sweep(gradyn_sweep_spec spec, gradyn_sweep_result *result)
{
  run_local *evaluator = run_with(.problem = &line);
  char *folder = journal_folder();
  spec.folder = folder;
  spec.durability = GRADYN_DURABLE_NEVER;
  const gradyn_status status = gradyn_sweep(evaluator, &spec, rho0, result);
  journal_sweep_up(folder);
  return status;
}

/* Checks psi = start + slope T or a missing result; parameters that are not swept stay unchanged. */
static void assert_evaluated(const gradyn_sweep_result *result, size_t i)
{
  const double *rho = result->rho + i * PARAMETERS;
  assert_close(rho[IDLE], rho0[IDLE], 0, 0);
  const bool fails = rho[SLOPE] > 3;
  assert_int_equal(result->status[i], fails ? GRADYN_CALLBACK : GRADYN_OK);
  for (size_t f = 0; f < FUNCTIONALS; f++) {
    const double times = f == 0 ? 1 : 3, psi = result->psi[i * FUNCTIONALS + f];
    if (fails)
      assert_true(isnan(psi));
    else
      assert_close(psi, times * (rho[START] + rho[SLOPE] * t_end), 1e-9, 0);
    for (size_t j = 0; j < PARAMETERS && result->gradient != NULL; j++) {
      const double slope = result->gradient[(i * FUNCTIONALS + f) * PARAMETERS + j];
      if (fails)
        assert_true(isnan(slope));
      else
        assert_close(slope, times * (j == SLOPE ? t_end : j == START), 1e-7, 1e-9);
    }
  }
}

/* The last range varies fastest; the ends of ranges are exact. */
TEST(a_grid_has_all_combinations)
{
  static const double slopes[] = {0.1, 2.2, 4.3}, starts[] = {-1, -0.7};
  const gradyn_range range[] = {{SLOPE, 0.1, 4.3, 3}, {START, -1, -0.7, 2}};
  for (int gradient = 0; gradient < 2; gradient++) {
    LOCAL(gradyn_sweep_result) result;
    assert_ok(
        sweep((gradyn_sweep_spec){.range = range, .range_count = 2, .gradient = gradient}, &result),
        result.message);
    assert_int_equal(result.count, 6);
    assert_int_equal(result.missing, 0);
    assert_int_equal(result.gradient != NULL, gradient);
    for (size_t i = 0; i < 6; i++) {
      assert_close(result.rho[i * PARAMETERS + SLOPE], slopes[i / 2], i / 2 == 1 ? 1e-15 : 0, 0);
      assert_close(result.rho[i * PARAMETERS + START], starts[i % 2], 0, 0);
      assert_evaluated(&result, i);
    }
  }
}

/* Of 2^k points, each of 2^k equal parts of every range contains one, for any seed. */
TEST(points_are_spread_over_their_ranges)
{
  enum { POINTS = 16 };
  const gradyn_range range[] = {{START, 3, 5, 0}, {SLOPE, -2, 2.5, 0}};
  double first[2];
  for (uint64_t seed = 1; seed < 3; seed++) {
    LOCAL(gradyn_sweep_result) result;
    assert_ok(
        sweep((gradyn_sweep_spec){.range = range, .range_count = 2, .points = POINTS, .seed = seed},
              &result),
        result.message);
    assert_int_equal(result.count, POINTS);
    for (size_t k = 0; k < 2; k++) {
      int met[POINTS] = {0};
      for (size_t i = 0; i < POINTS; i++) {
        const double value = result.rho[i * PARAMETERS + range[k].parameter];
        const double u = (value - range[k].from) / (range[k].to - range[k].from);
        assert_true(u > 0 && u < 1);
        met[(int)(u * POINTS)]++;
      }
      for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(met[i], 1);
    }
    for (size_t i = 0; i < POINTS; i++)
      assert_evaluated(&result, i);
    first[seed - 1] = result.rho[START];
  }
  assert_true(first[0] != first[1]);
}

static bool no_more(void *user)
{
  return --*(int *)user > 0;
}

TEST(points_that_are_missing_are_counted)
{
  int left = 3;
  const gradyn_workers workers = {.go_on = no_more, .user = &left};
  const gradyn_range range = {SLOPE, 0, 1, 9};
  LOCAL(gradyn_sweep_result) result;
  size_t missing = 0;
  assert_status(
      sweep((gradyn_sweep_spec){.range = &range, .range_count = 1, .workers = &workers}, &result),
      GRADYN_INTERRUPTED, result.message);
  for (size_t i = 0; i < 9; i++) {
    if (result.status[i] == GRADYN_INTERRUPTED) {
      assert_true(isnan(result.psi[i * FUNCTIONALS]));
      missing++;
    } else {
      assert_evaluated(&result, i);
    }
  }
  assert_in_range(missing, 1, 8);
  assert_int_equal(result.missing, missing);
}

TEST(invalid_ranges_are_refused)
{
  static const struct {
    gradyn_range range;
    size_t count, points;
    const char *why;
  } table[] = {
      {{SLOPE, 0, 1, 3}, 0, 0, "needs a range"},
      {{PARAMETERS, 0, 1, 3}, 1, 0, "range 1: parameter 3 of 3"},
      {{SLOPE, 0, HUGE_VAL, 3}, 1, 0, "from 0 to inf"},
      {{SLOPE, NAN, 1, 3}, 1, 4, "from nan to 1"},
      {{SLOPE, 0, 1, 0}, 1, 0, ", 0 points. The parameter must exist"},
      {{SLOPE, 0, 1, 5000000000}, 1, 0, "more than 4294967295 points"},
      {{SLOPE, 0, 1, 0}, 1, 5000000000, "at most 4294967295 points"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    LOCAL(gradyn_sweep_result) result;
    assert_status(sweep((gradyn_sweep_spec){.range = &table[i].range,
                                            .range_count = table[i].count,
                                            .points = table[i].points},
                        &result),
                  GRADYN_INVALID, result.message);
    assert_says(result.message, table[i].why);
    assert_int_equal(result.count, 0); /* a refused sweep has no arrays */
  }
}

/* All kinds of functionals: the result of a point must not depend on the point before it. */
TEST(points_have_closed_forms)
{
  static const gradyn_range range = {WALL_X, 0.3, 0.4, 3};
  for (size_t m = 0; m < RUN_ADAPTIVE; m++) {
    double rho[WALL_PARAMETERS], psi[WALL_FUNCTIONALS], slope[WALL_FUNCTIONALS * WALL_PARAMETERS];
    run_local *ev = run_with(&wall_equations, .method = run_adaptive[m], .rtol = 1e-9);
    const double tolerance = strcmp(run_adaptive[m], "idas") == 0 ? 1e-5 : 1e-7;
    char *folder = journal_folder();
    const gradyn_sweep_spec spec = {.range = &range,
                                    .range_count = 1,
                                    .gradient = true,
                                    .folder = folder,
                                    .durability = GRADYN_DURABLE_NEVER};
    gradyn_sweep_result result;
    (void)run_initial(ev, rho);
    const gradyn_status status = gradyn_sweep(ev, &spec, rho, &result);
    journal_sweep_up(folder);
    assert_run(status, ev);
    assert_int_equal(result.count, 3);
    for (size_t i = 0; i < result.count; i++) {
      support_complex_step(wall_functionals, result.rho + i * WALL_PARAMETERS, WALL_PARAMETERS,
                           WALL_FUNCTIONALS, psi, slope);
      assert_close_array(result.psi + i * WALL_FUNCTIONALS, psi, WALL_FUNCTIONALS, tolerance, 0);
      assert_close_array(result.gradient + i * WALL_FUNCTIONALS * WALL_PARAMETERS, slope,
                         WALL_FUNCTIONALS * WALL_PARAMETERS, tolerance, tolerance);
    }
    gradyn_sweep_result_clear(&result);
  }
}
