/* One direct sweep along a line: dx along it is one build in complex numbers. */
#include "adjoint/gradient/slope.h"
#include "adjoint/gradient/gradient.h"

#include <string.h>

#include "adjoint/directions.h"

gradyn_status gradyn_slope(gradyn_evaluator *ev, const double *rho, const double *line, double *psi,
                           double *slope)
{
  gradyn_directions along = {0};
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  if (gradyn_choose(ev) != GRADYN_OK || !ev->method->direct)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED, "%s has no direct sweep",
                       ev->method->name);
  memcpy(ev->x, ev->model->x, (size_t)ev->model->nx * sizeof *ev->x);
  gradyn_status status = gradyn_directions_by_line(ev->model, ev->rho, (int)ev->parameters.count,
                                                   line, &along);
  if (status == GRADYN_OK)
    status = gradyn_gradient_along(ev, ev->x, &along, psi, slope);
  else
    (void)gradyn_evaluator_tell(ev, status);
  gradyn_directions_clear(&along);
  return status;
}
