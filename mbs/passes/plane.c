/* Passes along a tree in the plane: from parents to links (out), and back (in). Pivots that are points of X
 * are read from X, and loaded there; others are fixed to the parent. */
#include "core/linear/circle.h"
#include "mbs/passes/plane_products.h"

#include <string.h>

const plane_place plane_ground = {.U = {{1, 0}, {0, 0}, {0, 0}}};

/* --- state ------------------------------------------------------------------------------------ */

/* Computes all angles, and U = exp(i angle). */
void plane_take_angles(tree *c, const double *q)
{
  plane *p = c->plane;
  double *angle = (double *)p->angle;
  const size_t size = (size_t)c->mech.n * sizeof *q;
  if (p->stands && memcmp(p->turned, q, size) == 0)
    return;
  memcpy(p->turned, q, size);
  p->stands = true;
  for (int i = 0; i < c->links; i++) {
    const plane_link *link = &p->link[i];
    double sum = link->offset;
    if (link->z >= 0)
      sum += link->turns * q[link->z];
    if (link->inherits && link->parent >= 0)
      sum += angle[link->parent];
    angle[i] = sum;
  }
  gradyn_lanes_circle((c->links + GRADYN_LANES - 1) / GRADYN_LANES, p->angle, p->cosine, p->sine);
}

/* U' = i angle' U, U'' = (i angle'' - angle'^2) U; orders first to orders - 1. */
GRADYN_KERNEL void turn(const int first, const int orders, plane_place *at)
{
  const plane_vector U = at->U[0];
  const double w = at->angle[1];
  if (first <= 1 && orders > 1)
    at->U[1] = (plane_vector){-w * U.y, w * U.x};
  if (orders > 2)
    at->U[2] = plane_times((plane_vector){-w * w, at->angle[2]}, U);
}

/* Moves a pivot that is fixed to the parent: it is at (rho + z xi) U_p from the parent's pivot. */
static void move_pivot(const tree *c, int first, int orders, plane_link *link)
{
  const plane_place *p = plane_parent(c, link);
  const bool slides = plane_slides(link);
  plane_place *at = &link->at;
  plane_vector r = link->arm;
  if (slides)
    r = plane_add(r, plane_scaled(c->X[0][c->source[link->z]], link->slide));
  for (int k = first; k < orders; k++)
    at->arm[k] = plane_times(r, p->U[k]);
  for (int k = first > 1 ? first : 1; k < orders && slides; k++)
    for (int j = 1; j <= k; j++) {
      const double z = tree_binomial[k][j] * c->X[j][c->source[link->z]];
      at->arm[k] = plane_add(at->arm[k], plane_scaled(z, plane_times(link->slide, p->U[k - j])));
    }
  for (int k = first; k < orders; k++)
    at->P[k] = plane_add(p->P[k], at->arm[k]);
}

/* Moves a link. `plain` is a constant of inlined calls: a rod that hosts no pivot, at a point of X or of
 * the ground. */
GRADYN_KERNEL void move_link(const bool plain, tree *c, const int first, const int orders,
                             plane_link *link)
{
  const int vectors = plain ? 1 : link->vectors;
  const int z = plain || link->z >= 0 ? c->source[link->z] : -1;
  plane_place *at = &link->at;
  if (!plain && link->base < 0)
    move_pivot(c, first, orders, link);
  for (int k = first > 1 ? first : 1; k < orders; k++) {
    at->angle[k] = plain ? c->X[k][z] : z >= 0 ? link->turns * c->X[k][z] : 0;
    if (!plain && link->inherits)
      at->angle[k] += plane_parent(c, link)->angle[k];
  }
  turn(first, orders, at);
  for (int k = first; k < orders && !plain && link->base >= 0; k++)
    at->P[k] = plane_at(c->X[k], link->base);
  for (int v = 0; v < vectors; v++) {
    const plane_vector reach = link->reach[v];
    for (int k = first; k < orders; k++) {
      plane_vector x = plain ? plane_scaled(reach.x, at->U[k]) : plane_times(reach, at->U[k]);
      at->R[v][k] = x;
      if (plain && link->base >= 0)
        x = plane_add(plane_at(c->X[k], link->base), x);
      else if (plain ? k == 0 : link->moved[v])
        x = plane_add(x, plain ? link->arm : at->P[k]);
      plane_set(c->X[k], link->own[v], x);
    }
  }
}

