/* Links of a tree in the plane, made from its turns. Each link has numbers that follow from the present
 * data, with derivatives by data: rho, xi, kappa and the offset of its angle. */
#include "mbs/passes/plane_rods.h"

#include <math.h>
#include <string.h>

enum { MOST_DATA = 24 };

/* Complex numbers of a link that depend on data. */
typedef enum part { ARM, SLIDE, REACH } part;

static plane_vector *value_of(plane_link *link, part which)
{
  return which == ARM ? &link->arm : which == SLIDE ? &link->slide : &link->reach[0];
}

/* Adds an entry for a datum, in the order of calls. */
static plane_datum *datum(plane_link *link, int at)
{
  plane_datum *x = &link->datum[link->data++];
  const bool active = x->active;
  *x = (plane_datum){.at = at, .active = active};
  return x;
}

static void add_datum(plane_link *link, part which, int at, plane_vector slope)
{
  plane_datum *x = datum(link, at);
  plane_vector *to = which == ARM ? &x->arm : which == SLIDE ? &x->slide : &x->reach;
  *to = slope;
}

/* --- points ----------------------------------------------------------------------------------- */

/* Index of a point among a link's vectors; -1: none. */
static int vector_at(const tree *c, const plane_link *link, int point)
{
  int v = link->vectors - 1;
  while (v >= 0 && c->mbs->point[point].offset != link->own[v])
    v--;
  return v;
}

/* Adds factor times the position of a point on another link (NULL: on the ground) to a number of a link.
 * The point must not be attached. */
static void add_carrier(const tree *c, plane_link *to, part which, plane_vector factor,
                        const plane_link *link, int point)
{
  const mbs_point *p = &c->mbs->point[point];
  const double *x = c->mbs->model->x;
  plane_vector *value = value_of(to, which);
  if (p->kind == MBS_GROUND && !link) {
    *value = plane_add(*value, plane_times(factor, plane_at(x, p->x)));
    add_datum(to, which, p->x, factor);
    add_datum(to, which, p->x + 1, plane_normal(factor));
    return;
  }
  const int v = link ? vector_at(c, link, point) : -1;
  if (v < 0) /* a pivot or a free point has no position relative to the link */
    return;
  *value = plane_add(*value, plane_times(factor, link->reach[v]));
  for (int k = 0; k < link->data && v == 0; k++)
    if (link->datum[k].reach.x != 0 || link->datum[k].reach.y != 0)
      add_datum(to, which, link->datum[k].at, plane_times(factor, link->datum[k].reach));
}

/* As add_carrier(), for points that may be attached. */
static void add_point(const tree *c, plane_link *to, part which, double factor,
                      const plane_link *link, int point)
{
  const mbs_point *p = &c->mbs->point[point];
  if (p->kind != MBS_ATTACHED) {
    add_carrier(c, to, which, (plane_vector){factor, 0}, link, point);
    return;
  }
  for (int k = 0; k < p->carriers; k++) {
    const mbs_carrier *e = &p->carrier[k];
    plane_link own = {.vectors = 0};
    plane_datum spare[MOST_DATA] = {{.at = 0}};
    own.datum = spare;
    add_carrier(c, to, which, (plane_vector){factor * e->weight, 0}, link, e->point);
    if (e->datum < 0)
      continue;
    add_carrier(c, &own, ARM, (plane_vector){factor * e->slope, 0}, link, e->point);
    add_datum(to, which, e->datum, own.arm);
  }
}

/* --- joints ----------------------------------------------------------------------------------- */

/* The x direction of a frame in components of its body, and its data, -1: none. */
static plane_vector direction_of(const tree *c, const mbs_frame *f, int at[2])
{
  const mbs_body *body = f->body >= 0 ? &c->mbs->parts.body[f->body] : NULL;
  const mbs_point *p = &c->mbs->point[f->direction[0]];
  double d[2] = {0, 0};
  at[0] = at[1] = -1;
  for (int k = 0; k < 2; k++) {
    if (!body) {
      at[k] = p->x + k;
      d[k] = c->mbs->model->x[at[k]];
    } else if (body->point[1 + k] == f->direction[0]) {
      d[k] = 1;
    }
    for (int i = 0; i < p->carriers && body; i++)
      if (p->carrier[i].point == body->point[1 + k]) {
        at[k] = p->carrier[i].datum;
        d[k] = p->carrier[i].weight;
      }
  }
  return (plane_vector){d[0], d[1]};
}

/* Adds the angle of a direction, times sign, to the offset of a link's angle. */
static void add_direction(const tree *c, plane_link *link, const mbs_frame *f, double sign)
{
  int at[2];
  const plane_vector d = direction_of(c, f, at), normal = plane_normal(d);
  const double scale = sign / plane_dot(d, d);
  link->offset += sign * atan2(d.y, d.x);
  if (at[0] >= 0)
    datum(link, at[0])->turn = scale * normal.x;
  if (at[1] >= 0)
    datum(link, at[1])->turn = scale * normal.y;
}

