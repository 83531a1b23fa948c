/* Load cases that are refused with their names, and functions that accept a single run only. */
#include "tests/adjoint/cases/oscillators.h"

typedef struct refusal {
  const char *const *names, *const *columns;
  const double *values;
  size_t count, column_count;
  const char *over, *only, *says;
} refusal;

TEST(wrong_cases_are_refused_by_name)
{
  static const char *const twice[] = {"a", "a"}, *const at[] = {"a@b"},
                           *const two[] = {"mass", "mass"};
  static const char *const unknown[] = {"mss"}, *const k[] = {"k"}, *const end[] = {"t_end"};
  static const char *const weight[] = {"weight"}, *const none[] = {""};
  static const double v[] = {1, 1, 1, 1}, big[] = {99}, zero[] = {0, 0}, infinite[] = {HUGE_VAL};
  static const refusal rows[] = {
      {twice, oscillator_columns, v, 2, 1, NULL, NULL, "case \"a\" occurs twice"},
      {at, oscillator_columns, v, 1, 1, NULL, NULL, "has '@'"},
      {none, oscillator_columns, v, 1, 1, NULL, NULL, "has no name"},
      {oscillator_names, two, v, 1, 2, NULL, NULL, "column \"mass\" occurs twice"},
      {oscillator_names, unknown, v, 1, 1, NULL, NULL, "column mss is no parameter"},
      {oscillator_names, k, big, 1, 1, NULL, NULL, "parameter k is 99; its bounds are 1 to 20"},
      {oscillator_names, end, zero, 1, 1, NULL, NULL, "t_end is 0 s"},
      {oscillator_names, weight, zero, 2, 1, NULL, NULL, "all weights are 0"},
      {oscillator_names, oscillator_columns, infinite, 1, 1, NULL, NULL, "must be finite"},
      {oscillator_names, oscillator_columns, v, 0, 1, NULL, NULL, "there are 0 cases"},
      {oscillator_names, oscillator_columns, v, 2, 1, "cvar:2", NULL, "the share of cvar is 2"},
      {oscillator_names, oscillator_columns, v, 2, 1, "cvar", NULL, "over_cases is \"cvar\""},
      {oscillator_names, oscillator_columns, v, 2, 1, "mean:1", NULL, "over_cases is \"mean:1\""},
      {oscillator_names, oscillator_columns, v, 2, 1, "deviation:-1", NULL,
       "the factor of deviation is -1"},
      {oscillator_names, oscillator_columns, v, 2, 1, "worst", NULL, "give sum, mean, largest"},
      {oscillator_names, oscillator_columns, v, 2, 1, NULL, "z", "has no case z"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
    const refusal *r = &rows[i];
    const gradyn_cases cases = {.names = r->names,
                                .columns = r->columns,
                                .values = r->values,
                                .count = r->count,
                                .column_count = r->column_count};
    gradyn_problem problem = oscillators_apart;
    gradyn_options options;
    gradyn_evaluator *ev;
    problem.cases = &cases;
    gradyn_options_default(&problem, &options);
    options.over_cases = r->over;
    options.only_case = r->only;
    assert_int_equal(gradyn_evaluator_create(&problem, &options, NULL, 0, &ev), GRADYN_INVALID);
    if (!strstr(gradyn_evaluator_message(ev), r->says))
      fail_msg("row %zu: '%s' lacks '%s'", i, gradyn_evaluator_message(ev), r->says);
    gradyn_evaluator_free(ev);
  }
}

TEST(analyses_of_one_run_name_the_cases)
{
  run_local *ev = oscillators_open(&oscillators_apart, "explicit", "adjoint", NULL, 1);
  const double rho[P] = {7.5, 0.4};
  double out[64] = {0};
  assert_int_equal(gradyn_evaluator_data_gradient(ev, rho, NULL, out), GRADYN_UNSUPPORTED);
  assert_non_null(strstr(gradyn_evaluator_message(ev), "has 3 cases"));
  assert_int_equal(gradyn_evaluator_hessian_product(ev, out, rho, 1, rho, out), GRADYN_UNSUPPORTED);
}

TEST(derivatives_of_all_cases_are_checked)
{
  run_local *ev = oscillators_open(&oscillators_apart, "explicit", "adjoint", NULL, 1);
  const double rho[P] = {7.5, 0.4};
  gradyn_check_item items[64];
  size_t count;
  assert_run(gradyn_evaluator_check(ev, rho, NULL, items, 64, &count), ev);
  assert_int_equal(count, 64);
  bool seen[3] = {false, false, false};
  for (size_t i = 0; i < count; i++)
    seen[items[i].name[0] - 'a'] = items[i].name[1] == ':';
  assert_true(seen[0] && seen[1] && seen[2]);
}
