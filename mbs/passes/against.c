/* Adjoint pass towards the root: adjoints of bodies' vectors become adjoints of coordinates, rates,
 * accelerations and data. Equations: docs/theory/coordinates.md. Maps and motions are valid after
 * tree_move(). */
#include "mbs/passes/joints.h"
#include "mbs/passes/plane.h"
#include "mbs/passes/vectors.h"

#include <string.h>

/* A link: X, the vectors of its parent and their rates; F, the loads at the link. With active data also:
 * handed, the adjoints that the link passes to its parent; loads, the loads at the parent. */
typedef struct joint_place {
  const tree_link *link;
  tree_axes X[3], F, loads;
  gradyn_lanes handed[3][TREE_VECTORS][3];
  tree_data_lanes data;
} joint_place;

/* --- coordinates ------------------------------------------------------------------------------ */

/* Derivatives of X' and X'' by a coordinate: the time derivatives of b = L_z X_p. */
GRADYN_KERNEL void motion_jet(const joint_place *p, int s, tree_axes *b1, tree_axes *b2)
{
  const tree_map *L_z = p->link->jet_z[s];
  tree_clear(b1);
  tree_clear(b2);
  tree_add_product(&L_z[0], 1, &p->X[1], b1);
  tree_add_product(&L_z[1], 1, &p->X[0], b1);
  tree_add_product(&L_z[0], 1, &p->X[2], b2);
  tree_add_product(&L_z[1], 2, &p->X[1], b2);
  tree_add_product(&L_z[2], 1, &p->X[0], b2);
}

/* sum += share B : b, with B the adjoints of a body's vectors. */
GRADYN_KERNEL void contract(const gradyn_lanes *bar, const int *at, double share,
                            const tree_axes *b, gradyn_lanes *sum)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      *sum += share * b->e[i][k] * bar[at[i] + k];
}

/* Adjoints of coordinate s of a link, and of its rates. */
GRADYN_KERNEL void bars_of_coordinate(const int orders, bool asked, tree *c, joint_place *p,
                                      const tree_axes *motion, int s, const tree_adjoints *b)
{
  const int z = p->link->z[s], *own = p->link->own;
  gradyn_lanes rate = {0}, acceleration = {0};
  tree_axes b1, b2;
  p->data.rate[s] = p->data.acceleration[s] = rate;
  if (orders == 1) {
    if (b->q)
      contract(c->bar[0], own, 1, &motion[s], &b->q[z]);
    return;
  }
  motion_jet(p, s, &b1, &b2);
  if (b->q) {
    contract(c->bar[0], own, 1, &motion[s], &b->q[z]);
    contract(c->bar[1], own, 1, &b1, &b->q[z]);
    contract(c->bar[2], own, 1, &b2, &b->q[z]);
  }
  if (b->v || asked) {
    contract(c->bar[1], own, 1, &motion[s], &rate);
    contract(c->bar[2], own, 2, &b1, &rate);
  }
  if (b->a || asked)
    contract(c->bar[2], own, 1, &motion[s], &acceleration);
  if (b->v)
    b->v[z] += rate;
  if (b->a)
    b->a[z] += acceleration;
  if (!asked)
    return;
  p->data.rate[s] = rate;
  p->data.acceleration[s] = acceleration;
}

