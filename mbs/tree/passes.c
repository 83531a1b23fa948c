/* Passes along the tree: out, from parents to bodies, and in. The equations are those of
 * docs/theory/coordinates.md; maps stand in the links since tree_move(). */
#include "mbs/tree/passes.h"

#include <string.h>

/* X of a parent: its vectors, or the ground's axes, which neither move nor change. */
static inline double of_parent(const tree_link *link, const double *X, int order, int vector, int k)
{
  if (link->from[0] >= 0)
    return X[link->from[vector] + k];
  return order == 0 && vector > 0 && vector - 1 == k;
}

/* --- the place ------------------------------------------------------------------------------------- */

/* X = L X_p, X' = L X'_p + L' X_p, X'' = L X''_p + 2 L' X'_p + L'' X_p. */
static void move_link(tree *c, const tree_link *link)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      double sum[3] = {0, 0, 0};
      for (int j = 0; j < TREE_VECTORS; j++) {
        const double X = of_parent(link, c->X[0], 0, j, k), V = of_parent(link, c->X[1], 1, j, k);
        const double A = of_parent(link, c->X[2], 2, j, k);
        const double L = link->jet[0].e[i][j], L1 = link->jet[1].e[i][j], L2 = link->jet[2].e[i][j];
        sum[0] += L * X;
        sum[1] += L * V + L1 * X;
        sum[2] += L * A + 2 * L1 * V + L2 * X;
      }
      for (int order = 0; order < 3; order++)
        c->X[order][link->own[i] + k] = sum[order];
    }
}

void tree_move(tree *c, const double *q, const double *v, const double *a, bool data)
{
  const double *const state[3] = {q, v, a};
  for (int order = 0; order < 3; order++)
    for (int i = 0; i < c->mech.n; i++)
      c->X[order][c->source[i]] = state[order] ? state[order][i] : 0;
  for (int i = 0; i < c->links; i++) {
    tree_link *link = &c->link[i];
    double z[3][TREE_FREE];
    for (int order = 0; order < 3; order++)
      for (int k = 0; k < link->k; k++)
        z[order][k] = state[order] ? state[order][link->z[k]] : 0;
    tree_map_at(c->mbs, link, z, data);
    move_link(c, link);
  }
}

/* --- lanes ----------------------------------------------------------------------------------------- */

typedef struct lane_map {
  gradyn_lanes e[TREE_VECTORS][TREE_VECTORS];
} lane_map;

static const gradyn_lanes nothing = {0, 0, 0, 0};

static inline const gradyn_lanes *lanes_of_parent(const tree_link *link, const gradyn_lanes *X,
                                                  int vector, int k)
{
  return link->from[0] >= 0 ? &X[link->from[vector] + k] : &nothing;
}

/* to += factor f. */
static void add_map(const tree_map *f, const gradyn_lanes *factor, lane_map *to)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      to->e[i][j] += f->e[i][j] * *factor;
}

/* sum += share f : B */
static void contract(const tree_map *f, double share, const lane_map *B, gradyn_lanes *sum)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      *sum += share * f->e[i][j] * B->e[i][j];
}

/* The directions' entries of a datum; false if all are zero. */
static bool take_datum(const tree *c, const tree_change *d, int at, gradyn_lanes *z)
{
  *z = (gradyn_lanes){0, 0, 0, 0};
  if (d->data->lanes)
    *z = d->data->lanes[at];
  for (int k = 0; k < d->columns && !d->data->lanes; k++)
    (*z)[k] = d->data->x[k * c->mech.nx + at];
  return gradyn_lanes_any(1, z);
}

static bool has_data(const tree_change *d)
{
  return d->data && (d->data->x || d->data->lanes);
}

/* dL, dL', dL'' of a link. */
static void change_maps(const tree *c, const tree_link *link, const tree_change *d, lane_map dL[3])
{
  memset(dL, 0, 3 * sizeof *dL);
  for (int i = 0; i < link->k; i++) {
    const tree_map *jet_z = link->jet_z[i];
    for (int order = 0; order < 3 && d->q; order++)
      add_map(&jet_z[order], &d->q[link->z[i]], &dL[order]);
    if (!d->v)
      continue;
    const gradyn_lanes twice = 2 * d->v[link->z[i]];
    add_map(&jet_z[0], &d->v[link->z[i]], &dL[1]);
    add_map(&jet_z[1], &twice, &dL[2]);
  }
  for (int k = 0; k < link->data && has_data(d); k++) {
    const tree_datum *x = &link->datum[k];
    gradyn_lanes z;
    if (!x->active || !take_datum(c, d, x->at, &z))
      continue;
    for (int order = 0; order < 3; order++)
      add_map(&x->jet[order], &z, &dL[order]);
  }
}

