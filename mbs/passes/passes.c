/* Passes along the tree: from parents to bodies (out), and from bodies to parents (in). Equations:
 * docs/theory/coordinates.md. Maps are in the links after tree_move(). */
#include "mbs/passes/passes.h"
#include "mbs/passes/plane.h"
#include "mbs/passes/vectors.h"

#include <math.h>
#include <string.h>

int tree_link_at(const tree *c, int at)
{
  return at < c->natural->n && c->position[at] < 0 ? -1 - c->position[at] : -1;
}

/* Component of a parent's vector, or of a time derivative of it; the ground has constant axes. */
static inline double of_parent(const tree_link *link, const double *X, int order, int vector, int k)
{
  if (link->from[0] >= 0)
    return X[link->from[vector] + k];
  return order == 0 && vector > 0 && vector - 1 == k;
}

/* --- state ------------------------------------------------------------------------------------ */

/* X = L X_p, X' = L X'_p + L' X_p, X'' = L X''_p + 2 L' X'_p + L'' X_p; and b = L_z X_p. */
GRADYN_KERNEL void move_link(const int orders, tree *c, const tree_link *link, tree_axes *b)
{
  const tree_map *L = link->jet;
  tree_axes X[3], to[3];
  for (int order = 0; order < orders; order++) {
    tree_take_parent(link, c->X[order], order, &X[order]);
    to[order] = (tree_axes){{X[order].e[0]}};
    tree_add_product(&L[0], 1, &X[order], &to[order]);
  }
  if (orders == 3) {
    tree_add_product(&L[1], 1, &X[0], &to[1]);
    tree_add_product(&L[1], 2, &X[1], &to[2]);
    tree_add_product(&L[2], 1, &X[0], &to[2]);
  }
  for (int order = 0; order < orders; order++)
    for (int i = 0; i < TREE_VECTORS; i++)
      tree_put(&to[order].e[i], c->X[order] + link->own[i]);
  for (int k = 0; k < link->k; k++) {
    tree_clear(&b[k]);
    tree_add_product(&link->jet_z[k][0], 1, &X[0], &b[k]);
  }
}

/* Moves all links, for positions only (orders = 1) or with both rates. */
static GRADYN_WIDE void move_links(int orders, tree *c)
{
  for (int i = 0; i < c->links; i++)
    if (orders == 1)
      move_link(1, c, &c->link[i], &c->motion[i * TREE_FREE]);
    else
      move_link(3, c, &c->link[i], &c->motion[i * TREE_FREE]);
}

/* The first order in which a state differs from the state of the tree, if only by the sign of a zero;
 * `orders`: none differs. */
static int first_change(const tree *c, const double *const state[3], int orders)
{
  const size_t n = (size_t)c->mech.n;
  for (int order = 0; order < orders; order++) {
    const double *is = c->looked.z[order], *asked = state[order];
    if (asked ? memcmp(is, asked, n * sizeof *is) != 0 : !c->looked.zero[order])
      return order;
  }
  return orders;
}

void tree_take_coordinates(const tree *c, const tree_link *link, int orders, double z[3][TREE_FREE])
{
  for (int order = 0; order < 3; order++)
    for (int k = 0; k < link->k; k++)
      z[order][k] = order < orders ? c->looked.z[order][link->z[k]] : 0;
}

static void move_maps(tree *c, int orders)
{
  for (int i = 0; i < c->links; i++) {
    double z[3][TREE_FREE];
    tree_take_coordinates(c, &c->link[i], 3, z);
    tree_map_at(c->mbs, orders, &c->link[i], z);
  }
  move_links(orders, c);
}

/* Copies orders first to orders - 1 of a state to the tree. */
static void take_state(tree *c, const double *const state[3], int first, int orders)
{
  for (int order = first; order < orders && order < 3; order++) {
    double *z = c->looked.z[order];
    if (!state[order] && c->looked.zero[order])
      continue;
    c->looked.zero[order] = !state[order];
    if (state[order])
      memcpy(z, state[order], (size_t)c->mech.n * sizeof *z);
    else
      memset(z, 0, (size_t)c->mech.n * sizeof *z);
    for (int i = 0; i < c->looked.shared; i++)
      c->X[order][c->source[i]] = z[i];
  }
}

/* Moves the tree to a state of orders 0 to orders - 1. In the plane, orders are updated one by one. In
 * space, maps of one order or of all are computed. */
static void move_up_to(tree *c, int orders, const double *const state[3])
{
  const int standing = c->looked.orders;
  const int first = first_change(c, state, standing < orders ? standing : orders);
  if (first == orders)
    return;
  if (!c->plane && orders > 1)
    orders = 3;
  if (standing == 0)
    memset(c->looked.zero, 0, sizeof c->looked.zero);
  c->looked.orders = orders;
  c->looked.wrenches = c->looked.wrenches && first > 0;
  take_state(c, state, first, orders);
  if (c->plane)
    plane_move(c, first, orders);
  else
    move_maps(c, orders);
}

void tree_move(tree *c, const double *q, const double *v, const double *a)
{
  move_up_to(c, 3, (const double *const[3]){q, v, a});
}

