/* Second derivatives of functionals at a stage or sample, by differences of gradients along the columns. */
#include "adjoint/onestep/stage_sum.h"

#include <string.h>

/* Returns the part of functional f that *which selects: its integrand, or its terminal part at a record.
 * NULL: there is no such part, or its second derivatives are zero. */
static const gradyn_functional_ops *part_of(const gradyn_stage_sum *m, int f,
                                            const gradyn_stage_parts *which)
{
  const gradyn_onestep *run = m->s->march;
  const gradyn_functional_entry *functional = &run->model->functional[f];
  if (m->task->weight[f] == 0)
    return NULL;
  if (which->record < 0)
    return functional->integrand;
  if (run->tape.sampled[f] != which->record || gradyn_functional_is_state(functional))
    return NULL; /* linear */
  return functional->terminal;
}

static bool any_part(const gradyn_stage_sum *m, const gradyn_stage_parts *which)
{
  for (int f = 0; f < m->s->march->nf; f++)
    if (part_of(m, f, which))
      return true;
  return false;
}

/* Adds `factor` times the gradients of the selected parts of all functionals to `out`. */
static gradyn_status add_gradients(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                   double factor, const gradyn_sample *at,
                                   const gradyn_gradient_out *out)
{
  gradyn_model *model = m->s->march->model;
  for (int f = 0; f < m->s->march->nf; f++) {
    const gradyn_functional_ops *part = part_of(m, f, which);
    if (part)
      GRADYN_TRY(part->gradient(model, &model->functional[f], at,
                                factor * which->weight * m->s->slope[f], out));
  }
  return GRADYN_OK;
}

/* Computes the difference of the gradients for displacements by +-distance along column c. Sets y_bar,
 * *t_bar and m->by_data. */
static gradyn_status find_difference(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                     const gradyn_sample *at, int c, double distance, double *t_bar)
{
  gradyn_model *model = m->s->march->model;
  const double *D = m->D + c * m->tangents;
  const int ny = m->s->march->rates->ny;
  gradyn_status status = GRADYN_OK;
  const gradyn_gradient_out out = {m->y_bar, 1, m->by_data, t_bar};
  *t_bar = 0;
  memset(m->y_bar, 0, (size_t)ny * sizeof *m->y_bar);
  memset(m->by_data, 0, (size_t)model->nx * sizeof *m->by_data);
  for (int k = 0; k < GRADYN_CURVATURE_POINTS && status == GRADYN_OK; k++) {
    const double by = gradyn_curvature_distance[k] * distance;
    const gradyn_sample moved = {at->t + by * D[m->tangents - 1], m->y};
    for (int i = 0; i < ny; i++)
      m->y[i] = at->y[i] + by * D[i];
    for (int i = 0; i < m->moves; i++)
      model->x[m->moved[i]] = m->x[m->moved[i]] + by * m->dx[c][m->moved[i]];
    status = add_gradients(m, which, gradyn_curvature_weight[k] / distance, &moved, &out);
  }
  for (int i = 0; i < m->moves; i++)
    model->x[m->moved[i]] = m->x[m->moved[i]];
  return status;
}

/* Adds the second derivatives along column c and each other column. *varies: set if some are not zero. */
static gradyn_status add_column(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                const gradyn_sample *at, int c, bool *varies)
{
  const double *D = m->D;
  double t_bar, *x_bar = m->x_bar + c * m->s->march->model->nx;
  GRADYN_TRY(find_difference(m, which, at, c, m->scale[c], &t_bar));
  for (int i = 0; i < m->s->march->rates->ny; i++, D++)
    if (m->y_bar[i] != 0) {
      gradyn_stage_sum_product(m, c, m->y_bar[i], D, m->tangents);
      *varies = true;
    }
  if (t_bar != 0) {
    gradyn_stage_sum_product(m, c, t_bar, m->D + m->tangents - 1, m->tangents);
    *varies = true;
  }
  for (int i = 0; i < m->moves; i++) {
    const int k = m->moved[i];
    x_bar[k] += m->by_data[k];
    *varies = *varies || m->by_data[k] != 0;
  }
  return GRADYN_OK;
}

