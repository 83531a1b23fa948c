/* The tree of a finalised mechanism in space. It grows over joints, first from the ground, then from bodies
 * that keep their vectors because events use them. Finally it grows from bodies without joints, which float.
 * If users declare no cuts (cuts.c), some joints that close loops remain constraints. These are spherical
 * joints first, then joints with most coordinates, then joints that would make the tree deeper. Cut joints
 * and joints of other kinds also remain constraints. */
#include "mbs/tree/choose.h"
#include "mbs/passes/joints.h"
#include "mbs/passes/plane.h"
#include "mbs/tree/queue.h"

#include <stdlib.h>
#include <string.h>

/* Whether a joint can position a body. */
static bool carries(const gradyn_mbs *m, const mbs_joint *j)
{
  const mbs_frame *a = &m->parts.frame[j->a], *b = &m->parts.frame[j->b];
  if (j->cut || j->loose || a->body == MBS_BAR_FRAME || b->body == MBS_BAR_FRAME ||
      tree_reads_joint(m, j) || tree_why_joint(m, j))
    return false;
  for (int i = 0; i < tree_kind_at(j->kind)->k; i++) {
    int row;
    if (tree_coordinate_of(j, i, &row) < 0 && tree_kind_at(j->kind)->free[i].motion != TREE_EULER)
      return false;
  }
  return tree_kind_at(j->kind)->carries;
}

/* Offsets of the vectors of a body in X. */
static void take_offsets(const gradyn_mbs *m, int body, int *at)
{
  for (int k = 0; k < TREE_VECTORS; k++)
    at[k] = body < 0 ? -1 : m->point[m->parts.body[body].point[k]].offset;
}

/* Allocates a link's maps and data; false: out of memory (the arena stores this). */
static bool take_maps(tree *c, tree_link *link, const tree_datum *found)
{
  const size_t k = (size_t)link->k, data = (size_t)link->data;
  link->jet_z = gradyn_arena_take(&c->arena, k, sizeof *link->jet_z);
  tree_map *bends = gradyn_arena_take(&c->arena, k * k, sizeof *bends);
  link->datum = gradyn_arena_take(&c->arena, data, sizeof *link->datum);
  if (tree_kind_of(c->mbs, link)->ties == TREE_POINTS)
    link->bent = gradyn_arena_take(&c->arena, TREE_TURN_FREELY, sizeof *link->bent);
  if (gradyn_arena_status(&c->arena) != GRADYN_OK)
    return false;
  for (size_t i = 0; i < k; i++)
    link->L_zz[i] = bends + i * k;
  memcpy(link->datum, found, data * sizeof *found);
  return true;
}

/* Adds a link by a joint (-1: a body without one) between a body and its parent. Its z contains points
 * until list_coordinates() replaces them. Returns false if a frame of the joint lacks a direction, or
 * without memory. */
static bool add_link(tree *c, int joint, int body, int from, int parent)
{
  const gradyn_mbs *m = c->mbs;
  tree_link *link = &c->link[c->links];
  tree_datum found[TREE_DATA];
  *link = (tree_link){
      .body = body, .joint = joint, .parent = parent, .vectors = TREE_VECTORS, .norm = -1};
  link->turned = joint >= 0 && m->parts.frame[m->parts.joint[joint].a].body == body;
  link->k = tree_kind_of(m, link)->k;
  for (int i = 0; i < link->k && joint >= 0; i++) {
    int row;
    link->z[i] = tree_coordinate_of(&m->parts.joint[joint], i, &row);
  }
  take_offsets(m, body, link->own);
  take_offsets(m, from, link->from);
  if (!tree_find_data(m, link, found) || !take_maps(c, link, found))
    return false;
  c->links++;
  return true;
}

/* --- growth ----------------------------------------------------------------------------------- */

enum { OWN_VECTORS = -1, UNREACHED = -2 }; /* values of growth.link for bodies without a link */

/* State of the growth. late: order in which joints are used, where the last ones close loops; -1: the joint
 * positions no body. link, depth, own: for each body its link, the number of joints to the root, and
 * whether it keeps its own vectors. start, joint: joints of each body, and of the ground after the last
 * body. next: queue of joints of reached bodies. */
typedef struct growth {
  int *late, *link, *depth, *own;
  int *start, *joint; /* [bodies + 2], [2 joints] */
  tree_queue next;
} growth;

/* Order in which a joint is used; -1: it positions no body. Joints that should close loops come last:
 * spherical ones, then those with most coordinates. */