/* --- along ------------------------------------------------------------------------------------------ */

static void follow_link(tree *c, const tree_link *link, const tree_change *d)
{
  static const double binomial[3][3] = {{1}, {1, 1}, {1, 2, 1}};
  const int orders = d->places_only ? 1 : 3;
  lane_map dL[3];
  change_maps(c, link, d, dL);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      for (int order = 0; order < orders; order++) {
        gradyn_lanes sum = {0, 0, 0, 0};
        for (int j = 0; j < TREE_VECTORS; j++)
          for (int o = 0; o <= order; o++) {
            const double share = binomial[order][o];
            sum += share * link->jet[o].e[i][j] * *lanes_of_parent(link, c->dX[order - o], j, k);
            sum += share * of_parent(link, c->X[order - o], order - o, j, k) * dL[o].e[i][j];
          }
        c->dX[order][link->own[i] + k] = sum;
      }
}

void tree_follow(tree *c, const tree_change *d)
{
  for (int i = 0; i < c->mech.n; i++) {
    const int at = c->source[i];
    c->dX[0][at] = d->q ? d->q[i] : nothing;
    c->dX[1][at] = d->v ? d->v[i] : nothing;
    c->dX[2][at] = nothing;
  }
  for (int i = 0; i < c->links; i++)
    follow_link(c, &c->link[i], d);
}

/* F_p += L^T F. */
static void pull_link(tree *c, const tree_link *link)
{
  for (int i = 0; i < TREE_VECTORS && link->from[0] >= 0; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < TREE_VECTORS; j++)
        c->F[link->from[j] + k] += link->jet[0].e[i][j] * c->F[link->own[i] + k];
}

/* F : (L_z X_p) of a coordinate. */
static double load_of(const tree *c, const tree_link *link, const tree_map *L_z)
{
  double sum = 0;
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < TREE_VECTORS; j++)
        sum += c->F[link->own[i] + k] * L_z->e[i][j] * of_parent(link, c->X[0], 0, j, k);
  return sum;
}

void tree_pull(tree *c, double *r)
{
  memset(r, 0, (size_t)c->mech.n * sizeof *r);
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    for (int k = 0; k < link->k; k++)
      r[link->z[k]] += load_of(c, link, &link->jet_z[k][0]);
    pull_link(c, link);
  }
  /* coordinates of joints are components of X themselves, which rows outside the tree may load */
  for (int i = 0; i < c->mech.n; i++)
    r[i] += c->F[c->source[i]];
}

/* *to += dF : (L_z X_p) + F : d(L_z X_p) of coordinate `free`. */
static void load_change(const tree *c, const tree_link *link, const tree_change *d, int free,
                        gradyn_lanes *to)
{
  const tree_map *L_z = &link->jet_z[free][0];
  lane_map dLz;
  gradyn_lanes sum = {0, 0, 0, 0};
  memset(&dLz, 0, sizeof dLz);
  for (int i = 0; i < link->k && d->q; i++)
    add_map(&link->L_zz[free][i], &d->q[link->z[i]], &dLz);
  for (int k = 0; k < link->data && has_data(d); k++) {
    gradyn_lanes z;
    if (link->datum[k].active && take_datum(c, d, link->datum[k].at, &z))
      add_map(&link->datum[k].z[free], &z, &dLz);
  }
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const double F = c->F[link->own[i] + k];
      const gradyn_lanes dF = c->dF[link->own[i] + k];
      for (int j = 0; j < TREE_VECTORS; j++) {
        const double X = of_parent(link, c->X[0], 0, j, k), Lz = L_z->e[i][j];
        sum += Lz * X * dF + F * X * dLz.e[i][j] + F * Lz * *lanes_of_parent(link, c->dX[0], j, k);
      }
    }
  *to += sum;
}

/* dF_p += L^T dF + dL^T F. */
static void pull_change(tree *c, const tree_link *link, const tree_change *d)
{
  lane_map dL[3];
  if (link->from[0] < 0)
    return;
  change_maps(c, link, d, dL);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const double F = c->F[link->own[i] + k];
      const gradyn_lanes dF = c->dF[link->own[i] + k];
      for (int j = 0; j < TREE_VECTORS; j++)
        c->dF[link->from[j] + k] += link->jet[0].e[i][j] * dF + F * dL[0].e[i][j];
    }
}

void tree_pull_change(tree *c, const tree_change *d, gradyn_lanes *r)
{
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    for (int k = 0; k < link->k; k++)
      load_change(c, link, d, k, &r[link->z[k]]);
    pull_change(c, link, d);
    pull_link(c, link);
  }
  for (int i = 0; i < c->mech.n; i++)
    r[i] += c->dF[c->source[i]];
}

