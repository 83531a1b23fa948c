/* Data of build() without a simulation: parameters with bounds, arrays by their position, parameters
 * without influence, and reads beyond the parameters. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { ROW, OTHER, X, Y, IDLE };
static const gradyn_param params[] = {
    [ROW] = {"row", "m", .init = 1, GRADYN_UNBOUNDED, .init_end = 3, .ramp = true,
             .count_from = "n"},
    [OTHER] = {"other", "m", .init = 10, GRADYN_UNBOUNDED, .init_end = 11, .ramp = true,
               .count = 2},
    [X] = {"x", "m", .init = 0.1, .lower = -10, .upper = 10},
    [Y] = {"y", "m", .init = 0, .lower = -10, .upper = 10},
    [IDLE] = {"idle", "m", .init = 7, GRADYN_UNBOUNDED},
};
static const gradyn_setting settings[] = {{"n", "length of the row", 3, 0, 9}};

/* Requests of a test to build(), and the largest value seen in simulations. */
typedef struct wishes {
  int place;      /* position of an additional array that is requested; 0: none */
  bool beyond;    /* read the number after the last one */
  double largest; /* largest radius of a simulated point */
} wishes;

FORMULA(rest, at->yp[0])

/* -x - 2 y */
static gradyn_status slide(const gradyn_at *at, gradyn_scalar *value)
{
  wishes *w = at->user;
  w->largest = fmax(w->largest, hypot(creal(at->data[0]), creal(at->data[1])));
  *value = -at->data[0] - 2 * at->data[1];
  return GRADYN_OK;
}

static gradyn_status build_with(gradyn_model *model, const gradyn_scalar rho[], wishes *w)
{
  int n;
  const gradyn_scalar *row = gradyn_parameter_array(model, rho, ROW, &n),
                      *other = gradyn_parameter_array(model, rho, OTHER, NULL);
  const gradyn_scalar x = *gradyn_parameter_array(model, rho, X, NULL),
                      y = *gradyn_parameter_array(model, rho, Y, NULL);
  if (w->place != 0)
    (void)gradyn_parameter_array(model, rho, w->place, NULL);
  gradyn_state(model, "z", "m", w->beyond ? gradyn_parameter_array(model, rho, IDLE, NULL)[1] : 0);
  declare_equations(model, rest, NULL, 0);
  gradyn_design_functional(model, "first", "m", n > 0 ? row[0] : 0);
  gradyn_design_functional(model, "last", "m", n > 0 ? row[n - 1] : 0);
  gradyn_design_functional(model, "others", "m", other[0] + 100 * other[1]);
  const int radius = gradyn_design_functional(model, "radius", "m^2", x * x + y * y);
  gradyn_constrain(model, radius, -INFINITY, 1, 1e-6);
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model,
                      &(gradyn_custom_functional_spec){
                          "slide", "m", .terminal = slide, .user = w,
                          .data = (gradyn_datum[]){{"x", "m", x}, {"y", "m", y}}, .data_count = 2}),
                  1);
  return gradyn_build_status(model);
}

static wishes good, place_6 = {.place = 6}, place_negative = {.place = -1},
                    beyond = {.beyond = true};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  return build_with(model, rho, &good);
}

static gradyn_status build_6(gradyn_model *model, const gradyn_scalar rho[])
{
  return build_with(model, rho, &place_6);
}

static gradyn_status build_negative(gradyn_model *model, const gradyn_scalar rho[])
{
  return build_with(model, rho, &place_negative);
}

static gradyn_status build_beyond(gradyn_model *model, const gradyn_scalar rho[])
{
  return build_with(model, rho, &beyond);
}

static gradyn_status open(gradyn_build_fn function, int n, gradyn_evaluator **evaluator)
{
  static gradyn_problem problem;
  problem = (gradyn_problem)PROBLEM("numbers", function, params, .summary = "numbers",
                                    .settings = settings, .setting_count = 1, .t_end = 1);
  return run_try(evaluator, &problem, .setting = "n", .value = n);
}

static gradyn_evaluator *open_good(gradyn_build_fn function, int n)
{
  gradyn_evaluator *evaluator;
  assert_run(open(function, n, &evaluator), evaluator);
  return evaluator;
}

