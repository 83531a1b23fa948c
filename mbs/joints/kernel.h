/* Constraints computed with jets.
 *
 * A kind of constraint computes Phi(x, s) and its gradient G = (Phi_x, Phi_s) once, for jets; x are the
 * components of its vectors, s is its input. Seeds of the jets give all other derivatives:
 *   seeds (x, v, a; s, s', s'') give Phi, Phi', Phi'' and their derivatives by x and by s, s', s'';
 *   the seed x' = e_i gives column i of the second derivative Phi_xx, the seed s' = 1 gives Phi_xs.
 * The reason is (Phi^(k))_x = (Phi_x)^(k) and d Phi^(k)/d s^(j) = binomial(k, j) (Phi_s)^(k-j). Kernels are
 * inlined with a constant order: parts that an order does not need are not computed. */
#ifndef GRADYN_MBS_KERNEL_H
#define GRADYN_MBS_KERNEL_H

#include "mbs/joints/jet.h"

/* Fills the arguments of a kernel of element e, with its number of points, from the state and the inputs z.
 * Time derivatives above `order`, 0 to 2, are 0. A law gives s, s', s''. Otherwise s is a datum, or 0 if
 * there is none. */
GRADYN_KERNEL void mbs_take_arguments(int dim, int order, int points, const mbs_element *e,
                                      const mbs_point_state *at, const double *z, mbs_arguments *a)
{
  const double *full[3] = {at->pos, at->vel, at->acc};
  const bool law = e->source != MBS_FROM_DATA;
  a->axis = (int)e->axis;
  for (int i = 0; i < points; i++)
    for (int k = 0; k < dim; k++)
      for (int j = 0; j < 3; j++)
        a->x[dim * i + k].d[j] = j <= order ? full[j][e->at[i] + k] : 0;
  for (int j = 0; j < 3; j++)
    a->s.d[j] = law || j < e->data_count ? z[j] : 0;
}

/* A kernel fills *g from the arguments *a. The functions below are functions of mbs_element_ops from a
 * kernel, for constant dim and order. */
typedef void mbs_kernel(int dim, const mbs_arguments *a, mbs_gradient *g);

/* Sets *value to Phi^(order) of element e, with its number of points and of axes (dim), at the state `at`
 * with inputs z. */
GRADYN_KERNEL void mbs_jet_phi(mbs_kernel *kernel, int points, int dim, int order,
                               const mbs_element *e, const mbs_point_state *at, const double *z,
                               double *value)
{
  mbs_arguments a;
  mbs_gradient g;
  mbs_take_arguments(dim, order, points, e, at, z, &a);
  kernel(dim, &a, &g);
  *value = g.phi.d[order];
}

/* Sets out [dim points] to the derivative of Phi^(order) of element e by positions. */
GRADYN_KERNEL void mbs_jet_phi_q(mbs_kernel *kernel, int points, int dim, int order,
                                 const mbs_element *e, const mbs_point_state *at, const double *z,
                                 double *out)
{
  mbs_arguments a;
  mbs_gradient g;
  mbs_take_arguments(dim, order, points, e, at, z, &a);
  kernel(dim, &a, &g);
  for (int k = 0; k < dim * points; k++)
    out[k] = g.x[k].d[order];
}

/* Sets out [inputs] to the derivatives of Phi^(order) of element e by the inputs z. */
GRADYN_KERNEL void mbs_jet_input(mbs_kernel *kernel, int points, int dim, int order,
                                 const mbs_element *e, const mbs_point_state *at, const double *z,
                                 double *out)
{
  static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  mbs_arguments a;
  mbs_gradient g;
  mbs_take_arguments(dim, order, points, e, at, z, &a);
  kernel(dim, &a, &g);
  for (int j = 0; j < mbs_input_count(e); j++)
    out[j] = j <= order ? binomial[order][j] * g.s.d[order - j] : 0;
}

