/* The direct sweep of an explicit method: what functionals take from the changes of stages. */
#include "adjoint/explicit/direct.h"

/* Gradients of functional f by the columns of a pack, so far. */
static gradyn_lanes *sum_of(const gradyn_explicit_sweeps *s, int f, int pack)
{
  return s->taken.sum + (f * s->packs + pack) * s->lanes;
}

/* They += factor times an entry. */
static void add_entry(const gradyn_explicit_sweeps *s, int f, int pack, double factor,
                      const gradyn_direct_entry *d)
{
  gradyn_lanes *sum = sum_of(s, f, pack);
  for (int h = 0; h < gradyn_direct_lanes(s, pack); h++)
    sum[h] += factor * d->lane[h];
}

/* Moves what a gradient has written in y_bar to bar, and returns how many places that are: those that are
 * known, and new ones. y_bar is zero again. */
static GRADYN_WIDE int take_bars(int ny, int count, int *place, gradyn_lanes *y_bar, double *bar)
{
  double *y = (double *)y_bar;
  for (int k = 0; k < count; k++) {
    bar[k] = y[place[k]];
    y[place[k]] = 0;
  }
  if (!gradyn_lanes_any((ny + GRADYN_LANES - 1) / GRADYN_LANES, y_bar))
    return count;
  for (int i = 0; i < ny; i++)
    if (y[i] != 0) {
      place[count] = i;
      bar[count++] = y[i];
      y[i] = 0;
    }
  return count;
}

/* sum += bar . dy; of one lane, the second sum is another first one. */
static GRADYN_WIDE void add_slopes(int lanes, int count, const int *place, const double *bar,
                                   const gradyn_lanes *dy, gradyn_lanes *sum)
{
  gradyn_lanes first = {0}, last = {0};
  for (int k = 0; k < count; k++) {
    const gradyn_lanes *d = dy + place[k] * lanes;
    first += bar[k] * d[0];
    last += bar[k] * d[lanes - 1];
  }
  sum[0] += first;
  if (lanes > 1)
    sum[1] += last;
}

/* Gradients += what a part of functional f reads: weight (y_bar . dstage + t_bar dt). arc: whose boundaries
 * move the time; -1: it stays. */
static gradyn_status collect(gradyn_explicit_sweeps *s, int f, const gradyn_functional_ops *part,
                             const gradyn_sample *at, double weight, int stage, double fraction,
                             int arc)
{
  gradyn_model *model = s->march->model;
  const gradyn_explicit_taken *taken = &s->taken;
  const int ny = s->march->rates->ny;
  int *place = taken->place + f * ny;
  double t_bar = 0;
  const gradyn_gradient_out out = {(double *)taken->y_bar, 1, s->x_bar + f * model->nx, &t_bar};
  GRADYN_TRY(part->gradient(model, &model->functional[f], at, weight, &out));
  const int count = take_bars(ny, taken->places[f], place, taken->y_bar, taken->bar);
  taken->places[f] = count;
  for (int pack = 0; pack < s->packs; pack++) {
    /* psi' = g_y dy + g_x dx + g_t dt; g_x at the end, once for all */
    add_slopes(gradyn_direct_lanes(s, pack), count, place, taken->bar,
               gradyn_direct_stage(s, pack, stage), sum_of(s, f, pack));
    if (!s->moving || arc < 0 || t_bar == 0)
      continue;
    const gradyn_direct_entry dt = gradyn_direct_time(s, arc, pack, fraction);
    add_entry(s, f, pack, t_bar, &dt);
  }
  return GRADYN_OK;
}

/* Integrands at a stage. */
gradyn_status gradyn_direct_integrands(gradyn_explicit_sweeps *s, const gradyn_direct_position *at,
                                       int i)
{
  gradyn_explicit *march = s->march;
  const gradyn_explicit_step *step = &march->step[at->k];
  double b = march->tableau->b[i], c = march->tableau->c[i];
  const gradyn_sample sample = {at->t + c * at->h, gradyn_explicit_stage(march, at->stages, i)};
  for (int f = 0; f < march->nf && b != 0; f++) {
    const gradyn_functional *functional = &march->model->functional[f];
    double g = 0;
    if (!functional->integrand || functional->skipped)
      continue;
    /* slope h b_i g_i along the directions */
    GRADYN_TRY(collect(s, f, functional->integrand, &sample, at->h * b * s->slope[f], i,
                       at->start + c * at->share, step->arc));
    gradyn_explicit_corners_add_one(s, i, f);
    if (s->moving)
      GRADYN_TRY(functional->integrand->value(march->model, functional, &sample, &g));
    for (int pack = 0; pack < s->packs && s->moving; pack++) { /* h b_i g_i by h */
      const gradyn_direct_entry dh = gradyn_direct_length(s, step->arc, pack, at->share);
      add_entry(s, f, pack, s->slope[f] * b * g, &dh);
    }
  }
  return GRADYN_OK;
}

/* Terminal parts taken at the end of an arc, or behind the event there; the stage's changes are in the last
 * slot. */
gradyn_status gradyn_direct_terminals(gradyn_explicit_sweeps *s, int arc, bool behind,
                                      const double *stage)
{
  gradyn_explicit *march = s->march;
  const gradyn_sample sample = {gradyn_explicit_boundary(march, arc + 1), stage};
  for (int f = 0; f < march->nf; f++) {
    const gradyn_functional *functional = &march->model->functional[f];
    /* taken at another boundary, or not asked for */
    if (functional->skipped || !gradyn_explicit_takes(march, f, arc + 1, behind))
      continue;
    /* an instant stays where a boundary moves that is at the same time */
    const bool stays = functional->instant > 0 && s->moving;
    GRADYN_TRY(collect(s, f, functional->terminal, &sample, s->slope[f],
                       stays ? 0 : march->kept.slots - 1, 1, stays ? -1 : arc));
  }
  return GRADYN_OK;
}
