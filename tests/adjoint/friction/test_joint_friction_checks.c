/* Friction in joints: every derivative of all laws and kinds of joints against an independent route. */
#include "tests/adjoint/checked.h"
#include "tests/adjoint/joint_friction_models.h"

/* Every derivative of a model with one of the laws is right; kinks are told as such, and are so many. */
static void expect(const gradyn_problem *problem, int law, double t_end, int kinks)
{
  run_setup setup = {.problem = problem, .setting = "law", .value = law, .t_end = t_end};
  checked out;
  run_local *ev = ali3p_open(&setup);
  checked_run(ev, kinks > 0, &out);
  assert_int_equal(out.kinks, kinks);
  assert_int_equal(out.wrong, kinks);
}

TEST(checks_pass)
{
  for (int law = 0; law < 3; law++)
    expect(&joint_friction_block, law, 0, 0);
  expect(&joint_friction_space, GRADYN_BROWN_MCPHEE, 0.06, 0); /* joints and bristles below */
}

/* Where bodies rest Gonthier's law switches its time constant: accelerations of what dwells have one
 * derivative by its initial value upwards and another one downwards. Nothing else is called wrong, though
 * other switches are near. */
TEST(rest_is_a_kink_of_gonthiers_law)
{
  expect(&joint_friction_space, GRADYN_GONTHIER, 0.1, 1);
}
