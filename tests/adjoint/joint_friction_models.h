/* Mechanisms with friction in joints. Settings: law, 0 to 2 (Brown and McPhee, LuGre, Gonthier); narrow, 1: a
 * tenth of the transition velocity. */
#ifndef GRADYN_TESTS_ADJOINT_JOINT_FRICTION_MODELS_H
#define GRADYN_TESTS_ADJOINT_JOINT_FRICTION_MODELS_H

#include "tests/adjoint/ali3p_models.h"

enum { JOINT_FRICTION_PARAMETERS = 6 };

/* A block on a guide in the plane that slides, turns and sticks; one joint of every kind in space. */
extern const gradyn_problem joint_friction_block, joint_friction_space;

#endif
