/* Second derivatives of the equations at a stage, with signals u(t, x) among their arguments. */
#include "adjoint/onestep/stage_sum.h"

#include <math.h>

/* --- signals ------------------------------------------------------------------------------------- */

/* Second derivatives of a signal at the present stage, by the data and the time on which it depends. */
typedef struct bend {
  int index[2 * GRADYN_SIGNAL_DATA], count;
  double by_time[2 * GRADYN_SIGNAL_DATA];                   /* by each datum and by the time */
  double H[2 * GRADYN_SIGNAL_DATA][2 * GRADYN_SIGNAL_DATA]; /* by two data */
} bend;

/* Returns the position of a datum in the list, to which it is added if it is new; -1: the list is full. */
static int place(bend *b, int datum)
{
  for (int i = 0; i < b->count; i++)
    if (b->index[i] == datum)
      return i;
  if (b->count == 2 * GRADYN_SIGNAL_DATA)
    return -1;
  b->index[b->count] = datum;
  return b->count++;
}

/* Adds to row j the difference of the signal's slopes for a displacement of datum j. */
static void move_datum(const gradyn_stage_sum *m, const gradyn_waveform *signal, double t, bend *b,
                       int j)
{
  double *x = m->s->march->model->x, most = 0;
  const double kept = x[b->index[j]];
  for (int c = 0; c < m->columns; c++)
    most = fmax(most, m->scale[c] * fabs(m->dx[c][b->index[j]]));
  for (int k = 0; k < GRADYN_CURVATURE_POINTS && most > 0; k++) {
    int index[GRADYN_SIGNAL_DATA];
    double slope[GRADYN_SIGNAL_DATA];
    x[b->index[j]] = kept + gradyn_curvature_distance[k] * most;
    const int count = gradyn_signal_slopes(signal, x, t, 0, index, slope);
    for (int i = 0; i < count; i++) {
      const int at = place(b, index[i]);
      if (at >= 0)
        b->H[j][at] += gradyn_curvature_weight[k] / most * slope[i];
    }
  }
  x[b->index[j]] = kept;
}

/* Finds the data on which a signal and its rate at t depend, and the derivatives of the rate by these data.
 */
static void find_bend(const gradyn_stage_sum *m, const gradyn_waveform *signal, double t, bend *b)
{
  const double *x = m->s->march->model->x;
  int index[GRADYN_SIGNAL_DATA];
  double slope[GRADYN_SIGNAL_DATA];
  *b = (bend){.count = 0};
  int count = gradyn_signal_slopes(signal, x, t, 0, index, slope);
  for (int i = 0; i < count; i++)
    (void)place(b, index[i]);
  count = gradyn_signal_slopes(signal, x, t, 1, index, slope);
  for (int i = 0; i < count; i++)
    b->by_time[place(b, index[i])] = slope[i];
  if (gradyn_signal_moves(signal, m->task->active))
    for (int j = 0; j < b->count; j++)
      move_datum(m, signal, t, b, j);
}

/* Adds weight times the second derivatives u'' of a signal, along (dx, dt) of all pairs of columns. */
static void add_bend(gradyn_stage_sum *m, const gradyn_waveform *signal, double t, double weight)
{
  const int seen = m->tangents - 1;
  const double twice = gradyn_signal_value(signal, m->s->march->model->x, t, 2);
  bend b;
  find_bend(m, signal, t, &b);
  for (int c = 0; c <= m->columns; c++) {
    const double dt = m->D[c * m->tangents + seen];
    double by_t = twice * dt; /* by the time */
    for (int j = 0; j < b.count; j++) {
      const double dx = m->dx[c][b.index[j]];
      by_t += b.by_time[j] * dx;
      m->d[j] = b.by_time[j] * dt;
      for (int i = 0; i < b.count; i++)
        m->d[j] += b.H[i][j] * m->dx[c][b.index[i]];
    }
    gradyn_stage_sum_product(m, c, weight * by_t, m->D + seen, m->tangents);
    for (int k = c == m->columns ? c : 0; k <= c; k++) {
      double *to = c == m->columns ? &m->along : &m->H[c * m->columns + k];
      for (int j = 0; j < b.count; j++)
        *to += weight * m->d[j] * m->dx[k][b.index[j]];
    }
  }
}

/* --- equations ----------------------------------------------------------------------------------- */

/* Sets the changes of the arguments of the equations at time t along all columns, and the sizes of the
 * arguments. */
