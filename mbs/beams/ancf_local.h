/* What the force models of the ANCF beam share: reduced coordinates, and how their results become
 * those of the element.
 *
 * Reduced coordinates w = (r_x,i, d, r_x,j), d = (r_j - r_i)/l, [3][dim], z their rates, are
 * dimensionless. With x = xi l,
 *   r'   = N'(xi) w,    N'  = (1 - 4 xi + 3 xi^2, 6 xi - 6 xi^2, 3 xi^2 - 2 xi),
 *   l r'' = N''(xi) w,  N'' = (6 xi - 4, 6 - 12 xi, 6 xi - 2),
 * so that l enters forces only through d, through the factors E A l and E I/l, and through the
 * force on r_j, which is that on d divided by l; the force on r_i is its negative.
 *
 * Functions are always inlined and take dim as a constant: loops over components unroll, and
 * nothing asks for the dimension inside a loop. */
#ifndef GRADYN_MBS_ANCF_LOCAL_H
#define GRADYN_MBS_ANCF_LOCAL_H

#include "mbs/beams/ancf.h"

#define MBS_INLINE static inline __attribute__((always_inline))

/* The force is a sum of four parts, each a factor of the data times a function of w and z. */
enum { AXIAL, AXIAL_RATE, BENDING, BENDING_RATE, PARTS };

/* Calls kernel(dim, ...) with dim a constant. */
#define MBS_BY_DIM(b, kernel, ...)                                                                 \
  do {                                                                                             \
    if ((b)->dim == 2)                                                                             \
      kernel(2, __VA_ARGS__);                                                                      \
    else                                                                                           \
      kernel(3, __VA_ARGS__);                                                                      \
  } while (0)

MBS_INLINE double mbs_dot(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < dim; i++)
    sum += a[i] * b[i];
  return sum;
}

/* w [3][dim] of u; the rates of v in the same way. */
MBS_INLINE void mbs_ancf_reduce(int dim, double l, const double *u, double *w)
{
  for (int i = 0; i < dim; i++) {
    w[i] = u[dim + i];
    w[dim + i] = (u[2 * dim + i] - u[i]) / l;
    w[2 * dim + i] = u[3 * dim + i];
  }
}

/* Force on u of the force F [3][dim] on w. */
MBS_INLINE void mbs_ancf_expand(int dim, double l, const double *F, double *f)
{
  for (int i = 0; i < dim; i++) {
    f[dim + i] = F[i];
    f[2 * dim + i] = F[dim + i] / l;
    f[i] = -f[2 * dim + i];
    f[3 * dim + i] = F[2 * dim + i];
  }
}

/* df/du [4 dim][4 dim] of dF/dw [3 dim][3 dim]. */
MBS_INLINE void mbs_ancf_expand_matrix(int dim, double l, const double *K, double *f_u)
{
  for (int row = 0; row < 3 * dim; row++) {
    double *to = f_u + 4 * dim * (row + dim);
    mbs_ancf_expand(dim, l, K + 3 * dim * row, to);
  }
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < 4 * dim; j++) {
      double *middle = f_u + 4 * dim * (2 * dim + i) + j;
      *middle /= l;
      f_u[4 * dim * i + j] = -*middle;
    }
}

/* The factors of the parts: E A l, eta E A l, E I/l, eta E I/l. */
MBS_INLINE void mbs_ancf_factors(const mbs_ancf *b, double c[PARTS])
{
  c[AXIAL] = b->E * b->A * b->l;
  c[BENDING] = b->E * b->I2 / b->l;
  c[AXIAL_RATE] = b->eta * c[AXIAL];
  c[BENDING_RATE] = b->eta * c[BENDING];
}

/* f_data from the parts F [PARTS][9] of the force on w, without their factors, and the derivative
 * along [3][dim] of that force in the direction dw = (0, d, 0), dz = (0, d1, 0), with factors. */
MBS_INLINE void mbs_ancf_data(int dim, const mbs_ancf *b, double F[PARTS][9], const double *along,
                              double *f_data)
{
  const double l = b->l, E = b->E, A = b->A, I2 = b->I2, eta = b->eta;
  double by[MBS_ANCF_DATA][9];
  for (int k = 0; k < 3 * dim; k++) {
    double axial = l * (F[AXIAL][k] + eta * F[AXIAL_RATE][k]);
    double bending = (F[BENDING][k] + eta * F[BENDING_RATE][k]) / l;
    by[MBS_ANCF_E][k] = A * axial + I2 * bending;
    by[MBS_ANCF_A][k] = E * axial;
    by[MBS_ANCF_I][k] = E * bending;
    by[MBS_ANCF_ETA][k] = E * (A * l * F[AXIAL_RATE][k] + I2 / l * F[BENDING_RATE][k]);
    /* the factors go with l and 1/l, d and d1 with 1/l, and so does the force on the positions */
    by[MBS_ANCF_L][k] = (E * A * axial - E * I2 * bending - along[k]) / l;
    if (k >= dim && k < 2 * dim)
      by[MBS_ANCF_L][k] -= E * by[MBS_ANCF_E][k] / l;
  }
  for (int k = 0; k < MBS_ANCF_DATA; k++)
    mbs_ancf_expand(dim, l, by[k], f_data + 4 * dim * k);
}

#endif
