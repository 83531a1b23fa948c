/* Finalising a mechanism: numbering, sparsity patterns, positions of elements in them, memory.
 *
 * Points get offsets: scalars and moving points first, in the order of q. Constraints are sorted by `when`.
 * Each element lists the entries of its gradient and matrix that may be nonzero (entries.c). These entries
 * make the patterns `dyn` and `jac`, in which elements find their positions. Finally, all memory of
 * integrations is allocated. Later only numbers change. */
#include <stdlib.h>

#include "mbs/forces/contacts.h"
#include "mbs/elements/readings.h"
#include "mbs/mechanism/assembly.h"
#include "mbs/mechanism/rods.h"

/* Numbers the points in the full arrays. Scalars come first, then moving points, so that q is the beginning
 * of the arrays; then ground points, and attached points last. Elements access `dim` components of each
 * point. After a scalar they therefore access entries of other coordinates, but neither use nor change
 * them: they add zeros. */
static gradyn_status number_points(gradyn_mbs *m)
{
  /* the first pass numbers scalars, the second moving points */
  static const mbs_point_kind order[] = {MBS_MOVING, MBS_MOVING, MBS_GROUND, MBS_ATTACHED};
  int next = 0, count[4] = {0};
  m->owner = malloc(((size_t)(m->dim * m->points) + 1) * sizeof *m->owner);
  for (int pass = 0; pass < 4 && m->owner; pass++)
    for (int i = 0; i < m->points; i++)
      if (m->point[i].kind == order[pass] && (pass > 1 || m->point[i].scalar == (pass == 0))) {
        m->point[i].offset = next;
        for (int k = 0; k < mbs_axes(m, i); k++)
          m->owner[next++] = i;
        count[pass]++;
      }
  m->moving = count[1];
  /* a scalar is one coordinate, a moving point one for each axis */
  m->mech.n = count[0] + m->dim * m->moving;
  m->full_size = next;
  m->attached.first = next - m->dim * count[3];
  m->attached.share = malloc(((size_t)count[3] + 1) * sizeof *m->attached.share);
  if (!m->attached.share || !m->owner)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < m->points; i++) {
    const mbs_point *p = &m->point[i];
    if (p->kind != MBS_ATTACHED)
      continue;
    mbs_share *share = &m->attached.share[m->attached.count++];
    *share = (mbs_share){.at = p->offset, .carriers = p->carriers, .carrier = p->carrier};
    for (int k = 0; k < p->carriers; k++)
      share->from[k] = m->point[p->carrier[k].point].offset;
  }
  return GRADYN_OK;
}

/* Sorts constraints by `when`, then by declaration. */
static gradyn_status sort_constraints(gradyn_mbs *m)
{
  mbs_elements *list = &m->constraints;
  mbs_element *sorted = malloc(((size_t)list->count + 1) * sizeof *sorted);
  if (!sorted)
    return GRADYN_NO_MEMORY;
  int next = 0, *const rows[MBS_WHENS] = {&m->mech.m, &m->mech.held, &m->mech.contacts};
  for (int when = 0; when < MBS_WHENS; when++) {
    int first = next;
    /* motion, start, impacts: the order of core/mech/mech.h */
    for (int i = 0; i < list->count; i++)
      if ((int)list->item[i].when == when)
        sorted[next++] = list->item[i];
    *rows[when] = next - first;
  }
  free(list->item);
  list->item = sorted;
  return GRADYN_OK;
}

typedef struct entries {
  int *row, *col;
  int count;
} entries;

/* Adds the pair (row, col) if both are moving coordinates. */
static void add_entry(const gradyn_mbs *m, entries *list, int row, int col)
{
  if (row < m->mech.n && col < m->mech.n) {
    list->row[list->count] = row;
    list->col[list->count] = col;
    list->count++;
  }
}

/* Number of entries of all elements of a list. */
static size_t count_entries(const mbs_elements *list)
{
  size_t count = 0;
  for (int i = 0; i < list->count; i++)
    count += (size_t)(list->item[i].matrix.count + list->item[i].gradient.count);
  return count;
}

/* Adds the pairs of coordinates that elements couple. */
static void couple_elements(const gradyn_mbs *m, const mbs_elements *list, entries *dyn)
{
  for (int i = 0; i < list->count; i++)
    for (int k = 0; k < list->item[i].matrix.count; k++) {
      int row, col;
      mbs_matrix_coordinates(m, &list->item[i], k, &row, &col);
      add_entry(m, dyn, row, col);
    }
}

