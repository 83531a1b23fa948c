/* The mechanical interface: residuals, constraints and derivatives by the state, as sums over elements. R =
 * M a + Phi_q^T lam - Q with selected parts; Phi, Phi', Phi''; K = R_q, C = R_v. Rods and scalar products
 * have kernels of their own; all other elements are evaluated one after the other. */
#include <math.h>

#include "core/linear/norm.h"
#include "mbs/mechanism/assembly.h"
#include "mbs/mechanism/dots.h"
#include "mbs/mechanism/rods.h"

/* Reports that an element is not finite; returns GRADYN_NON_FINITE. */
static gradyn_status not_finite(gradyn_mbs *m, const mbs_element *e, double t)
{
  return gradyn_fail(&m->model->message, GRADYN_NON_FINITE, "%s %s is not finite at t = %g s",
                     e->ops->kind, e->name, t);
}

/* values += alpha local; entries of attached points go to their carriers. */
static void scatter_matrix(const mbs_element *e, double alpha, const double *local, double *values)
{
  const mbs_entry *k = e->matrix.item, *end = k + e->matrix.count;
  const double *w = e->weight;
  if (!w) {
    for (; k < end; k++)
      values[k->at] += alpha * local[k->local];
    return;
  }
  for (; k < end; k++) /* w_r w_s D_rs */
    values[k->at] += alpha * w[k->row] * w[k->col] * local[k->local];
}

/* Finds the force that is not finite, for the message. GRADYN_OK: each force is finite, and only their sum
 * overflows. */
static gradyn_status blame_force(gradyn_mbs *m, const mbs_point_state *view)
{
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    double f[MBS_LOCAL];
    if (mbs_absent(m, e))
      continue;
    GRADYN_TRY(e->ops->force(m, e, view, e->input, f));
    if (!gradyn_all_finite(f, e->local))
      return not_finite(m, e, view->t);
  }
  return GRADYN_OK;
}

/* m->full -= forces. With `attached`, only forces of elements that have attached points. */
GRADYN_KERNEL gradyn_status add_forces(gradyn_mbs *m, const mbs_point_state *view,
                                       const bool attached)
{
  double sum = 0;
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    double f[MBS_LOCAL];
    if (mbs_absent(m, e) || (attached && !e->weight))
      continue;
    /* R = ... - f */
    GRADYN_TRY(e->ops->force(m, e, view, e->input, f));
    sum += mbs_scatter(e, m->dim, -1, f, m->full);
  }
  /* one check for all terms: if the sum is finite, all terms are finite */
  return isfinite(sum) ? GRADYN_OK : blame_force(m, view);
}

/* Returns whether any constraint is neither a rod nor a scalar product, which have tables. Such constraints
 * are processed in separate functions, to save registers in mechanisms that have rods only. */
static inline bool has_others(const gradyn_mbs *m, int parts)
{
  return m->lists.others_end[MBS_IN_MOTION] > m->lists.dots ||
         parts & (GRADYN_HELD | GRADYN_CONTACT);
}

/* Range of the constraints without tables in m->lists.other: from *first to the returned end. */
static int other_range(const gradyn_mbs *m, int parts, int *first)
{
  const int *end = m->lists.others_end;
  /* kinds of constraints are in the order motion, start, impacts */
  *first = parts & GRADYN_CONSTRAINT ? m->lists.dots
           : parts & GRADYN_HELD     ? end[MBS_IN_MOTION]
                                     : end[MBS_AT_START];
  if (!(parts & GRADYN_ALL_ROWS)) /* no constraints */
    *first = end[MBS_AT_IMPACTS];
  return parts & GRADYN_CONTACT ? end[MBS_AT_IMPACTS]
         : parts & GRADYN_HELD  ? end[MBS_AT_START]
                                : end[MBS_IN_MOTION];
}

/* m->full += Phi_q^T lam of constraints without tables. With `attached`, only of those that have attached
 * points. */
GRADYN_KERNEL gradyn_status add_constraints(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                            const mbs_point_state *view, const bool attached)
{
  int first, last = other_range(m, parts, &first);
  for (int k = first; k < last; k++) {
    int i = m->lists.other[k];
    const mbs_element *e = &m->constraints.item[i];
    double g[MBS_LOCAL];
    if (attached && !e->weight) /* no attached points */
      continue;
    if (mbs_absent(m, e)) {
      /* in this mode, the constraint is q_k = 0 and its multiplier a force on q_k */
      m->full[e->modes.at] += at->lam[i];
      continue;
    }
    GRADYN_TRY(e->ops->phi_q(m, e, view, e->input, 0, g));
    mbs_scatter(e, m->dim, at->lam[i], g, m->full);
  }
  return GRADYN_OK;
}

