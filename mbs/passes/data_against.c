/* Bars of a link's vectors to those of the data of its joint's frames. A frame that turns, dA = theta x A, on
 * its body is what a change of the body's own vectors is, dX = dC X, where nothing but dC depends on the
 * frame:
 *   of the body on the tree,  dX = dC X,        bars C = X_bar X^T + X'_bar X'^T + X''_bar X''^T - F dX^T;
 *   of its parent,            dX = L dC X_p,    the same of L^T X_bar + .., which the link hands in, and X_p.
 * With C_ij for the bar of what vector i takes from vector j, and the frame's origin at o, the bar of a turn
 * is
 *   w_x = C_zy - C_yz + (o x C_0)_x of the one, and minus that of the other, and so on.
 * The part of theta that changes in time, of frames that turn, is a change of the joint's coordinate. */
#include "mbs/passes/joints.h"
#include "mbs/passes/vectors.h"

#include <string.h>

enum { X, Y, Z };

/* A joint where it is. */
typedef struct joint_at {
  const tree_kind *kind;
  const tree_link *link;
  const tree_data_bars *B;
} joint_at;

/* Bars of turns of a frame, in its axes; of theta_z' and theta_z'' by the frame's angle, of what slides along
 * directions of a, of the origin. */
typedef struct frame_bars {
  gradyn_lanes turn[3], bent[2], origin[3];
} frame_bars;

/* --- turns ------------------------------------------------------------------------------------------- */

/* a x b */
GRADYN_KERNEL void cross_lanes(const double *a, const gradyn_lanes *b, gradyn_lanes *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The bars w of turns of a body's axes, and with them of a frame's; own: of the body on the tree. */
GRADYN_KERNEL void bars_of_turn(const joint_at *at, bool of_b, bool own,
                                gradyn_lanes slide[TREE_FREE][3], frame_bars *f)
{
  const double(*v)[3] = (const double(*)[3])at->link->v[of_b];
  const gradyn_lanes(*C)[3] = own ? at->B->own : at->B->parent;
  gradyn_lanes w[3], moved[3];
  cross_lanes(v[0], C[0], w);
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    w[k] += C[1 + last][next] - C[1 + next][last];
    w[k] = own ? w[k] : -w[k];
    f->origin[k] = own ? -C[0][k] : C[0][k];
  }
  for (int i = 0; i < at->kind->k && !of_b; i++) {
    if (at->kind->free[i].motion != TREE_SLIDE)
      continue;
    cross_lanes(v[1 + at->kind->free[i].along], slide[i], moved);
    for (int k = 0; k < 3; k++)
      w[k] -= moved[k];
  }
  for (int axis = 0; axis < 3; axis++)
    f->turn[axis] = v[1 + axis][0] * w[0] + v[1 + axis][1] * w[1] + v[1 + axis][2] * w[2];
}

/* theta' = theta_z z', theta'' = theta_z z'' + theta_zz z'^2, and theta_z mu. */
GRADYN_KERNEL void bars_of_time(const joint_at *at, int s, frame_bars *f)
{
  const tree_data_bars *B = at->B;
  const double rate = B->z[1][s];
  f->bent[0] = rate * B->rate[s] + B->z[2][s] * B->acceleration[s] + B->load[s];
  f->bent[1] = rate * rate * B->acceleration[s];
}

/* --- from turns to directions ------------------------------------------------------------------------ */

/* Of theta_z that is sin^2 z y dx - cos^2 z x dy + sin z cos z (x dx - y dy), at angle z. */
GRADYN_KERNEL void add_bent(double z, const frame_bars *f, gradyn_lanes N[3][3])
{
  double cosine, sine; /* of 2 z */
  tree_circle(2 * z, 0, &cosine, &sine);
  const gradyn_lanes square = sine * f->bent[0] + 2 * cosine * f->bent[1],
                     product = cosine * f->bent[0] - 2 * sine * f->bent[1];
  N[X][Y] += 0.5 * (1 - cosine) * f->turn[Z] + square;
  N[Y][X] -= 0.5 * (1 + cosine) * f->turn[Z] - square;
  N[X][X] += 0.5 * sine * f->turn[Z] + product;
  N[Y][Y] -= 0.5 * sine * f->turn[Z] + product;
}

