/* The pass in of adjoints: bars of bodies' vectors to those of coordinates, rates, accelerations and data.
 * The equations are those of docs/theory/coordinates.md; maps and motions stand since tree_move(). */
#include "mbs/tree/passes.h"
#include "mbs/tree/vectors.h"

#include <string.h>

/* A link, its parent's place, its loads. */
typedef struct joint_place {
  const tree_link *link;
  tree_axes X[3], F;
} joint_place;

/* --- coordinates ------------------------------------------------------------------------------------ */

/* How X' and X'' change with a coordinate: the time derivatives of b = L_z X_p. */
GRADYN_KERNEL void motion_jet(const joint_place *p, int s, tree_axes *b1, tree_axes *b2)
{
  const tree_map *L_z = p->link->jet_z[s];
  *b1 = *b2 = (tree_axes){{{0}}};
  tree_add_product(&L_z[0], 1, &p->X[1], b1);
  tree_add_product(&L_z[1], 1, &p->X[0], b1);
  tree_add_product(&L_z[0], 1, &p->X[2], b2);
  tree_add_product(&L_z[1], 2, &p->X[1], b2);
  tree_add_product(&L_z[2], 1, &p->X[0], b2);
}

/* sum += share B : b, B the bars of a body's vectors. */
GRADYN_KERNEL void contract(const gradyn_lanes *bar, const int *at, double share,
                            const tree_axes *b, gradyn_lanes *sum)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      *sum += share * b->e[i][k] * bar[at[i] + k];
}

/* Bars of a link's coordinate s. */
GRADYN_KERNEL void bars_of_coordinate(tree *c, const joint_place *p, const tree_axes *motion, int s,
                                      const tree_bars *b)
{
  const int z = p->link->z[s], *own = p->link->own;
  tree_axes b1, b2;
  motion_jet(p, s, &b1, &b2);
  if (b->q) {
    contract(c->bar[0], own, 1, &motion[s], &b->q[z]);
    contract(c->bar[1], own, 1, &b1, &b->q[z]);
    contract(c->bar[2], own, 1, &b2, &b->q[z]);
  }
  if (b->v) {
    contract(c->bar[1], own, 1, &motion[s], &b->v[z]);
    contract(c->bar[2], own, 2, &b1, &b->v[z]);
  }
  if (b->a)
    contract(c->bar[2], own, 1, &motion[s], &b->a[z]);
}

/* Minus those of mu^T F : (L_z X_p), by way of the coordinate and of the parent's dX and X. */
GRADYN_KERNEL void bars_of_load(tree *c, const joint_place *p, int s, const tree_bars *b)
{
  const tree_link *link = p->link;
  const int z = link->z[s];
  tree_axes W = {{{0}}}; /* L_z^T F */
  for (int j = 1; j < TREE_VECTORS; j++)
    for (int i = 0; i < TREE_VECTORS; i++)
      W.e[j] += link->jet_z[s][0].e[i][j] * p->F.e[i];
  for (int r = 0; r < link->k && b->q; r++) {
    tree_axes bent = {{{0}}};
    tree_add_product(&link->L_zz[s][r], 1, &p->X[0], &bent);
    b->q[z] -= tree_contract(&p->F, &bent) * b->mu[link->z[r]];
  }
  for (int j = 1; j < TREE_VECTORS && link->from[0] >= 0; j++)
    for (int k = 0; k < 3; k++) {
      const int at = link->from[j] + k;
      if (b->q)
        b->q[z] -= W.e[j][k] * c->dX[0][at];
      c->bar[0][at] -= W.e[j][k] * b->mu[z];
    }
}

/* Bars of a link's vectors to those of its parent: by L and its time derivatives, transposed. */
GRADYN_KERNEL void bars_of_parent(tree *c, const tree_link *link)
{
  const tree_map *L = link->jet;
  for (int k = 0; k < 3; k++) {
    gradyn_lanes bar[3][TREE_VECTORS];
    for (int order = 0; order < 3; order++) {
      for (int i = 0; i < TREE_VECTORS; i++)
        bar[order][i] = c->bar[order][link->own[i] + k];
      c->bar[order][link->from[0] + k] += bar[order][0];
    }
    for (int j = 1; j < TREE_VECTORS; j++) {
      const int to = link->from[j] + k;
      gradyn_lanes sum[3] = {c->bar[0][to], c->bar[1][to], c->bar[2][to]};
      for (int i = 0; i < TREE_VECTORS; i++) {
        const double L0 = L[0].e[i][j], L1 = L[1].e[i][j];
        sum[0] += L0 * bar[0][i] + L1 * bar[1][i] + L[2].e[i][j] * bar[2][i];
        sum[1] += L0 * bar[1][i] + 2 * L1 * bar[2][i];
        sum[2] += L0 * bar[2][i];
      }
      for (int order = 0; order < 3; order++)
        c->bar[order][to] = sum[order];
    }
  }
}