/* Adds Phi_q^T lam of constraints without tables. Not inlined, since most mechanisms have only rods. */
static __attribute__((noinline)) gradyn_status add_others(gradyn_mbs *m, int parts,
                                                          const gradyn_mech_state *at,
                                                          const mbs_point_state *view)
{
  return add_constraints(m, parts, at, view, false);
}

/* Adds forces and constraint forces to m->full. */
static gradyn_status add_elements(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                  const mbs_point_state *view)
{
  gradyn_status status = parts & GRADYN_FORCE ? add_forces(m, view, false) : GRADYN_OK;
  if (parts & GRADYN_CONSTRAINT) {
    mbs_rods_force(m, view, at->lam, m->full);
    if (m->lists.dots > 0)
      mbs_dots_force(m, view, at->lam, m->full);
  }
  return has_others(m, parts) && status == GRADYN_OK ? add_others(m, parts, at, view) : status;
}

/* Computes the loads on attached points; mbs_pull() then distributes them to the carriers. */
gradyn_status mbs_attached_loads(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                 const mbs_point_state *view)
{
  memset(m->full, 0, (size_t)m->full_size * sizeof(double));
  if (m->attached.parts & GRADYN_INERTIA && parts & (GRADYN_INERTIA | GRADYN_FORCE)) {
    /* inertia and weight in one product: M (a - g) */
    mbs_inertia_field(m, parts);
    mbs_inertia_apply(m, true, m->mass.field, m->full);
  }
  if (parts & GRADYN_FORCE)
    GRADYN_TRY(add_forces(m, view, true));
  return add_constraints(m, parts, at, view, true);
}

gradyn_status mbs_residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  /* velocities are needed for forces only */
  mbs_point_state view = mbs_eval_up_to(m, at, parts & GRADYN_FORCE ? 1 : 0, parts);
  int n = mech->n;
  if (parts & GRADYN_FORCE)
    memcpy(m->full, m->mass.weight, (size_t)m->full_size * sizeof(double));
  else
    memset(m->full, 0, (size_t)m->full_size * sizeof(double));
  gradyn_status status = add_elements(m, parts, at, &view);
  if (m->attached.parts & parts) /* loads on attached points go to their carriers */
    mbs_pull(m, m->full);
  memcpy(r, m->full, (size_t)n * sizeof(double));
  if (parts & GRADYN_INERTIA) /* M a, with the constant M */
    gradyn_pattern_multiply(&mech->dyn, n, m->mass.M, 1, at->a, r);
  return status;
}

gradyn_status mbs_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view,
                          double *capacity, const double **H)
{
  /* constant for quadratic Phi: computed once by load() */
  *H = e->curvature ? e->curvature : capacity;
  return e->curvature ? GRADYN_OK : e->ops->hessian(m, e, view, e->input, capacity);
}

/* K -= f_q and C -= f_v of all forces in the present mode. */
static gradyn_status add_force_tangent(gradyn_mbs *m, const mbs_point_state *view, double *K,
                                       double *C)
{
  for (int i = 0; i < m->lists.forces.count; i++) {
    const mbs_element *e = &m->lists.forces.item[i];
    double f_pos[MBS_LOCAL * MBS_LOCAL], f_vel[MBS_LOCAL * MBS_LOCAL];
    if (mbs_absent(m, e))
      continue;
    GRADYN_TRY(e->ops->force_state(m, e, view, e->input, f_pos, C ? f_vel : NULL));
    /* R = ... - f: K = -df/dq, C = -df/dv */
    if (K)
      scatter_matrix(e, -1, f_pos, K);
    if (C)
      scatter_matrix(e, -1, f_vel, C);
  }
  return GRADYN_OK;
}

/* K = R_q, C = R_v, M = R_a of the selected parts. */
gradyn_status mbs_tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                          double *C, double *M)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  size_t bytes = (size_t)mech->dyn.nnz * sizeof(double);
  int first, last = other_range(m, parts, &first);
  int order = parts & GRADYN_FORCE ? 1 : first < last ? 0 : -1; /* rods need no positions */
  mbs_point_state view = mbs_eval_up_to(m, at, order, parts);
  if (K)
    memset(K, 0, bytes);
  if (C)
    memset(C, 0, bytes);
  /* M is constant, and in R only with the part INERTIA */
  if (M && parts & GRADYN_INERTIA)
    memcpy(M, m->mass.M, bytes);
  else if (M)
    memset(M, 0, bytes);
  if (parts & GRADYN_FORCE && (K || C))
    GRADYN_TRY(add_force_tangent(m, &view, K, m->mech.damped ? C : NULL)); /* not damped: C = 0 */
  if (parts & GRADYN_CONSTRAINT && K) { /* sum of lam_i Phi_i,qq: first those with tables */
    mbs_rods_hessian(m, at->lam, K);
    if (m->lists.dots > 0)
      mbs_dots_hessian(m, at->lam, K);
  }
  for (int k = first; k < last && K; k++) {
    int i = m->lists.other[k];
    const mbs_element *e = &m->constraints.item[i];
    double capacity[MBS_LOCAL * MBS_LOCAL];
    const double *H;
    /* linear constraints have no second derivatives */
    if (e->ops->degree == 1 || mbs_absent(m, e))
      continue;
    GRADYN_TRY(mbs_hessian(m, e, &view, capacity, &H));
    scatter_matrix(e, at->lam[i], H, K);
  }
  return GRADYN_OK;
}

