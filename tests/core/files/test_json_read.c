/* The reader of JSON: the same values as by Jansson, and messages about damage. */
#include "tests/support.h"

#include <locale.h>

#include "core/files/json_read.h"

/* Reads a value of any kind and compares it with Jansson's; the written value is read once more. */
static void assert_alike(const char *text)
{
  json_t *own = NULL, *known = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
  char why[128] = "";
  assert_non_null(known);
  assert_ok(gradyn_json_read(text, strlen(text), &own, why, sizeof why), why);
  if (!json_equal(own, known))
    fail_msg("%s is read as another value", text);
  json_decref(own);
  json_decref(known);
}

TEST(valid_json_is_read)
{
  static const char *const texts[] = {
      "0",
      "-0",
      "-0.0",
      "12345678901234567",
      "-9223372036854775808",
      "9223372036854775807",
      "1e5",
      "1E+05",
      "-1.25e-3",
      "0.1000000000000000055511151231257827",
      "4.9406564584124654e-324",
      "1e-400",
      "1.7976931348623157e308",
      "true",
      " false ",
      "\t\r\n null\n",
      "\"\"",
      "\"a\"",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
      "\"\\\\\"",
      "[\"\\\\\\\\\", \"b\\\\\\\"c\"]",
      "\"\\u00e9\\u20ac\\ud83d\\ude00\\uD83D\\uDE00\\u0041\"",
      "\"\303\251\342\202\254\360\237\230\200 plain\"",
      "[]",
      "{}",
      "[ ]",
      "{ }",
      "[1,[2,[3,{\"a\":[]}]],{}]",
      "{\"a\" : 1 , \"b\":{\"a\":2},\"\":3,\"\\u00e9\":[true,false,null]}",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_alike(texts[i]);
}

TEST(damage_is_named)
{
  static const char *const texts[] = {"",
                                      "[1 2]",
                                      "[1,]",
                                      "{\"a\":1,}",
                                      "{\"a\":1,\"a\":2}",
                                      "01",
                                      "nan",
                                      "truth",
                                      "-1e400",
                                      "1 1",
                                      "\"a",
                                      "\"\\x\"",
                                      "\"\\ud800\"",
                                      "\"\xff\"",
                                      "\"a\nb\"",
                                      "9223372036854775808"};
  json_t *value = NULL;
  char why[300] = "";
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const gradyn_status status = gradyn_json_read(texts[i], strlen(texts[i]), &value, why,
                                                  sizeof why);
    assert_null(value);
    assert_status(status, GRADYN_INVALID, texts[i]);
    assert_says(why, "line ");
  }
  assert_int_equal(gradyn_json_read("[1,\n2", 5, &value, why, sizeof why), GRADYN_INVALID);
  assert_says(why, "line 2: ");
  /* a byte of zero within */
  assert_int_equal(gradyn_json_read("[1]\0[2]", 7, &value, why, sizeof why), GRADYN_INVALID);
  assert_int_equal(gradyn_json_read("\"a\0b\"", 5, &value, why, sizeof why), GRADYN_INVALID);
}

/* Deep nesting must not exhaust the stack. */
TEST(there_are_limits)
{
  enum { MANY = 1000000 };
  char *text = malloc(MANY + 1), why[300];
  json_t *value = NULL;
  assert_non_null(text);
  memset(text, '[', MANY);
  text[MANY] = '\0';
  assert_int_equal(gradyn_json_read(text, MANY, &value, why, sizeof why), GRADYN_INVALID);
  free(text);
}

/* The decimal point of the program's locale has no effect. */
TEST(the_locale_does_not_matter)
{
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "de_DE") == NULL)
    skip();
  json_t *value = NULL;
  char why[128] = "";
  assert_ok(gradyn_json_read("[0.5,-1.25e1]", 13, &value, why, sizeof why), why);
  assert_true(json_real_value(json_array_get(value, 0)) == 0.5);
  assert_true(json_real_value(json_array_get(value, 1)) == -12.5);
  json_decref(value);
  (void)setlocale(LC_NUMERIC, "C");
}