static int lateness(const gradyn_mbs *m, const mbs_joint *j)
{
  const tree_kind *kind = tree_kind_at(j->kind);
  return !carries(m, j) ? -1 : kind->k + (kind->ties == TREE_POINTS ? TREE_FREE : 0);
}

static bool is_reached(const growth *g, int body)
{
  return body < 0 || g->link[body] > UNREACHED;
}

static int depth_of(const growth *g, int body)
{
  return body < 0 ? 0 : g->depth[body];
}

/* Finds the bodies of joint k; -1: the ground. */
static void ends_of(const gradyn_mbs *m, int k, int end[2])
{
  const mbs_joint *j = &m->parts.joint[k];
  end[0] = m->parts.frame[j->a].body;
  end[1] = m->parts.frame[j->b].body;
}

/* Adds the joints of a reached body to the queue, ordered by kind, by depth, by the order of links, by
 * declaration. */
static void reach(const gradyn_mbs *m, growth *g, int body)
{
  const int at = body < 0 ? m->parts.bodies : body;
  for (int i = g->start[at]; i < g->start[at + 1]; i++) {
    const int k = g->joint[i];
    const tree_queue_entry e = {{g->late[k], depth_of(g, body), body < 0 ? -1 : g->link[body], k},
                                k};
    if (g->late[k] >= 0)
      tree_queue_add(&g->next, e);
  }
}

/* Lists the joints that may position bodies, for each body. */
static void list_joints(const gradyn_mbs *m, growth *g)
{
  int end[2];
  for (int k = 0; k < m->parts.joints; k++) {
    g->late[k] = lateness(m, &m->parts.joint[k]);
    ends_of(m, k, end);
    for (int i = 0; i < 2 && g->late[k] >= 0; i++)
      g->start[end[i] < 0 ? m->parts.bodies : end[i]]++;
  }
  /* ends of lists, which become their beginnings below */
  for (int b = 0; b <= m->parts.bodies; b++)
    g->start[b + 1] += g->start[b];
  for (int k = m->parts.joints - 1; k >= 0; k--) {
    ends_of(m, k, end);
    for (int i = 0; i < 2 && g->late[k] >= 0; i++)
      g->joint[--g->start[end[i] < 0 ? m->parts.bodies : end[i]]] = k;
  }
}

/* Adds all links that joints position from reached bodies. */
static bool grow(tree *c, growth *g)
{
  int end[2];
  while (g->next.count > 0) {
    const int k = tree_queue_take(&g->next).what;
    ends_of(c->mbs, k, end);
    const int near = is_reached(g, end[0]) ? 0 : 1, from = end[near], to = end[1 - near];
    if (is_reached(g, to) || g->own[to])
      continue;
    if (!add_link(c, k, to, from, from < 0 ? -1 : g->link[from])) {
      if (c->arena.exhausted)
        return false;
      continue; /* some directions of its frames are missing */
    }
    g->link[to] = c->links - 1;
    g->depth[to] = depth_of(g, from) + 1;
    reach(c->mbs, g, to);
  }
  return true;
}

/* Grows the tree from the ground, then from bodies that keep their vectors, then from floating bodies. */
static bool grow_all(tree *c, growth *g)
{
  const gradyn_mbs *m = c->mbs;
  list_joints(m, g);
  for (int b = 0; b < m->parts.bodies; b++) {
    g->link[b] = UNREACHED;
    g->own[b] = tree_why_body(m, b) != NULL;
  }
  reach(m, g, -1);
  if (!grow(c, g))
    return false;
  for (int b = 0; b < m->parts.bodies; b++)
    if (g->own[b])
      g->link[b] = OWN_VECTORS;
  for (int b = 0; b < m->parts.bodies; b++)
    if (g->own[b])
      reach(m, g, b);
  if (!grow(c, g))
    return false;
  for (int b = 0; b < m->parts.bodies; b++) {
    if (is_reached(g, b))
      continue;
    if (!add_link(c, -1, b, GRADYN_GROUND, -1))
      return false;
    g->link[b] = c->links - 1;
    reach(m, g, b);
    if (!grow(c, g))
      return false;
  }
  return true;
}

/* --- remaining constraints and coordinates ---------------------------------------------------- */

/* The link of a body, if a constraint ties base vectors of this body only; -1: other constraints, or a body
 * outside the tree. */
static int internal_to(const tree *c, const mbs_element *e)
{
  if (!mbs_is_dot(e) || e->modes.bits)
    return -1;
  const int first = c->mbs->point[e->point[0]].offset, link = tree_link_at(c, first);
  for (int i = 0; i < e->points && link >= 0; i++) {
    const int at = c->mbs->point[e->point[i]].offset;
    if (tree_link_at(c, at) != link || !c->mbs->point[e->point[i]].direction)
      return -1;
  }
  return link;
}

