/* Every kind of joint that carries a body, alone, in a chain of three, on branches, on a free body and in a
 * loop, with frame a on either body: in joint coordinates as in natural ones, by all data, each number of the
 * joints' frames included, and so what goes through the joints. */
#include "tests/mbs/tree/both.h"

static const struct {
  gradyn_joint_kind kind;
  int coordinates; /* of a chain */
} kinds[] = {{GRADYN_FIXED, 1}, {GRADYN_REVOLUTE, 3}, {GRADYN_PRISMATIC, 3}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static ali3p_setup tree(const gradyn_problem *problem, int i, int shape)
{
  return (ali3p_setup){.problem = problem,
                       .setting = "tree",
                       .value = BOTH_SHAPES * (int)kinds[i].kind + shape,
                       .method = "explicit",
                       .sensitivity = "adjoint",
                       .rtol = 1e-11};
}

static void compare_all(int shape)
{
  for (int i = 0; i < KINDS; i++) {
    const ali3p_setup setup = tree(&both_natural, i, shape);
    if (shape != BOTH_CLOSED || kinds[i].coordinates > 1) /* or nothing would move */
      both_compare(&setup, 1e-9);
  }
}

TEST(a_body_on_any_joint_is_the_same)
{
  compare_all(BOTH_ALONE);
}

TEST(chains_are_the_same)
{
  compare_all(BOTH_CHAIN);
}

TEST(branches_are_the_same)
{
  compare_all(BOTH_BRANCH);
}

TEST(branches_of_a_free_body_are_the_same)
{
  compare_all(BOTH_FREE);
}

TEST(chains_in_loops_are_the_same)
{
  compare_all(BOTH_CLOSED);
}

TEST(kinds_have_as_many_coordinates_as_they_leave)
{
  for (int i = 0; i < KINDS; i++) {
    const ali3p_setup setup = tree(&both_joint, i, BOTH_CHAIN);
    gradyn_evaluator *ev = ali3p_open(&setup);
    assert_int_equal(gradyn_model_describe(ev).coordinates, kinds[i].coordinates);
    gradyn_evaluator_free(ev);
  }
}

TEST(direct_is_adjoint)
{
  for (int i = 0; i < KINDS; i++) {
    const ali3p_setup setup = tree(&both_joint, i, BOTH_CHAIN);
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}
