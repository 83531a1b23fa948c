/* Elements that depend on active data. An evaluator selects the active data. Each element then gets the
 * range of its inputs that depend on them, and whether active data move its ground or attached points.
 * Products visit only the elements listed here (mbs/mechanism/product.c). Elements with inputs that depend
 * on time are always listed. */
#include "mbs/mechanism/assembly.h"

/* Whether one of `count` data from `first` onwards is active. */
static bool any_active(const bool *active, int first, int count)
{
  for (int k = 0; k < count; k++)
    if (active[first + k])
      return true;
  return false;
}

/* Range [*first, *end) among `count` data that contains all active ones. */
static void narrow(const bool *active, int datum, int count, int *first, int *end)
{
  *first = 0; /* active NULL: all data are active */
  *end = count;
  while (active && *end > 0 && !active[datum + *end - 1])
    --*end;
  while (active && *first < *end && !active[datum + *first])
    ++*first;
}

/* Whether active data move a point. */
static bool point_active(const gradyn_mbs *m, const mbs_point *p, const bool *active)
{
  /* data move ground points by coordinates, attached ones by weights and ground carriers */
  bool found = p->kind == MBS_GROUND && any_active(active, p->x, m->dim);
  for (int k = 0; k < p->carriers; k++) {
    const mbs_point *carrier = &m->point[p->carrier[k].point];
    found = found || (p->carrier[k].datum >= 0 && active[p->carrier[k].datum]) ||
            (carrier->kind == MBS_GROUND && any_active(active, carrier->x, m->dim));
  }
  return found;
}

/* As point_active(), but active may be NULL (all data): all ground and attached points then move. */
static bool point_moved(const gradyn_mbs *m, const mbs_point *p, const bool *active)
{
  return active ? point_active(m, p, active) : p->kind != MBS_MOVING;
}

/* Whether an element depends on active data: its own data, those of its signals and points, or the initial
 * condition that it fixes. */
static bool element_active(const gradyn_mbs *m, const mbs_element *e, const bool *active)
{
  bool found = any_active(active, e->datum, e->data_count);
  for (int k = 0; k < e->signal_count; k++)
    found = found || gradyn_signal_active(&m->model->signal[e->signal + k], active);
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    found = found || point_active(m, p, active);
    /* a fixed initial condition uses the initial state of its point */
    if (e->source == MBS_FROM_POINT)
      found = found || any_active(active, p->x, m->dim) || any_active(active, p->vx, m->dim);
  }
  return found;
}

/* Fills e->vary of one element; active NULL: all data are active. */
static void activate(const gradyn_mbs *m, mbs_element *e, const bool *active)
{
  e->vary.any = !active || element_active(m, e, active);
  /* a range is only meaningful if inputs are data */
  e->vary.first = 0;
  e->vary.end = mbs_input_count(e);
  if (mbs_plain_inputs(e))
    narrow(active, e->datum, e->data_count, &e->vary.first, &e->vary.end);
  e->vary.positions = false;
  for (int k = 0; k < e->points; k++)
    e->vary.positions = e->vary.positions || point_moved(m, &m->point[e->point[k]], active);
}

/* Finds which kinds of points active data move. */
static void activate_places(gradyn_mbs *m, const bool *active)
{
  m->places_active = m->carriers_active = false;
  /* moving points move with the state, not with data */
  for (int i = 0; i < m->points; i++) {
    const mbs_point *p = &m->point[i];
    bool moved = point_moved(m, p, active);
    m->places_active = m->places_active || moved;
    m->carriers_active = m->carriers_active || (moved && p->kind == MBS_ATTACHED);
  }
  /* products with two groups of four columns: ground and attached points have arrays for one group only */
  m->mech.twice = !m->places_active && m->attached.count == 0;
}

/* Lists the elements that products have to visit. */
static void list_varying(gradyn_mbs *m)
{
  mbs_varying *v = &m->varying;
  v->rods = v->constraints = v->forces = v->inertias = 0;
  for (int i = 0; i < m->lists.rods; i++) {
    /* a rod depends on data by its length, or by the positions of its ends */
    const mbs_element *e = &m->constraints.item[m->lists.rod[i].row];
    if (e->vary.any || e->vary.positions)
      v->rod[v->rods++] = i;
  }
  memset(v->constraints_end, 0, sizeof v->constraints_end);
  for (int i = 0; i < m->lists.others; i++) {
    const mbs_element *e = &m->constraints.item[m->lists.other[i]];
    /* constraints with inputs that depend on time are always listed */
    if (e->vary.any || !e->steady)
      v->constraint[v->constraints++] = m->lists.other[i];
    /* the list of each kind ends where the list of the next kind begins */
    for (int k = (int)e->when; k < MBS_WHENS; k++)
      v->constraints_end[k] = v->constraints;
  }
  for (int i = 0; i < m->lists.forces.count; i++)
    if (m->lists.forces.item[i].vary.any || !m->lists.forces.item[i].steady)
      v->force[v->forces++] = i;
  for (int i = 0; i < m->lists.inertias; i++)
    if (m->lists.inertia[i].end > m->lists.inertia[i].first)
      v->inertia[v->inertias++] = i;
}

/* Selects the active data. It is called when they change, before any product. */
void mbs_activate(gradyn_mech *mech, const bool *active)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  for (int i = 0; i < m->constraints.count; i++)
    activate(m, &m->constraints.item[i], active);
  for (int i = 0; i < m->lists.forces.count; i++)
    activate(m, &m->lists.forces.item[i], active);
  activate_places(m, active);
  /* components of gravity are consecutive data */
  m->gravity_active = m->gravity >= 0 && (!active || any_active(active, m->gravity, m->dim));
  for (int i = 0; i < m->lists.inertias; i++)
    narrow(active, m->lists.inertia[i].datum, m->lists.inertia[i].ops->data,
           &m->lists.inertia[i].first, &m->lists.inertia[i].end);
  list_varying(m);
}
