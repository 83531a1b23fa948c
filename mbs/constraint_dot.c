/* Scalar products of vectors: Phi = a.b for two, Phi = (a.a - 1)/2 for one. They make base vectors
 * orthonormal and keep the slopes of beams normal to directions of bodies. They have no data. */
#include "mbs/mechanism.h"

static double dot(const gradyn_mbs *m, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < m->dim; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Time derivative of the given order of a.b. */
static double product(const gradyn_mbs *m, const mbs_element *e, int second, const mbs_view *at,
                      int order)
{
  const double *full[3] = {at->pos, at->vel, at->acc};
  static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  double sum = 0;
  for (int k = 0; k <= order; k++)
    sum += binomial[order][k] * dot(m, full[k] + e->at[0], full[order - k] + e->at[second]);
  return sum;
}

static gradyn_status dot_phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, int order, double *value)
{
  (void)z;
  *value = product(m, e, 1, at, order);
  return GRADYN_OK;
}

static gradyn_status dot_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *g)
{
  (void)z;
  const double *full[3] = {at->pos, at->vel, at->acc};
  for (int k = 0; k < m->dim; k++) {
    g[k] = full[order][e->at[1] + k];
    g[m->dim + k] = full[order][e->at[0] + k];
  }
  return GRADYN_OK;
}

static gradyn_status dot_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *H)
{
  (void)e;
  (void)at;
  (void)z;
  int dim = m->dim, local = 2 * dim;
  for (int i = 0; i < local; i++)
    for (int j = 0; j < local; j++)
      H[local * i + j] = i != j && i % dim == j % dim;
  return GRADYN_OK;
}

static gradyn_status no_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                              const double *z, int order, double *phi_z)
{
  (void)m;
  (void)e;
  (void)at;
  (void)z;
  (void)order;
  (void)phi_z;
  return GRADYN_OK;
}

const mbs_element_ops mbs_dot_ops = {.kind = "scalar product",
                                     .phi = dot_phi,
                                     .phi_q = dot_phi_q,
                                     .hessian = dot_hessian,
                                     .phi_input = no_input};

static gradyn_status square_phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                const double *z, int order, double *value)
{
  (void)z;
  *value = (product(m, e, 0, at, order) - (order == 0 ? 1 : 0)) / 2;
  return GRADYN_OK;
}

static gradyn_status square_phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                  const double *z, int order, double *g)
{
  (void)z;
  const double *full[3] = {at->pos, at->vel, at->acc};
  for (int k = 0; k < m->dim; k++)
    g[k] = full[order][e->at[0] + k];
  return GRADYN_OK;
}

static gradyn_status square_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                    const double *z, double *H)
{
  (void)e;
  (void)at;
  (void)z;
  for (int i = 0; i < m->dim; i++)
    for (int j = 0; j < m->dim; j++)
      H[m->dim * i + j] = i == j;
  return GRADYN_OK;
}

const mbs_element_ops mbs_square_ops = {.kind = "length",
                                        .phi = square_phi,
                                        .phi_q = square_phi_q,
                                        .hessian = square_hessian,
                                        .phi_input = no_input};
