/* Bars of a link's maps to those of the data of its joint's frames, the transpose of data.c: from maps to the
 * pose of the joint and its time derivatives, from there to turns of both triads, and last to what of each
 * direction these are made of. What L_z mu changes by is scalar by coordinate, and takes mu last. */
#include "mbs/tree/joints.h"
#include "mbs/tree/vectors.h"

#include <math.h>
#include <string.h>

enum { X, Y, Z };

/* Bars of R and o by orders. */
typedef struct pose_bars {
  gradyn_lanes R[3][3][3], o[3][3];
} pose_bars;

/* Bars of turns by orders of a frame's angle, [frame a, b][order][axis of the frame], of which higher orders
 * have z alone; of what slides along the directions of a; of the origins of a and b. */
typedef struct frame_bars {
  gradyn_lanes theta[2][3][3], slide[TREE_FREE][3], origin[2][3];
} frame_bars;

/* A joint where it is. */
typedef struct joint_at {
  const tree_kind *kind;
  const tree_link *link;
  double (*z)[TREE_FREE];
  tree_pose pose, by[TREE_FREE];
} joint_at;

/* --- from maps to poses ------------------------------------------------------------------------------ */

/* The last index of R is the one that L is summed over where the body is that of b. */
GRADYN_KERNEL gradyn_lanes *turn_bar(const tree_link *link, pose_bars *p, int n, int i, int j)
{
  return link->turned ? &p->R[n][i][j] : &p->R[n][j][i];
}

GRADYN_KERNEL void bars_of_pose(const joint_at *at, const tree_map_bars *B, pose_bars *p,
                                frame_bars *f)
{
  const tree_link *link = at->link;
  const tree_pose *x = &at->pose;
  memset(p, 0, sizeof *p);
  for (int n = 0; n < 3; n++)
    for (int j = 0; j < 3; j++) {
      const gradyn_lanes *beta = &B->L[n].e[0][1 + j];
      for (int i = 0; i < 3; i++)
        *turn_bar(link, p, n, i, j) += B->L[n].e[1 + i][1 + j];
      if (!link->turned) {
        p->o[n][j] = *beta;
        for (int i = 0; i < 3; i++) {
          p->R[n][j][i] -= link->v[1][0][i] * *beta;
          f->origin[1][i] -= x->R[n][j][i] * *beta;
        }
        continue;
      }
      if (n == 0)
        f->origin[1][j] += *beta;
      for (int k = 0; k <= n; k++)
        for (int i = 0; i < 3; i++) {
          p->R[k][i][j] -= tree_binomial[n][k] * x->o[n - k][i] * *beta;
          p->o[n - k][i] -= tree_binomial[n][k] * x->R[k][i][j] * *beta;
        }
    }
  for (int i = 0; i < 3; i++)
    f->origin[0][i] += p->o[0][i];
}

/* --- from poses to turns ----------------------------------------------------------------------------- */

/* w += share times the sum of r x b over columns (of a) or rows (of b): what a turn of R hands on. */
GRADYN_KERNEL void add_turn(bool of_b, double share, const double R[3][3],
                            const gradyn_lanes b[3][3], gradyn_lanes w[3])
{
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      if (of_b)
        w[k] += share * R[j][next] * b[j][last] - share * R[j][last] * b[j][next];
      else
        w[k] += share * R[next][j] * b[last][j] - share * R[last][j] * b[next][j];
    }
}

/* The coordinate that turns a frame; -1: none. */
static int angle_of(const tree_kind *kind, bool of_b)
{
  for (int i = 0; i < kind->k; i++)
    if (kind->free[i].motion == (of_b ? TREE_TURN_B : TREE_TURN))
      return i;
  return -1;
}

/* theta of order 0 from w, and of those in time, z alone, if the frame turns. */
GRADYN_KERNEL void bars_of_turns(const joint_at *at, const pose_bars *p, bool of_b, frame_bars *f)
{
  const double(*v)[3] = (const double(*)[3])at->link->v[of_b];
  const int angle = angle_of(at->kind, of_b);
  for (int k = 0; k < (angle >= 0 ? 3 : 1); k++) {
    gradyn_lanes w[3] = {{0}}, z = {0};
    for (int n = k; n < 3; n++)
      add_turn(of_b, tree_binomial[n][k], at->pose.R[n - k], p->R[n], w);
    for (int axis = 0; axis < 3 && k == 0; axis++)
      for (int i = 0; i < 3; i++)
        f->theta[of_b][0][axis] += v[1 + axis][i] * w[i];
    for (int i = 0; i < 3 && k > 0; i++)
      z += v[1 + Z][i] * w[i];
    if (k == 0)
      continue;
    const double rate = at->z[1][angle];
    f->theta[of_b][1][Z] += (k == 1 ? rate : at->z[2][angle]) * z;
    f->theta[of_b][2][Z] += (k == 1 ? 0 : rate * rate) * z;
  }
}

GRADYN_KERNEL void bars_of_slides(const joint_at *at, const pose_bars *p, frame_bars *f)
{
  for (int i = 0; i < at->kind->k; i++)
    for (int n = 0; n < 3 && at->kind->free[i].motion == TREE_SLIDE; n++)
      for (int k = 0; k < 3; k++)
        f->slide[i][k] += at->z[n][i] * p->o[n][k];
}

/* --- by a coordinate --------------------------------------------------------------------------------- */

/* Scalar bars of what L_z of coordinate s is made of: R, o and their derivatives by it. */
typedef struct along_bars {
  double R[2][3][3], o[2][3], origin_b[3];
} along_bars;