TEST(rows_are_found_after_any_others)
{
  const int lengths[] = {0, 1, 5, 9};
  for (size_t i = 0; i < GRADYN_COUNT(lengths); i++) {
    const int n = lengths[i]; /* 0: the setting removes the array */
    run_local *evaluator = open_good(build, n);
    double rho[16], psi[5], gradient[5 * 16];
    const size_t p = gradyn_parameter_count(evaluator);
    assert_int_equal(p, n + 5);
    run_initial(evaluator, rho);
    assert_run(gradyn_evaluator_gradient(evaluator, rho, psi, gradient), evaluator);
    const double expected[5] = {n > 0, n > 1 ? 3 : n, 10 + 1100, 0.01, -0.1};
    assert_close_array(psi, expected, 5, 1e-14, 0);
    const double *others = gradient + 2 * p, *radius = gradient + 3 * p;
    for (size_t j = 0; j < p; j++) {
      const size_t k = j - (size_t)n; /* place behind the row */
      assert_close(others[j], k == 0 ? 1 : k == 1 ? 100 : 0, 1e-14, 0);
      assert_close(radius[j], k == 2 ? 0.2 : 0, 1e-14, 0);
    }
  }
}

TEST(positions_that_do_not_exist_are_refused)
{
  const gradyn_build_fn wrong[] = {build_6, build_negative};
  for (int i = 0; i < 2; i++) {
    run_local *evaluator;
    assert_int_equal(open(wrong[i], 3, &evaluator), GRADYN_INVALID);
    assert_says(gradyn_evaluator_message(evaluator),
                i == 0 ? "no parameter with index 6: params has 5 entries"
                       : "no parameter with index -1");
  }
}

TEST(reading_beyond_the_parameters_is_refused)
{
  run_local *evaluator;
  assert_int_equal(open(build_beyond, 3, &evaluator), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(evaluator), "reads beyond its 8 parameters");
}

/* y enters squared, at zero: its derivative vanishes there, but it has influence. */
TEST(parameters_without_influence_are_found)
{
  run_local *evaluator = open_good(build, 3);
  const double rho[8] = {1, 2, 3, 10, 11, 0.1, 0, 7};
  const bool expected[8] = {true, false, true, true, true, true, true, false};
  bool influences[8];
  assert_run(gradyn_evaluator_preview(evaluator, rho, NULL, influences, NULL), evaluator);
  assert_memory_equal(influences, expected, sizeof expected);
}

TEST(designs_far_beyond_a_bound_are_not_simulated)
{
  const double rho[8] = {1, 2, 3, 10, 11, 0.1, 0, 7};
  const bool vary[8] = {[5] = true, [6] = true};
  run_local *evaluator = open_good(build, 3);
  LOCAL(gradyn_search_result) result;
  gradyn_check_item items[64];
  size_t count;
  assert_run(gradyn_evaluator_check(evaluator, rho, NULL, items, 64, &count), evaluator);
  gradyn_search search = run_search(evaluator);
  search.vary = vary;
  good.largest = 0;
  assert_ok(gradyn_optimise(evaluator, &search, rho, &result), result.reason);
  assert_close(result.rho[5], 1 / sqrt(5), 1e-5, 0);
  assert_close(result.rho[6], 2 / sqrt(5), 1e-5, 0);
  assert_true(result.rejected > 0 && result.evaluations < 60 && good.largest < 1.1);
  assert_says(result.reason, "a design beyond this bound is not simulated");
}

/* The larger of |x - 3| and |x|: its minimum is at 3/2. */
static gradyn_status build_largest(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar x = *gradyn_parameter_array(model, rho, X, NULL);
  gradyn_state(model, "z", "m", 0);
  declare_equations(model, rest, NULL, 0);
  gradyn_minimise_largest(model, gradyn_design_functional(model, "above", "m", x - 3));
  gradyn_minimise_largest(model, gradyn_design_functional(model, "below", "m", 3 - x));
  gradyn_minimise_largest(model, gradyn_design_functional(model, "itself", "m", x));
  return gradyn_build_status(model);
}

TEST(the_largest_of_numbers_is_minimised)
{
  const double rho[8] = {1, 2, 3, 10, 11, 0.1, 0, 7};
  const bool vary[8] = {[5] = true};
  run_local *evaluator = open_good(build_largest, 3);
  LOCAL(gradyn_search_result) result;
  for (size_t f = 0; f < 3; f++) {
    const gradyn_functional_info info = gradyn_functional_at(evaluator, f);
    assert_int_equal(info.use, GRADYN_LARGEST);
    assert_close(info.weight, 1, 0, 0);
  }
  gradyn_search search = run_search(evaluator);
  assert_run(gradyn_search_resolve(evaluator, &search, NULL, 0), evaluator);
  assert_string_equal(search.algorithm, "slsqp");
  search.vary = vary;
  assert_ok(gradyn_optimise(evaluator, &search, rho, &result), result.reason);
  assert_close(result.initial_objective, 2.9, 1e-12, 0);
  assert_close(result.objective, 1.5, 1e-6, 0);
  assert_close(result.rho[5], 1.5, 1e-6, 0);
}
