/* Bodies and rods with joint coordinates in the plane: a search over the declarations of build().
 * Coordinates are declared after the search, so that users' numbers of points and constraints do not
 * change.
 *
 * The search runs from the ground outwards, breadth first, so that trees stay shallow. It adds bodies on
 * revolute, prismatic and fixed joints, and far ends of rods that are points of no other part. If no
 * candidate remains, a new root begins: a body with a free centre and an angle, then a free end of a rod.
 * Constraints that would close a loop remain. */
#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/readings.h"
#include "mbs/tree/choose.h"
#include "mbs/tree/queue.h"

#include <stdlib.h>
#include <string.h>

/* Hosts of points, unless the host is a turn, which is given by its number. */
enum { ON_GROUND = -1, NOWHERE = -2, ROOT = -3, OF_PART = -4 };

typedef struct search {
  gradyn_mbs *m;
  int *host; /* [points] hosts of points that are not attached */
  int *item; /* [rows] constraints of the motion */
  int rows;
  bool *stays;    /* [rows] whether a constraint must remain */
  mbs_turn *turn; /* [bodies + rows] bodies and rods found so far */
  int turns;
  /* [points + 1] candidates at each point: joints, followed by constraints */
  int *start, *touch;
  /* candidates to examine: the earliest round first and, within a round, the lowest index first */
  tree_queue queue;
  int round, limit;        /* present round, and number of turns found before it */
  int next_body, next_row; /* bodies and points before these indices cannot begin a root */
} search;

/* --- hosts ------------------------------------------------------------------------------------ */

/* Whether a point attached to carriers of a turn moves with this turn: for all data, the shares of
 * positions add up to one. */
static bool adds_up(const search *s, const mbs_point *p, int turn)
{
  double constant = 0, slope = 0;
  for (int k = 0; k < p->carriers; k++) {
    const int carrier = p->carrier[k].point;
    const bool own = s->host[carrier] == turn;
    if (!own && (carrier != s->turn[turn].from && carrier != s->turn[turn].to))
      return false;
    constant += s->m->point[carrier].direction ? 0 : p->carrier[k].constant;
    slope += s->m->point[carrier].direction ? 0 : p->carrier[k].slope;
  }
  return constant == 1 && slope == 0;
}

/* Host of a point: a turn or the ground; a free point is its own host. */
static int host_of(const search *s, int point)
{
  const mbs_point *p = &s->m->point[point];
  int turn = NOWHERE;
  if (mbs_on_ground(s->m, point))
    return ON_GROUND;
  if (p->kind != MBS_ATTACHED)
    return s->host[point];
  for (int k = 0; k < p->carriers; k++)
    turn = s->host[p->carrier[k].point] > turn ? s->host[p->carrier[k].point] : turn;
  return turn >= 0 && adds_up(s, p, turn) ? turn : NOWHERE;
}

/* Whether the ground, a root, or a turn found before `limit` carries a point. */
static bool carries(const search *s, int point, int limit)
{
  const int host = host_of(s, point);
  return host == ON_GROUND || host == ROOT || (host >= 0 && host < limit);
}

static bool is_free(const search *s, int point)
{
  return s->m->point[point].kind == MBS_MOVING && s->host[point] == NOWHERE;
}

/* --- candidates ------------------------------------------------------------------------------- */

static const mbs_element *element_at(const search *s, int row)
{
  return &s->m->constraints.item[s->item[row]];
}

static int parent_of(int host)
{
  return host >= 0 ? host : -1;
}

/* Queues the candidates at a point that has got a host; they are considered in the next round. */
static void reach(search *s, int point)
{
  for (int k = s->start[point]; k < s->start[point + 1]; k++)
    tree_queue_add(&s->queue, (tree_queue_entry){{s->round + 1, s->touch[k]}, s->touch[k]});
}

static void settle(search *s, int point, int host)
{
  s->host[point] = host;
  reach(s, point);
}

