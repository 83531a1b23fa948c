/* Events in joint coordinates. Guards and formulas use natural coordinates (view.c). Gaps of contacts are
 * remaining constraints. The tree contains no constraints that are latched or absent from modes. It contains
 * no bodies and points with vectors that events map, set or preserve. Their joints and rods remain
 * constraints. */
#include "mbs/tree/choose.h"

static bool is_captured(const gradyn_mbs *m, int row)
{
  const gradyn_model_captures *all = &m->model->log.captures;
  for (int k = 0; k < all->count; k++)
    if (all->item[k].constraint == row)
      return true;
  return false;
}

const char *tree_why_row(const gradyn_mbs *m, const mbs_element *e, int row)
{
  return e->modes.bits         ? "it is not active in all modes"
         : is_captured(m, row) ? "an event latches its value"
                               : NULL;
}

const char *tree_why_joint(const gradyn_mbs *m, const mbs_joint *j)
{
  const int coordinate[] = {j->angle_row, j->slide_row, j->along_row[0], j->along_row[1],
                            j->angle_b_row};
  const char *why = NULL;
  for (int row = j->first; row < j->first + j->rows && !why; row++)
    why = tree_why_row(m, &m->constraints.item[row], row);
  for (size_t k = 0; k < sizeof coordinate / sizeof *coordinate && !why; k++)
    if (coordinate[k] >= 0 && m->constraints.item[coordinate[k]].modes.bits)
      why = "its coordinate is not active in all modes";
  return why;
}

/* Whether a component belongs to one of `count` points. */
static bool is_of(const int *point, int count, const gradyn_preserved_velocity *component)
{
  for (int i = 0; i < count; i++)
    if (point[i] == component->point)
      return true;
  return false;
}

const char *tree_why_points(const gradyn_mbs *m, const int *point, int count)
{
  for (int k = 0; k < m->model->event_count; k++) {
    const gradyn_event_entry *e = &m->model->event[k];
    for (int i = 0; i < e->map_count; i++)
      if (is_of(point, count, &e->map[i].to) || is_of(point, count, &e->map[i].from))
        return "an event maps coordinates of its bodies";
    for (int i = 0; i < e->set_count; i++)
      if (is_of(point, count, &e->set[i]))
        return "an event sets velocities of its bodies";
    for (int i = 0; i < e->kept_count; i++)
      if (is_of(point, count, &e->kept[i]))
        return "an event preserves velocities of its bodies";
  }
  return NULL;
}

const char *tree_why_body(const gradyn_mbs *m, int body)
{
  return tree_why_points(m, m->parts.body[body].point, m->dim + 1);
}

/* Changes the index of a component to a coordinate of the tree. */
static void position(const tree *c, gradyn_preserved_velocity *component)
{
  if (component->point >= 0)
    component->at = c->position[component->at];
}

void tree_place_events(tree *c)
{
  gradyn_model *model = c->mbs->model;
  for (int k = 0; k < model->event_count; k++) {
    gradyn_event_entry *e = &model->event[k];
    for (int i = 0; i < e->map_count; i++) {
      position(c, &e->map[i].to);
      position(c, &e->map[i].from);
    }
    for (int i = 0; i < e->set_count; i++)
      position(c, &e->set[i]);
    for (int i = 0; i < e->kept_count; i++)
      position(c, &e->kept[i]);
  }
  for (int k = 0; k < model->log.captures.count; k++)
    for (int i = 0; i < c->mech.m; i++)
      if (c->row[i] == model->log.captures.item[k].constraint)
        model->log.captures.item[k].row = i;
}
