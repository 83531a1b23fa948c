/* Internals of the hand-written five-bar program: constants, kinematics along the rods, and the matrix of
 * the multipliers. With T the 3 x 3 mass matrix of the points (M acts on x and y alike), B the incidence of
 * rods and points and d_k the vector along rod k, it is W = J M^-1 J^T with W_kl = (B T^-1 B^T)_kl d_k.d_l:
 * four by four, inverted by cofactors. */
#ifndef HAND_ALI3P_LINKAGE_H
#define HAND_ALI3P_LINKAGE_H

#include "bench/hand/ali3p_five_bar.h"

#define HAND_B_X 1.0 /* m, the ground point B; A is the origin */
#define HAND_B_Y 0.0

/* Constants of a run. */
typedef struct linkage {
  raw_data data;
  double h, load[3];    /* N, along y, at each point */
  double inverse[3][3]; /* T^-1, 1/kg */
  double coupling[10];  /* upper triangle of B T^-1 B^T, 1/kg */
  double square[4];     /* L_k^2 */
} linkage;

/* Rods at a position and W^-1 there (upper triangle, row by row). */
typedef struct frame {
  double d[4][2], V[10];
} frame;

/* Constants for steps of h. */
void hand_open(linkage *s, double h);

/* Consistent initial node and, if slope is not NULL, its derivatives. */
bool hand_start(const linkage *s, hand_node *node, double slope[RAW_PARAMETERS][RAW_Y]);

static inline void rods(const double q[6], double d[4][2])
{
  for (int c = 0; c < 2; c++) {
    d[0][c] = q[c];
    d[1][c] = q[2 + c] - q[c];
    d[2][c] = q[4 + c] - q[2 + c];
    d[3][c] = (c == 0 ? HAND_B_X : HAND_B_Y) - q[4 + c];
  }
}

/* W and its inverse by cofactors; false if it is singular */
static inline bool invert(const linkage *s, frame *f)
{
  const frame *const at = f;
  const double(*d)[2] = at->d, *g = s->coupling;
#define W(at, k, l) (g[at] * (d[k][0] * d[l][0] + d[k][1] * d[l][1]))
  const double a00 = W(0, 0, 0), a01 = W(1, 0, 1), a02 = W(2, 0, 2), a03 = W(3, 0, 3);
  const double a11 = W(4, 1, 1), a12 = W(5, 1, 2), a13 = W(6, 1, 3);
  const double a22 = W(7, 2, 2), a23 = W(8, 2, 3), a33 = W(9, 3, 3);
#undef W
  /* minors of the rows 0, 1 and of the rows 2, 3 */
  const double s0 = a00 * a11 - a01 * a01, s1 = a00 * a12 - a01 * a02, s2 = a00 * a13 - a01 * a03;
  const double s3 = a01 * a12 - a11 * a02, s4 = a01 * a13 - a11 * a03, s5 = a02 * a13 - a12 * a03;
  const double c5 = a22 * a33 - a23 * a23, c4 = a12 * a33 - a13 * a23, c3 = a12 * a23 - a13 * a22;
  const double c2 = a02 * a33 - a03 * a23, c1 = a02 * a23 - a03 * a22, c0 = a02 * a13 - a03 * a12;
  const double det = s0 * c5 - s1 * c4 + s2 * c3 + s3 * c2 - s4 * c1 + s5 * c0, r = 1 / det;
  f->V[0] = r * (a11 * c5 - a12 * c4 + a13 * c3);
  f->V[1] = r * (a02 * c4 - a01 * c5 - a03 * c3);
  f->V[2] = r * (a13 * s5 - a23 * s4 + a33 * s3);
  f->V[3] = r * (a22 * s4 - a12 * s5 - a23 * s3);
  f->V[4] = r * (a00 * c5 - a02 * c2 + a03 * c1);
  f->V[5] = r * (a23 * s2 - a03 * s5 - a33 * s1);
  f->V[6] = r * (a02 * s5 - a22 * s2 + a23 * s1);
  f->V[7] = r * (a03 * s4 - a13 * s2 + a33 * s0);
  f->V[8] = r * (a12 * s2 - a02 * s4 - a23 * s0);
  f->V[9] = r * (a02 * s3 - a12 * s1 + a22 * s0);
  return det > 0;
}

/* l = W^-1 b */
static inline void solve_multipliers(const double V[10], const double b[4], double l[4])
{
  l[0] = V[0] * b[0] + V[1] * b[1] + V[2] * b[2] + V[3] * b[3];
  l[1] = V[1] * b[0] + V[4] * b[1] + V[5] * b[2] + V[6] * b[3];
  l[2] = V[2] * b[0] + V[5] * b[1] + V[7] * b[2] + V[8] * b[3];
  l[3] = V[3] * b[0] + V[6] * b[1] + V[8] * b[2] + V[9] * b[3];
}

/* rates along the rods: J x */
static inline void along(const double d[4][2], const double x[6], double y[4])
{
  y[0] = d[0][0] * x[0] + d[0][1] * x[1];
  y[1] = d[1][0] * (x[2] - x[0]) + d[1][1] * (x[3] - x[1]);
  y[2] = d[2][0] * (x[4] - x[2]) + d[2][1] * (x[5] - x[3]);
  y[3] = -d[3][0] * x[4] - d[3][1] * x[5];
}

/* J^T l */
static inline void pull(const double d[4][2], const double l[4], double x[6])
{
  for (int c = 0; c < 2; c++) {
    x[c] = d[0][c] * l[0] - d[1][c] * l[1];
    x[2 + c] = d[1][c] * l[1] - d[2][c] * l[2];
    x[4 + c] = d[2][c] * l[2] - d[3][c] * l[3];
  }
}

/* M^-1 f */
static inline void accelerate(const linkage *s, const double f[6], double x[6])
{
  const double(*T)[3] = s->inverse;
  for (int c = 0; c < 2; c++) {
    x[c] = T[0][0] * f[c] + T[0][1] * f[2 + c] + T[0][2] * f[4 + c];
    x[2 + c] = T[1][0] * f[c] + T[1][1] * f[2 + c] + T[1][2] * f[4 + c];
    x[4 + c] = T[2][0] * f[c] + T[2][1] * f[2 + c] + T[2][2] * f[4 + c];
  }
}

#endif
