/* Two bodies on joints, for errors planted in passes over them. */
#include "tests/adjoint/check/trees.h"
#include "tests/declare.h"

#include <gradyn/gradyn.h>

gradyn_joint_kind trees_kind;

/* A body on the joint that is tested, which is on a revolute joint; a spring, and a point constrained to a
 * plane. */
gradyn_status trees_build(gradyn_model *m, const gradyn_scalar rho[])
{
  int before = GRADYN_GROUND, last = 0;
  (void)rho;
  for (int i = 0; i < 2; i++) {
    last = gradyn_body_3d(m, &(gradyn_body_spec){.name = i ? "body" : "base",
                                                 .mass = 1.3 + i,
                                                 .centre = {0.4 * i + 0.3, 0.1 * i, 0.1},
                                                 .omega = {0.3, -0.2, 0.5},
                                                 .inertia = {0.2, 0.3, 0.4, 0.02, -0.03, 0.01}});
    const int joint = gradyn_joint_between(
        m, &(gradyn_joint_between_spec){.name = i ? "own" : "hinge",
                                        .kind = i ? trees_kind : GRADYN_REVOLUTE,
                                        .body_a = i % 2 ? last : before,
                                        .body_b = i % 2 ? before : last,
                                        .position = {0.4 * i, 0.1, 0.2},
                                        .axis = {0.2, 1, -0.3 * i},
                                        .side = {1, 0.1, 0.2},
                                        .axis_b = {1, -0.2, 0},
                                        .pitch = 0.4});
    if (i == 0)
      gradyn_joint_spring(
          m, &(gradyn_joint_spring_spec){"spring", gradyn_joint_coordinate(m, joint, GRADYN_ANGLE),
                                         .k = 8, .c = 0.3});
    before = last;
  }
  const int P = gradyn_body_point_3d(m, last, "P", 1, 0.5, -0.4);
  const int R = gradyn_ground_point_3d(m, "R", 0.2, 1, -1);
  gradyn_spring(m, &(gradyn_spring_spec){"far", P, R, .k = 20, .c = 0.5, .free_length = 0.4});
  gradyn_coordinate(m, "row", P, GRADYN_X, &(gradyn_time_function){.value = 1});
  gradyn_gravity_3d(m, 0.1, 0.3, -9.81);
  return gradyn_build_status(m);
}

/* Bodies and a rod in the plane. */
gradyn_status trees_build_in_plane(gradyn_model *m, const gradyn_scalar rho[])
{
  int before = GRADYN_GROUND;
  (void)rho;
  for (int i = 0; i < 2; i++) {
    const int body = gradyn_body(m, &(gradyn_body_spec){.name = i ? "body" : "base",
                                                        .mass = 1.3 + i,
                                                        .centre = {0.4 * i + 0.3, 0.1 * i},
                                                        .omega = {0, 0, 0.5},
                                                        .inertia = {0, 0, 0.2}});
    declare_joint(m, i ? "own" : "hinge", i ? trees_kind : GRADYN_REVOLUTE, before, body,
                  VECTOR(0.4 * i, 0.1), VECTOR(1, 0.3));
    before = body;
  }
  const int P = gradyn_body_point(m, before, "P", 1, 0.5), Q = gradyn_point(m, "Q", 1.4, 0.1);
  const int R = gradyn_ground_point(m, "R", 0.2, 1);
  gradyn_rod(m, &(gradyn_rod_spec){.name = "rod", .from = P, .to = Q, .mass = 0.5});
  gradyn_spring(m, &(gradyn_spring_spec){"far", Q, R, .k = 20, .c = 0.5, .free_length = 0.4});
  gradyn_gravity(m, 0.3, -9.81);
  return gradyn_build_status(m);
}
