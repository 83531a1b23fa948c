/* One element by itself, for checks: the lists that the interface goes through are replaced by such of one
 * element and put back afterwards. Points, data and patterns stay those of the whole. */
#include <string.h>

#include "mbs/assembly.h"

bool mbs_element_at(const gradyn_mech *mech, int i, const char **kind, const char **name)
{
  const gradyn_mbs *m = (const gradyn_mbs *)mech;
  const mbs_elements *list = &m->constraints;
  /* numbers go on: constraints, forces, inertias */
  if (i >= list->count) {
    i -= list->count;
    list = m->whole.kept ? &m->whole.forces : &m->forces; /* isolated, m->forces has one item */
  }
  if (i < list->count) {
    *kind = list->item[i].ops->kind;
    *name = list->item[i].name;
    return true;
  }
  i -= list->count;
  *kind = "inertia";
  if (i >= (m->whole.kept ? m->whole.inertias : m->inertias))
    return false;
  *name = m->model->entry[(m->whole.kept ? m->whole.inertia : m->inertia)[i].datum].name;
  return true;
}

static void restore(gradyn_mbs *m)
{
  const mbs_whole *w = &m->whole;
  if (!w->kept)
    return;
  m->forces = w->forces;
  m->rod = w->rod;
  m->rods = w->rods;
  m->reader = w->reader;
  m->readers = w->readers;
  m->other = w->other;
  m->others = w->others; /* put back in the reverse of keep() */
  memcpy(m->others_end, w->others_end, sizeof m->others_end);
  m->inertia = w->inertia;
  m->inertias = w->inertias;
  m->whole.kept = false;
}

static void keep(gradyn_mbs *m)
{
  mbs_whole *w = &m->whole;
  *w = (mbs_whole){.kept = true,
                   .forces = m->forces,
                   .rod = m->rod,
                   .rods = m->rods,
                   .reader = m->reader,
                   .readers = m->readers,
                   .other = m->other,
                   .others = m->others,
                   .inertia = m->inertia,
                   .inertias = m->inertias};
  memcpy(w->others_end, m->others_end, sizeof w->others_end);
  /* nothing is left of any kind */
  memset(m->others_end, 0, sizeof m->others_end);
  m->forces.count = m->rods = m->readers = m->others = m->inertias = 0;
}

/* A constraint: in the table of rods, or among the others. */
static void take_constraint(gradyn_mbs *m, int row)
{
  mbs_whole *w = &m->whole;
  /* rods have a table of their own */
  for (int i = 0; i < w->rods; i++)
    if (w->rod[i].row == row) {
      w->one_rod = w->rod[i];
      m->rod = &w->one_rod;
      m->rods = 1;
      return;
    }
  w->one = row;
  m->other = &w->one;
  m->others = 1;
  /* rows of its kind, and all later kinds, end behind it */
  for (int k = (int)m->constraints.item[row].when; k < MBS_WHENS; k++)
    m->others_end[k] = 1;
}

static void take_force(gradyn_mbs *m, int i)
{
  mbs_whole *w = &m->whole;
  m->forces.item = w->forces.item + i;
  m->forces.count = 1;
  w->one = 0;
  m->reader = &w->one;
  /* the one force is number 0 of its list */
  m->readers = m->forces.item->reading != NULL;
}

void mbs_isolate(gradyn_mech *mech, int i)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  /* whatever was isolated before comes back first */
  restore(m);
  if (i < 0)
    return;
  keep(m);
  int constraints = m->constraints.count, forces = m->whole.forces.count;
  if (i < constraints) {
    take_constraint(m, i);
  } else if (i < constraints + forces) {
    take_force(m, i - constraints);
  } else {
    m->inertia = m->whole.inertia + (i - constraints - forces);
    m->inertias = 1;
  }
}
