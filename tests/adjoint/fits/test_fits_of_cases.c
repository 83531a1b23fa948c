/* Experiments as load cases: one model that contains the data of all cases has the same fits. */
#include "tests/runs.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/table_file.h"
#include <gradyn/inspect.h>
#include <gradyn/optimise.h>

enum { DATA = 4, STARTS = 2 };
static const char *const names[STARTS] = {"first", "second"};
static const double times[DATA] = {0, 0.2, 0.7, 1};
static const double values[STARTS][DATA] = {{1.1, 0.9, 0.5, 0.4}, {2.2, 1.7, 0.9, 0.8}};

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < at->states; i++)
    F[i] = at->yp[i] + at->data[0] * at->y[i];
  return GRADYN_OK;
}

FORMULA(first_state, at->y[0])
FORMULA(second_state, at->y[1])

/* Declares a state for each initial value, with the rate rho[0]. */
static void declare(gradyn_model *model, gradyn_scalar rate, const gradyn_scalar start[],
                    int states)
{
  for (int i = 0; i < states; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "m", start[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = decay,
                                                   .data = &(gradyn_datum){"k", "1/s", rate},
                                                   .data_count = 1});
}

static void fit_state(gradyn_model *model, int i, const gradyn_fit_spec *spec)
{
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = gradyn_format_name(model, "m%d", i),
                                           .unit = "m",
                                           .formula = i == 0 ? first_state : second_state});
  gradyn_minimise(model, gradyn_fit(model, gradyn_format_name(model, "fit%d", i), y, spec), 1);
}

static gradyn_status build_together(gradyn_model *model, const gradyn_scalar rho[])
{
  declare(model, rho[0], rho + 1, STARTS);
  for (int i = 0; i < STARTS; i++)
    fit_state(model, i,
              &(gradyn_fit_spec){.times = times, .values = values[i], .count = DATA, .sigma = 0.1});
  return gradyn_build_status(model);
}

static gradyn_status build_apart(gradyn_model *model, const gradyn_scalar rho[])
{
  declare(model, rho[0], rho + 1, 1);
  fit_state(model, 0,
            &(gradyn_fit_spec){
                .file = gradyn_user(model), .time_column = "time", .column = "y", .sigma = 0.1});
  return gradyn_build_status(model);
}

static const gradyn_param of_all[] = {{"k", "1/s", .init = 0.8, .lower = 0, .upper = 10},
                                      {"start0", "m", .init = 1, .lower = 0, .upper = 10},
                                      {"start1", "m", .init = 2, .lower = 0, .upper = 10}},
                          of_one[] = {
                              {"k", "1/s", .init = 0.8, .lower = 0, .upper = 10},
                              {"start", "m", .init = 1, .lower = 0, .upper = 10, .per_case = true}};
/* The starts as load cases. */
static const double starts[STARTS] = {1, 2};
static const char *const columns[] = {"start"};
static const gradyn_cases cases = {
    .names = names, .columns = columns, .values = starts, .count = STARTS, .column_count = 1};
static const gradyn_problem together = PROBLEM("together", build_together, of_all, .t_end = 1,
                                               .rtol = 1e-9, .step = 0.01);

/* Writes the data of both initial values into one file, one datum a line. */
static void write_data(char path[FOLDER_SIZE])
{
  table_file_create(path);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("time [s],case,y [m]\n", file);
  for (int k = 0; k < DATA; k++)
    for (int i = 0; i < STARTS; i++)
      fprintf(file, "%.17g,%s,%.17g\n", times[k], names[i], values[i][k]);
  fputs("0.5,third,9\n0.6,first,\n", file); /* a line of another experiment, and a missing datum */
  assert_int_equal(fclose(file), 0);
}

TEST(they_equal_one_model_with_all_data)
{
  char path[FOLDER_SIZE];
  write_data(path);
  gradyn_problem apart = PROBLEM("apart", build_apart, of_one, .t_end = 1, .rtol = 1e-9,
                                 .step = 0.01, .user = path, .cases = &cases);
  const double rho[3] = {0.7, 1.05, 2.1};
  for (int s = 0; s < 2; s++) {
    const char *way = s ? "adjoint" : "direct";
    run_local *all = run_with(&together, .method = "explicit", .sensitivity = way),
              *one = run_with(&apart, .method = "explicit", .sensitivity = way);
    double psi[2][2 * (DATA + 1)], gradient[2][2 * (DATA + 1)][3];
    assert_int_equal(gradyn_functional_count(one), 2 * (DATA + 1));
    assert_int_equal(gradyn_parameter_count(one), 3);
    assert_run(gradyn_evaluator_gradient(all, rho, psi[0], gradient[0][0]), all);
    assert_run(gradyn_evaluator_gradient(one, rho, psi[1], gradient[1][0]), one);
    for (size_t f = 0; f < 2 * (DATA + 1); f++) {
      assert_close(psi[1][f], psi[0][f], 1e-12, 1e-13);
      assert_close_array(gradient[1][f], gradient[0][f], 3, 1e-12, 1e-12);
    }
    assert_string_equal(gradyn_functional_at(one, DATA + 2).name, "fit0[0]@second");
    assert_int_equal(gradyn_functional_at(one, DATA + 2).fit, DATA + 1);
    assert_close(gradyn_functional_at(one, DATA + 2).value, values[1][0], 0, 0);
    assert_close(gradyn_functional_at(one, DATA + 2).deviation, 0.1, 0, 0);
  }
  assert_int_equal(unlink(path), 0);
}

/* Searches with load cases and with one model find the same optimum; both use the Gauss-Newton matrix. */
TEST(searches_over_cases_find_the_same_optimum)
{
  char path[FOLDER_SIZE];
  write_data(path);
  gradyn_problem apart = PROBLEM("apart", build_apart, of_one, .t_end = 1, .rtol = 1e-9,
                                 .user = path, .cases = &cases);
  double end[2][3], value[2];
  for (int k = 0; k < 2; k++) {
    run_local *ev = run_with(k ? &apart : &together, .method = "explicit", .step = -1);
    double rho[3];
    gradyn_search search = run_search(ev);
    gradyn_search_result result;
    (void)run_initial(ev, rho);
    assert_run(gradyn_optimise(ev, &search, rho, &result), ev);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    memcpy(end[k], result.rho, sizeof rho);
    value[k] = result.objective;
    gradyn_search_result_clear(&result);
  }
  assert_close(value[1], value[0], 1e-8, 0);
  assert_close_array(end[1], end[0], 3, 1e-5, 0);
  assert_int_equal(unlink(path), 0);
}
