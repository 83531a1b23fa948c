/* Frames and the joints between them. */
#ifndef GRADYN_MBS_FRAME_H
#define GRADYN_MBS_FRAME_H

#include "mbs/elements/mechanism.h"
#include <gradyn/joints.h>

enum { MBS_BAR_FRAME = -2 }; /* in place of a body's number */

/* Its directions x, y, z are declared when something uses them; in the plane there is x only, of a bar in
 * space z only. */
struct mbs_frame {
  char *name;
  int body;
  int origin;       /* a point */
  int direction[3]; /* points, -1: not declared yet */
  bool aligned;     /* directions of a body are its base vectors, the first being z (plane: x) */
  int along;
  int from, to; /* of a bar */
  bool has_axis;
  gradyn_scalar triad[3][3]; /* x, y, z at the initial time, as the present build() gives them */
};

struct mbs_joint {
  char *name;
  gradyn_joint_kind kind;
  int a, b;                   /* frames */
  int first, rows;            /* its constraints */
  int angle, slide;           /* its coordinates; -1: not declared yet */
  int angle_row, slide_row;   /* the constraints of those, or -1 */
  int along[2], along_row[2]; /* the same of the distances along x and y of a flat joint */
  int angle_b, angle_b_row;   /* of a universal joint: from x of b to z of a, about z of b */
  bool loose;                 /* its origins are connected without it */
  bool cut;                   /* it places no body in joint coordinates */
};

/* c = a x b */
static inline void mbs_cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < 3; k++)
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* A frame or joint given by the user; notes a build error and returns NULL if it is wrong. */
mbs_frame *mbs_check_frame(gradyn_mbs *m, const char *element, int frame);
mbs_joint *mbs_check_joint(gradyn_mbs *m, const char *element, int joint);

/* What a kind of joint is called, "revolute". */
const char *mbs_joint_kind(gradyn_joint_kind kind);

/* The point that is a frame's direction 0, 1 or 2; declares it if need be. */
int mbs_frame_direction(gradyn_mbs *m, mbs_frame *frame, int i);

extern const mbs_element_ops mbs_along_ops, mbs_across_ops, mbs_parallel_ops;

#endif