static void move_any(tree *c, int first, int orders, plane_link *link)
{
  move_link(false, c, first, orders, link);
}

GRADYN_KERNEL void move_links(tree *c, const int first, const int orders)
{
  for (int i = 0; i < c->links; i++) {
    plane_link *link = &c->plane->link[i];
    if (first == 0)
      link->at.U[0] = plane_turned(c->plane, i);
    if (link->plain)
      move_link(true, c, first, orders, link);
    else
      move_any(c, first, orders, link);
  }
}

void plane_move(tree *c, int first, int orders)
{
  if (first == 0)
    plane_take_angles(c, c->looked.z[0]);
  if (first == 0 && orders == 1)
    move_links(c, 0, 1);
  else if (first == 0 && orders == 3)
    move_links(c, 0, 3);
  else if (first == 2)
    move_links(c, 2, 3);
  else
    move_links(c, first, orders);
}

/* --- tangent products, outwards --------------------------------------------------------------- */

GRADYN_KERNEL void push_link(const bool plain, tree *c, int i, const gradyn_lanes *dz)
{
  static const plane_change rest = {{{0}, {0}, {0}}, {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}}};
  const plane_link *link = &c->plane->link[i];
  const bool carried = !plain && link->parent >= 0;
  const plane_change *from = carried ? &c->plane->change[link->parent] : &rest;
  const int vectors = plain ? 1 : link->vectors;
  plane_change *d = &c->plane->change[i];
  gradyn_lanes angle = plain ? dz[link->z] : rest.angle[0];
  plane_lanes P = from->P[0];
  if (!plain && link->z >= 0)
    angle = link->turns * dz[link->z];
  if (!plain && link->inherits)
    angle += from->angle[0];
  if (link->base >= 0)
    plane_take(c->dX[0] + link->base, &P);
  else if (carried)
    plane_add_number(plane_normal(link->at.arm[0]), &from->angle[0], &P);
  if (!plain && plane_slides(link))
    plane_add_number(plane_times(link->slide, plane_parent(c, link)->U[0]), &dz[link->z], &P);
  d->angle[0] = angle;
  if (!plain)
    d->P[0] = P;
  for (int v = 0; v < vectors; v++) {
    plane_lanes X = plain || link->moved[v] ? P : rest.P[0];
    plane_add_number(plane_normal(link->at.R[v][0]), &angle, &X);
    plane_put(&X, c->dX[0] + link->own[v]);
  }
}

static GRADYN_WIDE void push_plane(tree *c, const gradyn_lanes *dz)
{
  for (int i = 0; i < c->links; i++)
    if (c->plane->link[i].plain)
      push_link(true, c, i, dz);
    else
      push_link(false, c, i, dz);
}

void plane_push(tree *c, const gradyn_lanes *dz)
{
  push_plane(c, dz);
}

/* Changes of a link by data. */
typedef struct data_change {
  plane_lanes arm, slide, reach;
  gradyn_lanes turn;
} data_change;

static void take_data(const tree *c, const plane_link *link, const tree_change *d, data_change *to)
{
  *to = (data_change){{{0}, {0}}, {{0}, {0}}, {{0}, {0}}, {0}};
  for (int k = 0; k < link->data && d->data && (d->data->x || d->data->lanes); k++) {
    const plane_datum *x = &link->datum[k];
    gradyn_lanes z;
    if (!x->active || !tree_take_datum(c, d, x->at, &z))
      continue;
    plane_add_number(x->arm, &z, &to->arm);
    plane_add_number(x->slide, &z, &to->slide);
    plane_add_number(x->reach, &z, &to->reach);
    to->turn += x->turn * z;
  }
}

/* Computes the changes of rho + z xi and its time derivatives. */
static void arm_change(const tree *c, const plane_link *link, const tree_change *d,
                       const data_change *data, plane_lanes dr[3])
{
  dr[0] = data->arm;
  dr[1] = dr[2] = (plane_lanes){{0}, {0}};
  for (int k = 0; k < 3 && plane_slides(link); k++) {
    const double z = c->X[k][c->source[link->z]];
    const gradyn_lanes *dz = k == 0 ? d->q : k == 1 ? d->v : NULL;
    plane_add_lanes((plane_vector){z, 0}, &data->slide, &dr[k]);
    if (dz)
      plane_add_number(link->slide, &dz[link->z], &dr[k]);
  }
}