/* Values of constraints without tables. Not inlined, like add_others(). */
static __attribute__((noinline)) gradyn_status others_phi(gradyn_mbs *m, int parts, int order,
                                                          const gradyn_mech_state *at,
                                                          const mbs_point_state *view,
                                                          double *value)
{
  int first, last = other_range(m, parts, &first);
  for (int k = first; k < last; k++) {
    int i = m->lists.other[k];
    const mbs_element *e = &m->constraints.item[i];
    if (mbs_absent(
            m,
            /* In this mode, the value is q_k, v_k or a_k of the idle coordinate. Nonholonomic constraints
             * have no order 0. */
            e)) {
      value[i] = order == 0 && e->ops->psi_v ? 0
                                             : (order == 0   ? at->q
                                                : order == 1 ? at->v
                                                             : at->a)[e->modes.at];
      continue;
    }
    GRADYN_TRY(e->ops->phi(m, e, view, e->input, order, &value[i]));
    if (!isfinite(value[i])) /* here the message can name the element */
      return not_finite(m, e, at->t);
  }
  /* latched values c shift constraints: Phi(q) - c = 0 */
  const gradyn_model *model = m->model;
  for (int k = 0; k < model->log.captures.count && order == 0 && parts & GRADYN_CONSTRAINT; k++)
    if (gradyn_latch_active(&model->log.captures.item[k], model->discrete.mode))
      value[model->log.captures.item[k].constraint] -= model->x[model->log.captures.item[k].datum];
  return GRADYN_OK;
}

/* Values of the constraints: Phi, Phi' or Phi'' for order 0, 1 or 2. */
gradyn_status mbs_phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                      double *value)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_point_state view = mbs_eval_up_to(m, at, order, parts);
  /* rods and scalar products by their kernels, then all others */
  int bad = parts & GRADYN_CONSTRAINT ? mbs_rods_phi(m, &view, order, value) : -1;
  if (bad < 0 && parts & GRADYN_CONSTRAINT && m->lists.dots > 0)
    bad = mbs_dots_phi(m, &view, order, value);
  if (bad >= 0)
    return not_finite(m, &m->constraints.item[bad], at->t);
  return has_others(m, parts) ? others_phi(m, parts, order, at, &view, value) : GRADYN_OK;
}

/* Writes the gradient g of a constraint to its entries in values. */
static void set_row(const mbs_element *e, const double *g, double *values)
{
  const mbs_entry *first = e->gradient.item, *end = first + e->gradient.count;
  const double *w = e->weight;
  /* without attached points, each entry has one position */
  if (!w) {
    for (const mbs_entry *k = first; k < end; k++)
      values[k->at] = g[k->local];
    return;
  }
  /* the gradient by X times the weight w of each carrier of X; two points may share a carrier */
  for (const mbs_entry *k = first; !e->twice && k < end; k++)
    values[k->at] = w[k->row] * g[k->local];
  for (const mbs_entry *k = first; e->twice && k < end; k++)
    values[k->at] = 0;
  for (const mbs_entry *k = first; e->twice && k < end; k++)
    values[k->at] += w[k->row] * g[k->local];
}

/* Writes the row of a constraint that is absent in the present mode: at order 0 it is 1 at the idle
 * coordinate; all other entries are 0. */
static void set_idle_row(const mbs_element *e, int order, double *values)
{
  for (int k = 0; k < e->gradient.count; k++)
    values[e->gradient.item[k].at] = 0;
  values[e->modes.jac] = order == 0;
}

/* Clears entries due to multiplier-dependent forces. Constraints that share these entries write them
 * afterwards. */
static void clear_reading(const mbs_element *e, double *values)
{
  for (int k = 0; k < e->gradient.count * e->reading->count; k++)
    values[e->reading->jac[k]] = 0;
}

