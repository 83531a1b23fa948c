/* Expansion and checks of parameters and settings. */
#include "tests/support.h"

#include "core/problems/parameters.h"

static const gradyn_setting settings[] = {
    {"knots", "number of knots", .init = 4, .lower = 0, .upper = 9},
    {"links", "number of links", .init = 2, .lower = 1, .upper = 5},
};

static gradyn_status create(const gradyn_param *params, size_t count,
                            const gradyn_setting_choice *choice, gradyn_message *message,
                            gradyn_parameters *out)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe",      .params = params,
                                  .param_count = count, .settings = settings, .setting_count = 2};
  gradyn_message_clear(message);
  return gradyn_parameters_create(&problem, choice, choice ? 1 : 0, message, out);
}

TEST(a_single_variable_is_copied)
{
  const gradyn_param p = {
      "mass",       "kg", .init = 2, .lower = 1, .upper = 5, .scale = 0.5, .role = GRADYN_CONTROL,
      .fixed = true};
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_ok(create(&p, 1, NULL, &message, &out), message.text);
  assert_int_equal(out.count, 1);
  assert_string_equal(out.info[0].name, "mass");
  assert_string_equal(out.info[0].unit, "kg");
  assert_close(out.info[0].init, 2, 0, 0);
  assert_close(out.info[0].lower, 1, 0, 0);
  assert_close(out.info[0].upper, 5, 0, 0);
  assert_close(out.info[0].scale, 0.5, 0, 0);
  assert_int_equal(out.info[0].role, GRADYN_CONTROL);
  assert_true(out.info[0].fixed);
  gradyn_parameters_clear(&out);
  assert_int_equal(out.count, 0);
}

TEST(bounds_of_zero_mean_none_and_are_reported)
{
  const gradyn_param p[] = {{"free", NULL, .init = -7},
                            {"fixed", "m", .init = 3, .fixed = true},
                            {"free", "m", .init = 3, GRADYN_UNBOUNDED}};
  const bool missing[] = {true, false, false};
  for (int i = 0; i < 3; i++) {
    gradyn_message message;
    LOCAL(gradyn_parameters) out;
    assert_ok(create(&p[i], 1, NULL, &message, &out), message.text);
    assert_close(out.info[0].lower, -HUGE_VAL, 0, 0);
    assert_close(out.info[0].upper, HUGE_VAL, 0, 0);
    assert_int_equal(out.info[0].bounds_missing, missing[i]);
  }
}

TEST(bounds_decide_typical_changes)
{
  const gradyn_param p[] = {{"free", NULL, .init = -7, GRADYN_UNBOUNDED},
                            {"half", "m", .init = 3, .lower = 0, .upper = HUGE_VAL},
                            {"zero", "m", .init = 0, .lower = -2, .upper = 6},
                            {"bare", "m", .init = 0, GRADYN_UNBOUNDED},
                            {"open", "m", .init = 0, .lower = -HUGE_VAL, .upper = HUGE_VAL},
                            {"above", "m", .init = 0, .lower = 0, .upper = HUGE_VAL}};
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_ok(create(p, 6, NULL, &message, &out), message.text);
  assert_close(out.info[0].lower, -HUGE_VAL, 0, 0);
  assert_close(out.info[0].upper, HUGE_VAL, 0, 0);
  assert_string_equal(out.info[0].unit, "");
  /* a typical change: the value, the distance of the bounds, or 1 */
  assert_close(out.info[0].scale, 7, 0, 0);
  assert_close(out.info[1].scale, 3, 0, 0);
  assert_close(out.info[2].scale, 8, 0, 0);
  for (int i = 3; i < 6; i++)
    assert_close(out.info[i].scale, 1, 0, 0);
}

TEST(bounds_belong_to_the_range)
{
  const gradyn_param p[] = {{"least", "m", .init = 1, .lower = 1, .upper = 5},
                            {"most", "m", .init = 5, .lower = 1, .upper = 5},
                            {"held", "m", .init = 2, .lower = 2, .upper = 2}};
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_ok(create(p, 3, NULL, &message, &out), message.text);
}

TEST(names_are_shown_in_full)
{
  const gradyn_param p = {"mass\033[2J", "kg", .init = 1, GRADYN_UNBOUNDED};
  gradyn_message message;
  gradyn_parameters out;
  assert_status(create(&p, 1, NULL, &message, &out), GRADYN_INVALID, message.text);
  assert_says(message.text, "problem probe: \"mass\\x1b[2J\" has a control character");
}

TEST(rows_are_expanded)
{
  const gradyn_param p[] = {
      {"flat", "N", .init = 2, GRADYN_UNBOUNDED, .count = 3},
      {"ramp", "N", .init = 1, GRADYN_UNBOUNDED, .init_end = 4, .ramp = true, .count = 4},
      {"one", "N", .init = 1, GRADYN_UNBOUNDED, .init_end = 4, .ramp = true, .count = 1},
  };
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_ok(create(p, 3, NULL, &message, &out), message.text);
  assert_int_equal(out.count, 8);
  assert_string_equal(out.info[0].name, "flat[0]");
  assert_string_equal(out.info[2].name, "flat[2]");
  assert_string_equal(out.info[6].name, "ramp[3]");
  assert_string_equal(out.info[7].name, "one[0]");
  const double init[8] = {2, 2, 2, 1, 2, 3, 4, 1};
  for (int i = 0; i < 8; i++)
    assert_close(out.info[i].init, init[i], 1e-15, 0);
}

