/* Products with derivatives by data for several residuals and four vectors at once: what both directions
 * of them share. For mechanisms without attached points, whose elements meet points in place. */
#ifndef GRADYN_MBS_TERMS_H
#define GRADYN_MBS_TERMS_H

#include "mbs/data.h"

/* Functions of gradyn_mech_ops. */
gradyn_status mbs_terms_data(gradyn_mech *mech, int terms, const gradyn_mech_term *term,
                             const gradyn_mech_state *node, int columns, const double *dx,
                             gradyn_lanes *const *rhs);
gradyn_status mbs_terms_data_transposed(gradyn_mech *mech, int terms, const gradyn_mech_term *term,
                                        const gradyn_mech_state *node, int columns,
                                        const gradyn_lanes *const *mu, double *x_bar);

/* What the two have in common: dx [columns][nx] and rhs [terms][n + m], or mu [terms][n + m] and x_bar
 * [columns][nx]. */
typedef struct mbs_terms {
  int count;
  const gradyn_mech_term *term;
  const mbs_view *node; /* where phi is taken */
  int columns, n, nx;
  const double *dx;
  gradyn_lanes *const *rhs;
  const gradyn_lanes *const *mu;
  double *x_bar;
} mbs_terms;

/* What to do for each part of a mechanism; k is the number of a term with forces. */
typedef struct mbs_terms_visitor {
  void (*rod)(const gradyn_mbs *m, const mbs_rod *rod, const mbs_terms *j);
  gradyn_status (*constraint)(gradyn_mbs *m, int row, const mbs_terms *j);
  void (*inertia)(const gradyn_mbs *m, const mbs_inertia *e, const mbs_terms *j);
  gradyn_status (*force)(gradyn_mbs *m, const mbs_element *e, const mbs_terms *j, int k,
                         const mbs_view *view);
  void (*gravity)(const gradyn_mbs *m, const mbs_terms *j, int k);
} mbs_terms_visitor;

/* Visits what depends on active data; rods between points that data move are visited as constraints.
 * Fills j->node and the sizes. */
gradyn_status mbs_visit_terms(gradyn_mbs *m, const gradyn_mech_state *node, mbs_terms *j,
                              const mbs_terms_visitor *visitor);

/* What multiplies the mass matrix at point r of a body: acceleration, minus gravity if forces take part;
 * w [dim]. */
GRADYN_KERNEL void mbs_term_field(int dim, const gradyn_mbs *m, const mbs_inertia *e, int r,
                                  const gradyn_mech_term *term, double *w)
{
  bool moves = e->at[r] < m->mech.n && term->parts & GRADYN_INERTIA;
  bool falls = term->parts & GRADYN_FORCE && m->gravity >= 0 && !m->point[e->point[r]].direction;
  for (int k = 0; k < dim; k++)
    w[k] = moves ? term->at.a[e->at[r] + k] : 0;
  for (int k = 0; k < dim && falls; k++)
    w[k] -= m->model->x[m->gravity + k];
}

/* Derivatives of a rod's Phi, Phi' or Phi'' by its length, from the differences of its ends' positions,
 * velocities and accelerations. */
GRADYN_KERNEL double mbs_rod_slope(int dim, const mbs_rod *rod, int order, const mbs_view *at)
{
  double sum = 0;
  for (int k = 0; k < dim; k++) {
    double r = at->pos[rod->b + k] - at->pos[rod->a + k];
    double v = order > 0 ? at->vel[rod->b + k] - at->vel[rod->a + k] : 0;
    double a = order > 1 ? at->acc[rod->b + k] - at->acc[rod->a + k] : 0;
    sum += order == 0 ? r * r / 2 : order == 1 ? r * v : v * v + r * a;
  }
  return -sum * rod->w * rod->w - (order == 0 ? 0.5 : 0);
}

#endif