/* Adds the whole diagonal, which schemes may need. */
static void couple_diagonal(const gradyn_mbs *m, entries *dyn)
{
  for (int i = 0; i < m->mech.n; i++)
    add_entry(m, dyn, i, i);
}

/* Adds the pairs of coordinates that the mass matrix couples; returns their number. If dyn is NULL, only
 * counts them. */
static size_t couple_inertia(const gradyn_mbs *m, entries *dyn)
{
  size_t count = 0;
  for (int i = 0; i < m->lists.inertias; i++) {
    const mbs_inertia *e = &m->lists.inertia[i];
    mbs_term row, col;
    for (int r = 0; r < e->ops->points; r++)
      for (int s = 0; s < e->ops->points; s++)
        for (int a = 0; mbs_point_term(m, e->point[r], a, &row); a++)
          for (int b = 0; mbs_point_term(m, e->point[s], b, &col); b++)
            for (int k = 0; k < e->axes; k++, count++)
              if (dyn)
                add_entry(m, dyn, row.at + k, col.at + k);
  }
  return count;
}

/* Marks entries that the mass matrix may have; list is working space. */
static gradyn_status mark_inertia(gradyn_mbs *m, entries *list)
{
  m->mass.inertial = calloc((size_t)m->mech.dyn.nnz + 1, sizeof *m->mass.inertial);
  if (!m->mass.inertial)
    return GRADYN_NO_MEMORY;
  list->count = 0;
  couple_diagonal(m, list);
  couple_inertia(m, list);
  for (int k = 0; k < list->count; k++)
    m->mass.inertial[gradyn_pattern_find(&m->mech.dyn, list->row[k], list->col[k])] = true;
  m->mech.inertia = m->mass.inertial;
  return GRADYN_OK;
}

/* Adds the entries of row i: at the points of an element, and at its idle coordinate. */
static void add_row(const gradyn_mbs *m, const mbs_element *e, int i, entries *list)
{
  /* in other modes the constraint is enforced on this coordinate */
  if (e->modes.bits && e == &m->constraints.item[i]) {
    list->row[list->count] = i;
    list->col[list->count++] = m->point[e->modes.point].offset;
  }
  for (int k = 0; k < e->gradient.count; k++) {
    list->row[list->count] = i;
    list->col[list->count++] = mbs_gradient_column(m, e, k);
  }
}

/* Creates the pattern of Phi_q, and of (dQ/dlam)^T for multiplier-dependent forces. */
static gradyn_status create_jacobian(gradyn_mbs *m, entries *list)
{
  list->count = 0;
  for (int i = 0; i < m->constraints.count; i++)
    add_row(m, &m->constraints.item[i], i, list);
  /* dQ/dlam_i has entries at the points of the force */
  for (int i = 0; i < m->lists.readers; i++) {
    const mbs_element *e = &m->lists.forces.item[m->lists.reader[i]];
    for (int k = 0; k < e->reading->count; k++)
      add_row(m, e, e->reading->row[k], list);
  }
  return gradyn_pattern_create(m->constraints.count, m->mech.n, list->count, list->row, list->col,
                               &m->mech.jac);
}

/* Number of entries due to multiplier-dependent forces. */
static size_t count_readings(const gradyn_mbs *m)
{
  size_t count = 0;
  for (int i = 0; i < m->lists.readers; i++) {
    const mbs_element *e = &m->lists.forces.item[m->lists.reader[i]];
    count += (size_t)(e->gradient.count * e->reading->count);
  }
  return count;
}

/* Creates the patterns: dyn of K, C and M, jac of Phi_q and R_lam; list is working space. */
static gradyn_status create_both(gradyn_mbs *m, entries *list)
{
  /* coordinates of one inertia, constraint or force are coupled */
  couple_diagonal(m, list);
  couple_inertia(m, list);
  couple_elements(m, &m->constraints, list);
  couple_elements(m, &m->lists.forces, list);
  GRADYN_TRY(
      gradyn_pattern_create(m->mech.n, m->mech.n, list->count, list->row, list->col, &m->mech.dyn));
  GRADYN_TRY(mark_inertia(m, list));
  return create_jacobian(m, list);
}