/* Sets out [dim points] to the first time derivative of Phi_x, for the seeds in *a. */
GRADYN_KERNEL void mbs_jet_slope(mbs_kernel *kernel, int points, int dim, const mbs_arguments *a,
                                 double *out)
{
  mbs_gradient g;
  kernel(dim, a, &g);
  for (int k = 0; k < dim * points; k++)
    out[k] = g.x[k].d[1];
}

/* Calls one of these functions with constant dim and order. */
#define MBS_BY_ORDER(what, kernel, points, dim, order, ...)                                        \
  do {                                                                                             \
    if ((dim) == 2 && (order) == 0)                                                                \
      what(kernel, points, 2, 0, __VA_ARGS__);                                                     \
    else if ((dim) == 2 && (order) == 1)                                                           \
      what(kernel, points, 2, 1, __VA_ARGS__);                                                     \
    else if ((dim) == 2)                                                                           \
      what(kernel, points, 2, 2, __VA_ARGS__);                                                     \
    else if ((order) == 0)                                                                         \
      what(kernel, points, 3, 0, __VA_ARGS__);                                                     \
    else if ((order) == 1)                                                                         \
      what(kernel, points, 3, 1, __VA_ARGS__);                                                     \
    else                                                                                           \
      what(kernel, points, 3, 2, __VA_ARGS__);                                                     \
  } while (0)

/* Sets H [local][local] to the second derivatives of Phi by positions, for kinds with the function `slope`.
 * Returns GRADYN_OK. */
gradyn_status mbs_jet_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                              const double *z, double *H);

/* Sets g_z [inputs][local] to the second derivatives of Phi by inputs and positions, for kinds with the
 * function `slope`. Returns GRADYN_OK. */
gradyn_status mbs_jet_mixed(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *g_z);

/* Defines the functions of a kernel; MBS_JET_OPS puts them into a table. */
#define MBS_JET_FUNCTIONS(kernel, points)                                                          \
  static gradyn_status kernel##_phi(gradyn_mbs *m, const mbs_element *e,                           \
                                    const mbs_point_state *at, const double *z, int order,         \
                                    double *value)                                                 \
  {                                                                                                \
    MBS_BY_ORDER(mbs_jet_phi, kernel, points, m->dim, order, e, at, z, value);                     \
    return GRADYN_OK;                                                                              \
  }                                                                                                \
  static gradyn_status kernel##_phi_q(gradyn_mbs *m, const mbs_element *e,                         \
                                      const mbs_point_state *at, const double *z, int order,       \
                                      double *g)                                                   \
  {                                                                                                \
    MBS_BY_ORDER(mbs_jet_phi_q, kernel, points, m->dim, order, e, at, z, g);                       \
    return GRADYN_OK;                                                                              \
  }                                                                                                \
  static gradyn_status kernel##_input(gradyn_mbs *m, const mbs_element *e,                         \
                                      const mbs_point_state *at, const double *z, int order,       \
                                      double *phi_z)                                               \
  {                                                                                                \
    MBS_BY_ORDER(mbs_jet_input, kernel, points, m->dim, order, e, at, z, phi_z);                   \
    return GRADYN_OK;                                                                              \
  }                                                                                                \
  static void kernel##_slope(int dim, const mbs_arguments *a, double *g)                           \
  {                                                                                                \
    if (dim == 2)                                                                                  \
      mbs_jet_slope(kernel, points, 2, a, g);                                                      \
    else                                                                                           \
      mbs_jet_slope(kernel, points, 3, a, g);                                                      \
  }

#define MBS_JET_OPS(kernel) MBS_JET_OPS_AND(kernel, mbs_jet_hessian)
/* with another function for Phi_xx */
#define MBS_JET_OPS_AND(kernel, second)                                                            \
  .phi = kernel##_phi, .phi_q = kernel##_phi_q, .phi_input = kernel##_input,                       \
  .slope = kernel##_slope, .hessian = second, .phi_q_input = mbs_jet_mixed

#endif