/* Sets xi = d / |d|^2, with the x direction d of frame a in axes of the parent. If a belongs to the link's
 * own body, xi is minus this number, rotated by the offset. */
static void set_slide(const tree *c, plane_link *link, const mbs_frame *a, bool turned)
{
  int at[2];
  const plane_vector d = direction_of(c, a, at);
  const double square = plane_dot(d, d);
  const plane_vector turn = turned ? (plane_vector){-cos(link->offset), -sin(link->offset)}
                                   : (plane_vector){1, 0};
  const int before = link->data;
  link->slide = plane_times(turn, plane_scaled(1 / square, d));
  for (int k = 0; k < before && turned; k++)
    link->datum[k].slide = plane_scaled(link->datum[k].turn, plane_normal(link->slide));
  for (int k = 0; k < 2; k++)
    if (at[k] >= 0) {
      const plane_vector unit = {k == 0, k == 1};
      const double along = 2 * plane_dot(d, unit) / square;
      add_datum(
          link, SLIDE, at[k],
          plane_times(turn, plane_scaled(1 / square, plane_add(unit, plane_scaled(-along, d)))));
    }
}

static void load_joint(const tree *c, plane_link *link, const mbs_turn *t, const plane_link *parent)
{
  const mbs_joint *j = &c->mbs->parts.joint[t->joint];
  const mbs_frame *a = &c->mbs->parts.frame[j->a], *b = &c->mbs->parts.frame[j->b];
  const bool turned = a->body == t->body;
  plane_link own = *link;
  /* positions of points of bodies are relative to the centres of bodies */
  own.reach[0] = (plane_vector){0, 0};
  own.data = 0;
  add_point(c, link, ARM, 1, parent, t->from);
  add_point(c, link, REACH, -1, &own, t->to);
  add_direction(c, link, turned ? b : a, 1);
  add_direction(c, link, turned ? a : b, -1);
  if (j->kind == GRADYN_PRISMATIC)
    set_slide(c, link, a, turned);
}

/* --- links ------------------------------------------------------------------------------------ */

static void load_rod(const tree *c, plane_link *link, const mbs_turn *t, const plane_link *parent)
{
  const mbs_element *e = &c->mbs->constraints.item[t->row];
  const double sign = t->own == t->to ? 1 : -1;
  if (link->base < 0)
    add_point(c, link, ARM, 1, parent, link->pivot);
  else if (parent) /* this arm is used in solves only */
    link->arm = parent->reach[vector_at(c, parent, link->pivot)];
  link->reach[0] = (plane_vector){sign * c->mbs->model->x[e->datum], 0};
  add_datum(link, REACH, e->datum, (plane_vector){sign, 0});
}

/* Mass that a link shares with its pivot. If the pivot is an attached point, the mass is distributed to its
 * moving carriers; the shares add up to less than one if other carriers are ground points. */
static double shared_mass(const tree *c, const plane_link *link)
{
  const mbs_point *p = &c->mbs->point[link->pivot];
  double sum = 0, shares = 0;
  mbs_term term;
  for (int k = 0; mbs_point_term(c->mbs, link->pivot, k, &term); k++) {
    const bool direction = p->kind == MBS_ATTACHED && c->mbs->point[p->carrier[k].point].direction;
    const int at = direction || term.at >= c->natural->n
                       ? -1
                       : gradyn_pattern_find(&c->natural->dyn, link->own[0], term.at);
    sum += at >= 0 ? c->mbs->mass.M[at] : 0;
    shares += at >= 0 ? term.weight : 0;
  }
  return shares != 0 ? sum / shares : 0;
}

static void load_masses(const tree *c, plane_link *link)
{
  for (int v = 0; v < link->vectors; v++)
    for (int w = 0; w < link->vectors; w++)
      link->mass[v][w] = link->mass_at[v][w] >= 0 ? c->mbs->mass.M[link->mass_at[v][w]] : 0;
  link->shared = link->vectors == 1 ? shared_mass(c, link) : 0;
}

static void load_link(tree *c, int i)
{
  plane_link *link = &c->plane->link[i];
  const mbs_turn *t = &c->mbs->parts.turn[i];
  const plane_link *parent = link->parent >= 0 ? &c->plane->link[link->parent] : NULL;
  link->data = 0;
  link->offset = 0;
  link->arm = link->slide = link->reach[0] = (plane_vector){0, 0};
  if (t->body >= 0) {
    const int axis = link->vectors - 2;
    link->reach[axis] = (plane_vector){1, 0};
    link->reach[axis + 1] = (plane_vector){0, 1};
  }
  if (t->joint >= 0)
    load_joint(c, link, t, parent);
  else if (t->body < 0)
    load_rod(c, link, t, parent);
  load_masses(c, link);
}

