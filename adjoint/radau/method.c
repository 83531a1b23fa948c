/* The method `radau`: Radau IIA of order 5, with the exact derivatives of the discrete run. */
#include "adjoint/onestep/method.h"
#include "adjoint/radau/sweeps.h"

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  return gradyn_onestep_method_create(model, options, &gradyn_radau_scheme,
                                      &gradyn_radau_derivatives, out);
}

const gradyn_method gradyn_radau_method = {
    .name = "radau",
    .summary = "Radau IIA of order 5, variable or fixed step: where the motion is stiff",
    .price_mechanical = {0.92, 0.60, 1.12, 0.49},
    .price_general = {1.27, 0.40, 1.51, 0.16},
    GRADYN_ONESTEP_METHOD,
    .index1 = true,
    .tighten = gradyn_onestep_method_tighten,
    .create = create};
