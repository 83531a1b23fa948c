/* Changes of links by data of joints' frames, tangent and transposed. If directions are no longer
 * orthonormal, the joint's natural constraints imply a rotation of the frame's triad, dA = theta x A. A
 * frame that rotates on its body is equivalent to a change of the body's vectors, where only dC depends on
 * the frame:
 *   of the body of the link,  dX = dC X;     of its parent,  dX = L dC X_p.
 * The adjoint of dC is
 *   C = X_bar X^T + X'_bar X'^T + X''_bar X''^T - F dX^T
 * and, for the parent, the same with L^T X_bar + .., which the link passes on, and X_p. C_ij is the change
 * of vector i in the direction of vector j. With the frame's origin at o, a rotation w of the body gives
 *   C_zy = w_x, C_yz = -w_x, C_0 = w x o, and so on, and of the parent the negative.
 * If a frame rotates, the part of theta that changes in time is a change of the joint's coordinate. */
#include "mbs/passes/joints.h"
#include "mbs/passes/vectors.h"

#include <string.h>

enum { X, Y, Z };

/* Rows of theta: about x, y, z of the frame, and the first two derivatives of theta_z by the frame's angle.
 */
enum { BENT = 3, BENT_TWICE, THETAS };

/* One frame of a joint, of the link's body (own) or of its parent. */
typedef struct frame_at {
  const tree_kind *kind;
  const double (*v)[3];
  bool of_b, own;
  int angle;                    /* coordinate that rotates the frame; -1: none */
  const double (*z)[TREE_FREE]; /* coordinates with two time derivatives */
} frame_at;

static frame_at frame_of(const gradyn_mbs *m, const tree_link *link, bool of_b,
                         const double z[3][TREE_FREE])
{
  const tree_kind *kind = tree_kind_of(m, link);
  return (frame_at){kind,
                    (const double(*)[3])link->v[of_b],
                    of_b,
                    of_b != link->turned,
                    tree_angle_of(kind, of_b),
                    z};
}

/* --- from directions to rotations ------------------------------------------------------------- */

/* A term of theta[row]: share times p.dq, with directions q and p of the frame. */
typedef struct theta_term {
  int row, q, p;
  double share;
} theta_term;

enum { MOST_TERMS = 14 };

/* theta_z = sin^2 z y dx - cos^2 z x dy + sin z cos z (x dx - y dy), with its derivatives by z. */
GRADYN_KERNEL int list_bent(double z, theta_term *term)
{
  double c, s; /* cosine and sine of 2 z */
  tree_circle(2 * z, 0, &c, &s);
  const theta_term bent[] = {{Z, X, Y, 0.5 * (1 - c)},
                             {Z, Y, X, -0.5 * (1 + c)},
                             {Z, X, X, 0.5 * s},
                             {Z, Y, Y, -0.5 * s},
                             {BENT, X, Y, s},
                             {BENT, Y, X, s},
                             {BENT, X, X, c},
                             {BENT, Y, Y, -c},
                             {BENT_TWICE, X, Y, 2 * c},
                             {BENT_TWICE, Y, X, 2 * c},
                             {BENT_TWICE, X, X, -2 * s},
                             {BENT_TWICE, Y, Y, 2 * s}};
  memcpy(term, bent, sizeof bent);
  return sizeof bent / sizeof *bent;
}

/* Lists the terms of theta, by the table of docs/theory/coordinates.md. */
GRADYN_KERNEL int list_terms(const frame_at *at, theta_term term[MOST_TERMS])
{
  static const theta_term of[][2][3] = {
      [TREE_TRIADS] = {{{X, Y, Z, 1}, {Y, Z, X, 1}, {Z, X, Y, 1}},
                       {{X, Z, Y, -1}, {Y, X, Z, -1}, {Z, Y, X, -1}}},
      [TREE_AXES] = {{{X, Y, Z, 1}, {Y, X, Z, -1}}, {{X, Z, Y, -1}, {Y, Z, X, 1}, {Z, X, Y, 1}}},
      [TREE_CROSS] = {{{X, Z, Y, -1}, {Y, Z, X, 1}}, {{X, Z, Y, -1}, {Y, Z, X, 1}}}};
  if (at->kind->ties == TREE_POINTS)
    return 0;
  memcpy(term, of[at->kind->ties][at->of_b], 3 * sizeof *term);
  return at->angle < 0 ? 3 : 2 + list_bent(at->z[0][at->angle], term + 2);
}

/* --- tangent ---------------------------------------------------------------------------------- */