/* Subtracts the adjoints of mu^T F : (L_z X_p) by the coordinate, and by dX and X of the parent. */
GRADYN_KERNEL void bars_of_load(bool asked, tree *c, joint_place *p, int s, const tree_adjoints *b)
{
  const tree_link *link = p->link;
  const int z = link->z[s];
  tree_axes W; /* L_z^T F */
  tree_clear(&W);
  for (int j = 1; j < TREE_VECTORS; j++)
    for (int i = 0; i < TREE_VECTORS; i++)
      W.e[j] += link->jet_z[s][0].e[i][j] * p->F.e[i];
  for (int r = 0; r < link->k && b->q; r++) {
    tree_axes bent;
    tree_clear(&bent);
    tree_add_product(&link->L_zz[s][r], 1, &p->X[0], &bent);
    b->q[z] -= tree_contract(&p->F, &bent) * b->mu[link->z[r]];
  }
  for (int j = 1; j < TREE_VECTORS && link->from[0] >= 0; j++)
    for (int k = 0; k < 3; k++) {
      const int at = link->from[j] + k;
      if (b->q)
        b->q[z] -= W.e[j][k] * c->dX[0][at];
      if (!asked)
        c->bar[0][at] -= W.e[j][k] * b->mu[z];
    }
  if (!asked)
    return;
  p->data.load[s] = -tree_contract(&p->F, &c->motion[(link - c->link) * TREE_FREE + s]) * b->mu[z];
  for (int j = 1; j < TREE_VECTORS; j++)
    for (int k = 0; k < 3; k++)
      p->handed[0][j][k] -= W.e[j][k] * b->mu[z];
}

/* Adjoints of a link's vectors become adjoints of its parent's vectors, by the transposes of L and of its
 * time derivatives. */
GRADYN_KERNEL void bars_of_parent(const int orders, bool asked, tree *c, joint_place *p)
{
  static const gradyn_lanes nothing = {0};
  const tree_link *link = p->link;
  const tree_map *L = link->jet;
  for (int k = 0; k < 3; k++) {
    gradyn_lanes bar[3][TREE_VECTORS];
    for (int order = 0; order < orders; order++)
      for (int i = 0; i < TREE_VECTORS; i++)
        bar[order][i] = c->bar[order][link->own[i] + k];
    for (int j = 0; j < TREE_VECTORS; j++) {
      gradyn_lanes sum[3];
      for (int order = 0; order < orders; order++)
        sum[order] = asked ? nothing : c->bar[order][link->from[j] + k];
      for (int order = 0; order < orders && j == 0; order++)
        sum[order] += bar[order][0];
      for (int i = 0; i < TREE_VECTORS && j > 0; i++) {
        const double L0 = L[0].e[i][j], L1 = L[1].e[i][j];
        if (orders == 1) {
          sum[0] += L0 * bar[0][i];
          continue;
        }
        sum[0] += L0 * bar[0][i] + L1 * bar[1][i] + L[2].e[i][j] * bar[2][i];
        sum[1] += L0 * bar[1][i] + 2 * L1 * bar[2][i];
        sum[2] += L0 * bar[2][i];
      }
      for (int order = 0; order < orders; order++)
        if (asked)
          p->handed[order][j][k] = sum[order];
        else
          c->bar[order][link->from[j] + k] = sum[order];
    }
  }
}

/* Adds the adjoints that a link passes on to those of its parent. */
GRADYN_KERNEL void add_handed(const int orders, tree *c, const joint_place *p)
{
  for (int order = 0; order < orders; order++)
    for (int j = 0; j < TREE_VECTORS; j++)
      for (int k = 0; k < 3; k++)
        c->bar[order][p->link->from[j] + k] += p->handed[order][j][k];
}

/* --- data ------------------------------------------------------------------------------------- */

/* C_ij += B_i . X_j, where order 0 replaces C. Entries of a base vector with itself are not needed. */
GRADYN_KERNEL void add_outer(const int order, gradyn_lanes B[TREE_VECTORS][3], const tree_axes *X_,
                             gradyn_lanes C[TREE_VECTORS][3])
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < 3; j++) {
      const gradyn_lanes product = X_->e[1 + j][0] * B[i][0] + X_->e[1 + j][1] * B[i][1] +
                                   X_->e[1 + j][2] * B[i][2];
      if (i != 1 + j)
        C[i][j] = order == 0 ? product : C[i][j] + product;
    }
}

/* C_ij -= F_i dX_j. */
GRADYN_KERNEL void subtract_loads(const tree *c, const tree_axes *F, const int *at,
                                  gradyn_lanes C[TREE_VECTORS][3])
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3 && i != 1 + j; k++)
        C[i][j] -= F->e[i][k] * c->dX[0][at[1 + j] + k];
}