void plane_load(tree *c)
{
  for (int i = 0; i < c->links; i++)
    load_link(c, i);
  plane_load_rods(c);
  c->plane->stands = false;
}

void plane_activate(tree *c, const bool *active)
{
  for (int i = 0; i < c->links; i++) {
    plane_link *link = &c->plane->link[i];
    link->active = false;
    for (int k = 0; k < link->data; k++) {
      link->datum[k].active = !active || active[link->datum[k].at];
      link->active = link->active || link->datum[k].active;
    }
  }
}

/* --- constant parts --------------------------------------------------------------------------- */

/* Lists the vectors that a turn positions. */
static void take_vectors(const gradyn_mbs *m, const mbs_turn *t, plane_link *link)
{
  if (t->body < 0) {
    link->vectors = 1;
    link->own[0] = m->point[t->own].offset;
    link->moved[0] = true;
    return;
  }
  for (int k = t->joint >= 0 ? 0 : 1; k < PLANE_VECTORS; k++) {
    link->moved[link->vectors] = k == 0;
    link->own[link->vectors++] = m->point[m->parts.body[t->body].point[k]].offset;
  }
}

static gradyn_status make_link(tree *c, int i)
{
  const gradyn_mbs *m = c->mbs;
  const mbs_turn *t = &m->parts.turn[i];
  plane_link *link = &c->plane->link[i];
  const mbs_joint *j = t->joint >= 0 ? &m->parts.joint[t->joint] : NULL;
  *link = (plane_link){.parent = t->parent, .base = -1, .z = -1, .inherits = j != NULL};
  if (j && j->kind == GRADYN_REVOLUTE)
    link->turns = m->parts.frame[j->a].body == t->body ? -1 : 1;
  else if (!j)
    link->turns = 1;
  take_vectors(m, t, link);
  link->pivot = t->own == t->to ? t->from : t->to;
  if (!j && m->point[link->pivot].kind == MBS_MOVING)
    link->base = m->point[link->pivot].offset;
  else if (link->parent >= 0)
    c->plane->link[link->parent].hosts = true;
  for (int v = 0; v < link->vectors; v++)
    for (int w = 0; w < link->vectors; w++)
      link->mass_at[v][w] = gradyn_pattern_find(&c->natural->dyn, link->own[v], link->own[w]);
  link->datum = gradyn_arena_take(&c->arena, MOST_DATA, sizeof *link->datum);
  return gradyn_arena_status(&c->arena);
}

/* Fills the tree_link of a link, which other parts of the tree use. */
static void list_link(tree *c, int i)
{
  const gradyn_mbs *m = c->mbs;
  const mbs_turn *t = &m->parts.turn[i];
  tree_link *link = &c->link[i];
  *link = (tree_link){.body = t->body, .joint = t->joint, .parent = t->parent};
  link->vectors = c->plane->link[i].vectors;
  for (int v = 0; v < link->vectors; v++)
    link->own[v] = c->plane->link[i].own[v];
  link->k = t->coordinate >= 0;
  link->z[0] = t->coordinate;
  if (link->k)
    link->coordinates = m->point[t->coordinate].name;
}

gradyn_status plane_find(tree *c)
{
  const size_t links = (size_t)c->mbs->parts.turns;
  plane *p = c->plane = gradyn_arena_take(&c->arena, 1, sizeof *p);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  p->link = gradyn_arena_take(&c->arena, links, sizeof *p->link);
  p->change = (plane_change *)gradyn_arena_lanes(&c->arena, links * sizeof *p->change / 32);
  p->bar = (plane_change *)gradyn_arena_lanes(&c->arena, links * sizeof *p->bar / 32);
  p->pulled = (plane_three *)gradyn_arena_lanes(&c->arena, links * sizeof *p->pulled / 32);
  p->solved = (plane_three *)gradyn_arena_lanes(&c->arena, links * sizeof *p->solved / 32);
  p->angle = gradyn_arena_lanes(&c->arena, links / GRADYN_LANES + 1);
  p->cosine = gradyn_arena_lanes(&c->arena, links / GRADYN_LANES + 1);
  p->sine = gradyn_arena_lanes(&c->arena, links / GRADYN_LANES + 1);
  p->turned = gradyn_arena_numbers(&c->arena, (size_t)c->natural->n + 1);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  c->links = c->mbs->parts.turns;
  for (int i = 0; i < c->links; i++) {
    GRADYN_TRY(make_link(c, i));
    load_link(c, i); /* finds the list of data; values follow later */
    list_link(c, i);
  }
  for (int i = 0; i < c->links; i++) {
    plane_link *link = &p->link[i];
    link->plain = link->vectors == 1 && !link->hosts && (link->base >= 0 || link->parent < 0);
  }
  return GRADYN_OK;
}
