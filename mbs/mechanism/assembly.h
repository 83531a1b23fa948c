/* What the parts of the mechanical interface share: access to states and elements. */
#ifndef GRADYN_MBS_ASSEMBLY_H
#define GRADYN_MBS_ASSEMBLY_H

#include <string.h>

#include "mbs/elements/inputs.h"

/* Fills a full array, where the ground points already stand, from an array of the state or NULL; attached
 * points only if asked for. */
static inline void mbs_fill(const gradyn_mbs *m, const double *from, bool attached, double *full)
{
  if (!from)
    return;
  memcpy(full, from, (size_t)m->mech.n * sizeof(double));
  if (attached)
    mbs_spread(m, full);
}

/* Copies the state up to an order of time derivatives, -1: nothing, into the full arrays, as far as these
 * parts of the equations see it; and brings inputs up to its time. */
static inline mbs_view mbs_look_up_to(gradyn_mbs *m, const gradyn_mech_state *at, int order,
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
  return (mbs_view){at->t, m->pos, m->vel, m->acc, at->read ? at->read : at->lam};
}

static inline mbs_view mbs_look(gradyn_mbs *m, const gradyn_mech_state *at)
{
  return mbs_look_up_to(m, at, 2, GRADYN_DYNAMICS | GRADYN_ALL_ROWS);
}

/* Whether an element belongs to a mode. */
static inline bool mbs_in_mode(const mbs_element *e, int mode)
{
  return e->modes.bits == 0 || e->modes.bits >> mode & 1;
}

/* Whether an element does not belong to the present mode. */
static inline bool mbs_absent(const gradyn_mbs *m, const mbs_element *e)
{
  return !mbs_in_mode(e, m->model->scene.mode);
}

/* Offset in the full arrays of local coordinate i. */
static inline int mbs_coordinate(const gradyn_mbs *m, const mbs_element *e, int i)
{
  return e->at[i / m->dim] + i % m->dim;
}

/* full += alpha local at an element's points; returns the sum of local. */
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

/* Second derivative *H [local][local] of a constraint, constant or computed into room. */
gradyn_status mbs_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_view *view, double *room,
                          const double **H);

/* What of the residual's selected parts loads attached points, at point level: m->full [full] there. */
gradyn_status mbs_attached_loads(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                 const mbs_view *view);

/* Functions of gradyn_mech_ops, in assembly.c. */
gradyn_status mbs_residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r);
gradyn_status mbs_tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                          double *C, double *M);
gradyn_status mbs_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
gradyn_status mbs_phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                      double *value);
gradyn_status mbs_phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                        double *values);
int mbs_reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at);
bool mbs_holds(const gradyn_mech *mech, int i, int mode);
const char *mbs_is_read(const gradyn_mech *mech, int i);
double mbs_leap(const gradyn_mech *mech, double h, const double *v, const double *a,
                const double *to, const char **force, gradyn_mech_exit *out);
bool mbs_element_at(const gradyn_mech *mech, int i, const char **kind, const char **name);
void mbs_isolate(gradyn_mech *mech, int i);

/* The same, in product.c and activate.c. */
gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                        const gradyn_mech_change *d, gradyn_lanes *const *r);
void mbs_mass_along(gradyn_mech *mech, int columns, const gradyn_mech_change *d,
                    gradyn_lanes *mass);
gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                          gradyn_lanes *const *mu, const gradyn_mech_bars *bars);
void mbs_activate(gradyn_mech *mech, const bool *active);

/* Kinetic and potential energy of a mechanism at a sample, J. */
gradyn_status mbs_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                         double *potential);

#endif
