/* The tree of a sealed mechanism: from the ground, then from bodies that no joint carries, outwards over
 * joints in space whose turns have axes, breadth first, so that it stays shallow. A joint that would close a
 * loop stays a joint of rows, and so do joints of other kinds, whose bodies keep their own vectors. */
#include "mbs/elements/readings.h"
#include "mbs/tree/joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coordinate i of a joint as a point of the mechanism, and the row that ties it. */
static int coordinate_of(const mbs_joint *j, int i, int *row)
{
  const tree_kind *kind = tree_kind_at(j->kind);
  const int along = kind->free[i].along;
  switch (kind->free[i].motion) {
  case TREE_TURN:
    *row = j->angle_row;
    return j->angle;
  case TREE_TURN_B:
    *row = j->angle_b_row;
    return j->angle_b;
  default:
    *row = along == 2 ? j->slide_row : j->along_row[along];
    return along == 2 ? j->slide : j->along[along];
  }
}

/* A force that reads what goes through a joint, by name; NULL: none does. */
static const char *reader_of(const gradyn_mbs *m, const mbs_joint *j)
{
  const char *name = NULL;
  for (int row = j->first; row < j->first + j->rows && !name; row++)
    name = mbs_is_read(&m->mech, row);
  for (int i = 0; i < tree_kind_at(j->kind)->k && !name; i++) {
    int row;
    if (coordinate_of(j, i, &row) >= 0)
      name = mbs_is_read(&m->mech, row);
  }
  return name;
}

/* Whether a body can be placed by a joint. */
static bool carries(const gradyn_mbs *m, const mbs_joint *j)
{
  const mbs_frame *a = &m->parts.frame[j->a], *b = &m->parts.frame[j->b];
  if (j->loose || a->body == MBS_BAR_FRAME || b->body == MBS_BAR_FRAME || reader_of(m, j))
    return false;
  for (int i = 0; i < tree_kind_at(j->kind)->k; i++) {
    int row;
    if (coordinate_of(j, i, &row) < 0)
      return false;
  }
  return tree_kind_at(j->kind)->carries;
}

/* Where the vectors of a body begin in X. */
static void take_offsets(const gradyn_mbs *m, int body, int *at)
{
  for (int k = 0; k < TREE_VECTORS; k++)
    at[k] = body < 0 ? -1 : m->point[m->parts.body[body].point[k]].offset;
}

/* The link of a body; -1: it is on none. */
static int link_of(const tree *c, int body)
{
  int i = c->links - 1;
  while (i >= 0 && c->link[i].body != body)
    i--;
  return i;
}

/* "pin.angle, pin.slide"; false: out of memory, which the arena remembers. */
static bool name_coordinates(tree *c, tree_link *link)
{
  size_t size = 1;
  for (int i = 0; i < link->k; i++)
    size += strlen(c->mbs->point[link->z[i]].name) + 2;
  char *text = gradyn_arena_take(&c->arena, size, 1);
  for (int i = 0; i < link->k && text; i++) {
    const char *name = c->mbs->point[link->z[i]].name;
    const size_t length = strlen(text);
    (void)snprintf(text + length, size - length, "%s%s", i ? ", " : "", name);
  }
  link->coordinates = link->k > 0 ? text : NULL;
  return text;
}

static bool add_link(tree *c, int joint, int body, int from)
{
  const gradyn_mbs *m = c->mbs;
  const mbs_joint *j = &m->parts.joint[joint];
  tree_link *link = &c->link[c->links];
  *link = (tree_link){.body = body,
                      .joint = joint,
                      .parent = link_of(c, from),
                      .turned = m->parts.frame[j->a].body == body,
                      .k = tree_kind_at(j->kind)->k};
  for (int i = 0; i < link->k; i++) {
    int row;
    link->z[i] = coordinate_of(j, i, &row);
  }
  if (!name_coordinates(c, link))
    return false;
  take_offsets(m, body, link->own);
  take_offsets(m, from, link->from);
  if (!tree_find_data(m, link))
    return false;
  c->links++;
  return true;
}

/* Links from a body, or the ground, to all that have none yet. */
static void add_links(tree *c, int from, bool *reached)
{
  const gradyn_mbs *m = c->mbs;
  for (int k = 0; k < m->parts.joints; k++) {
    const mbs_joint *j = &m->parts.joint[k];
    const int a = m->parts.frame[j->a].body, b = m->parts.frame[j->b].body;
    const int to = a == from ? b : a;
    if ((a != from && b != from) || to < 0 || reached[to] || !carries(m, j))
      continue;
    reached[to] = add_link(c, k, to, from);
  }
}

static void add_branches(tree *c, int root, bool *reached)
{
  int next = c->links;
  add_links(c, root, reached);
  for (; next < c->links; next++)
    add_links(c, c->link[next].body, reached);
}

/* --- rows and coordinates that are left ------------------------------------------------------------ */

/* The link that has a coordinate of X; -1: none. */
int tree_link_at(const tree *c, int at)
{
  return at < c->natural->n && c->place[at] < 0 ? -1 - c->place[at] : -1;
}

/* The link of the body whose base vectors a constraint ties; -1: it does not, or that is on no tree. */
static int internal_to(const tree *c, const mbs_element *e)
{
  if (e->ops != &mbs_dot_ops && e->ops != &mbs_square_ops)
    return -1;
  const int first = c->mbs->point[e->point[0]].offset, link = tree_link_at(c, first);
  for (int i = 0; i < e->points && link >= 0; i++) {
    const int at = c->mbs->point[e->point[i]].offset;
    if (tree_link_at(c, at) != link || at == c->link[link].own[0])
      return -1;
  }
  return link;
}

