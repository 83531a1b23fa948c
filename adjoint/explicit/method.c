/* The method `explicit`: Runge-Kutta methods of order 8 and 5, with exact derivatives of the discrete run. */
#include "adjoint/explicit/stages.h"
#include "adjoint/onestep/method.h"

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  return gradyn_onestep_method_create(model, options, &gradyn_explicit_scheme,
                                      &gradyn_explicit_derivatives, out);
}

const gradyn_method gradyn_explicit_method = {
    .name = "explicit",
    .summary = "Runge-Kutta of order 8 or 5, variable or fixed step: where nothing is stiff",
    .price_mechanical = {0.35, 0.61, 0.64, 0.39},
    .price_general = {0.5, 0.47, 0.57, 0.27},
    GRADYN_ONESTEP_METHOD,
    .create = create};
