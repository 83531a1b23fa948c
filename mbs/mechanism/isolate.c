/* Isolates one element, for checks of derivatives. The lists of the interface are replaced by lists with
 * this element only, and restored afterwards. Points, data and patterns are not changed. */
#include <string.h>

#include "mbs/mechanism/assembly.h"

bool mbs_element_at(const gradyn_mech *mech, int i, const char **kind, const char **name)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  /* m->lists has one element while it is isolated */
  const mbs_lists *lists = m->whole.kept ? &m->whole.lists : &m->lists;
  const mbs_elements *list = &m->constraints;
  /* indices count constraints, then forces, then inertias */
  if (i >= list->count) {
    i -= list->count;
    list = &lists->forces;
  }
  if (i < list->count) {
    *kind = list->item[i].ops->kind;
    *name = list->item[i].name;
    return true;
  }
  i -= list->count;
  *kind = "inertia";
  if (i >= lists->inertias)
    return false;
  *name = m->model->entry[lists->inertia[i].datum].name;
  return true;
}

/* Restores all lists. */
static void restore(gradyn_mbs *m)
{
  if (m->whole.kept)
    m->lists = m->whole.lists;
  m->whole.kept = false;
}

/* Saves all lists and empties the present ones. */
static void keep(gradyn_mbs *m)
{
  m->whole = (mbs_whole){.kept = true, .lists = m->lists};
  mbs_lists *l = &m->lists;
  l->forces.count = l->rods = l->dots = l->readers = l->others = l->inertias = 0;
  memset(l->others_end, 0, sizeof l->others_end);
}

/* Makes the lists contain one constraint only: in the table of its kind, or among the other constraints. */
static void take_constraint(gradyn_mbs *m, int row)
{
  mbs_whole *w = &m->whole;
  /* rods are in their table only */
  for (int i = 0; i < w->lists.rods; i++)
    if (w->lists.rod[i].row == row) {
      w->one_rod = w->lists.rod[i];
      m->lists.rod = &w->one_rod;
      m->lists.rods = 1;
      return;
    }
  for (int i = 0; i < w->lists.dots; i++) /* scalar products are also among the others */
    if (w->lists.dot[i].row == row) {
      w->one_dot = w->lists.dot[i];
      m->lists.dot = &w->one_dot;
      m->lists.dots = 1;
    }
  w->one = row;
  m->lists.other = &w->one;
  m->lists.others = 1;
  /* lists of its kind and of later kinds end after it */
  for (int k = (int)m->constraints.item[row].when; k < MBS_WHENS; k++)
    m->lists.others_end[k] = 1;
}

/* Makes the lists contain one force only, given by its number. */
static void take_force(gradyn_mbs *m, int i)
{
  mbs_whole *w = &m->whole;
  m->lists.forces.item = w->lists.forces.item + i;
  m->lists.forces.count = 1;
  w->one = 0;
  m->lists.reader = &w->one;
  /* the force has number 0 in its list */
  m->lists.readers = m->lists.forces.item->reading != NULL;
}

/* Isolates element i, so that `check` compares its derivatives with their own magnitude; -1: all
 * elements. */
void mbs_isolate(gradyn_mech *mech, int i)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  /* restores the lists, in case an element is isolated */
  restore(m);
  if (i < 0)
    return;
  keep(m);
  int constraints = m->constraints.count, forces = m->whole.lists.forces.count;
  if (i < constraints) {
    take_constraint(m, i);
  } else if (i < constraints + forces) {
    take_force(m, i - constraints);
  } else {
    m->lists.inertia = m->whole.lists.inertia + (i - constraints - forces);
    m->lists.inertias = 1;
  }
}
