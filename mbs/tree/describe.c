/* Description of a tree for users: the joint and coordinate of each body; the joints, and in the plane rods,
 * that remain constraints, with reasons. */
#include "mbs/elements/readings.h"
#include "mbs/tree/choose.h"
#include "mbs/passes/joints.h"

/* Largest number of forces that may depend on multipliers of the tree's joints: each adds unknowns to each
 * stage. */
enum { MOST_READERS = 16 };

/* Whether a force needs constraint i as a remaining constraint. */
static bool needs_row(const gradyn_mbs *m, int i)
{
  const mbs_lists *l = &m->lists;
  const bool all = m->model->settings.joint_coordinates == GRADYN_JOINT_UNLESS_READ ||
                   l->readers > MOST_READERS;
  bool needed = false;
  for (int r = 0; r < l->readers; r++) {
    const mbs_element *e = &l->forces.item[l->reader[r]];
    for (int k = 0; k < e->reading->count && (all || !e->ops->scalar); k++)
      needed = needed || e->reading->row[k] == i;
  }
  return needed;
}

bool tree_reads_joint(const gradyn_mbs *m, const mbs_joint *j)
{
  bool read = false;
  for (int row = j->first; row < j->first + j->rows; row++)
    read = read || needs_row(m, row);
  for (int i = 0; i < tree_kind_at(j->kind)->k; i++) {
    int row;
    if (tree_coordinate_of(j, i, &row) >= 0)
      read = read || needs_row(m, row);
  }
  return read;
}

static const char *body_name(const gradyn_mbs *m, int body)
{
  return body >= 0 ? m->parts.body[body].name : "ground";
}

/* Name of a link: that of its joint, rod or body. */
const char *tree_link_name(const tree *c, int i)
{
  const gradyn_mbs *m = c->mbs;
  const tree_link *link = &c->link[i];
  return link->joint >= 0  ? m->parts.joint[link->joint].name
         : link->body >= 0 ? m->parts.body[link->body].name
                           : m->constraints.item[m->parts.turn[i].row].name;
}

/* Reason why a joint positions no body. */
static const char *why_left(const gradyn_mbs *m, const mbs_joint *j)
{
  const int body[] = {m->parts.frame[j->a].body, m->parts.frame[j->b].body};
  if (!tree_kind_at(j->kind)->carries)
    return "joints of this kind cannot carry a body";
  if (body[0] == MBS_BAR_FRAME || body[1] == MBS_BAR_FRAME)
    return "a rod is no body";
  if (j->cut)
    return "it is declared as a cut joint";
  if (j->loose)
    return "other parts already connect the origins of its frames";
  if (tree_reads_joint(m, j))
    return "a force depends on its multipliers";
  const char *why = tree_why_joint(m, j);
  for (int k = 0; k < 2 && !why && body[k] >= 0; k++)
    why = tree_why_body(m, body[k]);
  return why ? why : "it closes a loop";
}

/* Describes joint k as a remaining joint. */
static gradyn_link_info left_joint(const gradyn_mbs *m, int k)
{
  const mbs_joint *j = &m->parts.joint[k];
  return (gradyn_link_info){
      .joint = j->name, .kind = mbs_joint_kind(j->kind), .reason = why_left(m, j)};
}

/* Whether a constraint belongs to a joint, which is described itself. */
static bool is_of_joint(const gradyn_mbs *m, int row)
{
  for (int k = 0; k < m->parts.joints; k++) {
    const mbs_joint *j = &m->parts.joint[k];
    if (row >= j->first && row < j->first + j->rows)
      return true;
  }
  return false;
}

/* In the plane: describes remaining rod i; false if there are fewer. */
static bool describe_left_rod(const tree *c, int i, gradyn_link_info *info)
{
  const gradyn_mbs *m = c->mbs;
  for (int row = 0; row < c->natural->m && c->plane; row++) {
    const mbs_element *e = &m->constraints.item[row];
    if (!mbs_is_rod(e) || c->left.replaced[row] >= 0 || is_of_joint(m, row) || i-- > 0)
      continue;
    *info = (gradyn_link_info){.joint = e->name, .kind = "rod", .reason = tree_why_rod(m, row)};
    return true;
  }
  return false;
}

/* Describes a link in the plane: a rod, or a free body. */
static gradyn_link_info describe_turn(const tree *c, int i)
{
  const gradyn_mbs *m = c->mbs;
  const mbs_turn *t = &m->parts.turn[i];
  return (gradyn_link_info){.joint = tree_link_name(c, i),
                            .kind = t->body >= 0 ? "free body" : "rod",
                            .body = m->point[t->own].name,
                            .parent = m->point[t->own == t->to ? t->from : t->to].name,
                            .coordinate = c->link[i].coordinates};
}

bool tree_describe(const tree *c, int i, gradyn_link_info *info)
{
  const gradyn_mbs *m = c->mbs;
  if (i < c->links) {
    const tree_link *link = &c->link[i];
    if (link->joint < 0) {
      *info = c->plane ? describe_turn(c, i)
                       : (gradyn_link_info){.joint = tree_link_name(c, i),
                                            .kind = "floating",
                                            .body = tree_link_name(c, i),
                                            .parent = body_name(m, GRADYN_GROUND),
                                            .coordinate = link->coordinates};
      return true;
    }
    const mbs_joint *j = &m->parts.joint[link->joint];
    const int a = m->parts.frame[j->a].body, b = m->parts.frame[j->b].body;
    *info = (gradyn_link_info){.joint = j->name,
                               .kind = mbs_joint_kind(j->kind),
                               .body = body_name(m, link->body),
                               .parent = body_name(m, link->turned ? b : a),
                               .coordinate = link->coordinates};
    return true;
  }
  int left = c->links;
  for (int k = 0; k < m->parts.joints; k++) {
    bool carried = false;
    for (int l = 0; l < c->links; l++)
      carried = carried || c->link[l].joint == k;
    if (carried || left++ < i)
      continue;
    *info = left_joint(m, k);
    return true;
  }
  return describe_left_rod(c, i - left, info);
}
