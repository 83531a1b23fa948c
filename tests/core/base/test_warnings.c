/* The table of warnings, the texts formed from it, and lists of warnings. */
#include "tests/support.h"

#include <math.h>

#include "core/base/warnings.h"

enum { LAST = GRADYN_WARNING_EVENT_AT_START };

TEST(every_code_has_an_entry_of_its_own)
{
  for (int code = 1; code <= LAST; code++) {
    const char *name = gradyn_warning_describe((gradyn_warning_code)code).name;
    assert_string_not_equal(name, "unknown");
    assert_string_not_equal(gradyn_warning_describe((gradyn_warning_code)code).cause, "");
    assert_string_not_equal(gradyn_warning_describe((gradyn_warning_code)code).remedy, "");
    for (int other = 1; other < code; other++)
      assert_string_not_equal(name, gradyn_warning_describe((gradyn_warning_code)other).name);
  }
  static const int strange[] = {-1, 0, LAST + 1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < GRADYN_COUNT(strange); i++) {
    assert_string_equal(gradyn_warning_describe((gradyn_warning_code)strange[i]).name, "unknown");
    assert_string_equal(gradyn_warning_describe((gradyn_warning_code)strange[i]).cause, "");
    assert_string_equal(gradyn_warning_describe((gradyn_warning_code)strange[i]).remedy, "");
  }
}

/* Finds the line of a code in docs/warnings.md. */
static void line_of(int code, char *line, size_t size)
{
  const gradyn_warning_kind *kind = gradyn_warning_find(code);
  snprintf(line, size, "| <a id=\"w%02d\"></a>W%02d | `%s` | %s | %s |\n", code, code, kind->name,
           kind->cause, kind->remedy);
}

TEST(the_page_has_the_table)
{
  char page[16384] = "", line[1024];
  FILE *file = fopen(GRADYN_SOURCE_DIR "/docs/warnings.md", "r");
  assert_non_null(file);
  assert_true(fread(page, 1, sizeof page - 1, file) > 0);
  fclose(file);
  for (int code = 1; code <= LAST; code++) {
    line_of(code, line, sizeof line);
    if (strstr(page, line) == NULL)
      fail_msg("docs/warnings.md lacks: %s", line);
  }
}

static const struct {
  gradyn_warning is;
  const char *text;
} texts[] = {
    {{.code = GRADYN_WARNING_STEPS_SUBDIVIDED, .value = 3, .limit = 500},
     "3 of 500 steps were divided or moved, because their equations have no solution. Results may "
     "be less accurate. Use a shorter step"},
    {{.code = GRADYN_WARNING_GRADIENT_ACCURACY,
      .subject = "x by m",
      .unit = "m/kg",
      .value = 5e-4,
      .limit = 1e-8},
     "the derivative of x by m is exact to about 5e-04 m/kg only; 1e-08 m/kg was asked for. "
     "Tighten "
     "the tolerance, or relax rtol_sens"},
    {{.code = GRADYN_WARNING_GRADIENT_ACCURACY,
      .value = 5e-4,
      .limit = 1e-8,
      .suggestion = 0.02,
      .count = 4},
     "the derivatives are exact to about 5e-04 only; 1e-08 was asked for. 4 functionals miss it"
     ". "
     "Use steps of 0.02 s"},
    {{.code = GRADYN_WARNING_ADHESIVE_IMPACT, .subject = "a\nb", .t = 0, .value = 2, .count = 3},
     "a b at t = 0 s: the impulse of the contact is tensile, 2 N s (3 times)"},
    /* a bound of 0 counts as a bound */
    {{.code = GRADYN_WARNING_SMOOTH_MAXIMUM, .subject = "gap", .unit = "m", .t = 1, .value = 0.5},
     "gap reaches 0.5 m at t = 1 s, its limit is 0 m: the smooth maximum lies below the exact one. "
     "Use an exact maximum, or more sharpness"},
};

