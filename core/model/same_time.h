/* Comparison of times up to round-off. */
#ifndef GRADYN_CORE_SAME_TIME_H
#define GRADYN_CORE_SAME_TIME_H

#include "core/model/model.h"

/* Times of arc boundaries, knots, samples, functionals and ends are equal if they differ by at most this
 * fraction of the end time. Sums and products that should be equal differ in their last digits. For events,
 * coincidence.h applies. */
#define GRADYN_SAME_TIME 1e-12

/* Returns whether s is later than t, beyond round-off. Both in s. */
static inline bool gradyn_model_later(const gradyn_model *model, double s, double t)
{
  return s - t > GRADYN_SAME_TIME * model->x[model->t_end];
}

/* Returns whether s and t, both in s, are equal up to round-off. */
static inline bool gradyn_model_same_time(const gradyn_model *model, double s, double t)
{
  return !gradyn_model_later(model, s, t) && !gradyn_model_later(model, t, s);
}

/* Returns whether a functional is evaluated at the start of the run. */
static inline bool gradyn_model_takes_start(const gradyn_model *model,
                                            const gradyn_functional_entry *f)
{
  return f->from_start ||
         (f->instant > 0 && gradyn_model_same_time(model, f->instant, gradyn_model_start(model)));
}

#endif