void tree_move_for(tree *c, int orders, const double *q, const double *v, const double *a)
{
  move_up_to(c, orders, (const double *const[3]){q, v, a});
}

/* --- lanes ------------------------------------------------------------------------------------ */

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
GRADYN_KERNEL void add_map(const tree_map *f, const gradyn_lanes *factor, lane_map *to)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < TREE_VECTORS; j++)
      to->e[i][j] += f->e[i][j] * *factor;
}

bool tree_take_datum(const tree *c, const tree_change *d, int at, gradyn_lanes *z)
{
  *z = (gradyn_lanes){0, 0, 0, 0};
  if (d->data->lanes)
    *z = d->data->lanes[at];
  for (int k = 0; k < d->columns && !d->data->lanes && d->data->x; k++)
    (*z)[k] = d->data->x[k * c->mech.nx + at];
  return gradyn_lanes_any(1, z);
}

/* to += dC L + L dC_p, for L or a derivative of L. */
GRADYN_KERNEL void add_turned(const tree_data_lanes *x, const tree_map *L, lane_map *to)
{
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < TREE_VECTORS; k++) {
        to->e[i][k] += x->own[i][j] * L->e[1 + j][k];
        to->e[i][1 + j] += L->e[i][k] * x->parent[k][j];
      }
}

/* Change by a shift of frame a's origin: along axes of the parent. If the body has frame a, the shift is
 * along its axes, which rotate by L or a derivative of L. */
GRADYN_KERNEL void add_shift(const tree_link *link, double share, const gradyn_lanes shift[3],
                             const tree_map *L, lane_map *to)
{
  for (int j = 0; j < 3; j++) {
    if (!link->turned && L == &link->jet[0])
      to->e[0][1 + j] += shift[j];
    for (int k = 0; k < TREE_VECTORS && link->turned; k++)
      to->e[0][k] -= share * shift[j] * L->e[1 + j][k];
  }
}

/* Adds the changes by data, of orders 0 to orders - 1, to dL. */
GRADYN_KERNEL void add_data(int orders, const tree_link *link, const tree_data_lanes *x,
                            lane_map dL[3])
{
  for (int order = 0; order < orders; order++) {
    add_turned(x, &link->jet[order], &dL[order]);
    for (int n = 0; n <= order; n++)
      add_shift(link, tree_binomial[order][n], x->shift[n], &link->jet[order - n], &dL[order]);
  }
  for (int i = 0; i < link->k && orders == 3; i++) {
    const gradyn_lanes twice = 2 * x->rate[i];
    add_map(&link->jet_z[i][0], &x->rate[i], &dL[1]);
    add_map(&link->jet_z[i][1], &twice, &dL[2]);
    add_map(&link->jet_z[i][0], &x->acceleration[i], &dL[2]);
  }
}

/* dL and, for orders = 3, dL' and dL'' of a link; x: changes by data, NULL: none. orders: 1 or 3. */
GRADYN_KERNEL void change_maps(int orders, const tree_link *link, const tree_change *d,
                               const tree_data_lanes *x, lane_map dL[3])
{
  memset(dL, 0, (size_t)orders * sizeof *dL);
  for (int i = 0; i < link->k; i++) {
    const tree_map *jet_z = link->jet_z[i];
    for (int order = 0; order < orders && d->q; order++)
      add_map(&jet_z[order], &d->q[link->z[i]], &dL[order]);
    if (!d->v || orders < 3)
      continue;
    const gradyn_lanes twice = 2 * d->v[link->z[i]];
    add_map(&jet_z[0], &d->v[link->z[i]], &dL[1]);
    add_map(&jet_z[1], &twice, &dL[2]);
  }
  if (x)
    add_data(orders, link, x, dL);
}

/* --- tangent products ------------------------------------------------------------------------- */

GRADYN_KERNEL void follow_link(tree *c, const tree_link *link, const tree_change *d)
{
  lane_map dL[3];
  tree_data_lanes x;
  change_maps(3, link, d, tree_data_along(c, link, d, &x) ? &x : NULL, dL);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++)
      for (int order = 0; order < 3; order++) {
        gradyn_lanes sum = {0, 0, 0, 0};
        for (int j = 0; j < TREE_VECTORS; j++)
          for (int o = 0; o <= order; o++) {
            const double share = tree_binomial[order][o];
            sum += share * link->jet[o].e[i][j] * *lanes_of_parent(link, c->dX[order - o], j, k);
            sum += share * of_parent(link, c->X[order - o], order - o, j, k) * dL[o].e[i][j];
          }
        c->dX[order][link->own[i] + k] = sum;
      }
}

static GRADYN_WIDE void follow_links(tree *c, const tree_change *d)
{
  for (int i = 0; i < c->links; i++)
    follow_link(c, &c->link[i], d);
}

void tree_follow(tree *c, const tree_change *d)
{
  for (int i = 0; i < c->looked.shared; i++) {
    const int at = c->source[i];
    c->dX[0][at] = d->q ? d->q[i] : nothing;
    c->dX[1][at] = d->v ? d->v[i] : nothing;
    c->dX[2][at] = nothing;
  }
  if (c->plane)
    plane_follow(c, d);
  else
    follow_links(c, d);
}

