/* The method `variational`: discrete Euler-Lagrange equations at a fixed step, with the exact direct and
 * adjoint derivatives of the discrete scheme. */
#include <stdlib.h>

#include "adjoint/method.h"
#include "adjoint/sweeps.h"

typedef struct variational_method {
  gradyn_fixed march;
  gradyn_sweeps sweeps;
} variational_method;

static void free_method(void *self)
{
  variational_method *s = self;
  if (!s)
    return;
  gradyn_sweeps_clear(&s->sweeps);
  gradyn_fixed_clear(&s->march);
  free(s);
}

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  variational_method *s = *out = calloc(1, sizeof *s);
  gradyn_stepper *stepper = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  gradyn_status status = gradyn_variational_create(model, options, &stepper);
  if (status != GRADYN_OK) {
    if (stepper)
      stepper->ops->free(stepper);
    return status;
  }
  status = gradyn_fixed_create(model, stepper, options, &s->march);
  return status == GRADYN_OK ? gradyn_sweeps_create(&s->march, &s->sweeps) : status;
}

static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_fixed_march(&((variational_method *)self)->march, false, psi, trajectory);
}

static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return gradyn_sweep_direct(&((variational_method *)self)->sweeps, directions, psi, gradient);
}

static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return gradyn_sweep_adjoint(&((variational_method *)self)->sweeps, active, psi, x_bar);
}

static gradyn_statistics statistics(const void *self)
{
  return ((const variational_method *)self)->march.statistics;
}

const gradyn_method gradyn_variational_method = {
    .name = "variational",
    .summary = "discrete Euler-Lagrange equations, fixed step, constant masses",
    .mechanical = true,
    .create = create,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .statistics = statistics};