/* --- data ------------------------------------------------------------------------------------------- */

GRADYN_KERNEL void bars_of_maps(const tree *c, const joint_place *p, bool loaded, tree_map_bars *B)
{
  static const gradyn_lanes nothing = {0};
  memset(B, 0, sizeof *B);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const int at = p->link->own[i] + k;
      const gradyn_lanes *bar[3] = {&c->bar[0][at], &c->bar[1][at], &c->bar[2][at]};
      for (int j = 1; j < TREE_VECTORS; j++) {
        const double X = p->X[0].e[j][k], V = p->X[1].e[j][k], A = p->X[2].e[j][k];
        B->L[0].e[i][j] += X * *bar[0] + V * *bar[1] + A * *bar[2];
        B->L[1].e[i][j] += X * *bar[1] + 2 * V * *bar[2];
        B->L[2].e[i][j] += X * *bar[2];
        if (!loaded)
          continue;
        const double F = p->F.e[i][k];
        const gradyn_lanes *dX = p->link->from[0] >= 0 ? &c->dX[0][p->link->from[j] + k] : &nothing;
        B->L[0].e[i][j] -= F * *dX;
        B->mu.e[i][j] -= F * X;
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

static bool has_data(const tree_bars *b)
{
  return b->data && (b->data->x || b->data->lanes);
}

static GRADYN_WIDE void fill_bars(const tree *c, const joint_place *p, bool loaded,
                                  tree_map_bars *B)
{
  bars_of_maps(c, p, loaded, B);
}

static void bars_of_data(const tree *c, const joint_place *p, const tree_bars *b)
{
  const tree_link *link = p->link;
  double z[3][TREE_FREE] = {{0}};
  gradyn_lanes bar[TREE_DATA];
  tree_map_bars B;
  fill_bars(c, p, b->mu, &B);
  for (int order = 0; order < 3; order++)
    for (int k = 0; k < link->k; k++)
      z[order][k] = c->looked.z[order][link->z[k]];
  tree_data_against(c->mbs, link, z, &B, b->mu, bar);
  for (int k = 0; k < link->data; k++)
    if (link->datum[k].active)
      give_datum(c, b, link->datum[k].at, &bar[k]);
}

/* --- the pass --------------------------------------------------------------------------------------- */

static GRADYN_WIDE void bars_of_link(tree *c, int i, const tree_bars *b, joint_place *p)
{
  const tree_link *link = p->link = &c->link[i];
  for (int order = 0; order < 3; order++)
    tree_take_parent(link, c->X[order], order, &p->X[order]);
  tree_take_body(c->F, link->own, &p->F);
  for (int s = 0; s < link->k; s++)
    bars_of_coordinate(c, p, &c->motion[i * TREE_FREE], s, b);
  if (link->from[0] >= 0)
    bars_of_parent(c, link);
  for (int s = 0; s < link->k && b->mu; s++)
    bars_of_load(c, p, s, b);
  if (b->mu && link->from[0] >= 0)
    tree_pull_in(&link->jet[0], &p->F, link->from, c->F);
}

void tree_against(tree *c, const tree_bars *b)
{
  for (int i = c->links - 1; i >= 0; i--) {
    joint_place p;
    bars_of_link(c, i, b, &p);
    if (has_data(b) && c->link[i].active)
      bars_of_data(c, &p, b);
  }
  for (int i = 0; i < c->looked.shared; i++) {
    gradyn_lanes *const bar[3] = {b->q, b->v, b->a};
    for (int order = 0; order < 3; order++)
      if (bar[order])
        bar[order][i] += c->bar[order][c->source[i]];
  }
}