TEST(counts_come_from_settings)
{
  const gradyn_param p[] = {{"u", "N", .init = 1, GRADYN_UNBOUNDED, .count_from = "knots"},
                            {"m", "kg", .init = 1, GRADYN_UNBOUNDED}};
  const gradyn_setting_choice seven = {"knots", 7}, none = {"knots", 0};
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_ok(create(p, 2, NULL, &message, &out), message.text);
  assert_int_equal(out.count, 5);
  gradyn_parameters_clear(&out);
  assert_ok(create(p, 2, &seven, &message, &out), message.text);
  assert_int_equal(out.count, 8);
  assert_string_equal(out.info[6].name, "u[6]");
  gradyn_parameters_clear(&out);
  assert_ok(create(p, 2, &none, &message, &out), message.text);
  assert_int_equal(out.count, 1);
  assert_string_equal(out.info[0].name, "m");
}

/* Each of these declarations is wrong; the message names the parameter and its numbers. */
TEST(wrong_declarations_are_refused)
{
  const struct {
    gradyn_param p;
    const char *says[2];
  } wrong[] = {
      {{"a", "", .init = 1, .lower = 2, .upper = -1}, {"parameter a", "-1"}},
      {{"b", "", .init = 7, .lower = -1, .upper = 2}, {"parameter b", "7"}},
      {{"c", "", .init = -3, .lower = -1, .upper = 2}, {"parameter c", "-3"}},
      {{"d", "", .init = NAN}, {"parameter d", "nan"}},
      {{"e", "", .init = HUGE_VAL}, {"parameter e", "inf"}},
      {{"f", "", .init = 0, .lower = NAN, .upper = 1}, {"parameter f", "nan"}},
      {{"g", "", .init = 0, .lower = 0, .upper = NAN}, {"parameter g", "nan"}},
      {{"h", "", .init = 1, .scale = -2}, {"parameter h", "-2"}},
      {{"i", "", .init = 1, .scale = NAN}, {"parameter i", "nan"}},
      {{"j", "", .init = 1, .count_from = "nots"}, {"parameter j", "nots"}},
      {{"k", "", .init = 0, .init_end = 9, .ramp = true, .count = 3, .lower = 0, .upper = 5},
       {"parameter k[2]", "9"}},
      {{"l", "", .init = 1, .count = -2}, {"parameter l", "-2"}},
      {{"", "", .init = 1}, {"parameter 0", "probe"}},
      {{NULL, "", .init = 1}, {"parameter 0", "probe"}},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    gradyn_message message;
    LOCAL(gradyn_parameters) out;
    assert_status(create(&wrong[i].p, 1, NULL, &message, &out), GRADYN_INVALID, message.text);
    for (int k = 0; k < 2; k++)
      assert_says(message.text, wrong[i].says[k]);
  }
}

TEST(names_must_differ)
{
  const gradyn_param p[] = {{"m", "", .init = 1, GRADYN_UNBOUNDED},
                            {"n", "", .init = 1, GRADYN_UNBOUNDED},
                            {"m", "", .init = 2, GRADYN_UNBOUNDED}};
  gradyn_message message;
  LOCAL(gradyn_parameters) out;
  assert_status(create(p, 3, NULL, &message, &out), GRADYN_INVALID, message.text);
  assert_says(message.text, "called m");
}

TEST(settings_are_checked)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "probe", .settings = settings,
                                  .setting_count = 2};
  const gradyn_setting_choice good[] = {{"knots", 9}, {"links", 1}};
  const gradyn_setting_choice unknown = {"knot", 3}, low = {"links", 0}, high = {"knots", 10};
  const gradyn_setting_choice twice[] = {{"links", 2}, {"knots", 1}, {"links", 3}};
  gradyn_message message = {""};
  assert_ok(gradyn_settings_check(&problem, good, 2, &message), message.text);
  assert_ok(gradyn_settings_check(&problem, NULL, 0, &message), message.text);
  assert_status(gradyn_settings_check(&problem, &unknown, 1, &message), GRADYN_INVALID, NULL);
  assert_says(message.text, "'knot'");
  assert_status(gradyn_settings_check(&problem, &low, 1, &message), GRADYN_INVALID, NULL);
  assert_says(message.text, "links is 0: it must lie between 1 and 5");
  assert_status(gradyn_settings_check(&problem, &high, 1, &message), GRADYN_INVALID, NULL);
  assert_says(message.text, "knots is 10: it must lie between 0 and 9");
  assert_status(gradyn_settings_check(&problem, twice, 3, &message), GRADYN_INVALID, NULL);
  assert_says(message.text, "setting links: given twice, as 2 and as 3. Give it once");
}
