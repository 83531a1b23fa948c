/* The adjoint of a mechanism as an index-1 system with unknowns z = (pq, pv, eta, zeta). They are the
 * multipliers of q' - v = 0 and v' - a = 0 (differential), and of R = 0 and G = 0 (algebraic). The reduced
 * Newton matrix is the transpose of the forward one. */
#include <string.h>

#include "dae/systems/index1_mech.h"

static gradyn_mech_system *self(gradyn_index1 *s)
{
  return (gradyn_mech_system *)s;
}

/* Computes s->head = (K^T eta + Gq^T zeta, C^T eta + Gv^T zeta). */
static void head_products(gradyn_mech_system *s, const double *eta)
{
  int n = s->mech->n, m = s->mech->m;
  /* (K, Gq; C, Gv)^T (eta, zeta) */
  memset(s->head, 0, (size_t)(2 * n) * sizeof(double));
  gradyn_pattern_multiply_transposed(&s->mech->dyn, n, s->K, 1, eta, s->head);
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->Gq, 1, eta + n, s->head);
  gradyn_pattern_multiply_transposed(&s->mech->dyn, n, s->C, 1, eta, s->head + n);
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->Gv, 1, eta + n, s->head + n);
}

void gradyn_mech_adjoint_residual(gradyn_index1 *base, const double *z, const double *zp,
                                  const double *g_y, double *r)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  const double *eta = z + 2 * n;
  head_products(s, eta);
  for (int i = 0; i < n; i++) {
    r[i] = zp[i] + g_y[i] - s->head[i]; /* pq' + g_q - K^T eta - Gq^T zeta */
    /* pv' + g_v + pq - C^T eta - Gv^T zeta */
    r[n + i] = zp[n + i] + g_y[n + i] + z[i] - s->head[n + i];
    r[2 * n + i] = g_y[2 * n + i] + z[n + i]; /* g_a + pv - M^T eta - Phi_q^T zeta */
  }
  for (int i = 0; i < m; i++)
    r[3 * n + i] = g_y[3 * n + i];
  gradyn_pattern_multiply_transposed(&s->mech->dyn, n, s->M, -1, eta, r + 2 * n);
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->J, -1, eta + n, r + 2 * n);
  gradyn_pattern_multiply(&s->mech->jac, m, s->U, -1, eta, r + 3 * n); /* g_lam - R_lam^T eta */
}

gradyn_status gradyn_mech_adjoint_factor(gradyn_index1 *base, double cj)
{
  self(base)->cj = cj;
  return gradyn_mech_system_factor(self(base), -1 / cj);
}

/* Solves in place. The Newton matrix of the adjoint reduces to the transpose of the forward one with -cj
 * instead of cj. */
void gradyn_mech_adjoint_solve(gradyn_index1 *base, double *b)
{
  gradyn_mech_system *s = self(base);
  double cj = s->cj;
  int n = s->mech->n, m = s->mech->m;
  for (int i = 0; i < n; i++)
    /* right-hand side after elimination of pq and pv */
    s->b[i] = b[n + i] / cj - b[i] / (cj * cj) - b[2 * n + i];
  for (int i = 0; i < m; i++)
    s->b[n + i] = -b[3 * n + i];
  gradyn_linsys_solve_transposed(s->saddle.system, s->b, 1);
  head_products(s, s->b);
  for (int i = 0; i < n; i++) {
    b[i] = (b[i] + s->head[i]) / cj; /* pq and pv follow from s->head */
    b[n + i] = (b[n + i] - b[i] + s->head[n + i]) / cj;
  }
  memcpy(b + 2 * n, s->b, (size_t)(n + m) * sizeof(double));
}

/* Subtracts R_x^T eta + G_x^T zeta from x_bar, and the same products by time from t_bar. eta has `count`
 * rows of n + m numbers, `stride` numbers apart. */
static gradyn_status subtract_data(gradyn_mech_system *s, int count, const double *eta, int stride,
                                   double *x_bar, double *t_bar)
{
  int n = s->mech->n, m = s->mech->m, size = n + m;
  gradyn_mech_state at = gradyn_mech_state_at(s->mech->n, s->t, s->y);
  gradyn_mech_term term[GRADYN_MECH_TERMS];
  double factor[GRADYN_MECH_TERMS];
  /* multipliers of each term: of R with one order of G, and of the other orders */
  gradyn_lanes *const mu[] = {s->lanes, s->lanes + size, s->lanes + 2 * size};
  int terms = gradyn_mech_system_terms(s, &at, term, factor);
  /* eta is the same for all terms; zeta is multiplied by the weight of the order */
  gradyn_lanes_load(size, count, eta, stride, mu[0]);
  for (int k = 1; k < terms; k++)
    for (int i = n; i < size; i++)
      mu[k][i] = factor[k] * mu[0][i];
  /* subtract (R; G)_x^T (eta, zeta) from x_bar, and the product by time from t_bar */
  const gradyn_mech_point look = {terms, term, &at};
  const gradyn_mech_adjoints adjoints = {.x = x_bar, .t = t_bar};
  return s->mech->ops->against(s->mech, &look, count, mu, &adjoints);
}

gradyn_status gradyn_mech_adjoint_data(gradyn_index1 *base, int count, const double *z,
                                       double *x_bar)
{
  gradyn_mech_system *s = self(base);
  return subtract_data(s, count, z + base->np, base->np + base->ne, x_bar, NULL);
}

/* Computes eta and zeta at the end of an arc, from the adjoints pq and pv of positions and velocities, and
 * the rates of pq and pv. */
gradyn_status gradyn_mech_adjoint_restart(gradyn_index1 *base, double *z, double *zp,
                                          const double *g_y)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  GRADYN_TRY(gradyn_mech_system_factor(s, 0));
  /* solve M^T eta + Phi_q^T zeta = g_a + pv, R_lam^T eta = g_lam */
  for (int i = 0; i < n; i++)
    s->b[i] = g_y[2 * n + i] + z[n + i];
  for (int i = 0; i < m; i++)
    s->b[n + i] = g_y[3 * n + i];
  gradyn_linsys_solve_transposed(s->saddle.system, s->b, 1);
  memcpy(z + 2 * n, s->b, (size_t)(n + m) * sizeof(double));
  head_products(s, s->b);
  for (int i = 0; i < n; i++) {
    zp[i] = s->head[i] - g_y[i]; /* pq' and pv' at the end of the arc */
    zp[n + i] = s->head[n + i] - g_y[n + i] - z[i];
  }
  memset(zp + 2 * n, 0, (size_t)(n + m) * sizeof(double));
  return GRADYN_OK;
}

gradyn_status gradyn_mech_adjoint_terminal(gradyn_index1 *base, const double *w_y,
                                           const double *w_yp, double *p, double *x_bar,
                                           double *t_bar)
{
  gradyn_mech_system *s = self(base);
  int n = s->mech->n, m = s->mech->m;
  GRADYN_TRY(gradyn_mech_system_factor(s, 0));
  memcpy(s->b, w_y + 2 * n, (size_t)(n + m) * sizeof(double));
  for (int i = 0; i < n && w_yp; i++) { /* q' = v, v' = a */
    /* derivatives by q' and v' are added to those by v and a */
    p[n + i] += w_yp[i];
    s->b[i] += w_yp[n + i];
  }
  gradyn_linsys_solve_transposed(s->saddle.system, s->b, 1);
  head_products(s, s->b);
  for (int i = 0; i < 2 * n; i++)
    p[i] += w_y[i] - s->head[i];
  /* derivatives by data and by explicit time */
  return subtract_data(s, 1, s->b, n + m, x_bar, t_bar);
}
