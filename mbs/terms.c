/* Products with derivatives by data for several residuals at once: the parts of a mechanism in turn. */
#include "mbs/terms.h"

static gradyn_status visit_constraints(gradyn_mbs *m, const mbs_terms *j,
                                       const mbs_terms_visitor *visitor)
{
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < m->rods && status == GRADYN_OK; i++) {
    const mbs_rod *rod = &m->rod[i];
    const mbs_element *e = &m->constraints.item[rod->row];
    if (e->fixed_active)
      status = visitor->constraint(m, rod->row, j);
    else if (e->active)
      visitor->rod(m, rod, j);
  }
  for (int i = 0; i < m->others_of_motion && status == GRADYN_OK; i++)
    if (m->constraints.item[m->other[i]].active)
      status = visitor->constraint(m, m->other[i], j);
  return status;
}

static gradyn_status visit_forces(gradyn_mbs *m, const mbs_terms *j, int k,
                                  const mbs_terms_visitor *visitor)
{
  const mbs_view view = mbs_look_up_to(m, &j->term[k].at, 1);
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < m->forces.count && status == GRADYN_OK; i++)
    if (m->forces.item[i].active)
      status = visitor->force(m, &m->forces.item[i], j, k, &view);
  if (m->gravity_active)
    visitor->gravity(m, j, k);
  return status;
}

gradyn_status mbs_visit_terms(gradyn_mbs *m, const gradyn_mech_state *node, mbs_terms *j,
                              const mbs_terms_visitor *visitor)
{
  const mbs_view view = mbs_look(m, node);
  j->node = &view;
  j->n = m->mech.n;
  j->nx = m->mech.nx;
  gradyn_status status = visit_constraints(m, j, visitor);
  for (int i = 0; i < m->inertias && m->inertia_active; i++)
    if (m->inertia[i].active)
      visitor->inertia(m, &m->inertia[i], j);
  for (int k = 0; k < j->count && status == GRADYN_OK; k++)
    if (j->term[k].parts & GRADYN_FORCE)
      status = visit_forces(m, j, k, visitor);
  j->node = NULL;
  return status;
}