/* Creates the patterns dyn and jac from the entries of all elements. */
static gradyn_status create_patterns(gradyn_mbs *m)
{
  size_t capacity = count_entries(&m->constraints) + count_entries(&m->lists.forces) +
                    count_readings(m) + couple_inertia(m, NULL) + (size_t)m->mech.n +
                    (size_t)m->constraints.count + 1;
  /* an upper bound: repeated pairs become one entry */
  entries list = {malloc(capacity * sizeof *list.row), malloc(capacity * sizeof *list.col), 0};
  const gradyn_status status = list.row && list.col ? create_both(m, &list) : GRADYN_NO_MEMORY;
  free(list.row);
  free(list.col);
  return status;
}

/* Finds the positions of elements' entries in matrices, and allocates inputs and constant second
 * derivatives. */
static gradyn_status map_elements(gradyn_mbs *m, mbs_elements *list)
{
  for (int i = 0; i < list->count; i++) {
    mbs_element *e = &list->item[i];
    e->input = malloc(((size_t)mbs_input_count(e) + 1) * sizeof *e->input);
    e->steady = mbs_input_steady(e);
    const bool constant = e->steady && e->ops->degree == 2; /* constant second derivatives */
    e->curvature = constant ? malloc((size_t)(e->local * e->local) * sizeof(double)) : NULL;
    if (!e->input || (constant && !e->curvature))
      return GRADYN_NO_MEMORY;
    mbs_map_entries(m, e, list == &m->constraints ? i : -1);
    if (list == &m->constraints && e->modes.bits) {
      e->modes.at = m->point[e->modes.point].offset;
      e->modes.jac = gradyn_pattern_find(&m->mech.jac, i, e->modes.at);
    }
  }
  return GRADYN_OK;
}

/* Links the elements that have inputs that depend on time. */
static void chain_timed(gradyn_mbs *m, const mbs_elements *list)
{
  for (int i = 0; i < list->count; i++)
    if (!list->item[i].steady) {
      list->item[i].next_timed = m->timed.first;
      m->timed.first = &list->item[i];
    }
}

/* Finds offsets of the points of inertias, and counts all pair coefficients. */
static void locate_inertia(gradyn_mbs *m)
{
  for (int i = 0; i < m->lists.inertias; i++) {
    m->mech.derived.masses += mbs_inertia_pairs(&m->lists.inertia[i]);
    for (int k = 0; k < m->lists.inertia[i].ops->points; k++) {
      const mbs_point *p = &m->point[m->lists.inertia[i].point[k]];
      m->lists.inertia[i].at[k] = p->offset;
      m->lists.inertia[i].attached = m->lists.inertia[i].attached || p->kind == MBS_ATTACHED;
    }
  }
}

/* Finds the parts of the equations that use or load attached points. */
static void find_attached_parts(gradyn_mbs *m)
{
  static const int part[MBS_WHENS] = {GRADYN_CONSTRAINT, GRADYN_HELD, GRADYN_CONTACT};
  for (int i = 0; i < m->lists.forces.count; i++)
    m->attached.parts |= m->lists.forces.item[i].weight ? GRADYN_FORCE : 0;
  for (int i = 0; i < m->constraints.count; i++)
    if (m->constraints.item[i].weight)
      m->attached.parts |= part[m->constraints.item[i].when];
  for (int i = 0; i < m->lists.inertias; i++) /* the weight belongs to the forces */
    if (m->lists.inertia[i].attached)
      m->attached.parts |= GRADYN_INERTIA | GRADYN_FORCE;
}

/* Allocates the memory of products with derivatives. */
static gradyn_status take_product_memory(gradyn_mbs *m)
{
  size_t full = (size_t)m->full_size + 1, carried = m->attached.count > 0 ? full : 1;
  bool ok = true;
  for (int k = 0; k < MBS_PLACES; k++)
    ok = (m->work.position[k] = gradyn_lanes_create(full)) && ok;
  for (int k = 0; k < GRADYN_MECH_TERMS; k++) {
    m->work.rows[k] = gradyn_lanes_create(k == 0 ? full : carried);
    m->work.fields[k] = calloc(carried, sizeof(double));
    ok = ok && m->work.rows[k] && m->work.fields[k];
  }
  /* lists of elements with active data, with room for all elements */
  mbs_varying *v = &m->varying;
  const struct {
    int **list, count;
  } list[] = {{&v->rod, m->lists.rods},
              {&v->constraint, m->constraints.count},
              {&v->force, m->lists.forces.count},
              {&v->inertia, m->lists.inertias}};
  for (int k = 0; k < 4; k++)
    ok = (*list[k].list = malloc(((size_t)list[k].count + 1) * sizeof(int))) && ok;
  return ok ? GRADYN_OK : GRADYN_NO_MEMORY;
}

