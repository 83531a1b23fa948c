/* Friction in joints beside joint coordinates: what it reads goes through joints on the tree. */
#include "tests/adjoint/joint_friction_models.h"
#include "tests/mbs/tree/both.h"

/* Shapes with friction in joints of each kind that may have some: kind of both_kinds; 7 is spherical. */
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

static ali3p_setup rubbing_at(const gradyn_problem *problem, int i)
{
  ali3p_setup setup = both_tree(problem, rubbings[i].kind, rubbings[i].shape);
  setup.value += BOTH_RUBS * (1 + (int)rubbings[i].law);
  return setup;
}

TEST(it_is_the_same_in_both_coordinates)
{
  for (int i = 0; i < RUBBINGS; i++) {
    const ali3p_setup setup = rubbing_at(&both_natural, i);
    both_compare(&setup, 1e-9);
  }
}

TEST(direct_is_adjoint_is_difference)
{
  for (int i = 0; i < RUBBINGS; i++) {
    const ali3p_setup setup = rubbing_at(&both_joint, i);
    ali3p_setup coarse = setup; /* both are derivatives of the same steps */
    coarse.rtol = 1e-6;
    ali3p_compare_data(&coarse, NULL, 1e-10);
    if (rubbings[i].differs)
      ali3p_compare_differences(&setup, 4e-3, 1e-7);
  }
}

/* A governor with friction in its hinges and a bearing and a guide without. */
TEST(a_governor_is_the_same)
{
  for (int k = 0; k < 2; k++)
    both_compare(&(ali3p_setup){.problem = &gradyn_problem_governor,
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
  ali3p_compare_data(&(ali3p_setup){.problem = &joint, .step = 1e-3, .t_end = 0.01}, NULL, 1e-10);
}
