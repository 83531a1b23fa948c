/* The ANCF beam with the strain of its chord and the curvature |r''|, Ebrahimi et al. (2018), eqs. (33),
 * (34), (59), (60). In reduced coordinates (see ancf_local.h), L = |d|, t = d/L:
 *   f = -(E A l (L - 1) KA + E I/l KB) w,
 * KA = int N'^T N' dxi, KB = int N''^T N'' dxi, each times the identity of dim. Damping:
 *   D = eta/2 (E A l eps_t^2 + E I/l y^T KB y),   eps_t = t.d1,
 *   y_a = z_a - W w_a,   W = (d1 d^T - d d1^T)/L^2.
 * The derivatives of y_a are -H_a by d1 and -J_a by d:
 *   H_a = ((d.w_a) 1 - d w_a^T)/L^2,   J_a = (d1 w_a^T - (d1.w_a) 1 - 2 W w_a d^T)/L^2.
 * With g = KB y the damping force is -(g_a - [a = chord] m), m = sum_a H_a^T g_a. */
#include <math.h>
#include <stdbool.h>

#include "mbs/beams/ancf_kernels.h"

enum { CHORD = 1 };

static const double KA[3][3] = {{4 / 30.0, -3 / 30.0, -1 / 30.0},
                                {-3 / 30.0, 36 / 30.0, -3 / 30.0},
                                {-1 / 30.0, -3 / 30.0, 4 / 30.0}};
static const double KB[3][3] = {{4, -6, 2}, {-6, 12, -6}, {2, -6, 4}};

/* The chord of an element. move() sets the members that depend on rates: eps_t, W, H, g and m. */
typedef struct chord {
  double L, eps, eps_t;
  double t[3];       /* [dim] */
  double W[3][3];    /* [dim][dim] */
  double H[3][3][3]; /* [a][dim][dim] */
  double g[9];       /* [3][dim] KB y */
  double m[3];       /* [dim] */
} chord;

/* y = K x, where each number of K multiplies a vector of dim components */
MBS_INLINE void times(int dim, const double K[3][3], const double *x, double *y)
{
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < dim; i++)
      y[a * dim + i] = K[a][0] * x[i] + K[a][1] * x[dim + i] + K[a][2] * x[2 * dim + i];
}

MBS_INLINE void stretch(int dim, const double *w, chord *at)
{
  const double *d = w + dim;
  at->L = sqrt(mbs_dot(dim, d, d));
  at->eps = at->L - 1; /* strain of the chord */
  for (int i = 0; i < dim; i++)
    at->t[i] = d[i] / at->L;
}

MBS_INLINE void move(int dim, const double *w, const double *z, chord *at)
{
  const double *d = w + dim, *d1 = z + dim, r2 = 1 / (at->L * at->L);
  double y[9];
  at->eps_t = mbs_dot(dim, at->t, d1); /* rate of the strain: t.d1 */
  for (int i = 0; i < dim; i++) {
    /* W: rotation rate of the chord */
    at->m[i] = 0;
    for (int j = 0; j < dim; j++)
      at->W[i][j] = (d1[i] * d[j] - d[i] * d1[j]) * r2;
  }
  for (int a = 0; a < 3; a++) {
    /* y_a = z_a - W w_a: rates relative to the rotating chord */
    const double *wa = w + a * dim, dw = mbs_dot(dim, d, wa);
    for (int i = 0; i < dim; i++) {
      y[a * dim + i] = z[a * dim + i] - mbs_dot(dim, at->W[i], wa);
      for (int j = 0; j < dim; j++)
        at->H[a][i][j] = ((i == j ? dw : 0) - d[i] * wa[j]) * r2;
    }
  }
  times(dim, KB, y, at->g);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++)
        at->m[j] += at->H[a][i][j] * at->g[a * dim + i]; /* m = sum of H_a^T g_a */
}

