/* Frames, and joints between them. */
#ifndef GRADYN_MBS_FRAME_H
#define GRADYN_MBS_FRAME_H

#include "mbs/elements/mechanism.h"
#include <gradyn/joints.h>

enum { MBS_BAR_FRAME = -2 }; /* of frames on rods, instead of a body's number */

/* A frame. A direction of the frame is declared as a point when it is first used. In the plane only x
 * exists; the frame of a rod in space has only z. Points, bodies, frames and constraints of the motion are
 * given by indices from 0. */
struct mbs_frame {
  char *name;
  int body;         /* index; GRADYN_GROUND; MBS_BAR_FRAME */
  int origin;       /* a point */
  int direction[3]; /* points; -1: not declared yet */
  /* directions are base vectors of the body; the axis (z, in the plane x) is number `along` */
  bool aligned;
  int along;
  int from, to; /* ends of a rod */
  bool has_axis;
  gradyn_scalar triad[3][3]; /* x, y, z at the initial time, in the present build() */
};

struct mbs_joint {
  char *name;
  gradyn_joint_kind kind;
  int a, b;                 /* frames */
  int first, rows;          /* its constraints */
  int angle, slide;         /* its coordinates; -1: not declared yet */
  int angle_row, slide_row; /* the constraints of these, or -1 */
  /* distances along x and y of a planar joint, and their constraints */
  int along[2], along_row[2];
  int angle_b, angle_b_row; /* universal joints: angle from x of b to z of a, about z of b */
  bool loose;               /* other parts already connect the origins of a and b rigidly */
  bool cut;                 /* the joint positions no body in joint coordinates */
};

/* Sets c [3] to the vector product of a and b [3]. */
static inline void mbs_cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Returns the frame with an id, valid until the next one is declared. NULL: m is NULL, or there is none,
 * which is a build error that begins with `element` (NULL: "a declaration"). Id 0 is not reported after
 * another build error. */
mbs_frame *mbs_check_frame(gradyn_mbs *m, const char *element, int frame);

/* Returns the joint with an id, valid until the next one is declared. NULL: m is NULL, or there is none,
 * which is a build error that begins with `element` (NULL: "a declaration"). Id 0 is not reported after
 * another build error. */
mbs_joint *mbs_check_joint(gradyn_mbs *m, const char *element, int joint);

/* Returns the name of a kind of joint, such as "revolute"; a constant text. The kind is not checked. */
const char *mbs_joint_kind(gradyn_joint_kind kind);

/* Returns the index of the point that represents direction i = 0, 1, 2 (x, y, z) of a frame; the first call
 * declares it. If the frame has no axis, there is a build error, once per frame, and the result is also a
 * valid point. */
int mbs_frame_direction(gradyn_mbs *m, mbs_frame *frame, int i);

extern const mbs_element_ops mbs_along_ops, mbs_across_ops, mbs_parallel_ops;

#endif
