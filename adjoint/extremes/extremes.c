/* Exact maxima over time in a run. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/extremes/climb.h"

#include <math.h>
#include <stdlib.h>

/* largest relative difference to the maximum at which another time is reported */
static const double tie = 1e-6;

/* Returns whether a functional is a maximum over time. */
static bool is_maximum(const gradyn_functional_entry *f)
{
  return f->maximum || (f->integrand && f->outer.sharpness != 0);
}

bool gradyn_functional_is_maximum(const gradyn_evaluator *ev, size_t functional)
{
  if (functional < gradyn_functional_count(ev) && ev->load.all) {
    const gradyn_case_row *row = &ev->load.all->row[functional];
    return !row->combined &&
           gradyn_functional_is_maximum(ev->load.all->part[row->of].ev, row->index);
  }
  return functional < gradyn_functional_count(ev) && is_maximum(&ev->model->functional[functional]);
}

/* Returns whether the estimate of a piece is at least as high as the estimates of its neighbours. */
static bool is_top(const gradyn_climb *c, const gradyn_heights *h, size_t k)
{
  return (k == 0 || h->most[k] >= h->most[k - 1]) &&
         (k + 1 == c->pieces.count || h->most[k] >= h->most[k + 1]);
}

/* Returns whether a piece is a neighbour of the piece from which a climb began, or this piece. */
static bool is_beside(size_t k, size_t step)
{
  return k <= step + 1 && step <= k + 1;
}

/* Finds another time at which the function is as large, for extreme.t_second. */
static void find_tie(gradyn_climb *c, const gradyn_heights *h, gradyn_summit *summit)
{
  const double least = summit->extreme.value - 1e-3 * fabs(summit->extreme.value);
  for (size_t k = 0; k < c->pieces.count && isnan(summit->extreme.t_second); k++) {
    if (h->most[k] < least || !is_top(c, h, k) || is_beside(k, summit->step))
      continue;
    const gradyn_summit other = gradyn_climb_from(c, h, k);
    const double width = c->pieces.to - c->pieces.from;
    /* the end of a neighbouring piece is the same time */
    if (other.extreme.value >= summit->extreme.value - tie * fabs(summit->extreme.value) &&
        fabs(other.extreme.t - summit->extreme.t) > width)
      summit->extreme.t_second = other.extreme.t;
  }
}

/* Finds the largest maximum of a function. Climbs from the piece with the largest estimate, and from other
 * pieces if the errors of the estimates may be larger than their difference. */
static gradyn_summit find_summit(gradyn_climb *c, const gradyn_heights *h, bool ties)
{
  size_t best = 0;
  for (size_t k = 1; k < c->pieces.count; k++)
    best = h->most[k] > h->most[best] ? k : best;
  gradyn_summit summit = gradyn_climb_from(c, h, best);
  for (size_t k = 0; k < c->pieces.count; k++) {
    if (!(h->most[k] + h->slack[k] > summit.extreme.value) || !is_top(c, h, k) ||
        is_beside(k, best))
      continue;
    const gradyn_summit other = gradyn_climb_from(c, h, k);
    summit = other.extreme.value > summit.extreme.value ? other : summit;
  }
  if (ties)
    find_tie(c, h, &summit);
  const double again = summit.extreme.t_second;
  gradyn_climb_refine(c, h, &summit);
  summit.extreme.t_second = again;
  return summit;
}

gradyn_status gradyn_find_summits(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                  bool all, double *end, gradyn_summit *summit)
{
  gradyn_model *model = ev->model;
  const size_t nf = (size_t)model->functional_count;
  OWNED_UNTIL_END(gradyn_climb_clear) gradyn_climb c = {.ev = ev};
  FREED int *sought = calloc(nf + 1, sizeof *sought);
  size_t count = 0;
  *end = 0;
  if (!sought)
    return GRADYN_NO_MEMORY;
  for (size_t f = 0; f < nf; f++) {
    summit[f] = (gradyn_summit){{(double)NAN, (double)NAN, (double)NAN}, 0, GRADYN_PART_INSIDE, 0};
    if (all ? is_maximum(&model->functional[f]) : model->functional[f].maximum)
      sought[count++] = (int)f;
  }
  if (count == 0)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_climb_begin(ev, trajectory, sought, count, &c));
  const gradyn_message kept = model->message;
  *end = gradyn_pieces_last(&c.pieces);
  for (size_t i = 0; i < count && c.pieces.count > 0; i++) {
    summit[sought[i]] = find_summit(&c, &c.heights[i], all);
    GRADYN_TRY(c.status);
    GRADYN_TRY(gradyn_model_cancelled(model, model->x[model->t_end]));
  }
  model->message = kept; /* values that do not exist are no failure */
  return GRADYN_OK;
}
