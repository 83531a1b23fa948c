/* Derivatives by data times directions, for several residuals and four directions at once. */
#include "mbs/terms.h"

/* The directions' entries of one datum; false if all are zero. */
GRADYN_KERNEL bool change_of(const mbs_terms *j, int index, gradyn_lanes *d)
{
  bool change = false;
  *d = (gradyn_lanes){0};
  for (int v = 0; v < j->columns; v++) {
    double value = j->dx[v * j->nx + index];
    (*d)[v] = value;
    change = change || value != 0;
  }
  return change;
}

/* rhs of term k at point `at` += value; ground points have none. */
GRADYN_KERNEL void add_at(int dim, const mbs_terms *j, int k, int at, double factor,
                          const gradyn_lanes *value)
{
  for (int c = 0; c < dim && at < j->n; c++)
    j->rhs[k][at + c] += factor * value[c];
}

/* --- inertia ---------------------------------------------------------------------------------- */

/* rhs += dM w. Inlined with the numbers of axes and points as constants for what is most frequent. */
GRADYN_KERNEL void body_along(int dim, int points, const gradyn_mbs *m, const mbs_inertia *e,
                              const mbs_terms *j)
{
  gradyn_lanes dc[MBS_INERTIA_PAIRS], d;
  int pairs = points * (points + 1) / 2;
  bool change = false;
  for (int i = 0; i < pairs; i++)
    dc[i] = (gradyn_lanes){0};
  for (int k = e->first; k < e->end; k++) {
    if (!change_of(j, e->datum + k, &d))
      continue;
    change = true;
    for (int i = 0; i < pairs; i++)
      dc[i] += e->D[k][i] * d;
  }
  for (int k = 0; k < j->count && change; k++) {
    double w[MBS_INERTIA_POINTS][3];
    int pair = 0;
    for (int r = 0; r < points; r++)
      mbs_term_field(dim, m, e, r, &j->term[k], w[r]);
    for (int r = 0; r < points; r++)
      for (int s = r; s < points; s++, pair++) {
        gradyn_lanes *f_r = j->rhs[k] + e->at[r], *f_s = j->rhs[k] + e->at[s];
        for (int c = 0; c < dim && e->at[r] < j->n; c++)
          f_r[c] += w[s][c] * dc[pair];
        for (int c = 0; c < dim && e->at[s] < j->n && s > r; c++)
          f_s[c] += w[r][c] * dc[pair];
      }
  }
}

static GRADYN_WIDE void inertia_along(const gradyn_mbs *m, const mbs_inertia *e, const mbs_terms *j)
{
  if (m->dim == 2 && e->ops->points == 2)
    body_along(2, 2, m, e, j);
  else
    body_along(m->dim, e->ops->points, m, e, j);
}

/* The weight -M g for a change of g. */
static GRADYN_WIDE void gravity_along(const gradyn_mbs *m, const mbs_terms *j, int k)
{
  gradyn_lanes dg[3] = {{0}};
  for (int c = 0; c < m->dim; c++)
    change_of(j, m->gravity + c, &dg[c]);
  for (int i = 0; i < m->inertias; i++) {
    const mbs_inertia *e = &m->inertia[i];
    const double *pair = e->c;
    for (int r = 0; r < e->ops->points; r++)
      for (int s = r; s < e->ops->points; s++, pair++) {
        if (!m->point[e->point[s]].direction)
          add_at(m->dim, j, k, e->at[r], -*pair, dg);
        if (s > r && !m->point[e->point[r]].direction)
          add_at(m->dim, j, k, e->at[s], -*pair, dg);
      }
  }
}

/* --- rods ------------------------------------------------------------------------------------- */

/* A rod's length: its force lam Phi_q is lam w r along its difference r, w = 1/length. */
GRADYN_KERNEL void rod_length(int dim, const mbs_rod *rod, const mbs_terms *j)
{
  gradyn_lanes d;
  if (!change_of(j, rod->datum, &d))
    return;
  for (int k = 0; k < j->count; k++) {
    const gradyn_mech_term *term = &j->term[k];
    gradyn_lanes pull[3];
    double slope = -term->at.lam[rod->row] * rod->w * rod->w;
    for (int c = 0; c < dim; c++)
      pull[c] = slope * (j->node->pos[rod->b + c] - j->node->pos[rod->a + c]) * d;
    add_at(dim, j, k, rod->a, -1, pull);
    add_at(dim, j, k, rod->b, 1, pull);
    j->rhs[k][j->n + rod->row] += mbs_rod_slope(dim, rod, term->order, j->node) * d;
  }
}

static GRADYN_WIDE void rod_along(const gradyn_mbs *m, const mbs_rod *rod, const mbs_terms *j)
{
  if (m->dim == 2)
    rod_length(2, rod, j);
  else
    rod_length(3, rod, j);
}

/* --- other elements --------------------------------------------------------------------------- */

/* How the value of a signal changes; false: not at all. */
GRADYN_KERNEL bool signal_change(const gradyn_mbs *m, const gradyn_waveform *signal,
                                 const mbs_terms *j, gradyn_lanes *dz)
{
  int index[GRADYN_SIGNAL_DATA];
  double slope[GRADYN_SIGNAL_DATA];
  int count = gradyn_signal_slopes(signal, m->model->x, j->node->t, 0, index, slope);
  bool change = false;
  *dz = (gradyn_lanes){0};
  for (int i = 0; i < count; i++) {
    gradyn_lanes d;
    change = change_of(j, index[i], &d) || change;
    *dz += slope[i] * d;
  }
  return change;
}

