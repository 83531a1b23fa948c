/* Trees drawn at random give the same results in joint and in natural coordinates. */
#include "tests/mbs/tree/drawn.h"
#include "tests/support.h"

static const char *const said[] = {[DRAWN_STATUS] = "status",
                                   [DRAWN_COORDINATES] = "coordinates",
                                   [DRAWN_ROUTES] = "direct",
                                   [DRAWN_DIFFERENCES] = "differences"};

/* At least half of those from seed 1 on. */
static void compare_all(drawn_room capacity, int count)
{
  int same = 0;
  for (int seed = 1; seed <= count; seed++) {
    char text[600];
    const drawn_outcome out = drawn_compare((drawn_asked){.capacity = capacity,
                                                          .seed = seed,
                                                          .method = "explicit",
                                                          .rtol = 1e-11,
                                                          .agree = 1e-9,
                                                          .routes = 1e-10,
                                                          .differences = seed % 4 == 1,
                                                          .each_along = seed % 3 == 0},
                                            text, sizeof text);
    if (out > DRAWN_REFUSED)
      fail_msg("tree %d, %s: %s", seed, said[out], text);
    same += out == DRAWN_SAME;
  }
  assert_true(same >= count / 2);
}

TEST(trees_drawn_at_random_are_the_same)
{
  compare_all(DRAWN_IN_SPACE, support_thorough() ? 5 : 3);
}

TEST(trees_drawn_in_the_plane_are_the_same)
{
  compare_all(DRAWN_IN_PLANE, support_thorough() ? 9 : 4);
}

/* Trees that were not the same once:
 * a share of the velocity of a body that cannot move, 1e-80 m/s: no more than round-off is set; what goes
 * through joints of which rows follow from others, by a plane or a knife edge that holds what rests already:
 * the shortest multipliers, to their last digits, or steps would become shorter and shorter; friction behind
 * a body of which an event sets a velocity, so that its vectors are states; bodies that are all fixed to the
 * ground, without coordinates, alone and where something happens; an angle that nobody has asked for and that
 * settles half a turn off, 34 m from where bodies are declared; freedom counted where the start is, found in
 * natural coordinates and not once more in joint ones, along which it creeps. */
TEST(what_was_different_is_the_same)
{
  static const drawn_asked asked[] = {
      {.seed = 30275, .method = "explicit", .rtol = 1e-9, .agree = 1e-5, .routes = 1e-10},
      {.seed = 20105, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10},
      {.seed = 300242, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10},
      {.seed = 310125, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10},
      {.seed = 312280, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10},
      {.seed = 312075, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10},
      {.seed = 300918, .method = "explicit", .rtol = 1e-12, .agree = 1e-8, .routes = 1e-10},
      {.seed = 313051, .method = "explicit", .rtol = 1e-11, .agree = 1e-9, .routes = 1e-10}};
  for (size_t i = 0; i < GRADYN_COUNT(asked); i++) {
    char text[600];
    drawn_asked tree = asked[i];
    tree.rtol = support_rtol(tree.rtol);
    tree.agree = support_rtol(tree.agree);
    if (drawn_compare(tree, text, sizeof text) != DRAWN_SAME)
      fail_msg("tree %d: %s", asked[i].seed, text);
  }
}
