/* Tests of statuses, version and messages. */
#include "tests/support.h"

#include "core/base/message.h"
#include <gradyn/base.h>

#define COUNT_ONE(id, name, kind, sentence) +1
enum { STATUS_COUNT = 0 GRADYN_STATUS_LIST(COUNT_ONE) };

TEST(every_status_has_a_name_of_its_own)
{
  for (int i = 0; i < STATUS_COUNT; i++) {
    const char *name = gradyn_status_describe(i).name;
    assert_true(strlen(name) > 0);
    assert_true(strlen(gradyn_status_describe(i).sentence) > 0);
    assert_string_not_equal(name, "unknown");
    for (int j = 0; j < i; j++) {
      assert_string_not_equal(name, gradyn_status_describe(j).name);
    }
  }
  assert_int_equal(GRADYN_OK, 0);
  assert_string_equal(gradyn_status_describe(GRADYN_NOT_ASSEMBLED).name, "not-assembled");
}

TEST(any_integer_has_a_description)
{
  const int strange[] = {-1, STATUS_COUNT, STATUS_COUNT + 1, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
    assert_string_equal(gradyn_status_describe(strange[i]).name, "unknown");
    assert_non_null(gradyn_status_describe(strange[i]).sentence);
    assert_int_equal(gradyn_status_describe(strange[i]).kind, GRADYN_CLASS_FATAL);
  }
}

TEST(classes_follow_the_list)
{
  assert_int_equal(gradyn_status_describe(GRADYN_OK).kind, GRADYN_CLASS_OK);
  assert_int_equal(gradyn_status_describe(GRADYN_INVALID).kind, GRADYN_CLASS_MISUSE);
  assert_int_equal(gradyn_status_describe(GRADYN_SINGULAR).kind, GRADYN_CLASS_RECOVERABLE);
  assert_int_equal(gradyn_status_describe(GRADYN_NO_MEMORY).kind, GRADYN_CLASS_FATAL);
  for (int i = 1; i < STATUS_COUNT; i++) {
    assert_int_not_equal(gradyn_status_describe(i).kind, GRADYN_CLASS_OK);
  }
}

TEST(version_agrees_with_its_parts)
{
  char parts[32];
  snprintf(parts, sizeof parts, "%d.%d.%d", GRADYN_VERSION_MAJOR, GRADYN_VERSION_MINOR,
           GRADYN_VERSION_PATCH);
  assert_string_equal(gradyn_version(), parts);
}

TEST(fail_replaces_the_text_and_returns_the_status)
{
  gradyn_message message = {"old"};
  assert_int_equal(gradyn_fail(&message, GRADYN_SINGULAR, "rod %s: length %g m", "A1", -1.5),
                   GRADYN_SINGULAR);
  assert_string_equal(message.text, "rod A1: length -1.5 m");
  /* the old text is an argument of the new one */
  gradyn_fail(&message, GRADYN_INVALID, "at t = 2 s: %s", message.text);
  assert_string_equal(message.text, "at t = 2 s: rod A1: length -1.5 m");
  assert_int_equal(gradyn_fail(NULL, GRADYN_IO, "nobody listens"), GRADYN_IO);
}

TEST(add_collects_lines)
{
  gradyn_message message;
  gradyn_message_clear(&message);
  gradyn_message_add(&message, "point %d", 3);
  gradyn_message_add(&message, "spring %s", "S1");
  assert_string_equal(message.text, "point 3\nspring S1");
  gradyn_message_clear(&message);
  assert_string_equal(message.text, "");
}

TEST(long_texts_are_cut_and_marked)
{
  /* every length of the first text, so that the buffer ends at each possible point of the second */
  static const char filler[] = "0123456789012345678901234567890123456789";
  struct {
    gradyn_message message;
    char guard[8];
  } box;
  for (int length = 1; length <= (int)sizeof filler - 1; length++) {
    memset(&box, 'x', sizeof box);
    gradyn_message_clear(&box.message);
    for (int i = 0; i < GRADYN_MESSAGE_SIZE; i++) {
      gradyn_message_add(&box.message, "%.*s", length, filler);
    }
    const size_t used = strlen(box.message.text);
    assert_int_equal(used, GRADYN_MESSAGE_SIZE - 1);
    assert_string_equal(box.message.text + used - 3, "...");
    assert_memory_equal(box.guard, "xxxxxxxx", 8);
  }
}

TEST(closeness_rejects_what_it_should)
{
  const double nan = strtod("nan", NULL), inf = strtod("inf", NULL);
  assert_true(support_error(1.0, 1.0, 0, 0) <= 1);
  assert_true(support_error(1.0 + 1e-9, 1.0, 1e-12, 0) > 1);
  assert_true(support_error(nan, 1.0, 1, 1) > 1);
  assert_true(support_error(1.0, nan, 1, 1) > 1);
  assert_true(support_error(inf, 1.0, 1, 1) > 1);
  assert_true(support_error(1.0, inf, 1, 1) > 1);
  assert_true(support_error(inf, inf, 0, 0) <= 1);
}