/* Adds a joint to the tree if it is of a kind that the tree has, one of its bodies is carried, and the
 * other one is free. */
static void add_joint(search *s, int joint)
{
  const gradyn_mbs *m = s->m;
  const mbs_joint *j = &m->parts.joint[joint];
  const mbs_frame *a = &m->parts.frame[j->a], *b = &m->parts.frame[j->b];
  const bool kind = j->kind == GRADYN_REVOLUTE || j->kind == GRADYN_PRISMATIC ||
                    j->kind == GRADYN_FIXED;
  if (!kind || j->cut || j->loose || a->body == MBS_BAR_FRAME || b->body == MBS_BAR_FRAME)
    return;
  for (int row = j->first; row < j->first + j->rows; row++)
    if (s->stays[row])
      return;
  if ((j->angle_row >= 0 && s->stays[j->angle_row]) ||
      (j->slide_row >= 0 && s->stays[j->slide_row]))
    return;
  for (int turned = 0; turned < 2; turned++) {
    const mbs_frame *own = turned ? a : b, *other = turned ? b : a;
    if (own->body < 0 || s->host[m->parts.body[own->body].point[1]] != OF_PART ||
        tree_why_body(m, own->body) || !carries(s, other->origin, s->limit))
      continue;
    for (int k = 0; k <= m->dim; k++)
      settle(s, m->parts.body[own->body].point[k], s->turns);
    s->turn[s->turns++] = (mbs_turn){.body = own->body,
                                     .joint = joint,
                                     .from = other->origin,
                                     .to = own->origin,
                                     .own = own->origin,
                                     .parent = parent_of(host_of(s, other->origin))};
    return;
  }
}

/* The constraint of a rod, if it need not remain; otherwise NULL. */
static const mbs_element *rod_at(const search *s, int row)
{
  const mbs_element *e = element_at(s, row);
  return mbs_is_rod(e) && !s->stays[row] ? e : NULL;
}

/* Adds a rod to the tree if one of its points is carried already and the other one is free. */
static void add_rod(search *s, int row)
{
  const mbs_element *e = rod_at(s, row);
  for (int k = 0; k < 2 && e; k++) {
    const int near = e->point[k], far = e->point[1 - k];
    if (!is_free(s, far) || !carries(s, near, s->limit))
      continue;
    const int host = host_of(s, near);
    settle(s, far, s->turns);
    s->turn[s->turns++] = (mbs_turn){.body = -1,
                                     .joint = -1,
                                     .row = row,
                                     .name = e->name,
                                     .from = e->point[0],
                                     .to = e->point[1],
                                     .own = far,
                                     .parent = parent_of(host)};
    return;
  }
}

/* Begins a new root, which is a body or a point; false: there is none. */
static bool add_root(search *s)
{
  const gradyn_mbs *m = s->m;
  for (; s->next_body < m->parts.bodies; s->next_body++) {
    const int *point = m->parts.body[s->next_body].point;
    if (s->host[point[1]] != OF_PART)
      continue;
    for (int k = 0; k <= m->dim; k++)
      settle(s, point[k], s->turns);
    s->turn[s->turns++] = (mbs_turn){.body = s->next_body,
                                     .joint = -1,
                                     .from = point[0],
                                     .to = point[0],
                                     .own = point[0],
                                     .parent = -1};
    return true;
  }
  for (; s->next_row < s->rows; s->next_row++) {
    const mbs_element *e = rod_at(s, s->next_row);
    if (e && is_free(s, e->point[0]) && is_free(s, e->point[1])) {
      settle(s, e->point[0], ROOT);
      return true;
    }
  }
  return false;
}

/* --- the search ------------------------------------------------------------------------------- */

/* Sets the hosts of all points before the search. Points that events use keep their coordinates; they may
 * carry other points. */
