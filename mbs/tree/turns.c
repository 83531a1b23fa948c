/* Which bodies and rods joint coordinates place in the plane, and by which coordinates: a search over what
 * build() has declared, behind which the coordinates are declared, so that numbers of points and constraints
 * that users know stay.
 *
 * From the ground outwards, breadth first, so that trees stay shallow: bodies on revolute, prismatic and
 * fixed joints; far ends of rods, points of no other part. Where nothing is left to hang on, a body begins
 * whose centre is free and which turns, then a free end of a rod. What would close a loop stays as it is. */
#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/readings.h"
#include "mbs/tree/choose.h"

#include <stdlib.h>
#include <string.h>

/* What a point is fixed to, besides the number of a turn. */
enum { ON_GROUND = -1, NOWHERE = -2, ROOT = -3, OF_PART = -4 };

typedef struct search {
  gradyn_mbs *m;
  int *host; /* [points] of those that are not attached */
  int *item; /* [rows] constraints of the motion */
  int rows;
  mbs_turn *turn; /* [bodies + rows] */
  int turns;
} search;

/* --- places ---------------------------------------------------------------------------------------- */

/* Whether origins of a turn are those of a point of it: shares of them add up to one, whatever the data. */
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

/* What a point goes with: a turn, the ground, or, free, itself. */
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

/* Whether what has been found before `limit` carries a point. */
static bool carries(const search *s, int point, int limit)
{
  const int host = host_of(s, point);
  return host == ON_GROUND || host == ROOT || (host >= 0 && host < limit);
}

static bool is_free(const search *s, int point)
{
  return s->m->point[point].kind == MBS_MOVING && s->host[point] == NOWHERE;
}

/* --- candidates ------------------------------------------------------------------------------------ */

static const mbs_element *element_at(const search *s, int row)
{
  return &s->m->constraints.item[s->item[row]];
}

/* Whether a force reads the multiplier of a row, which then stays. */
static bool is_read(const search *s, int row)
{
  const char *name = element_at(s, row)->name;
  for (int i = 0; i < s->m->lists.forces.count; i++) {
    const mbs_reading *r = s->m->lists.forces.item[i].reading;
    for (int k = 0; r && k < r->count; k++)
      if (strcmp(r->name[k], name) == 0)
        return true;
  }
  return false;
}

/* Whether a row has to stay. */
static bool stays(const search *s, int row)
{
  return row >= 0 && (is_read(s, row) || tree_why_row(s->m, element_at(s, row), row));
}

static int parent_of(int host)
{
  return host >= 0 ? host : -1;
}

static void add_joint(search *s, int joint, int limit)
{
  const gradyn_mbs *m = s->m;
  const mbs_joint *j = &m->parts.joint[joint];
  const mbs_frame *a = &m->parts.frame[j->a], *b = &m->parts.frame[j->b];
  const bool kind = j->kind == GRADYN_REVOLUTE || j->kind == GRADYN_PRISMATIC ||
                    j->kind == GRADYN_FIXED;
  if (!kind || j->cut || j->loose || a->body == MBS_BAR_FRAME || b->body == MBS_BAR_FRAME)
    return;
  for (int row = j->first; row < j->first + j->rows; row++)
    if (stays(s, row))
      return;
  if (stays(s, j->angle_row) || stays(s, j->slide_row))
    return;
  for (int turned = 0; turned < 2; turned++) {
    const mbs_frame *own = turned ? a : b, *other = turned ? b : a;
    if (own->body < 0 || s->host[m->parts.body[own->body].point[1]] != OF_PART ||
        tree_why_body(m, own->body) || !carries(s, other->origin, limit))
      continue;
    for (int k = 0; k <= m->dim; k++)
      s->host[m->parts.body[own->body].point[k]] = s->turns;
    s->turn[s->turns++] = (mbs_turn){.body = own->body,
                                     .joint = joint,
                                     .from = other->origin,
                                     .to = own->origin,
                                     .own = own->origin,
                                     .parent = parent_of(host_of(s, other->origin))};
    return;
  }
}

/* A constant distance, at all times, of two points. */
static const mbs_element *rod_at(const search *s, int row)
{
  const mbs_element *e = element_at(s, row);
  return mbs_is_rod(e) && !stays(s, row) ? e : NULL;
}

static void add_rod(search *s, int row, int limit)
{
  const mbs_element *e = rod_at(s, row);
  for (int k = 0; k < 2 && e; k++) {
    const int near = e->point[k], far = e->point[1 - k];
    if (!is_free(s, far) || !carries(s, near, limit))
      continue;
    const int host = host_of(s, near);
    s->host[far] = s->turns;
    s->turn[s->turns++] = (mbs_turn){.body = -1,
                                     .joint = -1,
                                     .row = row,
                                     .from = e->point[0],
                                     .to = e->point[1],
                                     .own = far,
                                     .parent = parent_of(host)};
    return;
  }
}

