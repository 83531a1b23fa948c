/* Which elements depend on data that matter.
 *
 * Told which data vary, each element learns whether its inputs are among them, from which input
 * to which, and whether data move one of its fixed points; lists of those that matter are what
 * products go through (mbs/mechanism/product.c). Elements whose inputs depend on time are on the lists,
 * too. */
#include "mbs/mechanism/assembly.h"

/* Whether one of count data from `first` on varies. */
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
  *first = 0; /* NULL: all matter, the whole range */
  *end = count;
  while (active && *end > 0 && !active[datum + *end - 1])
    --*end;
  while (active && *first < *end && !active[datum + *first])
    ++*first;
}

/* Whether the place of a point depends on data that matter. */
static bool point_active(const gradyn_mbs *m, const mbs_point *p, const bool *active)
{
  /* a ground point by its own coordinates; an attached one by its weights and its ground
     carriers */
  bool found = p->kind == MBS_GROUND && any_active(active, p->x, m->dim);
  for (int k = 0; k < p->carriers; k++) {
    const mbs_point *carrier = &m->point[p->carrier[k].point];
    found = found || (p->carrier[k].datum >= 0 && active[p->carrier[k].datum]) ||
            (carrier->kind == MBS_GROUND && any_active(active, carrier->x, m->dim));
  }
  return found;
}

/* The same where NULL stands for all data: what does not move freely is then moved by some. */
static bool point_moved(const gradyn_mbs *m, const mbs_point *p, const bool *active)
{
  return active ? point_active(m, p, active) : p->kind != MBS_MOVING;
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
    if (e->source == MBS_FROM_POINT) /* a held coordinate keeps the initial state of its point */
      found = found || any_active(active, p->x, m->dim) || any_active(active, p->vx, m->dim);
  }
  return found;
}

/* For one element; active NULL: all data vary. */
static void activate(const gradyn_mbs *m, mbs_element *e, const bool *active)
{
  e->vary.any = !active || element_active(m, e, active);
  /* inputs that are no row of data are taken as a whole */
  e->vary.first = 0;
  e->vary.end = mbs_input_count(e);
  if (mbs_plain_inputs(e))
    narrow(active, e->datum, e->data_count, &e->vary.first, &e->vary.end);
  e->vary.places = false;
  for (int k = 0; k < e->points; k++)
    e->vary.places = e->vary.places || point_moved(m, &m->point[e->point[k]], active);
}

/* What data that vary do to points. */
static void activate_places(gradyn_mbs *m, const bool *active)
{
  m->places_active = m->carriers_active = false;
  /* free points are moved by the state; here only by data */
  for (int i = 0; i < m->points; i++) {
    const mbs_point *p = &m->point[i];
    bool moved = point_moved(m, p, active);
    m->places_active = m->places_active || moved;
    m->carriers_active = m->carriers_active || (moved && p->kind == MBS_ATTACHED);
  }
  /* what others carry has room for one pack */
  m->mech.twice = !m->places_active && m->attached.count == 0;
}

/* Lists what products with derivatives have to visit. */
static void list_varying(gradyn_mbs *m)
{
  mbs_varying *v = &m->varying;
  v->rods = v->constraints = v->forces = v->inertias = 0;
  for (int i = 0; i < m->lists.rods; i++) {
    /* by its length, or by the places of its ends */
    const mbs_element *e = &m->constraints.item[m->lists.rod[i].row];
    if (e->vary.any || e->vary.places)
      v->rod[v->rods++] = i;
  }
  memset(v->constraints_end, 0, sizeof v->constraints_end);
  for (int i = 0; i < m->lists.others; i++) {
    const mbs_element *e = &m->constraints.item[m->lists.other[i]];
    /* inputs that depend on time change with it, whatever data do */
    if (e->vary.any || !e->steady)
      v->constraint[v->constraints++] = m->lists.other[i];
    /* each kind of rows ends where the later kinds begin */
    for (int k = (int)e->when; k < MBS_WHENS; k++)
      v->constraints_end[k] = v->constraints;
  }
  for (int i = 0; i < m->lists.forces.count; i++)
    if (m->lists.forces.item[i].vary.any || !m->lists.forces.item[i].steady)
      v->force[v->forces++] = i;
  for (int i = 0; i < m->lists.inertias; i++) /* some of its data matter */
    if (m->lists.inertia[i].end > m->lists.inertia[i].first)
      v->inertia[v->inertias++] = i;
}

/* Once an evaluation, before any product: which data can vary decides what is visited
 * afterwards. */
void mbs_activate(gradyn_mech *mech, const bool *active)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  /* constraints, then forces, by the inputs they see */
  for (int i = 0; i < m->constraints.count; i++)
    activate(m, &m->constraints.item[i], active);
  for (int i = 0; i < m->lists.forces.count; i++)
    activate(m, &m->lists.forces.item[i], active);
  activate_places(m, active);
  /* gravity's data are its components, one after the other */
  m->gravity_active = m->gravity >= 0 && (!active || any_active(active, m->gravity, m->dim));
  for (int i = 0; i < m->lists.inertias; i++)
    narrow(active, m->lists.inertia[i].datum, m->lists.inertia[i].ops->data,
           &m->lists.inertia[i].first, &m->lists.inertia[i].end);
  list_varying(m);
}