/* Marks nonholonomic constraints. */
static void find_rolling(gradyn_mbs *m)
{
  m->mech.rolls = m->lists.rolls;
  m->mech.rolling = 0;
  for (int i = 0; i < m->mech.m; i++) {
    m->lists.rolls[i] = m->constraints.item[i].ops->psi_v != NULL;
    m->mech.rolling += m->lists.rolls[i];
  }
}

/* Allocates the memory that integrations use. */
static gradyn_status take_memory(gradyn_mbs *m)
{
  size_t n = (size_t)m->mech.n + 1, full = (size_t)m->full_size + 1;
  m->start.q0 = malloc(n * sizeof *m->start.q0);
  m->start.v0 = malloc(n * sizeof *m->start.v0);
  m->mass.M = calloc((size_t)m->mech.dyn.nnz + 1, sizeof(double));
  m->start.nearness = malloc(n * sizeof *m->start.nearness);
  m->start.spare = calloc(n, sizeof *m->start.spare);
  m->start.idle = calloc(n, sizeof *m->start.idle);
  m->lists.rolls = calloc((size_t)m->mech.m + 1, sizeof *m->lists.rolls);
  bool ok = m->lists.rolls && m->start.q0 && m->start.v0 && m->mass.M && m->start.nearness &&
            m->start.spare && m->start.idle;
  double **array[] = {&m->pos,        &m->vel,         &m->acc,         &m->full,
                      &m->mass.field, &m->mass.weight, &m->mass.falling};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
    *array[k] = calloc(full, sizeof(double));
    ok = ok && *array[k];
  }
  /* arrays for callbacks: complex positions, velocities, accelerations, multipliers */
  for (int k = 0; k < 4; k++) {
    size_t size = (size_t)(k < 3 ? m->dim * (m->points + 1) : m->mech.m + 1); /* by ids */
    m->work.view[k] = calloc(size, sizeof *m->work.view[k]);
    ok = ok && m->work.view[k];
  }
  return ok ? take_product_memory(m) : GRADYN_NO_MEMORY;
}

/* Performs the steps of finalising. Their order matters: each step uses the results of earlier ones. */
static gradyn_status lay_out(gradyn_mbs *m)
{
  GRADYN_TRY(number_points(m));
  if (m->moving == 0)
    return gradyn_fail(&m->model->message, GRADYN_INVALID, "the mechanism has no moving point");
  GRADYN_TRY(sort_constraints(m));
  GRADYN_TRY(mbs_locate_elements(m, &m->constraints));
  GRADYN_TRY(mbs_locate_elements(m, &m->lists.forces));
  GRADYN_TRY(mbs_find_readings(m));
  GRADYN_TRY(create_patterns(m));
  GRADYN_TRY(map_elements(m, &m->constraints));
  GRADYN_TRY(map_elements(m, &m->lists.forces));
  GRADYN_TRY(mbs_map_readings(m));
  GRADYN_TRY(mbs_collect_rods(m));
  GRADYN_TRY(take_memory(m));
  return mbs_take_sizes(m);
}

gradyn_status mbs_finalise(gradyn_mbs *m)
{
  const gradyn_status status = lay_out(m);
  /* GRADYN_INVALID already has its message */
  if (status == GRADYN_INVALID)
    return status;
  if (status != GRADYN_OK)
    return gradyn_fail(&m->model->message, status, "out of memory for %d points", m->points);
  /* tables used in each step */
  chain_timed(m, &m->constraints);
  chain_timed(m, &m->lists.forces);
  locate_inertia(m);
  find_attached_parts(m);
  find_rolling(m);
  mbs_locate_kept(m);
  /* Indices of initial data, and weights of nearness: joint coordinates have none. */
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < mbs_axes(m, i) && m->point[i].kind == MBS_MOVING; k++) {
      const mbs_point *p = &m->point[i];
      m->start.nearness[p->offset + k] = p->scalar && !p->state && !p->idle ? 0 : 1;
      m->start.spare[p->offset + k] = p->idle || p->state;
      m->start.idle[p->offset + k] = p->idle;
      m->start.q0[m->point[i].offset + k] = m->point[i].x + k;
      m->start.v0[m->point[i].offset + k] = m->point[i].vx + k;
    }
  return GRADYN_OK;
}
