/* Vectors times derivatives by data, for several residuals and four vectors at once. */
#include "mbs/terms.h"

static const gradyn_lanes nothing[3]; /* at ground points */

GRADYN_KERNEL const gradyn_lanes *vectors_at(const mbs_terms *j, int k, int at)
{
  return at < j->n ? j->mu[k] + at : nothing;
}

/* x_bar -= value at one datum. */
GRADYN_KERNEL void add_datum(const mbs_terms *j, int datum, const gradyn_lanes *value)
{
  double *x_bar = j->x_bar + datum;
  for (int v = 0; v < j->columns; v++, x_bar += j->nx)
    *x_bar -= (*value)[v];
}

/* --- inertia ---------------------------------------------------------------------------------- */

/* The sums mu_r w_s + mu_s w_r over axes and terms (mu_r w_r once) that the pairs of a body multiply,
 * into the data. Inlined with the numbers of axes and points as constants for what is most frequent. */
GRADYN_KERNEL void body_against(int dim, int points, const gradyn_mbs *m, const mbs_inertia *e,
                                const mbs_terms *j)
{
  gradyn_lanes sum[MBS_INERTIA_PAIRS];
  int pairs = points * (points + 1) / 2;
  for (int i = 0; i < pairs; i++)
    sum[i] = (gradyn_lanes){0};
  for (int k = 0; k < j->count; k++) {
    double w[MBS_INERTIA_POINTS][3];
    int pair = 0;
    for (int r = 0; r < points; r++)
      mbs_term_field(dim, m, e, r, &j->term[k], w[r]);
    for (int r = 0; r < points; r++)
      for (int s = r; s < points; s++, pair++) {
        const gradyn_lanes *mu_r = j->mu[k] + e->at[r], *mu_s = j->mu[k] + e->at[s];
        for (int c = 0; c < dim && e->at[r] < j->n; c++)
          sum[pair] += w[s][c] * mu_r[c];
        for (int c = 0; c < dim && e->at[s] < j->n && s > r; c++)
          sum[pair] += w[r][c] * mu_s[c];
      }
  }
  for (int k = e->first; k < e->end; k++) {
    gradyn_lanes value = e->D[k][0] * sum[0];
    for (int i = 1; i < pairs; i++)
      value += e->D[k][i] * sum[i];
    add_datum(j, e->datum + k, &value);
  }
}

static GRADYN_WIDE void inertia_against(const gradyn_mbs *m, const mbs_inertia *e,
                                        const mbs_terms *j)
{
  if (m->dim == 2 && e->ops->points == 2)
    body_against(2, 2, m, e, j);
  else
    body_against(m->dim, e->ops->points, m, e, j);
}

/* The weight -M g by g. */
static GRADYN_WIDE void gravity_against(const gradyn_mbs *m, const mbs_terms *j, int k)
{
  gradyn_lanes g_bar[3] = {{0}};
  for (int i = 0; i < m->inertias; i++) {
    const mbs_inertia *e = &m->inertia[i];
    const double *pair = e->c;
    for (int r = 0; r < e->ops->points; r++)
      for (int s = r; s < e->ops->points; s++, pair++)
        for (int c = 0; c < m->dim; c++) {
          if (!m->point[e->point[s]].direction)
            g_bar[c] -= *pair * vectors_at(j, k, e->at[r])[c];
          if (s > r && !m->point[e->point[r]].direction)
            g_bar[c] -= *pair * vectors_at(j, k, e->at[s])[c];
        }
  }
  for (int c = 0; c < m->dim; c++)
    add_datum(j, m->gravity + c, &g_bar[c]);
}

/* --- rods ------------------------------------------------------------------------------------- */

/* A rod's length: its force lam Phi_q is lam w r along its difference r, w = 1/length. */
GRADYN_KERNEL void rod_length(int dim, const mbs_rod *rod, const mbs_terms *j)
{
  gradyn_lanes sum = {0};
  for (int k = 0; k < j->count; k++) {
    const gradyn_mech_term *term = &j->term[k];
    const gradyn_lanes *mu_a = vectors_at(j, k, rod->a), *mu_b = vectors_at(j, k, rod->b);
    double slope = -term->at.lam[rod->row] * rod->w * rod->w;
    for (int c = 0; c < dim; c++)
      sum += slope * (j->node->pos[rod->b + c] - j->node->pos[rod->a + c]) * (mu_b[c] - mu_a[c]);
    sum += mbs_rod_slope(dim, rod, term->order, j->node) * j->mu[k][j->n + rod->row];
  }
  add_datum(j, rod->datum, &sum);
}

static GRADYN_WIDE void rod_against(const gradyn_mbs *m, const mbs_rod *rod, const mbs_terms *j)
{
  if (m->dim == 2)
    rod_length(2, rod, j);
  else
    rod_length(3, rod, j);
}

/* --- other elements --------------------------------------------------------------------------- */

/* x_bar from the adjoint of the value of a signal. */
static GRADYN_WIDE void signal_against(const gradyn_mbs *m, const gradyn_waveform *signal,
                                       const mbs_terms *j, const gradyn_lanes *bar)
{
  int index[GRADYN_SIGNAL_DATA];
  double slope[GRADYN_SIGNAL_DATA];
  int count = gradyn_signal_slopes(signal, m->model->x, j->node->t, 0, index, slope);
  for (int i = 0; i < count; i++) {
    gradyn_lanes value = slope[i] * *bar;
    add_datum(j, index[i], &value);
  }
}

