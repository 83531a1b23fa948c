/* Every kind of joint that carries a body, alone and in a chain of three, with frame a on either body.
 * Results in joint coordinates equal those in natural ones for all data, with each number of the joints'
 * frames and the reactions of the joints. */
#include "tests/mbs/tree/both.h"

TEST(a_body_on_any_joint_is_the_same)
{
  both_compare_kinds(BOTH_ALONE);
}

THOROUGH_TEST(chains_are_the_same)
{
  both_compare_kinds(BOTH_CHAIN);
}

TEST(kinds_have_as_many_coordinates_as_they_leave)
{
  for (int i = 0; i < BOTH_KINDS; i++) {
    const run_setup setup = both_tree(&both_joint, i, BOTH_CHAIN);
    run_local *ev = ali3p_open(&setup);
    assert_int_equal(gradyn_evaluator_model_info(ev).coordinates, both_kinds[i].coordinates);
  }
}

/* Of kinds with several coordinates. */
THOROUGH_TEST(direct_is_adjoint)
{
  for (int i = 3; i < BOTH_KINDS; i++) {
    run_setup setup = both_tree(&both_joint, i, BOTH_CHAIN);
    setup.rtol = 1e-6;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

/* Directions are neither unit vectors nor orthogonal. */
TEST(directions_need_not_be_orthonormal)
{
  for (int i = 0; i < BOTH_KINDS; i++) {
    const run_setup setup = both_tree(&both_natural, i, BOTH_BRANCH);
    both_bend(&setup, 0.03, 1e-8);
  }
}
