/* What derivatives with respect to data have in common: slopes of elements, and points that data move. */
#ifndef GRADYN_MBS_DATA_H
#define GRADYN_MBS_DATA_H

#include "core/lanes.h"
#include "mbs/assembly.h"

/* What an element contributes to derivatives by data: by its inputs f_z [inputs][local], by positions
 * f_pos and, for forces, by velocities f_vel [local][local]. */
typedef struct mbs_slopes {
  double z[MBS_INPUTS * MBS_LOCAL], pos[MBS_LOCAL * MBS_LOCAL], vel[MBS_LOCAL * MBS_LOCAL];
} mbs_slopes;

/* Slopes of a force, or of a constraint's force for the multiplier one; those by positions and velocities
 * only if by_place. */
gradyn_status mbs_element_slopes(gradyn_mbs *m, const mbs_element *e, const mbs_view *view,
                                 bool by_place, mbs_slopes *s);

/* Changes of ground and attached points along dx, at fixed coordinates: m->moved. False: none. */
bool mbs_move_points(gradyn_mbs *m, const double *dx);

/* Change dz of an element's inputs along dx; false if neither they nor its points change: most elements
 * do not depend on a given datum. After mbs_move_points(). */
bool mbs_inputs_change(const gradyn_mbs *m, const mbs_element *e, double t, const double *dx,
                       double *dz);

/* Derivative of a scalar at element size, g [local], times changes of the element's points; and the same
 * transposed: what falls on ground points goes to their data (x_bar may be NULL), what falls on attached
 * ones to bar [full]. */
double mbs_along(const gradyn_mbs *m, const mbs_element *e, const double *g, const double *moved);
void mbs_against(const gradyn_mbs *m, const mbs_element *e, const double *g, double weight,
                 double *x_bar, double *bar);

/* Adjoints of positions (order 0), velocities or accelerations of attached points for vector v [full];
 * NULL: there are no such points. */
static inline double *mbs_bar(const gradyn_mbs *m, int order, int v)
{
  return m->attached_count > 0 ? m->bar[order] + v * m->full_size : NULL;
}

/* Zeroes the adjoints of attached points for count vectors. */
void mbs_clear_bars(gradyn_mbs *m, int count);

/* From the adjoints of attached points' positions, velocities and accelerations (the first `orders` of
 * them) of vector v, and, with mu [full], from the forces m->load that they hand on, to the data behind
 * their weights and to carriers that are ground points. */
void mbs_carry_bars(gradyn_mbs *m, int v, int orders, const double *mu, double *x_bar);

/* Vectors that meet a derivative from the left, and where the products go. */
typedef struct mbs_covectors {
  int count, stride, moving;
  const double *mu; /* [count], stride numbers apart, zero from coordinate `moving` on */
  double *x_bar;    /* [count][nx] */
} mbs_covectors;

#endif
