/* Events in joint coordinates. Their guards and formulas see natural coordinates through a view (view.c),
 * gaps of contacts are rows that are left. What a mode holds or releases, what events capture, and bodies
 * whose vectors events map, set or keep are not on the tree: joints that would carry them stay joints of
 * rows. */
#include "mbs/tree/choose.h"

/* Whether a row of the motion is there in some modes only. */
static bool is_moded(const gradyn_mbs *m, int row)
{
  return row >= 0 && m->constraints.item[row].modes.bits != 0;
}

static bool is_captured(const gradyn_mbs *m, int row)
{
  const gradyn_model_captures *all = &m->model->log.captures;
  for (int k = 0; k < all->count; k++)
    if (all->item[k].constraint == row)
      return true;
  return false;
}

const char *tree_why_joint(const gradyn_mbs *m, const mbs_joint *j)
{
  const int coordinate[] = {j->angle_row, j->slide_row, j->along_row[0], j->along_row[1],
                            j->angle_b_row};
  for (int row = j->first; row < j->first + j->rows; row++) {
    if (is_moded(m, row))
      return "it does not hold in all modes";
    if (is_captured(m, row))
      return "an event captures what it holds";
  }
  for (size_t k = 0; k < sizeof coordinate / sizeof *coordinate; k++)
    if (is_moded(m, coordinate[k]))
      return "its coordinate is not there in all modes";
  return NULL;
}

/* Whether a component is one of a body's vectors. */
static bool is_of(const gradyn_mbs *m, int body, const gradyn_kept *component)
{
  for (int i = 0; i < TREE_VECTORS && m->dim == 3; i++)
    if (m->parts.body[body].point[i] == component->point)
      return true;
  return false;
}

const char *tree_why_body(const gradyn_mbs *m, int body)
{
  for (int k = 0; k < m->model->event_count; k++) {
    const gradyn_event *e = &m->model->event[k];
    for (int i = 0; i < e->map_count; i++)
      if (is_of(m, body, &e->map[i].to) || is_of(m, body, &e->map[i].from))
        return "an event maps coordinates of its body";
    for (int i = 0; i < e->set_count; i++)
      if (is_of(m, body, &e->set[i]))
        return "an event sets velocities of its body";
    for (int i = 0; i < e->kept_count; i++)
      if (is_of(m, body, &e->kept[i]))
        return "an event keeps velocities of its body";
  }
  return NULL;
}

/* Where a component is among the coordinates of the tree. */
static void place(const tree *c, gradyn_kept *component)
{
  if (component->point >= 0)
    component->at = c->place[component->at];
}

void tree_place_events(tree *c)
{
  gradyn_model *model = c->mbs->model;
  for (int k = 0; k < model->event_count; k++) {
    gradyn_event *e = &model->event[k];
    for (int i = 0; i < e->map_count; i++) {
      place(c, &e->map[i].to);
      place(c, &e->map[i].from);
    }
    for (int i = 0; i < e->set_count; i++)
      place(c, &e->set[i]);
    for (int i = 0; i < e->kept_count; i++)
      place(c, &e->kept[i]);
  }
  for (int k = 0; k < model->log.captures.count; k++)
    for (int i = 0; i < c->mech.m; i++)
      if (c->row[i] == model->log.captures.item[k].constraint)
        model->log.captures.item[k].row = i;
}
