/* Every kind of joint that carries a body, on branches, on a free body and in a loop: the same results in
 * joint and in natural coordinates, for all data. */
#include "tests/mbs/tree/both.h"

THOROUGH_TEST(branches_are_the_same)
{
  both_compare_kinds(BOTH_BRANCH);
}

THOROUGH_TEST(branches_of_a_free_body_are_the_same)
{
  both_compare_kinds(BOTH_FREE);
}

THOROUGH_TEST(chains_in_loops_are_the_same)
{
  both_compare_kinds(BOTH_CLOSED);
}

/* Differences for joints with two rotational coordinates, and in a loop. */
TEST(differences_agree)
{
  static const int trees[] = {BOTH_SHAPES * GRADYN_UNIVERSAL + BOTH_CHAIN,
                              BOTH_SHAPES * GRADYN_PLANAR + BOTH_CLOSED};
  for (int i = 0; i < 2; i++)
    ali3p_compare_differences(&(run_setup){.problem = &both_joint,
                                           .setting = "tree",
                                           .value = trees[i],
                                           .method = "explicit",
                                           .step = 0.01},
                              4e-3, 1e-7);
}