/* How the inputs of an element [inputs] change; false: not at all. */
GRADYN_KERNEL bool inputs_change(const gradyn_mbs *m, const mbs_element *e, const mbs_terms *j,
                                 gradyn_lanes *dz)
{
  bool change = false;
  memset(dz, 0, (size_t)mbs_input_count(e) * sizeof *dz);
  if (e->source == MBS_FROM_DATA) {
    for (int i = e->first_input; i < e->end_input && i < e->data_count; i++)
      change = change_of(j, e->datum + i, &dz[i]) || change;
    for (int k = 0; k < e->signal_count; k++)
      change = signal_change(m, &m->model->signal[e->signal + k], j, &dz[e->data_count + k]) ||
               change;
    return change;
  }
  for (int v = 0; v < j->columns; v++) {
    double one[MBS_INPUTS];
    mbs_inputs_tangent(m, e, j->node->t, j->dx + v * j->nx, one);
    for (int i = 0; i < mbs_input_count(e); i++) {
      dz[i][v] = one[i];
      change = change || one[i] != 0;
    }
  }
  return change;
}

/* The same and the places of its points [local]. */
GRADYN_KERNEL bool changes(const gradyn_mbs *m, const mbs_element *e, const mbs_terms *j,
                           gradyn_lanes *dz, gradyn_lanes *dplace)
{
  bool change = inputs_change(m, e, j, dz);
  for (int p = 0; p < e->points && e->fixed_active; p++)
    for (int c = 0; c < m->dim; c++, dplace++) {
      const mbs_point *point = &m->point[e->point[p]];
      *dplace = (gradyn_lanes){0};
      if (point->kind == MBS_GROUND)
        change = change_of(j, point->x + c, dplace) || change;
    }
  return change;
}

/* f [local] = slopes times changes. */
GRADYN_KERNEL void element(const mbs_element *e, const mbs_slopes *s, const gradyn_lanes *dz,
                           const gradyn_lanes *dplace, gradyn_lanes *f)
{
  int local = e->local;
  memset(f, 0, (size_t)local * sizeof *f);
  for (int i = e->first_input; i < e->end_input; i++)
    for (int k = 0; k < local; k++)
      f[k] += s->z[i * local + k] * dz[i];
  for (int k = 0; k < local && e->fixed_active; k++)
    for (int i = 0; i < local; i++)
      f[k] += s->pos[k * local + i] * dplace[i];
}

GRADYN_KERNEL void scatter(const gradyn_mbs *m, const mbs_element *e, const mbs_terms *j, int k,
                           double factor, const gradyn_lanes *f)
{
  for (int p = 0; p < e->points; p++)
    add_at(m->dim, j, k, e->at[p], factor, f + m->dim * p);
}

static GRADYN_WIDE gradyn_status force_along(gradyn_mbs *m, const mbs_element *e,
                                             const mbs_terms *j, int k, const mbs_view *view)
{
  mbs_slopes s;
  gradyn_lanes dz[MBS_INPUTS], dplace[MBS_LOCAL], f[MBS_LOCAL];
  if (!changes(m, e, j, dz, dplace))
    return GRADYN_OK;
  gradyn_status status = mbs_element_slopes(m, e, view, e->fixed_active, &s);
  if (status != GRADYN_OK)
    return status;
  element(e, &s, dz, dplace, f);
  scatter(m, e, j, k, -1, f);
  return status;
}

/* A constraint that is no rod, or one between points that data move. */
static GRADYN_WIDE gradyn_status constraint_along(gradyn_mbs *m, int row, const mbs_terms *j)
{
  const mbs_element *e = &m->constraints.item[row];
  mbs_slopes s;
  gradyn_lanes dz[MBS_INPUTS], dplace[MBS_LOCAL], f[MBS_LOCAL];
  double room[MBS_INPUTS], phi_z[MBS_INPUTS], g[MBS_LOCAL];
  const double *z = mbs_inputs(m, e, j->node->t, room);
  if (!changes(m, e, j, dz, dplace))
    return GRADYN_OK;
  gradyn_status status = mbs_element_slopes(m, e, j->node, e->fixed_active, &s);
  if (status == GRADYN_OK)
    element(e, &s, dz, dplace, f);
  for (int k = 0; k < j->count && status == GRADYN_OK; k++) {
    gradyn_lanes *phi = &j->rhs[k][j->n + row];
    scatter(m, e, j, k, j->term[k].at.lam[row], f);
    status = e->ops->phi_input(m, e, j->node, z, j->term[k].order, phi_z);
    for (int i = e->first_input; i < e->end_input; i++)
      *phi += phi_z[i] * dz[i];
    if (e->fixed_active && status == GRADYN_OK)
      status = e->ops->phi_q(m, e, j->node, z, j->term[k].order, g);
    for (int i = 0; i < e->local && e->fixed_active; i++)
      *phi += g[i] * dplace[i];
  }
  return status;
}

static const mbs_terms_visitor along = {.rod = rod_along,
                                        .constraint = constraint_along,
                                        .inertia = inertia_along,
                                        .force = force_along,
                                        .gravity = gravity_along};

gradyn_status mbs_terms_data(gradyn_mech *mech, int terms, const gradyn_mech_term *term,
                             const gradyn_mech_state *node, int columns, const double *dx,
                             gradyn_lanes *const *rhs)
{
  mbs_terms j = {.count = terms, .term = term, .columns = columns, .dx = dx, .rhs = rhs};
  return mbs_visit_terms((gradyn_mbs *)mech, node, &j, &along);
}
