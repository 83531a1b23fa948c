/* Distance of two points, constant (rods) or driven: Phi = (|r|^2 w - s)/2 with r the difference of
 * the points, s(t) the distance and w = 1/s. On the constraint Phi_q is the unit vector along r, so
 * that the multiplier is the axial force in newton, positive in tension, and Phi is in metres. */
#include "mbs/mechanism.h"

/* The law's s, s', s'' and the same for w = 1/s. */
typedef struct reciprocal {
  double s, s1, s2, w, w1, w2;
} reciprocal;

static reciprocal invert(const double *z)
{
  double w = 1 / z[0];
  return (reciprocal){z[0], z[1], z[2], w, -z[1] * w * w, (2 * z[1] * z[1] * w - z[2]) * w * w};
}

/* In the plane the third component is zero. */
static void difference(const gradyn_mbs *m, const double *full, const mbs_element *e, double r[3])
{
  r[0] = full[e->at[1]] - full[e->at[0]];
  r[1] = full[e->at[1] + 1] - full[e->at[0] + 1];
  r[2] = m->dim == 3 ? full[e->at[1] + 2] - full[e->at[0] + 2] : 0;
}

static double dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* rho = |r|^2 and its time derivatives up to the order asked for. */
static void squares(const gradyn_mbs *m, const mbs_element *e, const mbs_view *at, int order,
                    double rho[3])
{
  double r[3], r1[3], r2[3];
  difference(m, at->pos, e, r);
  rho[0] = dot(r, r);
  rho[1] = rho[2] = 0;
  if (order < 1)
    return;
  difference(m, at->vel, e, r1);
  rho[1] = 2 * dot(r, r1);
  if (order < 2)
    return;
  difference(m, at->acc, e, r2);
  rho[2] = 2 * (dot(r1, r1) + dot(r, r2));
}

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  double rho[3];
  reciprocal c = invert(z);
  squares(m, e, at, order, rho);
  switch (order) {
  case 0:
    *value = (rho[0] * c.w - c.s) / 2;
    break;
  case 1:
    *value = (rho[1] * c.w + rho[0] * c.w1 - c.s1) / 2;
    break;
  default:
    *value = (rho[2] * c.w + 2 * rho[1] * c.w1 + rho[0] * c.w2 - c.s2) / 2;
    break;
  }
  return GRADYN_OK;
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  double r[3], r1[3] = {0}, r2[3] = {0}, c0, c1 = 0, c2 = 0;
  reciprocal c = invert(z);
  difference(m, at->pos, e, r);
  if (order >= 1)
    difference(m, at->vel, e, r1);
  if (order >= 2)
    difference(m, at->acc, e, r2);
  /* the order-th time derivative of r w, binomial in r and w */
  c0 = order == 0 ? c.w : order == 1 ? c.w1 : c.w2;
  c1 = order == 1 ? c.w : order == 2 ? 2 * c.w1 : 0;
  c2 = order == 2 ? c.w : 0;
  for (int k = 0; k < m->dim; k++) {
    g[m->dim + k] = c0 * r[k] + c1 * r1[k] + c2 * r2[k];
    g[k] = -g[m->dim + k];
  }
  return GRADYN_OK;
}

static gradyn_status hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, double *H)
{
  (void)e;
  (void)at;
  double w = 1 / z[0];
  int dim = m->dim, local = 2 * dim;
  for (int i = 0; i < local; i++)
    for (int j = 0; j < local; j++)
      H[local * i + j] = i % dim != j % dim ? 0 : i == j ? w : -w;
  return GRADYN_OK;
}

static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  double rho[3];
  reciprocal c = invert(z);
  squares(m, e, at, order, rho);
  double w = c.w, w_s = -w * w;       /* dw/ds; also dw1/ds1, dw2/ds2 */
  double w1_s = 2 * c.s1 * w * w * w; /* dw1/ds */
  double w2_s = (2 * c.s2 - 6 * c.s1 * c.s1 * w) * w * w * w, w2_s1 = 2 * w1_s;
  phi_z[0] = phi_z[1] = phi_z[2] = 0;
  phi_z[order] = (rho[0] * w_s - 1) / 2;
  if (order == 1)
    phi_z[0] = (rho[1] * w_s + rho[0] * w1_s) / 2;
  if (order == 2) {
    phi_z[0] = (rho[2] * w_s + 2 * rho[1] * w1_s + rho[0] * w2_s) / 2;
    phi_z[1] = (2 * rho[1] * w_s + rho[0] * w2_s1) / 2;
  }
  return GRADYN_OK;
}

static gradyn_status phi_q_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *g_z)
{
  double r[3], w = 1 / z[0];
  int dim = m->dim;
  difference(m, at->pos, e, r);
  for (int k = 0; k < 6 * dim; k++)
    g_z[k] = 0;
  for (int k = 0; k < dim; k++) {
    g_z[dim + k] = -w * w * r[k];
    g_z[k] = w * w * r[k];
  }
  return GRADYN_OK;
}

const mbs_element_ops mbs_distance_ops = {.kind = "distance",
                                          .phi = phi,
                                          .phi_q = phi_q,
                                          .hessian = hessian,
                                          .phi_input = phi_input,
                                          .phi_q_input = phi_q_input};