/* Lists the constraints that link i in the plane replaces, besides constraints of a joint. */
static void list_turn(tree *c, int i)
{
  const mbs_turn *t = &c->mbs->parts.turn[i];
  if (t->coordinate >= 0)
    c->left.replaced[t->tie] = i;
  if (t->body < 0)
    c->left.replaced[t->row] = i;
}

static void list_replaced(tree *c)
{
  for (int row = 0; row < c->natural->m; row++)
    c->left.replaced[row] = internal_to(c, &c->mbs->constraints.item[row]);
  for (int i = 0; i < c->links; i++) {
    if (c->plane)
      list_turn(c, i);
    if (c->link[i].joint < 0)
      continue;
    const mbs_joint *j = &c->mbs->parts.joint[c->link[i].joint];
    for (int row = j->first; row < j->first + j->rows; row++)
      c->left.replaced[row] = i;
    for (int k = 0; k < c->link[i].k && !c->plane; k++) {
      int row;
      if (tree_coordinate_of(j, k, &row) >= 0)
        c->left.replaced[row] = i;
    }
  }
}

/* Lists the rows of the tree: remaining constraints of the motion, constraints of Euler parameters, then
 * constraints at the start and at contacts. */
static void list_rows(tree *c)
{
  const gradyn_mech *natural = c->natural;
  int count = 0;
  for (int i = 0; i < natural->m; i++)
    if (c->left.replaced[i] < 0)
      c->row[count++] = i;
  c->left.rows = count;
  for (int i = 0; i < c->links; i++)
    if (c->link[i].bent) {
      c->link[i].norm = count;
      c->row[count++] = -1 - i;
    }
  c->mech.m = count;
  c->mech.held = natural->held;
  for (int i = natural->m; i < tree_rows(natural); i++)
    c->row[count++] = i;
}

/* Puts remaining rods first, in their order; returns their number. */
static int sort_rods(tree *c)
{
  mbs_lists *all = &c->mbs->lists;
  int left = 0;
  for (int i = 0; i < all->rods; i++) {
    const mbs_rod rod = all->rod[i];
    if (c->left.replaced[rod.row] >= 0)
      continue;
    memmove(&all->rod[left + 1], &all->rod[left], (size_t)(i - left) * sizeof rod);
    all->rod[left++] = rod;
  }
  return left;
}

/* In space: lists the coordinates of remaining joints that a constraint of the motion ties. */
static gradyn_status list_pairs(tree *c)
{
  const gradyn_mbs *m = c->mbs;
  tree_on_top *rows = &c->left.on_top;
  rows->pair = gradyn_arena_take(&c->arena, (size_t)c->mech.n + 1, sizeof *rows->pair);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  for (int k = 0; k < m->parts.joints && !c->plane; k++)
    for (int i = 0; i < tree_kind_at(m->parts.joint[k].kind)->k; i++) {
      int row = -1, left = 0;
      const int point = tree_coordinate_of(&m->parts.joint[k], i, &row);
      if (point < 0 || row < 0 || row >= c->natural->m || c->left.replaced[row] >= 0)
        continue;
      while (c->row[left] != row)
        left++;
      rows->pair[rows->pairs++] = (tree_pair){c->position[m->point[point].offset], left};
    }
  return GRADYN_OK;
}

/* Makes the lists of elements without replaced constraints. Scalar products at the beginning of `other` are
 * also in their own list. */
static gradyn_status list_left(tree *c)
{
  const mbs_lists *all = &c->mbs->lists;
  mbs_lists *left = &c->left.lists;
  *left = *all;
  left->dot = gradyn_arena_take(&c->arena, (size_t)all->dots, sizeof *left->dot);
  left->other = gradyn_arena_take(&c->arena, (size_t)all->others, sizeof *left->other);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  left->rods = sort_rods(c);
  left->dots = left->others = 0;
  for (int k = 0, when = 0; when < MBS_WHENS; when++) {
    for (; k < all->others_end[when]; k++) {
      const int row = all->other[k];
      if (row < c->natural->m && c->left.replaced[row] >= 0)
        continue;
      if (k < all->dots)
        left->dot[left->dots++] = all->dot[k];
      left->other[left->others++] = row;
    }
    left->others_end[when] = left->others;
  }
  return GRADYN_OK;
}

/* --- points of elements ----------------------------------------------------------------------- */

/* Marks the points of an element as seen. Also sets left.positions if any of them is a ground or attached
 * point. */