/* a x b */
GRADYN_KERNEL void cross_lanes(const double *a, const gradyn_lanes *b, gradyn_lanes *out)
{
  for (int k = 0; k < 3; k++)
    out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Adds dC of the frame's body for a rotation w and a displacement dv_0 of the frame's origin. */
static void turn_body(const frame_at *at, const gradyn_lanes *w, gradyn_lanes dv[4][3],
                      gradyn_lanes C[TREE_VECTORS][3])
{
  const double sign = at->own ? 1 : -1;
  gradyn_lanes moved[3];
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    C[1 + last][next] = sign * w[k];
    C[1 + next][last] = -sign * w[k];
  }
  cross_lanes(at->v[0], w, moved);
  for (int k = 0; k < 3; k++)
    C[0][k] = -sign * (moved[k] + dv[0][k]);
}

/* Changes of slides s_u along direction u of frame a, which does not rotate with the triad. d->shifted: for
 * s_u = 1; d->shift: sum over all slides, with time derivatives. N: p.dq. */
static void turn_slides(const frame_at *at, const gradyn_lanes *w, gradyn_lanes N[3][3],
                        tree_data_lanes *d)
{
  for (int i = 0; i < at->kind->k; i++) {
    const int u = at->kind->free[i].along;
    if (at->kind->free[i].motion != TREE_SLIDE)
      continue;
    cross_lanes(at->v[1 + u], w, d->shifted[i]);
    for (int k = 0; k < 3; k++) {
      for (int q = 0; q < 3; q++)
        d->shifted[i][k] -= at->v[1 + q][k] * N[q][u];
      for (int n = 0; n < 3; n++)
        d->shift[n][k] += at->z[n][i] * d->shifted[i][k];
    }
  }
}

/* Changes of a link by changes dv of the vectors of one of its frames: the frame's triad turns. */
static void turn_frame(const frame_at *at, gradyn_lanes dv[4][3], tree_data_lanes *d)
{
  theta_term term[MOST_TERMS];
  gradyn_lanes N[3][3], theta[THETAS] = {{0}}, w[3] = {{0}};
  const int terms = list_terms(at, term);
  for (int q = 0; q < 3; q++)
    for (int p = 0; p < 3; p++)
      N[q][p] = at->v[1 + p][X] * dv[1 + q][X] + at->v[1 + p][Y] * dv[1 + q][Y] +
                at->v[1 + p][Z] * dv[1 + q][Z];
  for (int i = 0; i < terms; i++)
    theta[term[i].row] += term[i].share * N[term[i].q][term[i].p];
  for (int axis = 0; axis < 3; axis++)
    for (int k = 0; k < 3; k++)
      w[k] += at->v[1 + axis][k] * theta[axis];
  turn_body(at, w, dv, at->own ? d->own : d->parent);
  if (!at->of_b)
    turn_slides(at, w, N, d);
  if (at->angle < 0)
    return;
  const double rate = at->z[1][at->angle];
  d->load[at->angle] = theta[BENT];
  d->rate[at->angle] = rate * theta[BENT];
  d->acceleration[at->angle] = at->z[2][at->angle] * theta[BENT] + rate * rate * theta[BENT_TWICE];
}

bool tree_data_along(const tree *c, const tree_link *link, const tree_change *change,
                     tree_data_lanes *d)
{
  gradyn_lanes dv[2][TREE_FRAME_VECTORS][3];
  const bool a = tree_change_frame(c, link, false, change, dv[0]);
  if (!tree_change_frame(c, link, true, change, dv[1]) && !a)
    return false;
  memset(d, 0, sizeof *d);
  tree_take_coordinates(c, link, 3, d->z);
  for (int of_b = 0; of_b < 2; of_b++) {
    const frame_at at = frame_of(c->mbs, link, of_b, (const double(*)[TREE_FREE])d->z);
    turn_frame(&at, dv[of_b], d);
  }
  return true;
}

/* --- transposed ------------------------------------------------------------------------------- */

/* Adjoints of the rotations theta of a frame and of its origin, from those of dC of its body and of slides.
 */