/* Computes the damping forces on w, without their factors. */
MBS_INLINE void damp(int dim, const chord *at, double *axial, double *bending)
{
  for (int k = 0; k < 3 * dim; k++) {
    axial[k] = 0;
    bending[k] = -at->g[k];
  }
  for (int i = 0; i < dim; i++) {
    axial[CHORD * dim + i] = -at->eps_t * at->t[i]; /* -eps_t t, on the chord only */
    bending[CHORD * dim + i] += at->m[i];
  }
}

/* Computes all parts F [PARTS][9] of the force on w, without their factors. Damping parts are 0 unless
 * `rates` is true. */
MBS_INLINE void all_parts(int dim, const double *w, const double *z, bool rates, double F[PARTS][9])
{
  chord at;
  stretch(dim, w, &at);
  times(dim, KA, w, F[AXIAL]);
  times(dim, KB, w, F[BENDING]);
  for (int k = 0; k < 3 * dim; k++) {
    F[AXIAL][k] *= -at.eps;         /* -(L - 1) KA w */
    F[BENDING][k] = -F[BENDING][k]; /* -KB w */
    F[AXIAL_RATE][k] = F[BENDING_RATE][k] = 0;
  }
  if (rates) {
    move(dim, w, z, &at);
    damp(dim, &at, F[AXIAL_RATE], F[BENDING_RATE]);
  }
}

/* Computes all parts, since the derivative by eta needs the damping parts even if eta is zero. */
MBS_INLINE void parts(int dim, const double *w, const double *z, double F[PARTS][9])
{
  all_parts(dim, w, z, true, F);
}

/* Sums the four parts with their factors; damping only if its factor is not zero. */
MBS_INLINE void total(int dim, const double c[PARTS], const double *w, const double *z, double *F)
{
  double part[PARTS][9];
  all_parts(dim, w, z, c[AXIAL_RATE] != 0 || c[BENDING_RATE] != 0, part);
  for (int k = 0; k < 3 * dim; k++)
    F[k] = c[AXIAL] * part[AXIAL][k] + c[AXIAL_RATE] * part[AXIAL_RATE][k] +
           c[BENDING] * part[BENDING][k] + c[BENDING_RATE] * part[BENDING_RATE][k];
}

/* Computes the elastic tangent K [3 dim][3 dim]. The strain eps depends on the chord d, with eps_d = t. */
MBS_INLINE void stiffen(int dim, const double c[PARTS], const double *w, const chord *at, double *K)
{
  const int n = 3 * dim;
  double KAw[9];
  /* -(c0 eps KA + c2 KB), and -c0 KA w t^T from eps_d = t */
  times(dim, KA, w, KAw);
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < dim; i++) {
      double *row = K + n * (a * dim + i);
      for (int k = 0; k < 3; k++) /* KA and KB couple equal components only */
        row[k * dim + i] = -(c[AXIAL] * at->eps * KA[a][k] + c[BENDING] * KB[a][k]);
      for (int j = 0; j < dim; j++)
        row[CHORD * dim + j] -= c[AXIAL] * KAw[a * dim + i] * at->t[j];
    }
}

/* Adds the derivatives of the axial damping force -eps_t t by d and by d1. */
MBS_INLINE void damp_axial(int dim, double c1, const double *z, const chord *at, double *K,
                           double *C)
{
  const int n = 3 * dim;
  const double *d1 = z + dim, *t = at->t;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      const int to = n * (CHORD * dim + i) + CHORD * dim + j;
      const double across = (double)(i == j) - t[i] * t[j]; /* t_d = (1 - t t^T)/L */
      K[to] -= c1 * (t[i] * (d1[j] - at->eps_t * t[j]) + at->eps_t * across) / at->L;
      C[to] -= c1 * t[i] * t[j];
    }
}