static void begin(search *s)
{
  const gradyn_mbs *m = s->m;
  for (int i = 0; i < m->points; i++)
    s->host[i] = m->point[i].direction ? OF_PART : tree_why_points(m, &i, 1) ? ROOT : NOWHERE;
  for (int b = 0; b < m->parts.bodies; b++)
    for (int k = 0; k <= m->dim; k++)
      s->host[m->parts.body[b].point[k]] = OF_PART;
  for (int i = 0; i < m->parts.beam_points; i++)
    s->host[m->parts.beam_point[i]] = OF_PART;
  for (int i = 0; i < m->constraints.count; i++)
    if (m->constraints.item[i].when == MBS_IN_MOTION)
      s->item[s->rows++] = i;
}

/* Counts a candidate at a point or at its carriers; with `list`, lists it. */
static void touch_point(search *s, int point, int candidate, bool list)
{
  const mbs_point *p = &s->m->point[point];
  const bool attached = p->kind == MBS_ATTACHED;
  for (int k = 0; k < (attached ? p->carriers : 1); k++) {
    int *at = &s->start[attached ? p->carrier[k].point : point];
    if (list)
      s->touch[--*at] = candidate;
    else
      ++*at;
  }
}

/* Counts or lists all candidates: joints at the origins of their frames, rods at their ends. */
static void touch_all(search *s, bool list)
{
  const mbs_parts *parts = &s->m->parts;
  for (int k = 0; k < parts->joints; k++) {
    touch_point(s, parts->frame[parts->joint[k].a].origin, k, list);
    touch_point(s, parts->frame[parts->joint[k].b].origin, k, list);
  }
  for (int row = 0; row < s->rows; row++)
    for (int k = 0; k < 2 && mbs_is_rod(element_at(s, row)); k++)
      touch_point(s, element_at(s, row)->point[k], parts->joints + row, list);
}

/* Lists the candidates at each point, and allocates the queue: each candidate can be in it once, and once
 * for each of its points. False: out of memory. */
static bool list_candidates(search *s)
{
  const int points = s->m->points, all = s->m->parts.joints + s->rows;
  s->start = calloc((size_t)points + 1, sizeof *s->start);
  if (!s->start)
    return false;
  touch_all(s, false);
  for (int i = 0; i < points; i++) /* ends of lists, which become their beginnings below */
    s->start[i + 1] += s->start[i];
  const size_t touches = (size_t)s->start[points];
  s->touch = malloc((touches + 1) * sizeof *s->touch);
  s->queue.entry = malloc((touches + (size_t)all + 1) * sizeof *s->queue.entry);
  if (!s->touch || !s->queue.entry)
    return false;
  touch_all(s, true);
  for (int i = 0; i < all; i++)
    tree_queue_add(&s->queue, (tree_queue_entry){{0, i}, i});
  return true;
}

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Marks constraints that must remain: those that events use, and those with multipliers that forces depend
 * on. False: out of memory. */
static bool mark_stays(search *s)
{
  const mbs_elements *forces = &s->m->lists.forces;
  const char **read = malloc(((size_t)forces->count * MBS_READS + 1) * sizeof *read);
  size_t reads = 0;
  if (!read)
    return false;
  for (int i = 0; i < forces->count; i++) {
    const mbs_reading *r = forces->item[i].reading;
    for (int k = 0; r && k < r->count; k++)
      read[reads++] = r->name[k];
  }
  qsort(read, reads, sizeof *read, compare_names);
  for (int row = 0; row < s->rows; row++) {
    const mbs_element *e = element_at(s, row);
    const char *name = e->name;
    s->stays[row] = bsearch(&name, read, reads, sizeof *read, compare_names) ||
                    tree_why_row(s->m, e, row);
  }
  free(read);
  return true;
}

/* Runs the search. Candidates that come within reach in one round are processed in the next, joints before
 * rods. */