static void bars_along(const joint_at *at, const tree_map *B, int s, along_bars *p)
{
  const tree_link *link = at->link;
  const tree_pose *x = &at->pose, *by = &at->by[s];
  memset(p, 0, sizeof *p);
  for (int j = 0; j < 3; j++) {
    const double beta = B->e[0][1 + j];
    if (!link->turned)
      p->o[1][j] = beta;
    for (int i = 0; i < 3; i++)
      if (link->turned) {
        p->R[0][i][j] = -beta * by->o[0][i];
        p->R[1][i][j] = B->e[1 + i][1 + j] - beta * x->o[0][i];
        p->o[0][i] -= beta * by->R[0][i][j];
        p->o[1][i] -= beta * x->R[0][i][j];
      } else {
        p->R[1][j][i] = B->e[1 + i][1 + j] - beta * link->v[1][0][i];
        p->origin_b[i] -= beta * by->R[0][j][i];
      }
  }
}

/* The scalar w of add_turn(). */
static void turn_along(bool of_b, const double R[3][3], const double b[3][3], double w[3])
{
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      const int next = (k + 1) % 3, last = (k + 2) % 3;
      w[k] += of_b ? R[j][next] * b[j][last] - R[j][last] * b[j][next]
                   : R[next][j] * b[last][j] - R[last][j] * b[next][j];
    }
}

GRADYN_KERNEL void add_along(const joint_at *at, const tree_map *B, int s, const gradyn_lanes *mu,
                             frame_bars *f)
{
  along_bars found;
  const along_bars *p = &found;
  bars_along(at, B, s, &found);
  for (int of_b = 0; of_b < 2; of_b++) {
    const double(*v)[3] = (const double(*)[3])at->link->v[of_b];
    double w[3] = {0, 0, 0}, first[3] = {0, 0, 0}, z = 0;
    turn_along(of_b, at->by[s].R[0], p->R[1], w);
    turn_along(of_b, at->pose.R[0], p->R[0], w);
    turn_along(of_b, at->pose.R[0], p->R[1], first);
    for (int axis = 0; axis < 3; axis++) {
      const double theta = v[1 + axis][0] * w[0] + v[1 + axis][1] * w[1] + v[1 + axis][2] * w[2];
      f->theta[of_b][0][axis] += theta * *mu;
      z += v[1 + Z][axis] * first[axis];
    }
    if (s == angle_of(at->kind, of_b))
      f->theta[of_b][1][Z] += z * *mu;
  }
  for (int k = 0; k < 3; k++) {
    f->origin[0][k] += p->o[0][k] * *mu;
    f->origin[1][k] += p->origin_b[k] * *mu;
    for (int i = 0; i < at->kind->k; i++)
      if (at->kind->free[i].motion == TREE_SLIDE)
        f->slide[i][k] += (at->z[0][i] * p->o[0][k] + (i == s ? p->o[1][k] : 0)) * *mu;
  }
}

/* --- from turns to data ------------------------------------------------------------------------------ */

/* The bar of a direction's component. */
GRADYN_KERNEL void bar_of_datum(const joint_at *at, const tree_datum *x, const double twice[2],
                                const frame_bars *f, gradyn_lanes *bar)
{
  const tree_link *link = at->link;
  const double(*v)[3] = (const double(*)[3])link->v[x->of_b];
  double theta[3][3];
  tree_theta_of(at->kind->ties, x->of_b, v, x->vector - 1, x->component, twice, theta);
  for (int axis = 0; axis < 3; axis++)
    *bar += theta[0][axis] * f->theta[x->of_b][0][axis];
  *bar += theta[1][Z] * f->theta[x->of_b][1][Z] + theta[2][Z] * f->theta[x->of_b][2][Z];
  for (int i = 0; i < at->kind->k && !x->of_b; i++)
    for (int k = 0; k < 3 && at->kind->free[i].motion == TREE_SLIDE; k++)
      *bar -= v[1 + at->kind->free[i].along][x->component] * v[x->vector][k] * f->slide[i][k];
}

static GRADYN_WIDE void bars_of_frames(const joint_at *at, const tree_map_bars *B,
                                       const gradyn_lanes *mu, gradyn_lanes *bar)
{
  const tree_link *link = at->link;
  frame_bars f;
  pose_bars p;
  double twice[2][2] = {{1, 0}, {1, 0}};
  memset(&f, 0, sizeof f);
  bars_of_pose(at, B, &p, &f);
  bars_of_slides(at, &p, &f);
  for (int of_b = 0; of_b < 2 && at->kind->ties != TREE_POINTS; of_b++) {
    const int angle = angle_of(at->kind, of_b);
    bars_of_turns(at, &p, of_b, &f);
    if (angle >= 0)
      tree_circle(2 * at->z[0][angle], 0, &twice[of_b][0], &twice[of_b][1]);
  }
  for (int s = 0; s < link->k && mu; s++)
    add_along(at, &B->mu, s, &mu[link->z[s]], &f);
  for (int k = 0; k < link->data; k++) {
    const tree_datum *x = &link->datum[k];
    bar[k] = (gradyn_lanes){0};
    if (x->active && x->vector == 0)
      bar[k] = f.origin[x->of_b][x->component];
    else if (x->active)
      bar_of_datum(at, x, twice[x->of_b], &f, &bar[k]);
  }
}

void tree_data_against(const gradyn_mbs *m, const tree_link *link, double z[3][TREE_FREE],
                       const tree_map_bars *B, const gradyn_lanes *mu, gradyn_lanes *bar)
{
  joint_at at = {.kind = tree_kind_of(m, link), .link = link, .z = z};
  tree_take_poses(at.kind, link, z, &at.pose, at.by);
  bars_of_frames(&at, B, mu, bar);
}
