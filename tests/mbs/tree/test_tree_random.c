/* Random trees have the same results in joint and in natural coordinates. */
#include "tests/mbs/tree/drawn.h"
#include "tests/support.h"

static const char *const said[] = {[DRAWN_STATUS] = "status",
                                   [DRAWN_COORDINATES] = "coordinates",
                                   [DRAWN_ROUTES] = "direct",
                                   [DRAWN_DIFFERENCES] = "differences"};

/* Compares trees from seed 1 on; at least half of them must run. */
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

/* Trees that once had different results. An event set a velocity of 1e-80 m/s on a body that cannot move.
 * Reactions of redundant constraints, by a plane or a knife edge at rest, need multipliers of least norm to
 * their last digits, or steps become ever shorter. There was friction after a body whose velocity an event
 * sets. All bodies were fixed to the ground, without coordinates, alone and with events. An unused angle
 * converged half a turn away, 34 m from the declared bodies. Degrees of freedom were counted at different
 * initial states in both coordinates. */
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
