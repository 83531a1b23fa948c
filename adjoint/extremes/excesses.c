/* Intervals of a run in which bounds of path constraints are violated. */
#include "adjoint/extremes/climb.h"

#include <math.h>
#include <stdlib.h>

/* the function falls by this part of a maximum before another maximum of the same interval counts */
static const double dip = 0.1;

gradyn_status gradyn_excesses_add(gradyn_model *model, size_t side, const gradyn_summit *top,
                                  gradyn_excesses *out)
{
  void *grown = realloc(out->item, (out->count + 1) * sizeof *out->item);
  if (!grown)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  out->item = grown;
  out->item[out->count++] = (struct gradyn_excess){side, *top};
  return GRADYN_OK;
}

/* The search for violations of one bound. */
typedef struct side {
  gradyn_climb *climb;
  const gradyn_heights *h;
  double threshold;
  gradyn_excesses *out;
} side;

static gradyn_status add(const side *s, const gradyn_summit *top)
{
  gradyn_model *model = s->climb->ev->model;
  return top->extreme.value > s->threshold
             ? gradyn_excesses_add(model, (size_t)(s->h->f - model->functional), top, s->out)
             : GRADYN_OK;
}

/* Returns whether a piece has no length: both sides of an event are at one time. */
static bool is_nothing(const side *s, size_t k)
{
  return s->h->most[k] == -HUGE_VAL;
}

/* Adds the maximum near a piece if it exceeds the threshold. */
static gradyn_status add_top(const side *s, size_t piece)
{
  gradyn_summit top = gradyn_climb_from(s->climb, s->h, piece);
  gradyn_climb_refine(s->climb, s->h, &top);
  return add(s, &top);
}

/* Adds the maxima among the pieces first, ..., last - 1. Between two of them the function falls by at least
 * `dip`, relative to the maximum. */
static gradyn_status add_interval(const side *s, size_t first, size_t last)
{
  const double *h = s->h->most;
  size_t top = first, valley = first;
  bool down = false; /* after the maximum */
  for (size_t k = first; k < last; k++) {
    if (is_nothing(s, k))
      continue;
    if (!down && h[k] > h[top])
      top = k;
    if (!down && h[k] < h[top] - dip * fabs(h[top])) {
      GRADYN_TRY(add_top(s, top));
      down = true;
      valley = k;
    }
    valley = down && h[k] < h[valley] ? k : valley;
    if (down && h[k] > h[valley] + dip * fabs(h[k])) {
      down = false;
      top = k;
    }
  }
  return down ? GRADYN_OK : add_top(s, top);
}

/* Adds the start of the run as a separate result, if it exceeds the threshold. */
static gradyn_status add_start(const side *s)
{
  const double value = gradyn_climb_first(s->climb, s->h);
  const double start = gradyn_model_start(s->climb->ev->model);
  return add(s, &(gradyn_summit){{value, start, (double)NAN}, 0, GRADYN_PART_START, 0});
}

/* Returns whether piece k may exceed the threshold although its estimate does not. The estimates of its
 * neighbours must not be higher than its own. */
static bool may_exceed(const side *s, size_t k)
{
  const double *h = s->h->most;
  const double before = k > 0 ? h[k - 1] : -HUGE_VAL,
               after = k + 1 < s->climb->pieces.count ? h[k + 1] : -HUGE_VAL;
  return h[k] + s->h->slack[k] > s->threshold && fmax(fmax(before, after), h[k]) <= s->threshold &&
         h[k] >= before && h[k] >= after;
}

/* Adds the violations of one bound. */
static gradyn_status add_intervals(const side *s)
{
  const size_t count = s->climb->pieces.count;
  size_t first = 0;
  if (count > 0)
    GRADYN_TRY(add_start(s));
  for (size_t k = 0; k <= count; k++) {
    /* an interval ends with a piece that satisfies the bound; both sides of an event belong to it */
    if (k < count && (is_nothing(s, k) || s->h->most[k] > s->threshold))
      continue;
    if (k > first)
      GRADYN_TRY(add_interval(s, first, k));
    first = k + 1;
    if (k < count && may_exceed(s, k))
      GRADYN_TRY(add_top(s, k));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_find_excesses(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                   double part, gradyn_excesses *out)
{
  gradyn_model *model = ev->model;
  const size_t nf = (size_t)model->functional_count;
  OWNED_UNTIL_END(gradyn_climb_clear) gradyn_climb c = {.ev = ev};
  FREED int *sides = calloc(nf + 1, sizeof *sides);
  size_t count = 0;
  if (!sides)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for path constraints");
  for (size_t f = 0; f < nf; f++)
    if (model->functional[f].use == GRADYN_PATH_CONSTRAINT)
      sides[count++] = (int)f;
  GRADYN_TRY(gradyn_climb_begin(ev, trajectory, sides, count, &c));
  out->end = gradyn_pieces_last(&c.pieces);
  const gradyn_message kept = model->message;
  for (size_t i = 0; i < count; i++) {
    const gradyn_heights *h = &c.heights[i];
    GRADYN_TRY(add_intervals(&(side){&c, h, part * h->f->tolerance, out}));
    GRADYN_TRY(c.status);
    GRADYN_TRY(gradyn_model_cancelled(model, model->x[model->t_end]));
  }
  model->message = kept;
  return GRADYN_OK;
}