/* N_qp: how often direction p is in the bar of direction q, by the table of docs/theory/coordinates.md. */
GRADYN_KERNEL void bars_of_directions(const joint_at *at, bool of_b, const frame_bars *f,
                                      gradyn_lanes N[3][3])
{
  const tree_ties ties = at->kind->ties;
  const int angle = tree_angle_of(at->kind, of_b);
  if (ties == TREE_POINTS)
    return;
  if (ties == TREE_CROSS) {
    N[Z][Y] -= f->turn[X];
    N[Z][X] += f->turn[Y];
  } else if (of_b) { /* theta_x = -y dz; theta_y is x dz, or -z dx; theta_z is y dx, or -x dy */
    N[Z][Y] -= f->turn[X];
    if (ties == TREE_AXES) {
      N[Z][X] += f->turn[Y];
      N[X][Y] += f->turn[Z];
      return;
    }
    N[X][Z] -= f->turn[Y];
    N[Y][X] -= f->turn[Z];
    return;
  } else { /* theta_x = z dy; theta_y is -z dx, or x dz; theta_z is y dx where nothing turns */
    N[Y][Z] += f->turn[X];
    if (ties == TREE_TRIADS) {
      N[Z][X] += f->turn[Y];
      N[X][Y] += f->turn[Z];
      return;
    }
    N[X][Z] -= f->turn[Y];
  }
  add_bent(at->B->z[0][angle], f, N);
}

/* Slides s_u, along direction u of a: ds = -s_u (u dx_a x_a + u dy_a y_a + u dz_a z_a). */
GRADYN_KERNEL void bars_of_slides(const joint_at *at, gradyn_lanes slide[TREE_FREE][3],
                                  gradyn_lanes N[3][3])
{
  const double(*v)[3] = (const double(*)[3])at->link->v[0];
  for (int i = 0; i < at->kind->k; i++)
    for (int q = 0; q < 3 && at->kind->free[i].motion == TREE_SLIDE; q++)
      for (int k = 0; k < 3; k++)
        N[q][at->kind->free[i].along] -= v[1 + q][k] * slide[i][k];
}

/* Bars of a frame's vectors, [0] its origin. */
GRADYN_KERNEL void bars_of_frame(const joint_at *at, bool of_b, gradyn_lanes slide[TREE_FREE][3],
                                 gradyn_lanes bar[4][3])
{
  const double(*v)[3] = (const double(*)[3])at->link->v[of_b];
  const int angle = tree_angle_of(at->kind, of_b);
  const gradyn_lanes none = {0};
  gradyn_lanes N[3][3] = {{none, none, none}, {none, none, none}, {none, none, none}};
  frame_bars f;
  f.bent[0] = f.bent[1] = none;
  bars_of_turn(at, of_b, of_b != at->link->turned, slide, &f);
  if (angle >= 0)
    bars_of_time(at, angle, &f);
  bars_of_directions(at, of_b, &f, N);
  if (!of_b)
    bars_of_slides(at, slide, N);
  for (int k = 0; k < 3; k++)
    bar[0][k] = f.origin[k];
  for (int q = 0; q < 3; q++)
    for (int k = 0; k < 3; k++)
      bar[1 + q][k] = v[1][k] * N[q][X] + v[2][k] * N[q][Y] + v[3][k] * N[q][Z];
}

static GRADYN_WIDE void bars_of_frames(const joint_at *at, gradyn_lanes frame[2][4][3])
{
  gradyn_lanes slide[TREE_FREE][3]; /* of what slides */
  for (int i = 0; i < at->kind->k; i++)
    for (int k = 0; k < 3 && at->kind->free[i].motion == TREE_SLIDE; k++) {
      slide[i][k] = at->B->shifted[i][k];
      for (int n = 0; n < 3; n++)
        slide[i][k] += at->B->z[n][i] * at->B->shift[n][k];
    }
  for (int of_b = 0; of_b < 2; of_b++)
    bars_of_frame(at, of_b, slide, frame[of_b]);
}

void tree_data_against(const gradyn_mbs *m, const tree_link *link, const tree_data_bars *B,
                       gradyn_lanes frame[2][TREE_FRAME_VECTORS][3])
{
  const joint_at at = {tree_kind_of(m, link), link, B};
  bars_of_frames(&at, frame);
}
