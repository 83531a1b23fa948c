/* Entries of elements in gradients and matrices. The slots of an element are its points, where an attached
 * point is replaced by its carriers. Gradients and second derivatives have entries at the coordinates of
 * slots. Entries that vanish at every state are found once, when the model is finalised. */
#include <stdlib.h>

#include "mbs/elements/inputs.h"

/* Index in the full arrays of component c of slot i. Components that a scalar does not have get n, the
 * index after all coordinates. */
static int slot_index(const gradyn_mbs *m, const mbs_element *e, int i, int c)
{
  int point = e->point[e->slot ? e->slot[i].point : i], carrier = e->slot ? e->slot[i].carrier : -1;
  if (carrier >= 0)
    point = m->point[point].carrier[carrier].point;
  return c < mbs_axes(m, point) ? m->point[point].offset + c : m->mech.n;
}

/* Lists the slots of an element that has attached points: its other points, and the carriers of attached
 * ones. */
static gradyn_status find_slots(const gradyn_mbs *m, mbs_element *e)
{
  bool attached = false;
  e->slots = 0;
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    attached = attached || p->kind == MBS_ATTACHED;
    e->slots += p->kind == MBS_ATTACHED ? p->carriers : 1;
  }
  if (!attached)
    return GRADYN_OK;
  e->slot = malloc((size_t)e->slots * sizeof *e->slot);
  e->weight = malloc((size_t)e->slots * sizeof *e->weight);
  if (!e->slot || !e->weight)
    return GRADYN_NO_MEMORY;
  mbs_slot *next = e->slot; /* slots follow the order of points */
  for (int k = 0; k < e->points; k++) {
    const mbs_point *p = &m->point[e->point[k]];
    if (p->kind != MBS_ATTACHED)
      *next++ = (mbs_slot){k, -1};
    for (int c = 0; c < p->carriers; c++)
      *next++ = (mbs_slot){k, c};
  }
  return GRADYN_OK;
}

/* --- nonzeros --------------------------------------------------------------------------------- */

/* Gradient and matrix of an element with all coordinates zero, if their nonzeros are the same at every
 * position. */
typedef struct shape {
  bool row, square; /* gradient is valid; matrix is valid */
  double gradient[MBS_LOCAL], matrix[MBS_LOCAL * MBS_LOCAL];
} shape;

/* The gradient of a linear constraint and the second derivatives of a quadratic one depend on inputs only.
 * Generic values of inputs prevent entries that vanish by chance. */
static gradyn_status find_shape(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *origin,
                                shape *known)
{
  double z[MBS_INPUTS];
  for (int k = 0; k < MBS_INPUTS; k++)
    z[k] = 0.7 + 0.03 * k; /* all different, none 0 or 1 */
  known->row = e->ops->degree == 1;
  known->square = e->ops->degree == 2;
  if (known->row)
    return e->ops->phi_q(m, e, origin, z, 0, known->gradient);
  return known->square ? e->ops->hessian(m, e, origin, z, known->matrix) : GRADYN_OK;
}

/* Local coordinate of an element for component c of a slot. */
static int seen_at(const gradyn_mbs *m, const mbs_element *e, int slot, int c)
{
  return m->dim * (e->slot ? e->slot[slot].point : slot) + c;
}

/* Lists the entries of an element's gradient that belong to coordinates. If gradient.item is NULL, only
 * counts them. */
static void list_gradient(const gradyn_mbs *m, mbs_element *e, const shape *known)
{
  e->gradient.count = 0;
  for (int r = 0; r < e->slots; r++)
    for (int c = 0; c < m->dim; c++) {
      int local = seen_at(m, e, r, c);
      if (slot_index(m, e, r, c) >= m->mech.n || (known->row && known->gradient[local] == 0))
        continue;
      if (e->gradient.item) /* first pass: counts only */
        e->gradient.item[e->gradient.count] = (mbs_entry){.local = (short)local,
                                                          .row = (signed char)r};
      e->gradient.count++;
    }
}

