/* The methods with a fixed step: a stepper with its march, and the exact direct and adjoint derivatives of
 * the discrete scheme. One struct serves ali3p, variational and kinematic: what differs is in their
 * steppers. */
#include <stdlib.h>
#include <string.h>

#include "adjoint/fixed/continuous.h"
#include "adjoint/method.h"
#include "adjoint/fixed/sweeps.h"

typedef struct fixed_method {
  gradyn_fixed march;
  gradyn_sweeps sweeps;
  gradyn_continuous *continuous; /* ali3p, if it was asked for */
} fixed_method;

/* The march frees its stepper. */
static void free_method(void *self)
{
  fixed_method *s = self;
  if (!s)
    return;
  gradyn_continuous_free(s->continuous);
  gradyn_sweeps_clear(&s->sweeps);
  gradyn_fixed_clear(&s->march);
  free(s);
}

typedef gradyn_status create_stepper(gradyn_model *model, const gradyn_options *options,
                                     gradyn_stepper **out);

/* A method of a scheme: stepper, march and sweeps. */
static gradyn_status create(gradyn_model *model, const gradyn_options *options,
                            create_stepper *scheme, void **out)
{
  fixed_method *s = *out = calloc(1, sizeof *s);
  /* *out is freed by free_method() whatever becomes of it */
  gradyn_stepper *stepper = NULL;
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_status status = scheme(model, options, &stepper);
  if (status != GRADYN_OK) {
    if (stepper)
      stepper->ops->free(stepper);
    return status;
  }
  GRADYN_TRY(gradyn_fixed_create(model, stepper, options, &s->march));
  return gradyn_sweeps_create(&s->march, &s->sweeps);
}

/* ali3p alone has a continuous adjoint, which has arrays of its own. */
static gradyn_status create_ali3p(gradyn_model *model, const gradyn_options *options, void **out)
{
  gradyn_status status = create(model, options, gradyn_ali3p_create, out);
  fixed_method *s = *out;
  if (status != GRADYN_OK || !s || strcmp(options->sensitivity, "continuous-adjoint") != 0)
    return status;
  /* boundaries would need conditions of their own */
  if (s->march.events)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "the continuous adjoint does not know events and signals that jump: take "
                       "the adjoint of the discrete scheme");
  return gradyn_continuous_create(&s->march, &s->continuous);
}

/* No more than march and sweeps; likewise the next one. */
static gradyn_status create_variational(gradyn_model *model, const gradyn_options *options,
                                        void **out)
{
  return create(model, options, gradyn_variational_create, out);
}

/* As the others; only the scheme differs. */
static gradyn_status create_kinematic(gradyn_model *model, const gradyn_options *options,
                                      void **out)
{
  return create(model, options, gradyn_kinematic_create, out);
}

/* Nodes are not kept: nobody goes back over them. */
static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return gradyn_fixed_march(&((fixed_method *)self)->march, false, psi, trajectory);
}

/* Exact derivatives of the discrete scheme; likewise the adjoint. */
static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return gradyn_sweep_direct(&((fixed_method *)self)->sweeps, directions, psi, gradient);
}

/* A march that keeps its nodes, then the sweep back over them. */
static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return gradyn_sweep_adjoint(&((fixed_method *)self)->sweeps, active, psi, x_bar);
}

/* Of the differential equations, discretised on their own. */
static gradyn_status continuous_adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  (void)active; /* derivatives by other data are computed as well */
  return gradyn_continuous_sweep(((fixed_method *)self)->continuous, psi, x_bar);
}

/* Of the last march; sweeps add to the same numbers. */
static const gradyn_run_report *report(const void *self)
{
  return &((const fixed_method *)self)->march.report;
}

/* For those who need more of it than a method shows. */
static gradyn_fixed *march(void *self)
{
  return &((fixed_method *)self)->march;
}

const gradyn_method gradyn_ali3p_method = {
    .name = "ali3p",
    .lacks = GRADYN_LACKS_READINGS | GRADYN_LACKS_COUNTS,
    .summary = "augmented Lagrangian index-3 with projections, fixed step",
    .mechanical = true,
    .price_mechanical = {1.9, 0.94, 1.8, 0.88},
    .events = true,
    .create = create_ali3p,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .continuous_adjoint = continuous_adjoint,
    .report = report,
    .integration.fixed = march};

const gradyn_method gradyn_variational_method = {
    .name = "variational",
    .lacks = GRADYN_LACKS_MASSES | GRADYN_LACKS_ROLLING | GRADYN_LACKS_READINGS |
             GRADYN_LACKS_COUNTS,
    .summary = "discrete Euler-Lagrange equations, fixed step, constant masses",
    .mechanical = true,
    .price_mechanical = {0.67, 0.70, 0.72, 0.63},
    .events = true,
    .create = create_variational,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .report = report,
    .integration.fixed = march};

const gradyn_method gradyn_kinematic_method = {
    .name = "kinematic",
    .lacks = GRADYN_LACKS_ROLLING | GRADYN_LACKS_READINGS,
    .summary = "positions by the constraints alone, then what drives have to exert",
    .mechanical = true,
    .create = create_kinematic,
    .free = free_method,
    .simulate = simulate,
    .direct = direct,
    .adjoint = adjoint,
    .report = report,
    .integration.fixed = march};