GRADYN_KERNEL void bars_of_turn(const frame_at *at, const tree_data_lanes *B,
                                gradyn_lanes slide[TREE_FREE][3], gradyn_lanes theta[THETAS],
                                gradyn_lanes origin[3])
{
  const gradyn_lanes(*C)[3] = at->own ? B->own : B->parent;
  gradyn_lanes w[3], moved[3];
  cross_lanes(at->v[0], C[0], w);
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3, last = (k + 2) % 3;
    w[k] += C[1 + last][next] - C[1 + next][last];
    w[k] = at->own ? w[k] : -w[k];
    origin[k] = at->own ? -C[0][k] : C[0][k];
  }
  for (int i = 0; i < at->kind->k && !at->of_b; i++) {
    if (at->kind->free[i].motion != TREE_SLIDE)
      continue;
    cross_lanes(at->v[1 + at->kind->free[i].along], slide[i], moved);
    for (int k = 0; k < 3; k++)
      w[k] -= moved[k];
  }
  for (int axis = 0; axis < 3; axis++)
    theta[axis] = at->v[1 + axis][0] * w[0] + at->v[1 + axis][1] * w[1] + at->v[1 + axis][2] * w[2];
}

/* Adjoints of theta_z and theta_zz, which occur in theta' = theta_z z', theta'' = theta_z z'' + theta_zz
 * z'^2, and in theta_z mu. */
GRADYN_KERNEL void bars_of_time(const frame_at *at, const tree_data_lanes *B,
                                gradyn_lanes theta[THETAS])
{
  const int s = at->angle;
  const double rate = at->z[1][s];
  theta[BENT] = rate * B->rate[s] + at->z[2][s] * B->acceleration[s] + B->load[s];
  theta[BENT_TWICE] = rate * rate * B->acceleration[s];
}

/* Adds the adjoints of N = p.dq by slides s_u along direction u of a: ds = -s_u (u dx_a x_a + u dy_a
 * y_a + u dz_a z_a). */
GRADYN_KERNEL void bars_of_slides(const frame_at *at, gradyn_lanes slide[TREE_FREE][3],
                                  gradyn_lanes N[3][3])
{
  for (int i = 0; i < at->kind->k; i++)
    for (int q = 0; q < 3 && at->kind->free[i].motion == TREE_SLIDE; q++)
      for (int k = 0; k < 3; k++)
        N[q][at->kind->free[i].along] -= at->v[1 + q][k] * slide[i][k];
}

/* Adjoints of a frame's vectors; [0]: its origin. */
GRADYN_KERNEL void bars_of_frame(const frame_at *at, const tree_data_lanes *B,
                                 gradyn_lanes slide[TREE_FREE][3], gradyn_lanes bar[4][3])
{
  const double(*v)[3] = at->v;
  const gradyn_lanes none = {0};
  gradyn_lanes N[3][3] = {{none, none, none}, {none, none, none}, {none, none, none}};
  gradyn_lanes theta[THETAS];
  theta_term term[MOST_TERMS];
  const int terms = list_terms(at, term);
  bars_of_turn(at, B, slide, theta, bar[0]);
  if (at->angle >= 0)
    bars_of_time(at, B, theta);
  for (int i = 0; i < terms; i++)
    N[term[i].q][term[i].p] += term[i].share * theta[term[i].row];
  if (!at->of_b)
    bars_of_slides(at, slide, N);
  for (int q = 0; q < 3; q++)
    for (int k = 0; k < 3; k++)
      bar[1 + q][k] = v[1][k] * N[q][X] + v[2][k] * N[q][Y] + v[3][k] * N[q][Z];
}

/* Computes the adjoints of the two frames from B, the adjoints of the link. This is the transpose of the
 * changes by the frames. */
static GRADYN_WIDE void bars_of_frames(const frame_at at[2], const tree_data_lanes *B,
                                       gradyn_lanes frame[2][4][3])
{
  const tree_kind *kind = at->kind;
  gradyn_lanes slide[TREE_FREE][3]; /* directions of sliding coordinates */
  for (int i = 0; i < kind->k; i++)
    for (int k = 0; k < 3 && kind->free[i].motion == TREE_SLIDE; k++) {
      slide[i][k] = B->shifted[i][k];
      for (int n = 0; n < 3; n++)
        slide[i][k] += B->z[n][i] * B->shift[n][k];
    }
  for (int of_b = 0; of_b < 2; of_b++)
    bars_of_frame(&at[of_b], B, slide, frame[of_b]);
}

void tree_data_against(const gradyn_mbs *m, const tree_link *link, const tree_data_lanes *B,
                       gradyn_lanes frame[2][TREE_FRAME_VECTORS][3])
{
  const double(*z)[TREE_FREE] = (const double(*)[TREE_FREE])B->z;
  const frame_at at[2] = {frame_of(m, link, false, z), frame_of(m, link, true, z)};
  bars_of_frames(at, B, frame);
}
