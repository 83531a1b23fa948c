/* Two bodies in the plane or in space with a joint of every kind, and a motion of both that goes as far
 * as the joint allows, by rotation matrices. */
#ifndef GRADYN_TESTS_MBS_JOINT_COURSE_H
#define GRADYN_TESTS_MBS_JOINT_COURSE_H

#include "tests/mbs/bench.h"
#include <gradyn/gradyn.h>

enum { JOINT_KINDS = 16 };

/* A kind of joint; motions that it leaves free, and which of them have coordinates: translations along
 * x, y, z of a and rotations of b, "000001": about z. */
typedef struct joint_course {
  gradyn_joint_kind kind;
  int dim;
  const char *free, *shown;
} joint_course;

extern const joint_course joint_courses[JOINT_KINDS];

/* The kind for the other functions, since a build function has no further arguments. */
void joint_course_choose(const joint_course *kind);

/* Bodies A and B, the joint with its coordinates, and the integrals of what it carries in frame a: forces,
 * then torques; in the plane x, y, and about z. Coordinates of joints come first in q, then those of A and
 * of B: centre and base vectors. */
gradyn_status joint_course_build(gradyn_model *model, const gradyn_scalar rho[]);

/* Sets q, v, a of the bench's state to those of the motion at t. */
void joint_course_move(bench *b, double t);

/* Directions x, y, z of a, columns of V, and the origin of b, m. */
void joint_course_frames(double t, double V[3][3], double r_b[3]);

/* c = a x b */
void joint_course_cross(const double *a, const double *b, double *c);

#endif
