/* Maxima over time whose times stay constant: they become functionals at fixed shares of the run. */
#include "adjoint/gradient/fixed_maxima.h"

#include <math.h>

#include "adjoint/gradient/maxima.h"
#include "core/model/limit.h"

/* Step of differences by the share, as part of the window. Their relative errors are of the order of its
 * square. Round-off of second differences is below 1e-4 for the accuracy of runs in searches. */
static const double part_of_window = 0.01;

/* Returns the step of differences by the share of a maximum. 0: the maximum is at an end of its window, or
 * too close to it. */
static double reach_of(const gradyn_functional_entry *f, double share)
{
  const double reach = part_of_window * (f->along.to - f->along.from);
  const bool inside = share - reach > f->along.from && share + reach < f->along.to;
  return f->instant > 0 && f->ride.rate == 0 && inside ? reach : 0;
}

/* Replaces a maximum whose time is known by a functional at its share of the run. */
static void fix(gradyn_model *model, size_t k, gradyn_fixed_maximum *out)
{
  gradyn_functional_entry *f = &model->functional[k];
  const double share = f->instant > 0 ? f->instant / model->x[model->t_end] : 0;
  *out = (gradyn_fixed_maximum){
      .functional = k, .along = f->along, .share = share, .reach = reach_of(f, share)};
  f->maximum = false;
  f->along.share = share;
  f->along.from = f->along.to = 0;
  f->ride = (gradyn_ride){.start = -1, .end = -1};
}

gradyn_status gradyn_fixed_maxima_create(gradyn_evaluator *ev, gradyn_arena *arena,
                                         gradyn_fixed_maxima *out)
{
  gradyn_model *model = ev->model;
  *out = (gradyn_fixed_maxima){.model = model};
  out->item = gradyn_arena_take(arena, (size_t)model->functional_count, sizeof *out->item);
  if (out->item == NULL)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for maxima");
  GRADYN_TRY(gradyn_place_maxima(ev));
  for (size_t k = 0; k < (size_t)model->functional_count; k++)
    if (model->functional[k].maximum)
      fix(model, k, &out->item[out->count++]);
  return GRADYN_OK;
}

void gradyn_fixed_maxima_clear(gradyn_fixed_maxima *maxima)
{
  for (size_t i = 0; i < maxima->count; i++) {
    gradyn_functional_entry *f = &maxima->model->functional[maxima->item[i].functional];
    f->maximum = true;
    f->along = maxima->item[i].along;
    gradyn_maximum_forget(f);
  }
  *maxima = (gradyn_fixed_maxima){0};
}

void gradyn_fixed_maxima_move(const gradyn_fixed_maxima *maxima, double steps)
{
  for (size_t i = 0; i < maxima->count; i++) {
    const gradyn_fixed_maximum *m = &maxima->item[i];
    maxima->model->functional[m->functional].along.share = m->share + steps * m->reach;
  }
}