TEST(texts_are_formed_from_members)
{
  static gradyn_warnings list;
  for (size_t i = 0; i < GRADYN_COUNT(texts); i++) {
    gradyn_warnings_clear(&list);
    gradyn_warnings_add(&list, &texts[i].is);
    assert_string_equal(gradyn_warnings_at(&list, 0).text, texts[i].text);
  }
}

TEST(members_without_a_number_are_nan)
{
  static gradyn_warnings list;
  gradyn_warnings_add(&list, GRADYN_WARNING(EVENT_HAS_NO_EFFECT, .subject = "e"));
  const gradyn_warning w = gradyn_warnings_at(&list, 0), none = gradyn_warnings_at(&list, 1);
  assert_true(isnan(w.t) && isnan(w.value) && isnan(w.limit) && isnan(w.suggestion));
  assert_int_equal(w.count, 1);
  assert_string_equal(w.unit, "");
  assert_int_equal(none.code, 0);
  assert_string_equal(none.text, "");
}

TEST(a_full_list_drops_an_entry_for_a_new_code)
{
  static gradyn_warnings list;
  for (int i = 0; i < GRADYN_WARNINGS_MOST - 1; i++)
    gradyn_warnings_add(&list, GRADYN_WARNING(KINK, .subject = "f", .t = i, .count = 2));
  gradyn_warnings_add(&list, GRADYN_WARNING(ENERGY_DRIFT, .value = 1, .limit = 1));
  gradyn_warnings_add(&list, GRADYN_WARNING(SLIP_EXIT, .subject = "contact", .t = 1));
  assert_int_equal(list.count, GRADYN_WARNINGS_MOST);
  assert_true(gradyn_warnings_have(&list, GRADYN_WARNING_SLIP_EXIT));
  assert_true(gradyn_warnings_have(&list, GRADYN_WARNING_ENERGY_DRIFT));
  size_t kinks = 0;
  for (size_t i = 0; i < list.count; i++) {
    const gradyn_warning w = gradyn_warnings_at(&list, i);
    kinks += w.code == GRADYN_WARNING_KINK ? (size_t)w.count : 0;
    assert_true(i == 0 || w.code >= gradyn_warnings_at(&list, i - 1).code);
  }
  assert_int_equal(kinks, 2 * (GRADYN_WARNINGS_MOST - 1));
}

TEST(a_full_list_has_space_for_all_codes)
{
  int codes = 0;
  for (int code = 1; code < 1000; code++)
    codes += gradyn_warning_find(code) != NULL;
  assert_in_range(codes, 20, GRADYN_WARNINGS_MOST - 1);
}

TEST(lists_are_in_the_order_of_codes_and_count_what_exceeds_them)
{
  static gradyn_warnings list, all;
  for (int i = 0; i < GRADYN_WARNINGS_MOST + 5; i++)
    gradyn_warnings_add(&list, GRADYN_WARNING(KINK, .subject = "f", .t = i));
  assert_int_equal(list.count, GRADYN_WARNINGS_MOST);
  assert_int_equal(gradyn_warnings_at(&list, GRADYN_WARNINGS_MOST - 1).count, 6);
  gradyn_warnings_clear(&list);
  gradyn_warnings_add(&list, GRADYN_WARNING(KINK, .subject = "second", .t = 1));
  gradyn_warnings_add(&list, GRADYN_WARNING(ENERGY_DRIFT, .value = 1, .limit = 1));
  gradyn_warnings_add(&list, GRADYN_WARNING(STEPS_SUBDIVIDED, .value = 1, .limit = 9));
  gradyn_warnings_append(&all, &list);
  assert_int_equal(gradyn_warnings_at(&all, 0).code, GRADYN_WARNING_STEPS_SUBDIVIDED);
  assert_int_equal(gradyn_warnings_at(&all, 2).code, GRADYN_WARNING_ENERGY_DRIFT);
  assert_true(gradyn_warnings_have(&all, GRADYN_WARNING_KINK));
  assert_false(gradyn_warnings_have(&all, GRADYN_WARNING_SLIP_EXIT));
  assert_says(all.text, "\nthe derivative of functional second");
}