static void set_arguments(gradyn_stage_sum *m, double t)
{
  const gradyn_rates *rates = m->s->march->rates;
  const gradyn_model *model = m->s->march->model;
  const gradyn_curvature *pairs = &m->s->stagewise.pairs;
  const int columns = m->columns + 1, ny = rates->ny;
  for (int c = 0; c < columns; c++) {
    const double *D = m->D + c * m->tangents, dt = D[m->tangents - 1];
    for (int i = 0; i < ny; i++)
      m->v[i * columns + c] = D[i];
    for (int i = 0; i < rates->nz; i++)
      m->v[(ny + rates->position[i]) * columns + c] = D[rates->rates + i];
    for (int k = 0; k < pairs->e->data_count; k++)
      m->v[(pairs->data + k) * columns + c] = m->dx[c][pairs->e->datum + k];
    m->v[(pairs->count - 1) * columns + c] = dt;
  }
  for (int k = 0; k < model->signal_count; k++) {
    int index[GRADYN_SIGNAL_DATA];
    double slope[GRADYN_SIGNAL_DATA], *du = m->v + (pairs->signals + k) * columns;
    const double rate = gradyn_signal_value(&model->signal[k], model->x, t, 1);
    const int count = gradyn_signal_slopes(&model->signal[k], model->x, t, 0, index, slope);
    for (int c = 0; c < columns; c++) {
      du[c] = rate * m->D[c * m->tangents + m->tangents - 1];
      for (int i = 0; i < count; i++)
        du[c] += slope[i] * m->dx[c][index[i]];
    }
  }
  for (int k = 0; k < pairs->count; k++) {
    m->size[k] = 0;
    for (int c = 0; c < m->columns; c++)
      m->size[k] = fmax(m->size[k], m->scale[c] * fabs(m->v[k * columns + c]));
  }
}

/* Subtracts the second derivatives of eta^T F by pairs of arguments, and its second derivative along the
 * combination of all columns. */
static gradyn_status add_pairs(gradyn_stage_sum *m, const double *eta)
{
  gradyn_curvature *pairs = &m->s->stagewise.pairs;
  const int columns = m->columns + 1;
  double along;
  if (m->every || (m->thorough && pairs->pairs == 0))
    GRADYN_TRY(gradyn_curvature_find(pairs, m->size));
  GRADYN_TRY(gradyn_curvature_at(pairs, eta, m->size));
  for (int k = 0; k < pairs->pairs; k++) {
    const gradyn_curvature_pair *pair = &pairs->pair[k];
    const double *one = m->v + pair->first * columns, *other = m->v + pair->second * columns;
    for (int c = 0; c < m->columns && pair->value != 0; c++) {
      gradyn_stage_sum_product(m, c, -pair->value * one[c], other, 1);
      if (pair->first != pair->second)
        gradyn_stage_sum_product(m, c, -pair->value * other[c], one, 1);
    }
  }
  for (int k = 0; k < pairs->count; k++)
    m->d[k] = m->v[k * columns + m->columns];
  GRADYN_TRY(gradyn_curvature_along(pairs, eta, m->d, m->s->stagewise.shrink, &along));
  m->along -= along;
  return GRADYN_OK;
}

/* Subtracts the second derivatives of eta^T F at a stage. */
gradyn_status gradyn_stage_sum_equations(gradyn_stage_sum *m, double t, const double *stage,
                                         const double *eta)
{
  const gradyn_rates *rates = m->s->march->rates;
  gradyn_model *model = m->s->march->model;
  gradyn_equations_model *e = model->equations;
  bool any = false;
  for (int i = 0; i < rates->ny; i++)
    any = any || eta[i] != 0;
  if (!any)
    return GRADYN_OK;
  gradyn_rates_scatter(rates, stage + rates->rates, m->y);
  gradyn_equations_at(e, t, stage, m->y);
  set_arguments(m, t);
  GRADYN_TRY(add_pairs(m, eta));
  for (int k = 0; k < model->signal_count; k++) {
    double weight = 0;
    if (!m->s->b.moving && !gradyn_signal_moves(&model->signal[k], m->task->active))
      continue; /* the signal is linear in its data, and the time does not change */
    GRADYN_TRY(gradyn_equations_by_signal(e, k, m->y_bar));
    for (int i = 0; i < rates->ny; i++)
      weight -= eta[i] * m->y_bar[i];
    if (weight != 0)
      add_bend(m, &model->signal[k], t, weight);
  }
  return GRADYN_OK;
}