static void see(tree *c, const int *point, int count, bool *seen)
{
  for (int i = 0; i < count; i++) {
    seen[point[i]] = true;
    c->left.positions = c->left.positions || c->mbs->point[point[i]].kind != MBS_MOVING;
  }
}

static void see_all(tree *c, bool *seen)
{
  const mbs_lists *left = &c->left.lists;
  const mbs_element *constraint = c->mbs->constraints.item;
  for (int i = 0; i < left->forces.count; i++)
    see(c, left->forces.item[i].point, left->forces.item[i].points, seen);
  for (int i = 0; i < left->inertias; i++)
    see(c, left->inertia[i].point, left->inertia[i].ops->points, seen);
  for (int i = 0; i < left->rods; i++)
    see(c, constraint[left->rod[i].row].point, 2, seen);
  for (int i = 0; i < left->others; i++)
    see(c, constraint[left->other[i]].point, constraint[left->other[i]].points, seen);
}

/* Puts the attached points that elements use first in the list of attached points. */
static gradyn_status list_seen(tree *c)
{
  gradyn_mbs *m = c->mbs;
  bool *seen = calloc((size_t)m->points + 1, sizeof *seen);
  if (!seen)
    return GRADYN_NO_MEMORY;
  see_all(c, seen);
  c->left.attached = m->attached;
  c->left.attached.count = 0;
  for (int i = 0; i < m->attached.count; i++) {
    const mbs_share share = m->attached.share[i];
    if (!seen[m->owner[share.at]])
      continue;
    mbs_share *to = &m->attached.share[c->left.attached.count++];
    m->attached.share[i] = *to;
    *to = share;
  }
  if (c->left.attached.count == 0)
    c->left.attached.parts = 0;
  free(seen);
  return GRADYN_OK;
}

static void list_coordinates(tree *c)
{
  const gradyn_mbs *m = c->mbs;
  int n = 0;
  for (int i = 0; i < c->natural->n; i++)
    c->position[i] = 0;
  for (int k = 0; k < c->links; k++)
    for (int i = 0; i < c->link[k].vectors; i++)
      for (int axis = 0; axis < m->dim; axis++)
        c->position[c->link[k].own[i] + axis] = -1 - k;
  for (int i = 0; i < c->natural->n; i++)
    if (c->position[i] >= 0) {
      c->source[n] = i;
      c->position[i] = n++;
    }
  c->looked.shared = n;
  for (int k = 0; k < c->links; k++) {
    tree_link *link = &c->link[k];
    for (int i = 0; i < link->k; i++) {
      const int parameter = i - (link->bent ? link->k - TREE_TURN_FREELY : link->k);
      if (parameter < 0 && (link->joint >= 0 || c->plane)) {
        link->z[i] = c->position[m->point[link->z[i]].offset];
        if (c->plane)
          c->plane->link[k].z = link->z[i];
        continue;
      }
      link->z[i] = n;
      c->source[n++] = parameter < 0 ? link->own[0] + i : -1 - (TREE_TURN_FREELY * k + parameter);
    }
  }
  c->mech.n = n;
}

/* Finds the tree in space. In the list of links, parents come before their children. */
static gradyn_status find_in_space(tree *c)
{
  const size_t bodies = (size_t)c->mbs->parts.bodies, joints = (size_t)c->mbs->parts.joints;
  GRADYN_TRY(tree_check_cuts(c->mbs));
  int *work = calloc(4 * bodies + 3 * joints + 2, sizeof *work);
  growth g = {.next.entry = calloc(2 * joints + 1, sizeof *g.next.entry)};
  int **const array[] = {&g.late, &g.joint, &g.link, &g.depth, &g.own, &g.start};
  const size_t size[] = {joints, 2 * joints, bodies, bodies, bodies, bodies + 2};
  size_t used = 0;
  for (size_t k = 0; k < sizeof array / sizeof *array && work; k++) {
    *array[k] = work + used;
    used += size[k];
  }
  const bool grown = work && g.next.entry && grow_all(c, &g);
  free(g.next.entry);
  free(work);
  return grown ? gradyn_arena_status(&c->arena) : GRADYN_NO_MEMORY;
}

gradyn_status tree_find(tree *c)
{
  GRADYN_TRY(c->mbs->dim == 2 ? plane_find(c) : find_in_space(c));
  list_coordinates(c);
  list_replaced(c);
  list_rows(c);
  if (!c->plane)
    GRADYN_TRY(tree_name_links(c));
  GRADYN_TRY(list_left(c));
  GRADYN_TRY(list_seen(c));
  GRADYN_TRY(list_pairs(c));
  c->own.composite = tree_find_masses(c);
  return GRADYN_OK;
}
