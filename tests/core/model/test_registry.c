/* Finding problems: by name, and what is said when there is none. Shared objects are tested through
 * the command, tests/cli/test_cli.sh. */
#include "tests/support.h"

#include <string.h>

#include <gradyn/problem.h>

static int open_registry(void **state)
{
  gradyn_registry *registry = NULL;
  gradyn_status status = gradyn_registry_create(NULL, &registry);
  *state = registry;
  return status == GRADYN_OK ? 0 : -1;
}

static int close_registry(void **state)
{
  gradyn_registry_free(*state);
  return 0;
}

static void test_both_spellings_find_a_problem(void **state)
{
  const gradyn_problem *dashes = NULL, *underscores = NULL;
  assert_int_equal(gradyn_registry_find(*state, "five-bar", &dashes), GRADYN_OK);
  assert_int_equal(gradyn_registry_find(*state, "five_bar", &underscores), GRADYN_OK);
  assert_non_null(dashes);
  assert_ptr_equal(dashes, underscores);
  assert_string_equal(gradyn_registry_message(*state), "");
}

static void test_every_problem_is_found_by_its_shown_name(void **state)
{
  size_t count = gradyn_registry_count(*state);
  assert_true(count >= 5);
  for (size_t i = 0; i < count; i++) {
    const gradyn_problem *problem = gradyn_registry_at(*state, i), *found = NULL;
    char name[64];
    gradyn_problem_display_name(problem, name, sizeof name);
    assert_null(strchr(name, '_'));
    assert_int_equal(gradyn_registry_find(*state, name, &found), GRADYN_OK);
    assert_ptr_equal(found, problem);
    assert_non_null(problem->build);
  }
  assert_null(gradyn_registry_at(*state, count));
}

static void test_an_unknown_name_is_explained(void **state)
{
  const gradyn_problem *found = NULL;
  assert_int_equal(gradyn_registry_find(*state, "five_bra", &found), GRADYN_NOT_FOUND);
  assert_null(found);
  assert_non_null(strstr(gradyn_registry_message(*state), "'five-bar'"));
  assert_int_equal(gradyn_registry_find(*state, "", &found), GRADYN_NOT_FOUND);
  assert_null(strstr(gradyn_registry_message(*state), "did you mean"));
}

static void test_files_that_are_no_problem_are_refused(void **state)
{
  const gradyn_problem *found = NULL;
  assert_int_equal(gradyn_registry_find(*state, "absent.so", &found), GRADYN_NOT_FOUND);
  assert_non_null(strstr(gradyn_registry_message(*state), "./absent.so"));
  assert_int_equal(gradyn_registry_find(*state, GRADYN_SOURCE_DIR "/LICENSE", &found),
                   GRADYN_INVALID);
  assert_null(found);
}

static void test_a_short_buffer_cuts_the_name(void **state)
{
  const gradyn_problem problem = {.name = "cart_pole"};
  char name[6] = "xxxxx";
  (void)state;
  assert_string_equal(gradyn_problem_display_name(&problem, name, sizeof name), "cart-");
  assert_string_equal(gradyn_problem_display_name(&problem, name, 1), "");
}

static void test_a_bad_folder_is_noted_and_skipped(void **state)
{
  gradyn_registry *registry = NULL;
  assert_int_equal(gradyn_registry_create("::/no/such/folder:", &registry), GRADYN_OK);
  assert_non_null(strstr(gradyn_registry_message(registry), "/no/such/folder"));
  assert_int_equal(gradyn_registry_count(registry), gradyn_registry_count(*state));
  gradyn_registry_free(registry);
}

TEST_FILE(registry)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_both_spellings_find_a_problem),
      cmocka_unit_test(test_every_problem_is_found_by_its_shown_name),
      cmocka_unit_test(test_an_unknown_name_is_explained),
      cmocka_unit_test(test_files_that_are_no_problem_are_refused),
      cmocka_unit_test(test_a_short_buffer_cuts_the_name),
      cmocka_unit_test(test_a_bad_folder_is_noted_and_skipped),
  };
  return cmocka_run_group_tests(tests, open_registry, close_registry);
}
