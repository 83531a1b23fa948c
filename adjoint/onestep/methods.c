/* One-step methods as entries of the table of methods. */
#include "adjoint/onestep/method.h"
#include "dae/explicit/explicit.h"
#include "dae/radau/radau.h"

static gradyn_status create_explicit(gradyn_model *model, const gradyn_options *options, void **out)
{
  return gradyn_onestep_method_create(model, options, &gradyn_explicit_scheme, out);
}

static gradyn_status create_radau(gradyn_model *model, const gradyn_options *options, void **out)
{
  return gradyn_onestep_method_create(model, options, &gradyn_radau_scheme, out);
}

const gradyn_method gradyn_explicit_method = {
    .name = "explicit",
    .summary = "Runge-Kutta of order 8 or 5, variable or fixed step: for non-stiff models",
    .price_mechanical = {0.35, 0.61, 0.64, 0.39},
    .price_general = {0.5, 0.47, 0.57, 0.27},
    GRADYN_ONESTEP_METHOD,
    .joins = true,
    .create = create_explicit};

const gradyn_method gradyn_radau_method = {
    .name = "radau",
    .summary = "Radau IIA of order 5, variable or fixed step: where the motion is stiff",
    .price_mechanical = {0.92, 0.60, 1.12, 0.49},
    .price_general = {1.27, 0.40, 1.51, 0.16},
    GRADYN_ONESTEP_METHOD,
    .index1 = true,
    .create = create_radau};
