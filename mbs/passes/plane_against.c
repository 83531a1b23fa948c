/* Adjoint pass in the plane: adjoints of X, X', X'' become adjoints of coordinates, rates, accelerations and
 * data. With mu, it also subtracts the adjoints of mu^T W^T F. */
#include "mbs/passes/plane_products.h"

#include <string.h>

/* Adjoints of a link's numbers that depend on data, if requested. */
typedef struct data_bars {
  bool requested;
  plane_lanes arm, slide, reach;
  gradyn_lanes turn;
} data_bars;

/* Adjoints by a link's own vectors X = tau P + kappa U; with loads, also by F . i kappa U d angle. */
GRADYN_KERNEL void bars_of_vectors(int orders, tree *c, int i, bool loaded, plane_change *bar,
                                   data_bars *data)
{
  const plane_link *link = &c->plane->link[i];
  const gradyn_lanes *angle = &c->plane->change[i].angle[0];
  for (int v = 0; v < link->vectors; v++) {
    plane_lanes own[3];
    const plane_vector *reach = link->at.R[v];
    for (int k = 0; k < orders; k++) {
      plane_take_out(c->bar[k] + link->own[v], &own[k]);
      if (link->moved[v])
        plane_add_lanes((plane_vector){1, 0}, &own[k], &bar->P[k]);
      if (v == 0 && data->requested)
        plane_add_back(link->at.U[k], &own[k], &data->reach);
    }
    plane_turn_back(orders, reach, own, bar->angle);
    if (!loaded)
      continue;
    const plane_vector F = plane_at(c->F, link->own[v]);
    plane_lanes pull = {-F.x * *angle, -F.y * *angle};
    bar->angle[0] += plane_dot(F, reach[0]) * *angle;
    if (v == 0 && data->requested)
      plane_add_back(plane_normal(link->at.U[0]), &pull, &data->reach);
  }
}

/* Adjoints of rho + z xi and its time derivatives, for a pivot that is fixed to the parent. */
GRADYN_KERNEL void bars_of_arm(int orders, const tree *c, int i, bool loaded,
                               const plane_change *bar, plane_lanes of_r[3])
{
  const plane_link *link = &c->plane->link[i];
  const plane_place *p = plane_parent(c, link);
  memset(of_r, 0, 3 * sizeof *of_r);
  for (int k = 0; k < orders; k++)
    for (int j = 0; j <= k; j++)
      plane_add_back(plane_scaled(tree_binomial[k][j], p->U[k - j]), &bar->P[k], &of_r[j]);
  if (!loaded || link->parent < 0)
    return;
  const gradyn_lanes *angle = &c->plane->change[link->parent].angle[0];
  const plane_lanes pull = {-link->f.x * *angle, -link->f.y * *angle};
  plane_add_back(plane_normal(p->U[0]), &pull, &of_r[0]);
}

/* Adjoints of a link's slide and of xi; with loads, also by f . xi U_p mu. */
static void bars_of_slide(tree *c, int i, const tree_adjoints *b, const plane_lanes of_r[3],
                          data_bars *data)
{
  const plane_link *link = &c->plane->link[i];
  const plane_vector U = plane_parent(c, link)->U[0], along = plane_times(link->slide, U);
  gradyn_lanes *const to[3] = {b->q, b->v, b->a};
  for (int k = 0; k < b->orders && k < 3; k++) {
    const double z = c->X[k][c->source[link->z]];
    plane_add_lanes((plane_vector){z, 0}, &of_r[k], &data->slide);
    if (to[k])
      plane_add_dot(link->slide, &of_r[k], &to[k][link->z]);
  }
  if (!b->mu)
    return;
  const gradyn_lanes mu = b->mu[link->z];
  const plane_lanes pull = {-link->f.x * mu, -link->f.y * mu};
  plane_add_back(U, &pull, &data->slide);
  if (link->parent >= 0)
    plane_add_dot(plane_normal(along), &pull, &c->plane->bar[link->parent].angle[0]);
}

/* Adjoints of a link with a pivot that is fixed to the parent. */
static GRADYN_WIDE void bars_of_plane_pivot(tree *c, int i, const tree_adjoints *b,
                                            const plane_change *bar, data_bars *data)
{
  const plane_link *link = &c->plane->link[i];
  plane_change *to = link->parent >= 0 ? &c->plane->bar[link->parent] : NULL;
  plane_lanes of_r[3];
  if (data->requested || plane_slides(link)) {
    bars_of_arm(b->orders, c, i, b->mu, bar, of_r);
    data->arm = of_r[0];
  }
  if (plane_slides(link))
    bars_of_slide(c, i, b, of_r, data);
  if (!to)
    return;
  plane_turn_back(b->orders, link->at.arm, bar->P, to->angle);
  for (int k = 0; k < b->orders && k < 3; k++)
    plane_add_lanes((plane_vector){1, 0}, &bar->P[k], &to->P[k]);
  if (b->mu)
    to->angle[0] += plane_dot(link->f, link->at.arm[0]) * c->plane->change[link->parent].angle[0];
}

