/* Derivatives that do not exist: data that move redundant constraints relative to each other. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/checked.h"

enum { LENGTH, COUPLER, MASS, BOTH, PARAMETERS, MOST_DATA = 400 };

static const gradyn_param params[PARAMETERS] = {
    [LENGTH] = {"length", "m", .init = 1, GRADYN_UNBOUNDED},
    [COUPLER] = {"coupler", "m", .init = 0, GRADYN_UNBOUNDED},
    [MASS] = {"mass", "kg", .init = 1, GRADYN_UNBOUNDED},
    [BOTH] = {"both", "m", .init = 0, GRADYN_UNBOUNDED},
};

/* A parallelogram that passes the line of its pivots. Its cranks have the length `length`; base and coupler
 * are longer by `both`, the coupler alone by `coupler`. */
static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const gradyn_scalar l = rho[LENGTH], base = l + rho[BOTH];
  int pivot[2], tip[2];
  for (int k = 0; k < 2; k++) {
    pivot[k] = gradyn_ground_point(mbs, gradyn_format_name(mbs, "A%d", k), k * base, 0);
    tip[k] = gradyn_point(mbs, gradyn_format_name(mbs, "B%d", k), k * base, l);
    gradyn_initial_velocity(mbs, tip[k], 1, 0);
    gradyn_rod(mbs, &(gradyn_rod_spec){gradyn_format_name(mbs, "crank%d", k), pivot[k], tip[k],
                                       .length = l, .mass = rho[MASS]});
  }
  gradyn_rod(mbs, &(gradyn_rod_spec){"coupler", tip[0], tip[1], .length = base + rho[COUPLER],
                                     .mass = rho[MASS]});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs, &(gradyn_functional_spec){"tip",
                                         gradyn_measure_point(mbs, "", tip[0], 0, GRADYN_ALL_AXES),
                                         .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, 1}}),
      1);
  return gradyn_build_status(mbs);
}

static const gradyn_problem parallelogram = PROBLEM("parallelogram", build, params, .t_end = 1.5);

static size_t marked(const bool *mark, size_t count)
{
  size_t sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += mark[k];
  return sum;
}

static bool is_marked(const gradyn_evaluator *ev, const bool *data, const char *name)
{
  for (size_t k = 0; k < gradyn_evaluator_model_info(ev).data; k++)
    if (strcmp(gradyn_datum_at(ev, k).name, name) == 0)
      return data[k];
  fail_msg("there is no datum %s", name);
  return false;
}

/* With any step, the data that break the parallelogram are marked as singular; those that preserve it are
 * not. */
TEST(obstructions_are_marked)
{
  const double step[] = {2e-2, 3e-3, 7e-4};
  for (int k = 0; k < 6; k++) {
    run_local *ev = ali3p_open(
        &(run_setup){.problem = &parallelogram, .method = run_fixed[k % 2], .step = step[k / 2]});
    double rho[PARAMETERS];
    bool data[MOST_DATA], by[PARAMETERS];
    run_initial(ev, rho);
    assert_in_range(gradyn_evaluator_model_info(ev).data, 1, MOST_DATA);
    assert_run(gradyn_evaluator_singular_data(ev, rho, data, by), ev);
    assert_true(by[COUPLER] && !by[LENGTH] && !by[MASS] && !by[BOTH]);
    assert_true(is_marked(ev, data, "coupler.length") && is_marked(ev, data, "A1.x"));
    assert_false(is_marked(ev, data, "coupler.mass") || is_marked(ev, data, "B0.vx"));
    assert_false(is_marked(ev, data, "gravity.y") || is_marked(ev, data, "t_end"));
    assert_string_equal(gradyn_evaluator_message(ev), "");
  }
}

/* In runs that end before the singular position, no datum is marked. */
TEST(nothing_is_marked_on_regular_motions)
{
  const run_setup setup[] = {
      {.problem = &parallelogram, .step = 1e-2, .t_end = 0.4},
      {.problem = &gradyn_problem_five_bar, .step = 1e-2},
      {.problem = &ali3p_driven, .step = 1e-2},
      {.problem = &ali3p_attached, .step = 1e-2},
      {.problem = &gradyn_problem_five_bar, .method = "idas"},
  };
  for (size_t k = 0; k < GRADYN_COUNT(setup); k++) {
    run_local *ev = ali3p_open(&setup[k]);
    double rho[ALI3P_MOST];
    bool data[MOST_DATA], by[MOST_DATA];
    size_t p = run_initial(ev, rho);
    assert_run(gradyn_evaluator_singular_data(ev, rho, data, by), ev);
    assert_int_equal(marked(data, gradyn_evaluator_model_info(ev).data) + marked(by, p), 0);
  }
}

/* If constraints are redundant throughout the run, all data that move one of them are marked, and no data
 * of forces. This holds for every method that supports redundancy. The check does not call these
 * derivatives wrong. */
TEST(redundant_constraints_are_found)
{
  static const char *const methods[] = {"ali3p", "explicit", "auto"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = ali3p_open(&(run_setup){
        .problem = &gradyn_problem_parallel_bars, .method = methods[k], .step = k < 2 ? 1e-2 : 0});
    double rho[ALI3P_MOST], psi[3];
    bool data[MOST_DATA];
    checked out;
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    const long steps = gradyn_evaluator_statistics(ev).steps;
    assert_run(gradyn_evaluator_singular_data(ev, rho, data, NULL), ev);
    assert_true(is_marked(ev, data, "ab.length") && is_marked(ev, data, "Aa.length"));
    assert_true(is_marked(ev, data, "A.x"));
    assert_false(is_marked(ev, data, "ab.mass") || is_marked(ev, data, "gravity.y"));
    /* the statistics of its last run are unchanged */
    assert_int_equal(gradyn_evaluator_statistics(ev).steps, steps);
    if (!support_takes((int)k, 3))
      continue;
    checked_run(ev, false, &out);
    assert_true(out.count > 50);
  }
}

/* The inspected run is the one with the requested options, not with those of the problem. */
TEST(the_present_run_is_inspected)
{
  const double t_end[] = {0.4, 1.5};
  for (int k = 0; k < 2; k++) {
    run_local *ev = ali3p_open(
        &(run_setup){.problem = &parallelogram, .step = 1e-2, .t_end = t_end[k]});
    double rho[PARAMETERS];
    bool by[PARAMETERS];
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_singular_data(ev, rho, NULL, by), ev);
    assert_int_equal(by[COUPLER], k == 1);
  }
}

/* The check reports that such a derivative does not exist, not that it is wrong. */
TEST(a_check_finds_no_derivative)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &parallelogram, .step = 1e-2});
  checked out;
  checked_run(ev, true, &out);
  assert_true(out.kinks > 0 && out.kinks == out.wrong);
}