/* Adds the second derivatives of the selected parts of all functionals. */
gradyn_status gradyn_stage_sum_functionals(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                           const gradyn_sample *at)
{
  if (!any_part(m, which))
    return GRADYN_OK;
  bool *varies = m->s->stagewise.varies + (which->record < 0 ? m->columns : 0), other = false;
  for (int c = 0; c <= m->columns; c++)
    if (m->scale[c] > 0 && (c == m->columns || m->thorough || varies[c]))
      GRADYN_TRY(add_column(m, which, at, c, c == m->columns ? &other : &varies[c]));
  return GRADYN_OK;
}

/* Adds the derivatives of the integrands along the columns to m->by_h, the derivatives by the length of the
 * step. */
gradyn_status gradyn_stage_sum_slopes(gradyn_stage_sum *m, const gradyn_stage_parts *which,
                                      const gradyn_sample *at)
{
  const gradyn_model *model = m->s->march->model;
  const int ny = m->s->march->rates->ny;
  double t_bar = 0;
  memset(m->y_bar, 0, (size_t)ny * sizeof *m->y_bar);
  memset(m->by_data, 0, (size_t)model->nx * sizeof *m->by_data);
  GRADYN_TRY(
      add_gradients(m, which, 1, at, &(gradyn_gradient_out){m->y_bar, 1, m->by_data, &t_bar}));
  for (int c = 0; c <= m->columns; c++) {
    const double *D = m->D + c * m->tangents;
    m->by_h[c] += t_bar * D[m->tangents - 1];
    for (int i = 0; i < ny; i++)
      m->by_h[c] += m->y_bar[i] * D[i];
  }
  /* of all data, only a few are arguments of an integrand, such as knots of a signal */
  for (int i = 0; i < m->moves; i++) {
    const int k = m->moved[i];
    if (m->by_data[k] == 0)
      continue;
    for (int c = 0; c <= m->columns; c++)
      m->by_h[c] += m->by_data[k] * m->dx[c][k];
  }
  return GRADYN_OK;
}

/* Adds the second derivatives of an outer function, psi = outer(inner, t_end). */
void gradyn_stage_sum_outer(gradyn_stage_sum *m, int f)
{
  const gradyn_onestep *run = m->s->march;
  const gradyn_displaced *d = &m->s->displaced;
  const gradyn_functional_entry *functional = &run->model->functional[f];
  const double *inner = d->inner + f * d->columns;
  const int last = run->arcs.count;
  if (!functional->outer.mean && functional->outer.sharpness == 0)
    return; /* the outer function is linear */
  for (int c = 0; c < m->columns; c++) {
    m->D[c] = inner[c];
    m->D[m->columns + 1 + c] = gradyn_stage_sum_entry(
        m, d->boundary + (size_t)last * gradyn_displaced_width(d, 1), c);
  }
  double *end = m->D + m->columns + 1;
  m->D[m->columns] = end[m->columns] = 0;
  for (int c = 0; c < m->columns; c++) {
    m->D[m->columns] += m->task->combination[c] * m->D[c];
    end[m->columns] += m->task->combination[c] * end[c];
  }
  for (int c = 0; c <= m->columns; c++)
    for (int k = 0; k < GRADYN_CURVATURE_POINTS && m->scale[c] > 0; k++) {
      const double by = gradyn_curvature_distance[k] * m->scale[c],
                   factor = m->task->weight[f] * gradyn_curvature_weight[k] / m->scale[c];
      double slope, t_bar;
      gradyn_functional_outer(functional, run->inner[f] + by * m->D[c],
                              gradyn_onestep_boundary(run, last) + by * end[c], &slope, &t_bar);
      gradyn_stage_sum_product(m, c, factor * slope, m->D, 1);
      gradyn_stage_sum_product(m, c, factor * t_bar, end, 1);
    }
}
