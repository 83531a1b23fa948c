/* Gradients of several functionals at once. */
#ifndef GRADYN_CORE_GRADIENTS_H
#define GRADYN_CORE_GRADIENTS_H

#include "core/linear/lanes.h"
#include "core/model/model.h"

/* Gradients of functionals at one sample, `count` lanes. of[k] NULL: no request in lane k. The gradients
 * are added to y_bar [ny], x_bar [count][nx] and t_bar [count]. */
struct gradyn_gradients {
  int count;
  const gradyn_functional_entry *of[GRADYN_LANES];
  const gradyn_functional_ops *part[GRADYN_LANES];
  double weight[GRADYN_LANES];
  gradyn_lanes *y_bar;
  double *x_bar, *t_bar;
};

gradyn_status gradyn_gradients_take(gradyn_model *model, const gradyn_sample *at,
                                    const gradyn_gradients *g);
/* The gradient of lane k only. */
gradyn_status gradyn_gradients_take_lane(gradyn_model *model, const gradyn_sample *at,
                                         const gradyn_gradients *g, int k);

#endif
