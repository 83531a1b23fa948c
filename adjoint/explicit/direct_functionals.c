/* The direct sweep of an explicit method: what functionals take from the changes of stages. */
#include "adjoint/explicit/direct.h"

#include <stdint.h>
#include <string.h>

/* Columns of functional f's gradient += factor times those of an entry. */
static void add_columns(const gradyn_explicit_sweeps *s, int f, int pack, double factor,
                        const gradyn_direct_entry *sum, double *gradient)
{
  const double *column = (const double *)sum;
  double *to = gradient + f * s->columns + pack * GRADYN_LANES * s->lanes;
  for (int j = 0; j < gradyn_explicit_columns(s, pack); j++)
    to[j] += factor * column[j];
}

/* Lists what y_bar reads, mostly little: four numbers without a bit beside their signs are passed over at
 * once. */
static void list_reads(gradyn_explicit_sweeps *s)
{
  const int ny = s->march->rates->ny;
  int reads = 0;
  for (int i = 0; i < ny; i += GRADYN_LANES) {
    uint64_t bits[GRADYN_LANES]; /* behind the last one there is room, and zeros */
    memcpy(bits, s->y_bar + i, sizeof bits);
    if ((bits[0] | bits[1] | bits[2] | bits[3]) << 1 == 0)
      continue;
    for (int k = i; k < i + GRADYN_LANES; k++)
      if (s->y_bar[k] != 0)
        s->read[reads++] = k;
  }
  s->reads = reads;
}

/* sum = y_bar . dy; of one lane, the second sum is another first one. */
static GRADYN_WIDE void add_slopes(const gradyn_explicit_sweeps *s, int lanes,
                                   const gradyn_lanes *dy, gradyn_direct_entry *sum)
{
  gradyn_lanes first = {0}, last = {0};
  for (int k = 0; k < s->reads; k++) {
    const gradyn_lanes *d = dy + s->read[k] * lanes;
    first += s->y_bar[s->read[k]] * d[0];
    last += s->y_bar[s->read[k]] * d[lanes - 1];
  }
  sum->lane[0] = first;
  sum->lane[1] = last;
}

/* gradient [nf][columns] += what a part of functional f reads: weight (y_bar . dstage + t_bar dt). arc: whose
 * boundaries move the time; -1: it stays. */
static gradyn_status collect(gradyn_explicit_sweeps *s, int f, const gradyn_functional_ops *part,
                             const gradyn_sample *at, double weight, int stage, double fraction,
                             int arc, double *gradient)
{
  const gradyn_model *model = s->march->model;
  double t_bar = 0;
  const gradyn_gradient_out out = {s->y_bar, 1, s->x_bar + f * model->nx, &t_bar};
  for (int k = 0; k < s->reads; k++) /* what the last one has left */
    s->y_bar[s->read[k]] = 0;
  GRADYN_TRY(part->gradient(s->march->model, &model->functional[f], at, weight, &out));
  list_reads(s);
  for (int pack = 0; pack < s->packs; pack++) {
    /* psi' = g_y dy + g_x dx + g_t dt; g_x at the end, once for all */
    gradyn_direct_entry sum;
    add_slopes(s, gradyn_direct_lanes(s, pack), gradyn_direct_stage(s, pack, stage), &sum);
    add_columns(s, f, pack, 1, &sum, gradient);
    if (!s->moving || arc < 0 || t_bar == 0)
      continue;
    const gradyn_direct_entry dt = gradyn_direct_time(s, arc, pack, fraction);
    add_columns(s, f, pack, t_bar, &dt, gradient);
  }
  return GRADYN_OK;
}

/* Integrands at a stage. */
gradyn_status gradyn_direct_integrands(gradyn_explicit_sweeps *s, const gradyn_direct_position *at,
                                       int i, double *gradient)
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
                       at->start + c * at->share, step->arc, gradient));
    gradyn_explicit_corners_add_one(s, i, f);
    if (s->moving)
      GRADYN_TRY(functional->integrand->value(march->model, functional, &sample, &g));
    for (int pack = 0; pack < s->packs && s->moving; pack++) { /* h b_i g_i by h */
      const gradyn_direct_entry dh = gradyn_direct_length(s, step->arc, pack, at->share);
      add_columns(s, f, pack, s->slope[f] * b * g, &dh, gradient);
    }
  }
  return GRADYN_OK;
}

/* Terminal parts taken at the end of an arc, or behind the event there; the stage's changes are in the last
 * slot. */
gradyn_status gradyn_direct_terminals(gradyn_explicit_sweeps *s, int arc, bool behind,
                                      const double *stage, double *gradient)
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
                       stays ? 0 : march->kept.slots - 1, 1, stays ? -1 : arc, gradient));
  }
  return GRADYN_OK;
}
