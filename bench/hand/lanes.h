/* Linear algebra of the five-bar program written by hand, for all functionals at once: solves with
 * [M J^T; J 0], and products with second derivatives of rods and springs. */
#ifndef HAND_LANES_H
#define HAND_LANES_H

#include <math.h>

#include "bench/hand/ali3p_linkage.h"

enum { LANES = 4 }; /* functionals, padded to whole vectors */

typedef double vectors[6][LANES];
typedef double multipliers[4][LANES];

/* [M J^T; J 0] (x, l) = (x, b), in place; b: NULL for zero */
static inline void solve(const linkage *s, const frame *at, vectors x, multipliers l)
{
  const double(*T)[3] = s->inverse, (*d)[2] = at->d, *V = at->V;
  vectors y;
  for (int c = 0; c < 2; c++)
    for (int i = 0; i < 3; i++)
      for (int f = 0; f < LANES; f++)
        y[2 * i + c][f] = T[i][0] * x[c][f] + T[i][1] * x[2 + c][f] + T[i][2] * x[4 + c][f];
  for (int f = 0; f < LANES; f++) {
    const double column[6] = {y[0][f], y[1][f], y[2][f], y[3][f], y[4][f], y[5][f]};
    double b[4], m[4];
    along(d, column, b);
    solve_multipliers(V, b, m);
    for (int k = 0; k < 4; k++)
      l[k][f] = m[k];
  }
  for (int f = 0; f < LANES; f++) {
    const double m[4] = {l[0][f], l[1][f], l[2][f], l[3][f]};
    double force[6], back[6];
    pull(d, m, force);
    accelerate(s, force, back);
    for (int i = 0; i < 6; i++)
      x[i][f] = y[i][f] - back[i];
  }
}

/* y += factor sum over rods of m_k H_k x, H_k = B_k^T B_k: change of J^T m by a change of direction */
static inline void add_turning(const double m[4], double factor, vectors x, vectors y)
{
  for (int c = 0; c < 2; c++)
    for (int f = 0; f < LANES; f++) {
      const double x1 = x[c][f], x2 = x[2 + c][f], x3 = x[4 + c][f];
      const double t1 = factor * m[1] * (x2 - x1), t2 = factor * m[2] * (x3 - x2);
      y[c][f] += factor * m[0] * x1 - t1;
      y[2 + c][f] += t1 - t2;
      y[4 + c][f] += t2 + factor * m[3] * x3;
    }
}

/* y += factor J(d)^T l, d any vectors along the rods */
static inline void add_pull(const double d[4][2], double factor, multipliers l, vectors y)
{
  for (int c = 0; c < 2; c++)
    for (int f = 0; f < LANES; f++) {
      const double t0 = factor * d[0][c] * l[0][f], t1 = factor * d[1][c] * l[1][f];
      const double t2 = factor * d[2][c] * l[2][f], t3 = factor * d[3][c] * l[3][f];
      y[c][f] += t0 - t1;
      y[2 + c][f] += t1 - t2;
      y[4 + c][f] += t2 - t3;
    }
}

/* Springs at a position: unit vectors and stiffnesses. */
typedef struct springs {
  double u[2][2], S[2][3]; /* S: xx, xy, yy */
} springs;

static inline void stiffen(const raw_data *p, const double q[6], springs *s)
{
  for (int i = 0; i < 2; i++) {
    const double x = q[2 * i] - HAND_B_X, y = q[2 * i + 1] - HAND_B_Y;
    const double r = 1 / sqrt(x * x + y * y), l0 = p->free_length[i], ux = x * r, uy = y * r;
    const double side = p->k * (1 - l0 * r), bend = p->k * l0 * r;
    s->u[i][0] = ux;
    s->u[i][1] = uy;
    s->S[i][0] = side + bend * ux * ux;
    s->S[i][1] = bend * ux * uy;
    s->S[i][2] = side + bend * uy * uy;
  }
}

/* y += factor K x, K = stiffness of springs and of the rods' forces */
static inline void add_stiffness(const springs *s, const double lam[4], double factor, vectors x,
                                 vectors y)
{
  add_turning(lam, factor, x, y);
  for (int i = 0; i < 2; i++)
    for (int f = 0; f < LANES; f++) {
      y[2 * i][f] += factor * (s->S[i][0] * x[2 * i][f] + s->S[i][1] * x[2 * i + 1][f]);
      y[2 * i + 1][f] += factor * (s->S[i][1] * x[2 * i][f] + s->S[i][2] * x[2 * i + 1][f]);
    }
}

#endif