static void list_replaced(tree *c)
{
  for (int row = 0; row < c->natural->m; row++)
    c->left.replaced[row] = internal_to(c, &c->mbs->constraints.item[row]);
  for (int i = 0; i < c->links; i++) {
    const mbs_joint *j = &c->mbs->parts.joint[c->link[i].joint];
    for (int row = j->first; row < j->first + j->rows; row++)
      c->left.replaced[row] = i;
    for (int k = 0; k < c->link[i].k; k++) {
      int row;
      if (coordinate_of(j, k, &row) >= 0)
        c->left.replaced[row] = i;
    }
  }
}

static void list_rows(tree *c)
{
  const gradyn_mech *natural = c->natural;
  int count = 0;
  c->mech.m = 0;
  for (int i = 0; i < natural->m + natural->held; i++) {
    if (i < natural->m && c->left.replaced[i] >= 0)
      continue;
    c->row[count++] = i;
    c->mech.m += i < natural->m;
  }
  c->mech.held = count - c->mech.m;
}

/* What elements are asked for once the tree is there: constraints that are left. Those at the start of
 * `other` that are scalar products stand in a list of their own, too. */
static gradyn_status list_left(tree *c)
{
  const mbs_lists *all = &c->mbs->lists;
  mbs_lists *left = &c->left.lists;
  *left = *all;
  left->dot = gradyn_arena_take(&c->arena, (size_t)all->dots, sizeof *left->dot);
  left->other = gradyn_arena_take(&c->arena, (size_t)all->others, sizeof *left->other);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
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

static void list_coordinates(tree *c)
{
  const gradyn_mbs *m = c->mbs;
  int n = 0;
  for (int i = 0; i < c->natural->n; i++)
    c->place[i] = 0;
  for (int k = 0; k < c->links; k++)
    for (int i = 0; i < TREE_VECTORS; i++)
      for (int axis = 0; axis < 3; axis++)
        c->place[c->link[k].own[i] + axis] = -1 - k;
  for (int i = 0; i < c->natural->n; i++)
    if (c->place[i] >= 0) {
      c->source[n] = i;
      c->place[i] = n++;
    }
  c->mech.n = n;
  for (int k = 0; k < c->links; k++)
    for (int i = 0; i < c->link[k].k; i++)
      c->link[k].z[i] = c->place[m->point[c->link[k].z[i]].offset];
}

gradyn_status tree_find(tree *c)
{
  const gradyn_mbs *m = c->mbs;
  bool *reached = calloc((size_t)m->parts.bodies + 1, sizeof *reached);
  if (!reached)
    return GRADYN_NO_MEMORY;
  add_branches(c, GRADYN_GROUND, reached);
  for (int b = 0; b < m->parts.bodies; b++)
    if (!reached[b]) {
      reached[b] = true; /* it keeps its vectors */
      add_branches(c, b, reached);
    }
  free(reached);
  GRADYN_TRY(gradyn_arena_status(&c->arena));
  list_coordinates(c);
  list_replaced(c);
  list_rows(c);
  GRADYN_TRY(list_left(c));
  c->own.composite = tree_find_masses(c);
  return GRADYN_OK;
}

/* --- what users are told --------------------------------------------------------------------------- */

static const char *body_name(const gradyn_mbs *m, int body)
{
  return body >= 0 ? m->parts.body[body].name : "ground";
}

/* Why a joint carries no body. */
static const char *why_left(const gradyn_mbs *m, const mbs_joint *j)
{
  const bool known = tree_kind_at(j->kind)->carries;
  const bool bar = m->parts.frame[j->a].body == MBS_BAR_FRAME ||
                   m->parts.frame[j->b].body == MBS_BAR_FRAME;
  return !known            ? "joints of this kind carry none"
         : bar             ? "a bar is no body"
         : carries(m, j)   ? "it closes a loop"
         : reader_of(m, j) ? "a force reads what goes through it"
                           : "its origins are connected without it";
}

/* Joint k as one that is left. */
static gradyn_link_info left_joint(const gradyn_mbs *m, int k)
{
  const mbs_joint *j = &m->parts.joint[k];
  return (gradyn_link_info){
      .joint = j->name, .kind = mbs_joint_kind(j->kind), .left = why_left(m, j)};
}

bool tree_describe(const tree *c, int i, gradyn_link_info *info)
{
  const gradyn_mbs *m = c->mbs;
  if (i < c->links) {
    const tree_link *link = &c->link[i];
    const mbs_joint *j = &m->parts.joint[link->joint];
    const int a = m->parts.frame[j->a].body, b = m->parts.frame[j->b].body;
    *info = (gradyn_link_info){.joint = j->name,
                               .kind = mbs_joint_kind(j->kind),
                               .body = body_name(m, link->body),
                               .parent = body_name(m, link->turned ? b : a),
                               .coordinate = link->coordinates};
    return true;
  }
  for (int k = 0, left = c->links; k < m->parts.joints; k++) {
    bool carried = false;
    for (int l = 0; l < c->links; l++)
      carried = carried || c->link[l].joint == k;
    if (carried || left++ < i)
      continue;
    *info = left_joint(m, k);
    return true;
  }
  return false;
}
