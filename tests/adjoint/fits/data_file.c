/* A model whose fit reads a file. */
#include "tests/adjoint/fits/data_file.h"

FORMULAS(still, at->yp[0])
FORMULA(state, at->y[0])

gradyn_status data_file_build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = still});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "m", .formula = state});
  gradyn_minimise(
      model,
      gradyn_fit(model, "y", y,
                 &(gradyn_fit_spec){.file = gradyn_user(model), .deviation_column = "sd"}),
      1);
  return gradyn_build_status(model);
}