/* Computes the changes of pivot and angle. */
static void follow_pivot(tree *c, int i, const tree_change *d, const data_change *data)
{
  const plane_link *link = &c->plane->link[i];
  const plane_place *p = plane_parent(c, link);
  const plane_change *from = link->parent >= 0 ? &c->plane->change[link->parent] : NULL;
  plane_change *own = &c->plane->change[i];
  plane_lanes dr[3];
  arm_change(c, link, d, data, dr);
  for (int k = 0; k < 3; k++) {
    const gradyn_lanes *dz = k == 0 ? d->q : k == 1 ? d->v : NULL;
    own->angle[k] = k == 0 ? data->turn : (gradyn_lanes){0};
    if (link->inherits && from)
      own->angle[k] += from->angle[k];
    if (dz && link->z >= 0)
      own->angle[k] += link->turns * dz[link->z];
    own->P[k] = (plane_lanes){{0}, {0}};
    if (link->base >= 0)
      plane_take(c->dX[k] + link->base, &own->P[k]);
    else if (from)
      own->P[k] = from->P[k];
    for (int j = 0; j <= k && link->base < 0; j++)
      plane_add_lanes(plane_scaled(tree_binomial[k][j], p->U[k - j]), &dr[j], &own->P[k]);
  }
  if (link->base < 0 && from)
    plane_turn(link->at.arm, from->angle, own->P);
}

static void follow_link(tree *c, int i, const tree_change *d)
{
  const plane_link *link = &c->plane->link[i];
  const plane_change *own = &c->plane->change[i];
  data_change data;
  take_data(c, link, d, &data);
  follow_pivot(c, i, d, &data);
  for (int v = 0; v < link->vectors; v++) {
    plane_lanes X[3] = {{{0}, {0}}, {{0}, {0}}, {{0}, {0}}};
    plane_turn(link->at.R[v], own->angle, X);
    for (int k = 0; k < 3; k++) {
      if (link->moved[v])
        plane_add_lanes((plane_vector){1, 0}, &own->P[k], &X[k]);
      if (v == 0)
        plane_add_lanes(link->at.U[k], &data.reach, &X[k]);
      plane_put(&X[k], c->dX[k] + link->own[v]);
    }
  }
}

void plane_follow(tree *c, const tree_change *d)
{
  for (int i = 0; i < c->links; i++)
    follow_link(c, i, d);
}

/* --- loads, inwards --------------------------------------------------------------------------- */

/* Clears loads on links. */
static void clear_loads(tree *c)
{
  for (int i = 0; i < c->links; i++) {
    plane_link *link = &c->plane->link[i];
    link->f = (plane_vector){0, 0};
    link->m = 0;
  }
}

void plane_load_link(tree *c, int i)
{
  plane_link *link = &c->plane->link[i];
  for (int v = 0; v < link->vectors; v++) {
    const plane_vector F = plane_at(c->F, link->own[v]);
    if (link->moved[v])
      link->f = plane_add(link->f, F);
    link->m += plane_dot(F, plane_normal(link->at.R[v][0]));
  }
}

void plane_pass_loads(tree *c, int i)
{
  const plane_link *link = &c->plane->link[i];
  plane_link *p = link->parent >= 0 ? &c->plane->link[link->parent] : NULL;
  if (link->base >= 0) {
    c->F[link->base] += link->f.x;
    c->F[link->base + 1] += link->f.y;
  } else if (p) {
    p->f = plane_add(p->f, link->f);
    p->m += plane_dot(link->f, plane_normal(link->at.arm[0]));
  }
  if (link->inherits && p)
    p->m += link->m;
}

/* Adds the load of a rod at a point of X or of the ground to r, and passes its force on to a point of X. */
static void pull_rod(tree *c, const plane_link *link, double *r)
{
  const plane_vector F = plane_at(c->F, link->own[0]);
  r[link->z] += plane_dot(F, plane_normal(link->at.R[0][0]));
  if (link->base < 0)
    return;
  c->F[link->base] += F.x;
  c->F[link->base + 1] += F.y;
}

