/* Friction in joints beside joint coordinates: joints whose forces it reads stay joints of rows. */
#include "tests/adjoint/joint_friction_models.h"
#include "tests/mbs/tree/both.h"

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