/* Lists the entries of a matrix like list_gradient(); linear constraints have none. */
static void list_matrix(const gradyn_mbs *m, mbs_element *e, const shape *known)
{
  int dim = m->dim, size = known->row ? 0 : dim * e->slots;
  e->matrix.count = 0;
  /* r and s number the components of all slots */
  for (int r = 0; r < size; r++)
    for (int s = 0; s < size; s++) {
      int local = seen_at(m, e, r / dim, r % dim) * e->local + seen_at(m, e, s / dim, s % dim);
      if (slot_index(m, e, r / dim, r % dim) >= m->mech.n ||
          slot_index(m, e, s / dim, s % dim) >= m->mech.n ||
          (known->square && known->matrix[local] == 0))
        continue;
      if (e->matrix.item)
        e->matrix.item[e->matrix.count] = (mbs_entry){
            .local = (short)local, .row = (signed char)(r / dim), .col = (signed char)(s / dim)};
      e->matrix.count++;
    }
}

/* Lists the entries of an element's gradient and matrix that may be nonzero. */
static gradyn_status list_entries(gradyn_mbs *m, mbs_element *e, const mbs_point_state *origin)
{
  shape known;
  GRADYN_TRY(find_shape(m, e, origin, &known));
  /* first count, then list */
  list_gradient(m, e, &known);
  list_matrix(m, e, &known);
  e->gradient.item = malloc(((size_t)e->gradient.count + 1) * sizeof *e->gradient.item);
  e->matrix.item = malloc(((size_t)e->matrix.count + 1) * sizeof *e->matrix.item);
  if (!e->gradient.item || !e->matrix.item)
    return GRADYN_NO_MEMORY;
  list_gradient(m, e, &known);
  list_matrix(m, e, &known);
  return GRADYN_OK;
}

/* Finds the slots and entries of all elements. Patterns are made after this, because they depend on the
 * entries. */
gradyn_status mbs_locate_elements(gradyn_mbs *m, mbs_elements *list)
{
  double *zero = calloc((size_t)m->full_size + 1, sizeof *zero);
  /* linear gradients and quadratic Hessians are the same at all positions */
  const mbs_point_state origin = {0, zero, zero, zero, NULL};
  gradyn_status status = zero ? GRADYN_OK : GRADYN_NO_MEMORY;
  for (int i = 0; i < list->count && status == GRADYN_OK; i++) {
    mbs_element *e = &list->item[i];
    e->local = m->dim * e->points;
    for (int k = 0; k < e->points; k++)
      e->at[k] = m->point[e->point[k]].offset;
    status = find_slots(m, e);
    if (status == GRADYN_OK)
      status = list_entries(m, e, &origin);
  }
  free(zero);
  return status;
}

/* --- positions -------------------------------------------------------------------------------- */

int mbs_gradient_column(const gradyn_mbs *m, const mbs_element *e, int k)
{
  const mbs_entry *entry = &e->gradient.item[k];
  return slot_index(m, e, entry->row, entry->local % m->dim);
}

void mbs_matrix_coordinates(const gradyn_mbs *m, const mbs_element *e, int k, int *row, int *col)
{
  const mbs_entry *entry = &e->matrix.item[k];
  *row = slot_index(m, e, entry->row, entry->local / e->local % m->dim);
  *col = slot_index(m, e, entry->col, entry->local % e->local % m->dim);
}

int mbs_dyn_position(const gradyn_mbs *m, int row, int col)
{
  int k = gradyn_pattern_find(&m->mech.dyn, row, col);
  /* pairs outside the pattern (ground, scalars' missing components) get the scratch entry */
  return k < 0 ? m->mech.dyn.nnz : k;
}

/* Stores the positions of an element's entries in the patterns, which must exist. */
void mbs_map_entries(const gradyn_mbs *m, mbs_element *e, int row)
{
  for (int k = 0; k < e->matrix.count; k++) {
    int i, j;
    mbs_matrix_coordinates(m, e, k, &i, &j);
    e->matrix.item[k].at = gradyn_pattern_find(&m->mech.dyn, i, j);
  }
  /* gradients of constraints are rows of Phi_q */
  for (int k = 0; k < e->gradient.count && row >= 0; k++)
    e->gradient.item[k].at = gradyn_pattern_find(&m->mech.jac, row, mbs_gradient_column(m, e, k));
  /* two points with a common carrier have entries at the same position */
  for (int k = 0; k < e->gradient.count && row >= 0 && e->weight; k++)
    for (int j = 0; j < k; j++)
      e->twice = e->twice || e->gradient.item[j].at == e->gradient.item[k].at;
}
