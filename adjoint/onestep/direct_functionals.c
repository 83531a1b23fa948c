/* The direct sweep of a one-step method: contributions of the changes of stages to functionals. */
#include "adjoint/onestep/sweeps.h"

/* Returns the sums of functional f for the columns of a batch, which become its gradient. */
static gradyn_lanes *sum_of(const gradyn_onestep_sweeps *s, int f, int pack)
{
  return s->taken.sum + (f * s->b.packs + pack) * s->b.lanes;
}

/* Adds factor times an entry to the sums of functional f for the columns of a batch. */
static void add_entry(const gradyn_onestep_sweeps *s, int f, int pack, double factor,
                      const gradyn_batch_entry *d)
{
  gradyn_lanes *sum = sum_of(s, f, pack);
  for (int h = 0; h < gradyn_batch_lanes(&s->b, pack); h++)
    sum[h] += factor * d->lane[h];
}

/* A stage at which functionals are evaluated. share: its position in the present step, by which its time
 * changes; -1: its time is fixed. */
typedef struct reading {
  gradyn_sample at;
  double share;
} reading;

/* Moves entries of y_bar of functional f that have been zero until now in this run to `bar`, and extends
 * the list of nonzero entries by them. */
static __attribute__((noinline)) void take_new(gradyn_onestep_sweeps *s, int f, double jump)
{
  gradyn_onestep_taken *taken = &s->taken;
  double *y = (double *)taken->y_bar, *bar = (double *)taken->bar,
         *error = (double *)s->steep.error, *size = (double *)s->steep.size;
  const int ny = s->march->rates->ny, first = f * GRADYN_LANES * taken->row;
  for (int at = first; at < first + ny; at++) {
    if (y[at] == 0)
      continue;
    const int k = f * ny + taken->used[f]++;
    taken->at[k] = at;
    bar[k] = y[at];
    error[k] = jump * y[at];
    size[k] = y[at] * y[at];
    y[at] = 0;
  }
}

/* Moves the nonzero entries of y_bar of functional f to `bar`, and adds them to the sums that detect kinks.
 * Sets y_bar to zero. */
GRADYN_KERNEL void take_bars(gradyn_onestep_sweeps *s, int f, double jump)
{
  const int first = f * s->march->rates->ny, end = first + s->taken.used[f], *at = s->taken.at;
  double *y = (double *)s->taken.y_bar, *bar = (double *)s->taken.bar,
         *error = (double *)s->steep.error, *size = (double *)s->steep.size;
  for (int k = first; k < end; k++) {
    bar[k] = y[at[k]];
    y[at[k]] = 0;
    error[k] += jump * bar[k];
    size[k] += bar[k] * bar[k];
  }
  if (gradyn_lanes_any(s->taken.row, s->taken.y_bar + f * s->taken.row))
    take_new(s, f, jump);
}

/* Adds bar . dy to the sums of functional f, for the columns of a batch with one or two groups of lanes. */
GRADYN_KERNEL void add_slopes(gradyn_onestep_sweeps *s, int f, int pack, int lanes,
                              const gradyn_lanes *dy)
{
  const gradyn_onestep_taken *taken = &s->taken;
  const double *bar = (const double *)taken->bar;
  const int *at = taken->at, begin = f * GRADYN_LANES * taken->row, entry = f * s->march->rates->ny,
            end = entry + taken->used[f];
  gradyn_lanes first = {0}, last = {0}, *sum = sum_of(s, f, pack);
  for (int k = entry; k < end; k++) {
    const gradyn_lanes *d = dy + (at[k] - begin) * lanes;
    first += bar[k] * d[0];
    last += bar[k] * d[lanes - 1];
  }
  sum[0] += first;
  if (lanes > 1)
    sum[1] += last;
}

/* Adds y_bar . dstage to the sums of some functionals, where dstage are the changes of the stage in `slot`.
 */
static GRADYN_WIDE void take_slopes(gradyn_onestep_sweeps *s, int count, const int *functionals,
                                    int slot, double jump)
{
  for (int i = 0; i < count; i++)
    take_bars(s, functionals[i], jump);
  for (int pack = 0; pack < s->b.packs; pack++) {
    const int lanes = gradyn_batch_lanes(&s->b, pack);
    const gradyn_lanes *dy = gradyn_batch_stage(&s->b, pack, slot);
    for (int i = 0; i < count; i++)
      if (!s->march->model->functional[functionals[i]].skipped)
        add_slopes(s, functionals[i], pack, lanes, dy);
  }
}