/* Adjoints of shifts of frame a's origin along axes of its body, and of the shifts' time derivatives. With
 * mu, adds those of the loads, also for each slide. */
GRADYN_KERNEL void bars_of_shifts(const int orders, const tree *c, joint_place *p,
                                  const tree_axes X[3], const int *at, const gradyn_lanes *mu)
{
  const tree_link *link = p->link;
  const double sign = link->turned ? -1 : 1;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      for (int n = 0; n < orders; n++)
        for (int order = n; order < orders; order++)
          p->data.shift[n][j] += sign * tree_binomial[order][n] * X[order - n].e[1 + j][k] *
                                 c->bar[order][link->own[0] + k];
      if (mu && at[0] >= 0)
        p->data.shift[0][j] -= sign * p->F.e[0][k] * c->dX[0][at[1 + j] + k];
      for (int s = 0; s < link->k && mu; s++)
        p->data.shifted[s][j] -= sign * p->F.e[0][k] * X[0].e[1 + j][k] * mu[link->z[s]];
    }
}

/* Fills p->data: adjoints of changes of the vectors of both bodies and, if the joint slides, of shifts. */
GRADYN_KERNEL void fill_bars(const int orders, const tree *c, joint_place *p, bool slides,
                             const tree_adjoints *b)
{
  const tree_link *link = p->link;
  tree_data_lanes *B = &p->data;
  tree_axes own[3];
  for (int order = 0; order < orders; order++) {
    gradyn_lanes bar[TREE_VECTORS][3];
    tree_take_body(c->X[order], link->own, &own[order]);
    for (int i = 0; i < TREE_VECTORS; i++)
      for (int k = 0; k < 3; k++)
        bar[i][k] = c->bar[order][link->own[i] + k];
    add_outer(order, bar, &own[order], B->own);
    if (order == 0 || link->from[0] >= 0)
      add_outer(order, p->handed[order], &p->X[order], B->parent);
  }
  if (b->mu)
    subtract_loads(c, &p->F, link->own, B->own);
  if (b->mu && link->from[0] >= 0)
    subtract_loads(c, &p->loads, link->from, B->parent);
  if (!slides)
    return;
  memset(B->shift, 0, sizeof B->shift);
  memset(B->shifted, 0, sizeof B->shifted);
  bars_of_shifts(orders, c, p, link->turned ? own : p->X, link->turned ? link->own : link->from,
                 b->mu);
}

static bool has_data(const tree_adjoints *b)
{
  return b->data && (b->data->x || b->data->lanes);
}

/* Adds the adjoints of the vectors of both frames to the adjoints of the data of these vectors. */
static GRADYN_WIDE void give_data(const tree_link *link, const gradyn_lanes *frame, int nx,
                                  const tree_adjoints *b)
{
  gradyn_lanes *const to = b->data->lanes;
  for (int i = 0; i < link->data; i++) {
    const tree_datum *x = &link->datum[i];
    const gradyn_lanes *bar = &frame[3 * (TREE_FRAME_VECTORS * x->of_b + x->vector) + x->component];
    if (!x->active)
      continue;
    if (to)
      to[x->at] += *bar;
    else
      for (int k = 0; k < b->columns; k++)
        b->data->x[k * nx + x->at] += (*bar)[k];
  }
}

/* As fill_bars(), for one order or for all. */
static GRADYN_WIDE void fill_data(const tree *c, joint_place *p, bool slides,
                                  const tree_adjoints *b)
{
  if (b->orders == 1)
    fill_bars(1, c, p, slides, b);
  else
    fill_bars(3, c, p, slides, b);
}

static void bars_of_data(const tree *c, joint_place *p, const tree_adjoints *b)
{
  const tree_link *link = p->link;
  gradyn_lanes frame[2][TREE_FRAME_VECTORS][3];
  fill_data(c, p, tree_slides(tree_kind_of(c->mbs, link)), b);
  tree_take_coordinates(c, link, b->orders, p->data.z);
  tree_data_against(c->mbs, link, &p->data, frame);
  give_data(link, frame[0][0], c->mech.nx, b);
}

