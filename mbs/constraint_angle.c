/* Direction of the line between two points, held or driven: Phi = r.n with r the difference of the
 * points and n = (-sin theta, cos theta) the normal of the direction theta(t). Phi is in metres;
 * the multiplier is the force across the line, in newton. */
#include <math.h>

#include "mbs/mechanism.h"

/* r, r', r'' projected on the direction e = (cos, sin) and the normal n. */
typedef struct projections {
  double e[3], n[3];
} projections;

static projections project(const mbs_element *e, const mbs_view *at, double theta, int order)
{
  const double *full[3] = {at->pos, at->vel, at->acc};
  double sine = sin(theta), cosine = cos(theta);
  projections p = {{0}, {0}};
  for (int k = 0; k <= order && k < 3; k++) {
    double dx = full[k][e->at[1]] - full[k][e->at[0]];
    double dy = full[k][e->at[1] + 1] - full[k][e->at[0] + 1];
    p.e[k] = dx * cosine + dy * sine;
    p.n[k] = -dx * sine + dy * cosine;
  }
  return p;
}

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  (void)m;
  projections p = project(e, at, z[0], order);
  if (order == 0)
    *value = p.n[0];
  else if (order == 1)
    *value = p.n[1] - z[1] * p.e[0];
  else
    *value = p.n[2] - 2 * z[1] * p.e[1] - z[2] * p.e[0] - z[1] * z[1] * p.n[0];
  return GRADYN_OK;
}

/* The order-th time derivative of n is cn n + ce e. */
static void normal_derivative(const double *z, int order, double *cn, double *ce)
{
  *cn = order == 0 ? 1 : order == 1 ? 0 : -z[1] * z[1];
  *ce = order == 0 ? 0 : -z[order];
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  (void)m;
  (void)e;
  (void)at;
  double cn, ce, sine = sin(z[0]), cosine = cos(z[0]);
  normal_derivative(z, order, &cn, &ce);
  g[2] = -cn * sine + ce * cosine;
  g[3] = cn * cosine + ce * sine;
  g[0] = -g[2];
  g[1] = -g[3];
  return GRADYN_OK;
}

/* With e_theta = n and n_theta = -e. */
static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  (void)m;
  projections p = project(e, at, z[0], order);
  phi_z[0] = phi_z[1] = phi_z[2] = 0;
  if (order == 0) {
    phi_z[0] = -p.e[0];
  } else if (order == 1) {
    phi_z[0] = -p.e[1] - z[1] * p.n[0];
    phi_z[1] = -p.e[0];
  } else {
    phi_z[0] = -p.e[2] - 2 * z[1] * p.n[1] - z[2] * p.n[0] + z[1] * z[1] * p.e[0];
    phi_z[1] = -2 * p.e[1] - 2 * z[1] * p.n[0];
    phi_z[2] = -p.e[0];
  }
  return GRADYN_OK;
}

static gradyn_status phi_q_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *g_z)
{
  (void)m;
  (void)e;
  (void)at;
  for (int k = 0; k < 12; k++)
    g_z[k] = 0;
  g_z[2] = -cos(z[0]);
  g_z[3] = -sin(z[0]);
  g_z[0] = -g_z[2];
  g_z[1] = -g_z[3];
  return GRADYN_OK;
}

/* Phi is zero for the opposite direction, too. */
static bool reversed(const mbs_element *e, const mbs_view *at, const double *z)
{
  return project(e, at, z[0], 0).e[0] < 0;
}

const mbs_element_ops mbs_angle_ops = {.kind = "angle",
                                       .phi = phi,
                                       .phi_q = phi_q,
                                       .phi_input = phi_input,
                                       .phi_q_input = phi_q_input,
                                       .reversed = reversed};