/* Blocks of the derivatives of bending damping, [dim][dim]; see damp_bending(). */
typedef struct turning {
  double BH[3][3][3], BJ[3][3][3]; /* [a] KB H, KB J */
  double X[3][3][3];               /* [b] (g_b d^T - (g_b.d) 1)/L^2 - (BH_b)^T W */
  double QH[3][3];                 /* sum_a H_a^T BH_a */
  double V[3][3];                  /* (Z - 2 m d^T)/L^2 - sum_a H_a^T BJ_a, */
} turning;                         /* Z = sum_a g_a w_a^T - w_a g_a^T */

/* BH = KB H, BJ = KB J */
MBS_INLINE void bend_turning(int dim, const double *w, const double *z, const chord *at, turning *T)
{
  const double *d = w + dim, *d1 = z + dim, r2 = 1 / (at->L * at->L);
  double J[3][3][3];
  for (int a = 0; a < 3; a++) {
    /* J_a = (d1 w_a^T - (d1.w_a) 1 - 2 W w_a d^T)/L^2 */
    const double *wa = w + a * dim, d1w = mbs_dot(dim, d1, wa);
    for (int i = 0; i < dim; i++) {
      const double Ww = mbs_dot(dim, at->W[i], wa);
      for (int j = 0; j < dim; j++)
        J[a][i][j] = (d1[i] * wa[j] - (i == j ? d1w : 0) - 2 * Ww * d[j]) * r2;
    }
  }
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) {
        T->BH[a][i][j] = KB[a][0] * at->H[0][i][j] + KB[a][1] * at->H[1][i][j] +
                         KB[a][2] * at->H[2][i][j];
        T->BJ[a][i][j] = KB[a][0] * J[0][i][j] + KB[a][1] * J[1][i][j] + KB[a][2] * J[2][i][j];
      }
}

/* Computes the blocks from which damp_bending() assembles derivatives by the chord d and its rate d1. */
MBS_INLINE void turn(int dim, const double *w, const double *z, const chord *at, turning *T)
{
  const double *d = w + dim, r2 = 1 / (at->L * at->L);
  bend_turning(dim, w, z, at, T);
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      T->QH[i][j] = 0;
      T->V[i][j] = -2 * at->m[i] * d[j] * r2;
      for (int a = 0; a < 3; a++) { /* sum over the three reduced vectors */
        /* the terms of Z = sum of g_a w_a^T - w_a g_a^T */
        const double *ga = at->g + a * dim, *wa = w + a * dim;
        T->V[i][j] += (ga[i] * wa[j] - wa[i] * ga[j]) * r2;
        /* X_a = (g_a d^T - (g_a.d) 1)/L^2 - (B H)_a^T W */
        T->X[a][i][j] = (ga[i] * d[j] - (i == j ? mbs_dot(dim, ga, d) : 0)) * r2;
        for (int k = 0; k < dim; k++) {
          T->QH[i][j] += at->H[a][k][i] * T->BH[a][k][j];
          T->V[i][j] -= at->H[a][k][i] * T->BJ[a][k][j];
          T->X[a][i][j] -= T->BH[a][k][i] * at->W[k][j];
        }
      }
    }
}

/* Adds the derivatives of the bending damping force. From dg = KB dy and
 *   dy_a = dz_a - W dw_a - H_a d(d1) - J_a dd,
 *   dm = sum_a H_a^T dg_a + ((g_a d^T - (g_a.d) 1) dw_a + (Z/3 - 2/3 m d^T) dd)/L^2,
 * block (a, b) of df/dw is KB_ab W + [b] BJ_a + [a] X_b + [a][b] V and of df/dz -KB_ab 1 + [b] BH_a + [a]
 * BH_b^T - [a][b] QH, where [.] is 1 for the chord, else 0. */
