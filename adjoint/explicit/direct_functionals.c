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

/* A stage that functionals read: whose changes stand in a slot, at a fraction of an arc whose boundaries move
 * the time (-1: it stays); and what finds corners of them, 0: nothing. */
typedef struct reading {
  gradyn_sample at;
  int slot, arc;
  double fraction, jump;
} reading;

/* Moves what functional f's gradient has written in y_bar to bar, from places that are known, and from new
 * ones. y_bar is zero again. */
GRADYN_KERNEL void take_bars(gradyn_explicit_sweeps *s, int f, double jump)
{
  const int ny = s->march->rates->ny;
  double *y = (double *)s->taken.y_bar, *bar = s->taken.bar;
  double *error = gradyn_explicit_corners_row(s, s->slope_error, f),
         *size = gradyn_explicit_corners_row(s, s->slope_size, f);
  int *place = s->taken.place + f * ny, count = s->taken.places[f];
  for (int k = 0;;) {
    for (; k < count; k++) {
      const double b = y[place[k]];
      y[place[k]] = 0;
      bar[k] = b;
      error[k] += jump * b;
      size[k] += b * b;
    }
    if (!gradyn_lanes_any((ny + GRADYN_LANES - 1) / GRADYN_LANES, s->taken.y_bar))
      break;
    for (int i = 0; i < ny; i++)
      if (y[i] != 0)
        place[count++] = i;
  }
  s->taken.places[f] = count;
}

/* Gradients of functional f by the columns of a pack += bar . dy; of one lane, the second sum is another
 * first one. */
GRADYN_KERNEL void add_slopes(gradyn_explicit_sweeps *s, int f, int pack, int slot)
{
  const int lanes = gradyn_direct_lanes(s, pack), count = s->taken.places[f];
  const int *place = s->taken.place + f * s->march->rates->ny;
  const double *bar = s->taken.bar;
  const gradyn_lanes *dy = gradyn_direct_stage(s, pack, slot);
  gradyn_lanes first = {0}, last = {0}, *sum = sum_of(s, f, pack);
  for (int k = 0; k < count; k++) {
    const gradyn_lanes *d = dy + place[k] * lanes;
    first += bar[k] * d[0];
    last += bar[k] * d[lanes - 1];
  }
  sum[0] += first;
  if (lanes > 1)
    sum[1] += last;
}

/* Gradients += what a part of functional f reads: weight (y_bar . dstage + t_bar dt). */
GRADYN_KERNEL gradyn_status collect(gradyn_explicit_sweeps *s, int f,
                                    const gradyn_functional_ops *part, double weight,
                                    const reading *r)
{
  gradyn_model *model = s->march->model;
  double t_bar = 0;
  const gradyn_gradient_out out = {(double *)s->taken.y_bar, 1, s->x_bar + f * model->nx, &t_bar};
  GRADYN_TRY(part->gradient(model, &model->functional[f], &r->at, weight, &out));
  take_bars(s, f, r->jump);
  for (int pack = 0; pack < s->packs; pack++) {
    /* psi' = g_y dy + g_x dx + g_t dt; g_x at the end, once for all */
    add_slopes(s, f, pack, r->slot);
    if (!s->moving || r->arc < 0 || t_bar == 0)
      continue;
    const gradyn_direct_entry dt = gradyn_direct_time(s, r->arc, pack, r->fraction);
    add_entry(s, f, pack, t_bar, &dt);
  }
  return GRADYN_OK;
}

/* Integrands grow with the length of a step: h b_i g_i by h. */
static gradyn_status stretch(gradyn_explicit_sweeps *s, int f, double b,
                             const gradyn_direct_position *at, const reading *r)
{
  const gradyn_functional *functional = &s->march->model->functional[f];
  double g = 0;
  GRADYN_TRY(functional->integrand->value(s->march->model, functional, &r->at, &g));
  for (int pack = 0; pack < s->packs; pack++) {
    const gradyn_direct_entry dh = gradyn_direct_length(s, r->arc, pack, at->share);
    add_entry(s, f, pack, s->slope[f] * b * g, &dh);
  }
  return GRADYN_OK;
}

/* All integrands, with everything that each of them takes inlined. */
static GRADYN_WIDE gradyn_status integrate_along(gradyn_explicit_sweeps *s, double b,
                                                 const gradyn_direct_position *at, const reading *r)
{
  const gradyn_model *model = s->march->model;
  const int count = s->march->nf;
  for (int f = 0; f < count; f++) {
    const gradyn_functional *functional = &model->functional[f];
    if (!functional->integrand || functional->skipped)
      continue;
    /* slope h b_i g_i along the directions */
    GRADYN_TRY(collect(s, f, functional->integrand, at->h * b * s->slope[f], r));
    if (s->moving)
      GRADYN_TRY(stretch(s, f, b, at, r));
  }
  return GRADYN_OK;
}

/* Integrands at a stage. */
gradyn_status gradyn_direct_integrands(gradyn_explicit_sweeps *s, const gradyn_direct_position *at,
                                       int i)
{
  gradyn_explicit *march = s->march;
  const gradyn_tableau *t = march->tableau;
  if (t->b[i] == 0)
    return GRADYN_OK;
  const reading r = {.at = {at->t + t->c[i] * at->h, gradyn_explicit_stage(march, at->stages, i)},
                     .slot = i,
                     .arc = march->step[at->k].arc,
                     .fraction = at->start + t->c[i] * at->share,
                     .jump = t->jump[i] / t->b[i]};
  return integrate_along(s, t->b[i], at, &r);
}

/* Terminal parts taken at the end of an arc, or behind the event there; the stage's changes are in the last
 * slot. */
gradyn_status gradyn_direct_terminals(gradyn_explicit_sweeps *s, int arc, bool behind,
                                      const double *stage)
{
  gradyn_explicit *march = s->march;
  for (int f = 0; f < march->nf; f++) {
    const gradyn_functional *functional = &march->model->functional[f];
    /* taken at another boundary, or not asked for */
    if (functional->skipped || !gradyn_explicit_takes(march, f, arc + 1, behind))
      continue;
    /* an instant stays where a boundary moves that is at the same time */
    const bool stays = functional->instant > 0 && s->moving;
    const reading r = {.at = {gradyn_explicit_boundary(march, arc + 1), stage},
                       .slot = stays ? 0 : march->kept.slots - 1,
                       .arc = stays ? -1 : arc,
                       .fraction = 1};
    GRADYN_TRY(collect(s, f, functional->terminal, s->slope[f], &r));
  }
  return GRADYN_OK;
}
