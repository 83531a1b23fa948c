/* Common part of the force models of the ANCF beam: reduced coordinates, and the transformation of results
 * to element coordinates.
 *
 * Reduced coordinates w = (r_x,i, d, r_x,j), d = (r_j - r_i)/l, [3][dim], and their rates z. w is
 * dimensionless. With x = xi l,
 *   r'   = N'(xi) w,    N'  = (1 - 4 xi + 3 xi^2, 6 xi - 6 xi^2, 3 xi^2 - 2 xi),
 *   l r'' = N''(xi) w,  N'' = (6 xi - 4, 6 - 12 xi, 6 xi - 2),
 * so that l occurs in forces only in d, in the factors E A l and E I/l, and in the force on r_j, which is
 * the force on d divided by l. The force on r_i is its negative.
 *
 * Functions are always inlined with a constant dim, so that loops over components are unrolled. */
#ifndef GRADYN_MBS_ANCF_LOCAL_H
#define GRADYN_MBS_ANCF_LOCAL_H

#include "mbs/beams/ancf.h"

#define MBS_INLINE static inline __attribute__((always_inline))

/* The force is a sum of four parts. Each part is a factor that depends on the data, times a function of w
 * and z. */
enum { AXIAL, AXIAL_RATE, BENDING, BENDING_RATE, PARTS };

/* Calls kernel(dim, ...) with dim as a constant. */
#define MBS_BY_DIM(b, kernel, ...)                                                                 \
  do {                                                                                             \
    if ((b)->dim == 2)                                                                             \
      kernel(2, __VA_ARGS__);                                                                      \
    else                                                                                           \
      kernel(3, __VA_ARGS__);                                                                      \
  } while (0)

/* Returns the scalar product of a and b [dim]. */
MBS_INLINE double mbs_dot(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < dim; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Computes w [3][dim] from u [4 dim], as defined in ancf.h, or z from v [4 dim]. l: length of the element,
 * m. */
MBS_INLINE void mbs_ancf_reduce(int dim, double l, const double *u, double *w)
{
  for (int i = 0; i < dim; i++) {
    w[i] = u[dim + i];
    w[dim + i] = (u[2 * dim + i] - u[i]) / l;
    w[2 * dim + i] = u[3 * dim + i];
  }
}

/* Computes the force f [4 dim] on u from the force F [3][dim] on w. l: length of the element, m. */
MBS_INLINE void mbs_ancf_expand(int dim, double l, const double *F, double *f)
{
  for (int i = 0; i < dim; i++) {
    f[dim + i] = F[i];
    f[2 * dim + i] = F[dim + i] / l;
    f[i] = -f[2 * dim + i];
    f[3 * dim + i] = F[2 * dim + i];
  }
}

/* Sets f_u [4 dim][4 dim] to df/du from K = dF/dw [3 dim][3 dim]. l: length of the element, m. */
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

/* Sets c to the factors of the parts: E A l, eta E A l, E I/l, eta E I/l. */
MBS_INLINE void mbs_ancf_factors(const mbs_ancf *b, double c[PARTS])
{
  c[AXIAL] = b->E * b->A * b->l;
  c[BENDING] = b->E * b->I2 / b->l;
  c[AXIAL_RATE] = b->eta * c[AXIAL];
  c[BENDING_RATE] = b->eta * c[BENDING];
}

/* Sets f_data [MBS_ANCF_DATA][4 dim] to the derivatives of the forces by data. F [PARTS][9]: parts of the
 * force on w, without factors. along [3][dim]: its derivative, with factors, in the direction dw = (0, d,
 * 0), dz = (0, d1, 0). */
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
    /* the factors depend on l and 1/l; d, d1 and the force on positions depend on 1/l */
    by[MBS_ANCF_L][k] = (E * A * axial - E * I2 * bending - along[k]) / l;
    if (k >= dim && k < 2 * dim)
      by[MBS_ANCF_L][k] -= E * by[MBS_ANCF_E][k] / l;
  }
  for (int k = 0; k < MBS_ANCF_DATA; k++)
    mbs_ancf_expand(dim, l, by[k], f_data + 4 * dim * k);
}

#endif
