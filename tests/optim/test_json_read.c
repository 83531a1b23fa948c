/* Tests of the reader of JSON: the same values as by the library's own reader, and damage named. */
#include "tests/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "optim/json_read.h"
#include "optim/sobol.h"

/* A value of any kind and its text, by both readers. */
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

static void what_is_json_is_read(void **state)
{
  (void)state;
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

/* What is drawn, with members inside down to a depth. */
static json_t *draw(uint64_t *used, int depth)
{
  const uint64_t bits = gradyn_random_bits(7, (*used)++);
  double number;
  uint64_t mantissa = gradyn_random_bits(7, (*used)++);
  memcpy(&number, &mantissa, sizeof number);
  char text[32];
  (void)snprintf(text, sizeof text, "%llx \"\\\n\303\251", (unsigned long long)bits);
  const unsigned kind = (unsigned)(bits % (depth > 0 ? 6 : 4));
  if (kind == 0)
    return json_integer((json_int_t)mantissa);
  if (kind == 1)
    return json_real(isfinite(number) ? number : 0.5);
  if (kind == 2)
    return json_string(text);
  if (kind == 3)
    return bits & 256 ? json_true() : json_null();
  json_t *whole = kind == 4 ? json_array() : json_object();
  for (uint64_t i = 0; i < (bits >> 20) % 6; i++) {
    (void)snprintf(text, sizeof text, "%c%d", (char)('a' + (bits >> i) % 26), (int)i);
    json_t *member = draw(used, depth - 1);
    assert_int_equal(kind == 4 ? json_array_append_new(whole, member)
                               : json_object_set_new(whole, text, member),
                     0);
  }
  return whole;
}

static void what_is_written_comes_back(void **state)
{
  (void)state;
  for (uint64_t used = 0; used < 20000;) {
    json_t *drawn = draw(&used, 5), *own = NULL;
    char *text = json_dumps(drawn, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17) |
                                       (used % 2 ? JSON_COMPACT : JSON_INDENT(1)));
    char why[128] = "";
    assert_non_null(text);
    assert_ok(gradyn_json_read(text, strlen(text), &own, why, sizeof why), text);
    assert_true(json_equal(drawn, own));
    free(text);
    json_decref(own);
    json_decref(drawn);
  }
}

static void what_is_damaged_is_named(void **state)
{
  (void)state;
  static const char *const texts[][2] = {
      {"", "neither a number"},
      {"[1,\n2", "line 2: an object or an array is not ended"},
      {"[1 2]", "not ended"},
      {"[1,]", "neither a number"},
      {"[1}", "not ended"},
      {"{\"a\":1,}", "no name"},
      {"{\"a\":1\n\n,2:3}", "line 3: a member of an object has no name"},
      {"{\"a\" 1}", "no colon"},
      {"{\"a\":1,\"a\":2}", "two members of one name"},
      {"01", "neither a number"},
      {"1.", "neither a number"},
      {"-", "neither a number"},
      {".5", "neither a number"},
      {"1e", "neither a number"},
      {"+1", "neither a number"},
      {"nan", "neither a number"},
      {"truth", "neither a number"},
      {"9223372036854775808", "too large"},
      {"-1e400", "too large"},
      {"1 1", "something behind its end"},
      {"\"a", "a text is not ended"},
      {"\"a\\\"", "a text is not ended"},
      {"\"\\x\"", "escapes"},
      {"\"\\u12g4\"", "escapes"},
      {"\"\\u0000\"", "escapes"},
      {"\"\\ud800\"", "escapes"},
      {"\"\\ud800\\u0041\"", "escapes"},
      {"\"\\udc00\"", "escapes"},
      {"\"\xff\"", "bytes"},
      {"\"a\nb\"", "bytes"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    json_t *value = NULL;
    char why[128] = "";
    const gradyn_status status = gradyn_json_read(texts[i][0], strlen(texts[i][0]), &value, why,
                                                  sizeof why);
    assert_null(value);
    assert_status(status, GRADYN_INVALID, texts[i][0]);
    if (strstr(why, texts[i][1]) == NULL)
      fail_msg("'%s': '%s' instead of '%s'", texts[i][0], why, texts[i][1]);
  }
  /* a byte of zero within */
  json_t *value = NULL;
  char why[128];
  assert_int_equal(gradyn_json_read("[1]\0[2]", 7, &value, why, sizeof why), GRADYN_INVALID);
  assert_int_equal(gradyn_json_read("\"a\0b\"", 5, &value, why, sizeof why), GRADYN_INVALID);
}

/* Brackets without end do not use up the stack, and digits without end no buffer. */
static void there_are_limits(void **state)
{
  (void)state;
  enum { MANY = 1000000 };
  char *text = malloc(MANY + 1), why[128];
  json_t *value = NULL;
  assert_non_null(text);
  static const char *const reason[] = {"nested too deeply", "too long"};
  for (int i = 0; i < 2; i++) {
    memset(text, "[1"[i], MANY);
    text[1] = i ? '.' : '[';
    text[MANY] = '\0';
    assert_int_equal(gradyn_json_read(text, MANY, &value, why, sizeof why), GRADYN_INVALID);
    assert_non_null(strstr(why, reason[i]));
  }
  free(text);
}

/* Whatever decimal point the program that uses the library has chosen. */
static void the_locale_does_not_matter(void **state)
{
  (void)state;
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_json_is_read),       cmocka_unit_test(what_is_written_comes_back),
      cmocka_unit_test(what_is_damaged_is_named),   cmocka_unit_test(there_are_limits),
      cmocka_unit_test(the_locale_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