/* Gradients d Phi^(order)/dq of constraints without tables. Not inlined, like add_others(). */
static __attribute__((noinline)) gradyn_status others_phi_q(gradyn_mbs *m, int parts, int order,
                                                            const mbs_point_state *view,
                                                            double *values)
{
  int first, last = other_range(m, parts, &first);
  for (int k = first; k < last; k++) {
    const mbs_element *e = &m->constraints.item[m->lists.other[k]];
    double g[MBS_LOCAL];
    /* absent: the constraint is enforced on its idle coordinate */
    if (mbs_absent(m, e)) {
      set_idle_row(e, order, values);
      continue;
    }
    GRADYN_TRY(e->ops->phi_q(m, e, view, e->input, order, g));
    if (e->modes.bits) /* clears the entry of the idle coordinate */
      values[e->modes.jac] = 0;
    set_row(e, g, values);
  }
  return GRADYN_OK;
}

/* Writes psi'_v of the nonholonomic constraints. */
gradyn_status mbs_psi_v(gradyn_mech *mech, const gradyn_mech_state *at, double *values)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_point_state view = mbs_eval_up_to(m, at, 2, GRADYN_CONSTRAINT);
  int first, last = other_range(m, GRADYN_CONSTRAINT, &first);
  for (int k = first; k < last; k++) {
    const mbs_element *e = &m->constraints.item[m->lists.other[k]];
    double g[MBS_LOCAL];
    if (!e->ops->psi_v)
      continue;
    if (e->modes.bits)
      set_idle_row(e, 1, values); /* psi'_v of an absent constraint is zero */
    if (mbs_absent(m, e))
      continue;
    GRADYN_TRY(e->ops->psi_v(m, e, &view, e->input, g));
    set_row(e, g, values);
  }
  return GRADYN_OK;
}

/* Rows of d Phi^(order)/dq, in the order of the pattern. */
gradyn_status mbs_phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                        double *values)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_point_state view = mbs_eval_up_to(m, at, order, parts);
  /* cleared before constraints are written, which overwrite shared entries */
  for (int i = 0; i < m->lists.readers; i++)
    clear_reading(&m->lists.forces.item[m->lists.reader[i]], values);
  if (parts & GRADYN_CONSTRAINT) {
    mbs_rods_phi_q(m, &view, order, values);
    if (m->lists.dots > 0)
      mbs_dots_phi_q(m, &view, order, values);
  }
  return has_others(m, parts) ? others_phi_q(m, parts, order, &view, values) : GRADYN_OK;
}

/* values -= (dQ/dlam)^T of one force; entries of attached points go to their carriers. */
static gradyn_status subtract_reading(gradyn_mbs *m, const mbs_element *e,
                                      const mbs_point_state *view, double *values)
{
  double f_lam[MBS_READS * MBS_LOCAL];
  const int *jac = e->reading->jac;
  GRADYN_TRY(e->ops->force_lam(m, e, view, e->input, f_lam));
  for (int k = 0; k < e->reading->count; k++)
    for (int i = 0; i < e->gradient.count; i++) {
      /* weight of the carrier, 1 for other points */
      const mbs_entry *entry = &e->gradient.item[i];
      const double weight = e->weight ? e->weight[entry->row] : 1;
      values[*jac++] -= weight * f_lam[k * e->local + entry->local];
    }
  return GRADYN_OK;
}

/* R_lam^T: Phi_q minus (dQ/dlam)^T of friction and other multiplier-dependent forces. */
gradyn_status mbs_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at, double *values)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  GRADYN_TRY(mbs_phi_q(mech, GRADYN_CONSTRAINT, 0, at, values));
  const mbs_point_state view = mbs_eval_up_to(m, at, m->lists.readers > 0 ? 1 : -1, GRADYN_FORCE);
  for (int i = 0; i < m->lists.readers; i++)
    if (!mbs_absent(m, &m->lists.forces.item[m->lists.reader[i]]))
      GRADYN_TRY(subtract_reading(m, &m->lists.forces.item[m->lists.reader[i]], &view, values));
  return GRADYN_OK;
}

/* Returns the first constraint that is satisfied in the opposite direction; -1: none. */
int mbs_reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle)
{
  gradyn_mbs *m = (gradyn_mbs *)mech;
  const mbs_point_state view = mbs_eval(m, at);
  int first = -1;
  /* constraints of the motion first, then fixed initial conditions */
  for (int i = 0; i < rows; i++) {
    const mbs_element *e = &m->constraints.item[i];
    if (!e->ops->reversed || mbs_absent(m, e) || !e->ops->reversed(e, &view, e->input))
      continue;
    first = first < 0 ? i : first;
    if (angle && m->point[e->point[0]].angle)
      angle[e->at[0]] = true;
  }
  return first;
}

/* Whether constraint i is enforced in a mode. */
bool mbs_holds(const gradyn_mech *mech, int i, int mode)
{
  return mbs_in_mode(&((const gradyn_mbs *)mech)->constraints.item[i], mode);
}