/* x_bar from the adjoints of an element's inputs. */
GRADYN_KERNEL void add_inputs(const gradyn_mbs *m, const mbs_element *e, const mbs_terms *j,
                              const gradyn_lanes *z_bar)
{
  if (e->source == MBS_FROM_DATA) {
    int data = e->end_input < e->data_count ? e->end_input : e->data_count;
    for (int i = e->first_input; i < data; i++)
      add_datum(j, e->datum + i, &z_bar[i]);
    for (int k = 0; k < e->signal_count; k++)
      signal_against(m, &m->model->signal[e->signal + k], j, &z_bar[e->data_count + k]);
    return;
  }
  for (int v = 0; v < j->columns; v++) {
    double one[MBS_INPUTS];
    for (int i = 0; i < mbs_input_count(e); i++)
      one[i] = -z_bar[i][v];
    mbs_inputs_transposed(m, e, j->node->t, one, j->x_bar + v * j->nx);
  }
}

/* x_bar of ground points from a derivative by places g [local]. */
static void add_places(gradyn_mbs *m, const mbs_element *e, const mbs_terms *j, const double *g,
                       const gradyn_lanes *weight)
{
  for (int v = 0; v < j->columns; v++)
    mbs_against(m, e, g, -(*weight)[v], j->x_bar + v * j->nx, NULL);
}

/* z_bar [inputs] and x_bar of ground points from scale times the slopes and the vectors of term k at an
 * element's points. */
GRADYN_KERNEL void element(gradyn_mbs *m, const mbs_element *e, const mbs_terms *j, int k,
                           double scale, const mbs_slopes *s, gradyn_lanes *z_bar)
{
  int local = e->local, dim = m->dim;
  for (int p = 0; p < e->points; p++) {
    const gradyn_lanes *mu = j->mu[k] + e->at[p];
    if (e->at[p] >= j->n)
      continue;
    for (int i = e->first_input; i < e->end_input; i++)
      for (int c = 0; c < dim; c++)
        z_bar[i] += scale * s->z[i * local + p * dim + c] * mu[c];
    for (int c = 0; c < dim && e->fixed_active; c++) {
      gradyn_lanes weight = scale * mu[c];
      add_places(m, e, j, s->pos + (p * dim + c) * local, &weight);
    }
  }
}

GRADYN_KERNEL void clear_inputs(const mbs_element *e, gradyn_lanes *z_bar)
{
  for (int i = e->first_input; i < e->end_input; i++)
    z_bar[i] = nothing[0];
}

static GRADYN_WIDE gradyn_status force_against(gradyn_mbs *m, const mbs_element *e,
                                               const mbs_terms *j, int k, const mbs_view *view)
{
  mbs_slopes s;
  gradyn_lanes z_bar[MBS_INPUTS];
  gradyn_status status = mbs_element_slopes(m, e, view, e->fixed_active, &s);
  if (status != GRADYN_OK)
    return status;
  clear_inputs(e, z_bar);
  element(m, e, j, k, -1, &s, z_bar);
  add_inputs(m, e, j, z_bar);
  return status;
}

/* A constraint that is no rod, or one between points that data move. */
static GRADYN_WIDE gradyn_status constraint_against(gradyn_mbs *m, int row, const mbs_terms *j)
{
  const mbs_element *e = &m->constraints.item[row];
  mbs_slopes s;
  gradyn_lanes z_bar[MBS_INPUTS];
  double room[MBS_INPUTS], phi_z[MBS_INPUTS], g[MBS_LOCAL];
  const double *z = mbs_inputs(m, e, j->node->t, room);
  gradyn_status status = mbs_element_slopes(m, e, j->node, e->fixed_active, &s);
  clear_inputs(e, z_bar);
  for (int k = 0; k < j->count && status == GRADYN_OK; k++) {
    const gradyn_lanes *nu = &j->mu[k][j->n + row];
    element(m, e, j, k, j->term[k].at.lam[row], &s, z_bar);
    status = e->ops->phi_input(m, e, j->node, z, j->term[k].order, phi_z);
    for (int i = e->first_input; i < e->end_input; i++)
      z_bar[i] += phi_z[i] * *nu;
    if (e->fixed_active && status == GRADYN_OK) {
      status = e->ops->phi_q(m, e, j->node, z, j->term[k].order, g);
      add_places(m, e, j, g, nu);
    }
  }
  if (status == GRADYN_OK)
    add_inputs(m, e, j, z_bar);
  return status;
}

static const mbs_terms_visitor against = {.rod = rod_against,
                                          .constraint = constraint_against,
                                          .inertia = inertia_against,
                                          .force = force_against,
                                          .gravity = gravity_against};

gradyn_status mbs_terms_data_transposed(gradyn_mech *mech, int terms, const gradyn_mech_term *term,
                                        const gradyn_mech_state *node, int columns,
                                        const gradyn_lanes *const *mu, double *x_bar)
{
  mbs_terms j = {.count = terms, .term = term, .columns = columns, .mu = mu, .x_bar = x_bar};
  return mbs_visit_terms((gradyn_mbs *)mech, node, &j, &against);
}
