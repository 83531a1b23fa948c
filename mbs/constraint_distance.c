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

static void difference(int dim, const double *full, const mbs_element *e, double *r)
{
  for (int k = 0; k < dim; k++)
    r[k] = full[e->at[1] + k] - full[e->at[0] + k];
}

static double dot(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int k = 0; k < dim; k++)
    sum += a[k] * b[k];
  return sum;
}

/* rho = |r|^2 and its time derivatives up to the order asked for. */
static void squares(int dim, const mbs_element *e, const mbs_view *at, int order, double rho[3])
{
  double r[3], r1[3], r2[3];
  difference(dim, at->pos, e, r);
  rho[0] = dot(dim, r, r);
  rho[1] = rho[2] = 0;
  if (order < 1)
    return;
  difference(dim, at->vel, e, r1);
  rho[1] = 2 * dot(dim, r, r1);
  if (order < 2)
    return;
  difference(dim, at->acc, e, r2);
  rho[2] = 2 * (dot(dim, r1, r1) + dot(dim, r, r2));
}

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  double rho[3];
  reciprocal c = invert(z);
  squares(m->dim, e, at, order, rho);
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

/* g += c times the difference of a full array. */
static void add_difference(int dim, double c, const double *full, const mbs_element *e, double *g)
{
  double r[3];
  difference(dim, full, e, r);
  for (int k = 0; k < dim; k++) {
    g[k] -= c * r[k];
    g[dim + k] += c * r[k];
  }
}

/* The order-th time derivative of r w, binomial in r and w. */
static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  reciprocal c = invert(z);
  for (int k = 0; k < e->local; k++)
    g[k] = 0;
  if (order == 0) {
    add_difference(m->dim, c.w, at->pos, e, g);
  } else if (order == 1) {
    add_difference(m->dim, c.w1, at->pos, e, g);
    add_difference(m->dim, c.w, at->vel, e, g);
  } else {
    add_difference(m->dim, c.w2, at->pos, e, g);
    add_difference(m->dim, 2 * c.w1, at->vel, e, g);
    add_difference(m->dim, c.w, at->acc, e, g);
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
  squares(m->dim, e, at, order, rho);
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
  difference(dim, at->pos, e, r);
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