/* --- against ---------------------------------------------------------------------------------------- */

/* Bars of L, L', L'' and of L_z mu of a link. */
typedef struct map_bars {
  lane_map L[3], mu;
} map_bars;

static void bars_of_maps(const tree *c, const tree_link *link, bool loaded, map_bars *B)
{
  memset(B, 0, sizeof *B);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const int at = link->own[i] + k;
      for (int j = 0; j < TREE_VECTORS; j++) {
        const double X = of_parent(link, c->X[0], 0, j, k), V = of_parent(link, c->X[1], 1, j, k);
        const double A = of_parent(link, c->X[2], 2, j, k);
        B->L[0].e[i][j] += X * c->bar[0][at] + V * c->bar[1][at] + A * c->bar[2][at];
        B->L[1].e[i][j] += X * c->bar[1][at] + 2 * V * c->bar[2][at];
        B->L[2].e[i][j] += X * c->bar[2][at];
        if (!loaded)
          continue;
        B->L[0].e[i][j] -= c->F[at] * *lanes_of_parent(link, c->dX[0], j, k);
        B->mu.e[i][j] -= (gradyn_lanes){1, 1, 1, 1} * (c->F[at] * X);
      }
    }
}

/* Bars of a link's vectors to those of its parent. */
static void bars_of_parent(tree *c, const tree_link *link, const tree_bars *b)
{
  if (link->from[0] < 0)
    return;
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const int at = link->own[i] + k;
      const gradyn_lanes X = c->bar[0][at], V = c->bar[1][at], A = c->bar[2][at];
      for (int j = 0; j < TREE_VECTORS; j++) {
        const int to = link->from[j] + k;
        const double L = link->jet[0].e[i][j], L1 = link->jet[1].e[i][j];
        c->bar[0][to] += L * X + L1 * V + link->jet[2].e[i][j] * A;
        c->bar[1][to] += L * V + 2 * L1 * A;
        c->bar[2][to] += L * A;
        for (int s = 0; s < link->k && b->mu; s++)
          c->bar[0][to] -= link->jet_z[s][0].e[i][j] * c->F[at] * b->mu[link->z[s]];
      }
    }
}

static void give_datum(const tree *c, const tree_bars *b, int at, const gradyn_lanes *z)
{
  if (b->data->lanes) {
    b->data->lanes[at] += *z;
    return;
  }
  for (int k = 0; k < b->columns; k++)
    b->data->x[k * c->mech.nx + at] += (*z)[k];
}

/* What L_z mu changes by with an argument, L_z by which is `by` [k]. */
static void add_load(const tree_link *link, const tree_map *by, const map_bars *B,
                     const tree_bars *b, gradyn_lanes *to)
{
  for (int i = 0; i < link->k && b->mu; i++) {
    gradyn_lanes sum = {0, 0, 0, 0};
    contract(&by[i], 1, &B->mu, &sum);
    *to += sum * b->mu[link->z[i]];
  }
}

/* Bars of maps to those of the coordinates and of data. */
static void bars_of_arguments(const tree *c, const tree_link *link, const map_bars *B,
                              const tree_bars *b)
{
  for (int i = 0; i < link->k; i++) {
    const tree_map *jet_z = link->jet_z[i];
    const int z = link->z[i];
    for (int order = 0; order < 3; order++) {
      if (b->q)
        contract(&jet_z[order], 1, &B->L[order], &b->q[z]);
      if (b->v && order > 0)
        contract(&jet_z[order - 1], order, &B->L[order], &b->v[z]);
      if (b->a && order > 1)
        contract(&jet_z[0], 1, &B->L[2], &b->a[z]);
    }
    if (b->q)
      add_load(link, link->L_zz[i], B, b, &b->q[z]);
  }
  for (int k = 0; k < link->data && b->data && (b->data->x || b->data->lanes); k++) {
    const tree_datum *x = &link->datum[k];
    gradyn_lanes sum = {0, 0, 0, 0};
    if (!x->active)
      continue;
    for (int order = 0; order < 3; order++)
      contract(&x->jet[order], 1, &B->L[order], &sum);
    add_load(link, x->z, B, b, &sum);
    give_datum(c, b, x->at, &sum);
  }
}

void tree_against(tree *c, const tree_bars *b)
{
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    map_bars B;
    bars_of_maps(c, link, b->mu, &B);
    bars_of_arguments(c, link, &B, b);
    bars_of_parent(c, link, b);
    if (b->mu)
      pull_link(c, link);
  }
  for (int i = 0; i < c->mech.n; i++) {
    gradyn_lanes *const bar[3] = {b->q, b->v, b->a};
    for (int order = 0; order < 3; order++)
      if (bar[order])
        bar[order][i] += c->bar[order][c->source[i]];
  }
}