MBS_INLINE void damp_bending(int dim, double c3, const chord *at, const turning *T, double *K,
                             double *C)
{
  const int n = 3 * dim;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
          const int to = n * (a * dim + i) + b * dim + j;
          /* KB_ab W and -KB_ab 1 */
          double by_w = KB[a][b] * at->W[i][j], by_z = i == j ? -KB[a][b] : 0;
          if (b == CHORD) {
            by_w += T->BJ[a][i][j];
            by_z += T->BH[a][i][j];
          }
          if (a == CHORD) { /* a row of the chord; b == CHORD: a column of the chord */
            by_w += T->X[b][i][j];
            by_z += T->BH[b][j][i];
          }
          if (a == CHORD && b == CHORD) {
            by_w += T->V[i][j];
            by_z -= T->QH[i][j];
          }
          K[to] += c3 * by_w;
          C[to] += c3 * by_z;
        }
}

/* Computes K, C [3 dim][3 dim], the derivatives of the force on w by w and z; the caller clears K and C. */
MBS_INLINE void tangent(int dim, const double c[PARTS], const double *w, const double *z, double *K,
                        double *C)
{
  chord at;
  turning T;
  stretch(dim, w, &at);
  stiffen(dim, c, w, &at, K);
  if (c[AXIAL_RATE] == 0 && c[BENDING_RATE] == 0)
    return;
  move(dim, w, z, &at);
  turn(dim, w, z, &at, &T);
  damp_axial(dim, c[AXIAL_RATE], z, &at, K, C);
  damp_bending(dim, c[BENDING_RATE], &at, &T, K, C);
}

MBS_ANCF_FUNCTIONS(total, parts, tangent)

/* Computes eps of the chord and |r''|^2 at xi, with their derivatives by u and l. */
static void strain(const mbs_ancf *b, const double *u, double xi, mbs_ancf_strain *out)
{
  const int dim = b->dim;
  const double l = b->l, N2[3] = {6 * xi - 4, 6 - 12 * xi, 6 * xi - 2};
  double w[9], q[3], eps_w[9] = {0}, k_w[9];
  chord at;
  mbs_ancf_reduce(dim, l, u, w);
  stretch(dim, w, &at);
  for (int i = 0; i < dim; i++) {
    q[i] = (N2[0] * w[i] + N2[1] * w[dim + i] + N2[2] * w[2 * dim + i]) / l; /* r'' */
    eps_w[CHORD * dim + i] = at.t[i];
    for (int a = 0; a < 3; a++)
      k_w[a * dim + i] = 2 * N2[a] * q[i] / l; /* kappa^2 = r''.r'' */
  }
  out->eps = at.eps;
  out->kappa2 = mbs_dot(dim, q, q);
  mbs_ancf_strain_slopes(dim, l, w, eps_w, k_w, out);
}

/* 1/2 (E A eps^2 l + E I int kappa^2 dx); its gradient is not the force of this model. */
static double energy(const mbs_ancf *b, const double *u, double *U_u, double *U_data)
{
  const int dim = b->dim;
  double w[9], U_w[9], bending = 0;
  chord at;
  mbs_ancf_reduce(dim, b->l, u, w);
  stretch(dim, w, &at);
  times(dim, KB, w, U_w);
  for (int k = 0; k < 3 * dim; k++) {
    bending += 0.5 * w[k] * U_w[k]; /* 1/2 w^T KB w */
    U_w[k] *= b->E * b->I2 / b->l;
  }
  for (int i = 0; i < dim; i++)
    U_w[CHORD * dim + i] += b->E * b->A * b->l * at.eps * at.t[i]; /* E A l eps t */
  mbs_ancf_expand(dim, b->l, U_w, U_u);
  const double by_d = mbs_dot(dim, U_w + CHORD * dim, w + CHORD * dim);
  return mbs_ancf_energy(b, at.eps * at.eps / 2, bending, by_d, U_data);
}

const mbs_ancf_ops mbs_ancf_linear = {.name = "linear",
                                      .force = force,
                                      .force_state = force_state,
                                      .force_data = force_data,
                                      .strain = strain,
                                      .energy = energy};
