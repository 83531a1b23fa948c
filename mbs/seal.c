/* Sealing a planar mechanism: numbering, sparsity patterns, positions of elements in them, memory. */
#include <stdlib.h>

#include "mbs/planar.h"

/* Moving points come first in the full arrays, so that q is their prefix. */
static void number_points(gradyn_mbs *m)
{
  m->moving = 0;
  for (int i = 0; i < m->points; i++)
    if (!m->point[i].ground)
      m->point[i].offset = 2 * m->moving++;
  int next = 2 * m->moving;
  for (int i = 0; i < m->points; i++)
    if (m->point[i].ground) {
      m->point[i].offset = next;
      next += 2;
    }
  m->mech.n = 2 * m->moving;
}

/* Constraints of the motion first, held ones after them, both in order of declaration. */
static gradyn_status sort_constraints(gradyn_mbs *m)
{
  mbs_elements *list = &m->constraints;
  mbs_element *sorted = malloc(((size_t)list->count + 1) * sizeof *sorted);
  if (!sorted)
    return GRADYN_NO_MEMORY;
  int next = 0;
  for (int held = 0; held < 2; held++) {
    for (int i = 0; i < list->count; i++)
      if (list->item[i].held == held)
        sorted[next++] = list->item[i];
    if (!held)
      m->mech.m = next;
  }
  m->mech.held = next - m->mech.m;
  free(list->item);
  list->item = sorted;
  return GRADYN_OK;
}

typedef struct entries {
  int *row, *col;
  int count;
} entries;

/* Adds the pairs (row, col) that lie among the moving coordinates. */
static void add_entry(const gradyn_mbs *m, entries *list, int row, int col)
{
  if (row < m->mech.n && col < m->mech.n) {
    list->row[list->count] = row;
    list->col[list->count] = col;
    list->count++;
  }
}

/* Offset in the full arrays of local coordinate i. */
static int coordinate(const mbs_element *e, int i)
{
  return e->at[i / 2] + i % 2;
}

static void locate_elements(gradyn_mbs *m, mbs_elements *list)
{
  for (int i = 0; i < list->count; i++)
    for (int k = 0; k < list->item[i].points; k++) {
      const mbs_point *p = &m->point[list->item[i].point[k]];
      list->item[i].at[k] = p->offset;
      list->item[i].grounded = list->item[i].grounded || p->ground;
    }
}

static size_t count_entries(const mbs_elements *list)
{
  size_t count = 0;
  for (int i = 0; i < list->count; i++)
    count += 4 * (size_t)list->item[i].points * (size_t)list->item[i].points;
  return count;
}

static void couple_elements(const gradyn_mbs *m, const mbs_elements *list, entries *dyn)
{
  for (int i = 0; i < list->count; i++) {
    const mbs_element *e = &list->item[i];
    if (list == &m->constraints && !e->ops->hessian)
      continue;
    for (int r = 0; r < 2 * e->points; r++)
      for (int s = 0; s < 2 * e->points; s++)
        add_entry(m, dyn, coordinate(e, r), coordinate(e, s));
  }
}

static void couple_inertia(const gradyn_mbs *m, entries *dyn)
{
  for (int i = 0; i < m->inertias; i++)
    for (int r = 0; r < m->inertia[i].count; r++)
      for (int s = 0; s < m->inertia[i].count; s++)
        for (int k = 0; k < 2; k++)
          add_entry(m, dyn, m->point[m->inertia[i].point[r]].offset + k,
                    m->point[m->inertia[i].point[s]].offset + k);
}

static gradyn_status create_patterns(gradyn_mbs *m)
{
  size_t room = count_entries(&m->constraints) + count_entries(&m->forces) +
                8 * (size_t)m->inertias + (size_t)m->mech.n + 1;
  entries list = {malloc(room * sizeof *list.row), malloc(room * sizeof *list.col), 0};
  gradyn_status status = list.row && list.col ? GRADYN_OK : GRADYN_NO_MEMORY;
  if (status == GRADYN_OK) {
    for (int i = 0; i < m->mech.n; i++) /* the diagonal always: schemes may need it */
      add_entry(m, &list, i, i);
    couple_inertia(m, &list);
    couple_elements(m, &m->constraints, &list);
    couple_elements(m, &m->forces, &list);
    status = gradyn_pattern_create(m->mech.n, m->mech.n, list.count, list.row, list.col,
                                   &m->mech.dyn);
  }
  if (status == GRADYN_OK) {
    list.count = 0;
    for (int i = 0; i < m->constraints.count; i++)
      for (int k = 0; k < 2 * m->constraints.item[i].points; k++) {
        int col = coordinate(&m->constraints.item[i], k);
        if (col >= m->mech.n)
          continue;
        list.row[list.count] = i;
        list.col[list.count++] = col;
      }
    status = gradyn_pattern_create(m->constraints.count, m->mech.n, list.count, list.row, list.col,
                                   &m->mech.jac);
  }
  free(list.row);
  free(list.col);
  return status;
}

