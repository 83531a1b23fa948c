/* Functions of mbs_ancf_ops from the kernels of a force model in reduced coordinates w, z (ancf_local.h). u,
 * v, l and MBS_ANCF_DATA: ancf.h. b is only read. */
#ifndef GRADYN_MBS_ANCF_KERNELS_H
#define GRADYN_MBS_ANCF_KERNELS_H

#include "mbs/beams/ancf_local.h"

/* Fills the derivatives eps_u, kappa2_u [4 dim], eps_l and kappa2_l of out, from eps_w and kappa2_w
 * [3][dim], the derivatives of strain and squared curvature by w [3][dim]. l: length of the element, m.
 * out->kappa2 must be set. */
MBS_INLINE void mbs_ancf_strain_slopes(int dim, double l, const double *w, const double *eps_w,
                                       const double *kappa2_w, mbs_ancf_strain *out)
{
  mbs_ancf_expand(dim, l, eps_w, out->eps_u);
  mbs_ancf_expand(dim, l, kappa2_w, out->kappa2_u);
  /* l occurs in d = (r_j - r_i)/l, and in kappa2 as 1/l^2 */
  out->eps_l = -mbs_dot(dim, eps_w + dim, w + dim) / l;
  out->kappa2_l = -(mbs_dot(dim, kappa2_w + dim, w + dim) + 2 * out->kappa2) / l;
}

/* Returns U = 1/2 int (E A eps^2 + E I kappa^2) dx, J, and sets its derivatives U_data [MBS_ANCF_DATA]. axial
 * = 1/2 int eps^2 dxi, bending = 1/2 int (l kappa)^2 dxi, by_d = (dU/dd).d. */
static inline double mbs_ancf_energy(const mbs_ancf *b, double axial, double bending, double by_d,
                                     double *U_data)
{
  axial *= b->l;
  bending /= b->l;
  U_data[MBS_ANCF_E] = b->A * axial + b->I2 * bending;
  U_data[MBS_ANCF_A] = b->E * axial;
  U_data[MBS_ANCF_I] = b->E * bending; /* U is linear in E, A and I */
  U_data[MBS_ANCF_ETA] = 0;
  /* l occurs as a factor, as a divisor, and inside of d */
  U_data[MBS_ANCF_L] = (b->E * (b->A * axial - b->I2 * bending) - by_d) / b->l;
  return b->E * U_data[MBS_ANCF_E];
}

/* Sets x [count] to zero. */
MBS_INLINE void mbs_ancf_clear(int count, double *x)
{
  for (int k = 0; k < count; k++)
    x[k] = 0;
}

/* Kernels of a model for a constant dim, in reduced coordinates. total: adds the force [3][dim] to F [9],
 * with the factors c of mbs_ancf_factors(). parts: sets its parts F [PARTS][9], with factors 1. tangent: adds
 * the derivatives of the force by w to K and by z to D, [3 dim][3 dim], by rows. The caller clears F, K and D
 * of total and tangent. */
typedef void mbs_ancf_total(int dim, const double c[PARTS], const double *w, const double *z,
                            double *F);
typedef void mbs_ancf_parts(int dim, const double *w, const double *z, double F[PARTS][9]);
typedef void mbs_ancf_tangent(int dim, const double c[PARTS], const double *w, const double *z,
                              double *K, double *D);

/* Sets f [4 dim] to B^T F, the elastic and damping forces at coordinates u and rates v [4 dim], from a
 * model's function `total`; w = B u. */
MBS_INLINE void mbs_ancf_force(int dim, mbs_ancf_total *total, const mbs_ancf *b, const double *u,
                               const double *v, double *f)
{
  double c[PARTS], w[9], z[9], F[9];
  mbs_ancf_factors(b, c);
  mbs_ancf_reduce(dim, b->l, u, w);
  mbs_ancf_reduce(dim, b->l, v, z);
  mbs_ancf_clear(3 * dim, F);
  total(dim, c, w, z, F);
  mbs_ancf_expand(dim, b->l, F, f);
}

/* Sets f_u and f_v [4 dim][4 dim] to the derivatives of the forces by u and v [4 dim], B^T K B and B^T D
 * B. */
MBS_INLINE void mbs_ancf_force_state(int dim, mbs_ancf_tangent *tangent, const mbs_ancf *b,
                                     const double *u, const double *v, double *f_u, double *f_v)
{
  double c[PARTS], w[9], z[9], K[81], D[81];
  mbs_ancf_factors(b, c);
  mbs_ancf_reduce(dim, b->l, u, w);
  mbs_ancf_reduce(dim, b->l, v, z);
  mbs_ancf_clear(9 * dim * dim, K);
  mbs_ancf_clear(9 * dim * dim, D);
  tangent(dim, c, w, z, K, D);
  mbs_ancf_expand_matrix(dim, b->l, K, f_u);
  mbs_ancf_expand_matrix(dim, b->l, D, f_v);
}

/* Sets f_data [MBS_ANCF_DATA][4 dim] to the derivatives of the forces by l, E, A, I, eta, one row each. The
 * derivative by l uses only the columns of the tangent by d. */
MBS_INLINE void mbs_ancf_force_data(int dim, mbs_ancf_parts *parts, mbs_ancf_tangent *tangent,
                                    const mbs_ancf *b, const double *u, const double *v,
                                    double *f_data)
{
  double c[PARTS], w[9], z[9], F[PARTS][9], K[81], D[81], along[9];
  mbs_ancf_factors(b, c);
  mbs_ancf_reduce(dim, b->l, u, w);
  mbs_ancf_reduce(dim, b->l, v, z);
  parts(dim, w, z, F);
  mbs_ancf_clear(9 * dim * dim, K);
  mbs_ancf_clear(9 * dim * dim, D);
  tangent(dim, c, w, z, K, D);
  for (int k = 0; k < 3 * dim; k++) /* dF/dl acts through d = chord/l: K d + D d1 */
    along[k] = mbs_dot(dim, K + 3 * dim * k + dim, w + dim) +
               mbs_dot(dim, D + 3 * dim * k + dim, z + dim);
  mbs_ancf_data(dim, b, F, along, f_data);
}

/* Defines the static functions force, force_state and force_data of mbs_ancf_ops from a model's kernels. */
#define MBS_ANCF_FUNCTIONS(total, parts, tangent)                                                  \
  static void force(const mbs_ancf *b, const double *u, const double *v, double *f)                \
  {                                                                                                \
    MBS_BY_DIM(b, mbs_ancf_force, total, b, u, v, f);                                              \
  }                                                                                                \
  static void force_state(const mbs_ancf *b, const double *u, const double *v, double *f_u,        \
                          double *f_v)                                                             \
  {                                                                                                \
    MBS_BY_DIM(b, mbs_ancf_force_state, tangent, b, u, v, f_u, f_v);                               \
  }                                                                                                \
  static void force_data(const mbs_ancf *b, const double *u, const double *v, double *f_data)      \
  {                                                                                                \
    MBS_BY_DIM(b, mbs_ancf_force_data, parts, tangent, b, u, v, f_data);                           \
  }

#endif