static void give_data(const tree *c, const plane_link *link, const tree_adjoints *b,
                      const data_bars *data)
{
  for (int k = 0; k < link->data && b->data; k++) {
    const plane_datum *x = &link->datum[k];
    if (!x->active)
      continue;
    gradyn_lanes z = x->turn * data->turn;
    plane_add_dot(x->arm, &data->arm, &z);
    plane_add_dot(x->slide, &data->slide, &z);
    plane_add_dot(x->reach, &data->reach, &z);
    z = -z;
    plane_give(c, b->data, b->columns, x->at, &z);
  }
}

/* Begins the adjoints of a link: with those that other links have added to it, or with zero. */
GRADYN_KERNEL void begin(const tree *c, int i, plane_change *bar)
{
  if (c->plane->link[i].hosts)
    *bar = c->plane->bar[i];
  else
    memset(bar, 0, sizeof *bar);
}

static GRADYN_WIDE void bars_of_plane_link(tree *c, int i, const tree_adjoints *b,
                                           plane_change *bar, data_bars *data)
{
  const plane_link *link = &c->plane->link[i];
  gradyn_lanes *const to[3] = {b->q, b->v, b->a};
  begin(c, i, bar);
  bars_of_vectors(b->orders, c, i, b->mu, bar, data);
  data->turn = bar->angle[0];
  for (int k = 0; k < b->orders && k < 3; k++) {
    if (to[k] && link->z >= 0)
      to[k][link->z] += link->turns * bar->angle[k];
    if (link->base >= 0)
      plane_add_to(&bar->P[k], c->bar[k] + link->base);
    if (link->inherits && link->parent >= 0)
      c->plane->bar[link->parent].angle[k] += bar->angle[k];
  }
}

static void bars_of_any(tree *c, int i, const tree_adjoints *b, bool asked)
{
  plane_link *link = &c->plane->link[i];
  data_bars data = {.requested = asked && link->active};
  plane_change bar;
  if (!link->hosts)
    link->f = (plane_vector){0, 0};
  if (b->mu)
    plane_load_link(c, i);
  bars_of_plane_link(c, i, b, &bar, &data);
  if (link->base < 0)
    bars_of_plane_pivot(c, i, b, &bar, &data);
  if (data.requested)
    give_data(c, link, b, &data);
  if (b->mu)
    plane_pass_loads(c, i);
}

/* --- rods at points of X or of the ground ----------------------------------------------------- */

/* Passes the adjoints of a rod's length, which acts along U, and of a pivot on the ground to data. */
GRADYN_KERNEL void give_length(const tree *c, const plane_link *link, const tree_adjoints *b,
                               const gradyn_lanes *along, const plane_lanes *pivot)
{
  for (int k = 0; k < link->data; k++) {
    const plane_datum *x = &link->datum[k];
    gradyn_lanes z = x->reach.x * *along;
    if (!x->active)
      continue;
    if (link->base < 0)
      plane_add_dot(x->arm, pivot, &z);
    z = -z;
    plane_give(c, b->data, b->columns, x->at, &z);
  }
}

/* X = P + s U. */
GRADYN_KERNEL void bars_of_rod(const int orders, tree *c, int i, const tree_adjoints *b, bool asked)
{
  const plane_link *link = &c->plane->link[i];
  const plane_place *at = &link->at;
  gradyn_lanes *const to[3] = {b->q, b->v, b->a};
  gradyn_lanes angle[3] = {{0}, {0}, {0}}, along = {0};
  plane_lanes own[3];
  for (int k = 0; k < orders; k++) {
    plane_take_out(c->bar[k] + link->own[0], &own[k]);
    if (link->base >= 0)
      plane_add_to(&own[k], c->bar[k] + link->base);
    plane_add_dot(at->U[k], &own[k], &along);
  }
  plane_turn_back(orders, at->R[0], own, angle);
  if (b->mu) {
    const plane_vector F = plane_at(c->F, link->own[0]);
    const gradyn_lanes mu = c->plane->change[i].angle[0];
    angle[0] += plane_dot(F, at->R[0][0]) * mu;
    along -= plane_dot(F, plane_normal(at->U[0])) * mu;
    if (link->base >= 0) {
      c->F[link->base] += F.x;
      c->F[link->base + 1] += F.y;
    }
  }
  for (int k = 0; k < orders; k++)
    if (to[k])
      to[k][link->z] += angle[k];
  if (asked && link->active)
    give_length(c, link, b, &along, &own[0]);
}

/* --- the pass --------------------------------------------------------------------------------------- */

GRADYN_KERNEL void bars_of_links(const int orders, tree *c, const tree_adjoints *b, bool asked)
{
  for (int i = c->links - 1; i >= 0; i--)
    if (c->plane->link[i].plain)
      bars_of_rod(orders, c, i, b, asked);
    else
      bars_of_any(c, i, b, asked);
}

static GRADYN_WIDE void bars_of_plane(tree *c, const tree_adjoints *b, bool asked)
{
  if (b->orders == 1)
    bars_of_links(1, c, b, asked);
  else if (b->orders == 2)
    bars_of_links(2, c, b, asked);
  else
    bars_of_links(3, c, b, asked);
}

void plane_against(tree *c, const tree_adjoints *b)
{
  for (int i = 0; i < c->links; i++)
    if (c->plane->link[i].hosts) {
      memset(&c->plane->bar[i], 0, sizeof *c->plane->bar);
      c->plane->link[i].f = (plane_vector){0, 0};
    }
  bars_of_plane(c, b, b->data && (b->data->x || b->data->lanes));
}