/* Position in matrices of pattern dyn; entries of ground points go to the scratch entry at the
 * end. */
static int dyn_position(const gradyn_mbs *m, int row, int col)
{
  int k = row < m->mech.n && col < m->mech.n ? gradyn_pattern_find(&m->mech.dyn, row, col) : -1;
  return k < 0 ? m->mech.dyn.nnz : k;
}

static gradyn_status map_elements(gradyn_mbs *m, mbs_elements *list)
{
  for (int i = 0; i < list->count; i++) {
    mbs_element *e = &list->item[i];
    int local = 2 * e->points;
    e->dyn = malloc((size_t)(local * local) * sizeof *e->dyn);
    e->cache = malloc(((size_t)mbs_input_count(e) + 1) * sizeof *e->cache);
    e->steady = mbs_input_steady(e);
    if (!e->dyn || !e->cache)
      return GRADYN_NO_MEMORY;
    for (int r = 0; r < local; r++) {
      for (int s = 0; s < local; s++)
        e->dyn[r * local + s] = dyn_position(m, coordinate(e, r), coordinate(e, s));
      if (list != &m->constraints)
        continue;
      int col = coordinate(e, r);
      e->jac[r] = col < m->mech.n ? gradyn_pattern_find(&m->mech.jac, i, col) : m->mech.jac.nnz;
    }
  }
  return GRADYN_OK;
}

static void map_inertia(gradyn_mbs *m)
{
  for (int i = 0; i < m->inertias; i++) {
    mbs_inertia *e = &m->inertia[i];
    for (int r = 0; r < e->count; r++)
      for (int s = 0; s < e->count; s++)
        for (int k = 0; k < 2; k++)
          e->dyn[r][s][k] = dyn_position(m, m->point[e->point[r]].offset + k,
                                         m->point[e->point[s]].offset + k);
  }
}

static gradyn_status take_memory(gradyn_mbs *m)
{
  size_t n = (size_t)m->mech.n + 1, full = 2 * (size_t)m->points + 1;
  m->q0 = malloc(n * sizeof *m->q0);
  m->v0 = malloc(n * sizeof *m->v0);
  m->pos = calloc(full, sizeof(double));
  m->vel = calloc(full, sizeof(double));
  m->acc = calloc(full, sizeof(double));
  m->full = calloc(full, sizeof(double));
  m->field = calloc(full, sizeof(double));
  m->weight = calloc(full, sizeof(double));
  m->mass = calloc((size_t)m->mech.dyn.nnz + 1, sizeof(double));
  bool ok = m->q0 && m->v0 && m->pos && m->vel && m->acc && m->full && m->field && m->weight &&
            m->mass;
  for (int k = 0; k < 4; k++) {
    m->view[k] = calloc(k < 3 ? full : (size_t)m->mech.m + 1, sizeof *m->view[k]);
    ok = ok && m->view[k];
  }
  return ok ? GRADYN_OK : GRADYN_NO_MEMORY;
}

gradyn_status mbs_seal(gradyn_mbs *m)
{
  number_points(m);
  if (m->moving == 0)
    return gradyn_fail(&m->model->message, GRADYN_INVALID, "the mechanism has no moving point");
  gradyn_status status = sort_constraints(m);
  locate_elements(m, &m->constraints);
  locate_elements(m, &m->forces);
  if (status == GRADYN_OK)
    status = create_patterns(m);
  if (status == GRADYN_OK)
    status = map_elements(m, &m->constraints);
  if (status == GRADYN_OK)
    status = map_elements(m, &m->forces);
  if (status == GRADYN_OK)
    status = take_memory(m);
  if (status != GRADYN_OK)
    return gradyn_fail(&m->model->message, status, "out of memory for %d points", m->points);
  map_inertia(m);
  for (int i = 0; i < m->points; i++)
    for (int k = 0; k < 2 && !m->point[i].ground; k++) {
      m->q0[m->point[i].offset + k] = m->point[i].x + k;
      m->v0[m->point[i].offset + k] = m->point[i].vx + k;
    }
  return GRADYN_OK;
}
