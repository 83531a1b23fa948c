/* Suggestions for misspelt names. */
#include "tests/support.h"

#include "core/base/nearest.h"

TEST(test_distance_counts_edits)
{
  assert_int_equal(gradyn_nearest_distance("", ""), 0);
  assert_int_equal(gradyn_nearest_distance("abc", ""), 3);
  assert_int_equal(gradyn_nearest_distance("kitten", "sitting"), 3);
  assert_int_equal(gradyn_nearest_distance("five-bar", "five-bra"), 1); /* a swap is one edit */
  assert_int_equal(gradyn_nearest_distance("Five_Bar", "five-bar"), 0);
  assert_int_equal(gradyn_nearest_distance("ab", "ba"), 1);
  assert_int_equal(gradyn_nearest_distance("flaw", "lawn"), 2);
}

TEST(test_distance_is_symmetric_for_long_texts)
{
  char a[100], b[100];
  memset(a, 'a', sizeof a - 1);
  memset(b, 'a', sizeof b - 1);
  a[99] = b[99] = '\0';
  b[10] = 'b';
  assert_int_equal(gradyn_nearest_distance(a, b), 1);
  assert_int_equal(gradyn_nearest_distance(b, a), 1);
}

static const char *pick(const char *wanted)
{
  static const char *const names[] = {"simulate", "samples", "set", "step", "sensitivity"};
  gradyn_nearest nearest = {.requested = wanted};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    gradyn_nearest_try(&nearest, names[i]);
  return nearest.best;
}

TEST(test_the_nearest_is_picked)
{
  assert_string_equal(pick("sampels"), "samples");
  assert_string_equal(pick("stepp"), "step");
  assert_string_equal(pick("sens"), "sensitivity"); /* a beginning */
  assert_null(pick("frobnicate"));
  assert_null(pick(""));
  assert_null(pick("z")); /* replacing everything is no likeness */
}

/* Names of one letter are never similar to each other. */
TEST(test_short_names_differ)
{
  static const char *const wanted[] = {"", "z", "K"};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    gradyn_nearest nearest = {.requested = wanted[i]};
    gradyn_nearest_try(&nearest, "k");
    assert_true((nearest.best != NULL) == (wanted[i][0] == 'K'));
  }
}

TEST(test_dashes_and_underscores_are_the_same)
{
  assert_true(gradyn_nearest_same("cart_pole", "cart-pole"));
  assert_true(gradyn_nearest_same("", ""));
  assert_false(gradyn_nearest_same("cart", "cart-pole"));
  assert_false(gradyn_nearest_same("cart-pole", "cart"));
  assert_false(gradyn_nearest_same("Cart", "cart"));
}
