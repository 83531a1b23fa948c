/* Finding problems by name, and messages if there is none. tests/cli/test_cli.sh tests shared objects
 * through the command. */
#include "core/problems/retired.h"
#include "tests/support.h"

#include <gradyn/problem.h>

static gradyn_registry *registry;

BEFORE_TESTS(open_registry)
{
  assert_int_equal(gradyn_registry_create(NULL, &registry), GRADYN_OK);
}

AFTER_TESTS(close_registry)
{
  gradyn_registry_free(registry);
}

TEST(test_both_spellings_find_a_problem)
{
  const gradyn_problem *dashes = NULL, *underscores = NULL;
  assert_int_equal(gradyn_registry_find(registry, "five-bar", &dashes), GRADYN_OK);
  assert_int_equal(gradyn_registry_find(registry, "five_bar", &underscores), GRADYN_OK);
  assert_non_null(dashes);
  assert_ptr_equal(dashes, underscores);
  assert_string_equal(gradyn_registry_message(registry), "");
}

TEST(test_every_problem_is_found_by_its_shown_name)
{
  const gradyn_problem *problem;
  size_t count = 0;
  for (; (problem = gradyn_registry_at(registry, count)) != NULL; count++) {
    const gradyn_problem *found = NULL;
    char name[64];
    gradyn_problem_display_name(problem, name, sizeof name);
    assert_null(strchr(name, '_'));
    assert_int_equal(gradyn_registry_find(registry, name, &found), GRADYN_OK);
    assert_ptr_equal(found, problem);
    assert_non_null(problem->build);
  }
  assert_true(count >= 5);
  assert_null(gradyn_registry_at(registry, count + 1));
}

TEST(test_an_unknown_name_is_explained)
{
  const gradyn_problem *found = NULL;
  assert_int_equal(gradyn_registry_find(registry, "five_bra", &found), GRADYN_NOT_FOUND);
  assert_null(found);
  assert_says(gradyn_registry_message(registry), "'five-bar'");
  assert_int_equal(gradyn_registry_find(registry, "", &found), GRADYN_NOT_FOUND);
  assert_null(strstr(gradyn_registry_message(registry), "did you mean"));
}

TEST(test_files_that_are_no_problem_are_refused)
{
  const gradyn_problem *found = NULL;
  assert_int_equal(gradyn_registry_find(registry, "absent.so", &found), GRADYN_NOT_FOUND);
  assert_says(gradyn_registry_message(registry), "./absent.so");
  assert_int_equal(gradyn_registry_find(registry, GRADYN_SOURCE_DIR "/LICENSE", &found),
                   GRADYN_INVALID);
  assert_null(found);
}

/* A successful call clears the message, and a failed one sets the problem to NULL. */
TEST(test_the_next_call_starts_anew)
{
  const gradyn_problem *found = NULL, *given;
  assert_int_equal(gradyn_registry_find(registry, "five-bra", &found), GRADYN_NOT_FOUND);
  assert_int_equal(gradyn_registry_find(registry, "five-bar", &found), GRADYN_OK);
  assert_string_equal(gradyn_registry_message(registry), "");
  given = found;
  assert_int_equal(gradyn_registry_find(registry, NULL, &given), GRADYN_INVALID);
  assert_null(given);
  given = found;
  assert_int_equal(gradyn_registry_find(NULL, "five-bar", &given), GRADYN_INVALID);
  assert_null(given);
  assert_int_equal(gradyn_registry_find(registry, "five-bar", NULL), GRADYN_INVALID);
}

TEST(test_a_short_buffer_cuts_the_name)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "cart_pole"};
  char name[6] = "xxxxx";
  assert_string_equal(gradyn_problem_display_name(&problem, name, sizeof name), "cart-");
  assert_string_equal(gradyn_problem_display_name(&problem, name, 1), "");
}

TEST(test_a_bad_folder_is_noted_and_skipped)
{
  gradyn_registry *other = NULL;
  assert_int_equal(
      gradyn_registry_create(&(gradyn_registry_spec){.search_path = "::/no/such/folder:"}, &other),
      GRADYN_OK);
  assert_says(gradyn_registry_message(other), "/no/such/folder");
  size_t count = 0;
  while (gradyn_registry_at(registry, count))
    assert_non_null(gradyn_registry_at(other, count++));
  assert_null(gradyn_registry_at(other, count));
  gradyn_registry_free(other);
}