/* A body, or a point, on which others may hang; false: there is none. */
static bool add_root(search *s)
{
  const gradyn_mbs *m = s->m;
  for (int b = 0; b < m->parts.bodies; b++) {
    const int *point = m->parts.body[b].point;
    if (s->host[point[1]] != OF_PART)
      continue;
    for (int k = 0; k <= m->dim; k++)
      s->host[point[k]] = s->turns;
    s->turn[s->turns++] = (mbs_turn){
        .body = b, .joint = -1, .from = point[0], .to = point[0], .own = point[0], .parent = -1};
    return true;
  }
  for (int row = 0; row < s->rows; row++) {
    const mbs_element *e = rod_at(s, row);
    if (e && is_free(s, e->point[0]) && is_free(s, e->point[1])) {
      s->host[e->point[0]] = ROOT;
      return true;
    }
  }
  return false;
}

/* --- the search ------------------------------------------------------------------------------------ */

/* What events know of points is coordinates: on these others may hang. */
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

static void find(search *s)
{
  int limit;
  begin(s);
  do {
    limit = s->turns;
    for (int k = 0; k < s->m->parts.joints; k++)
      add_joint(s, k, limit);
    for (int row = 0; row < s->rows; row++)
      add_rod(s, row, limit);
  } while (s->turns > limit || add_root(s));
}

/* Fills the list; false: out of memory. */
static bool search_all(gradyn_mbs *m)
{
  const size_t rows = (size_t)m->constraints.count + 1;
  search s = {.m = m, .host = malloc(((size_t)m->points + 1) * sizeof(int))};
  s.item = malloc(rows * sizeof *s.item);
  s.turn = malloc((rows + (size_t)m->parts.bodies) * sizeof *s.turn);
  const bool ok = s.host && s.item && s.turn;
  if (ok)
    find(&s);
  free(s.item);
  m->parts.host = s.host;
  m->parts.turn = s.turn;
  m->parts.turns = ok ? s.turns : 0;
  return ok;
}

/* --- what users are told --------------------------------------------------------------------------- */

const char *tree_why_rod(const gradyn_mbs *m, int row)
{
  const mbs_element *e = &m->constraints.item[row];
  const search s = {
      .m = (gradyn_mbs *)m, .host = m->parts.host, .turn = m->parts.turn, .turns = m->parts.turns};
  const char *why = mbs_is_read(&m->mech, row) ? "a force reads what goes through it"
                                               : tree_why_row(m, e, row);
  if (!why)
    why = tree_why_points(m, e->point, 2);
  for (int k = 0; k < 2 && !why; k++)
    if (!carries(&s, e->point[k], s.turns))
      why = "an end of it is on a beam, or on several parts at once";
  return why ? why : "it closes a loop";
}

/* --- coordinates ----------------------------------------------------------------------------------- */

static void declare_joint(gradyn_mbs *m, mbs_turn *t)
{
  const mbs_joint *j = &m->parts.joint[t->joint];
  t->coordinate = t->tie = -1;
  if (j->kind == GRADYN_REVOLUTE) {
    t->coordinate = gradyn_joint_angle(m->model, t->joint);
    t->tie = j->angle_row;
  } else if (j->kind == GRADYN_PRISMATIC) {
    t->coordinate = gradyn_joint_slide(m->model, t->joint);
    t->tie = j->slide_row;
  }
}

static void declare(gradyn_mbs *m, mbs_turn *t)
{
  if (t->joint >= 0) {
    declare_joint(m, t);
    return;
  }
  const int row = m->row_cursor[MBS_IN_MOTION];
  if (t->body >= 0) {
    const mbs_body *body = &m->parts.body[t->body];
    t->coordinate = mbs_add_swing(m, gradyn_name(m->model, "%s.angle", body->name), -1,
                                  body->point[1]);
  } else {
    const char *name = mbs_motion_name(m, t->row);
    t->coordinate = mbs_add_swing(m, gradyn_name(m->model, "%.80s.angle", name), t->from, t->to);
  }
  t->tie = row;
}

void tree_declare_turns(gradyn_mbs *m)
{
  if (!m->model->sealed && !search_all(m)) {
    gradyn_model_no_memory(m->model, "joint coordinates");
    return;
  }
  for (int i = 0; i < m->parts.turns; i++)
    declare(m, &m->parts.turn[i]);
}
