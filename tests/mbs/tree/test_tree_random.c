/* Trees drawn at random are to joint coordinates what they are to natural ones. */
#include "tests/mbs/tree/drawn.h"
#include "tests/support.h"

/* At least half of those from seed 1 on. */
static void compare_all(drawn_room room, int count)
{
  int same = 0;
  for (int seed = 1; seed <= count; seed++) {
    char text[600];
    const drawn_outcome out = drawn_compare(room, seed, "explicit", 1e-12, text, sizeof text);
    if (out == DRAWN_APART)
      fail_msg("tree %d: %s", seed, text);
    same += out == DRAWN_SAME;
  }
  assert_true(same >= count / 2);
}

TEST(trees_drawn_at_random_are_the_same)
{
  compare_all(DRAWN_IN_SPACE, 8);
}

TEST(trees_drawn_in_the_plane_are_the_same)
{
  compare_all(DRAWN_IN_PLANE, 16);
}

/* Three bodies on fixed joints. */
TEST(radau_names_what_does_not_move)
{
  char text[600];
  assert_int_equal(drawn_compare(DRAWN_IN_SPACE, 20094, "radau", 1e-10, text, sizeof text),
                   DRAWN_REFUSED);
  assert_non_null(strstr(text, "nothing moves"));
}