void tree_give_data(const tree *c, const tree_link *link,
                    gradyn_lanes frame[2][TREE_FRAME_VECTORS][3], const tree_adjoints *b)
{
  give_data(link, frame[0][0], c->mech.nx, b);
}

/* --- the pass --------------------------------------------------------------------------------- */

GRADYN_KERNEL void bars_of_link(const int orders, bool asked, tree *c, int i,
                                const tree_adjoints *b, joint_place *p)
{
  const tree_link *link = p->link = &c->link[i];
  for (int order = 0; order < orders; order++)
    tree_take_parent(link, c->X[order], order, &p->X[order]);
  tree_take_body(c->F, link->own, &p->F);
  for (int s = 0; s < link->k; s++)
    bars_of_coordinate(orders, asked, c, p, &c->motion[i * TREE_FREE], s, b);
  if (link->from[0] >= 0 || asked)
    bars_of_parent(orders, asked, c, p);
  for (int s = 0; s < link->k; s++) {
    p->data.load[s] = (gradyn_lanes){0};
    if (b->mu)
      bars_of_load(asked, c, p, s, b);
  }
  if (asked && link->from[0] >= 0)
    add_handed(orders, c, p);
  if (b->mu && link->from[0] >= 0)
    tree_pull_in(&link->jet[0], &p->F, link->from, c->F);
  if (b->mu && asked)
    tree_pull_back(&link->jet[0], &p->F, &p->loads);
}

/* Adjoints of one link without active data, and (bars_of_all()) with active data. */
static GRADYN_WIDE void bars_of_motion(tree *c, int i, const tree_adjoints *b, joint_place *p)
{
  if (b->orders == 1)
    bars_of_link(1, false, c, i, b, p);
  else
    bars_of_link(3, false, c, i, b, p);
}

static GRADYN_WIDE void bars_of_all(tree *c, int i, const tree_adjoints *b, joint_place *p)
{
  if (b->orders == 1)
    bars_of_link(1, true, c, i, b, p);
  else
    bars_of_link(3, true, c, i, b, p);
}

/* Clears the adjoints of a link's vectors for the next pass. */
GRADYN_KERNEL void clear_bars(tree *c, const tree_link *link, int orders)
{
  static const gradyn_lanes nothing = {0};
  for (int order = 0; order < orders; order++)
    for (int i = 0; i < TREE_VECTORS; i++)
      for (int k = 0; k < 3; k++)
        c->bar[order][link->own[i] + k] = nothing;
}

/* Adds the adjoints of coordinates that are components of X, and clears them. */
static GRADYN_WIDE void bars_of_shared(tree *c, int order, gradyn_lanes *to)
{
  static const gradyn_lanes nothing = {0};
  gradyn_lanes *bar = c->bar[order];
  for (int i = 0; i < c->looked.shared; i++) {
    if (to)
      to[i] += bar[c->source[i]];
    bar[c->source[i]] = nothing;
  }
}

/* Adjoint pass over all links of a tree in space. */
static GRADYN_WIDE void bars_of_tree(tree *c, const tree_adjoints *b)
{
  joint_place p;
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    if (has_data(b) && link->active) {
      bars_of_all(c, i, b, &p);
      bars_of_data(c, &p, b);
    } else {
      bars_of_motion(c, i, b, &p);
    }
    clear_bars(c, link, b->orders == 1 ? 1 : 3);
  }
}

void tree_clear_adjoints(tree *c)
{
  for (int order = 0; order < 3 && !c->looked.rested; order++)
    gradyn_lanes_clear(c->natural->n, c->bar[order]);
  c->looked.rested = false;
}

void tree_against(tree *c, const tree_adjoints *b)
{
  gradyn_lanes *const to[3] = {b->q, b->v, b->a};
  if (c->plane)
    plane_against(c, b);
  else
    bars_of_tree(c, b);
  for (int order = 0; order < b->orders && order < 3; order++)
    bars_of_shared(c, order, to[order]);
  c->looked.rested = true;
}
