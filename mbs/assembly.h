/* What the parts of the mechanical interface share: access to states and elements. */
#ifndef GRADYN_MBS_ASSEMBLY_H
#define GRADYN_MBS_ASSEMBLY_H

#include <string.h>

#include "mbs/planar.h"

/* Copies the state into the full arrays, where the ground points already stand. */
static inline mbs_view mbs_look(gradyn_mbs *m, const gradyn_mech_state *at)
{
  size_t size = (size_t)m->mech.n * sizeof(double);
  if (at->q)
    memcpy(m->pos, at->q, size);
  if (at->v)
    memcpy(m->vel, at->v, size);
  if (at->a)
    memcpy(m->acc, at->a, size);
  return (mbs_view){at->t, m->pos, m->vel, m->acc};
}

/* Constraints that take part: all up to the returned number, from *first. */
static inline int mbs_constraint_range(const gradyn_mbs *m, int parts, int *first)
{
  *first = parts & GRADYN_CONSTRAINT ? 0 : m->mech.m;
  return m->mech.m + (parts & GRADYN_HELD ? m->mech.held : 0);
}

/* Offset in the full arrays of local coordinate i. */
static inline int mbs_coordinate(const mbs_element *e, int i)
{
  return e->at[i / 2] + i % 2;
}

static inline void mbs_scatter(const mbs_element *e, double alpha, const double *local,
                               double *full)
{
  for (int k = 0; k < e->points; k++) {
    full[e->at[k]] += alpha * local[2 * k];
    full[e->at[k] + 1] += alpha * local[2 * k + 1];
  }
}

/* Functions of gradyn_mech_ops, in assembly_data.c. */
gradyn_status mbs_residual_data(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                const double *dx, double *r);
gradyn_status mbs_residual_data_transposed(gradyn_mech *mech, int parts,
                                           const gradyn_mech_state *at, int count, const double *mu,
                                           int stride, double *x_bar);
gradyn_status mbs_phi_data(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                           const double *dx, double *value);
gradyn_status mbs_phi_data_transposed(gradyn_mech *mech, int parts, int order,
                                      const gradyn_mech_state *at, int count, const double *mu,
                                      int stride, double *x_bar);
void mbs_activate(gradyn_mech *mech, const bool *active);
gradyn_status mbs_residual_time(gradyn_mech *mech, int parts, const gradyn_mech_state *at,
                                double *r);
gradyn_status mbs_phi_time(gradyn_mech *mech, int order, const gradyn_mech_state *at,
                           double *value);

#endif
