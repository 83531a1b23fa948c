/* Which elements depend on data that matter. */
#include "mbs/assembly.h"

static bool any_active(const bool *active, int first, int count)
{
  for (int k = 0; k < count; k++)
    if (active[first + k])
      return true;
  return false;
}

/* Numbers of the first of `count` data that matters and of the one behind the last. */
static void narrow(const bool *active, int datum, int count, int *first, int *end)
{
  *first = 0;
  *end = count;
  while (active && *end > 0 && !active[datum + *end - 1])
    --*end;
  while (active && *first < *end && !active[datum + *first])
    ++*first;
}

/* Whether the place of a point depends on data that matter. */
static bool point_active(const gradyn_mbs *m, const mbs_point *p, const bool *active)
{
  bool found = p->kind == MBS_GROUND && any_active(active, p->x, m->dim);
  for (int k = 0; k < p->carriers; k++) {
    const mbs_point *carrier = &m->point[p->carrier[k].point];
    found = found || (p->carrier[k].datum >= 0 && active[p->carrier[k].datum]) ||
            (carrier->kind == MBS_GROUND && any_active(active, carrier->x, m->dim));
  }
  return found;
}

/* Whether an element depends on data that matter: its own, its signals', those of its points, or those
 * of the point whose coordinate it holds. */
static bool element_active(const gradyn_mbs *m, const mbs_element *e, const bool *active)
{
  bool found = any_active(active, e->datum, e->data_count);
  for (int k = 0; k < e->signal_count; k++)
    found = found || gradyn_signal_active(&m->model->signal[e->signal + k], active);
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    found = found || point_active(m, p, active);
    if (e->source == MBS_FROM_POINT)
      found = found || any_active(active, p->x, m->dim) || any_active(active, p->vx, m->dim);
  }
  return found;
}

static void activate(const gradyn_mbs *m, mbs_element *e, const bool *active)
{
  e->active = !active || element_active(m, e, active);
  e->first_input = 0;
  e->end_input = mbs_input_count(e);
  if (e->source == MBS_FROM_DATA && e->signal_count == 0) /* time, the last input, is no datum */
    narrow(active, e->datum, e->data_count, &e->first_input, &e->end_input);
  e->fixed_active = !active && e->fixed;
  for (int k = 0; k < e->points && active; k++)
    e->fixed_active = e->fixed_active || point_active(m, &m->point[e->point[k]], active);
}

void mbs_activate(gradyn_mech *mech, const bool *active)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  for (int pass = 0; pass < 2; pass++) {
    mbs_elements *list = pass ? &m->constraints : &m->forces;
    for (int i = 0; i < list->count; i++)
      activate(m, &list->item[i], active);
  }
  m->places_active = false;
  for (int i = 0; i < m->points; i++) {
    const mbs_point *p = &m->point[i];
    bool fixed = p->kind != MBS_MOVING;
    m->places_active = m->places_active || (active ? point_active(m, p, active) : fixed);
  }
  for (int k = 0; k < 3; k++) /* what does not vary is never moved again */
    memset(m->moved[k], 0, (size_t)m->full_size * sizeof(double));
  m->gravity_active = m->gravity >= 0 && (!active || any_active(active, m->gravity, m->dim));
  m->inertia_active = false;
  for (int i = 0; i < m->inertias; i++) {
    mbs_inertia *e = &m->inertia[i];
    e->active = !active || any_active(active, e->datum, e->ops->data);
    narrow(active, e->datum, e->ops->data, &e->first, &e->end);
    m->inertia_active = m->inertia_active || e->active;
  }
}
