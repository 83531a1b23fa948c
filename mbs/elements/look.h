/* Evaluation of elements: the state that elements receive, and the distribution of their results. A full
 * array [full_size] has the coordinates of all points: scalars, moving, ground and attached ones. Attached
 * points are linear combinations of the others; mbs_spread() computes them. */
#ifndef GRADYN_MBS_LOOK_H
#define GRADYN_MBS_LOOK_H

#include <string.h>

#include "mbs/elements/inputs.h"

/* Copies an array of the state into a full array, unless it is NULL. Positions of ground points are already
 * there. attached: also computes attached points. */
static inline void mbs_fill(const gradyn_mbs *m, const double *from, bool attached, double *full)
{
  if (!from)
    return;
  memcpy(full, from, (size_t)m->mech.n * sizeof(double));
  if (attached)
    mbs_spread(m, full);
}

/* Copies the state up to an order of time derivatives (-1: none) into the full arrays. Attached points are
 * computed if these parts of the equations use them. Updates inputs to the time of the state. Returns the
 * arrays, which belong to m, until the next evaluation. */
static inline mbs_point_state mbs_eval_up_to(gradyn_mbs *m, const gradyn_mech_state *at, int order,
                                             int parts)
{
  const bool attached = m->attached.parts & parts;
  if (order >= 0)
    mbs_fill(m, at->q, attached, m->pos);
  if (order >= 1)
    mbs_fill(m, at->v, attached, m->vel);
  if (order >= 2)
    mbs_fill(m, at->a, attached, m->acc);
  if (m->timed.first)
    mbs_refresh_inputs(m, at->t);
  return (mbs_point_state){at->t, m->pos, m->vel, m->acc, at->read ? at->read : at->lam};
}

/* Copies positions, velocities and accelerations of the state *at into the full arrays, with all attached
 * points that are used, and updates inputs. Returns the arrays, which belong to m, until the next
 * evaluation. */
static inline mbs_point_state mbs_eval(gradyn_mbs *m, const gradyn_mech_state *at)
{
  return mbs_eval_up_to(m, at, 2, GRADYN_DYNAMICS | GRADYN_ALL_ROWS);
}

/* Returns whether an element belongs to a mode, from 0. */
static inline bool mbs_in_mode(const mbs_element *e, int mode)
{
  return e->modes.bits == 0 || e->modes.bits >> mode & 1;
}

/* Returns whether an element is outside the present mode, or is switched off (scalar forces that depend on
 * multipliers). */
static inline bool mbs_absent(const gradyn_mbs *m, const mbs_element *e)
{
  return !mbs_in_mode(e, m->model->discrete.mode) || (m->lists.unread && e->ops->scalar);
}

/* Adds alpha times local [points][dim] to full [full] at the element's points. Returns the sum of the
 * entries of local, not finite if one of them is not. */
static inline double mbs_scatter(const mbs_element *e, int dim, double alpha, const double *local,
                                 double *full)
{
  double sum = 0;
  for (int k = 0; k < e->points; k++, local += dim) {
    double *f = full + e->at[k];
    f[0] += alpha * local[0];
    f[1] += alpha * local[1];
    sum += local[0] + local[1];
    if (dim == 3) {
      f[2] += alpha * local[2];
      sum += local[2];
    }
  }
  return sum;
}

#endif
