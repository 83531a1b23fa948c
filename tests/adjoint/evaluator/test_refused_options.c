/* Options that are refused with a message that states the valid values, and options at the ends of their
 * ranges, which are accepted. */
#include "tests/runs.h"

static const gradyn_param length = {"length", "m", .init = 1, GRADYN_UNBOUNDED};

static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  const int pivot = gradyn_ground_point(model, "pivot", 0, 0);
  const int bob = gradyn_point(model, "bob", rho[0], 0);
  gradyn_rod(model, &(gradyn_rod_spec){"rod", pivot, bob, .length = rho[0], .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  gradyn_functional(
      model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", bob, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "pendulum", .params = &length,
                                       .param_count = 1,     .build = pendulum,  .t_end = 0.1,
                                       .step = 0.01};

/* Simulates with these options and returns the status; message [size] gets the message. */
static gradyn_status run(const gradyn_options *options, char *message, size_t size)
{
  run_local *evaluator = NULL;
  double psi;
  gradyn_status status = gradyn_evaluator_create(&problem, options, NULL, 0, &evaluator);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(evaluator, &(double){1}, &psi, NULL);
  snprintf(message, size, "%s", gradyn_evaluator_message(evaluator));
  return status;
}

/* Structs that were not filled by the library's function or macro, and structs of another version, are
 * refused. */
TEST(structs_of_another_size_are_refused)
{
  gradyn_problem of = problem;
  gradyn_options options;
  const struct {
    const char *member;
    size_t *size;
  } rows[] = {{"gradyn_problem: struct_size", &of.struct_size},
              {"gradyn_problem: param_size", &of.param_size},
              {"gradyn_problem: setting_size", &of.setting_size},
              {"gradyn_options: struct_size", &options.struct_size}};
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    char own[64], other[64];
    gradyn_options_default(&problem, &options);
    const size_t right = *rows[i].size, wrong[] = {0, right - 8, right + 8};
    snprintf(own, sizeof own, "%s is ", rows[i].member);
    snprintf(other, sizeof other, "has %zu. Compile the program again", right);
    for (size_t k = 0; k < GRADYN_COUNT(wrong); k++) {
      run_local *evaluator = NULL;
      *rows[i].size = wrong[k];
      assert_status(gradyn_evaluator_create(&of, &options, NULL, 0, &evaluator), GRADYN_INVALID,
                    own);
      assert_says(gradyn_evaluator_message(evaluator), own);
      assert_says(gradyn_evaluator_message(evaluator), wrong[k] > 0 ? other
                                                       : i < 3      ? "GRADYN_PROBLEM_SIZES"
                                                                    : "gradyn_options_default()");
    }
    *rows[i].size = right;
  }
}

/* gradyn_options_default() called with the size of an older program writes nothing beyond that size. */
TEST(options_of_another_size_stay_as_they_are)
{
  gradyn_options options;
  memset(&options, 1, sizeof options);
  const gradyn_options before = options;
  (gradyn_options_default)(&problem, &options);
  assert_memory_equal(&options, &before, sizeof options);
  gradyn_options_default(&problem, &options);
  assert_int_equal(options.struct_size, sizeof options);
  assert_close(options.quadrature, 0.5, 0, 0);
}

TEST(integrators_have_ranges)
{
  static const struct {
    const char *name;
    double parameter;
    const char *why; /* NULL: it is right */
  } table[] = {
      {"newmark", 0.5, NULL},
      {"newmark", 1, NULL},
      {"newmark", 0.499, "newmark: gamma is 0.499: it must lie in [0.5, 1]"},
      {"newmark", 1.001, "newmark: gamma is 1.001"},
      {"hht", -1.0 / 3, NULL},
      {"hht", 0, NULL},
      {"hht", -0.334, "hht: alpha is -0.334: it must lie in [-1/3, 0]"},
      {"hht", 0.001, "hht: alpha is 0.001"},
      {"generalised-alpha", 0, NULL},
      {"generalised-alpha", 1, NULL},
      {"generalised-alpha", -0.001, "-0.001"},
      {"generalised-alpha", 1.001, "1.001"},
      {"trapezoidal", NAN, NULL},
      {"euler", NAN, "euler"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char why[1024];
    gradyn_options options = run_options(&problem);
    options.method = "ali3p";
    options.integrator = table[i].name;
    options.integrator_parameter = table[i].parameter;
    assert_status(run(&options, why, sizeof why), table[i].why ? GRADYN_INVALID : GRADYN_OK, why);
    if (table[i].why && !strstr(why, table[i].why))
      fail_msg("\"%s\" does not contain \"%s\"", why, table[i].why);
  }
}

TEST(numbers_have_ranges)
{
  static const struct {
    const char *method;
    double rtol, perturbation, step;
    const char *why;
  } table[] = {
      {"idas", 0.1, 0, 0, NULL},
      {"idas", 0.11, 0, 0, "rtol is 0.11: it must be at most 0.1"},
      {"explicit", 0.5, 0, 0, "rtol is 0.5: it must be at most 0.1"},
      {"ali3p", 0, 0.99, 0, NULL},
      {"ali3p", 0, 1, 0, "perturbation is 1: it is relative and must be below 1"},
      {"ali3p", 0, -0.1, 0, "perturbation is -0.1"},
      {"ali3p", 0, 0, -0.01, "step is -0.01"},
      {"auto", 0, 0, 0.02, "step is 0.02: method 'auto' adapts its steps"},
      {"ali3p", 0, 0, INFINITY, "step is inf"},
      {"idas", HUGE_VAL, 0, 0, "rtol is inf"},
      {"leapfrog", 0, 0, 0, "leapfrog"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    char why[1024];
    gradyn_options options = run_options(&problem);
    options.method = table[i].method;
    options.rtol = table[i].rtol;
    options.perturbation = table[i].perturbation;
    options.step = table[i].step;
    assert_status(run(&options, why, sizeof why), table[i].why ? GRADYN_INVALID : GRADYN_OK, why);
    if (table[i].why && !strstr(why, table[i].why))
      fail_msg("\"%s\" does not contain \"%s\"", why, table[i].why);
  }
}

/* Each number is refused if it is negative, and each real number if it is NAN. */
TEST(no_number_is_negative)
{
  gradyn_options o;
  const struct {
    const char *name;
    double *number;
    long *whole;
  } table[] = {{"rtol", .number = &o.rtol},
               {"atol", .number = &o.atol},
               {"rtol_sens", .number = &o.rtol_sens},
               {"step", .number = &o.step},
               {"t_end", .number = &o.t_end},
               {"penalty", .number = &o.penalty},
               {"projection_penalty", .number = &o.projection_penalty},
               {"memory", .number = &o.memory},
               {"max_steps", .whole = &o.max_steps},
               {"baumgarte_alpha", .number = &o.baumgarte_alpha},
               {"baumgarte_beta", .number = &o.baumgarte_beta},
               {"perturbation", .number = &o.perturbation},
               {"evaluation_seconds", .number = &o.evaluation_seconds}};
  for (size_t i = 0; i < GRADYN_COUNT(table); i++) {
    char why[1024], says[64];
    o = run_options(&problem);
    if (table[i].whole)
      *table[i].whole = -1;
    else
      *table[i].number = -1;
    snprintf(says, sizeof says, "%s is -1: it must be finite and not negative", table[i].name);
    assert_status(run(&o, why, sizeof why), GRADYN_INVALID, why);
    if (!strstr(why, says))
      fail_msg("\"%s\" does not contain \"%s\"", why, says);
  }
}

TEST(announced_values_are_given)
{
  run_local *evaluator = NULL;
  bool influences[1];
  assert_int_equal(gradyn_evaluator_create(&problem, NULL, NULL, 2, &evaluator), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(evaluator), "settings: their array is NULL; it must have 2");
  gradyn_evaluator_free(evaluator);
  gradyn_problem empty = problem;
  empty.params = NULL;
  assert_no_run(GRADYN_INVALID, ": 1 parameters and", .problem = &empty);
  assert_ok(gradyn_evaluator_create(&problem, NULL, NULL, 0, &evaluator), NULL);
  assert_int_equal(gradyn_evaluator_preview(evaluator, NULL, NULL, influences, NULL),
                   GRADYN_INVALID);
  assert_string_equal(gradyn_evaluator_message(evaluator), "rho is NULL");
  assert_run(gradyn_evaluator_preview(evaluator, &(double){1}, NULL, NULL, NULL), evaluator);
}

/* Without a given step, a fixed-step run has a thousand steps, and the statistics report their length. */
TEST(the_step_has_a_default)
{
  gradyn_problem free_choice = problem;
  free_choice.step = 0;
  for (size_t i = 0; i < sizeof run_fixed / sizeof *run_fixed; i++) {
    OWNED(gradyn_trajectory) *run_of = gradyn_trajectory_create();
    run_local *evaluator = run_with(&free_choice, .method = run_fixed[i]);
    assert_run(gradyn_evaluator_simulate(evaluator, &(double){1}, NULL, run_of), evaluator);
    assert_int_equal(gradyn_trajectory_read(run_of).steps, 1001);
    assert_close(gradyn_evaluator_options(evaluator).step, 1e-4, 1e-12, 0);
  }
}

/* Option names are copied: the caller's buffers may be freed before the evaluator uses them. */
TEST(names_are_copied)
{
  char name[3][20] = {"ali3p", "direct", "hht"};
  gradyn_options options = run_options(&problem);
  options.method = name[0];
  options.sensitivity = name[1];
  options.integrator = name[2];
  gradyn_evaluator *ev;
  run_local *other;
  assert_int_equal(gradyn_evaluator_create(&problem, &options, NULL, 0, &ev), GRADYN_OK);
  memset(name, 'x', sizeof name);
  options = gradyn_evaluator_options(ev);
  assert_string_equal(options.method, "ali3p");
  assert_string_equal(options.sensitivity, "direct");
  assert_string_equal(options.integrator, "hht");
  assert_int_equal(gradyn_evaluator_clone(ev, &options, &other), GRADYN_OK);
  gradyn_evaluator_free(ev);
  double psi, gradient;
  assert_int_equal(gradyn_evaluator_gradient(other, &(double){1}, &psi, &gradient), GRADYN_OK);
  assert_string_equal(gradyn_evaluator_options(other).integrator, "hht");
}

/* Analyses without a parameter are refused, also for models that have one parameter only. */
TEST(analyses_without_parameters_are_refused)
{
  gradyn_transition transition;
  gradyn_orbit orbit;
  gradyn_saltations saltations;
  gradyn_covariance covariance;
  gradyn_regulator regulator;
  gradyn_dof freedom;
  gradyn_stability stability;
  gradyn_linearisation linear;
  double psi;
  run_local *ev;
  assert_int_equal(gradyn_evaluator_create(&problem, NULL, NULL, 0, &ev), GRADYN_OK);
  const gradyn_status status[] = {
      gradyn_evaluator_simulate(ev, NULL, &psi, NULL),
      gradyn_transition_compute(ev, NULL, NULL, 0, &transition),
      gradyn_orbit_compute(ev, NULL, NULL, &orbit),
      gradyn_saltations_compute(ev, NULL, NULL, 0, &saltations),
      gradyn_covariance_compute(ev, NULL, &(gradyn_covariance_spec){.samples = 2}, NULL, NULL,
                                &covariance),
      gradyn_regulator_compute(ev, NULL, &(gradyn_regulator_spec){.samples = 2}, &regulator),
      gradyn_dof_compute(ev, NULL, &freedom, NULL),
      gradyn_equilibrium_compute(ev, NULL, &stability, NULL, NULL),
      gradyn_evaluator_linearise(ev, NULL, false, &linear),
  };
  for (size_t k = 0; k < GRADYN_COUNT(status); k++)
    if (status[k] != GRADYN_INVALID)
      fail_msg("analysis %zu: status %d", k, (int)status[k]);
}

/* The problem's step belongs to its method and to other methods with fixed steps. If the user names a
 * method with error control, that method chooses its steps, unless the user also gives a step. */
TEST(a_named_method_takes_no_step_of_another)
{
  static const struct {
    const char *method;
    double step, expected;
  } table[] = {{NULL, 0, 0.01},    {"ali3p", 0, 0.01},    {"variational", 0, 0.01},
               {"explicit", 0, 0}, {"radau", 0, 0},       {"idas", 0, 0},
               {"auto", 0, 0},     {"radau", 0.01, 0.01}, {"ali3p", 0.02, 0.02}};
  gradyn_problem own = problem;
  own.method = "ali3p";
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    run_local *evaluator = run_with(&own, .method = table[i].method, .step = table[i].step);
    assert_true(gradyn_evaluator_options(evaluator).step == table[i].expected);
  }
}