/* dX = L dX_p + b dz of a link. */
GRADYN_KERNEL void push_link(tree *c, int i, const gradyn_lanes *dz)
{
  const tree_link *link = &c->link[i];
  for (int k = 0; k < 3; k++) {
    gradyn_lanes from[TREE_VECTORS] = {{0}};
    for (int j = 0; j < TREE_VECTORS && link->from[0] >= 0; j++)
      from[j] = c->dX[0][link->from[j] + k];
    for (int v = 0; v < TREE_VECTORS; v++) {
      gradyn_lanes sum = v == 0 ? from[0] : nothing;
      for (int j = 1; j < TREE_VECTORS; j++)
        sum += link->jet[0].e[v][j] * from[j];
      for (int s = 0; s < link->k; s++)
        sum += c->motion[i * TREE_FREE + s].e[v][k] * dz[link->z[s]];
      c->dX[0][link->own[v] + k] = sum;
    }
  }
}

static GRADYN_WIDE void push_links(tree *c, const gradyn_lanes *dz)
{
  for (int i = 0; i < c->links; i++)
    push_link(c, i, dz);
}

void tree_push(tree *c, const gradyn_lanes *dz)
{
  for (int i = 0; i < c->looked.shared; i++)
    c->dX[0][c->source[i]] = dz[i];
  if (c->plane)
    plane_push(c, dz);
  else
    push_links(c, dz);
}

/* F_p += L^T F, where the loads of a link, F, and of its parent, F_p, are in c->F. */
GRADYN_KERNEL void pull_link(tree *c, const tree_link *link, tree_axes *F)
{
  tree_take_body(c->F, link->own, F);
  if (link->from[0] >= 0)
    tree_pull_in(&link->jet[0], F, link->from, c->F);
}

static GRADYN_WIDE void pull_links(tree *c, double *r)
{
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    tree_axes F;
    pull_link(c, link, &F);
    for (int k = 0; k < link->k; k++)
      r[link->z[k]] += tree_contract(&F, &c->motion[i * TREE_FREE + k]);
  }
}

void tree_pull(tree *c, double *r)
{
  memset(r, 0, (size_t)c->mech.n * sizeof *r);
  if (c->plane)
    plane_pull(c, r);
  else
    pull_links(c, r);
  /* coordinates of joints are components of X, which constraints outside the tree may load */
  for (int i = 0; i < c->looked.shared; i++)
    r[i] += c->F[c->source[i]];
}

/* *to += dF : (L_z X_p) + F : d(L_z X_p), for coordinate `free`. */
GRADYN_KERNEL void load_change(const tree *c, const tree_link *link, const tree_change *d,
                               const tree_data_lanes *x, int free, gradyn_lanes *to)
{
  const tree_map *L_z = &link->jet_z[free][0];
  lane_map dLz;
  gradyn_lanes sum = {0, 0, 0, 0};
  memset(&dLz, 0, sizeof dLz);
  for (int i = 0; i < link->k && d->q; i++)
    add_map(&link->L_zz[free][i], &d->q[link->z[i]], &dLz);
  if (x) {
    add_turned(x, L_z, &dLz);
    add_shift(link, 1, x->shift[0], L_z, &dLz);
    add_shift(link, 1, x->shifted[free], &link->jet[0], &dLz);
    add_map(L_z, &x->load[free], &dLz);
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
GRADYN_KERNEL void pull_change(tree *c, const tree_link *link, const tree_change *d,
                               const tree_data_lanes *x)
{
  lane_map dL[3];
  if (link->from[0] < 0)
    return;
  change_maps(1, link, d, x, dL);
  for (int i = 0; i < TREE_VECTORS; i++)
    for (int k = 0; k < 3; k++) {
      const double F = c->F[link->own[i] + k];
      const gradyn_lanes dF = c->dF[link->own[i] + k];
      for (int j = 0; j < TREE_VECTORS; j++)
        c->dF[link->from[j] + k] += link->jet[0].e[i][j] * dF + F * dL[0].e[i][j];
    }
}

static GRADYN_WIDE void pull_changes(tree *c, const tree_change *d, gradyn_lanes *r)
{
  for (int i = c->links - 1; i >= 0; i--) {
    const tree_link *link = &c->link[i];
    tree_data_lanes capacity, *x = tree_data_along(c, link, d, &capacity) ? &capacity : NULL;
    for (int k = 0; k < link->k; k++)
      load_change(c, link, d, x, k, &r[link->z[k]]);
    pull_change(c, link, d, x);
    tree_axes F;
    pull_link(c, link, &F);
  }
}

void tree_pull_change(tree *c, const tree_change *d, gradyn_lanes *r)
{
  if (c->plane)
    plane_pull_change(c, d, r);
  else
    pull_changes(c, d, r);
  for (int i = 0; i < c->looked.shared; i++)
    r[i] += c->dF[c->source[i]];
}
