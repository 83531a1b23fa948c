/* Gradients of several functionals at one sample: by the model at once, or one by one. */
#include "core/model/gradients.h"

gradyn_status gradyn_gradients_take_lane(gradyn_model *model, const gradyn_sample *at,
                                         const gradyn_gradients *g, int k)
{
  const gradyn_gradient_out out = {(double *)g->y_bar + k, GRADYN_LANES, g->x_bar + k * model->nx,
                                   g->t_bar + k};
  return g->part[k]->gradient(model, g->of[k], at, g->weight[k], &out);
}

gradyn_status gradyn_gradients_take(gradyn_model *model, const gradyn_sample *at,
                                    const gradyn_gradients *g)
{
  if (model->ops->gradients)
    return model->ops->gradients(model, at, g);
  for (int k = 0; k < g->count; k++)
    if (g->of[k])
      GRADYN_TRY(gradyn_gradients_take_lane(model, at, g, k));
  return GRADYN_OK;
}