void plane_pull(tree *c, double *r)
{
  clear_loads(c);
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_link *link = &c->plane->link[i];
    if (link->plain) {
      pull_rod(c, link, r);
      continue;
    }
    plane_load_link(c, i);
    if (plane_slides(link))
      r[link->z] += plane_dot(link->f, plane_times(link->slide, plane_parent(c, link)->U[0]));
    else if (link->z >= 0)
      r[link->z] += link->turns * link->m;
    plane_pass_loads(c, i);
  }
}

/* Adds changes of loads at a link's own vectors to changes at links fixed to it: f in bar->P[0], m in
 * bar->angle[0]. */
static void load_change(tree *c, int i, const data_change *data)
{
  const plane_link *link = &c->plane->link[i];
  const plane_change *own = &c->plane->change[i];
  plane_change *sum = &c->plane->bar[i];
  for (int v = 0; v < link->vectors; v++) {
    const plane_vector F = plane_at(c->F, link->own[v]);
    const plane_vector reach = link->at.R[v][0];
    plane_lanes dF, turned = {{0}, {0}};
    plane_take(c->dF + link->own[v], &dF);
    if (link->moved[v])
      plane_add_lanes((plane_vector){1, 0}, &dF, &sum->P[0]);
    plane_add_dot(plane_normal(reach), &dF, &sum->angle[0]);
    sum->angle[0] -= plane_dot(F, reach) * own->angle[0];
    if (v > 0)
      continue;
    plane_add_lanes(plane_normal(link->at.U[0]), &data->reach, &turned); /* F . i dkappa U */
    plane_add_dot(F, &turned, &sum->angle[0]);
  }
}

/* Passes changes of loads to the parent or to X; dr: changes of the arm. */
static void hand_change_in(tree *c, int i, const plane_lanes *dr)
{
  const plane_link *link = &c->plane->link[i];
  const plane_change *sum = &c->plane->bar[i];
  const bool carried = link->parent >= 0;
  plane_change *to = carried ? &c->plane->bar[link->parent] : NULL;
  if (link->inherits && carried)
    to->angle[0] += sum->angle[0];
  if (link->base >= 0) {
    plane_add_to(&sum->P[0], c->dF + link->base);
  } else if (carried) {
    plane_lanes turned = {{0}, {0}};
    plane_add_lanes((plane_vector){1, 0}, &sum->P[0], &to->P[0]);
    plane_add_lanes(plane_normal(plane_parent(c, link)->U[0]), dr, &turned);
    plane_add_dot(plane_normal(link->at.arm[0]), &sum->P[0], &to->angle[0]);
    plane_add_dot(link->f, &turned, &to->angle[0]);
    to->angle[0] -= plane_dot(link->f, link->at.arm[0]) * c->plane->change[link->parent].angle[0];
  }
}

/* Adds the change of f . xi U_p, r of a link's slide. */
static void slide_change(const tree *c, int i, const data_change *data, gradyn_lanes *r)
{
  const plane_link *link = &c->plane->link[i];
  const plane_vector U = plane_parent(c, link)->U[0], along = plane_times(link->slide, U);
  plane_lanes changed = {{0}, {0}};
  plane_add_lanes(U, &data->slide, &changed);
  if (link->parent >= 0)
    plane_add_number(plane_normal(along), &c->plane->change[link->parent].angle[0], &changed);
  plane_add_dot(along, &c->plane->bar[i].P[0], r);
  plane_add_dot(link->f, &changed, r);
}

void plane_pull_change(tree *c, const tree_change *d, gradyn_lanes *r)
{
  clear_loads(c);
  memset(c->plane->bar, 0, (size_t)c->links * sizeof *c->plane->bar);
  for (int i = c->links - 1; i >= 0; i--) {
    const plane_link *link = &c->plane->link[i];
    plane_lanes dr[3];
    data_change data;
    take_data(c, link, d, &data);
    arm_change(c, link, d, &data, dr);
    plane_load_link(c, i);
    load_change(c, i, &data);
    if (plane_slides(link))
      slide_change(c, i, &data, &r[link->z]);
    else if (link->z >= 0)
      r[link->z] += link->turns * c->plane->bar[i].angle[0];
    hand_change_in(c, i, &dr[0]);
    plane_pass_loads(c, i);
  }
}
