/* Friction in joints with joint coordinates: the multipliers that it reads are those of joints on the tree.
 */
#include "tests/adjoint/joint_friction_models.h"
#include "tests/mbs/tree/both.h"

/* Shapes with friction in every kind of joint that supports it; `kind` is an index of both_kinds, 7 is
 * spherical. */
static const struct rubbing {
  int kind, shape;
  gradyn_friction_law law;
  bool differs; /* compared with differences, too */
} rubbings[] = {
    {1, BOTH_ALONE, GRADYN_BROWN_MCPHEE, true},   {2, BOTH_ALONE, GRADYN_BROWN_MCPHEE, false},
    {3, BOTH_ALONE, GRADYN_BROWN_MCPHEE, false},  {6, BOTH_ALONE, GRADYN_BROWN_MCPHEE, false},
    {1, BOTH_CHAIN, GRADYN_BROWN_MCPHEE, false},  {3, BOTH_CHAIN, GRADYN_BROWN_MCPHEE, false},
    {1, BOTH_BRANCH, GRADYN_BROWN_MCPHEE, false}, {2, BOTH_FREE, GRADYN_BROWN_MCPHEE, true},
    {6, BOTH_FREE, GRADYN_BROWN_MCPHEE, false},   {1, BOTH_CLOSED, GRADYN_BROWN_MCPHEE, true},
    {7, BOTH_CHAIN, GRADYN_BROWN_MCPHEE, true},   {7, BOTH_BRANCH, GRADYN_BROWN_MCPHEE, false},
    {7, BOTH_CLOSED, GRADYN_BROWN_MCPHEE, false}, {1, BOTH_ALONE, GRADYN_LUGRE, false},
    {6, BOTH_ALONE, GRADYN_LUGRE, false},         {3, BOTH_BRANCH, GRADYN_GONTHIER, false}};

enum { RUBBINGS = sizeof rubbings / sizeof *rubbings };

static run_setup rubbing_at(const gradyn_problem *problem, int i)
{
  run_setup setup = both_tree(problem, rubbings[i].kind, rubbings[i].shape);
  setup.value += BOTH_RUBS * (1 + (int)rubbings[i].law);
  return setup;
}

TEST(it_is_the_same_in_both_coordinates)
{
  for (int i = 0; i < RUBBINGS; i++)
    if (support_takes(i, 2)) {
      const run_setup setup = rubbing_at(&both_natural, i);
      both_compare(&setup, 1e-9);
    }
}

TEST(direct_is_adjoint_is_difference)
{
  for (int i = 0; i < RUBBINGS; i++) {
    if (!support_takes(i + 1, 3))
      continue;
    const run_setup setup = rubbing_at(&both_joint, i);
    run_setup coarse = setup; /* direct and adjoint are derivatives of the same steps */
    coarse.rtol = 1e-6;
    ali3p_compare_data(&coarse, NULL, 1e-10);
    if (rubbings[i].differs)
      ali3p_compare_differences(&setup, 4e-3, 1e-7);
  }
}

/* A governor with friction in its hinges and in a bearing, and a guide without friction. */
THOROUGH_TEST(a_governor_is_the_same)
{
  for (int k = 0; k < 2; k++)
    both_compare(&(run_setup){.problem = &gradyn_problem_governor,
                              .method = k ? "radau" : "explicit",
                              .sensitivity = k ? "direct" : "adjoint",
                              .rtol = 1e-10,
                              .t_end = 0.002},
                 1e-8);
}

TEST(ali3p_has_derivatives_of_its_own)
{
  gradyn_problem joint = gradyn_problem_governor;
  joint.coordinates = "joint";
  ali3p_compare_data(&(run_setup){.problem = &joint, .step = 1e-3, .t_end = 0.01}, NULL, 1e-10);
}

/* ALI3-P keeps the constraints of joints whose multipliers are read, also if other joints are attached to
 * their bodies. */
TEST(ali3p_keeps_constraints_whose_multipliers_are_used)
{
  for (int i = 0; i < RUBBINGS; i++) {
    run_setup setup = rubbing_at(&both_joint, i);
    if (rubbings[i].shape != BOTH_CHAIN && rubbings[i].shape != BOTH_CLOSED)
      continue;
    setup.method = "ali3p";
    setup.rtol = 0;
    setup.step = 1e-2; /* multipliers have a round-off that grows as 1/step^2 */
    setup.t_end = 0.04;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

static double operations_of(const gradyn_problem *problem, int value)
{
  run_local *ev = run_with(problem, .method = "explicit", .setting = "tree", .value = value);
  return gradyn_evaluator_model_info(ev).operations[1];
}

/* A stage of three bodies with friction in all joints needs 2.9 times the instructions of one without. */
TEST(a_stage_is_counted_by_its_work)
{
  gradyn_problem any = both_natural;
  any.coordinates = "auto";
  const int value = BOTH_SHAPES * (int)both_kinds[1].kind + BOTH_CHAIN;
  const double without = operations_of(&any, value), with = operations_of(&any, value + BOTH_RUBS);
  assert_in_range(100 * with / without, 260, 330);
}
