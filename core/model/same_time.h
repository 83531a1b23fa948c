/* Which times are one time. */
#ifndef GRADYN_CORE_SAME_TIME_H
#define GRADYN_CORE_SAME_TIME_H

#include "core/model/model.h"

/* Times of cuts, knots, samples, functionals and ends that differ by no more than that part of the end time
 * are one: sums and products that should be equal end in other digits. Of events coincidence.h decides. */
#define GRADYN_SAME_TIME 1e-12

/* Whether s is later than t, and not the same time. */
static inline bool gradyn_model_later(const gradyn_model *model, double s, double t)
{
  return s - t > GRADYN_SAME_TIME * model->x[model->t_end];
}

static inline bool gradyn_model_same_time(const gradyn_model *model, double s, double t)
{
  return !gradyn_model_later(model, s, t) && !gradyn_model_later(model, t, s);
}

/* Whether a functional is taken where the run begins. */
static inline bool gradyn_model_takes_start(const gradyn_model *model,
                                            const gradyn_functional_entry *f)
{
  return f->from_start ||
         (f->instant > 0 && gradyn_model_same_time(model, f->instant, gradyn_model_start(model)));
}

#endif