/* Adds weight g_y of a part of functional f to its row of y_bar, weight g_x to x_bar, and weight g_t dt to
 * its sums. Derivatives by data enter the gradient once, at the end. */
GRADYN_KERNEL gradyn_status collect(gradyn_onestep_sweeps *s, int f,
                                    const gradyn_functional_ops *part, double weight,
                                    const reading *r)
{
  gradyn_model *model = s->march->model;
  double t_bar = 0;
  const gradyn_gradient_out out = {(double *)(s->taken.y_bar + f * s->taken.row), 1,
                                   s->x_bar + f * model->nx, &t_bar};
  GRADYN_TRY(part->gradient(model, &model->functional[f], &r->at, weight, &out));
  if (!s->b.moving || r->share < 0 || t_bar == 0)
    return GRADYN_OK;
  for (int pack = 0; pack < s->b.packs; pack++) {
    const gradyn_batch_entry dt = gradyn_batch_time(&s->b, pack, r->share);
    add_entry(s, f, pack, t_bar, &dt);
  }
  return GRADYN_OK;
}

/* Adds the derivative of h b_i g_i by h, times the change dh of the length, to the sums of functional f. */
static gradyn_status stretch(gradyn_onestep_sweeps *s, int f, double b,
                             const gradyn_onestep_position *at, const reading *r)
{
  const gradyn_functional_entry *functional = &s->march->model->functional[f];
  double g = 0;
  GRADYN_TRY(functional->integrand->value(s->march->model, functional, &r->at, &g));
  for (int pack = 0; pack < s->b.packs; pack++) {
    const gradyn_batch_entry dh = gradyn_batch_length(&s->b, pack, at->share);
    add_entry(s, f, pack, s->slope[f] * b * g, &dh);
  }
  return GRADYN_OK;
}

/* Adds the changes of all integrals by stage i of a step. */
gradyn_status gradyn_direct_integrands(gradyn_onestep_sweeps *s, const gradyn_onestep_position *at,
                                       int i)
{
  gradyn_onestep *march = s->march;
  const gradyn_model *model = march->model;
  const gradyn_tableau *t = march->tableau;
  if (t->b[i] == 0)
    return GRADYN_OK;
  const reading r = {.at = {at->t + t->c[i] * at->h, gradyn_onestep_stage(march, at->stages, i)},
                     .share = t->c[i] * at->share};
  const double weight = at->h * t->b[i];
  bool any = false;
  for (int q = 0; q < march->nq; q++) {
    const int f = march->integral[q];
    const gradyn_functional_entry *functional = &model->functional[f];
    if (!functional->integrand || functional->skipped)
      continue;
    /* changes of slope h b_i g_i */
    GRADYN_TRY(collect(s, f, functional->integrand, weight * s->slope[f], &r));
    if (s->b.moving)
      GRADYN_TRY(stretch(s, f, t->b[i], at, &r));
    any = true;
  }
  if (any)
    take_slopes(s, march->nq, march->integral, i, t->jump[i] / t->b[i]);
  return GRADYN_OK;
}

/* Adds the changes of terminal parts at a sample: with `stays`, of functionals at a fixed time; otherwise
 * of functionals whose time moves with the node. */
static gradyn_status take_terminals(gradyn_onestep_sweeps *s, int k, bool stays,
                                    const gradyn_sample *at)
{
  gradyn_onestep *march = s->march;
  const reading r = {.at = *at, .share = stays ? -1 : 0};
  const int *list, count = gradyn_tape_sampled(&march->tape, k, &list);
  bool any = false;
  for (int i = 0; i < count; i++) {
    const int f = list[i];
    const gradyn_functional_entry *functional = &march->model->functional[f];
    const bool held = gradyn_functional_stays(functional) && s->b.moving;
    if (held != stays || functional->skipped)
      continue;
    GRADYN_TRY(collect(s, f, functional->terminal, s->slope[f], &r));
    any = true;
  }
  if (any)
    take_slopes(s, count, list, stays ? 0 : march->kept.slots - 1, 0);
  return GRADYN_OK;
}

gradyn_status gradyn_direct_terminals(gradyn_onestep_sweeps *s, int k, const gradyn_sample *at)
{
  GRADYN_TRY(take_terminals(s, k, false, at));
  return s->b.moving ? take_terminals(s, k, true, at) : GRADYN_OK;
}
