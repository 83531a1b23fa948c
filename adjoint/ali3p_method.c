/* The method `ali3p`: augmented Lagrangian index-3 scheme with projections at a fixed step, with the
 * exact direct and adjoint derivatives of the discrete scheme. */
#include <stdlib.h>
#include <string.h>

#include "adjoint/ali3p_continuous.h"
#include "adjoint/method.h"
#include "adjoint/sweeps.h"

typedef struct ali3p_method {
  gradyn_fixed march;
  gradyn_sweeps sweeps;
  gradyn_continuous *continuous; /* NULL unless it was asked for */
} ali3p_method;

static void free_method(void *self)
{
  ali3p_method *s = self;
  if (!s)
    return;
  gradyn_continuous_free(s->continuous);
  gradyn_sweeps_clear(&s->sweeps);
  gradyn_fixed_clear(&s->march);
  free(s);
}

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  ali3p_method *s = *out = calloc(1, sizeof *s);
  gradyn_stepper *stepper = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_status status = gradyn_ali3p_create(model, options, &stepper);
  if (status != GRADYN_OK) {
    if (stepper)
      stepper->ops->free(stepper);
    return status;
  }
  status = gradyn_fixed_create(model, stepper, options, &s->march);
  if (status == GRADYN_OK)
    status = gradyn_sweeps_create(&s->march, &s->sweeps);
  if (status == GRADYN_OK && strcmp(options->sensitivity, "continuous-adjoint") == 0)
    status = gradyn_continuous_create(&s->march, &s->continuous);
  return status;
}

static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_fixed_march(&((ali3p_method *)self)->march, false, psi, trajectory);
}

static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return gradyn_sweep_direct(&((ali3p_method *)self)->sweeps, directions, psi, gradient);
}

static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return gradyn_sweep_adjoint(&((ali3p_method *)self)->sweeps, active, psi, x_bar);
}

static gradyn_status continuous_adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  (void)active; /* derivatives by other data are computed as well */
  return gradyn_continuous_sweep(((ali3p_method *)self)->continuous, psi, x_bar);
}

static gradyn_statistics statistics(const void *self)
{
  return ((const ali3p_method *)self)->march.statistics;
}

const gradyn_method gradyn_ali3p_method = {
    .name = "ali3p",
    .summary = "augmented Lagrangian index-3 with projections, fixed step",
    .mechanical = true,
    .create = create,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .continuous_adjoint = continuous_adjoint,
    .statistics = statistics};