static void find(search *s)
{
  const int joints = s->m->parts.joints;
  do {
    while (s->queue.count > 0) {
      const tree_queue_entry next = tree_queue_take(&s->queue);
      if (next.key[0] > s->round) {
        s->round = next.key[0];
        s->limit = s->turns;
      }
      if (next.what < joints)
        add_joint(s, next.what);
      else
        add_rod(s, next.what - joints);
    }
  } while (add_root(s));
}

/* Fills the list of turns; false: out of memory. */
static bool search_all(gradyn_mbs *m)
{
  const size_t rows = (size_t)m->constraints.count + 1;
  search s = {.m = m, .host = malloc(((size_t)m->points + 1) * sizeof(int))};
  s.item = malloc(rows * sizeof *s.item);
  s.stays = malloc(rows * sizeof *s.stays);
  s.turn = malloc((rows + (size_t)m->parts.bodies) * sizeof *s.turn);
  bool ok = s.host && s.item && s.stays && s.turn;
  if (ok) {
    begin(&s);
    ok = mark_stays(&s) && list_candidates(&s);
  }
  if (ok)
    find(&s);
  free(s.queue.entry);
  free(s.touch);
  free(s.start);
  free(s.stays);
  free(s.item);
  m->parts.host = s.host;
  m->parts.turn = s.turn;
  m->parts.turns = ok ? s.turns : 0;
  return ok;
}

/* --- description ------------------------------------------------------------------------------ */

const char *tree_why_rod(const gradyn_mbs *m, int row)
{
  const mbs_element *e = &m->constraints.item[row];
  const search s = {
      .m = (gradyn_mbs *)m, .host = m->parts.host, .turn = m->parts.turn, .turns = m->parts.turns};
  const char *why = mbs_is_read(&m->mech, row) ? "a force depends on its multipliers"
                                               : tree_why_row(m, e, row);
  if (!why)
    why = tree_why_points(m, e->point, 2);
  for (int k = 0; k < 2 && !why; k++)
    if (!carries(&s, e->point[k], s.turns))
      why = "one of its ends is on a beam, or on several parts";
  return why ? why : "it closes a loop";
}

/* --- coordinates ------------------------------------------------------------------------------ */

static void declare_joint(gradyn_mbs *m, mbs_turn *t)
{
  const mbs_joint *j = &m->parts.joint[t->joint];
  t->coordinate = t->tie = -1;
  if (j->kind == GRADYN_REVOLUTE) {
    t->coordinate = gradyn_joint_coordinate(m->model, gradyn_id(m->model, t->joint), GRADYN_ANGLE) -
                    gradyn_first_id(m->model);
    t->tie = j->angle_row;
  } else if (j->kind == GRADYN_PRISMATIC) {
    t->coordinate = gradyn_joint_coordinate(m->model, gradyn_id(m->model, t->joint), GRADYN_SLIDE) -
                    gradyn_first_id(m->model);
    t->tie = j->slide_row;
  }
}

/* Declares the coordinate of a turn in the plane: of a joint, a body or a rod. */
static void declare(gradyn_mbs *m, mbs_turn *t)
{
  if (t->joint >= 0) {
    declare_joint(m, t);
    return;
  }
  const int row = m->row_cursor[MBS_IN_MOTION];
  if (t->body >= 0) {
    const mbs_body *body = &m->parts.body[t->body];
    t->coordinate = mbs_add_swing(m, gradyn_format_name(m->model, "%s.angle", body->name), -1,
                                  body->point[1]);
  } else {
    t->coordinate = mbs_add_swing(m, gradyn_format_name(m->model, "%.80s.angle", t->name), t->from,
                                  t->to);
  }
  t->tie = row;
}

void tree_declare_turns(gradyn_mbs *m)
{
  if (!m->model->finalised && !search_all(m)) {
    gradyn_model_no_memory(m->model, "joint coordinates");
    return;
  }
  for (int i = 0; i < m->parts.turns; i++)
    declare(m, &m->parts.turn[i]);
}
