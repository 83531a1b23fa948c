/* Two vectors keep the cosine of their angle, whatever their lengths: Phi = a.b/(|a||b|) - c, with the
 * only datum c. Welded beams are held by it, whose slopes change length as the beams stretch. With
 *   P = 1/(|a||b|), C = P a.b:  Phi_a = P b - C/(a.a) a, and a and b exchanged;
 * time derivatives of these are those of products and powers of a.a, b.b, a.b. */
#include <math.h>

#include "mbs/mechanism.h"

/* A function of time and its derivatives, up to the order that is asked for. */
typedef struct jet {
  double d[3];
} jet;

static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};

static jet times(jet f, jet g)
{
  jet r = {{0}};
  for (int n = 0; n < 3; n++)
    for (int k = 0; k <= n; k++)
      r.d[n] += binomial[n][k] * f.d[k] * g.d[n - k];
  return r;
}

/* f^p of which the value is given. */
static jet power(jet f, double p, double value)
{
  double by = p * value / f.d[0];
  return (jet){{value, by * f.d[1], by * f.d[2] + (p - 1) * by / f.d[0] * f.d[1] * f.d[1]}};
}

/* Component k of vector i; and the scalar product of vectors i and j. */
static jet component(const mbs_element *e, const mbs_view *at, int order, int i, int k)
{
  const double *full[3] = {at->pos, at->vel, at->acc};
  jet r = {{0}};
  for (int n = 0; n <= order && n < 3; n++)
    r.d[n] = full[n][e->at[i] + k];
  return r;
}

static jet dot(const gradyn_mbs *m, const mbs_element *e, const mbs_view *at, int order, int i,
               int j)
{
  jet sum = {{0}};
  for (int k = 0; k < m->dim; k++) {
    jet part = times(component(e, at, order, i, k), component(e, at, order, j, k));
    for (int n = 0; n < 3; n++)
      sum.d[n] += part.d[n];
  }
  return sum;
}

typedef struct corner {
  jet square[2], P, C; /* a.a and b.b */
} corner;

static corner measure(const gradyn_mbs *m, const mbs_element *e, const mbs_view *at, int order)
{
  corner c = {.square = {dot(m, e, at, order, 0, 0), dot(m, e, at, order, 1, 1)}};
  jet squares = times(c.square[0], c.square[1]);
  c.P = power(squares, -0.5, 1 / sqrt(squares.d[0]));
  c.C = times(c.P, dot(m, e, at, order, 0, 1));
  return c;
}

static gradyn_status phi(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                         int order, double *value)
{
  *value = measure(m, e, at, order).C.d[order] - (order == 0 ? z[0] : 0);
  return GRADYN_OK;
}

static gradyn_status phi_q(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           int order, double *g)
{
  (void)z;
  corner c = measure(m, e, at, order);
  for (int i = 0; i < 2; i++) {
    jet R = times(c.C, power(c.square[i], -1, 1 / c.square[i].d[0]));
    for (int k = 0; k < m->dim; k++)
      g[m->dim * i + k] = times(c.P, component(e, at, order, 1 - i, k)).d[order] -
                          times(R, component(e, at, order, i, k)).d[order];
  }
  return GRADYN_OK;
}

/* Phi_aa = -(P (b a^T + a b^T) + C I)/(a.a) + 3 C a a^T/(a.a)^2,
 * Phi_ab = P (I - a a^T/(a.a) - b b^T/(b.b)) + C a b^T/(a.a b.b). */
static gradyn_status hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, double *H)
{
  (void)z;
  const corner c = measure(m, e, at, 0);
  const double P = c.P.d[0], C = c.C.d[0];
  const int dim = m->dim, local = 2 * dim;
  for (int r = 0; r < 2; r++)
    for (int s = 0; s < 2; s++) {
      const double *a = at->pos + e->at[r], *b = at->pos + e->at[1 - r];
      double aa = c.square[r].d[0], bb = c.square[1 - r].d[0];
      for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
          double same =
              (3 * C * a[i] * a[j] / aa - P * (b[i] * a[j] + a[i] * b[j]) - C * (i == j)) / aa;
          double other = P * ((i == j) - a[i] * a[j] / aa - b[i] * b[j] / bb) +
                         C * a[i] * b[j] / (aa * bb);
          H[local * (dim * r + i) + dim * s + j] = r == s ? same : other;
        }
    }
  return GRADYN_OK;
}

static gradyn_status phi_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                               const double *z, int order, double *phi_z)
{
  (void)m;
  (void)e;
  (void)at;
  (void)z;
  phi_z[0] = order == 0 ? -1 : 0;
  return GRADYN_OK;
}

const mbs_element_ops mbs_corner_ops = {
    .kind = "corner", .phi = phi, .phi_q = phi_q, .hessian = hessian, .phi_input = phi_input};
