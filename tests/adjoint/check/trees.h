/* Models in joint coordinates for planted errors. */
#ifndef GRADYN_TESTS_ADJOINT_CHECK_TREES_H
#define GRADYN_TESTS_ADJOINT_CHECK_TREES_H

#include <gradyn/joints.h>

extern gradyn_joint_kind trees_kind; /* of the joint called "own" */

/* In space with a row that is left; in the plane with a rod. */
gradyn_status trees_build(gradyn_model *m, const gradyn_scalar rho[]);
gradyn_status trees_build_in_plane(gradyn_model *m, const gradyn_scalar rho[]);

#endif
