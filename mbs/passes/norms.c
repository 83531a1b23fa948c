/* Constraints of Euler parameters p, which rotate by p/|p|: Phi = (p.p - 1)/2, Phi' = p.p', Phi'' = p.p'' +
 * p'.p'. Bodies do not depend on the length of p. Multipliers are therefore zero in any motion, and a
 * projection only scales p. */
#include "mbs/passes/joints.h"

/* Coordinates of the Euler parameters of constraint i. */
static const int *parameters(const tree *c, int i)
{
  const tree_link *link = &c->link[-1 - c->row[i]];
  return link->z + link->k - TREE_TURN_FREELY;
}

static double dot(const int *p, const double *x, const double *y)
{
  double sum = 0;
  for (int k = 0; k < TREE_TURN_FREELY; k++)
    sum += x[p[k]] * y[p[k]];
  return sum;
}

static void add_lanes(const int *p, double share, const double *x, const gradyn_lanes *y,
                      gradyn_lanes *sum)
{
  for (int k = 0; k < TREE_TURN_FREELY && y; k++)
    *sum += share * x[p[k]] * y[p[k]];
}

/* to -= share x mu */
static void give(const int *p, double share, const double *x, const gradyn_lanes *mu,
                 gradyn_lanes *to)
{
  for (int k = 0; k < TREE_TURN_FREELY && to; k++)
    to[p[k]] -= share * x[p[k]] * *mu;
}

/* --- loads: p lam ----------------------------------------------------------------------------- */

void tree_norms_load(const tree *c, const gradyn_mech_state *at, double *r)
{
  for (int i = c->left.rows; i < c->mech.m; i++)
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      r[parameters(c, i)[k]] += at->lam[i] * at->q[parameters(c, i)[k]];
}

void tree_norms_load_along(const tree *c, const gradyn_mech_state *at, const gradyn_mech_change *d,
                           gradyn_lanes *r)
{
  for (int i = c->left.rows; i < c->mech.m && d->q; i++)
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      r[parameters(c, i)[k]] += at->lam[i] * d->q[parameters(c, i)[k]];
}

void tree_norms_load_against(const tree *c, const gradyn_mech_state *at, const gradyn_lanes *mu,
                             const gradyn_mech_adjoints *adjoints)
{
  for (int i = c->left.rows; i < c->mech.m && adjoints->q; i++)
    for (int k = 0; k < TREE_TURN_FREELY; k++)
      adjoints->q[parameters(c, i)[k]] -= at->lam[i] * mu[parameters(c, i)[k]];
}

/* --- equations -------------------------------------------------------------------------------- */

void tree_norms_values(const tree *c, int order, const gradyn_mech_state *at, double *phi)
{
  for (int i = c->left.rows; i < c->mech.m; i++) {
    const int *p = parameters(c, i);
    if (order == 0)
      phi[i] = (dot(p, at->q, at->q) - 1) / 2;
    else if (order == 1)
      phi[i] = dot(p, at->q, at->v);
    else
      phi[i] = dot(p, at->q, at->a) + dot(p, at->v, at->v);
  }
}

void tree_norms_slopes(const tree *c, const double *q, double *values)
{
  const gradyn_pattern *jac = &c->mech.jac;
  for (int i = c->left.rows; i < c->mech.m; i++)
    for (int e = jac->start[i]; e < jac->start[i + 1]; e++)
      values[e] = q[jac->col[e]];
}

void tree_norms_values_along(const tree *c, int order, const gradyn_mech_state *at,
                             const gradyn_mech_change *d, gradyn_lanes *phi)
{
  const double *const by_q[3] = {at->q, at->v, at->a}, *const by_v[3] = {NULL, at->q, at->v};
  for (int i = c->left.rows; i < c->mech.m; i++) {
    add_lanes(parameters(c, i), 1, by_q[order], d->q, &phi[i]);
    if (order > 0)
      add_lanes(parameters(c, i), order, by_v[order], d->v, &phi[i]);
  }
}

void tree_norms_values_against(const tree *c, int order, const gradyn_mech_state *at,
                               const gradyn_lanes *mu, const gradyn_mech_adjoints *adjoints)
{
  const double *const by_q[3] = {at->q, at->v, at->a}, *const by_v[3] = {NULL, at->q, at->v};
  for (int i = c->left.rows; i < c->mech.m; i++) {
    give(parameters(c, i), 1, by_q[order], &mu[i], adjoints->q);
    if (order > 0)
      give(parameters(c, i), order, by_v[order], &mu[i], adjoints->v);
  }
}
